"""The statuses of an application and the ways between them."""

from __future__ import annotations

from evenhand.errors import UsageError

NEW = "new"
SCREENED = "screened"
SHORTLISTED = "shortlisted"
REJECTED = "rejected"
OFFERED = "offered"

STATUS_NAMES = {
    NEW: "New",
    SCREENED: "Screened",
    SHORTLISTED: "Shortlisted for Interview",
    OFFERED: "Offered",
    REJECTED: "Rejected",
}

ACTIONS = {"screen": SCREENED, "shortlist": SHORTLISTED, "reject": REJECTED, "offer": OFFERED}
UNDO = "undo"

TRANSITIONS = {
    NEW: (SCREENED,),
    SCREENED: (SHORTLISTED, REJECTED),
    SHORTLISTED: (OFFERED, REJECTED),
    REJECTED: (),
    OFFERED: (),
}


def steps(status: str, action: str) -> tuple[tuple[str, str, str], ...]:
    """The (action, from, to) that lead from `status`; nothing when the application is there already.

    Who shortlists or rejects a new application has thereby screened it: both steps are recorded.
    """
    if action not in ACTIONS:
        raise UsageError(f"There is no action {action!r}; the actions are {', '.join(ACTIONS)}.")
    target = ACTIONS[action]
    if target == status:
        return ()
    if target in TRANSITIONS[status]:
        return ((action, status, target),)
    if status == NEW and target in TRANSITIONS[SCREENED]:
        return (("screen", NEW, SCREENED), (action, SCREENED, target))
    raise UsageError(f"An application that is {STATUS_NAMES[status]} cannot become {STATUS_NAMES[target]}.")
