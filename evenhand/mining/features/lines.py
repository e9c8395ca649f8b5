"""Our own view of a line for the segmenter: how it looks, what it holds, what its neighbours are."""

from __future__ import annotations

import re

from evenhand.mining.features.facts import LineFacts
from evenhand.mining.notes import Notes

NEAR = (-3, -2, -1, 1, 2, 3)
BAG = 12  # first words of a line
_NUMBERED = re.compile(r"^\W*(?:project|client|employer|company)?\s*#?\s*\d{1,2}\s*[.):]", re.IGNORECASE)


def line_attributes(notes: Notes, facts: list[LineFacts]) -> list[list[str]]:
    """For every line the attributes that hold there."""
    sheet = notes.sheet
    own = [_own(notes, facts, place) for place in range(len(sheet.lines))]
    briefs = [_brief(notes, fact, place) for place, fact in enumerate(facts)]
    unders = _headings_above(notes, facts)
    result = []
    count = len(own)
    for place in range(count):
        names = list(own[place])
        for step in NEAR:
            other = place + step
            if 0 <= other < count:
                names += [f"{step}{name}" for name in briefs[other]]
            elif abs(step) == 1:
                names.append(f"{step}none")
        under = unders[place]
        names.append(f"under={under}")
        if facts[place].title_type:
            names.append(f"under={under}+title={facts[place].title_type}")
        if place:
            names += [f"{briefs[place - 1][0]}>{briefs[place][0]}"]
        result.append(names)
    return result


def _own(notes: Notes, facts: list[LineFacts], place: int) -> list[str]:
    sheet = notes.sheet
    line = sheet.lines[place]
    fact = facts[place]
    words = sheet.lower[line.first : line.last]
    letters = [word for word in words if word[0].isalpha()]
    names = ["bias", *(f"w={word}" for word in words[:BAG])]
    if letters:
        names += [f"w0={letters[0]}", f"w01={' '.join(letters[:2])}", f"w-1={letters[-1]}"]
    if len(letters) <= 4:
        names.append(f"all={' '.join(letters)}")
    names += _brief(notes, fact, place)
    names += fact.flags
    names += [f"row={min(place, 6)}", f"tenth={10 * place // max(1, len(sheet.lines))}"]
    if place >= len(sheet.lines) - 3:
        names.append("last lines")
    if _NUMBERED.match(line.text):
        names.append("numbered")
    if fact.title_type:
        kind = "similar" if notes.fuzzy[place] else "exact"
        names += [
            f"title={fact.title_type}",
            f"title {kind}",
            f"title+look={fact.title_type}+{fact.stands_out}",
        ]
    if key := notes.keys[place]:
        names.append(f"key={key}")
    if table := notes.table_types[place]:
        names += [f"table={table}", f"column={notes.column_types[place]}"]
    return names


def _brief(notes: Notes, fact: LineFacts, place: int) -> list[str]:
    """The few attributes of a line that its neighbours also see."""
    names = [f"sort={fact.sort}", f"look={fact.stands_out}", f"long={fact.length}"]
    if fact.title_type:
        names.append(f"title={fact.title_type}")
    if fact.date:
        names.append(f"date={fact.date}")
    names += fact.holds
    if notes.sheet.lines[place].wraps:
        names.append("wraps")
    if notes.sheet.lines[place].gap_before:
        names.append("gap")
    return names


def _headings_above(notes: Notes, facts: list[LineFacts]) -> list[str]:
    """The type of the nearest line above that is a title beyond doubt: a chain of order one forgets it too soon."""
    unders = []
    under = "none"
    for fact, fuzzy in zip(facts, notes.fuzzy, strict=True):
        unders.append(under)
        if fact.title_type and not fuzzy and (fact.stands_out != "plain" or fact.is_alone):
            under = fact.title_type
    return unders
