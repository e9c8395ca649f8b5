"""From a read and mined resume to what every model is given of it: text by section, titles, mined numbers."""

from __future__ import annotations

from collections.abc import Iterator

from evenhand.mining.research import research_features
from evenhand.models.inputs import KINDS, ResumeInput, SectionKind, SectionText
from evenhand.records.document import Document
from evenhand.records.profile import PRESENT, Fact, Position, Profile

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
_HEAD = frozenset({"personal", "profile"})  # what stands above the first section of another type is the head
_NEVER = ""  # sorts before every date


def resume_input(document: Document, profile: Profile, *, with_person: bool = False) -> ResumeInput:
    """The same for the same document and profile.

    Who somebody is stays out unless `with_person`: name, addresses and phones are blanks, as many as there were
    characters, so that every other character stays where `section_places` says it is.
    """
    text = document.text if with_person else _without_person(document.text, profile)
    sections = (
        SectionText(kind, "\n".join(text[start:end].strip("\n") for start, end in places))
        for kind, places in section_places(document.text, profile).items()
    )
    return ResumeInput(
        tuple(section for section in sections if section.text.strip()),
        tuple(titles_of(profile)),
        research_features(profile, document.text),
    )


def section_places(text: str, profile: Profile) -> dict[SectionKind, tuple[Place, ...]]:
    """Where each kind of section stands; every character of the text is in exactly one place.

    In the order of `KINDS`, not of the resume: a two-column resume has no order of its own.
    """
    found: dict[SectionKind, list[Place]] = {}
    for kind, start, end in _stretches(text, profile):
        places = found.setdefault(kind, [])
        if places and places[-1][1] == start:
            places[-1] = (places[-1][0], end)
        else:
            places.append((start, end))
    return {kind: tuple(found[kind]) for kind in KINDS if kind in found}


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
    in_head = True
    for section, end in zip(sections, ends, strict=True):
        in_head = in_head and section.type in _HEAD
        yield "Profile" if in_head else _KIND_OF[section.type], section.start, end


def titles_of(profile: Profile) -> list[str]:
    """As the resume writes them, of jobs that go on first, then by their last month; undated ones come last."""
    jobs = sorted(
        profile.positions, key=_recency, reverse=True
    )  # keeps the resume's order where dates are the same
    return [job.title.surface for job in jobs if job.title is not None]


def _recency(job: Position) -> tuple[bool, str, str]:
    end, start = job.period.end or job.period.start or _NEVER, job.period.start or _NEVER
    return (end == PRESENT, _month(end), _month(start))


def _month(date: str) -> str:
    """A year alone may reach to its end."""
    return f"{date}-12" if len(date) == len("YYYY") else date


def _without_person(text: str, profile: Profile) -> str:
    characters = list(text)
    for fact in _personal_facts(profile):
        start, end = fact.evidence.start, fact.evidence.end
        characters[start:end] = ["\n" if character == "\n" else " " for character in characters[start:end]]
    return "".join(characters)


def _personal_facts(profile: Profile) -> Iterator[Fact]:
    if profile.name is not None:
        yield profile.name
    for facts in (profile.emails, profile.phones, profile.links):
        yield from facts
