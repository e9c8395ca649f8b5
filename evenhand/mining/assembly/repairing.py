"""Mentions put right where words alone are clear: "Title at Employer" taken for one, a place behind a legal form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from evenhand.mining.assembly.blocks import JOB, Block
from evenhand.mining.assembly.mentions import Mention, trimmed
from evenhand.mining.features.words import segments
from evenhand.mining.notes import Notes, words_in

_AT = re.compile(r"\s(?:at|@)\s", re.IGNORECASE)
_NUMBER = re.compile(r"\(?\d{1,2}[.)]\s*")  # "2. Acme Ltd" in a numbered list
_ADDRESS = re.compile(r",\s*\d+\w?\s+[A-Z]")  # ", 1 Silber Way"
_LINK = re.compile(r"[\s(]*(?:https?://|www\.)\S+$")


def repaired(notes: Notes, blocks: Sequence[Block], mentions: Sequence[Mention]) -> list[Mention]:
    """A mention is split only in the head of a job that lacks what the split would give."""
    beside: dict[int, set[str]] = {}
    by_line: dict[int, set[str]] = {}
    for mention in mentions:
        by_line.setdefault(mention.line, set()).add(mention.label)
    for block in blocks:
        if block.kind == JOB:
            labels = {label for line in block.head for label in by_line.get(line, ())}
            beside.update(dict.fromkeys(block.head, labels))
    result: list[Mention] = []
    for mention in mentions:
        result += _repaired(notes, mention, beside.get(mention.line))
    return result


def _repaired(notes: Notes, mention: Mention, beside: set[str] | None) -> Iterable[Mention]:
    if mention.line != mention.last_line:
        return [mention]
    if mention.label in ("title", "employer") and beside is not None and not {"title", "employer"} <= beside:
        parts = _split_at(notes, mention) or _split_title(notes, mention)
        if parts:
            return parts
    return [mention]


def without_tails(notes: Notes, mentions: Iterable[Mention]) -> list[Mention]:
    """Employers and schools without a number before, and without a link or place behind them."""
    return [
        _without_tail(notes, mention)
        if mention.label in ("employer", "university") and mention.line == mention.last_line
        else mention
        for mention in joined_schools(notes, [_unswapped(notes, mention) for mention in mentions])
    ]


def _unswapped(notes: Notes, mention: Mention) -> Mention:
    """A degree that no lexicon knows and that holds the word "academy" is a school."""
    if mention.label != "degree" or mention.line != mention.last_line:
        return mention
    first, last = words_in(notes.sheet, mention.start, mention.end, notes.sheet.lines[mention.line])
    if any(notes.marks["school"][first:last]) and not any(notes.marks["degree"][first:last]):
        return replace(mention, label="university")
    return mention


def joined_schools(notes: Notes, mentions: Iterable[Mention]) -> list[Mention]:
    """ "The Wharton School, University of Pennsylvania" is one: nothing but a comma or bracket between two schools."""
    text = notes.sheet.document.text
    result: list[Mention] = []
    for mention in mentions:
        before = result[-1] if result else None
        if before and before.label == mention.label == "university" and before.line == mention.line:
            between = text[before.end : mention.start].strip()
            if between in (",", "("):
                closes = between == "(" and text[mention.end : mention.end + 1] == ")"
                result[-1] = replace(before, end=mention.end + closes)
                continue
        result.append(mention)
    return result


def _split_at(notes: Notes, mention: Mention) -> list[Mention]:
    """ "Web Developer at Acme" """
    text = notes.sheet.document.text[mention.start : mention.end]
    match = _AT.search(text)
    if match is None:
        return []
    return [
        replace(mention, label="title", end=mention.start + match.start()),
        replace(mention, label="employer", start=mention.start + match.end()),
    ]


def _split_title(notes: Notes, mention: Mention) -> list[Mention]:
    """ "Acme, Web Developer", "Web Developer - Acme": the part that holds a known title is the title."""
    sheet = notes.sheet
    first, last = words_in(sheet, mention.start, mention.end, sheet.lines[mention.line])
    parts = segments(notes, first, last)
    titled = [part for part in parts if any(notes.marks["title"][part.first : part.last])]
    rest = [
        part for part in parts if part not in titled and not all(notes.marks["place"][part.first : part.last])
    ]
    if len(titled) != 1 or len(rest) != 1 or not sheet.tokens.words[rest[0].first][0].isupper():
        return []
    found = []
    for label, part in (("title", titled[0]), ("employer", rest[0])):
        start, end = trimmed(sheet, sheet.tokens.starts[part.first], sheet.tokens.ends[part.last - 1])
        found.append(replace(mention, label=label, start=start, end=end))
    return sorted(found, key=lambda each: each.start)


def _without_tail(notes: Notes, mention: Mention) -> Mention:
    """Without a link or a place behind the name, where a comma, a gap or the legal form parts them."""
    sheet = notes.sheet
    text = sheet.document.text
    number = _NUMBER.match(text, mention.start, mention.end)
    if number and number.end() < mention.end:
        mention = replace(mention, start=number.end())
    address = _ADDRESS.search(text, mention.start, mention.end)
    if address and address.start() > mention.start:
        mention = replace(mention, end=address.start())
    link = _LINK.search(text[mention.start : mention.end])
    if link and link.start():
        mention = replace(mention, end=mention.start + link.start())
    first, last = words_in(sheet, mention.start, mention.end, sheet.lines[mention.line])
    cut = _place_tail(notes, first, last)
    if cut is None:
        return mention
    start, end = trimmed(sheet, mention.start, sheet.tokens.ends[cut - 1])
    return replace(mention, start=start, end=end) if start < end else mention


def _place_tail(notes: Notes, first: int, last: int) -> int | None:
    """Where a comma, a gap or a legal form is followed by nothing but places: "Carlos III Madrid" is a name."""
    tokens = notes.sheet.tokens
    cut = None
    place = last
    while place - 1 > first and (notes.marks["place"][place - 1] or not tokens.words[place - 1][0].isalnum()):
        place -= 1
        word = tokens.words[place]
        gap = tokens.starts[place] - tokens.ends[place - 1]
        if (not word[0].isalnum() and word not in ".&") or gap > 1 or tokens.words[place - 1] == ".":
            cut = place
    return cut if cut is not None and any(notes.marks["place"][cut:last]) else None
