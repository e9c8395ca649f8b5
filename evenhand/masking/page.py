"""A resume's text as the finders see it: its words, where its owner is spoken of, and where the facts stand."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property

from evenhand.mining.lexicon.phrases import companies
from evenhand.records.profile import Fact, Profile, Section
from evenhand.text.folding import FoldedWord, word_set, words
from evenhand.text.gender_words import DOUBTFUL_SALUTATIONS, SALUTATIONS
from evenhand.text.names import lexicon_text

Span = tuple[int, int]
Edges = tuple[list[int], list[int]]
"""Starts and ends of stretches that do not overlap."""

HEAD_LINES = 10  # where no section tells where the head ends
HEAD_CHARACTERS = 2_500
BLOCK_LINES = 3  # before and behind an e-mail address
BLOCK_WIDTH = 60
NEAR = 160  # how far a line or a cell is followed: a hostile page may be one line
_EDGE = re.compile(r"[\n\t|•·▪●■◦‣;]|[ \xa0]{2,}|[ \xa0][-–—/*][ \xa0]")
_TEXT_BEFORE = re.compile(r"(?<![^\n])([^\S\n]*+\S[^\n]*+)\n\s*+\Z")
_TEXT_AFTER = re.compile(r"[^\S\n]*+\n\s*+([^\n]+)")
_LINE_END = re.compile(r"\n")


class MaskingPage:
    """The profile is that of the text. What is no resume but a sentence about its owner has none, and no head."""

    def __init__(self, text: str, profile: Profile | None = None, *, is_resume: bool = True) -> None:
        self.text = text
        self.profile = profile
        self.is_resume = is_resume

    @cached_property
    def words(self) -> list[FoldedWord]:
        return words(self.text)

    @cached_property
    def numbers(self) -> dict[str, list[int]]:
        """By key, which of the words are this one: most rules look for few words among many."""
        numbers: dict[str, list[int]] = {}
        for number, word in enumerate(self.words):
            numbers.setdefault(word.key, []).append(number)
        return numbers

    def occurrences(self, keys: Iterable[str]) -> Iterator[FoldedWord]:
        """Where these words stand; not in the order of the text."""
        for key in keys:
            for number in self.numbers.get(key, ()):
                yield self.words[number]

    @property
    def _sections(self) -> tuple[Section, ...]:
        return self.profile.sections if self.profile else ()

    @cached_property
    def head_end(self) -> int:
        """Where the part ends that stands above the first section."""
        if not self.is_resume:
            return 0
        first = next((section.start for section in self._sections if section.type != "personal"), None)
        if first:
            return min(first, HEAD_CHARACTERS)
        at = -1
        for _ in range(HEAD_LINES):
            at = self.text.find("\n", at + 1)
            if at < 0:
                return min(len(self.text), HEAD_CHARACTERS)
        return min(at, HEAD_CHARACTERS)

    @cached_property
    def _personal(self) -> Edges:
        personal = [section for section in self._sections if section.type == "personal"]
        return _joined([*((section.start, section.end) for section in personal), *self.contact_blocks()])

    def is_personal(self, at: int) -> bool:
        """Whether its owner is spoken of here: the head, personal details, lines of contact data."""
        return _covers(self._personal, at, at + 1)

    def personal(self) -> Iterator[Span]:
        """The stretches of which `is_personal` holds."""
        return zip(*self._personal, strict=True)

    def contact_blocks(self) -> Iterator[Span]:
        """The head, and the short lines around e-mail addresses and telephone numbers: a side bar may hold them."""
        yield 0, self.head_end
        for fact in (*self.profile.emails, *self.profile.phones) if self.profile else ():
            if self.head_end <= fact.evidence.start and fact.evidence.end <= len(self.text):
                yield self._block(fact.evidence.start)

    def _block(self, at: int) -> Span:
        start, end = self.line(at)
        for _ in range(BLOCK_LINES):
            before = _TEXT_BEFORE.search(self.text, max(0, start - NEAR), start)
            if not before or not self._is_short(before.span(1)):
                break
            start = before.start(1)
        for _ in range(BLOCK_LINES):
            after = _TEXT_AFTER.match(self.text, end, min(len(self.text), end + NEAR))
            if not after or not self._is_short(after.span(1)):
                break
            end = after.end(1)
        return start, end

    def _is_short(self, line: Span) -> bool:
        """A line that may be an address: short, and no fact."""
        return 0 < line[1] - line[0] <= BLOCK_WIDTH and not self.is_fact(*line)

    @cached_property
    def _introduction(self) -> Edges:
        summaries = [(section.start, section.end) for section in self._sections if section.type == "profile"]
        return _joined([*self.personal(), *summaries])

    def is_introduction(self, at: int) -> bool:
        """As `is_personal`, or in a summary."""
        return _covers(self._introduction, at, at + 1)

    @cached_property
    def _places(self) -> dict[str, Edges]:
        """Where the facts of the profile stand, by what they are."""
        if self.profile is None:
            return dict.fromkeys(("fact", "firm", "institution", "skill", "subject", "title"), ([], []))
        jobs, studies = self.profile.positions, self.profile.education
        skills = [place for skill in self.profile.skills for place in skill.evidence]
        projects = self.profile.projects
        institutions = (*(job.employer for job in jobs), *(project.client for project in projects))
        facts = {
            "fact": _named_facts(self.profile),
            "institution": (*institutions, *(study.university for study in studies)),
            "subject": (fact for study in studies for fact in (study.degree, study.field)),
            "title": (job.title for job in jobs),
            "firm": self._firms,
        }
        places = {kind: [fact.evidence for fact in some if fact] for kind, some in facts.items()}
        places["fact"] += skills
        places["skill"] = skills
        return {kind: _joined((place.start, place.end) for place in some) for kind, some in places.items()}

    def is_fact(self, start: int, end: int) -> bool:
        """Whether a fact about work or study covers this place: a skill, an employer, a title, a school."""
        return _covers(self._places["fact"], start, end)

    def is_in(self, kind: str, start: int, end: int) -> bool:
        """Whether an "institution" (employer, client, school), a "skill", a "subject" (degree, field of study), a
        "title" or a "firm" (employer, client or project that may bear the applicant's name) covers this place."""
        return _covers(self._places[kind], start, end)

    def section_type(self, at: int) -> str | None:
        return next((section.type for section in self._sections if section.start <= at < section.end), None)

    def fact_words(self, name: frozenset[str] = frozenset()) -> frozenset[str]:
        """The words of those facts; a name made of one of them is not known by that word alone.

        Of the words of `name` some facts say nothing: one that holds several of them was found by mistake, a firm that
        is not widely known may be the applicant's own, and many schools are named after people.
        """
        schools = [study.university for study in self.profile.education if study.university] if self.profile else []
        firms = {(fact.evidence.start, fact.evidence.end) for fact in (*self._firms, *schools)}
        return frozenset(
            key
            for place, keys in self._fact_keys
            for key in (keys - name if place in firms or len(keys & name) > 1 else keys)
        )

    @cached_property
    def _fact_keys(self) -> list[tuple[Span, frozenset[str]]]:
        if self.profile is None:
            return []
        surfaces = [((fact.evidence.start, fact.evidence.end), fact.surface) for fact in _named_facts(self.profile)]
        surfaces += [((0, 0), form) for skill in self.profile.skills for form in (skill.name, *skill.surfaces)]
        return [(place, frozenset(word.key for word in words(surface))) for place, surface in surfaces]

    @cached_property
    def _firms(self) -> list[Fact]:
        """Employers, clients and projects that are no companies everybody knows."""
        if self.profile is None:
            return []
        facts = [job.employer for job in self.profile.positions]
        facts += [fact for project in self.profile.projects for fact in (project.client, project.name)]
        return [fact for fact in facts if fact and companies().get(fact.surface) is None]

    def line(self, at: int) -> Span:
        """The line around a place, as far as it is near."""
        return self._around(at, _LINE_END)

    def cell(self, at: int) -> Span:
        """The part of its line between two separators: bars, bullets, tabs, wide gaps."""
        return self._around(at, _EDGE)

    def _around(self, at: int, edge: re.Pattern[str]) -> Span:
        first, last = max(0, at - NEAR), min(len(self.text), at + NEAR)
        before = [match.end() for match in edge.finditer(self.text, first, at)]
        after = edge.search(self.text, at, last)
        start, end = before[-1] if before else first, after.start() if after else last
        while start < end and self.text[start].isspace():
            start += 1
        while end > start and self.text[end - 1].isspace():
            end -= 1
        return start, end


def _named_facts(profile: Profile) -> list[Fact]:
    """Facts with a name of their own that may hold a word of a person's name."""
    facts = (
        *(fact for job in profile.positions for fact in (job.employer, job.title, job.city)),
        *(fact for project in profile.projects for fact in (project.client, project.role, project.name)),
        *(fact for study in profile.education for fact in (study.university, study.degree, study.field)),
        *(certificate.name for certificate in profile.certifications),
        *profile.languages,
    )
    return [fact for fact in facts if fact]


def _covers(edges: Edges, start: int, end: int) -> bool:
    number = bisect_right(edges[0], start) - 1
    return number >= 0 and end <= edges[1][number]


def _joined(spans: Iterable[Span]) -> Edges:
    starts: list[int] = []
    ends: list[int] = []
    for start, end in sorted(spans):
        if start >= end:
            continue
        if ends and start < ends[-1]:
            ends[-1] = max(ends[-1], end)
        else:
            starts.append(start)
            ends.append(end)
    return starts, ends


# Words that decide whether a capitalised word is the applicant's name; lexicons/name_words.toml says what each list is.

_LEXICON = tomllib.loads(lexicon_text("name_words.toml"))
MONTHS, WEEKDAYS, PLACES = (word_set(_LEXICON[name]) for name in ("months", "weekdays", "places"))
COMMON = MONTHS | WEEKDAYS | PLACES | word_set(_LEXICON["common"])
PARTICLES, NO_NAMES, OCCUPATIONS, HEADINGS = (
    word_set(_LEXICON[name]) for name in ("particles", "no_names", "occupations", "headings")
)
TITLES = SALUTATIONS | DOUBTFUL_SALUTATIONS | word_set(_LEXICON["titles"])
COUNTRIES: list[str] = _LEXICON["countries"].split()
