"""What a screener wants to see of a candidate beside the score: latest job, experience, must-haves that are met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evenhand.mining.dates import Moment
from evenhand.mining.dates.moments import Present
from evenhand.mining.experience import Entry, skill_experience
from evenhand.records.job import Job
from evenhand.records.profile import PRESENT, Period, Position, Profile
from evenhand.records.ranking import Match, Ranking


@dataclass(frozen=True, slots=True)
class CandidateFacts:
    title: str | None  # of the latest job
    employer: str | None
    is_current: bool  # the latest job goes on
    total_months: int | None
    relevant_months: int | None  # of dated work whose text mentions a skill of the job
    musts_met: int
    musts_asked: int
    degree: str | None = None
    city: str | None = None
    emails: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    musts_undated: int = 0  # mentioned, but nobody can tell whether for the months asked for


@dataclass(frozen=True, slots=True)
class Ranked:
    """A ranking, beside it the facts of each of its results in the same order."""

    ranking: Ranking
    facts: tuple[CandidateFacts, ...]
    as_of: str | None  # the month that "present" means; None where each resume has its own


def facts_of(profile: Profile, job: Job, matched: Sequence[Match]) -> CandidateFacts:
    latest = latest_position(profile.positions)
    return CandidateFacts(
        title=latest.title.value if latest and latest.title else None,
        employer=latest.employer.value if latest and latest.employer else None,
        is_current=latest is not None and latest.period.end == PRESENT,
        total_months=profile.total_months,
        relevant_months=relevant_months(profile, {match.skill for match in matched}),
        musts_met=sum(match.must and is_met(match) for match in matched),
        musts_asked=sum(demand.must for demand in job.demands),
        degree=profile.highest_degree,
        city=profile.city.value if profile.city else None,
        emails=tuple(fact.value for fact in profile.emails),
        phones=tuple(fact.value for fact in profile.phones),
        musts_undated=sum(match.must and not is_met(match) and match.months is None for match in matched),
    )


def is_met(match: Match) -> bool:
    """Months that nobody stated do not meet a demand for months: the screener is to ask."""
    if match.required_months is None:
        return True
    return match.months is not None and match.months >= match.required_months


def latest_position(positions: Sequence[Position]) -> Position | None:
    """The one that goes on or ended last; resumes without dates name the latest first."""
    return max(positions, key=_recency, default=None)


def _recency(position: Position) -> tuple[str, str]:
    end = position.period.end or ""
    return ("9999" if end == PRESENT else end, position.period.start or "")


def relevant_months(profile: Profile, skills: set[str]) -> int | None:
    """Overlapping jobs and projects count once, by the rule of a skill's months.

    0 when there are dated ones and none mentions a skill; None when those that do have no dates.
    """
    ids = [
        *(f"job {at}" for at, job in enumerate(profile.positions) if skills & set(job.skills)),
        *(f"project {at}" for at, project in enumerate(profile.projects) if skills & set(project.skills)),
    ]
    entries = list(_entries(profile))
    if not ids and any(entry.months is not None for entry in entries):
        return 0
    return skill_experience(entries, {"any": ids})["any"].months


def _entries(profile: Profile) -> Iterator[Entry]:
    as_of = Moment.parse(profile.as_of)
    for at, job in enumerate(profile.positions):
        first, last = _ends(job.period)
        yield Entry.dated(
            f"job {at}", "position", first=first, last=last, as_of=as_of, duration_months=job.period.months
        )
    for at, project in enumerate(profile.projects):
        first, last = _ends(project.period)
        yield Entry.dated(
            f"project {at}",
            "project",
            first=first,
            last=last,
            as_of=as_of,
            duration_months=project.period.months,
            parent=None if project.position is None else f"job {project.position}",
        )


def _ends(period: Period) -> tuple[Moment | None, Moment | Present | None]:
    end: Moment | Present | None = "present" if period.end == PRESENT else _moment(period.end)
    return _moment(period.start), end


def _moment(text: str | None) -> Moment | None:
    return Moment.parse(text) if text else None
