"""What a line is like, in a few words: length, look, what it holds and where in it a date stands."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.mining.notes import Notes

HELD = ("title", "degree", "field", "university", "company", "certificate", "school", "firm", "place")
RARE_LOOK = 0.25  # of the lines: a look that fewer share may be that of headings


@dataclass(frozen=True, slots=True)
class LineFacts:
    sort: str  # bullet, cell, caps, sentence, phrase
    length: str
    stands_out: str  # plain, bold, large, as a heading elsewhere
    title_type: str | None  # of the section whose heading it could be
    is_alone: bool  # the heading words are the whole line
    date: str | None  # start, end, alone, inside
    holds: tuple[str, ...]
    flags: tuple[str, ...]


def line_facts(notes: Notes) -> list[LineFacts]:
    heading_looks = _heading_looks(notes)
    return [_facts(notes, place, heading_looks) for place in range(len(notes.sheet.lines))]


def _heading_looks(notes: Notes) -> set[tuple[object, ...]]:
    """How lines look that are section titles by their words, unless most of the resume looks so."""
    sheet = notes.sheet
    limit = RARE_LOOK * len(sheet.lines)
    return {
        line.look
        for line, title, fuzzy in zip(sheet.lines, notes.titles, notes.fuzzy, strict=True)
        if title and not fuzzy and sheet.looks[line.look] <= limit
    }


def _facts(notes: Notes, place: int, heading_looks: set[tuple[object, ...]]) -> LineFacts:
    sheet = notes.sheet
    line = sheet.lines[place]
    count = line.last - line.first
    text = line.text.strip()
    return LineFacts(
        sort=_sort(notes, place, count),
        length=_length(count),
        stands_out=_look(notes, place, heading_looks),
        title_type=notes.titles[place],
        is_alone=notes.titles[place] is not None,
        date=_date_place(notes, place),
        holds=_holds(notes, place),
        flags=(
            *(f"has={kind}" for kind in notes.contacts[place]),
            *(f"dates={kind}" for kind in set(notes.date_kinds[place])),
            f"ends={text[-1] if text and not text[-1].isalnum() else 'word'}",
            f"starts={'upper' if text[:1].isupper() else 'lower' if text[:1].islower() else text[:1]}",
            f"commas={min(4, text.count(','))}",
            *(("colon",) if ":" in text else ()),
            *(("pipe",) if "|" in text else ()),
            *(("furniture",) if line.line.furniture else ()),
            *(("new block",) if line.new_block else ()),
            *(("italic",) if line.line.italic else ()),
            *(("color",) if line.odd_color else ()),
            f"size={_size(line.size_ratio)}",
            f"caps={_capital_share(sheet.tokens.words[line.first : line.last])}",
        ),
    )


def _sort(notes: Notes, place: int, count: int) -> str:
    line = notes.sheet.lines[place]
    if line.line.table:
        return "cell"
    if line.line.list:
        return "bullet"
    if line.is_caps:
        return "caps"
    if line.text.rstrip().endswith(".") and count > 6:
        return "sentence"
    return "phrase" if line.text[:1].isupper() or count < 8 else "running"


def _length(count: int) -> str:
    for limit in (1, 2, 3, 5, 8, 12, 20):
        if count <= limit:
            return str(limit)
    return "more"


def _size(ratio: float) -> str:
    for limit, name in ((0.9, "small"), (1.05, "usual"), (1.25, "larger"), (1.6, "large")):
        if ratio < limit:
            return name
    return "huge"


def _look(notes: Notes, place: int, heading_looks: set[tuple[object, ...]]) -> str:
    line = notes.sheet.lines[place]
    if line.look in heading_looks:
        return "heading"
    if line.size_ratio >= 1.15:
        return "large"
    if line.line.bold:
        return "bold"
    return "color" if line.odd_color else "plain"


def _capital_share(words: list[str]) -> str:
    letters = [word for word in words if word[0].isalpha() and len(word) > 3]
    if not letters:
        return "none"
    share = sum(word[0].isupper() for word in letters) / len(letters)
    return "all" if share == 1 else "most" if share >= 0.6 else "some" if share > 0.2 else "few"


def _date_place(notes: Notes, place: int) -> str | None:
    line = notes.sheet.lines[place]
    marks = notes.marks["date"][line.first : line.last]
    if not any(marks):
        return None
    rest = [mark for mark in marks if not mark]
    if len(rest) <= 2:
        return "alone"
    if marks[0] or (len(marks) > 1 and marks[1]):
        return "start"
    return "end" if marks[-1] or marks[-2] else "inside"


def _holds(notes: Notes, place: int) -> tuple[str, ...]:
    line = notes.sheet.lines[place]
    held = [f"+{kind}" for kind in HELD if any(notes.marks[kind][line.first : line.last])]
    words = line.last - line.first
    skills = sum(1 for mark in notes.marks["skill"][line.first : line.last] if mark)
    if skills:
        held.append("+skills" if skills * 3 >= words else "+skill")
    if "email" in notes.contacts[place]:
        held.append("+email")
    if "phone" in notes.contacts[place]:
        held.append("+phone")
    return tuple(held)
