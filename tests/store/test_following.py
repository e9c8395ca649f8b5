"""An index that follows the store by revisions sees every change once, in order."""

from __future__ import annotations

import pytest

from evenhand.store import change_feed
from evenhand.store.store import Store
from tests.store.resumes import JOB, apply

TEXTS = [f"Java {number}" for number in range(7)]


def revisions(store: Store, since: int, *, until: int | None = None) -> list[int]:
    return [row.application.revision for row in store.changes.applications_since(since, until=until)]


@pytest.mark.parametrize("size", [1, 3, 7, 250])
def test_every_size_of_slice_gives_the_same(store: Store, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(change_feed, "SLICE", size)
    ids = apply(store, store.jobs.add(JOB), *TEXTS)
    assert [row.application.id for row in store.changes.applications_since(0)] == ids
    assert revisions(store, 2, until=5) == [3, 4, 5]
    assert revisions(store, 7) == []


def test_a_change_moves_an_application_to_the_end(store: Store) -> None:
    ids = apply(store, store.jobs.add(JOB), *TEXTS[:3])
    store.decisions.decide([ids[0]], "screen", actor="ann")
    assert [(row.application.id, row.application.status) for row in store.changes.applications_since(1)] == [
        (ids[1], "new"),
        (ids[2], "new"),
        (ids[0], "screened"),
    ]
    assert store.changes.revision() == 4


def test_what_changes_while_followed_comes_next_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(change_feed, "SLICE", 1)
    ids = apply(store, store.jobs.add(JOB), *TEXTS[:3])
    rows = store.changes.applications_since(0)
    assert next(rows).application.id == ids[0]
    store.decisions.decide([ids[1]], "screen", actor="ann")
    assert [row.application.id for row in rows] == [ids[2]]
    assert [row.application.id for row in store.changes.applications_since(3)] == [ids[1]]


def test_removed_applications_are_told(store: Store) -> None:
    ids = apply(store, store.jobs.add(JOB), *TEXTS[:3])
    store.erasures.remove_application(ids[1])
    store.erasures.remove_application(ids[0])
    assert list(store.changes.removed_since(0)) == [ids[1], ids[0]]
    assert list(store.changes.removed_since(4)) == [ids[0]]
    assert list(store.changes.removed_since(3, until=4)) == [ids[1]]
    assert revisions(store, 0) == [3]


def test_reading_a_job_does_not_move_the_revision(store: Store) -> None:
    job = store.jobs.add(JOB)
    store.jobs.change(job, JOB)
    store.watchlist.add("no_hire", "Acme")
    assert store.changes.revision() == 0


def test_one_moment_whatever_others_write(store: Store) -> None:
    [id] = apply(store, store.jobs.add(JOB), TEXTS[0])
    with store.at_one_moment() as then:
        assert then.changes.revision() == 1
        store.decisions.decide([id], "screen", actor="ann")
        assert (store.changes.revision(), store.applications.get(id).status) == (2, "screened")
        assert (then.changes.revision(), then.applications.get(id).status) == (1, "new")
    with store.at_one_moment() as now:
        assert now.applications.get(id).status == "screened"
