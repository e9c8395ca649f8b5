"""The notices log, which is the ledger's: what applicants were told about automated tools, when, how and by whom."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from evenhand.errors import UsageError
from evenhand.records.conversion import to_json
from evenhand.records.event import EventDraft, LedgerEvent
from evenhand.store.store import Store

MAX_NOTICE_LENGTH = 20_000
MAX_CHANNEL_LENGTH = 80


@dataclass(frozen=True, slots=True)
class Notice:
    sequence: int  # of its event in the ledger
    job: str | None  # None: for all jobs
    text: str
    sha256: str
    channel: str  # job advertisement, careers page, e-mail, letter, ...
    given: str  # the day on which applicants were told
    recorded: datetime
    actor: str  # a seal

    def to_json(self) -> dict[str, Any]:
        return {**to_json(self), "recorded": self.recorded.isoformat()}


def give_notice(store: Store, text: str, *, job: str | None, channel: str, given: str | None, actor: str) -> Notice:
    """On record for good: it cannot be changed, only followed by another."""
    text, channel = text.strip(), " ".join(channel.split())
    if not text or len(text) > MAX_NOTICE_LENGTH:
        raise UsageError(f"A notice has 1 to {MAX_NOTICE_LENGTH:,} characters.")
    if not channel or len(channel) > MAX_CHANNEL_LENGTH:
        raise UsageError("Say how applicants were told, in a few words: job advertisement, e-mail, ...")
    if job is not None:
        store.jobs.get(job)
    try:
        day = date.today() if given is None else date.fromisoformat(given)
    except ValueError:
        raise UsageError(f"{given!r} is no day; write it as 2026-11-17.") from None
    body = {
        "channel": channel,
        "given": day.isoformat(),
        "sha256": hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        "text": text,
    }
    [event] = store.ledger.append([EventDraft("notice", actor, job=job, body=body)])
    return _notice(event)


def notices(store: Store, job: str | None = None) -> list[Notice]:
    """The oldest first; of a job, with those that were given for all jobs."""
    events = store.ledger.walk(kinds=["notice"])
    return [_notice(event) for event in events if job is None or event.job in (None, job)]


def _notice(event: LedgerEvent) -> Notice:
    body = event.body
    texts = (body["text"], body["sha256"], body["channel"], body["given"])
    return Notice(event.sequence, event.job, *texts, event.moment, event.actor)
