"""Text and Profile -> ResumeFeatures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from evenhand.records.profile import PRESENT, Evidence, Fact, Period, Position, Profile, Project, Skill
from evenhand.search.analysis import term_id, terms, title_terms
from evenhand.search.features import (
    ELSEWHERE,
    ENTRY_TERM,
    IN_POSITION,
    IN_PROJECT,
    IN_SKILLS,
    MAX_YEARS,
    NOT_IN_USE,
    ROLE,
    SKILL,
    UNDATED_USE,
    UNKNOWN,
    HeldPosition,
    ResumeFeatures,
    ResumeTerms,
    Vectors,
    month_number,
    pack_facts,
)
from evenhand.search.rankers.background import load_background
from evenhand.search.rankers.roles import TITLE, load_roles, stored, unit

_MAX_MONTHS = 32_767
_MAX_COUNT = 65_535
_MAX_MENTIONS = 255
_MAX_ENTRIES = 255


def extract_features(text: str, profile: Profile, *, vectors: Vectors | None = None) -> ResumeFeatures:
    """`text` is the visible text that the profile's places point into."""
    # A name that happens to be a word of the job ("Baker", a mail at java.example) must not earn or cost anything.
    for fact in (profile.name, *profile.emails, *profile.phones, *profile.links):
        if fact:
            place = fact.evidence
            text = text[: place.start] + " " * (place.end - place.start) + text[place.end :]
    numbers, counts = count_terms(terms(text))
    meaning, known = measure_text(numbers, counts)
    entries = _count_entries(text, profile)
    rows, names = _skills(profile)
    titles = [position.title.value if position.title else "" for position in profile.positions]
    studies = [entry.field.value if entry.field else "" for entry in profile.education]
    kinds = vectors.kinds if vectors else ()
    facts = ResumeTerms(
        skills=names,
        positions=tuple(_held(position, profile.as_of) for position in profile.positions),
        fields=_values(entry.field for entry in profile.education),
        degrees=_values(entry.degree for entry in profile.education),
        universities=_values(entry.university for entry in profile.education),
        certifications=_values(entry.name for entry in profile.certifications),
        languages=_values(profile.languages),
        city=profile.city.value if profile.city else None,
        country=profile.country,
    )
    return ResumeFeatures(
        terms=numbers,
        counts=np.minimum(counts, _MAX_COUNT).astype(np.uint16),
        uses=_uses(numbers, entries, profile),
        length=int(counts.sum()),
        skills=rows,
        roles=_roles(profile, entries),
        title_terms=_entry_terms(map(title_terms, titles)),
        field_terms=_entry_terms(map(terms, studies)),
        as_of=month_number(profile.as_of),
        total_months=_capped(profile.total_months),
        relevant_months=_capped(profile.relevant_months),
        degree=profile.highest_degree,
        packed_facts=pack_facts(facts, kinds),
        meaning=meaning,
        known=known,
        kinds=kinds,
        vectors=vectors.values.astype(np.float16) if vectors else None,
    )


def with_skills_of(features: ResumeFeatures, profile: Profile) -> ResumeFeatures:
    """As `extract_features` would make them of a profile that differs in its skills only, without reading the text."""
    rows, names = _skills(profile)
    facts = pack_facts(replace(features.facts, skills=names), features.kinds)
    return replace(features, skills=rows, packed_facts=facts)


def measure_text(numbers: NDArray[np.uint32], counts: NDArray[np.int64]) -> tuple[NDArray[np.int8], int]:
    """What a text of these terms is about, as role vectors see it, and the percent of it that English texts have."""
    known = load_background().known(numbers)
    share = float(counts[known].sum()) / max(int(counts.sum()), 1)
    return stored(load_roles().encode(numbers, counts)), round(100 * share)


