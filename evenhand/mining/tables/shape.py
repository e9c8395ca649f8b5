"""How a table is built: records in rows (2-D), labels with values, a list, or a frame for the page's layout."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.mining.tables.labels import is_label
from evenhand.mining.tables.views import TableView

GRID, KEYS, LIST, LAYOUT = "grid", "keys", "list", "layout"

_LOOK_DOWN = 3  # rows among which the header is looked for: titles may stand over it
_HEADER_WORDS = 7
_LAYOUT_LINES = 15  # a cell of so many lines beside no label holds a part of the page
_LAYOUT_WORDS = 60
_RECORD_SHARE = 0.7  # of the rows must fill at least two cells
_KEY_SHARE = 0.6  # of a column must be labels
_FEW_KEYS = 0.3  # suffice where nothing speaks for records
_SAME_SHARE = 0.7  # of a column must hold the same kind of thing, where no header says so
_RECORD_KINDS = (
    "degree",
    "institution",
    "company",
    "title",
    "range",
    "point",
    "duration",
    "result",
    "number",
    "phone",
    "email",
)
_LOOKED_AT = 16  # rows of a long table that are looked at for labels
_PLAIN_KINDS = ("range", "point", "duration", "result", "number")  # those that no label holds
_YEAR = re.compile(r"\b(?:19|20)\d\d\b|@|\d{3}")


@dataclass(frozen=True, slots=True)
class Shape:
    """`header` is a row of the view; `keys` the columns that hold labels."""

    kind: str
    header: int | None = None
    keys: tuple[int, ...] = ()

    @property
    def first_record(self) -> int:
        return 0 if self.header is None else self.header + 1


def shape_of(view: TableView, contents: Sequence[Sequence[frozenset[str]]]) -> Shape:
    rows, columns = len(view.cells), len(view.column_numbers)
    if columns < 2:
        return Shape(LAYOUT if view.longest_cell > _LAYOUT_LINES or rows == 1 else LIST)
    header, is_sure = _header(view, contents)
    keys = _key_columns(view, header if is_sure else None, _KEY_SHARE)
    if keys and (columns == 2 or not is_sure):
        return Shape(KEYS, None, keys)
    if _is_layout(view, header):
        return Shape(LAYOUT)
    if header is None and not _repeats(contents):
        keys = _key_columns(view, None, _FEW_KEYS)
        return Shape(KEYS, None, keys) if keys else Shape(LIST)
    return Shape(GRID if _has_records(view, header) else LIST, header)


def _has_records(view: TableView, header: int | None) -> bool:
    records = [sum(map(bool, row)) for row in view.cells[0 if header is None else header + 1 :]]
    enough = len(records) >= (2 if header is None else 1)
    return enough and sum(count >= 2 for count in records) >= _RECORD_SHARE * len(records)


def _repeats(contents: Sequence[Sequence[frozenset[str]]]) -> bool:
    """Whether a column holds the same kind of thing all the way down, as records do and values beside labels do not."""
    for column in zip(*contents, strict=True):
        for kind in _RECORD_KINDS:
            if sum(kind in cell for cell in column) >= max(2, _SAME_SHARE * len(column)):
                return True
    return False


def _header(view: TableView, contents: Sequence[Sequence[frozenset[str]]]) -> tuple[int | None, bool]:
    """The first row that fills most columns, if it is a row of labels; the second value tells whether most of it is."""
    for place, row in enumerate(view.cells[:_LOOK_DOWN]):
        filled = [cell for cell in row if cell]
        if len(filled) < 2 or len(filled) * 2 < len(row):
            continue
        if place + 1 == len(view.cells):
            return None, False
        if any(len(cell.split()) > _HEADER_WORDS or _YEAR.search(cell) for cell in filled):
            return None, False
        labels = sum(map(is_label, filled))
        if labels * 2 > len(filled):
            return place, True
        if len(filled) > 2 and (_alone_bold(view, place) or (labels and _stands_off(contents, place))):
            return place, False
        return (place, False) if labels and _alone_bold(view, place) else (None, False)
    return None, False


def _stands_off(contents: Sequence[Sequence[frozenset[str]]], place: int) -> bool:
    """Whether a column has dates or figures everywhere below the row, but none in it."""
    for column in zip(*contents[place:], strict=True):
        for kind in _PLAIN_KINDS:
            if kind not in column[0] and sum(kind in cell for cell in column[1:]) >= max(
                1, _SAME_SHARE * len(column[1:])
            ):
                return True
    return False


def _alone_bold(view: TableView, place: int) -> bool:
    def bold(row: int) -> list[bool]:
        return [bold for bold, cell in zip(view.bold[row], view.cells[row], strict=True) if cell]

    below = [flag for row in range(place + 1, len(view.cells)) for flag in bold(row)]
    return all(bold(place)) and sum(below) < 0.3 * len(below)


def _key_columns(view: TableView, header: int | None, share: float) -> tuple[int, ...]:
    """Columns in which most cells are labels or end in a colon, with values beside them."""
    first = 0 if header is None else header + 1
    keys = []
    for place in range(len(view.column_numbers)):
        cells = [row[place] for row in view.cells[first : first + _LOOKED_AT] if row[place]]
        if cells and sum(_is_key(cell) for cell in cells) >= share * len(cells):
            keys.append(place)
    return tuple(keys) if len(keys) * 2 <= len(view.column_numbers) else ()


def _is_key(cell: str) -> bool:
    return (cell.endswith((":", ":-")) and len(cell.split()) <= _HEADER_WORDS) or is_label(cell)


def _is_layout(view: TableView, header: int | None) -> bool:
    words = [len(cell.split()) for row in view.cells for cell in row if cell]
    if len(view.cells) == 1 and max(words) > _HEADER_WORDS:
        return True
    if header is not None:
        return False
    return view.longest_cell > _LAYOUT_LINES or sum(words) > _LAYOUT_WORDS * len(words)
