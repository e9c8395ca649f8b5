"""Statuses change along the allowed ways only; every change is on record and can be undone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from evenhand.errors import NotFound, UsageError
from evenhand.records.event import EventDraft
from evenhand.store.applications import ACTIONS, STATUS_NAMES, steps
from evenhand.store.decisions import Decision, SkippedApplication
from evenhand.store.store import Store
from tests.store.resumes import JOB, apply

TEXTS = [f"Java {number}" for number in range(6)]


def statuses(store: Store, ids: list[str]) -> list[str]:
    return [application.status for application in store.applications.get_many(ids)]


def history(store: Store, id: str) -> list[tuple[str, str, str]]:
    return [(one.action, one.from_status, one.to_status) for one in store.decisions.of_application(id)]


ALLOWED = {
    ("new", "screen"),
    ("new", "shortlist"),  # through screened
    ("new", "reject"),
    ("screened", "shortlist"),
    ("screened", "reject"),
    ("shortlisted", "offer"),
    ("shortlisted", "reject"),
}


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("status", STATUS_NAMES)
def test_every_way_is_allowed_or_refused(status: str, action: str) -> None:
    if (status, action) in ALLOWED:
        taken = steps(status, action)
        assert (taken[0][1], taken[-1][2]) == (status, ACTIONS[action])
    elif ACTIONS[action] == status:
        assert steps(status, action) == ()
    else:
        sentence = f"that is {STATUS_NAMES[status]} cannot become {STATUS_NAMES[ACTIONS[action]]}"
        with pytest.raises(UsageError, match=sentence):
            steps(status, action)


def test_the_whole_way_is_on_record(store: Store) -> None:
    job = store.jobs.add(JOB)  # 00:01, and the application at 00:02
    [id] = apply(store, job, "Java and more")
    screened = store.decisions.decide([id], "screen", actor="ann")
    shortlisted = store.decisions.decide([id], "shortlist", actor="bob", reason="Ten years of it.")
    offered = store.decisions.decide([id], "offer", actor="ann", reason="Good talk.")
    assert statuses(store, [id]) == ["offered"]

    def made(number: int, batch: str, action: str, ways: tuple[str, str], who: tuple[str, str]) -> Decision:
        time = datetime(2030, 1, 1, 0, 2 + number, tzinfo=UTC)
        return Decision(number, id, action, *ways, *who, batch, time, None)

    assert store.decisions.of_application(id) == [
        made(1, screened.batch, "screen", ("new", "screened"), ("ann", "")),
        made(2, shortlisted.batch, "shortlist", ("screened", "shortlisted"), ("bob", "Ten years of it.")),
        made(3, offered.batch, "offer", ("shortlisted", "offered"), ("ann", "Good talk.")),
    ]
    assert store.applications.get(id).revision == 4


def test_rejecting_a_new_application_screens_it_on_the_way(store: Store) -> None:
    [id] = apply(store, store.jobs.add(JOB), "Java and more")
    outcome = store.decisions.decide([id], "reject", actor="ann")
    assert outcome.changed == (id,)
    assert history(store, id) == [("screen", "new", "screened"), ("reject", "screened", "rejected")]


def test_one_wrong_way_and_nothing_changes(store: Store) -> None:
    ids = apply(store, store.jobs.add(JOB), *TEXTS[:2])
    store.decisions.decide([ids[0]], "shortlist", actor="ann")
    before = store.changes.revision()
    with pytest.raises(UsageError, match="that is New cannot become Offered"):
        store.decisions.decide(ids, "offer", actor="ann")
    assert statuses(store, ids) == ["shortlisted", "new"]
    assert store.changes.revision() == before


def test_who_is_there_already_is_skipped(store: Store) -> None:
    ids = apply(store, store.jobs.add(JOB), *TEXTS[:2])
    store.decisions.decide([ids[0]], "screen", actor="ann")
    outcome = store.decisions.decide(ids, "screen", actor="ann")
    assert outcome.changed == (ids[1],)
    assert outcome.skipped == (SkippedApplication(ids[0], "The application is Screened already."),)


def test_rejecting_the_rest_changes_exactly_list_minus_shortlist(store: Store) -> None:
    job = store.jobs.add(JOB)
    ids = apply(store, job, *TEXTS)
    listed, unlisted = ids[:5], ids[5]
    store.decisions.decide([ids[1]], "screen", actor="ann")
    store.decisions.decide([ids[0], ids[3]], "shortlist", actor="ann")
    before = statuses(store, ids)
    assert before == ["shortlisted", "screened", "new", "shortlisted", "new", "new"]
    shortlist = [ids[0]]
    outcome = store.decisions.reject_rest(job, listed, shortlist, actor="bob", reason="Enough found.")
    assert set(outcome.changed) == set(listed) - set(shortlist)
    assert statuses(store, ids) == ["shortlisted", *["rejected"] * 4, "new"]
    record = store.decisions.batch(outcome.batch)
    assert {one.application for one in record} == set(outcome.changed)
    assert {(one.actor, one.reason) for one in record} == {("bob", "Enough found.")}

    undone = store.decisions.undo(outcome.batch, actor="cleo", reason="Wrong list.")
    assert statuses(store, ids) == before
    assert set(undone.changed) == set(outcome.changed)
    back = store.decisions.batch(undone.batch)
    assert {(one.action, one.actor, one.reason) for one in back} == {("undo", "cleo", "Wrong list.")}
    marks = {one.application: one.id for one in back}
    assert all(one.undone_by == marks[one.application] for one in store.decisions.batch(outcome.batch))
    assert history(store, unlisted) == []
    assert history(store, ids[2]) == [
        ("screen", "new", "screened"),
        ("reject", "screened", "rejected"),
        ("undo", "rejected", "new"),
    ]


def test_the_offered_and_the_rejected_are_left_and_named(store: Store) -> None:
    job = store.jobs.add(JOB)
    ids = apply(store, job, *TEXTS[:3])
    store.decisions.decide([ids[0]], "shortlist", actor="ann")
    store.decisions.decide([ids[0]], "offer", actor="ann")
    store.decisions.decide([ids[1]], "reject", actor="ann")
    left = (
        SkippedApplication(ids[0], "An application that is Offered cannot become Rejected."),
        SkippedApplication(ids[1], "The application is Rejected already."),
    )
    outcome = store.decisions.reject_rest(job, ids, [], actor="ann", reason="Filled.")
    assert (outcome.changed, outcome.skipped) == ((ids[2],), left)
    store.decisions.undo(outcome.batch, actor="ann")
    assert statuses(store, ids) == ["offered", "rejected", "new"]


def test_undo_leaves_what_changed_since_and_says_so(store: Store) -> None:
    ids = apply(store, store.jobs.add(JOB), *TEXTS[:3])
    outcome = store.decisions.decide(ids, "shortlist", actor="ann")
    store.decisions.decide([ids[1]], "offer", actor="bob")
    store.erasures.remove_application(ids[2])
    undone = store.decisions.undo(outcome.batch, actor="ann")
    assert undone.changed == (ids[0],)
    assert undone.skipped == (
        SkippedApplication(ids[1], "The application has changed since: it is Offered."),
        SkippedApplication(ids[2], "The application has been removed."),
    )
    assert statuses(store, ids[:2]) == ["new", "offered"]


def test_undo_after_a_later_decision_was_undone(store: Store) -> None:
    [id] = apply(store, store.jobs.add(JOB), "Java and more")
    first = store.decisions.decide([id], "shortlist", actor="ann")
    second = store.decisions.decide([id], "reject", actor="ann")
    store.decisions.undo(second.batch, actor="ann")
    assert statuses(store, [id]) == ["shortlisted"]
    assert store.decisions.undo(first.batch, actor="ann").changed == (id,)
    assert statuses(store, [id]) == ["new"]


def test_what_was_done_again_is_not_undone_by_the_old_undo(store: Store) -> None:
    [id] = apply(store, store.jobs.add(JOB), "Java and more")
    first = store.decisions.decide([id], "reject", actor="ann")
    store.decisions.undo(first.batch, actor="ann")
    store.decisions.decide([id], "reject", actor="bob")
    again = store.decisions.undo(first.batch, actor="ann")
    assert again.skipped == (SkippedApplication(id, "This decision has been undone already."),)
    assert statuses(store, [id]) == ["rejected"]


def test_undoing_an_undo_is_refused(store: Store) -> None:
    [id] = apply(store, store.jobs.add(JOB), "Java and more")
    undone = store.decisions.undo(store.decisions.decide([id], "reject", actor="ann").batch, actor="ann")
    with pytest.raises(UsageError, match="can be redone"):
        store.decisions.undo(undone.batch, actor="ann")


def test_redoing_decides_again_for_the_same_reason_and_refers_to_it(store: Store) -> None:
    job = store.jobs.add(JOB)
    ids = apply(store, job, *TEXTS[:4])
    made = store.decisions.reject_rest(job, ids, [ids[0]], actor="ann", reason="Filled.")
    undone = store.decisions.undo(made.batch, actor="ann")
    assert (undone.action, statuses(store, ids)) == ("reject", ["new"] * 4)
    store.decisions.decide([ids[3]], "shortlist", actor="bob")
    [recent] = store.decisions.recent_batches(job, undos=True)
    assert (recent.id, recent.standing) == (undone.batch, 2)
    again = store.decisions.redo(undone.batch, actor="bob")
    assert (again.action, again.changed) == ("reject", (ids[1], ids[2]))
    left = SkippedApplication(ids[3], "The application has changed since: it is Shortlisted for Interview.")
    assert again.skipped == (left,)
    assert statuses(store, ids) == ["new", "rejected", "rejected", "shortlisted"]
    last = store.decisions.of_application(ids[1])[-1]
    assert (last.actor, last.reason, last.bulk, last.action) == ("bob", "Filled.", True, "reject")
    event = store.ledger.get(last.sequence or 0)
    assert (event.kind, event.body["redoes"], event.body["unopened"]) == ("decision", made.batch, 2)
    assert store.decisions.recent_batches(job, undos=True)[0].standing == 0
    assert store.decisions.redo(undone.batch, actor="bob").changed == ()
    assert store.decisions.undo(again.batch, actor="bob").changed == (ids[1], ids[2])
    with pytest.raises(UsageError, match="undid nothing"):
        store.decisions.redo(again.batch, actor="bob")


@pytest.mark.parametrize(
    ("kind", "what", "is_opened"),
    [
        ("view", "candidate", True),
        ("export", "original file", True),
        ("view", "notes", False),
        ("export", "csv", False),
    ],
)
def test_who_was_rejected_unopened_is_counted_by_job(store: Store, kind: str, what: str, is_opened: bool) -> None:
    job, other = store.jobs.add(JOB), store.jobs.add(JOB)
    a, b, c = apply(store, job, *TEXTS[:3])
    [elsewhere] = apply(store, other, "Java a")
    seen = EventDraft(kind, "ann", job, subjects=(a,), body={"what": what, "count": 1})
    store.ledger.append([seen])
    assert store.decisions.unopened([a, b]) == ({b} if is_opened else {a, b})
    made = store.decisions.decide([a, b], "reject", actor="ann", reason="No.")
    assert store.ledger.events(kinds=["decision"])[-1].body["unopened"] == (1 if is_opened else 2)
    store.decisions.decide([elsewhere], "shortlist", actor="ann")
    store.decisions.undo(store.decisions.decide([c], "reject", actor="ann", reason="No.").batch, actor="ann")
    store.ledger.append([EventDraft("view", "di", job, subjects=(b,), body={"what": "candidate"})])  # too late
    assert store.decisions.rejected_unopened() == {job: (2, 1 if is_opened else 2)}
    store.decisions.undo(made.batch, actor="ann")
    assert store.decisions.rejected_unopened() == {}


def test_wrong_requests_are_refused_in_words(store: Store) -> None:
    here, there = store.jobs.add(JOB), store.jobs.add(JOB)
    [id] = apply(store, here, "Java and more")
    with pytest.raises(UsageError, match="no action 'hire'; the actions are screen, shortlist, reject, offer"):
        store.decisions.decide([id], "hire", actor="ann")
    with pytest.raises(UsageError, match="needs someone"):
        store.decisions.decide([id], "reject", actor=" ")
    with pytest.raises(NotFound, match="no application 'x'"):
        store.decisions.decide(["x"], "reject", actor="ann")
    with pytest.raises(UsageError, match="needs a reason"):
        store.decisions.reject_rest(here, [id], [], actor="ann", reason=" ")
    with pytest.raises(UsageError, match="is not for the job"):
        store.decisions.reject_rest(there, [id], [], actor="ann", reason="Filled.")
    with pytest.raises(NotFound, match="no job"):
        store.decisions.reject_rest("x", [], [], actor="ann", reason="Filled.")
    with pytest.raises(NotFound, match="no batch"):
        store.decisions.undo("x", actor="ann")
    assert statuses(store, [id]) == ["new"]


def test_histories_of_many(store: Store) -> None:
    job = store.jobs.add(JOB)
    ids = apply(store, job, "Java one", "Java two", "Java three")
    store.decisions.decide(ids[:2], "shortlist", actor="ann")
    store.decisions.decide(ids[:1], "reject", actor="ben")
    found = store.decisions.histories(ids)
    assert found == {id: store.decisions.of_application(id) for id in ids[:2]}
    assert [decision.action for decision in found[ids[0]]] == ["screen", "shortlist", "reject"]


def test_decisions_that_stand_and_those_of_a_list(store: Store) -> None:
    job, other = store.jobs.add(JOB), store.jobs.add(JOB)
    a, b, c, d = apply(store, job, "Java a", "Java b", "Java c", "Java d")
    [elsewhere] = apply(store, other, "Java a")
    store.decisions.decide([a, elsewhere], "shortlist", actor="ann")
    undone = store.decisions.decide([b], "reject", actor="ann", reason="no Java")
    store.decisions.undo(undone.batch, actor="ann")
    listed = store.decisions.reject_rest(job, [a, c, d], [a], actor="ann", reason="position filled")
    assert [(each.application, each.action, each.bulk) for each in store.decisions.current(job)] == [
        (a, "screen", False),
        (a, "shortlist", False),
    ]
    assert store.decisions.count_bulk(job) == 2
    assert [each.bulk for each in store.decisions.of_application(c)] == [True, True]
    store.decisions.undo(listed.batch, actor="bob")
    assert store.decisions.count_bulk(job) == store.decisions.count_bulk(other) == 0
