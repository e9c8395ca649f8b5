"""Puts one candidate together: a person of some occupation, each part of the resume drawn from its own colleague."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from evenhand.records.profile import DEGREE_LEVELS
from evenhand.search import features
from evenhand.search.analysis import term_id
from evenhand.search.features import ResumeFeatures, month_number
from evenhand_lab.benchmarks.candidates.blocks import (
    COUNT_BITS,
    ENTRIES,
    USE_BITS,
    Base,
    BlockStudy,
    BlockWork,
    ContactBlock,
    Group,
    ResumeBlock,
    ResumeParts,
    pack,
)
from evenhand_lab.corpora.lexicon import stream

# Rare words: real pools hold clients, products and misspellings by the hundred thousand, each in very few
# resumes.


WORDS = 2_000_000
MEAN = 5  # words per resume
_ONSETS = ("b", "br", "d", "dr", "f", "fl", "g", "k", "kl", "l", "m", "n", "p", "pr", "r", "s", "t", "tr", "v", "z")
_VOWELS = ("a", "e", "i", "o", "u", "ai", "eo")


def _name(rank: int) -> str:
    """A word of its own for every rank."""
    word = ""
    while True:
        rank, onset = divmod(rank, len(_ONSETS))
        rank, vowel = divmod(rank, len(_VOWELS))
        word += _ONSETS[onset] + _VOWELS[vowel]
        if not rank:
            return word.capitalize() + "x"  # nothing for a stemmer to cut


MAIL = ("gmail.example", "mail.example", "yahoo.example", "outlook.example", "post.example")


@dataclass(frozen=True, slots=True)
class CandidateIdentity:
    """What no other candidate has."""

    name: str
    email: str
    phone: str
    link: str


@dataclass(frozen=True, slots=True)
class PlacedBlock:
    """A block, the type of its section and where it stands in the text."""

    type: str
    start: int
    block: ResumeBlock


@dataclass(frozen=True, slots=True)
class ComposedCandidate:
    number: int
    identity: CandidateIdentity
    identity_places: tuple[tuple[str, int, int], ...]  # label, half-open place in the text
    head: ContactBlock
    as_of: str
    text: str
    placed: tuple[PlacedBlock, ...]  # without the head
    sections: tuple[tuple[str, int, int], ...]  # type, half-open place

    def entries(self, type: str) -> list[PlacedBlock]:
        """Jobs ("experience") or projects, in the order of the text."""
        return [each for each in self.placed if each.type == type and each.block.work]


def compose(base: Base, number: int, *, seed: int, group: Group | None = None) -> ComposedCandidate:
    """The candidate of this number, the same whatever was made before; of `group`, or of any occupation."""
    rng = stream(seed, number, "candidate")
    plan = rng.choice(base.members.get(group) or base.resumes if group else base.resumes)
    colleagues = base.members[plan.group]
    owner = rng.choice(colleagues)
    identity = _identity(rng, base.resumes, owner, number)
    text, places = _fill(owner.head, identity)
    placed: list[PlacedBlock] = []
    sections: list[tuple[str, int, int]] = []
    for type, blocks in _parts(rng, base, plan):
        text += "\n"
        start = len(text)
        for block in blocks:
            placed.append(PlacedBlock(type, len(text), block))
            text += block.text
        sections.append((type, start, len(text)))
    return ComposedCandidate(number, identity, places, owner.head, plan.as_of, text, tuple(placed), tuple(sections))


def _parts(rng: Random, base: Base, plan: ResumeParts) -> Iterator[tuple[str, list[ResumeBlock]]]:
    """The plan's sections in its order, with as many entries; what they say is drawn. Rare words come last."""
    for part in plan.parts:
        if part.type not in ENTRIES:
            yield part.type, list(rng.choice(base.sections[plan.group, part.type]).blocks)
            continue
        drawn = [rng.choice(base.entries[plan.group, part.type, place]) for place in range(len(part.blocks))]
        yield part.type, [*([part.heading] if part.heading else []), *drawn]
    # A line of clients. The r-th word of the list is drawn in proportion to 1/r (Zipf).
    names = [_name(int(math.exp(rng.random() * math.log(WORDS)))) for _ in range(rng.randint(1, 2 * MEAN - 1))]
    text = f"Clients: {', '.join(names)}\n"
    yield "other", [ResumeBlock(text, *pack(text))]


def _identity(rng: Random, people: Sequence[ResumeParts], owner: ResumeParts, number: int) -> CandidateIdentity:
    first, last = owner.name.split()[0], rng.choice(people).name.split()[-1]
    handle = f"{first}.{last}".lower()
    digits = f"{rng.randrange(10**9):09d}"
    return CandidateIdentity(
        name=f"{first} {last}",
        email=f"{handle}{number % 10_000}@{rng.choice(MAIL)}",
        phone=f"{owner.phone.split()[0]} {digits[:4]} {digits[4:]}",
        link=f"linkedin.example/in/{handle.replace('.', '-')}-{number:x}",
    )


def _fill(head: ContactBlock, identity: CandidateIdentity) -> tuple[str, tuple[tuple[str, int, int], ...]]:
    text = head.before
    places = []
    for label, after in head.gaps:
        start = len(text)
        text += str(getattr(identity, label))
        places.append((label, start, len(text)))
        text += after
    return text, tuple(places)


