"""Jobs, watch lists and labels."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from evenhand.errors import NotFound, UsageError
from evenhand.records import Demand, Job, Passage, Place
from evenhand.store.jobs import StoredJob
from evenhand.store.notes import UserLabel
from evenhand.store.store import Store
from evenhand.store.watchlist import WatchlistEntry
from tests.store.resumes import JOB, apply

FULL = Job(
    text="Java or .NET, 3-5 years.",
    title="Developer",
    demands=(Demand(("java", ".net"), True, 36, 60, (Place(0, 12),)),),
    months=36,
    most_months=60,
    degree="bachelor",
    fields=("computer science",),
    city="Oslo",
    country="NO",
    passages=(Passage("requirements", Place(0, 24)),),
)


def at(minute: int) -> datetime:
    return datetime(2030, 1, 1, 0, minute, tzinfo=UTC)


def test_a_job_comes_back_with_its_requirements(store: Store) -> None:
    id = store.jobs.add(FULL)
    assert store.jobs.get(id) == StoredJob(id, FULL.text, FULL, at(1), None)
    assert store.jobs.get(id).title == "Developer"


def test_a_corrected_job_keeps_the_text_it_was_given_with(store: Store) -> None:
    id = store.jobs.add(FULL)
    corrected = replace(FULL, title="Senior developer", text="Java.", city=None)
    store.jobs.change(id, corrected)
    assert store.jobs.get(id) == StoredJob(id, FULL.text, corrected, at(1), None)


def test_closed_jobs_are_listed_on_request(store: Store) -> None:
    first, second = store.jobs.add(JOB), store.jobs.add(FULL)
    store.jobs.close(first)
    assert [job.id for job in store.jobs.all()] == [second]
    assert [(job.id, job.closed) for job in store.jobs.all(closed=True)] == [(first, at(3)), (second, None)]


def test_a_job_that_is_not_there(store: Store) -> None:
    for request in (store.jobs.get, store.jobs.close, store.jobs.reopen):
        with pytest.raises(NotFound, match="no job 'x'; `evenhand job list`"):
            request("x")


def test_ids_are_all_different_and_easy_to_type(store: Store) -> None:
    ids = [store.jobs.add(JOB) for _ in range(5)]
    assert len(set(ids)) == 5
    assert all(len(id) == 16 and set(id) <= set("0123456789abcdefghjkmnpqrstvwxyz") for id in ids)


def test_watch_lists(store: Store) -> None:
    assert store.watchlist.add("no_hire", " Zeta Corp ", note="2029")  # 00:01
    assert store.watchlist.add("no_hire", "Acme Ltd")
    assert store.watchlist.add("not_accredited", "Acme Ltd")
    assert not store.watchlist.add("no_hire", "Zeta Corp", note="2030")
    acme = WatchlistEntry("no_hire", "Acme Ltd", None, at(2))
    zeta = WatchlistEntry("no_hire", "Zeta Corp", "2030", at(4))
    assert store.watchlist.entries("no_hire") == (acme, zeta)
    assert store.watchlist.entries() == (acme, zeta, WatchlistEntry("not_accredited", "Acme Ltd", None, at(3)))
    store.watchlist.remove("no_hire", "Acme Ltd")
    assert store.watchlist.entries("no_hire") == (zeta,)


def test_wrong_watch_entries_are_refused_in_words(store: Store) -> None:
    with pytest.raises(UsageError, match="no watch list 'bad'; the lists are no_hire, not_accredited"):
        store.watchlist.add("bad", "Acme")
    with pytest.raises(UsageError, match="needs a name"):
        store.watchlist.add("no_hire", " ")
    with pytest.raises(UsageError, match="at most 500 characters"):
        store.watchlist.add("no_hire", "x" * 501)
    with pytest.raises(NotFound, match="'Acme' is not on the list no_hire"):
        store.watchlist.remove("no_hire", "Acme")


def test_an_opinion_that_changes_is_kept_beside_the_new_one(store: Store) -> None:
    job = store.jobs.add(JOB)  # 00:01
    ids = sorted(apply(store, job, "Java one", "Java two"))  # 00:02
    assert store.labels.add(ids[0], user="ann", label="relevant") == 1
    assert store.labels.add(ids[0], user="bob", label="irrelevant") == 1
    assert store.labels.add(ids[0], user="ann", label="irrelevant") == 2
    assert store.labels.add(ids[1], user="ann", label="relevant") == 1
    assert store.labels.of_job(job) == [
        UserLabel(ids[0], "ann", "irrelevant", 2, at(5)),
        UserLabel(ids[0], "bob", "irrelevant", 1, at(4)),
        UserLabel(ids[1], "ann", "relevant", 1, at(6)),
    ]
    assert store.labels.of_job("x") == []
    with pytest.raises(NotFound, match="no application 'x'"):
        store.labels.add("x", user="ann", label="relevant")
