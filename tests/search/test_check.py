"""Damage to database, files and index is found, named by a code, and mended where that is possible."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from evenhand.search.service import Service
from evenhand.store.database import Database, find_damage
from tests.screening.applicants import ASHA, BORIS, CLARA, Taken, take_in


@pytest.fixture
def taken(service: Service) -> Taken:
    taken = take_in(service, ASHA, BORIS, CLARA)
    assert service.check(full=True).faults == ()
    return taken


def codes(service: Service, **options: object) -> list[str]:
    return [fault.code for fault in service.check(**options).faults]  # type: ignore[arg-type]


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 0x55
    path.write_bytes(data)


def test_files_are_restored_from_good_copies(service: Service, taken: Taken, tmp_path: Path) -> None:
    files = service.store.files
    shutil.copytree(files.folder, tmp_path / "copies")
    (tmp_path / "copies" / "other").write_bytes(b"nothing of ours")
    damaged, missing, _ = list(files.kept())
    good = files.read(damaged)
    flip(files.path(damaged), 0)  # of the same length: an upload of the same file would not replace it
    files.path(missing).unlink()
    assert sorted(codes(service)) == ["file_damaged", "file_missing"]

    without = service.check(repair=True)
    assert [fault.code for fault in without.faults] == ["file_missing", "file_missing"]
    assert without.repairs == (f"The damaged file {damaged} was moved to quarantine.",)
    mended = service.check(repair=True, copies=tmp_path / "copies")
    assert (mended.faults, len(mended.repairs)) == ((), 2)
    assert files.read(damaged) == good

    quarantined = files.folder / "quarantine" / damaged
    assert quarantined.is_file()
    files.remove(damaged)  # as an erasure does
    assert not quarantined.exists()


@pytest.mark.parametrize("suffix", [".store", ".idx", ".term", ".fast", ".pos", ".fieldnorm"])
def test_a_flipped_bit_in_a_segment_is_found_and_mended(service: Service, taken: Taken, suffix: str) -> None:
    segment = next(path for path in (service.index / "tantivy").iterdir() if path.suffix == suffix)
    flip(segment, 3)
    assert codes(service) == ["index_damaged"]
    mended = service.check(repair=True)
    assert (mended.faults, mended.repairs) == ((), ("The search index was rebuilt from the database.",))


def test_damaged_features_and_lists_of_segments_are_found(service: Service, taken: Taken) -> None:
    path = service.index / "digests.bin"
    path.write_bytes(b"\xff" * path.stat().st_size)
    assert set(codes(service)) == {"index_damaged"}
    assert codes(service, repair=True) == []
    (service.index / "tantivy" / "meta.json").write_bytes(b"{not json")
    assert codes(service) == ["index_damaged"]
    assert codes(service, repair=True) == []


def test_damaged_rows_are_named(service: Service, taken: Taken) -> None:
    with service.store.context.database.transaction() as connection:
        connection.exec_driver_sql("UPDATE mined_documents SET text = X'00112233'")
    assert codes(service) == ["data_damaged"]
    assert codes(service, repair=True) == ["data_damaged"]


def test_a_sample_of_the_files_is_read_unless_all_are_wanted(
    service: Service, taken: Taken, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evenhand.search.index_sync.SAMPLED_FILES", 2)
    assert (service.check().files.hashed, service.check(full=True).files.hashed) == (2, 3)


def filled(path: Path) -> str:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA page_size = 512")
        connection.execute("CREATE TABLE t (a TEXT)")
        connection.executemany("INSERT INTO t VALUES (?)", [(f"value {number}" * 8,) for number in range(400)])
        connection.execute("CREATE INDEX i ON t (a)")
    connection.close()
    return f"sqlite:///{path}"


def test_sqlite_tells_of_damage_in_its_file(tmp_path: Path) -> None:
    url = filled(tmp_path / "d.sqlite")
    assert find_damage(Database(url)) == []
    data = bytearray((tmp_path / "d.sqlite").read_bytes())
    data[512 * 20 : 512 * 21] = b"\x5a" * 512
    (tmp_path / "d.sqlite").write_bytes(data)
    assert find_damage(Database(url))
    assert find_damage(Database(url), repair=True)  # rows are lost: nothing here can bring them back
    (tmp_path / "d.sqlite").write_bytes(b"no database at all, but long enough to be looked at" * 20)
    assert find_damage(Database(url)) == [f"The database {url} is not an SQLite file"]


def test_an_index_of_the_database_is_rebuilt(tmp_path: Path) -> None:
    url = filled(tmp_path / "d.sqlite")
    entry: tuple[object, ...] = ()
    for step in ("DELETE FROM sqlite_master WHERE name = 'i'", "DELETE FROM t WHERE rowid = 7"):
        # Opened anew: the row goes while SQLite knows of no index.
        connection = sqlite3.connect(tmp_path / "d.sqlite", isolation_level=None)
        connection.execute("PRAGMA writable_schema = ON")
        found = connection.execute("SELECT * FROM sqlite_master WHERE name = 'i'").fetchone()
        connection.execute(step)
        if found is None:
            connection.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", entry)
        entry = found or entry
        connection.close()
    assert find_damage(Database(url))
    assert find_damage(Database(url), repair=True) == []
