"""Many who record at once share a transaction, each gets her own events, and checkpoints come in time."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from evenhand.errors import StoreError, UsageError
from evenhand.ledger.checkpoints import make_checkpoint, read_checkpoints
from evenhand.ledger.recording import Recorder, denial_draft, export_drafts, receipt_draft, view_draft
from evenhand.ledger.verify import verify, verify_ledger
from evenhand.ledger.wording import describe
from evenhand.progress import ProgressBar, no_progress
from evenhand.records import Job
from evenhand.records.event import EventDraft, LedgerEvent
from evenhand.search.service import Service
from evenhand.settings import Settings
from evenhand.store.store import Store
from tests.screening.applicants import FIVE, take_in

CALLERS = 24


def body_of(number: int) -> EventDraft:
    return EventDraft("view", f"user{number % 5}", body={"what": f"page {number}"})


def test_callers_at_once_share_transactions_and_get_their_own_events(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = service.store.ledger.append, []
    started = threading.Barrier(CALLERS)

    def counted(drafts: Sequence[EventDraft]) -> list[LedgerEvent]:
        calls.append(len(drafts))
        return real(drafts)

    monkeypatch.setattr(service.store.ledger, "append", counted)
    recorder = Recorder(service.store, service.settings)

    def call(number: int) -> LedgerEvent:
        started.wait()
        first, second = recorder.record([body_of(number), body_of(number + 1000)])
        assert second.sequence == first.sequence + 1
        assert second.body["what"] == f"page {number + 1000}"
        return first

    with ThreadPoolExecutor(CALLERS) as threads:
        events = list(threads.map(call, range(CALLERS)))
    assert [event.body["what"] for event in events] == [f"page {number}" for number in range(CALLERS)]
    assert sum(calls) == 2 * CALLERS == service.store.ledger.count()
    assert len(calls) < CALLERS  # not one transaction each
    assert list(verify(service.store.ledger.chain(), tables=service.store.ledger)) == []


def test_what_cannot_be_recorded_does_not_take_others_with_it(service: Service) -> None:
    recorder = Recorder(service.store, service.settings)
    started = threading.Barrier(8)

    def call(number: int) -> str:
        started.wait()
        try:
            recorder.record([EventDraft("party") if number == 3 else body_of(number)])
        except UsageError as error:
            return str(error)
        return "recorded"

    with ThreadPoolExecutor(8) as threads:
        told = list(threads.map(call, range(8)))
    assert told == ["recorded" if number != 3 else "There is no kind of event 'party'." for number in range(8)]
    assert service.store.ledger.count() == 7
    assert recorder.record([]) == []


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_checkpoints_soon_after_decisions_and_late_after_the_rest(service: Service) -> None:
    store, settings, clock = service.store, service.settings, Clock()
    recorder = Recorder(store, settings, clock=clock)
    assert recorder.checkpoint() is None  # nothing has happened
    taken = take_in(service, *FIVE)
    first = recorder.checkpoint()
    assert first
    assert first.sequence == store.ledger.head()[0]

    def after(seconds: float) -> bool:
        clock.now += seconds
        return recorder.checkpoint() is not None

    store.ledger.append([body_of(1)])
    assert [after(0), after(30), after(29), after(1), after(0)] == [False, False, False, True, False]
    store.decisions.decide([taken.ids["Asha"]], "shortlist", actor="ann")
    assert [after(0.5), after(0.5), after(5)] == [False, True, False]
    store.erasures.remove_application(taken.ids["Asha"])
    assert after(1)
    assert len(list(read_checkpoints(settings.checkpoint_path))) == 4
    again = Recorder(store, settings, clock=clock)  # after a restart
    assert again.checkpoint() is None
    done = verify_ledger(store, settings)
    assert (done.sound, done.checkpoints, done.signed_until) == (True, 4, done.events)


def test_a_command_that_fails_is_not_run_without_a_break(service: Service, tmp_path: Path) -> None:
    told = tmp_path / "told"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ncat >> {told}\nexit 3\n")
    script.chmod(0o755)
    settings = Settings(
        data=service.settings.data,
        database=service.settings.database,
        checkpoint_file=str(tmp_path / "elsewhere" / "points.jsonl"),
        checkpoint_command=str(script),
    )
    clock = Clock()
    recorder = Recorder(service.store, settings, clock=clock)
    service.store.ledger.append([body_of(1)])
    with pytest.raises(StoreError, match="failed with 3"):
        recorder.checkpoint()
    assert recorder.checkpoint() is None
    assert told.read_text() == settings.checkpoint_path.read_text()
    assert verify_ledger(service.store, settings).signed_until == 1


def test_a_key_without_checkpoints_is_told(service: Service) -> None:
    store, settings = service.store, service.settings
    assert verify_ledger(store, settings).sound
    assert make_checkpoint(store, settings) is None
    store.jobs.add(Job("Text."))
    made = make_checkpoint(store, settings)
    assert made
    assert make_checkpoint(store, settings) is None
    settings.checkpoint_path.unlink()
    [finding] = verify_ledger(store, settings).findings
    assert finding.message == f"There is a key, but not one checkpoint in {settings.checkpoint_path}."
    own = settings.data_path / "copy.jsonl"
    own.write_text(made.line() + "\n")
    assert verify_ledger(store, settings, checkpoints=own, key=made.key).sound
    assert not verify_ledger(store, settings, checkpoints=own, key="ab" * 32).sound


def test_verifying_while_others_write(service: Service, database_url: str, tmp_path: Path) -> None:
    """What is written while the chain is gone through is no finding: all is looked at as of one moment."""
    taken = take_in(service, *FIVE)
    with Store.open(database_url, files=tmp_path / "files") as other:

        @contextmanager
        def decide_meanwhile(label: str, total: int) -> Iterator[ProgressBar]:
            other.decisions.decide([taken.ids["Clara"]], "shortlist", actor="bob", reason="late")
            with no_progress(label, total) as bar:
                yield bar

        done = verify_ledger(service.store, service.settings, progress=decide_meanwhile)
    assert done.findings == ()
    assert done.events + 1 == service.store.ledger.count()


def test_what_people_looked_at_and_took_away_in_words(service: Service) -> None:
    taken = take_in(service, *FIVE)
    ids = list(taken.ids.values())
    drafts = [
        view_draft("ann", taken.job, ids[0], what="candidate", seen=2),
        *export_drafts("ann", taken.job, ids, what="csv"),
        receipt_draft("ann", taken.job, ids[0], what="letter"),
        denial_draft("eve", what="job", status=404, path="/jobs/1"),
    ]
    events = service.store.ledger.append(drafts)
    assert [describe(event) for event in events] == [
        "candidate page opened",
        "5 applications exported as csv",
        "letter made for the applicant",
        "access denied (404): job",
    ]
    assert service.store.ledger.opening(events[-1].sequence) == {"path": "/jobs/1"}
    service.store.decisions.decide(ids[:2], "reject", actor="ann")
    service.store.watchlist.add("no_hire", "Acme")
    service.store.erasures.remove_application(ids[0])
    told = [describe(event) for event in service.store.ledger.events()]
    assert told[1:2] + told[-3:] == [
        "5 applications imported",  # the source is sealed
        "reject: 2 applications; 1 never opened",
        "put on no_hire",
        "1 application erased",
    ]
