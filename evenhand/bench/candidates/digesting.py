"""The digest of a composed candidate, merged from its blocks: the same bytes as `make_digest` gives for its text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.bench.candidates.blocks import COUNT_BITS, USE_BITS, Block, Study, Work
from evenhand.bench.candidates.composing import Candidate
from evenhand.records.profile import DEGREE_LEVELS
from evenhand.search.analysis import term_id
from evenhand.search.digest import (
    ELSEWHERE,
    ENTRY_TERM,
    IN_POSITION,
    IN_PROJECT,
    IN_SKILLS,
    NOT_IN_USE,
    ROLE,
    SKILL,
    UNDATED_USE,
    UNKNOWN,
    Digest,
    Facts,
    Held,
    month_number,
)
from evenhand.search.digest.record import MOST_YEARS, pack_facts

_FLAGS = {"experience": IN_POSITION, "projects": IN_PROJECT, "skills": IN_SKILLS}
_COUNT = np.uint64((1 << COUNT_BITS) - 1)
_USE = np.uint64((1 << USE_BITS) - 1)


@dataclass(frozen=True, slots=True)
class SkillFacts:
    months: int | None
    last_used: int | None
    places: tuple[tuple[int, int], ...]
    flags: int


@dataclass(frozen=True, slots=True)
class Known:
    """What the blocks of a candidate say together."""

    positions: tuple[Work, ...]
    studies: tuple[Study, ...]
    skills: dict[str, SkillFacts]
    total_months: int | None
    degree: str | None


def gather(candidate: Candidate) -> Known:
    positions = tuple(each.block.work for each in candidate.entries("experience") if each.block.work)
    studies = tuple(study for each in candidate.placed for study in each.block.studies)
    levels = [study.level for study in studies if study.level]
    return Known(
        positions,
        studies,
        _skills(candidate),
        union(positions),
        max(levels, key=DEGREE_LEVELS.index, default=None),
    )


def union(works: Sequence[Work]) -> int | None:
    """Months covered by the dated ones, once each, and the lengths of those that state no more."""
    if len(works) == 1:
        return works[0].months
    dated = sorted((w.start, w.end) for w in works if w.start is not None and w.end is not None)
    stated = [w.months for w in works if w.months is not None and (w.start is None or w.end is None)]
    if not dated and not stated:
        return None
    months, reached = sum(stated), -1
    for start, end in dated:
        months += max(end - max(start, reached + 1) + 1, 0)
        reached = max(reached, end)
    return months


def _skills(candidate: Candidate) -> dict[str, SkillFacts]:
    places: dict[str, list[tuple[int, int]]] = {}
    works: dict[str, list[Work]] = {}
    flags: dict[str, int] = {}
    for placed in candidate.placed:
        block, at = placed.block, placed.start
        kind = _FLAGS.get(placed.type, ELSEWHERE) if block.work or placed.type == "skills" else ELSEWHERE
        for name, spots in block.skills:
            if name not in places:
                places[name], works[name], flags[name] = [], [], 0
            places[name] += [(at + start, at + end) for start, end in spots]
            flags[name] |= kind
            if block.work:
                works[name].append(block.work)
    return {
        name: SkillFacts(union(works[name]), _last(works[name]), tuple(spots), flags[name])
        for name, spots in places.items()
    }


def _last(works: Sequence[Work]) -> int | None:
    ends = [work.end for work in works if work.end is not None]
    return max(ends) if ends else None


def digest(candidate: Candidate, known: Known) -> Digest:
    numbers, counts, uses = _merge(candidate)
    names = sorted(known.skills, key=lambda name: (term_id(name), name))
    return Digest(
        terms=numbers,
        counts=counts.astype(np.uint16),
        uses=uses,
        length=int(counts.sum()),
        skills=np.array([_skill_row(name, known.skills[name]) for name in names], SKILL),
        roles=np.array([(work.end or 0, _months(work.months)) for work in known.positions], ROLE),
        title_terms=_entry_terms(work.title_terms for work in known.positions),
        field_terms=_entry_terms(study.field_terms for study in known.studies),
        as_of=month_number(candidate.as_of),
        total_months=known.total_months,
        relevant_months=None,
        degree=known.degree,
        packed_facts=pack_facts(_facts(candidate, known, names), ()),
    )


def _merge(
    candidate: Candidate,
) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.uint8]]:
    """Sorted, the entries of one term stand together and begin with its smallest use."""
    works = [each.block.work for each in candidate.placed if each.block.work]
    last = max((work.end for work in works if work.end is not None), default=0)
    packed = [candidate.head.block.packed + (NOT_IN_USE << COUNT_BITS)]
    packed += [each.block.packed + (_use(each.block, last) << COUNT_BITS) for each in candidate.placed]
    entries = np.sort(np.concatenate(packed))
    numbers = entries >> np.uint64(COUNT_BITS + USE_BITS)
    starts = np.flatnonzero(np.concatenate(([True], numbers[1:] != numbers[:-1])))
    counts = np.add.reduceat((entries & _COUNT).astype(np.int64), starts)
    uses = (entries[starts] >> np.uint64(COUNT_BITS)) & _USE
    return numbers[starts].astype(np.uint32), counts, uses.astype(np.uint8)


def _use(block: Block, last: int) -> int:
    if block.work is None:
        return NOT_IN_USE
    return UNDATED_USE if block.work.end is None else min((last - block.work.end) // 12, MOST_YEARS)


def _skill_row(name: str, skill: SkillFacts) -> tuple[int, int, int, int, int]:
    mentions = min(len(skill.places), 255)
    return term_id(name), _months(skill.months), skill.last_used or 0, mentions, skill.flags


def _months(months: int | None) -> int:
    return UNKNOWN if months is None else months


def _entry_terms(entries: Iterable[tuple[int, ...]]) -> NDArray[np.void]:
    return np.array([(at, number) for at, entry in enumerate(entries) for number in entry], ENTRY_TERM)


def _facts(candidate: Candidate, known: Known, names: Sequence[str]) -> Facts:
    return Facts(
        skills=tuple(names),
        positions=tuple(Held(w.title, w.employer, w.start, w.end, w.months) for w in known.positions),
        fields=_values(study.field for study in known.studies),
        degrees=_values(study.degree for study in known.studies),
        universities=_values(study.university for study in known.studies),
        certifications=_values(value for each in candidate.placed for value in each.block.certifications),
        languages=_values(value for each in candidate.placed for value in each.block.languages),
        city=candidate.head.city,
        country=candidate.head.country,
    )


def _values(values: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))
