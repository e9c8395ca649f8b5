"""Skills from their mentions: one per canonical name, with every way it is written and the jobs that mention it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from evenhand.mining.assembly.blocks import JOB, TASK
from evenhand.mining.assembly.jobs import Work
from evenhand.mining.assembly.mentions import Mention, evidence_of
from evenhand.mining.experience import UNKNOWN, Entry, skill_experience
from evenhand.mining.resolver.skills import settle
from evenhand.mining.sheet import Sheet
from evenhand.records.profile import Evidence, Skill

Canonical = Callable[[str], str]


@dataclass(slots=True)
class Gathered:
    """A skill on the way: its surfaces in the order of the text, places, and numbers of the works that mention it."""

    surfaces: dict[str, None] = field(default_factory=dict)
    evidence: list[Evidence] = field(default_factory=list)
    works: set[int] = field(default_factory=set)


def gather(
    sheet: Sheet, mentions: Sequence[Mention], works: Sequence[Work], canonical: Canonical
) -> dict[str, Gathered]:
    owners = work_of_lines(works, len(sheet.lines))
    found: dict[str, Gathered] = {}
    for mention in mentions:
        surface = sheet.document.text[mention.start : mention.end]
        name = canonical(surface)
        if not name:
            continue
        skill = found.setdefault(name, Gathered())
        skill.surfaces[surface] = None
        skill.evidence.append(evidence_of(sheet, mention))
        owner = owners[mention.line]
        if owner is not None:
            skill.works.add(owner)
    for homonym, meant in settle(found).items():
        _join(found.setdefault(meant, Gathered()), found.pop(homonym))
    return found


def _join(skill: Gathered, other: Gathered) -> None:
    skill.surfaces |= other.surfaces
    skill.evidence = sorted([*skill.evidence, *other.evidence], key=lambda place: place.start)
    skill.works |= other.works


def work_of_lines(works: Sequence[Work], lines: int) -> list[int | None]:
    """The number of the innermost job or project that each line belongs to."""
    owners: list[int | None] = [None] * lines
    for kind in (JOB, TASK):  # a project takes its lines from its job
        for number, work in enumerate(works):
            if work.kind == kind:
                for first, last in ((work.first, work.last), *work.more):
                    owners[first:last] = [number] * (last - first)
    return owners


def to_skills(found: dict[str, Gathered], entries: Sequence[Entry]) -> list[Skill]:
    """`entries` are the times of the works, in their order."""
    experience = skill_experience(
        entries, {name: [entries[number].id for number in sorted(each.works)] for name, each in found.items()}
    )
    skills = []
    for name, each in found.items():
        known = experience.get(name, UNKNOWN)
        skills.append(
            Skill(
                name,
                tuple(each.surfaces),
                known.months,
                known.months_sum,
                known.last_used,
                tuple(each.evidence),
            )
        )
    return sorted(skills, key=lambda skill: (-(skill.months or -1), skill.evidence[0].start))
