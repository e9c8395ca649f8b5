"""What every model is given of a resume: its text by section, its titles, and numbers that were mined from it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from evenhand.mining.clinical_research import research_features
from evenhand.records.document import Document
from evenhand.records.profile import PRESENT, Fact, Position, Profile, Section

SectionKind = Literal["Profile", "Education", "Work Experience", "Activities", "Skills", "Others"]
KINDS: tuple[SectionKind, ...] = get_args(SectionKind)


@dataclass(frozen=True, slots=True)
class SectionText:
    kind: SectionKind
    text: str


@dataclass(frozen=True, slots=True)
class ResumeInput:
    """A section that the resume lacks is absent, not empty. `titles` are of jobs, the current or latest first."""

    sections: tuple[SectionText, ...]
    titles: tuple[str, ...] = ()
    features: Mapping[str, float] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "\n".join(section.text for section in self.sections)


# From a read and mined resume to what every model is given of it: text by section, titles, mined numbers.

Place = tuple[int, int]
"""Half-open code point offsets into the text of the document."""

_KIND_OF: dict[str, SectionKind] = {
    "profile": "Profile",
    "education": "Education",
    "experience": "Work Experience",
    "projects": "Work Experience",
    "activities": "Activities",
    "skills": "Skills",
    "personal": "Others",
    "certifications": "Others",
    "other": "Others",
}
_HEAD = frozenset({"personal", "profile"})
_LANGUAGES = re.compile(r"\b(?:languages?|linguistic)\b", re.IGNORECASE)
_UNFINISHED = re.compile(r"(?:\b(?:and|of|in|for)|[&,/+])\s*$", re.IGNORECASE)
_ROOM = 4  # characters beside the words of a heading: a bullet, a colon
_NEVER = ""  # sorts before every date


def resume_input(document: Document, profile: Profile, *, with_person: bool = False) -> ResumeInput:
    """The same for the same document and profile; of a resume that could not be read or mined, without sections."""
    return input_of_text(document.text, profile, with_person=with_person)


def input_of_text(text: str, profile: Profile, *, with_person: bool = False) -> ResumeInput:
    """Who somebody is stays out unless `with_person`: name, addresses and phones are blanks, as many as there were
    characters, so that every other character stays where `section_places` says it is.
    """
    characters = list(text)
    if not with_person:
        personal = (profile.name, *profile.emails, *profile.phones, *profile.links)
        for start, end in ((fact.evidence.start, fact.evidence.end) for fact in personal if fact is not None):
            characters[start:end] = ["\n" if character == "\n" else " " for character in characters[start:end]]
    visible = "".join(characters)
    sections = (
        SectionText(kind, "\n".join(visible[start:end].strip("\n") for start, end in places))
        for kind, places in section_places(text, profile).items()
    )
    return ResumeInput(
        tuple(section for section in sections if section.text.strip()),
        tuple(titles_of(profile)),
        research_features(profile, text),
    )


def section_places(text: str, profile: Profile) -> dict[SectionKind, tuple[Place, ...]]:
    """Where each kind of section stands; every character of the text is in exactly one place.

    In the order of `KINDS`, not of the resume: a two-column resume has no order of its own.
    """
    by_kind: dict[SectionKind, list[Place]] = {}
    for kind, start, end in _stretches(text, profile):
        places = by_kind.setdefault(kind, [])
        if places and places[-1][1] == start:
            places[-1] = (places[-1][0], end)
        else:
            places.append((start, end))
    return {kind: tuple(by_kind[kind]) for kind in KINDS if kind in by_kind}


def _stretches(text: str, profile: Profile) -> Iterator[tuple[SectionKind, int, int]]:
    """Sections from their start to that of the next; what stands before the first belongs to the head."""
    if not text:
        return
    sections = sorted(profile.sections, key=lambda section: section.start)
    if not sections:
        yield "Others", 0, len(text)
        return
    if sections[0].start > 0:
        yield "Profile", 0, sections[0].start
    ends = [section.start for section in sections[1:]] + [len(text)]
    for section, kind, end in zip(sections, section_kinds(sections), ends, strict=True):
        yield kind, section.start, end


def section_kinds(sections: Sequence[Section]) -> list[SectionKind]:
    """The kind of each section of a resume, in the order of the resume.

    A heading that breaks over two lines ("Education and", "Certifications") opens one section, certificates without a
    heading belong to the section they stand in, and languages are of no other kind, whatever their heading says.
    """
    types: list[str] = []
    headed = False
    for place, section in enumerate(sections):
        is_rest = place > 0 and _breaks_off(sections[place - 1])
        is_within = headed and section.heading is None and section.type == "certifications"
        is_languages = section.heading is not None and _LANGUAGES.search(section.heading)
        own = "other" if is_languages else section.type
        types.append(types[-1] if is_rest or is_within else own)
        headed = headed or section.heading is not None
    return kinds_in_order(types)


def _breaks_off(section: Section) -> bool:
    """Whether there is nothing below its heading, which ends as only the first half of a heading does."""
    heading = section.heading
    if heading is None or section.end - section.start > len(heading) + _ROOM:
        return False
    return _UNFINISHED.search(heading) is not None


def kinds_in_order(types: Sequence[str]) -> list[SectionKind]:
    """The kind of each section by its type and place: what stands before all others is the head of the resume."""
    in_head = True
    kinds: list[SectionKind] = []
    for type in types:
        in_head = in_head and type in _HEAD
        kinds.append("Profile" if in_head else _KIND_OF[type])
    return kinds


def titles_of(profile: Profile) -> list[str]:
    """As the resume writes them, of jobs that go on first, then by their last month; undated ones come last."""
    return [title.surface for title in title_facts(profile)]


def title_facts(profile: Profile) -> list[Fact]:
    """In the order of `titles_of`."""

    def recency(job: Position) -> tuple[bool, str, str]:
        end, start = job.period.end or job.period.start or _NEVER, job.period.start or _NEVER
        return (end == PRESENT, _month(end), _month(start))

    jobs = sorted(profile.positions, key=recency, reverse=True)  # keeps the resume's order where dates are the same
    return [job.title for job in jobs if job.title is not None]


def _month(date: str) -> str:
    """A year alone may reach to its end."""
    return f"{date}-12" if len(date) == len("YYYY") else date
