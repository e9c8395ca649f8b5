"""Skills of one resume with the months behind them: which jobs and projects mention each, from when to when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evenhand.records import Demand, Evidence, Job, Match, Profile, Skill
from evenhand.workflows.candidate_facts import is_met
from evenhand.workflows.candidate_places import entry_name
from evenhand.workflows.matching import match_job

LONGEST_MONTHS = 180  # longer ones fill the bar


@dataclass(frozen=True, slots=True)
class Use:
    """A job or project whose text mentions a skill."""

    kind: str  # job or project
    name: str
    start: str | None
    end: str | None
    months: int | None
    place: Evidence

    @property
    def dates(self) -> str:
        if self.start and self.end and self.start != self.end:
            return f"{self.start} to {self.end}"
        return self.start or self.end or "not dated"


@dataclass(frozen=True, slots=True)
class SkillRow:
    """`months` is the union of its dated uses; None where nothing dated mentions it, which is not zero."""

    name: str
    surfaces: tuple[str, ...]
    months: int | None
    last_used: str | None
    share: float  # of the longest, 0 to 100
    uses: tuple[Use, ...]
    places: tuple[Evidence, ...]
    asked: str | None = None  # "must" or "wish", where the job asks for it


@dataclass(frozen=True, slots=True)
class Skills:
    dated: tuple[SkillRow, ...]  # the longest first
    undated: tuple[SkillRow, ...]  # those asked for first


@dataclass(frozen=True, slots=True)
class DemandRow:
    """What the job asks for beside what the resume has; `state` is met, short, not dated, missing or not mentioned."""

    name: str
    must: bool
    state: str
    months: int | None
    required_months: int | None
    share: float  # of the longest bar, 0 to 100
    mark: float | None  # where the months asked for lie
    uses: tuple[Use, ...]
    places: tuple[Evidence, ...]

    @property
    def sign(self) -> str:
        return SIGNS[self.state]


SIGNS = {"met": "✓", "short": "↓", "not dated": "?", "missing": "✗", "not mentioned": "–"}


def make_skills(profile: Profile, job: Job) -> Skills:
    asked = {name: "must" if demand.must else "wish" for demand in job.demands for name in demand.skills}
    longest = max((skill.months or 0 for skill in profile.skills), default=0) or 1
    rows = [_skill_row(skill, profile, longest, asked.get(skill.name)) for skill in profile.skills]
    return Skills(
        tuple(
            sorted(
                (row for row in rows if row.months is not None),
                key=lambda row: (-(row.months or 0), row.name),
            )
        ),
        tuple(
            sorted((row for row in rows if row.months is None), key=lambda row: (row.asked is None, row.name))
        ),
    )


def demand_rows(profile: Profile, job: Job, *, longest: int | None = None) -> tuple[DemandRow, ...]:
    """Must-haves first, in the order of the job. `longest` makes the bars of several candidates comparable."""
    matched = match_job(job, profile).matched
    full = longest or longest_months(job, [match.months for match in matched])
    skills = {skill.name: skill for skill in profile.skills}
    rows = []
    for demand in in_order(job):
        match = next((match for match in matched if match.skill in demand.skills), None)
        rows.append(_demand_row(demand, match, profile, skills, full))
    return tuple(rows)


def in_order(job: Job) -> tuple[Demand, ...]:
    """Must-haves first."""
    return tuple(sorted(job.demands, key=lambda demand: not demand.must))


def longest_months(job: Job, months: list[int | None]) -> int:
    """What a full bar stands for."""
    found = [*(each or 0 for each in months), *(demand.months or 0 for demand in job.demands), 12]
    return min(max(found), LONGEST_MONTHS)


def uses_of(skill: str, profile: Profile) -> Iterator[Use]:
    """Jobs before projects, each in the order of the resume."""
    for job in profile.positions:
        if skill in job.skills:
            name = entry_name(job.title, job.employer) or "A job without a title"
            yield Use("job", name, job.period.start, job.period.end, job.period.months, job.evidence)
    for project in profile.projects:
        if skill in project.skills:
            name = entry_name(project.name, project.client) or "A project without a name"
            period = project.period
            yield Use("project", name, period.start, period.end, period.months, project.evidence)


def uses_words(uses: Sequence[Use]) -> str:
    """ "2 jobs, 1 project"."""
    counts = [(sum(use.kind == kind for use in uses), kind) for kind in ("job", "project")]
    return ", ".join(f"{number} {kind}{'s' if number > 1 else ''}" for number, kind in counts if number)


def _skill_row(skill: Skill, profile: Profile, longest: int, asked: str | None) -> SkillRow:
    return SkillRow(
        skill.name,
        skill.surfaces,
        skill.months,
        skill.last_used,
        round(100 * (skill.months or 0) / longest, 2),
        tuple(uses_of(skill.name, profile)),
        skill.evidence,
        asked,
    )


def _demand_row(
    demand: Demand, match: Match | None, profile: Profile, skills: dict[str, Skill], longest: int
) -> DemandRow:
    name = match.skill if match else " or ".join(demand.skills)
    months = match.months if match else None
    return DemandRow(
        name=name,
        must=demand.must,
        state=demand_state(demand, match),
        months=months,
        required_months=demand.months,
        share=_share(months or 0, longest),
        mark=_share(demand.months, longest) if demand.months else None,
        uses=tuple(uses_of(name, profile)) if match else (),
        places=skills[name].evidence if match else (),
    )


def demand_state(demand: Demand, match: Match | None) -> str:
    if match is None:
        return "missing" if demand.must else "not mentioned"
    if is_met(match):
        return "met"
    return "not dated" if match.months is None else "short"


def _share(months: int, longest: int) -> float:
    return round(min(100 * months / longest, 100), 2)
