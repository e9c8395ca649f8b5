"""What a job demands, held against one Profile: what the resume has of it, for how long, and what it lacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evenhand.records.job import Demand, Job
from evenhand.records.profile import Profile, Skill
from evenhand.records.ranking import Match


@dataclass(frozen=True, slots=True)
class Matching:
    matched: tuple[Match, ...]
    missing: tuple[str, ...]  # must-haves the resume does not mention, each by the name of its demand


def match_job(job: Job, profile: Profile) -> Matching:
    return match_skills(job, profile.skills)


def match_skills(job: Job, held: Iterable[Skill]) -> Matching:
    """In the order of the job's demands."""
    skills = {skill.name: skill for skill in held}
    found = [(demand, _best(demand, skills)) for demand in job.demands]
    return Matching(
        tuple(_match(demand, skill) for demand, skill in found if skill),
        tuple(demand.skills[0] for demand, skill in found if demand.must and not skill),
    )


def _best(demand: Demand, skills: Mapping[str, Skill]) -> Skill | None:
    """Of "Java or .NET" the one with the longest experience; the first one named where that does not tell."""
    having = [skills[name] for name in demand.skills if name in skills]
    return max(having, key=lambda skill: -1 if skill.months is None else skill.months, default=None)


def _match(demand: Demand, skill: Skill) -> Match:
    return Match(skill.name, skill.months, demand.months, demand.must, skill.evidence)