def count_terms(terms: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The distinct terms' numbers, sorted, and how often each occurs."""
    numbers = np.fromiter(map(term_id, terms), np.uint32, len(terms))
    distinct, counts = np.unique(numbers, return_counts=True)
    return distinct, counts.astype(np.int64)


Counted = tuple[NDArray[np.uint32], NDArray[np.int64]]


def _count_entries(text: str, profile: Profile) -> list[Counted]:
    """The terms of each position and project, and how often each occurs."""
    entries: list[Position | Project] = [*profile.positions, *profile.projects]
    return [count_terms(terms(text[entry.evidence.start : entry.evidence.end])) for entry in entries]


def _uses(numbers: NDArray[np.uint32], counted: Sequence[Counted], profile: Profile) -> NDArray[np.uint8]:
    """Each term's years since a job or project last mentioned it.

    Counted from the resume's own last month, not from today: how long a file has lain about says nothing of anyone.
    """
    entries: list[Position | Project] = [*profile.positions, *profile.projects]
    ends = [_end(entry.period, profile.as_of) for entry in entries]
    last = max((end for end in ends if end is not None), default=0)
    uses = np.full(len(numbers), NOT_IN_USE, np.uint8)
    for (mentioned, _), end in zip(counted, ends, strict=True):
        years = UNDATED_USE if end is None else min((last - end) // 12, MAX_YEARS)
        at = np.searchsorted(numbers, mentioned)
        known = at < len(numbers)
        at = at[known][numbers[at[known]] == mentioned[known]]  # a word cut by an entry's edge is another term
        uses[at] = np.minimum(uses[at], years)
    return uses


def _roles(profile: Profile, counted: Sequence[Counted]) -> NDArray[np.void]:
    roles = load_roles()
    rows = np.zeros(min(len(profile.positions), _MAX_ENTRIES), ROLE)
    for row, position, terms_of in zip(rows, profile.positions, counted, strict=False):
        meaning = roles.encode(*terms_of)
        if position.title:
            meaning = unit(meaning + TITLE * roles.encode_terms(title_terms(position.title.value)))
        row["meaning"] = stored(meaning)
        months = _capped(position.period.months)
        row["end"] = _end(position.period, profile.as_of) or 0
        row["months"] = UNKNOWN if months is None else months
    return rows


def _entry_terms(entries: Iterable[Sequence[str]]) -> NDArray[np.void]:
    """The distinct terms of each entry."""
    numbers = [
        (at, term_id(term)) for at, entry in enumerate(islice(entries, _MAX_ENTRIES)) for term in dict.fromkeys(entry)
    ]
    return np.array(numbers, ENTRY_TERM)


def _skills(profile: Profile) -> tuple[NDArray[np.void], tuple[str, ...]]:
    skills = sorted(profile.skills, key=lambda skill: (term_id(skill.name), skill.name))
    rows = np.zeros(len(skills), SKILL)
    for row, skill in zip(rows, skills, strict=True):
        months = _capped(skill.months)
        row["id"] = term_id(skill.name)
        row["months"] = UNKNOWN if months is None else months
        row["last_used"] = month_number(skill.last_used) if skill.last_used else 0
        row["mentions"] = min(len(skill.evidence), _MAX_MENTIONS)
        row["places"] = _places(skill, profile)
    return rows, tuple(skill.name for skill in skills)


def _places(skill: Skill, profile: Profile) -> int:
    """Where it is mentioned. What the miner found inside an entry's text counts though no single place was kept."""
    flags = IN_POSITION * any(skill.name in position.skills for position in profile.positions)
    flags |= IN_PROJECT * any(skill.name in project.skills for project in profile.projects)
    for place in skill.evidence:
        inside = IN_POSITION * _inside(place, profile.positions) | IN_PROJECT * _inside(place, profile.projects)
        kinds = [section.type for section in profile.sections if section.start <= place.start < section.end]
        flags |= inside or (IN_SKILLS if "skills" in kinds else ELSEWHERE)
    return flags


def _inside(place: Evidence, entries: Sequence[Position | Project]) -> bool:
    return any(entry.evidence.start <= place.start < entry.evidence.end for entry in entries)


def _held(position: Position, as_of: str) -> HeldPosition:
    period: Period = position.period
    return HeldPosition(
        position.title.value if position.title else None,
        position.employer.value if position.employer else None,
        month_number(period.start) if period.start else None,
        _end(period, as_of),
        period.months,
    )


def _end(period: Period, as_of: str) -> int | None:
    """A month's number; the month of reading where a period goes on."""
    end = as_of if period.end == PRESENT else period.end
    return month_number(end) if end else None


def _values(facts: Iterable[Fact | None]) -> tuple[str, ...]:
    """Each once, in the order of the resume."""
    return tuple(dict.fromkeys(fact.value for fact in facts if fact))


def _capped(months: int | None) -> int | None:
    return None if months is None else min(months, _MAX_MONTHS)
