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
    rf"(\d{{1,2}}(?:\.\d)?)\s*\+?[\s-]*{_HOURS}\s*(?:(?:/|per|a|each|every)\s*(?:week|wk)\b|weekly)",
    re.IGNORECASE,
)
_SAVED = re.compile(
    r"\b(?:sav|reduc|cut|free)\w*", re.IGNORECASE
)  # "saved 9 hours a week" is not how long one worked
_IN_ALL = re.compile(
    rf"(\d{{1,3}}(?:,\d{{3}})+|\d{{2,5}})\s*\+?\s*{_HOURS}\b(?!\s*(?:/|per|a |each|every|weekly))",
    re.IGNORECASE,
)
_LEAST_IN_ALL = 60.0  # "within 24 hours" is no length of a job
_PART_TIME = re.compile(r"\bpart[\s-]?time\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StatedHours:
    """None where the entry does not say it."""

    per_week: float | None
    total: float | None


def stated_hours(entry: str) -> StatedHours:
    telling = "\n".join(line for line in entry.splitlines() if not _SAVED.search(line))
    week = _A_WEEK.search(telling)
    if week is not None:
        return StatedHours(float(week[1]), None)
    totals = (float(found[1].replace(",", "")) for found in _IN_ALL.finditer(telling))
    total = next((hours for hours in totals if hours >= _LEAST_IN_ALL), None)
    return StatedHours(HALF_TIME if _PART_TIME.search(entry) else None, total)
