"""Whose resume it is: name, where they live, languages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evenhand.mining.assembly.mentions import Mention, evidence_of, to_fact
from evenhand.mining.notes import Notes
from evenhand.mining.segmenter import LineLabel
from evenhand.mining.sheet import Sheet
from evenhand.mining.vocabulary import Vocabulary
from evenhand.records.profile import Evidence, Fact

FIRST_LINES = 6
_NAME = re.compile(r"[^\W\d_][\w.'’-]*(?: +[^\W\d_][\w.'’-]*){1,3}")
_NOT_NAMES = frozenset(
    ["resume", "curriculum", "vitae", "cv", "profile", "page", "of", "name", "bio", "data", "biodata"]
)


def find_name(notes: Notes, labels: Sequence[LineLabel], mentions: Sequence[Mention]) -> Fact | None:
    """The most certain mention; without one, a line at the top that stands out and can be nothing else."""
    sheet = notes.sheet
    named = [mention for mention in mentions if mention.label == "name"]
    if named:
        return to_fact(sheet, max(named, key=lambda mention: (mention.confidence, -mention.start)))
    return None


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
