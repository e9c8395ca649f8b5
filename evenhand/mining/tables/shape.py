"""How a table is built: records in rows (2-D), labels with values, a list, or a frame for the page's layout."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler

from evenhand.mining.lexicon.phrases import blocks
from evenhand.records.document import Document

# Tables of a document as rows and columns of cell texts, without the rows and columns that hold nothing.

_SEPARATORS = ":-–—|•."  # a cell of nothing else, as in "Name | : | ..."
_MAX_ROWS, _MAX_COLUMNS = 200, 40  # a file made to cause trouble has many more
_MAX_CELL_LENGTH = 600  # characters: what a cell is shows before, and a page in a table would cost much


@dataclass(frozen=True, slots=True)
class TableView:
    """`cells[row][column]`; `row_numbers` and `column_numbers` tell which of the document's they are."""

    index: int
    cells: tuple[tuple[str, ...], ...]
    bold: tuple[tuple[bool, ...], ...]
    row_numbers: tuple[int, ...]
    column_numbers: tuple[int, ...]
    lines: tuple[int, ...]  # places in document.lines
    longest_cell: int  # in lines

    @property
    def filled(self) -> int:
        return sum(1 for row in self.cells for cell in row if cell)

    def column(self, place: int, *, after: int = -1) -> list[str]:
        """The filled cells of a column below row `after`."""
        return [row[place] for row in self.cells[after + 1 :] if row[place]]


def table_views(document: Document) -> list[TableView]:
    """One view per table that has a filled cell, in the order of the document's tables."""
    lines: dict[int, list[int]] = {}
    for place, line in enumerate(document.lines):
        if line.table is not None:
            lines.setdefault(line.table[0], []).append(place)
    views = (_view(document, index, lines[index]) for index in sorted(lines))
    return [view for view in views if view.cells]


def _view(document: Document, index: int, places: Sequence[int]) -> TableView:
    texts: dict[tuple[int, int], list[str]] = {}
    plain: set[tuple[int, int]] = set()
    for place in places:
        line = document.lines[place]
        text = document.text[line.start : line.end].strip()
        if line.table and text.strip(_SEPARATORS):
            texts.setdefault(line.table[1:], []).append(text)
            if not line.bold:
                plain.add(line.table[1:])
    rows = tuple(sorted({row for row, _ in texts})[:_MAX_ROWS])
    columns = tuple(sorted({column for _, column in texts})[:_MAX_COLUMNS])
    return TableView(
        index=index,
        cells=tuple(tuple(_joined(texts.get((row, column))) for column in columns) for row in rows),
        bold=tuple(tuple((row, column) in texts and (row, column) not in plain for column in columns) for row in rows),
        row_numbers=rows,
        column_numbers=columns,
        lines=tuple(places),
        longest_cell=max(map(len, texts.values()), default=0),
    )


def _joined(texts: list[str] | None) -> str:
    return " ".join(texts)[:_MAX_CELL_LENGTH].lstrip(": ") if texts else ""


# What people write over a column or before a value, by what it announces, and how near a cell comes to it.

UNIVERSITY, DEGREE, YEAR, PERFORMANCE = "university", "degree", "year", "performance"
SPECIALIZATION = "specialization"
EMPLOYER, PERIOD, DESIGNATION, OTHER = "employer", "work_period", "designation", "other"

NEAR = 0.92  # similarity from which a cell counts as a label: the lexicon features use the same
MIN_SIMILARITY = 0.75  # below this a similarity tells nothing
_MAX_LABEL_LENGTH = 48  # characters: no label is longer
_MAX_WORDS = 7

_NOISE = re.compile(r"[^\w%#&/+' ]+")
_PARTS = re.compile(r"(?:(?<!\s)\s++)?(?:/|&|\bor\b|\band\b)\s*+")


def _normal(cell: str) -> str:
    return " ".join(_NOISE.sub(" ", cell.lower().replace("’", "'")).split())


def _labels() -> dict[str, tuple[str, ...]]:
    labels: dict[str, tuple[str, ...]] = {}
    for kind, forms in blocks("table_labels.txt"):
        labels[kind] = (*labels.get(kind, ()), _normal(forms[0]))
    return labels


LABELS = _labels()
KINDS = tuple(LABELS)
COLUMN_KINDS = KINDS[:8]
_ALL = [label for labels in LABELS.values() for label in labels]
_STARTS = np.cumsum([0, *map(len, LABELS.values())])[:-1]  # of each kind in _ALL


