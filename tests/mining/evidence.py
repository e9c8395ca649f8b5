"""What must hold of every Profile, whatever the resume: each value stands where its evidence says."""

from __future__ import annotations

from collections.abc import Iterator

from evenhand.records import Document
from evenhand.records.profile import Education, Evidence, Fact, Position, Profile, Project

Entry = Position | Project | Education
FACTS: dict[type[Entry], tuple[str, ...]] = {
    Position: ("employer", "title", "city"),
    Project: ("name", "client", "role"),
    Education: ("university", "degree", "field", "year", "performance"),
}


def violations(document: Document, profile: Profile) -> list[str]:
    """One sentence for each value that is not where it should be; without the value, which may be personal."""
    return [
        *_misplaced_facts(document, profile),
        *_misplaced_skills(document, profile),
        *_misplaced_entries(document, profile),
        *_misplaced_sections(document, profile),
        *_wrong_counts(profile),
        *_empty_values(profile.to_json(), "profile"),
    ]


def _misplaced_facts(document: Document, profile: Profile) -> Iterator[str]:
    for kind, fact in _all_facts(profile):
        if fault := _place_fault(document, fact.evidence):
            yield f"{kind}: {fault}"
        elif document.text[fact.evidence.start : fact.evidence.end] != fact.surface:
            yield f"{kind}: the text at its place is not its surface"


def _all_facts(profile: Profile) -> Iterator[tuple[str, Fact]]:
    alone = [("name", profile.name), ("city", profile.city)]
    yield from ((kind, fact) for kind, fact in alone if fact)
    for kind in ("emails", "phones", "links", "languages"):
        yield from ((kind, fact) for fact in getattr(profile, kind))
    for entry in _entries(profile):
        yield from _facts_of(entry)
    for certification in profile.certifications:
        yield "certification name", certification.name
        if certification.year:
            yield "certification year", certification.year


def _entries(profile: Profile) -> list[Entry]:
    return [*profile.positions, *profile.projects, *profile.education]


def _facts_of(entry: Entry) -> Iterator[tuple[str, Fact]]:
    for name in FACTS[type(entry)]:
        if fact := getattr(entry, name):
            yield f"{type(entry).__name__.lower()} {name}", fact


def _place_fault(document: Document, place: Evidence) -> str | None:
    if not 0 <= place.start < place.end <= len(document.text):
        return "its place is not within the text"
    if not 1 <= place.page <= max(1, document.pages):
        return "its page is not in the document"
    if not 0 <= place.confidence <= 1:
        return "its confidence is not from 0 to 1"
    return None


def _misplaced_skills(document: Document, profile: Profile) -> Iterator[str]:
    for skill in profile.skills:
        if not skill.evidence or not skill.surfaces:
            yield "skill: no place or no surface"
        for place in skill.evidence:
            if fault := _place_fault(document, place):
                yield f"skill: {fault}"
            elif document.text[place.start : place.end] not in skill.surfaces:
                yield "skill: the text at its place is none of its surfaces"
        shown = {document.text[place.start : place.end] for place in skill.evidence}
        if shown != set(skill.surfaces):
            yield "skill: a surface has no place"
    names = [skill.name for skill in profile.skills]
    if len(names) != len(set(names)):
        yield "skill: one name twice"


def _misplaced_entries(document: Document, profile: Profile) -> Iterator[str]:
    for entry in _entries(profile):
        kind = type(entry).__name__.lower()
        if fault := _place_fault(document, entry.evidence):
            yield f"{kind}: {fault}"
            continue
        whole = _spaced(document.text[entry.evidence.start : entry.evidence.end])
        for name, fact in _facts_of(entry):
            if _spaced(fact.surface) not in whole:
                yield f"{name}: not inside its entry"
            if not _is_within(fact.evidence, entry.evidence):
                yield f"{name}: its place is outside its entry"
            if _spaced(fact.value) not in whole and name != "education year":
                yield f"{name}: its value is not inside its entry"
        if not isinstance(entry, Education) and entry.period.evidence is not None:
            if fault := _place_fault(document, entry.period.evidence):
                yield f"{kind} dates: {fault}"
            elif not _is_within(entry.period.evidence, entry.evidence):
                yield f"{kind} dates: their place is outside their entry"


def _is_within(inner: Evidence, outer: Evidence) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _misplaced_sections(document: Document, profile: Profile) -> Iterator[str]:
    before = 0
    for section in profile.sections:
        if not before <= section.start < section.end <= len(document.text):
            yield "section: out of order or not within the text"
            continue
        before = section.end
        body = _spaced(document.text[section.start : section.end])
        if section.heading is not None and _spaced(section.heading) not in body:
            yield "section: its heading is not inside it"


def _wrong_counts(profile: Profile) -> Iterator[str]:
    counted = [
        *(("position months", entry.period.months) for entry in profile.positions),
        *(("project months", entry.period.months) for entry in profile.projects),
        *(("skill months", skill.months) for skill in profile.skills),
        *(("skill sum of months", skill.months_sum) for skill in profile.skills),
        ("total months", profile.total_months),
    ]
    yield from (f"{kind}: {months}" for kind, months in counted if months is not None and months < 1)
    for skill in profile.skills:
        if (skill.months is None) != (skill.months_sum is None):
            yield "skill: one kind of months without the other"
        elif skill.months is not None and skill.months_sum is not None and skill.months > skill.months_sum:
            yield "skill: more months than their sum"
    known = {skill.name for skill in profile.skills}
    for entry in _entries(profile):
        if not isinstance(entry, Education) and not set(entry.skills) <= known:
            yield "entry: a skill that the profile does not list"


def _empty_values(value: object, place: str) -> Iterator[str]:
    """Unknown is None, never an empty text."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _empty_values(inner, f"{place}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from _empty_values(inner, place)
    elif isinstance(value, str) and not value.strip():
        yield f"{place}: empty"


def _spaced(text: str) -> str:
    return " ".join(text.split())
