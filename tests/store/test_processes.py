"""Several processes at once, and processes that are killed: nothing is doubled, nothing acknowledged is lost."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from evenhand.store import applications as applications_module
from evenhand.store.applications import IntakeStore
from evenhand.store.files import FileStore
from evenhand.store.store import FileCheck, Store
from tests.store.processes import die, finish, start
from tests.store.resumes import JOB, arrive

TEXTS = [f"Java programmer number {number}" for number in range(120)]


@pytest.fixture
def database_url(bare_database_url: str) -> str:
    """Here the tables are made."""
    return bare_database_url


def add_all(url: str, files: Path, job: str, texts: Sequence[str], told: Path) -> None:
    """In batches of ten; how many were new is written down."""
    new = 0
    with Store.open(url, files=files) as store:
        for at in range(0, len(texts), 10):
            batch = [arrive(store, job, text) for text in texts[at : at + 10]]
            new += sum(saved.new for saved in store.applications.add(batch))
    told.write_text(str(new))


def open_only(url: str, files: Path) -> None:
    Store.open(url, files=files).close()


def test_two_processes_taking_in_the_same_files(database_url: str, tmp_path: Path) -> None:
    files = tmp_path / "files"
    with Store.open(database_url, files=files) as store:
        job = store.jobs.add(JOB)
    told = [tmp_path / "one", tmp_path / "two"]
    running = [
        start(add_all, database_url, files, job, TEXTS, told[0]),
        start(add_all, database_url, files, job, TEXTS[::-1], told[1]),
    ]
    seen: list[str] = []
    reached = 0
    with Store.open(database_url, files=files) as store:
        while any(process.is_alive() for process in running):
            running[0].join(0.02)
            until = store.changes.revision()
            seen += [row.application.id for row in store.changes.applications_since(reached, until=until)]
            reached = until
        assert finish(*running) == [0, 0]
        seen += [row.application.id for row in store.changes.applications_since(reached)]
        kept = list(store.applications.of_job(job))
        assert len(kept) == 120
        assert sorted(application.revision for application in kept) == list(range(1, 121))
        # Whoever follows the revisions has missed no one: they become visible in their order.
        assert sorted(seen) == sorted(application.id for application in kept)
        assert sum(int(path.read_text()) for path in told) == 120
        assert store.check().sound


def test_processes_that_open_a_new_database_at_once(database_url: str, tmp_path: Path) -> None:
    running = [start(open_only, database_url, tmp_path / "files") for _ in range(4)]
    assert finish(*running) == [0, 0, 0, 0]
    with Store.open(database_url, files=tmp_path / "files") as store:
        assert store.changes.revision() == 0


def killed_before_rename(url: str, files: Path, job: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", die)
        add_all(url, files, job, ["Java and more"], files)


def killed_between_file_and_row(url: str, files: Path, job: str) -> None:
    with Store.open(url, files=files) as store:
        arrive(store, job, "Java and more")
        die()


def killed_before_commit(url: str, files: Path, job: str) -> None:
    class Dying(IntakeStore):
        def _write(self) -> None:
            super()._write()
            die()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(applications_module, "IntakeStore", Dying)
        add_all(url, files, job, ["Java and more"], files)


@pytest.mark.parametrize(
    ("work", "left", "unclaimed"),
    [(killed_before_rename, 1, 0), (killed_between_file_and_row, 0, 1), (killed_before_commit, 0, 1)],
)
def test_killed_in_the_middle(database_url: str, tmp_path: Path, work: object, left: int, unclaimed: int) -> None:
    files = tmp_path / "files"
    with Store.open(database_url, files=files) as store:
        job = store.jobs.add(JOB)
    assert callable(work)
    assert finish(start(work, database_url, files, job)) == [-signal.SIGKILL]
    with Store.open(database_url, files=files) as store:
        assert store.applications.count() == 0
        assert store.changes.revision() == 0
        found = store.check()
        assert (len(found.unclaimed), found.sound) == (unclaimed, True)
        assert store.files.sweep() == 0  # too young to be told from a writer at work
        assert store.files.sweep(older_than_seconds=0) == left
        [saved] = store.applications.add([arrive(store, job, "Java and more")])
        assert saved.new
        assert store.check().unclaimed == ()


def killed_while_erasing(url: str, files: Path, job: str) -> None:
    """The rows are gone for good, the file is not yet."""
    with Store.open(url, files=files) as store, pytest.MonkeyPatch.context() as patch:
        [kept] = store.applications.of_job(job)
        patch.setattr(FileStore, "remove", die)
        store.erasures.remove_application(kept.id)


def killed_before_the_removal_counts(url: str, files: Path, job: str) -> None:
    """The file is noted to go, and nothing has been committed."""
    note = FileStore.note_leaving

    def note_and_die(self: FileStore, sha256: str) -> None:
        note(self, sha256)
        die()

    with Store.open(url, files=files) as store, pytest.MonkeyPatch.context() as patch:
        [kept] = store.applications.of_job(job)
        patch.setattr(FileStore, "note_leaving", note_and_die)
        store.erasures.remove_application(kept.id)


@pytest.mark.parametrize(("work", "left"), [(killed_while_erasing, 0), (killed_before_the_removal_counts, 1)])
def test_killed_while_an_application_is_removed(database_url: str, tmp_path: Path, work: object, left: int) -> None:
    files = tmp_path / "files"
    with Store.open(database_url, files=files) as store:
        job = store.jobs.add(JOB)
        store.applications.add([arrive(store, job, "Java and more")])
    assert callable(work)
    assert finish(start(work, database_url, files, job)) == [-signal.SIGKILL]
    with Store.open(database_url, files=files) as store:
        assert store.applications.count() == left
        assert len(list(store.files.kept())) == left  # a person's file is erased, or it is all there
        assert list(store.files.leaving()) == []
        assert store.check() == FileCheck()
