"""What follows from the facts of a profile, worked out again after a person has put some of them right.

Which job or project mentions which skill is not written into a profile as the miner knew it: a job lists the skills of
its projects too. Of the two ways to read that, the one that gives the months the miner counted is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from evenhand.mining.assembly.profiles import highest_level, relevant_to_latest, title_words
from evenhand.mining.experience import (
    Experience,
    ExperienceEntry,
    doubt_of,
    months_of,
    relevant_months,
    skill_experience,
    total_months,
)
from evenhand.records.profile import PRESENT, Evidence, Period, Position, Profile, Project, Skill
from evenhand.text.date_values import PartialDate, Present

_Entry = TypeVar("_Entry", Position, Project)
Mentions = dict[str, tuple[str, ...]]
"""By skill, the ids of the entries whose own text mentions it."""
DOUBTS = ("dates_reversed", "dates_in_future")


def recount(profile: Profile, before: Profile) -> Profile:
    """`profile` is `before` with facts put right; everything that follows from them is made to follow."""
    entries, was = list(experience_entries(profile)), list(experience_entries(before))
    mentions = {**_mentions(before, was), **_fresh(profile, before)}
    counted = skill_experience(entries, mentions)
    old = {entry.id: entry for entry in was}
    changed = {entry.id for entry in entries if old.get(entry.id) != entry}
    skills = [_counted(skill, counted.get(skill.name), before, mentions, changed) for skill in profile.skills]
    as_of = PartialDate.parse(profile.as_of)
    periods = [job.period for job in profile.positions] + [project.period for project in profile.projects]
    doubts = filter(None, (doubt_of(*_moments(period.start, period.end), as_of) for period in periods))
    return replace(
        profile,
        skills=tuple(sorted(skills, key=_order)),
        total_months=total_months(entries),
        relevant_months=relevant_months(entries, _is_relevant(profile)),
        highest_degree=highest_level(profile.education),
        warnings=(*(warning for warning in profile.warnings if warning.code not in DOUBTS), *doubts),
    )


def _order(skill: Skill) -> tuple[int, int]:
    """As the miner orders them."""
    return -(skill.months or -1), skill.evidence[0].start if skill.evidence else 0


def period_of(start: str | None, end: str | None, place: Evidence | None, as_of: str) -> Period:
    """From two dates as they are written in a profile."""
    first, last = _moments(start, end)
    return Period(start, end, months_of(first, last, PartialDate.parse(as_of)), place)


def add_skill(profile: Profile, name: str, surfaces: tuple[str, ...], places: Sequence[Evidence]) -> Profile:
    """With a skill that these places show, also in the jobs and projects they are part of, whose times are its months.

    That somebody took it out before no longer holds.
    """
    owners = {id for place in places for id in mentioning(profile, place)}
    counted = skill_experience(experience_entries(profile), {name: owners})[name]
    skill = Skill(name, surfaces, counted.months, counted.months_sum, counted.last_used, tuple(places))
    listed = owners | {
        f"job {project.position}"
        for at, project in enumerate(profile.projects)
        if f"project {at}" in owners and project.position is not None
    }

    def joined(entry: _Entry, id: str) -> _Entry:
        return replace(entry, skills=(*entry.skills, name)) if id in listed and name not in entry.skills else entry

    others = [other for other in profile.skills if other.name != name]
    return replace(
        profile,
        skills=tuple(sorted([*others, skill], key=_order)),
        positions=tuple(joined(job, f"job {at}") for at, job in enumerate(profile.positions)),
        projects=tuple(joined(project, f"project {at}") for at, project in enumerate(profile.projects)),
        removed_skills=tuple(other for other in profile.removed_skills if other != name),
    )


def mentioning(profile: Profile, place: Evidence) -> tuple[str, ...]:
    """The innermost entry that a place in the text is part of: its id, or nothing."""

    def holding(kind: str, entries: Sequence[Position | Project]) -> list[str]:
        wholes = [entry.evidence for entry in entries]
        return [f"{kind} {at}" for at, whole in enumerate(wholes) if whole.start <= place.start < whole.end]

    return tuple(holding("project", profile.projects)[-1:] or holding("job", profile.positions)[-1:])


def _counted(
    skill: Skill,
    experience: Experience | None,
    before: Profile,
    mentions: Mapping[str, Sequence[str]],
    changed: set[str],
) -> Skill:
    """A skill whose jobs and projects have the times they had keeps what the miner counted."""
    is_old = any(other.name == skill.name for other in before.skills)
    if experience is None or (is_old and not changed & set(mentions.get(skill.name, ()))):
        return skill
    return replace(skill, months=experience.months, months_sum=experience.months_sum, last_used=experience.last_used)


def _mentions(profile: Profile, entries: Sequence[ExperienceEntry]) -> Mentions:
    listed = (  # as jobs and projects list their skills
        *((f"job {at}", job.skills) for at, job in enumerate(profile.positions)),
        *((f"project {at}", project.skills) for at, project in enumerate(profile.projects)),
    )
    outer = {skill.name: tuple(id for id, names in listed if skill.name in names) for skill in profile.skills}
    inner = _by_place(profile)
    by_place, by_list = skill_experience(entries, inner), skill_experience(entries, outer)
    result: Mentions = {}
    for skill in profile.skills:
        mined = Experience(skill.months, skill.months_sum, skill.last_used)
        is_inner = by_place.get(skill.name) == mined or by_list.get(skill.name) != mined
        result[skill.name] = (inner if is_inner else outer).get(skill.name, ())
    return result


def _by_place(profile: Profile) -> Mentions:
    """By where each mention stands: one in a project is the project's and not its job's."""
    return {
        skill.name: tuple(dict.fromkeys(id for place in skill.evidence for id in mentioning(profile, place)))
        for skill in profile.skills
    }


def _fresh(profile: Profile, before: Profile) -> Mentions:
    """Skills that were not there, or stand in another place now."""
    old = {skill.name: skill.evidence for skill in before.skills}
    new = {skill.name for skill in profile.skills if old.get(skill.name) != skill.evidence}
    return {name: ids for name, ids in _by_place(profile).items() if name in new}


def experience_entries(profile: Profile) -> Iterator[ExperienceEntry]:
    """The times of jobs and projects. A project alone under a single job belongs to it."""
    as_of = PartialDate.parse(profile.as_of)
    only = "job 0" if len(profile.positions) == 1 else None
    for at, job in enumerate(profile.positions):
        yield _entry(f"job {at}", job.period, as_of, None)
    for at, project in enumerate(profile.projects):
        parent = only if project.position is None else f"job {project.position}"
        yield _entry(f"project {at}", project.period, as_of, parent)


def _entry(id: str, period: Period, as_of: PartialDate, parent: str | None) -> ExperienceEntry:
    first, last = _moments(period.start, period.end)
    has_dates = first is not None or last is not None
    return ExperienceEntry.dated(
        id,
        "position" if id.startswith("job") else "project",
        first=first,
        last=last,
        as_of=as_of,
        duration_months=None if has_dates else period.months,
        parent=parent,
    )


def _moments(start: str | None, end: str | None) -> tuple[PartialDate | None, PartialDate | Present | None]:
    last: PartialDate | Present | None = "present" if end == PRESENT else PartialDate.parse(end) if end else None
    return (PartialDate.parse(start) if start else None), last


def _is_relevant(profile: Profile) -> Callable[[ExperienceEntry], bool]:
    """To the latest job: their titles share a word that names the work, or skills are shared."""
    jobs = profile.positions
    relevant = relevant_to_latest(
        [_end(job.period) for job in jobs],
        [title_words(job.title.value if job.title else "") for job in jobs],
        [set(job.skills) for job in jobs],
    )
    return lambda entry: int(entry.id.partition(" ")[2]) in relevant


def _end(period: Period) -> int:
    if period.end is None:
        return -1
    return 10**6 if period.end == PRESENT else PartialDate.parse(period.end).index
