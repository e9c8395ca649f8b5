"""The ledger for auditors and admins: what happened, an event by itself, whether the chain is whole, rankings again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse, Response, StreamingResponse

from evenhand.errors import EvenhandError, UsageError
from evenhand.ledger.checkpoints import last_checkpoint, public_key_of
from evenhand.ledger.replay import ReplayResult, replay
from evenhand.ledger.verify import LedgerVerification, verify_ledger
from evenhand.ledger.wording import lines, view_event
from evenhand.records.event import KINDS, LedgerEvent
from evenhand.search.visibility import CONTACT_ONLY, Visibility
from evenhand.web.access import Reviewer, Visit, visibility_of
from evenhand.web.background_work import NDJSON, progress_lines
from evenhand.web.context import Context
from evenhand.web.rendering import page, wants_json

router = APIRouter()
ADDRESS = "/ledger"
SHOWN = 50
MAX_APPLICANTS = 100
_working = Lock()
Sequence = Annotated[int, Query(ge=0, lt=2**62)]


@router.get(ADDRESS)
def show_ledger(visit: Reviewer, kind: str = "", job: str = "", before: Sequence = 0) -> Response:
    if kind and kind not in KINDS:
        raise UsageError("There is no such kind of event.")
    store, kinds = visit.store, [kind] if kind else None
    events = store.ledger.events(
        kinds=kinds, job=job or None, before=before or None, limit=SHOWN + 1, newest_first=True
    )
    older = {"kind": kind, "job": job, "before": events[SHOWN - 1].sequence} if len(events) > SHOWN else None
    return page(
        visit.request,
        "ledger/list.html",
        lines=lines(store, events[:SHOWN]),
        total=store.ledger.count(kinds=kinds, job=job or None),
        older=f"{ADDRESS}?{urlencode(older)}" if older else "",
        kinds=KINDS,
        kind=kind,
        jobs=store.jobs.all(closed=True),
        job=job,
        before=before,
    )


@router.get(f"{ADDRESS}/verify")
def show_verify(visit: Reviewer) -> Response:
    return _verify_page(visit, None)


@router.post(f"{ADDRESS}/verify", response_model=None)
def verify(visit: Reviewer) -> Response:
    """To our script line by line as it goes on; else when it is done."""
    if NDJSON in visit.request.headers.get("accept", ""):
        return StreamingResponse(_verification_lines(visit.context), media_type=NDJSON)
    with alone():
        done = verify_ledger(visit.store, visit.settings)
    return _verify_page(visit, done)


@router.get(ADDRESS + "/{sequence}")
def show_event(visit: Reviewer, sequence: int) -> Response:
    return _event_page(visit, sequence, None)


@router.post(ADDRESS + "/{sequence}/replay")
def replay_event(visit: Reviewer, sequence: int) -> Response:
    with alone():
        replayed = replay(visit.service, sequence)
    if wants_json(visit.request):
        return JSONResponse(replayed.to_json())
    return _event_page(visit, sequence, replayed)


@contextmanager
def alone() -> Iterator[None]:
    """Both kinds of checking take a processor for a while; two at a time would make the pages slow."""
    if not _working.acquire(blocking=False):
        raise UsageError("Somebody is verifying or replaying at this moment; try again when that is done.")
    try:
        yield
    finally:
        _working.release()


def visibility_for_event(visit: Visit, event: LedgerEvent) -> Visibility:
    return visibility_of(visit, event.job) if event.job else CONTACT_ONLY


def _verification_lines(context: Context) -> Iterator[str]:
    """An answer that has begun cannot become another one: what goes wrong is told in its last line."""
    try:
        with alone():
            yield from progress_lines(
                lambda progress: verify_ledger(context.store, context.settings, progress=progress),
                lambda verified: {"result": verified.to_json()},
            )
    except EvenhandError as error:
        yield json.dumps({"error": {"message": str(error)}}) + "\n"


def _verify_page(visit: Visit, done: LedgerVerification | None) -> Response:
    return page(
        visit.request,
        "ledger/verify.html",
        done=done,
        events=visit.store.ledger.count(),
        newest=last_checkpoint(visit.settings.checkpoint_path),
        elsewhere=visit.settings.keeps_checkpoints_elsewhere,
        key=public_key_of(visit.settings.signing_key_path),
    )


def _event_page(visit: Visit, sequence: int, replayed: ReplayResult | None) -> Response:
    event = visit.store.ledger.get(sequence)
    view = view_event(visit.store, event, visibility_for_event(visit, event))
    return page(
        visit.request,
        "ledger/event.html",
        shown=view,
        event=event,
        body=json.dumps(event.body, indent=2, ensure_ascii=False, sort_keys=True),
        opened={
            name: value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
            for name, value in view.opened.items()
        },
        most=MAX_APPLICANTS,
        replayed=replayed,
        newest=visit.store.ledger.head()[0],
    )
