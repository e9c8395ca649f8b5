"""What the two classifiers see of a table and of a column: named values, so that the weights can be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from evenhand.mining.lexicon.phrases import words
from evenhand.mining.tables.shape import KEYS, MIN_SIMILARITY, TableShape, TableView, shape_of, similarities
from evenhand.text.dates import find_dates

# What the cells of a table hold: dates, contact data, results, and words that tell of degrees, schools, jobs.

# Single words are enough here: a table has many cells, and one word in some of them gives the column away.


@cache
def _lexicons() -> dict[str, frozenset[str]]:
    return {
        "degree": words("table degree"),
        "institution": words("institution") | {"board", "cbse", "icse", "iit", "nit", "iim"},
        "company": words("legal") | words("organisation"),
        "title": words("title head"),
        "field": words("table field"),
    }


_WORD = re.compile(r"[^\W_](?:[\w.'’+#-]*[\w+#])?")
_EMAIL = re.compile(r"[\w.+-]@\w[\w-]*\.\w")
_PHONE = re.compile(r"(?<![\w/.-])\+?\(?\d[\d ()-]{7,16}\d(?![\w/%])")
_LINK = re.compile(r"https?://|www\.|linkedin\.|github\.")
_RESULT = re.compile(
    r"\d\s?%|\b(?:c?gpa|sgpa|percent(?:ile)?|distinction|1st|first|second|2nd|third|division)\b"
    r"|\b\d{1,3}(?:\.\d+)?\s?/\s?(?:4|5|10|100|600|1000)(?:\.0+)?\b|\b(?:summa|magna|cum) laude\b"
)
_RESULT_ALONE = re.compile(
    r"(?:[a-f][+-]?|[os]|pass(?:ed)?|ii?i?|merit|upper second|lower second|\d{1,2}(?:[.,]\d{1,2}))\Z"
)
_NUMBER = re.compile(r"[\d.,]+[.)]?\Z")
_OPEN_END = re.compile(r"(?:till|until|to|up to)?\s*(?:date|now|present|current|today|ongoing|the present)\Z")
_GAP = "\n\n"  # between cells, so that no date reaches over two of them

KINDS = (
    *("degree", "institution", "company", "title", "field", "range", "point", "duration", "birth", "date_alone"),
    *("year_alone", "email", "phone", "link", "result", "number", "list", "long"),
)


@lru_cache(maxsize=4096)
def words_in(cell: str) -> tuple[str, ...]:
    """The words of a cell in lower case; abbreviations without their dots."""
    return tuple(word.replace("’", "'").replace(".", "") for word in _WORD.findall(cell.lower()))


def contents_of(cells: Sequence[str]) -> list[frozenset[str]]:
    """For every cell the kinds of things it holds; empty cells hold nothing."""
    kinds = [_kinds(cell) if cell else set() for cell in cells]
    # Dates of all cells in one go: the finder reads a text once, whatever its length.
    place, start = 0, 0
    for span in find_dates(_GAP.join(cells)):
        while span.start >= start + len(cells[place]) + len(_GAP):
            start += len(cells[place]) + len(_GAP)
            place += 1
        cell = cells[place]
        kinds[place].add(span.kind)
        if span.kind in ("range", "point") and span.end - span.start >= len(cell) - 6:
            kinds[place].add("date_alone")
            if len(cell) <= 6:
                kinds[place].add("year_alone")
    return [frozenset(held) for held in kinds]


def _kinds(cell: str) -> set[str]:
    low = cell.lower()
    cell_words = words_in(cell)
    kinds = {name for name, lexicon in _lexicons().items() if not lexicon.isdisjoint(cell_words)}
    if "@" in low and _EMAIL.search(low):
        kinds.add("email")
    if _LINK.search(low):
        kinds.add("link")
    if _RESULT.search(low) or _RESULT_ALONE.match(low):
        kinds.add("result")
    if _NUMBER.match(low):
        kinds.add("number")
    elif _PHONE.search(low):
        kinds.add("phone")
    if low.count(",") >= 2:
        kinds.add("list")
    if len(cell_words) > 12:
        kinds.add("long")
    if _OPEN_END.match(low):
        kinds |= {"point", "date_alone"}
    return kinds


Features = dict[str, float]

WORD = "word:"  # these and HEAD words are learned only when several resumes hold them
HEAD = "head:"
_WORD_VALUE = 0.25  # one word among many must not outweigh what the table holds as a whole
_HEAD_VALUE = 0.5
_MAX_WORD_LENGTH = 16
_MAX_ROWS = 30  # a longer table shows in its first rows what it is


@dataclass(frozen=True, slots=True)
class AnalysedTable:
    """A table with its shape and the contents of its cells."""

    view: TableView
    shape: TableShape
    contents: tuple[tuple[frozenset[str], ...], ...]  # as the view's cells, of its first rows

    @property
    def labels(self) -> list[str]:
        """The cells that should name what others hold: the header, or the labels of key and value."""
        if self.shape.header is not None:
            return [cell for cell in self.view.cells[self.shape.header] if cell]
        return [row[key] for key in self.shape.keys for row in self.view.cells[:_MAX_ROWS] if row[key]]


def analyse_table(view: TableView) -> AnalysedTable:
    rows = view.cells[:_MAX_ROWS]
    width = len(view.column_numbers)
    flat = contents_of([cell for row in rows for cell in row])
    contents = tuple(tuple(flat[place * width : (place + 1) * width]) for place in range(len(rows)))
    return AnalysedTable(view, shape_of(view, contents), contents)


def table_features(looked: AnalysedTable) -> Features:
    view, shape = looked.view, looked.shape
    features = {
        f"shape={shape.kind}": 1.0,
        f"rows={_binned(len(view.cells), (1, 2, 3, 5, 8, 12))}": 1.0,
        f"columns={_binned(len(view.column_numbers), (1, 2, 3, 4, 5))}": 1.0,
        f"cells={_binned(view.filled, (2, 4, 8, 12, 20, 40))}": 1.0,
        "has header": float(shape.header is not None),
    }
    records = looked.contents[shape.first_record :]
    cells = [kinds for row in records for place, kinds in enumerate(row) if place not in shape.keys]
    features |= _shares(cells, "cells")
    # A column of dates is more than a few dates: the share of the rows in which something of a kind stands.
    counts = {kind: sum(any(kind in kinds for kinds in row) for row in records) for kind in KINDS}
    features |= {f"rows {kind}": count / len(records) for kind, count in counts.items() if count}
    labels = looked.labels
    features |= _label_values(labels, "labels" if shape.kind != KEYS else "keys")
    features |= _words(labels, HEAD, _HEAD_VALUE)
    features |= _words((cell for row in view.cells[:_MAX_ROWS] for cell in row), WORD, _WORD_VALUE)
    return features


def column_features(looked: AnalysedTable, place: int, table_type: str) -> Features:
    view, shape = looked.view, looked.shape
    records = range(shape.first_record, len(looked.contents))
    filled = [row for row in records if view.cells[row][place]]
    cells = [looked.contents[row][place] for row in filled]
    features: Features = {f"in {table_type}": 1.0, "has header": float(shape.header is not None)}
    features["filled"] = len(filled) / max(1, len(records))
    features["first"] = float(place == 0)
    features["last"] = float(place == len(view.column_numbers) - 1)
    texts = [view.cells[row][place] for row in filled]
    length = sum(len(words_in(text)) for text in texts) / max(1, len(texts))
    features[f"length={_binned(round(length), (1, 2, 3, 5, 8, 12))}"] = 1.0
    features["repeats"] = 1 - len(set(texts)) / max(1, len(texts))
    features |= _shares(cells, "cells")
    features |= {f"{name} in {table_type}": value for name, value in _shares(cells, "cells").items()}
    if shape.header is not None and (header := view.cells[shape.header][place]):
        features |= _label_values([header], "header")
        features |= _words([header], HEAD, _HEAD_VALUE)
    features |= _words(texts, WORD, _WORD_VALUE)
    return features


def _shares(cells: Sequence[frozenset[str]], name: str) -> Features:
    """For every kind the share of the cells that hold it, and whether any does."""
    features: Features = {}
    for kind in KINDS:
        count = sum(kind in kinds for kinds in cells)
        if count:
            features[f"{name} {kind}"] = count / len(cells)
            features[f"any {kind}"] = 1.0
    return features


def _label_values(labels: Sequence[str], name: str) -> Features:
    """How near the labels come to each kind: the nearest of them, and the share that comes near."""
    features: Features = {}
    for label in labels:
        for kind, value in similarities(label).items():
            near = (value - MIN_SIMILARITY) / (1 - MIN_SIMILARITY)
            features[f"{name} {kind}"] = max(near, features.get(f"{name} {kind}", 0.0))
            share = f"{name} share {kind}"
            features[share] = features.get(share, 0.0) + near / len(labels)
    return features


def _words(cells: Iterable[str], prefix: str, value: float) -> Features:
    """Words of letters only: numbers, codes and addresses would tell of one person."""
    words = (word for cell in cells if "@" not in cell for word in words_in(cell))
    return {f"{prefix}{word}": value for word in words if 1 < len(word) <= _MAX_WORD_LENGTH and word.isalpha()}


def _binned(value: int, limits: Sequence[int]) -> str:
    return next((f"{limit}" for limit in limits if value <= limit), "more")
