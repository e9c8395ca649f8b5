"""How much somebody worked, as far as the entry of a job says so."""

from __future__ import annotations

import re
from dataclasses import dataclass

WEEKS_PER_MONTH = 4.345
FULL_TIME = 40.0
HALF_TIME = 20.0  # of "part-time" without a number, and of a student's assistantship
NEARLY_FULL_TIME = 35.0  # shifts of a nurse
_HOURS = r"(?:hours?|hrs?\.?|h)"
_A_WEEK = re.compile(
    rf"(\d{{1,2}}(?:\.\d)?)\s*\+?[\s-]*{_HOURS}\s*(?:/|per|a|each|every|weekly)\s*(?:week\b|wk\b|weekly)?",
    re.IGNORECASE,
)
_IN_ALL = re.compile(
    rf"(\d{{1,3}}(?:,\d{{3}})+|\d{{2,5}})\s*\+?\s*{_HOURS}\b(?!\s*(?:/|per|a |each|every|weekly))",
    re.IGNORECASE,
)
_PART_TIME = re.compile(r"\bpart[\s-]?time\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StatedHours:
    """None where the entry does not say it."""

    per_week: float | None
    total: float | None


def stated_hours(entry: str) -> StatedHours:
    week = _A_WEEK.search(entry)
    if week is not None:
        return StatedHours(float(week[1]), None)
    total = _IN_ALL.search(entry)
    if total is not None:
        return StatedHours(None, float(total[1].replace(",", "")))
    return StatedHours(HALF_TIME if _PART_TIME.search(entry) else None, None)
