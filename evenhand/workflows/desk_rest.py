"""Many at once: reject the rest of a list, or shortlist its first ones. First a preview, then exactly what it said.

No rejection happens by itself: a person chooses the list, sees who would be concerned, gives the reason and confirms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evenhand.errors import UsageError
from evenhand.records import content_hash
from evenhand.search.criteria import Criteria
from evenhand.store import Outcome
from evenhand.store.statuses import NEW, SCREENED
from evenhand.workflows.desk_decisions import Decider, checked_reason, seen_by
from evenhand.workflows.lens import Lens, pseudonym
from evenhand.workflows.service import Service

REJECT, SHORTLIST = "reject", "shortlist"
NAMED = 5  # of those concerned, named in the preview
UNDECIDED = (NEW, SCREENED)


@dataclass(frozen=True, slots=True)
class Plan:
    """What would happen to a list. Everyone on it is in exactly one of `changed`, `first` and `left`."""

    action: str
    first: int  # the first N of the list, whom a rejection spares
    listed: int
    unordered: int  # of those, how many the ranker did not order
    changed: tuple[str, ...]  # in the order of the list
    left: Mapping[str, int]  # beyond the first N, by status: those who stay as they are
    statuses: Mapping[str, int]  # of those who would be changed, by their status now

    @property
    def version(self) -> str:
        """Another one when anybody else would be concerned."""
        return content_hash([self.action, self.changed])[:16]


def plan_rest(service: Service, criteria: Criteria, *, keep: int) -> Plan:
    """Reject everyone on the list but the first `keep`, the shortlisted and those with an offer."""
    return _plan(service, criteria, REJECT, keep, lambda rank, status: rank > keep and status in UNDECIDED)


def plan_first(service: Service, criteria: Criteria, *, keep: int) -> Plan:
    """Shortlist the first `keep` of the list who are undecided."""
    return _plan(
        service, criteria, SHORTLIST, keep, lambda rank, status: rank <= keep and status in UNDECIDED
    )


PLANS = {REJECT: plan_rest, SHORTLIST: plan_first}


def carry_out(
    service: Service,
    by: Decider,
    criteria: Criteria,
    *,
    action: str,
    keep: int,
    version: str,
    reason: str,
) -> Outcome:
    """What the preview with this version said, or nothing: UsageError when it would be something else by now."""
    reason = checked_reason(reason, action)
    plan = PLANS[action](service, criteria, keep=keep)
    if plan.version != version:
        raise UsageError(
            "The list has changed since the preview was made. Look at the new one, then confirm."
        )
    if not plan.changed:
        raise UsageError("There is nobody on this list to whom this would happen.")
    seen = seen_by(service.store, by)
    if action == REJECT:
        outcome = service.store.reject_rest(by.job, plan.changed, (), actor=by.user, reason=reason, seen=seen)
    else:
        outcome = service.store.decide(
            plan.changed, action, actor=by.user, reason=reason, seen=seen, bulk=True
        )
    service.follow()
    return outcome


def names_of(service: Service, lens: Lens, ids: Sequence[str]) -> list[str]:
    """As the lens lets them be seen."""
    snapshot = service.snapshot()
    names = []
    for id in ids:
        address = snapshot.find(id)
        name = snapshot.entry(address).card.get("name") if address else None
        names.append(lens.name(id, name) or pseudonym(id))
    return names


def _plan(
    service: Service, criteria: Criteria, action: str, keep: int, concerns: Callable[[int, str], bool]
) -> Plan:
    if keep < 0:
        raise UsageError("How many of the list are meant cannot be less than 0.")
    with service.screener(criteria.job or "", ranker=criteria.ranker) as screener:
        listed = screener.ids(criteria)
        unordered = max(len(listed) - screener.depth, 0)
    rows = service.store.applications(listed)
    spared = keep if action == REJECT else 0
    changed = [each for rank, each in enumerate(rows, 1) if concerns(rank, each.status)]
    taken = {each.id for each in changed}
    left = Counter(each.status for each in rows[spared:] if each.id not in taken)
    return Plan(
        action,
        len(rows[:spared]),
        len(rows),
        unordered,
        tuple(each.id for each in changed),
        left,
        Counter(each.status for each in changed),
    )
