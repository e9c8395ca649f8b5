"""What a screener puts right in the understanding of a job: skills, months, years, degree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches

from evenhand.errors import UsageError
from evenhand.records.job import Demand, Job
from evenhand.records.profile import DEGREE_LEVELS

NONE = "none"
MONTHS = re.compile(r"(?P<skill>.+?)\s*:\s*(?P<months>[0-9]+)")
MOST_MONTHS = 720
MOST_YEARS = MOST_MONTHS / 12


@dataclass(frozen=True, slots=True)
class Edits:
    """As typed. A skill may have months behind a colon ("java:36"); years 0 and degree "none" ask for none."""

    musts: tuple[str, ...] = ()
    wishes: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    years: float | None = None
    degree: str | None = None


def edit_job(job: Job, edits: Edits, *, canonical: Callable[[str], str]) -> Job:
    """`canonical` gives a skill's name for any form of it. What was wrongly typed raises UsageError."""
    demands = list(job.demands)
    for typed in edits.dropped:
        demands = _without(demands, canonical(typed))
    for must, skills in ((True, edits.musts), (False, edits.wishes)):
        for typed in skills:
            name, months = _parsed(typed)
            demands = _with(demands, canonical(name), must=must, months=months)
    edited = replace(job, demands=tuple(demands))
    if edits.years is not None:
        edited = replace(edited, months=_months(edits.years), most_months=None)
    if edits.degree is not None:
        edited = replace(edited, degree=_level(edits.degree))
    return edited


def _parsed(typed: str) -> tuple[str, int | None]:
    if not typed.strip():
        raise UsageError("A skill without a name cannot be asked for.")
    match = MONTHS.fullmatch(typed.strip())
    if not match:
        return typed.strip(), None
    months = int(match["months"])
    if months > MOST_MONTHS:
        raise UsageError(f"{typed!r} asks for {months:,} months, which is longer than a working life.")
    return match["skill"], months or None


def _with(demands: Iterable[Demand], name: str, *, must: bool, months: int | None) -> list[Demand]:
    """A skill that is asked for already keeps its place and, unless others are given, its months."""
    edited: list[Demand] = []
    found = False
    for demand in demands:
        if demand.skills == (name,):
            found = True
            kept = demand.months if months is None else months
            most = demand.most_months if months is None else None
            edited.append(replace(demand, must=must, months=kept, most_months=most))
        else:
            edited.append(demand)
    return edited if found else [*edited, Demand((name,), must, months)]


def _without(demands: list[Demand], name: str) -> list[Demand]:
    """Of alternatives ("Java or .NET") the others stay."""
    if not any(name in demand.skills for demand in demands):
        asked = ", ".join(dict.fromkeys(skill for demand in demands for skill in demand.skills))
        raise UsageError(f"{name!r} cannot be dropped; the job asks for {asked or 'no skills'}.")
    kept = [
        replace(demand, skills=tuple(skill for skill in demand.skills if skill != name)) for demand in demands
    ]
    return [demand for demand in kept if demand.skills]


def _months(years: float) -> int | None:
    if not 0 <= years <= MOST_YEARS:
        raise UsageError(f"Years of experience lie between 0 and {MOST_YEARS:g}, not at {years:g}.")
    return round(years * 12) or None


def _level(typed: str) -> str | None:
    level = typed.strip().lower()
    if level == NONE:
        return None
    if level not in DEGREE_LEVELS:
        close = get_close_matches(level, DEGREE_LEVELS, n=1)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join((*DEGREE_LEVELS, NONE))}."
        raise UsageError(f"There is no degree {typed!r}; {hint}")
    return level
