"""Decisions made at the desk: on one or some candidates of a job, by a person, with a reason, and undone again.

Nothing here decides by itself. Whoever asks names the applications, and who asked is on record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evenhand.errors import NotFound, UsageError
from evenhand.store import Application, Outcome, Skipped, Store
from evenhand.store.batches import Batch
from evenhand.store.statuses import steps
from evenhand.workflows.service import Service

REASON_LENGTH = 1_000
MOST_AT_ONCE = 500  # chosen by hand; more are the rest of a list
OFFERED_REASONS = 6


@dataclass(frozen=True, slots=True)
class Decider:
    """Who decides about which job, and the event of the ranking that she had before her."""

    user: str
    job: str
    seen: int | None = None


def decide(
    service: Service, by: Decider, ids: Sequence[str], action: str, *, reason: str = "", bulk: bool = False
) -> Outcome:
    """Several at once: who cannot be moved is skipped and told. One alone that cannot be raises UsageError."""
    chosen = _chosen(service.store, by.job, ids)
    reason = checked_reason(reason, action)
    movable = {each.id: _obstacle(each, action) for each in chosen}
    stuck = tuple(Skipped(id, why) for id, why in movable.items() if why)
    if len(chosen) == 1 and stuck:
        raise UsageError(stuck[0].reason)
    outcome = service.store.decide(
        [id for id, why in movable.items() if not why],
        action,
        actor=by.user,
        reason=reason,
        seen=seen_by(service.store, by),
        bulk=bulk,
    )
    service.follow()
    return Outcome(outcome.batch, outcome.changed, (*stuck, *outcome.skipped))


def undo(service: Service, by: Decider, batch: str | None = None) -> Outcome:
    """A decision on this job's applications; without its id the newest one that the same person made."""
    if batch is None:
        batch = next((each.id for each in own_batches(service.store, by)), None)
        if batch is None:
            raise UsageError("There is no decision of yours on this job that could be undone.")
    elif not service.store.is_of_job(batch, by.job):
        raise NotFound("There is no such decision on this job.")
    outcome = service.store.undo(batch, actor=by.user, seen=seen_by(service.store, by))
    service.follow()
    return outcome


def own_batches(store: Store, by: Decider) -> list[Batch]:
    """What the same person decided lately and has not undone, the newest first."""
    return [each for each in store.recent_batches(by.job) if each.actor == by.user and each.standing]


def standing_bulk(batches: Iterable[Batch]) -> Batch | None:
    """Of a job's decisions the newest on many at once, as long as any of it stands: the page offers to undo it."""
    newest = next((each for each in batches if each.bulk), None)
    return newest if newest and newest.standing else None


def used_reasons(batches: Iterable[Batch], user: str) -> list[str]:
    """Reasons a person gave for rejecting somebody for the job, those given most often first.

    Nobody else's: they may speak of a candidate whom this person sees masked.
    """
    given = Counter(
        each.reason for each in batches if each.actor == user and each.action == "reject" and each.reason
    )
    return [reason for reason, _ in given.most_common(OFFERED_REASONS)]


def checked_reason(reason: str, action: str) -> str:
    reason = " ".join(reason.split())
    if action == "reject" and not reason:
        raise UsageError("A rejection needs a reason.")
    if len(reason) > REASON_LENGTH:
        raise UsageError(f"A reason has at most {REASON_LENGTH:,} characters.")
    return reason


def seen_by(store: Store, by: Decider) -> int | None:
    """The ranking that was looked at, if there is such an event of this job: a page cannot claim another."""
    if by.seen is None:
        return None
    try:
        event = store.event(by.seen)
    except NotFound:
        return None
    return by.seen if event.kind == "ranking" and event.job == by.job else None


def _chosen(store: Store, job: str, ids: Sequence[str]) -> list[Application]:
    """Another job's applications do not exist here, whoever may see them."""
    unique = list(dict.fromkeys(ids))
    if not unique:
        raise UsageError("Nobody is selected.")
    if len(unique) > MOST_AT_ONCE:
        raise UsageError(f"At most {MOST_AT_ONCE} candidates can be selected at once.")
    found = store.applications(unique)
    if any(each.job != job for each in found):
        raise NotFound("There is no such application for this job.")
    return found


def _obstacle(application: Application, action: str) -> str | None:
    """Why this cannot be done to it; being there already is no obstacle."""
    try:
        steps(application.status, action)
    except UsageError as error:
        return str(error)
    return None
