"""What would have changed a result most: one thing of a resume changed at a time, and really scored again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from evenhand.records import Demand, Evidence, Fact, Job, Match, Position, Profile, Skill
from evenhand.records.profile import DEGREE_LEVELS, PRESENT
from evenhand.screening.candidate_career import in_order, match_of
from evenhand.search.matching import is_met, latest_position, match_job
from evenhand.search.padding import features_for_job
from evenhand.search.service import FullRanking
from evenhand.text.wording import degree_words, duration

MIN_POINTS = 0.05  # points: less is not worth a line, unless it is about a must-have
SUPPOSED = "supposed"  # how evidence came about that nobody has


@dataclass(frozen=True, slots=True)
class CounterfactualEffect:
    """`words` end the sentence "if your resume had ...". `rank` is the place in today's list with these points."""

    kind: str  # must, wish, degree, title
    words: str
    points: float
    rank: int


@dataclass(frozen=True, slots=True)
class ResumeVariant:
    kind: str
    words: str
    text: str
    profile: Profile


def what_would_change(
    whole: FullRanking, application: str, profile: Profile, text: str, job: Job
) -> tuple[CounterfactualEffect, ...]:
    """The largest first."""
    now = whole.score(features_for_job(text, profile, job)).value
    effects = []
    for variant in variants(profile, text, job):
        score = whole.score(features_for_job(variant.text, variant.profile, job)).value
        points = score - now
        if points >= MIN_POINTS or (variant.kind == "must" and points >= 0):
            effects.append(
                CounterfactualEffect(variant.kind, variant.words, points, whole.rank_with(application, score))
            )
    return tuple(sorted(effects, key=lambda effect: (-effect.points, effect.words)))


def variants(profile: Profile, text: str, job: Job) -> Iterator[ResumeVariant]:
    """The resume with one thing more that the job asks for, each time another."""
    matched = match_job(job, profile).matched
    for demand in in_order(job):
        match = match_of(demand, matched)
        if match is None:
            yield _with_skill(profile, text, demand)
        elif not is_met(match):
            yield _with_months(profile, text, demand, match)
    if job.degree and _level(profile.highest_degree) < _level(job.degree):
        words = f"stated a {degree_words(job.degree)}"
        yield ResumeVariant("degree", words, text, replace(profile, highest_degree=job.degree))
    latest = latest_position(profile.positions)
    if job.title and latest and (latest.title is None or latest.title.value != job.title):
        yield _with_title(profile, text, latest, job.title)


def _with_months(profile: Profile, text: str, demand: Demand, match: Match) -> ResumeVariant:
    needed = demand.months or 0
    has = "without saying for how long" if match.months is None else duration(match.months)
    words = f"shown {duration(needed)} of {match.skill} ({has} now)"
    last = _last_month(profile)
    skills = tuple(
        replace(skill, months=needed, months_sum=needed, last_used=skill.last_used or last)
        if skill.name == match.skill
        else skill
        for skill in profile.skills
    )
    return ResumeVariant(_kind(demand), words, text, replace(profile, skills=skills))


def _with_skill(profile: Profile, text: str, demand: Demand) -> ResumeVariant:
    """Mentioned once, in the latest job where there is one, and for as long as the job asks for."""
    name = demand.skills[0]
    latest = latest_position(profile.positions)
    at = latest.evidence.end if latest else len(text)
    addition = f" {name} "
    longer = text[:at] + addition + text[at:]
    # With every place behind `at` moved on by so many characters.
    moved = Profile.from_json(_shifted(profile.to_json(), at, len(addition)), longer)
    place = Evidence(at + 1, at + 1 + len(name), latest.evidence.page if latest else 1, SUPPOSED, 1.0)
    months = demand.months or (latest.period.months if latest else None)
    skill = Skill(name, (name,), months, months, _last_month(profile) if latest else None, (place,))
    positions = list(moved.positions)
    for number, job in enumerate(profile.positions):
        if job is latest:
            own = positions[number]
            whole = replace(own.evidence, end=own.evidence.end + len(addition))
            positions[number] = replace(own, skills=(*own.skills, name), evidence=whole)
    required = " or ".join(demand.skills)
    where = "in your latest job" if latest else "at all"
    time = f", for {duration(demand.months)}" if demand.months else ""
    edited = replace(moved, skills=(*moved.skills, skill), positions=tuple(positions))
    return ResumeVariant(_kind(demand), f"mentioned {required} {where}{time}", longer, edited)


def _with_title(profile: Profile, text: str, latest: Position, title: str) -> ResumeVariant:
    """The same work under the name that the job has for it."""
    place = latest.title.evidence if latest.title else latest.evidence
    named = replace(latest, title=Fact(title, title, place))
    positions = tuple(named if job is latest else job for job in profile.positions)
    words = f"called your latest job “{title}”"
    return ResumeVariant("title", words, text, replace(profile, positions=positions))


def _shifted(value: Any, at: int, by: int) -> Any:
    if isinstance(value, list):
        return [_shifted(part, at, by) for part in value]
    if not isinstance(value, dict):
        return value
    moved = {name: _shifted(part, at, by) for name, part in value.items()}
    start, end = value.get("start"), value.get("end")
    if isinstance(start, int) and isinstance(end, int):
        moved |= {"start": start + (by if start >= at else 0), "end": end + (by if end > at else 0)}
    return moved


def _last_month(profile: Profile) -> str:
    """When the latest job ended; today's month of reading where it goes on or nothing is dated."""
    latest = latest_position(profile.positions)
    end = latest.period.end if latest else None
    return profile.as_of if end is None or end == PRESENT else end


def _level(degree: str | None) -> int:
    return DEGREE_LEVELS.index(degree) if degree else -1


def _kind(demand: Demand) -> str:
    return "must" if demand.must else "wish"
