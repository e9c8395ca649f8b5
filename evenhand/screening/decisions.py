"""Decisions on one or some candidates of a job, by a person, with a reason, and undone again.

Nothing here decides by itself. Whoever asks names the applications, and who asked is on record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hmac import compare_digest

from evenhand.errors import ConfirmationNeeded, Conflict, NotFound, UsageError
from evenhand.ledger.checkpoints import SigningKey
from evenhand.records import canonical_json, content_hash
from evenhand.screening.search_url import describe
from evenhand.search.criteria import Criteria
from evenhand.search.service import Service
from evenhand.search.visibility import OPEN, Visibility, pseudonym
from evenhand.store.applications import NEW, SCREENED, STATUS_NAMES, Application, steps
from evenhand.store.decisions import BatchOutcome, Decision, DecisionBatch, SkippedApplication
from evenhand.store.store import Store
from evenhand.text.wording import count, join_and, moment

REASON_LENGTH = 1_000
MAX_BULK = 500  # chosen by hand; more are the rest of a list
OFFERED_REASONS = 6
SOME_NAMES = 3  # more are told by their number


@dataclass(frozen=True, slots=True)
class Decider:
    """Who decides about which job (empty: any), and the event of the ranking that they had before them.

    What they decided after `since`, when they signed in, they undo without being asked; None: whenever it was.
    """

    user: str
    job: str
    seen: int | None = None
    since: datetime | None = None
    visibility: Visibility = OPEN


def decide(
    service: Service,
    by: Decider,
    ids: Sequence[str],
    action: str,
    *,
    reason: str = "",
    bulk: bool = False,
    shown: Mapping[str, str] | None = None,
) -> BatchOutcome:
    """Several at once: who cannot be moved is skipped and told. One alone that cannot be raises UsageError.

    `shown` has the statuses that the person saw: who has another one by now is skipped as well, and one alone raises
    Conflict.
    """
    chosen = _chosen(service.store, by.job, ids)
    reason = checked_reason(reason, action)
    stale = {one.id for one in chosen if (shown or {}).get(one.id, one.status) != one.status}
    movable = {one.id: _changed(one) if one.id in stale else _obstacle(one, action) for one in chosen}
    stuck = tuple(SkippedApplication(id, why) for id, why in movable.items() if why)
    if len(chosen) == 1 and stuck:
        raise (Conflict if stale else UsageError)(stuck[0].reason)
    outcome = service.store.decisions.decide(
        [id for id, why in movable.items() if not why],
        action,
        actor=by.user,
        reason=reason,
        seen=seen_by(service.store, by),
        bulk=bulk,
    )
    service.follow()
    return BatchOutcome(outcome.batch, outcome.changed, (*stuck, *outcome.skipped))


# Undone and redone: one's own since signing in at once, anything else when asked for again.

ACTION_NOUNS = {"reject": "rejection of", "shortlist": "shortlisting of", "offer": "offer to", "screen": "screening of"}


def undo(
    service: Service, by: Decider, batch: str | None = None, *, reason: str = "", confirmed: bool = False
) -> BatchOutcome:
    """A decision on this job's applications; without its id the newest one that the same person made.

    ConfirmationNeeded for one that is somebody else's or from before they signed in, unless it is named and
    `confirmed`.
    """
    store = service.store.decisions
    named = _named_batch(service, by, batch, undos=False)
    if not (confirmed and batch):
        decided = store.batch(named)
        _confirm(service, by, "undo", decided[-1], [decision.application for decision in decided], decided[-1].action)
    outcome = store.undo(named, actor=by.user, reason=reason, seen=seen_by(service.store, by))
    service.follow()
    return outcome


def redo(service: Service, by: Decider, batch: str | None = None, *, confirmed: bool = False) -> BatchOutcome:
    """What the batch undid is decided again; as `undo`."""
    store = service.store.decisions
    named = _named_batch(service, by, batch, undos=True)
    if not (confirmed and batch):
        undone = store.batch(named)
        ids = [decision.application for decision in undone]
        _confirm(service, by, "redo", undone[-1], ids, store.undone(named).action)
    outcome = store.redo(named, actor=by.user, seen=seen_by(service.store, by))
    service.follow()
    return outcome


def reversal_words(service: Service, visibility: Visibility, done: str, outcome: BatchOutcome) -> str:
    """ "Undone: rejection of Dana Reyes." `done` is its first word."""
    left = f" {count(len(outcome.skipped), 'candidate')} left as they are." if outcome.skipped else ""
    if not outcome.changed:
        return f"Nothing changed. {outcome.skipped[0].reason}" if outcome.skipped else "Nothing changed."
    return f"{done}: {_decision_words(service, visibility, outcome.action, outcome.changed)}.{left}"


def _named_batch(service: Service, by: Decider, batch: str | None, *, undos: bool) -> str:
    """The one asked for, or the newest of the same person of which anything stands."""
    store = service.store.decisions
    if batch is not None:
        if by.job and not store.batch_is_of_job(batch, by.job):
            raise NotFound("There is no such decision on this job.")
        return batch
    recent = store.recent_batches(by.job, undos=undos)  # the newest first
    own = next((made.id for made in recent if made.actor == by.user and made.standing), None)
    if own is None:
        what = "Nothing that you undid on this job could be redone." if undos else ""
        raise UsageError(what or "There is no decision of yours on this job that could be undone.")
    return own


def _confirm(service: Service, by: Decider, verb: str, made: Decision, ids: Sequence[str], action: str) -> None:
    """Asks, by name, unless the person did it themselves since they signed in."""
    is_own = made.actor == by.user
    if is_own and (by.since is None or made.time >= by.since):
        return
    who = "you" if is_own else service.store.accounts.names([made.actor]).get(made.actor, made.actor)
    what = _decision_words(service, by.visibility, action, list(dict.fromkeys(ids)))
    was = "was made" if verb == "undo" else "was undone"
    when = f"{moment(made.time)}, before you signed in" if is_own else moment(made.time)
    raise ConfirmationNeeded(f"The {what} {was} by {who} on {when}. Do you want to {verb} it?", made.batch)


def _decision_words(service: Service, visibility: Visibility, action: str, ids: Sequence[str]) -> str:
    """ "rejection of Dana Reyes", "offer to 12 candidates"."""
    who = join_and(names_of(service, visibility, ids)) if len(ids) <= SOME_NAMES else count(len(ids), "candidate")
    return f"{ACTION_NOUNS[action]} {who}"


def standing_bulk(batches: Iterable[DecisionBatch]) -> DecisionBatch | None:
    """Of a job's decisions the newest on many at once, as long as any of it stands: the page offers to undo it."""
    newest = next((batch for batch in batches if batch.bulk), None)
    return newest if newest and newest.standing else None


