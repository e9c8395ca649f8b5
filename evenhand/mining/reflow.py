"""The notes of a resume without its layout: paragraphs instead of lines, no fonts, sizes or boxes, one kind of bullet.

What is decided from them is the same for every format of one resume.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from evenhand.mining.assembly.mentions import Mention
from evenhand.mining.notes import Notes, find_keys
from evenhand.mining.noting import TITLE_WORDS, mark_phrases
from evenhand.mining.paragraphs import find_paragraphs
from evenhand.mining.sheet import Sheet, SheetLine, find_cuts
from evenhand.mining.tokens import Tokens
from evenhand.mining.vocabulary import Vocabulary
from evenhand.records.document import Line

BULLET = "•"
LOOK: tuple[object, ...] = (1.0, False, False, None, False)


def reflow(notes: Notes, vocabulary: Vocabulary) -> Notes:
    """The same words in other lines; page footers are left out."""
    lines = notes.sheet.lines
    places = [place for place, line in enumerate(lines) if line.line.furniture != "footer"]
    places = places or list(range(len(lines)))  # a page that is nothing but a footer
    paragraphs = find_paragraphs(notes, places)
    plain = Notes(_plain_sheet(notes.sheet, paragraphs), {})
    for kind, marks in notes.marks.items():
        plain.marks[kind] = bytearray(b"".join(marks[lines[at].first : lines[at].last] for at in places))
    plain.date_kinds = [tuple(kind for at in part for kind in notes.date_kinds[at]) for part in paragraphs]
    plain.contacts = [tuple(kind for at in part for kind in notes.contacts[at]) for part in paragraphs]
    plain.titles = [_title(notes, part, vocabulary) for part in paragraphs]
    plain.fuzzy = [False] * len(paragraphs)
    plain.keys = find_keys(plain.sheet)
    plain.table_types = [None] * len(paragraphs)
    plain.column_types = [None] * len(paragraphs)
    _note_skills(notes, plain, paragraphs, vocabulary)
    return plain


def _plain_sheet(sheet: Sheet, paragraphs: Sequence[Sequence[int]]) -> Sheet:
    lines: list[SheetLine] = []
    words: list[str] = []
    lower: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    traits: list[bytes] = []
    for part in paragraphs:
        first = len(words)
        for line in (sheet.lines[place] for place in part):
            words += sheet.tokens.words[line.first : line.last]
            lower += sheet.lower[line.first : line.last]
            starts += sheet.tokens.starts[line.first : line.last]
            ends += sheet.tokens.ends[line.first : line.last]
            traits.append(sheet.traits[line.first : line.last])
        opening = sheet.lines[part[0]]
        if opening.line.list and first < len(words) and not words[first][0].isalnum():
            words[first] = lower[first] = BULLET
        lines.append(_plain_line(sheet, part, first, len(words)))
    tokens = Tokens(words, starts, ends)
    cuts = find_cuts(sheet.document.text, tokens)
    return Sheet(
        sheet.document,
        tokens,
        lines,
        lower=lower,
        line_of=[place for place, line in enumerate(lines) for _ in range(line.first, line.last)],
        traits=b"".join(traits),
        cuts=list(cuts),
        cut_kinds=list(cuts.values()),
        looks=Counter({LOOK: len(lines)}),
        line_starts=[line.start for line in lines],
    )


def _plain_line(sheet: Sheet, part: Sequence[int], first: int, last: int) -> SheetLine:
    opening = sheet.lines[part[0]]
    end = sheet.lines[part[-1]].end
    return SheetLine(
        line=Line(opening.start, end, 1, None, None, None, False, False, None, opening.line.list, None),
        text=opening.text if len(part) == 1 else " ".join(sheet.lines[place].text for place in part),
        first=first,
        last=last,
        gap_before=False,
        new_block=True,
        size_ratio=1.0,
        odd_color=False,
        is_caps=False,
        look=LOOK,
    )


def _title(notes: Notes, part: Sequence[int], vocabulary: Vocabulary) -> str | None:
    """The type of section it would open by its words alone; a title that is only similar must look like one."""
    if len(part) == 1:
        return None if notes.fuzzy[part[0]] else notes.titles[part[0]]
    lines = [notes.sheet.lines[place] for place in part]
    if sum(line.last - line.first for line in lines) > TITLE_WORDS:
        return None
    found = vocabulary.section_title(" ".join(line.text for line in lines), fuzzy=False)
    return found[0] if found else None


def _note_skills(
    notes: Notes, plain: Notes, paragraphs: Sequence[Sequence[int]], vocabulary: Vocabulary
) -> None:
    """Phrases are looked up again in lines that were put together: one may have been broken."""
    shifts: dict[int, int] = {}
    joined: list[SheetLine] = []
    for part, line in zip(paragraphs, plain.sheet.lines, strict=True):
        if len(part) == 1:
            shifts[part[0]] = line.first - notes.sheet.lines[part[0]].first
        else:
            joined.append(line)
    for first, last, name in notes.sure_skills:
        shift = shifts.get(notes.sheet.line_of[first])
        if shift is not None:
            plain.sure_skills.append((first + shift, last + shift, name))
    for line in joined:
        for kind, marks in plain.marks.items():
            if kind != "date":
                marks[line.first : line.last] = bytes(line.last - line.first)
    mark_phrases(plain, vocabulary, joined)
    plain.sure_skills.sort()


def placed(mentions: Sequence[Mention], sheet: Sheet) -> list[Mention]:
    """Mentions found among paragraphs, in the lines of the page."""
    return [
        replace(
            mention,
            line=bisect_right(sheet.line_starts, mention.start) - 1,
            last_line=bisect_right(sheet.line_starts, mention.end - 1) - 1,
        )
        for mention in mentions
    ]
