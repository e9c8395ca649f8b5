"""Databases of other ages: older ones are brought forward, newer ones refused, and steps give the tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect, text

from evenhand.errors import StoreError
from evenhand.records import Job
from evenhand.store.mined import MINED
from evenhand.store.store import VERSION_TABLE, Store
from evenhand.store.tables import MASTER, pack
from tests.store.released import released_tables


@pytest.fixture
def database_url(bare_database_url: str) -> str:
    """Here the tables are made."""
    return bare_database_url


def test_a_new_database_has_exactly_the_tables(store: Store, database_url: str) -> None:
    check_tables(database_url)


def test_the_steps_give_exactly_the_tables(database_url: str, tmp_path: Path) -> None:
    with released_tables(database_url):
        pass
    Store.open(database_url, files=tmp_path / "files").close()
    check_tables(database_url)


def check_tables(database_url: str) -> None:
    engine = create_engine(database_url)
    options = {"version_table": VERSION_TABLE, "compare_type": True, "target_metadata": [MASTER, MINED]}
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, [MASTER, MINED]) == []  # type: ignore[arg-type]
        tables = set(inspect(connection).get_table_names())
        versions = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).all()
    engine.dispose()
    assert tables == {*MASTER.tables, *MINED.tables, VERSION_TABLE}
    assert versions == [("0012",)]


def test_a_difference_would_be_found(store: Store, database_url: str) -> None:
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text("DROP INDEX ix_applications_candidate"))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        found = compare_metadata(context, [MASTER, MINED])  # type: ignore[arg-type]
    engine.dispose()
    assert [(kind, thing.name) for kind, thing in found] == [("add_index", "ix_applications_candidate")]


def test_opening_again_keeps_what_is_there(store: Store, database_url: str, tmp_path: Path) -> None:
    id = store.jobs.add(Job("Text.", "Title"))
    with Store.open(database_url, files=tmp_path / "files") as again:
        assert [job.id for job in again.jobs.all()] == [id]


def test_a_newer_database_is_refused_in_words(store: Store, database_url: str, tmp_path: Path) -> None:
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreError, match=r"written by a newer Evenhand \(its tables are at 9999\)"):
        Store.open(database_url, files=tmp_path / "files")


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    path.write_text("These are notes, and long enough to be taken for a header of a database file.\n" * 20)
    with pytest.raises(StoreError, match="is not an SQLite file"):
        Store.open(f"sqlite:///{path}", files=tmp_path / "files")


def test_a_folder_in_place_of_a_database(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        Store.open(f"sqlite:///{tmp_path}", files=tmp_path / "files")


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    url = "postgresql+psycopg://ada:secret@127.0.0.1:1/hiring"
    with pytest.raises(StoreError, match="cannot be reached") as caught:
        Store.open(url, files=tmp_path)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["mysql://a/b", "sqlite://", "nonsense", "sqlite:///:memory:"])
def test_addresses_that_do_not_fit(url: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"SQLite|sqlite"):
        Store.open(url, files=tmp_path)


def test_files_that_cannot_be_kept(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(StoreError, match="cannot be made"):
        Store.open(f"sqlite:///{tmp_path / 'e.db'}", files=blocked / "files")


def test_corrections_of_a_file_become_those_of_every_application_with_it(database_url: str, tmp_path: Path) -> None:
    """A has corrected, B was there, C came later; one correction was taken back before C came. D is of another file."""
    sha, other = "a" * 64, "b" * 64
    read, corrected = pack('{"read":1}'), pack('{"corrected":1}')
    with released_tables(database_url) as connection:

        def add(table: str, **values: object) -> None:
            names = ", ".join(f'"{name}"' for name in values)
            marks = ", ".join(f":{name}" for name in values)
            connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({marks})"), values)

        def day(number: int) -> str:
            return f"2030-01-{number:02d} 00:00:00.000000"

        add("candidates", id="x", form="{}", created=day(1))
        for document in (sha, other):
            add("documents", sha256=document, size_bytes=1, received=day(1))
            add("mined_documents", sha256=document, status="parsed", warnings="[]", text=pack("t"), document=pack("{}"))
            profile = corrected if document == sha else read
            add("mined_profiles", sha256=document, as_of="2030-01", miner="1", profile=profile)
            add("mined_digests", sha256=document, version="7", digest=b"corrected")
        add("readings", document=sha, miner="1", profile=read)
        for number, (id, document, received) in enumerate(
            [("A", sha, 1), ("B", sha, 2), ("C", sha, 9), ("D", other, 1)], start=1
        ):
            add("jobs", id=f"job {id}", text="", requirements="{}", created=day(1))
            add(
                *("applications",),
                id=id,
                job=f"job {id}",
                candidate="x",
                document=document,
                status="new",
                received=day(received),
                revision=number,
                content=number,
            )
        for id, undone in (("stands", None), ("undone", day(5))):
            add(
                *("corrections",),
                id=id,
                document=sha,
                application="A",
                field="name",
                change="{}",
                old='"Ada"',
                new='"Eva"',
                actor="ann",
                reason="r",
                time=day(3),
                undone=undone,
                ranks="{}",
            )
    with Store.open(database_url, files=tmp_path / "files") as store:
        held = {id: store.corrections.of_application(id) for id in "ABCD"}
        by_id = {row.application.id: row for row in store.changes.index_rows(list("ABCD"))}
        revisions = [row.application.revision for row in by_id.values()]
        raw = store.corrections.reading("A").packed_profile
    assert {id: [(one.id, one.action, one.ranks) for one in own] for id, own in held.items()} == {
        "A": [("stands", "correct", {}), ("undone", "correct", {})],
        "B": [("stands", "carry", None), ("undone", "carry", None)],
        "C": [("stands", "carry", None)],
        "D": [],
    }
    assert [(one.new, one.actor, one.undone is None) for one in held["B"]] == [
        ("Eva", "ann", True),
        ("Eva", "ann", False),
    ]
    # What ranks stays byte by byte, and no index has anything to do.
    assert {id: (row.packed_profile, row.digest, row.digest_version) for id, row in by_id.items()} == {
        **dict.fromkeys("ABC", (corrected, b"corrected", "7")),
        "D": (read, b"corrected", "7"),
    }
    assert revisions == [1, 2, 3, 4]
    assert raw == read
