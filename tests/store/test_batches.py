"""Recent decisions of a job: newest first, of this job only, with what still stands of them."""

from __future__ import annotations

from evenhand.store.store import Store
from tests.store.resumes import JOB, apply

TEXTS = [f"Java {number}" for number in range(5)]


def test_recent_decisions_and_what_stands_of_them(store: Store) -> None:
    job, other = store.jobs.add(JOB), store.jobs.add(JOB)
    ids = apply(store, job, *TEXTS)
    [elsewhere] = apply(store, other, "Java elsewhere")
    assert store.decisions.recent_batches(job) == []
    first = store.decisions.decide([ids[0]], "shortlist", actor="ann", reason="Strong.")
    store.decisions.decide([elsewhere], "reject", actor="bob", reason="No.")
    rest = store.decisions.reject_rest(job, ids, [ids[0]], actor="ann", reason="Filled.")
    many = store.decisions.decide([ids[0]], "offer", actor="bob", bulk=True)
    found = store.decisions.recent_batches(job)
    assert [(each.id, each.action, each.actor, each.reason, each.bulk, each.standing) for each in found] == [
        (many.batch, "offer", "bob", "", True, 1),
        (rest.batch, "reject", "ann", "Filled.", True, 4),
        (first.batch, "shortlist", "ann", "Strong.", False, 1),
    ]
    assert [each.time for each in found] == sorted((each.time for each in found), reverse=True)
    assert [each.id for each in store.decisions.recent_batches(job, limit=2)] == [many.batch, rest.batch]

    store.decisions.undo(rest.batch, actor="ann")
    assert {each.id: each.standing for each in store.decisions.recent_batches(job)} == {
        many.batch: 1,
        rest.batch: 0,
        first.batch: 1,
    }


def test_a_batch_is_of_its_job_only(store: Store) -> None:
    job, other = store.jobs.add(JOB), store.jobs.add(JOB)
    [id] = apply(store, job, "Java here")
    [elsewhere] = apply(store, other, "Java elsewhere")
    made = store.decisions.decide([id], "screen", actor="ann")
    both = store.decisions.decide([id, elsewhere], "shortlist", actor="ann")
    assert store.decisions.batch_is_of_job(made.batch, job)
    assert not store.decisions.batch_is_of_job(made.batch, other)
    assert not store.decisions.batch_is_of_job(both.batch, job)
    assert not store.decisions.batch_is_of_job("nothing", job)