def used_reasons(batches: Iterable[DecisionBatch], user: str) -> list[str]:
    """Reasons a person gave for rejecting somebody for the job, those given most often first.

    Nobody else's: they may speak of a candidate whom this person sees masked.
    """
    given = Counter(
        batch.reason for batch in batches if batch.actor == user and batch.action == "reject" and batch.reason
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
        event = store.ledger.get(by.seen)
    except NotFound:
        return None
    return by.seen if event.kind == "ranking" and event.job == by.job else None


def _chosen(store: Store, job: str, ids: Sequence[str]) -> list[Application]:
    """Another job's applications do not exist here, whoever may see them."""
    unique = list(dict.fromkeys(ids))
    if not unique:
        raise UsageError("Nobody is selected.")
    if len(unique) > MAX_BULK:
        raise UsageError(f"At most {MAX_BULK} candidates can be selected at once.")
    applications = store.applications.get_many(unique)
    if any(application.job != job for application in applications):
        raise NotFound("There is no such application for this job.")
    return applications


def _changed(application: Application) -> str:
    return f"Not decided: the status changed to {STATUS_NAMES[application.status]} after this page was loaded."


def _obstacle(application: Application, action: str) -> str | None:
    """Why this cannot be done to it; being there already is no obstacle."""
    try:
        steps(application.status, action)
    except UsageError as error:
        return str(error)
    return None


# Many at once: reject the rest of a list, or shortlist its first ones. First a preview, then exactly what it
# said.
#
# No rejection happens by itself: a person chooses the list, sees who would be concerned, gives the reason and
# confirms.

REJECT, SHORTLIST = BULK_ACTIONS = ("reject", "shortlist")
NAMED = 5  # of those concerned, named in the preview
UNDECIDED = (NEW, SCREENED)


@dataclass(frozen=True, slots=True)
class BulkPlan:
    """What would happen to a list. Everyone on it is in exactly one of `changed`, `first` and `left`."""

    action: str
    first: int  # the first N of the list, whom a rejection spares
    listed: int
    unordered: int  # of those, how many the ranker did not order
    changed: tuple[str, ...]  # in the order of the list
    left: Mapping[str, int]  # beyond the first N, by status: those who stay as they are
    statuses: Mapping[str, int]  # of those who would be changed, by their status now
    understood: str  # the request in words: "Reject 9 of 9 applications: no filter."
    version: str  # the token that carries out exactly this plan, for whom it was made
    unopened: int = 0  # of those who would be rejected, those whose resume nobody has opened

    @property
    def unopened_words(self) -> str:
        were = "was" if self.unopened == 1 else "were"
        return f"{self.unopened:,} of {len(self.changed):,} {were} never opened." if self.unopened else ""


def plan_bulk(service: Service, by: Decider, criteria: Criteria, action: str, *, keep: int) -> BulkPlan:
    """Reject everyone on the list but the first `keep`, the shortlisted and those with an offer; or shortlist the
    first `keep` of the list who are undecided."""
    if keep < 0:
        raise UsageError("How many of the list are meant cannot be less than 0.")
    with service.screener(criteria.job or "", ranker=criteria.ranker) as screener:
        listed = screener.ids(criteria)
        unordered = max(len(listed) - screener.depth, 0)
    applications = service.store.applications.get_many(listed)
    first = applications[:keep] if action == REJECT else []  # whom a rejection spares
    concerned = applications[keep:] if action == REJECT else applications[:keep]
    changed = [application for application in concerned if application.status in UNDECIDED]
    ids = tuple(application.id for application in changed)
    taken = set(ids)
    left = Counter(application.status for application in applications[len(first) :] if application.id not in taken)
    statuses = Counter(application.status for application in changed)
    everyone = service.store.applications.count(by.job)
    understood = f"{action.capitalize()} {len(ids):,} of {count(everyone, 'application')}: {describe(criteria)}"
    if keep:
        understood += f"; {'all but' if action == REJECT else 'of'} the first {keep:,} of the list"
    unopened = len(service.store.decisions.unopened(ids)) if action == REJECT else 0
    moves = [[application.id, application.status] for application in changed]
    version = _token(service, by, criteria, action, keep, moves, unopened)
    words = f"{understood}."
    return BulkPlan(action, len(first), len(applications), unordered, ids, left, statuses, words, version, unopened)


def _token(
    service: Service, by: Decider, criteria: Criteria, action: str, keep: int, changed: list[list[str]], unopened: int
) -> str:
    """Signed, so that nobody has it who was not shown this very plan: another user, search, action, set of
    applications or number of unopened ones has another one."""
    plan = {
        "purpose": "bulk plan",
        "user": by.user,
        "job": by.job,
        "action": action,
        "keep": keep,
        "criteria": criteria.to_json(),
        "changed": changed,
        "unopened": unopened,
    }
    key = SigningKey.load_or_make(service.settings.signing_key_path)
    return content_hash(key.sign(canonical_json(plan).encode()))[:32]


def apply_plan(
    service: Service,
    by: Decider,
    criteria: Criteria,
    *,
    action: str,
    keep: int,
    version: str,
    reason: str,
    with_unopened: bool = True,
) -> BatchOutcome:
    """What the plan with this version said, or nothing: Conflict when it was made for another request or for
    somebody else, or would be something else by now; UsageError when it rejects people whose resume nobody opened and
    that was not confirmed."""
    reason = checked_reason(reason, action)
    plan = plan_bulk(service, by, criteria, action, keep=keep)
    if not compare_digest(plan.version, version):
        raise Conflict(
            "This is not the plan of this request, or the list has changed since the plan was made. "
            "Look at the new plan, then confirm."
        )
    if not plan.changed:
        raise UsageError("There is nobody on this list to whom this would happen.")
    if plan.unopened and not with_unopened:
        raise UsageError(f"{plan.unopened_words} Confirm that they are to be rejected all the same.")
    seen = seen_by(service.store, by)
    if action == REJECT:
        outcome = service.store.decisions.reject_rest(by.job, plan.changed, (), actor=by.user, reason=reason, seen=seen)
    else:
        outcome = service.store.decisions.decide(
            plan.changed, action, actor=by.user, reason=reason, seen=seen, bulk=True
        )
    service.follow()
    return outcome


def names_of(service: Service, visibility: Visibility, ids: Sequence[str]) -> list[str]:
    """As the viewer may see them."""
    snapshot = service.snapshot()
    names = []
    for id in ids:
        address = snapshot.find(id)
        name = snapshot.entry(address).card.name if address else None
        names.append(visibility.name(id, name) or pseudonym(id))
    return names
