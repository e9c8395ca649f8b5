"""Audits in the store, on both databases: asked for, claimed once, kept, due by schedule, and rid of who is erased."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from evenhand.errors import NotFound, UsageError
from evenhand.records.canonical import content_hash
from evenhand.store.audits import DONE, FAILED, RUNNING, WAITING, first_due, next_due
from evenhand.store.store import Store
from tests.store.resumes import JOB, apply

REQUEST = {"kinds": ["swaps"], "job": None}


class SetClock:
    """Says what it was told to."""

    def __init__(self) -> None:
        self.now = datetime(2030, 1, 31, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def store(database_url: str, tmp_path: Path, clock: SetClock) -> Iterator[Store]:
    with Store.open(database_url, files=tmp_path / "files", clock=clock) as opened:
        yield opened


@pytest.fixture
def job(store: Store) -> str:
    return store.add_job(JOB)


def report(*severities: str, quoted: str = "") -> dict[str, Any]:
    findings = [{"code": f"code.{at}", "severity": each} for at, each in enumerate(severities)]
    stretch = {"text": quoted, "marks": [[0, 3]]}
    pair = {"type": "pair", "title": "t", "left": stretch, "right": stretch}
    return {"findings": findings, "worst": severities[0], "sections": [{"blocks": [pair, quoted]}]}


def test_one_is_worked_on_at_a_time_and_a_silent_one_is_taken_over(store: Store, job: str, clock: SetClock) -> None:
    first = store.ask_audit("swaps", job=job, request=REQUEST, actor="ann")
    clock.now += timedelta(seconds=1)
    second = store.ask_audit("outcomes", job=job, request=REQUEST, actor="ann")
    claimed = store.claim_audit()
    assert claimed is not None
    assert (claimed.id, claimed.state) == (first, RUNNING)
    assert store.claim_audit() is None
    clock.now += timedelta(seconds=80)
    assert store.tell_audit(first, done=3, total=9, doing="Ranking")
    clock.now += timedelta(seconds=80)
    assert store.claim_audit() is None  # it has been heard of
    assert (store.audit(first).done, store.audit(first).total) == (3, 9)
    clock.now += timedelta(seconds=20)
    again = store.claim_audit()
    assert again is not None
    assert again.id == first
    store.finish_audit(first, report("clear"))
    following = store.claim_audit()
    assert following is not None
    assert following.id == second
    assert not store.tell_audit(first, done=1, total=1, doing="")  # no longer anybody's


def test_it_is_given_up_after_three_silences(store: Store, job: str, clock: SetClock) -> None:
    id = store.ask_audit("swaps", job=job, request=REQUEST, actor="ann")
    for _ in range(3):
        assert store.claim_audit() is not None
        clock.now += timedelta(minutes=2)
    assert store.claim_audit() is None
    assert store.audit(id).state == FAILED
    assert "3 times" in (store.audit(id).message or "")


def test_a_stop_is_not_held_against_it(store: Store, job: str) -> None:
    id = store.ask_audit("swaps", job=job, request=REQUEST, actor="ann")
    for _ in range(5):
        assert store.claim_audit() is not None
        store.release_audit(id)
    assert store.audit(id).state == WAITING


def test_a_report_is_kept_with_its_hash_in_the_ledger(store: Store, job: str, clock: SetClock) -> None:
    made = []
    for severity in ("clear", "concern"):
        clock.now += timedelta(minutes=1)
        id = store.ask_audit("swaps", job=job, request=REQUEST, actor="ann", running=True)
        made.append(store.finish_audit(id, report(severity)))
    first, second = made
    assert (first.previous, second.previous) == (None, first.id)
    assert (second.state, second.worst, second.findings) == (DONE, "concern", {"code.0": "concern"})
    assert store.audit_report(second.id) == report("concern")
    event = store.events(kinds=["audit"], newest_first=True, limit=1)[0]
    assert event.body["hash"] == second.hash == content_hash(report("concern"))
    assert (event.job, event.body["findings"]) == (job, {"concern": 1})
    found = store.previous_audit("swaps", job)
    assert found is not None
    assert found.id == second.id
    assert store.previous_audit("outcomes", job) is None
    assert [each.id for each in store.audits(job=job, states=[DONE])] == [second.id, first.id]


def test_what_is_not_there(store: Store) -> None:
    with pytest.raises(NotFound, match="no such audit"):
        store.audit("none")
    with pytest.raises(NotFound, match="no report"):
        store.audit_report("none")
    with pytest.raises(NotFound):
        store.ask_audit("swaps", job="none", request=REQUEST, actor="ann")
    with pytest.raises(UsageError, match="daily, weekly, monthly"):
        store.schedule_audit("hourly", job=None, request=REQUEST, actor="ann")


def test_dates_of_a_schedule() -> None:
    noon = datetime(2030, 1, 31, 12, tzinfo=UTC)
    assert first_due(noon) == datetime(2030, 2, 1, 2, tzinfo=UTC)
    assert first_due(noon.replace(hour=1)) == datetime(2030, 1, 31, 2, tzinfo=UTC)
    due = datetime(2030, 1, 31, 2, tzinfo=UTC)
    assert next_due(due, "daily", noon) == datetime(2030, 2, 1, 2, tzinfo=UTC)
    assert next_due(due, "weekly", noon) == datetime(2030, 2, 7, 2, tzinfo=UTC)
    assert next_due(due, "monthly", noon) == datetime(2030, 2, 28, 2, tzinfo=UTC)
    missed = datetime(2030, 12, 24, tzinfo=UTC)
    assert next_due(due, "monthly", missed) == datetime(2030, 12, 31, 2, tzinfo=UTC)


def test_a_date_is_queued_once_however_many_look(
    store: Store, job: str, clock: SetClock, database_url: str, tmp_path: Path
) -> None:
    """Two servers, each with a store of its own, ask at the same time, again and again."""
    schedule = store.schedule_audit("weekly", job=job, request=REQUEST, actor="ann")
    assert schedule.due == datetime(2030, 2, 1, 2, tzinfo=UTC)
    assert store.queue_due_audits() == []
    clock.now = schedule.due + timedelta(days=20)  # three dates have passed without a server
    with (
        Store.open(database_url, files=tmp_path / "files", clock=clock) as other,
        ThreadPoolExecutor(4) as pool,
    ):
        asked = [pool.submit(each.queue_due_audits) for each in (store, other) * 4]
        queued = [id for each in asked for id in each.result()]
    assert len(queued) == 1
    audit = store.audit(queued[0])
    assert (audit.due, audit.job, audit.request["job"]) == (schedule.due, job, job)
    [moved] = store.audit_schedules()
    assert moved.due == datetime(2030, 2, 22, 2, tzinfo=UTC)


def test_a_schedule_of_the_last_of_the_month_stays_one(store: Store, job: str, clock: SetClock) -> None:
    clock.now = datetime(2030, 1, 30, 12, tzinfo=UTC)
    assert store.schedule_audit("monthly", job=job, request=REQUEST, actor="ann").due.day == 31
    seen = []
    for _ in range(3):
        clock.now = store.audit_schedules()[0].due
        assert len(store.queue_due_audits()) == 1
        seen.append(store.audit_schedules()[0].due)
    assert [(each.month, each.day) for each in seen] == [(2, 28), (3, 31), (4, 30)]


def test_every_open_job_with_applicants_and_off_again(store: Store, job: str, clock: SetClock) -> None:
    store.add_job(JOB)  # nobody has applied to it
    closed = store.add_job(JOB)
    apply(store, job, "Java is what I know.")
    apply(store, closed, "Java is all that I know.")
    store.close_job(closed)
    store.schedule_audit("daily", job=None, request=REQUEST, actor="ann")
    clock.now += timedelta(days=1)
    assert [store.audit(id).job for id in store.queue_due_audits()] == [job]
    assert store.unschedule_audit(None, actor="ann")
    assert not store.unschedule_audit(None, actor="ann")
    clock.now += timedelta(days=9)
    assert store.queue_due_audits() == []


def test_who_is_erased_is_quoted_nowhere(store: Store, job: str) -> None:
    [one] = apply(store, job, "Java is what I know. Zebrafinch.")
    document = store.application(one).document
    quoted = f"Ada ({one}, {document}) knows Adabas. Java is what I know. Zebrafinch."
    id = store.ask_audit("swaps", job=job, request=REQUEST, actor="ann", running=True)
    before = store.finish_audit(id, report("clear", quoted=quoted))
    assert store.held([one])[0].counts["audit reports"] == 1
    store.begin_erasure([one], actor="ann", certificate={})
    blocks = store.audit_report(id)["sections"][0]["blocks"]
    assert blocks[0]["left"] == blocks[0]["right"] == {"text": "(erased)", "marks": []}
    assert one not in blocks[1]
    assert document not in blocks[1]
    assert "Adabas" in blocks[1]  # a word that only begins like a name
    after = store.audit(id)
    assert (before.scrubbed, after.hash) == (None, before.hash)
    assert after.scrubbed is not None