# The digest of a composed candidate, merged from its blocks: the same bytes as `make_digest` gives for its
# text.

_FLAGS = {"experience": features.IN_POSITION, "projects": features.IN_PROJECT, "skills": features.IN_SKILLS}
_COUNT = np.uint64((1 << COUNT_BITS) - 1)
_USE = np.uint64((1 << USE_BITS) - 1)


@dataclass(frozen=True, slots=True)
class SkillFacts:
    months: int | None
    last_used: int | None
    places: tuple[tuple[int, int], ...]
    flags: int


@dataclass(frozen=True, slots=True)
class CandidateTruth:
    """What the blocks of a candidate say together."""

    positions: tuple[BlockWork, ...]
    studies: tuple[BlockStudy, ...]
    skills: dict[str, SkillFacts]
    total_months: int | None
    degree: str | None


def collect_truth(candidate: ComposedCandidate) -> CandidateTruth:
    positions = tuple(each.block.work for each in candidate.entries("experience") if each.block.work)
    studies = tuple(study for each in candidate.placed for study in each.block.studies)
    levels = [study.level for study in studies if study.level]
    return CandidateTruth(
        positions, studies, _skills(candidate), union(positions), max(levels, key=DEGREE_LEVELS.index, default=None)
    )


def union(works: Sequence[BlockWork]) -> int | None:
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


def _skills(candidate: ComposedCandidate) -> dict[str, SkillFacts]:
    places: dict[str, list[tuple[int, int]]] = {}
    works: dict[str, list[BlockWork]] = {}
    flags: dict[str, int] = {}
    for placed in candidate.placed:
        block, at = placed.block, placed.start
        flag = (
            _FLAGS.get(placed.type, features.ELSEWHERE) if block.work or placed.type == "skills" else features.ELSEWHERE
        )
        for name, spots in block.skills:
            places.setdefault(name, []).extend((at + start, at + end) for start, end in spots)
            flags[name] = flags.get(name, 0) | flag
            works.setdefault(name, []).extend([block.work] if block.work else [])
    return {
        name: SkillFacts(
            union(works[name]),
            max((work.end for work in works[name] if work.end is not None), default=None),
            tuple(spots),
            flags[name],
        )
        for name, spots in places.items()
    }


def digest(candidate: ComposedCandidate, known: CandidateTruth) -> ResumeFeatures:
    numbers, counts, uses = _merge(candidate)
    names = sorted(known.skills, key=lambda name: (term_id(name), name))
    rows = []
    for name in names:
        skill = known.skills[name]
        mentions = min(len(skill.places), 255)
        rows.append((term_id(name), _months(skill.months), skill.last_used or 0, mentions, skill.flags))
    positions, studies, blocks = known.positions, known.studies, [placed.block for placed in candidate.placed]
    facts = features.ResumeTerms(
        skills=tuple(names),
        positions=tuple(features.HeldPosition(w.title, w.employer, w.start, w.end, w.months) for w in positions),
        fields=_values(study.field for study in studies),
        degrees=_values(study.degree for study in studies),
        universities=_values(study.university for study in studies),
        certifications=_values(value for block in blocks for value in block.certifications),
        languages=_values(value for block in blocks for value in block.languages),
        city=candidate.head.city,
        country=candidate.head.country,
    )
    return ResumeFeatures(
        terms=numbers,
        counts=counts.astype(np.uint16),
        uses=uses,
        length=int(counts.sum()),
        skills=np.array(rows, features.SKILL),
        roles=np.array([(work.end or 0, _months(work.months)) for work in positions], features.ROLE),
        title_terms=_entry_terms(work.title_terms for work in positions),
        field_terms=_entry_terms(study.field_terms for study in studies),
        as_of=month_number(candidate.as_of),
        total_months=known.total_months,
        relevant_months=None,
        degree=known.degree,
        packed_facts=features.pack_facts(facts, ()),
    )


def _merge(candidate: ComposedCandidate) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.uint8]]:
    """Sorted, the entries of one term stand together and begin with its smallest use."""
    ends = [placed.block.work.end for placed in candidate.placed if placed.block.work]
    last = max((end for end in ends if end is not None), default=0)

    def use(block: ResumeBlock) -> int:
        if block.work is None:
            return features.NOT_IN_USE
        end = block.work.end
        return features.UNDATED_USE if end is None else min((last - end) // 12, features.MAX_YEARS)

    blocks = [candidate.head.block, *(placed.block for placed in candidate.placed)]
    entries = np.sort(np.concatenate([block.packed + (use(block) << COUNT_BITS) for block in blocks]))
    numbers = entries >> np.uint64(COUNT_BITS + USE_BITS)
    starts = np.flatnonzero(np.concatenate(([True], numbers[1:] != numbers[:-1])))
    counts = np.add.reduceat((entries & _COUNT).astype(np.int64), starts)
    uses = (entries[starts] >> np.uint64(COUNT_BITS)) & _USE
    return numbers[starts].astype(np.uint32), counts, uses.astype(np.uint8)


def _months(months: int | None) -> int:
    return features.UNKNOWN if months is None else months


def _entry_terms(entries: Iterable[tuple[int, ...]]) -> NDArray[np.void]:
    return np.array([(at, number) for at, entry in enumerate(entries) for number in entry], features.ENTRY_TERM)


def _values(values: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))