@lru_cache(maxsize=4096)
def similarities(cell: str) -> Mapping[str, float]:
    """For each kind the similarity of its nearest label, 0 to 1; kinds further than LEAST are left out."""
    whole = _normal(cell)
    if not whole or len(whole) > _MAX_LABEL_LENGTH or whole.count(" ") >= _MAX_WORDS:
        return {}
    forms = [whole]
    if len(parts := [part for part in _PARTS.split(whole) if len(part) > 1]) > 1:
        forms += parts
    best: dict[str, float] = {}
    for form in forms:
        for kind, value in _nearest(form).items():
            best[kind] = max(value, best.get(kind, 0.0))
    return best


def is_label(cell: str) -> bool:
    """Near enough to a label of any kind."""
    return any(value >= NEAR for value in similarities(cell).values())


def _nearest(form: str) -> dict[str, float]:
    if form in _ALL:
        return {kind: 1.0 for kind, labels in LABELS.items() if form in labels}
    values = process.cdist([form], _ALL, scorer=JaroWinkler.similarity, score_cutoff=MIN_SIMILARITY)[0]
    best = np.maximum.reduceat(values, _STARTS)
    return {KINDS[place]: float(best[place]) for place in np.flatnonzero(best)}


GRID, KEYS, LIST, LAYOUT = "grid", "keys", "list", "layout"

_LOOK_DOWN = 3  # rows among which the header is looked for: titles may stand over it
_HEADER_WORDS = 7
_LAYOUT_LINES = 15  # a cell of so many lines beside no label holds a part of the page
_LAYOUT_WORDS = 60
_RECORD_SHARE = 0.7  # of the rows must fill at least two cells
_KEY_SHARE = 0.6  # of a column must be labels
_MIN_KEY_SHARE = 0.3  # suffice where nothing speaks for records
_SAME_SHARE = 0.7  # of a column must hold the same kind of thing, where no header says so
_PLAIN_KINDS = ("range", "point", "duration", "result", "number")  # those that no label holds
_RECORD_KINDS = ("degree", "institution", "company", "title", *_PLAIN_KINDS, "phone", "email")
_LOOKED_AT = 16  # rows of a long table that are looked at for labels
_YEAR = re.compile(r"\b(?:19|20)\d\d\b|@|\d{3}")


@dataclass(frozen=True, slots=True)
class TableShape:
    """`header` is a row of the view; `keys` the columns that hold labels."""

    kind: str
    header: int | None = None
    keys: tuple[int, ...] = ()

    @property
    def first_record(self) -> int:
        return 0 if self.header is None else self.header + 1


def shape_of(view: TableView, contents: Sequence[Sequence[frozenset[str]]]) -> TableShape:
    rows, columns = len(view.cells), len(view.column_numbers)
    if columns < 2:
        return TableShape(LAYOUT if view.longest_cell > _LAYOUT_LINES or rows == 1 else LIST)
    header, is_sure = _header(view, contents)
    keys = _key_columns(view, header if is_sure else None, _KEY_SHARE)
    if keys and (columns == 2 or not is_sure):
        return TableShape(KEYS, None, keys)
    if _is_layout(view, header):
        return TableShape(LAYOUT)
    if header is None and not _repeats(contents):
        keys = _key_columns(view, None, _MIN_KEY_SHARE)
        return TableShape(KEYS, None, keys) if keys else TableShape(LIST)
    records = [sum(map(bool, row)) for row in view.cells[0 if header is None else header + 1 :]]
    enough = len(records) >= (2 if header is None else 1)
    has_records = enough and sum(count >= 2 for count in records) >= _RECORD_SHARE * len(records)
    return TableShape(GRID if has_records else LIST, header)


def _repeats(contents: Sequence[Sequence[frozenset[str]]]) -> bool:
    """Whether a column holds the same kind of thing all the way down, as records do and values beside labels do not."""
    return any(
        sum(kind in cell for cell in column) >= max(2, _SAME_SHARE * len(column))
        for column in zip(*contents, strict=True)
        for kind in _RECORD_KINDS
    )


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
    return any(
        kind not in top and sum(kind in cell for cell in below) >= max(1, _SAME_SHARE * len(below))
        for top, *below in zip(*contents[place:], strict=True)
        for kind in _PLAIN_KINDS
    )


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
        ends = (":", ":-")
        labels = [
            cell for cell in cells if (cell.endswith(ends) and len(cell.split()) <= _HEADER_WORDS) or is_label(cell)
        ]
        if cells and len(labels) >= share * len(cells):
            keys.append(place)
    return tuple(keys) if len(keys) * 2 <= len(view.column_numbers) else ()


def _is_layout(view: TableView, header: int | None) -> bool:
    words = [len(cell.split()) for row in view.cells for cell in row if cell]
    if len(view.cells) == 1 and max(words) > _HEADER_WORDS:
        return True
    if header is not None:
        return False
    return view.longest_cell > _LAYOUT_LINES or sum(words) > _LAYOUT_WORDS * len(words)
