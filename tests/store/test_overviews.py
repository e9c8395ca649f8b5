"""Jobs at a glance: counts by status, people by job, sources by how often they are named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evenhand.records import Job
from evenhand.store.applications import Arrival
from evenhand.store.store import Store


@pytest.fixture
def store(database_url: str, tmp_path: Path) -> Iterator[Store]:
    with Store.open(database_url, files=tmp_path / "files") as opened:
        yield opened


def apply(store: Store, job: str, name: str, source: str | None = None) -> str:
    """The application's id."""
    sha256 = store.files.save(name.encode())
    [saved] = store.applications.add([Arrival(job=job, sha256=sha256, source=source, file=name)])
    return saved.application


def test_counts_are_by_job_and_status(store: Store) -> None:
    first, second, empty = (store.jobs.add(Job(text=name, title=name)) for name in ("a", "b", "c"))
    ids = [apply(store, first, f"{number}.txt") for number in range(4)]
    apply(store, second, "0.txt")
    store.decisions.decide(ids[:2], "shortlist", actor="ann")
    store.decisions.decide(ids[2:3], "reject", actor="ann", reason="no")
    assert store.jobs.status_counts([first, second, empty]) == {
        first: {"new": 1, "shortlisted": 2, "rejected": 1},
        second: {"new": 1},
        empty: {},
    }
    assert store.jobs.status_counts([second]) == {second: {"new": 1}}
    assert store.jobs.status_counts([]) == {}


def test_members_come_in_the_order_they_were_given_the_job(store: Store) -> None:
    job, other = (store.jobs.add(Job(text=name)) for name in "ab")
    zoe, ann, gone = (store.accounts.add(login, login, "recruiter", actor="x") for login in ("zoe", "ann", "gone"))
    for user in (zoe, gone, ann):
        store.jobs.grant_access(job, user.id, actor="x")
    store.accounts.disable(gone.id, actor="x")
    found = store.jobs.members_by_job()
    assert {id: [user.login for user in members] for id, members in found.items()} == {job: ["zoe", "ann"]}
    assert other not in found


def test_sources_are_those_of_the_jobs_asked_for(store: Store) -> None:
    mine, theirs = (store.jobs.add(Job(text=name)) for name in "ab")
    for number, source in enumerate(["portal", "fair", "portal", None, "agency"]):
        apply(store, mine, f"{number}.txt", source)
    apply(store, theirs, "9.txt", "secret")
    assert store.jobs.sources([mine]) == ["portal", "agency", "fair"]
    assert store.jobs.sources([mine, theirs]) == ["portal", "agency", "fair", "secret"]
    assert store.jobs.sources([]) == []


def test_an_import_is_known_by_its_job_without_its_files(store: Store) -> None:
    job = store.jobs.add(Job(text="a"))
    assert store.imports.job_of(store.imports.begin(job, actor="ann")) == job
