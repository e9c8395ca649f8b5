"""Whose resume it is: name, where they live, languages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evenhand.mining.assembly.mentions import Mention, evidence_of, to_fact, trimmed
from evenhand.mining.contact import Contacts
from evenhand.mining.features.words import segments
from evenhand.mining.notes import Notes
from evenhand.mining.recognizer import Recognised
from evenhand.mining.segmenter import LineLabel
from evenhand.mining.sheet import Sheet
from evenhand.mining.vocabulary import Vocabulary
from evenhand.records.profile import Evidence, Fact

FIRST_LINES = 8
NEAR_CONTACT = 4  # lines: a first line right above contact data is a name
ENOUGH = 0.4  # of 1 for the recognizer alone; more with what else speaks for it
_OTHER_KINDS = (
    "title",
    "degree",
    "university",
    "date",
)  # not skills and cities: Ada, Ruby and Paris are names
_NAME = re.compile(r"[^\W\d_][\w.'’-]*(?: +[^\W\d_][\w.'’-]*){1,3}")
_NOT_NAMES = frozenset(
    ["resume", "curriculum", "vitae", "cv", "profile", "page", "of", "name", "bio", "data", "biodata"]
)


def find_name(
    notes: Notes, mentions: Sequence[Mention], recognised: Recognised, contacts: Contacts
) -> Fact | None:
    """Of all stretches at the top that could be a name the one for which most speaks.

    What speaks: the recognizer, the e-mail address and links, the largest letters, the first line.
    """
    sheet = notes.sheet
    handles = [re.sub(r"[^a-z]", "", fact.value.lower()) for fact in (*contacts.emails, *contacts.links)]
    largest = max((line.size_ratio for line in sheet.lines), default=1.0)
    candidates = [mention for mention in mentions if mention.label == "name"]
    candidates += _name_stretches(notes, recognised)
    best: tuple[float, Mention] | None = None
    for mention in candidates:
        if _NOT_NAMES & set(sheet.document.text[mention.start : mention.end].lower().split()):
            continue
        score = mention.confidence + _support(notes, mention, handles, largest)
        if score >= ENOUGH and (best is None or score > best[0]):
            best = (score, mention)
    return to_fact(sheet, best[1]) if best else None


def _support(notes: Notes, mention: Mention, handles: Sequence[str], largest: float) -> float:
    sheet = notes.sheet
    words = re.findall(r"[^\W\d_]{3,}", sheet.document.text[mention.start : mention.end].lower())
    support = 0.5 if any(word in handle for word in words for handle in handles) else 0.0
    if mention.line == 0:
        support += 0.1
        if any(notes.contacts[:NEAR_CONTACT]):
            support += 0.3
    if largest > 1.15 and sheet.lines[mention.line].size_ratio >= largest - 0.01:
        support += 0.2
    return support


def _name_stretches(notes: Notes, recognised: Recognised) -> list[Mention]:
    """Two to four words with capitals in one of the first lines that no lexicon knows as something else."""
    sheet = notes.sheet
    found = []
    for line, row in enumerate(sheet.lines[:FIRST_LINES]):
        if notes.titles[line]:
            continue
        for part in segments(notes, row.first, row.last):
            start, end = trimmed(sheet, sheet.tokens.starts[part.first], sheet.tokens.ends[part.last - 1])
            surface = sheet.document.text[start:end].rstrip("_")
            if not _NAME.fullmatch(surface):
                continue
            if any(any(notes.marks[kind][part.first : part.last]) for kind in _OTHER_KINDS):
                continue
            if all(word[0].isupper() for word in surface.split()):
                chance = recognised.chance("name", part.first, part.last)
                found.append(Mention("name", start, start + len(surface), line, line, chance, "completed"))
    return found


def find_city(
    sheet: Sheet, labels: Sequence[LineLabel], mentions: Sequence[Mention], vocabulary: Vocabulary
) -> tuple[Fact | None, str | None]:
    """Where the person lives: the first place named among the personal data."""
    for mention in mentions:
        if mention.label == "location" and labels[mention.line].type == "personal":
            surface = sheet.document.text[mention.start : mention.end]
            found = vocabulary.find_city(surface)
            if found is not None:
                return _city_fact(sheet, mention, surface, found.name), found.country
    return None, None


def _city_fact(sheet: Sheet, mention: Mention, surface: str, city: str) -> Fact:
    """As the resume writes it: the city alone where it stands by that name, else the part before the first comma."""
    place = evidence_of(sheet, mention)
    at = surface.lower().find(city.lower())
    start, end = (at, at + len(city)) if at >= 0 else (0, len(surface.partition(",")[0].rstrip()))
    name = surface[start:end]
    return Fact(
        name,
        name,
        Evidence(place.start + start, place.start + end, place.page, place.method, place.confidence),
    )


def find_languages(sheet: Sheet, skills: Sequence[Mention], vocabulary: Vocabulary) -> tuple[Fact, ...]:
    found: dict[str, Fact] = {}
    for mention in skills:
        surface = sheet.document.text[mention.start : mention.end]
        name = vocabulary.canonical_skill(surface)
        if vocabulary.skills.kind(name) == "language" and name not in found:
            found[name] = Fact(surface, surface, evidence_of(sheet, mention))
    return tuple(found.values())
