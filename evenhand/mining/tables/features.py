"""What the two classifiers see of a table and of a column: named values, so that the weights can be read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evenhand.mining.tables.contents import KINDS, contents_of, words_in
from evenhand.mining.tables.labels import LEAST, similarities
from evenhand.mining.tables.shape import KEYS, Shape, shape_of
from evenhand.mining.tables.views import TableView

Features = dict[str, float]

WORD = "word:"  # these and HEAD words are learned only when several resumes hold them
HEAD = "head:"
_WORD_VALUE = 0.25  # one word among many must not outweigh what the table holds as a whole
_HEAD_VALUE = 0.5
_LONGEST_WORD = 16
_MOST_ROWS = 30  # a longer table shows in its first rows what it is


@dataclass(frozen=True, slots=True)
class Looked:
    """A table with its shape and the contents of its cells."""

    view: TableView
    shape: Shape
    contents: tuple[tuple[frozenset[str], ...], ...]  # as the view's cells, of its first rows

    @property
    def labels(self) -> list[str]:
        """The cells that should name what others hold: the header, or the labels of key and value."""
        if self.shape.header is not None:
            return [cell for cell in self.view.cells[self.shape.header] if cell]
        return [row[key] for key in self.shape.keys for row in self.view.cells[:_MOST_ROWS] if row[key]]


def look_at(view: TableView) -> Looked:
    rows = view.cells[:_MOST_ROWS]
    width = len(view.column_numbers)
    flat = contents_of([cell for row in rows for cell in row])
    contents = tuple(tuple(flat[place * width : (place + 1) * width]) for place in range(len(rows)))
    return Looked(view, shape_of(view, contents), contents)


def table_features(looked: Looked) -> Features:
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
    features |= _by_record(records)
    labels = looked.labels
    features |= _label_values(labels, "labels" if shape.kind != KEYS else "keys")
    features |= _words(labels, HEAD, _HEAD_VALUE)
    features |= _words((cell for row in view.cells[:_MOST_ROWS] for cell in row), WORD, _WORD_VALUE)
    return features


def column_features(looked: Looked, place: int, table_type: str) -> Features:
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


def _by_record(records: Sequence[Sequence[frozenset[str]]]) -> Features:
    """The share of the rows in which something of a kind stands: a column of dates is more than a few dates."""
    features: Features = {}
    for kind in KINDS:
        count = sum(any(kind in kinds for kinds in row) for row in records)
        if count:
            features[f"rows {kind}"] = count / len(records)
    return features


def _label_values(labels: Sequence[str], name: str) -> Features:
    """How near the labels come to each kind: the nearest of them, and the share that comes near."""
    features: Features = {}
    for label in labels:
        for kind, value in similarities(label).items():
            near = (value - LEAST) / (1 - LEAST)
            features[f"{name} {kind}"] = max(near, features.get(f"{name} {kind}", 0.0))
            share = f"{name} share {kind}"
            features[share] = features.get(share, 0.0) + near / len(labels)
    return features


def _words(cells: Iterable[str], prefix: str, value: float) -> Features:
    """Words of letters only: numbers, codes and addresses would tell of one person."""
    words = (word for cell in cells if "@" not in cell for word in words_in(cell))
    return {f"{prefix}{word}": value for word in words if 1 < len(word) <= _LONGEST_WORD and word.isalpha()}


def _binned(value: int, limits: Sequence[int]) -> str:
    return next((f"{limit}" for limit in limits if value <= limit), "more")
