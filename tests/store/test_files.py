"""Original files are kept whole, under the hash of their bytes, and faults are found."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from evenhand.errors import NotFound, StoreError
from evenhand.store.files import FileStore
from evenhand.store.store import FileCheck, Store
from tests.store.resumes import JOB, apply


@pytest.fixture
def files(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "files")


def test_bytes_are_kept_under_their_hash(files: FileStore) -> None:
    # SHA-256 of "abc" as FIPS 180-2 gives it.
    sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert files.save(b"abc") == sha256
    path = files.folder / "ba" / sha256
    assert path.read_bytes() == files.read(sha256) == b"abc"
    assert (path.stat().st_mode & 0o777, files.folder.stat().st_mode & 0o777) == (0o600, 0o700)
    assert files.size_bytes(sha256) == 3
    written = path.stat().st_mtime_ns
    assert files.save_all([b"abc", b"", b"abc"]) == [sha256, hashlib.sha256(b"").hexdigest(), sha256]
    assert path.stat().st_mtime_ns == written
    assert list(files.kept()) == sorted([sha256, hashlib.sha256(b"").hexdigest()])
    assert list((files.folder / "incoming").iterdir()) == []


def test_a_file_is_on_the_disk_before_it_has_its_name(files: FileStore, monkeypatch: pytest.MonkeyPatch) -> None:
    order = []
    sync, replace = os.fsync, Path.replace

    def note_sync(handle: int) -> None:
        order.append("sync " + Path(f"/proc/self/fd/{handle}").readlink().parent.name)
        sync(handle)

    def note_rename(path: Path, target: Path) -> Path:
        order.append("rename")
        return replace(path, target)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(Path, "replace", note_rename)
    files.save(b"abc")
    # The bytes, the name, then the folder with the name and the folder above.
    assert order == ["sync incoming", "rename", "sync files", f"sync {files.folder.parent.name}"]


def test_damage_is_noticed_when_read(files: FileStore) -> None:
    sha256 = files.save(b"abc")
    files.path(sha256).write_bytes(b"abd")
    with pytest.raises(StoreError, match="is damaged"):
        files.read(sha256)
    assert not files.is_sound(sha256)


def test_a_file_cut_short_is_written_again(files: FileStore) -> None:
    sha256 = files.save(b"abc")
    files.path(sha256).write_bytes(b"ab")
    files.save(b"abc")
    assert files.read(sha256) == b"abc"


def test_a_file_that_is_not_there(files: FileStore) -> None:
    with pytest.raises(NotFound, match="There is no file 0000"):
        files.read("0" * 64)
    assert files.size_bytes("0" * 64) is None
    for name in ("../../etc/passwd", "AB" * 32, "", "0" * 63):
        with pytest.raises(NotFound, match="is not a SHA-256"):
            files.read(name)


def test_a_disk_that_refuses(files: FileStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(StoreError, match="No space left on device"):
        files.save(b"abc")
    assert list(files.kept()) == []


def test_everything_that_can_be_wrong_is_found(store: Store) -> None:
    ids = apply(store, store.jobs.add(JOB), "Java one", "Java two", "Java three")
    sound, damaged, missing = (application.document for application in store.applications.get_many(ids))
    assert store.check() == FileCheck()
    store.files.path(damaged).write_bytes(b"Java 2")
    store.files.path(missing).unlink()
    unclaimed = store.files.save(b"sent, but not added")
    stranger = store.files.folder / "notes.txt"
    stranger.write_text("mine")
    misplaced = store.files.folder / "zz" / sound
    misplaced.parent.mkdir()
    misplaced.write_bytes(b"Java one")
    found = store.check()
    assert found == FileCheck((missing,), (damaged,), (unclaimed,), ("notes.txt", f"zz/{sound}"))
    assert not found.sound
    assert store.check(contents=False).damaged == ()
