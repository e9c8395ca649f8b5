"""What sort of work a job was, and whether a guideline for clinical research counts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from evenhand.mining.dates.moments import PRESENT, Moment
from evenhand.mining.intervals import Interval, interval_of
from evenhand.mining.research import words
from evenhand.mining.research.hours import (
    FULL_TIME,
    HALF_TIME,
    NEARLY_FULL_TIME,
    WEEKS_PER_MONTH,
    StatedHours,
    stated_hours,
)
from evenhand.records.profile import Period, Position, Profile

Sort = Literal["research", "laboratory", "clinical", "other"]
ACADEMIC_HOURS = 1000  # a student's assistantship counts above them


@dataclass(frozen=True, slots=True)
class Work:
    """A job as the guideline looks at it. `interval` is None where only the length is known."""

    sort: Sort
    interval: Interval | None
    months: int  # 0 where the dates are unknown
    hours_per_week: float
    hours: float  # in all
    is_paid: bool
    is_academic: bool
    is_supervising: bool

    @property
    def counts(self) -> bool:
        """Only paid work does, and a student's research only above a thousand hours."""
        if not self.is_paid:
            return False
        return not (self.sort == "research" and self.is_academic) or self.hours > ACADEMIC_HOURS


def works_of(profile: Profile, text: str) -> list[Work]:
    schools = [entry.university.value for entry in profile.education if entry.university is not None]
    as_of = Moment.parse(profile.as_of)
    return [_work(position, text, schools, as_of) for position in profile.positions]


def _work(position: Position, text: str, schools: Sequence[str], as_of: Moment) -> Work:
    entry = text[position.evidence.start : position.evidence.end]
    title = position.title.surface if position.title is not None else ""
    employer = position.employer.value if position.employer is not None else ""
    sort = sort_of(title, employer, entry)
    stated = stated_hours(entry)
    at_own_school = any(school in employer for school in schools)
    academic = _is_academic(title, entry, sort, stated, at_own_school=at_own_school)
    interval = _interval(position.period, as_of)
    months = interval.months if interval is not None else position.period.months or 0
    per_week, total = _hours(stated, months, academic=academic)
    return Work(
        sort,
        interval,
        months,
        per_week,
        total,
        not (words.UNPAID.search(title) or words.VOLUNTEERING.search(entry)),
        academic,
        sort == "research" and words.SUPERVISING.search(entry) is not None,
    )


def sort_of(title: str, employer: str, entry: str) -> Sort:
    """The title decides where it can; one that both sorts of research have is settled by what was done."""
    if words.RESEARCH_TITLE.search(title):
        return "research"
    if words.LABORATORY_TITLE.search(title):
        return "laboratory"
    if words.OPEN_TITLE.search(title):
        bench = words.count_terms(entry, words.BENCH_TERMS)
        return (
            "laboratory" if bench and bench >= words.count_terms(entry, words.DECIDING_TERMS) else "research"
        )
    if words.CLINICAL_TITLE.search(title) or words.TREATING_PLACE.search(employer):
        return "clinical"
    return "other"


def _is_academic(title: str, entry: str, sort: Sort, stated: StatedHours, *, at_own_school: bool) -> bool:
    """A student's job: so called, told beside a semester, or part of a week at the school of the applicant."""
    if sort not in ("research", "laboratory"):
        return False
    if words.STUDENT.search(title) or words.STUDENT_TIMES.search(entry):
        return True
    return at_own_school and (stated.total is not None or (stated.per_week or FULL_TIME) < NEARLY_FULL_TIME)


def _interval(period: Period, as_of: Moment) -> Interval | None:
    first = Moment.parse(period.start) if period.start else None
    if period.end is None:
        return None
    return interval_of(first, PRESENT if period.end == PRESENT else Moment.parse(period.end), as_of)


def _hours(stated: StatedHours, months: int, *, academic: bool) -> tuple[float, float]:
    """Hours of a week and in all; a student's job without a number is taken for half of a week.

    A sum of hours is believed of students only: "1,200 hours of recordings" are not how long somebody worked.
    """
    weeks = months * WEEKS_PER_MONTH
    if academic and stated.total is not None:
        return min(FULL_TIME, stated.total / weeks) if weeks else HALF_TIME, stated.total
    per_week = stated.per_week or (HALF_TIME if academic else FULL_TIME)
    return per_week, per_week * weeks
