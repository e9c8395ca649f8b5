"""What follows from the facts of a profile, worked out again after a person has put some of them right.

Which job or project mentions which skill is not written into a profile as the miner knew it: a job lists the skills of
its projects too. Of the two ways to read that, the one that gives the months the miner counted is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from evenhand.mining.assembly.profiles import RANK_WORDS, SHARED_SKILLS, highest_level
from evenhand.mining.experience import (
    Experience,
    ExperienceEntry,
    doubt_of,
    months_of,
    relevant_months,
    skill_experience,
    total_months,
)
from evenhand.records.document import Warning
from evenhand.records.profile import PRESENT, Evidence, Period, Position, Profile, Skill
from evenhand.text.date_values import PartialDate, Present
from evenhand.text.tokens import words_of

Mentions = dict[str, tuple[str, ...]]
"""By skill, the ids of the entries whose own text mentions it."""
DOUBTS = ("dates_reversed", "dates_in_future")


def recount(profile: Profile, before: Profile) -> Profile:
    """`profile` is `before` with facts put right; everything that follows from them is made to follow."""
    entries, was = list(_entries(profile)), list(_entries(before))
    mentions = {**_mentions(before, was), **_fresh(profile, before)}
    counted = skill_experience(entries, mentions)
    changed = _changed(entries, was)
    return replace(
        profile,
        skills=_ordered(
            _counted(skill, counted.get(skill.name), before, mentions, changed) for skill in profile.skills
        ),
        total_months=total_months(entries),
        relevant_months=relevant_months(entries, _is_relevant(profile)),
        highest_degree=highest_level(profile.education),
        warnings=(*(each for each in profile.warnings if each.code not in DOUBTS), *_doubts(profile)),
    )


def period_of(start: str | None, end: str | None, place: Evidence | None, as_of: str) -> Period:
    """From two dates as they are written in a profile."""
    first, last = _moments(start, end)
    return Period(start, end, months_of(first, last, PartialDate.parse(as_of)), place)


def mentioning(profile: Profile, place: Evidence) -> tuple[str, ...]:
    """The innermost entry that a place in the text is part of: its id, or nothing."""
    projects = [f"project {at}" for at, each in enumerate(profile.projects) if _within(place, each.evidence)]
    jobs = [f"job {at}" for at, each in enumerate(profile.positions) if _within(place, each.evidence)]
    return tuple(projects[-1:] or jobs[-1:])


def _counted(
    skill: Skill,
    experience: Experience | None,
    before: Profile,
    mentions: Mapping[str, Sequence[str]],
    changed: set[str],
) -> Skill:
    """A skill whose jobs and projects have the times they had keeps what the miner counted."""
    old = next((each for each in before.skills if each.name == skill.name), None)
    if experience is None or (old is not None and not changed & set(mentions.get(skill.name, ()))):
        return skill
    return replace(skill, months=experience.months, months_sum=experience.months_sum, last_used=experience.last_used)


def _ordered(skills: Iterator[Skill]) -> tuple[Skill, ...]:
    """As the miner orders them."""

    def key(skill: Skill) -> tuple[int, int]:
        return -(skill.months or -1), skill.evidence[0].start if skill.evidence else 0

    return tuple(sorted(skills, key=key))


def _changed(entries: Sequence[ExperienceEntry], was: Sequence[ExperienceEntry]) -> set[str]:
    old = {entry.id: entry for entry in was}
    return {entry.id for entry in entries if old.get(entry.id) != entry}


def _mentions(profile: Profile, entries: Sequence[ExperienceEntry]) -> Mentions:
    inner, outer = _by_place(profile), _by_list(profile)
    counts = [skill_experience(entries, each) for each in (inner, outer)]
    result: Mentions = {}
    for skill in profile.skills:
        mined = Experience(skill.months, skill.months_sum, skill.last_used)
        is_inner = counts[0].get(skill.name) == mined or counts[1].get(skill.name) != mined
        result[skill.name] = (inner if is_inner else outer).get(skill.name, ())
    return result


def _by_place(profile: Profile) -> Mentions:
    """By where each mention stands: one in a project is the project's and not its job's."""
    return {
        skill.name: tuple(dict.fromkeys(id for place in skill.evidence for id in mentioning(profile, place)))
        for skill in profile.skills
    }


def _by_list(profile: Profile) -> Mentions:
    """As jobs and projects list them."""
    listed: tuple[tuple[str, Sequence[str]], ...] = (
        *((f"job {at}", each.skills) for at, each in enumerate(profile.positions)),
        *((f"project {at}", each.skills) for at, each in enumerate(profile.projects)),
    )
    return {skill.name: tuple(id for id, skills in listed if skill.name in skills) for skill in profile.skills}


def _fresh(profile: Profile, before: Profile) -> Mentions:
    """Skills that were not there, or stand in another place now."""
    old = {skill.name: skill.evidence for skill in before.skills}
    return {
        name: ids
        for name, ids in _by_place(profile).items()
        if old.get(name) != next(skill.evidence for skill in profile.skills if skill.name == name)
    }


def _entries(profile: Profile) -> Iterator[ExperienceEntry]:
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
    if not jobs:
        return lambda entry: False
    latest = max(range(len(jobs)), key=lambda at: (_end(jobs[at].period), -at))
    title, known = _title_words(jobs[latest]), set(jobs[latest].skills)

    def is_relevant(entry: ExperienceEntry) -> bool:
        at = int(entry.id.partition(" ")[2])
        if at == latest or title & _title_words(jobs[at]):
            return True
        return len(known & set(jobs[at].skills)) >= SHARED_SKILLS

    return is_relevant


def _end(period: Period) -> int:
    if period.end is None:
        return -1
    return 10**6 if period.end == PRESENT else PartialDate.parse(period.end).index


def _title_words(job: Position) -> set[str]:
    return set(words_of(job.title.value)) - RANK_WORDS if job.title else set()


def _doubts(profile: Profile) -> Iterator[Warning]:
    as_of = PartialDate.parse(profile.as_of)
    periods = [job.period for job in profile.positions] + [project.period for project in profile.projects]
    for period in periods:
        if doubt := doubt_of(*_moments(period.start, period.end), as_of):
            yield doubt


def _within(place: Evidence, entry: Evidence) -> bool:
    return entry.start <= place.start < entry.end
