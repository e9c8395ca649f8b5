"""Audits in the store, on both databases: asked for, claimed once, kept, due by schedule, and rid of who is erased."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from evenhand.errors import NotFound, UsageError
from evenhand.records.conversion import content_hash
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
    return store.jobs.add(JOB)


def report(*severities: str, quoted: str = "") -> dict[str, Any]:
    findings = [{"code": f"code.{at}", "severity": each} for at, each in enumerate(severities)]
    stretch = {"text": quoted, "marks": [[0, 3]]}
    pair = {"type": "pair", "title": "t", "left": stretch, "right": stretch}
    return {"findings": findings, "worst": severities[0], "sections": [{"blocks": [pair, quoted]}]}


def test_one_is_worked_on_at_a_time_and_a_silent_one_is_taken_over(store: Store, job: str, clock: SetClock) -> None:
    first = store.audits.request("swaps", job=job, request=REQUEST, actor="ann")
    clock.now += timedelta(seconds=1)
    second = store.audits.request("outcomes", job=job, request=REQUEST, actor="ann")
    claimed = store.audits.claim()
    assert claimed is not None
    assert (claimed.id, claimed.state) == (first, RUNNING)
    assert store.audits.claim() is None
    clock.now += timedelta(seconds=80)
    assert store.audits.report_progress(first, done=3, total=9, doing="Ranking")
    clock.now += timedelta(seconds=80)
    assert store.audits.claim() is None  # it has been heard of
    assert (store.audits.get(first).done, store.audits.get(first).total) == (3, 9)
    clock.now += timedelta(seconds=20)
    again = store.audits.claim()
    assert again is not None
    assert again.id == first
    store.audits.finish(first, report("clear"))
    following = store.audits.claim()
    assert following is not None
    assert following.id == second
    assert not store.audits.report_progress(first, done=1, total=1, doing="")  # no longer anybody's


def test_it_is_given_up_after_three_silences(store: Store, job: str, clock: SetClock) -> None:
    id = store.audits.request("swaps", job=job, request=REQUEST, actor="ann")
    for _ in range(3):
        assert store.audits.claim() is not None
        clock.now += timedelta(minutes=2)
    assert store.audits.claim() is None
    assert store.audits.get(id).state == FAILED
    assert "3 times" in (store.audits.get(id).message or "")


def test_a_stop_is_not_held_against_it(store: Store, job: str) -> None:
    id = store.audits.request("swaps", job=job, request=REQUEST, actor="ann")
    for _ in range(5):
        assert store.audits.claim() is not None
        store.audits.release(id)
    assert store.audits.get(id).state == WAITING


def test_a_report_is_kept_with_its_hash_in_the_ledger(store: Store, job: str, clock: SetClock) -> None:
    made = []
    for severity in ("clear", "concern"):
        clock.now += timedelta(minutes=1)
        id = store.audits.request("swaps", job=job, request=REQUEST, actor="ann", running=True)
        made.append(store.audits.finish(id, report(severity)))
    first, second = made
    assert (first.previous, second.previous) == (None, first.id)
    assert (second.state, second.worst, second.findings) == (DONE, "concern", {"code.0": "concern"})
    assert store.audits.report(second.id) == report("concern")
    event = store.ledger.events(kinds=["audit"], newest_first=True, limit=1)[0]
    assert event.body["hash"] == second.hash == content_hash(report("concern"))
    assert (event.job, event.body["findings"]) == (job, {"concern": 1})
    found = store.audits.previous("swaps", job)
    assert found is not None
    assert found.id == second.id
    assert store.audits.previous("outcomes", job) is None
    assert [each.id for each in store.audits.all(job=job, states=[DONE])] == [second.id, first.id]


def test_what_is_not_there(store: Store) -> None:
    with pytest.raises(NotFound, match="no such audit"):
        store.audits.get("none")
    with pytest.raises(NotFound, match="no report"):
        store.audits.report("none")
    with pytest.raises(NotFound):
        store.audits.request("swaps", job="none", request=REQUEST, actor="ann")
    with pytest.raises(UsageError, match="daily, weekly, monthly"):
        store.audits.schedule("hourly", job=None, request=REQUEST, actor="ann")


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
    schedule = store.audits.schedule("weekly", job=job, request=REQUEST, actor="ann")
    assert schedule.due == datetime(2030, 2, 1, 2, tzinfo=UTC)
    assert store.audits.queue_due() == []
    clock.now = schedule.due + timedelta(days=20)  # three dates have passed without a server
    with Store.open(database_url, files=tmp_path / "files", clock=clock) as other, ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(each.audits.queue_due) for each in (store, other) * 4]
        queued = [id for each in asked for id in each.result()]
    assert len(queued) == 1
    audit = store.audits.get(queued[0])
    assert (audit.due, audit.job, audit.request["job"]) == (schedule.due, job, job)
    [moved] = store.audits.schedules()
    assert moved.due == datetime(2030, 2, 22, 2, tzinfo=UTC)


def test_a_schedule_of_the_last_of_the_month_stays_one(store: Store, job: str, clock: SetClock) -> None:
    clock.now = datetime(2030, 1, 30, 12, tzinfo=UTC)
    assert store.audits.schedule("monthly", job=job, request=REQUEST, actor="ann").due.day == 31
    seen = []
    for _ in range(3):
        clock.now = store.audits.schedules()[0].due
        assert len(store.audits.queue_due()) == 1
        seen.append(store.audits.schedules()[0].due)
    assert [(each.month, each.day) for each in seen] == [(2, 28), (3, 31), (4, 30)]


def test_every_open_job_with_applicants_and_off_again(store: Store, job: str, clock: SetClock) -> None:
    store.jobs.add(JOB)  # nobody has applied to it
    closed = store.jobs.add(JOB)
    apply(store, job, "Java is what I know.")
    apply(store, closed, "Java is all that I know.")
    store.jobs.close(closed)
    store.audits.schedule("daily", job=None, request=REQUEST, actor="ann")
    clock.now += timedelta(days=1)
    assert [store.audits.get(id).job for id in store.audits.queue_due()] == [job]
    assert store.audits.unschedule(None, actor="ann")
    assert not store.audits.unschedule(None, actor="ann")
    clock.now += timedelta(days=9)
    assert store.audits.queue_due() == []


def test_who_is_erased_is_quoted_nowhere(store: Store, job: str) -> None:
    [one] = apply(store, job, "Java is what I know. Zebrafinch.")
    document = store.applications.get(one).document
    quoted = f"Ada ({one}, {document}) knows Adabas. Java is what I know. Zebrafinch."
    id = store.audits.request("swaps", job=job, request=REQUEST, actor="ann", running=True)
    before = store.audits.finish(id, report("clear", quoted=quoted))
    assert store.erasures.scope([one])[0].counts["audit reports"] == 1
    store.erasures.begin([one], actor="ann", certificate={})
    blocks = store.audits.report(id)["sections"][0]["blocks"]
    assert blocks[0]["left"] == blocks[0]["right"] == {"text": "(erased)", "marks": []}
    assert one not in blocks[1]
    assert document not in blocks[1]
    assert "Adabas" in blocks[1]  # a word that only begins like a name
    after = store.audits.get(id)
    assert (before.scrubbed, after.hash) == (None, before.hash)
    assert after.scrubbed is not None
