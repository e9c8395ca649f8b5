"""Records to JSON and back: every kind of field, renamed keys, and records with a form of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from evenhand.records.conversion import JsonRecord, from_json, to_json


@dataclass(frozen=True, slots=True)
class Point(JsonRecord):
    x: int
    y: float | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """Without methods of its own."""

    text: str


@dataclass(frozen=True, slots=True)
class Square(JsonRecord):
    side: int

    def to_json(self) -> dict[str, Any]:
        return {"type": "square", **to_json(self)}


@dataclass(frozen=True, slots=True)
class Drawing(JsonRecord):
    points: tuple[Point, ...]
    title: str | None = field(metadata={"json": "name"})
    ends: tuple[Label, int]
    named: Mapping[str, Point]
    colors: frozenset[str]
    pairs: tuple[tuple[int, int], ...]
    counts: Counter[str] = field(default_factory=Counter)
    start: Label | None = None


@dataclass(frozen=True, slots=True)
class Page(JsonRecord):
    shapes: tuple[Square | Point, ...]


DRAWING = Drawing(
    (Point(1, 0.5), Point(2)),
    "Plan",
    (Label("left"), 3),
    {"origin": Point(0)},
    frozenset({"red", "blue"}),
    ((1, 2), (3, 4)),
    Counter({"b": 2, "a": 1}),
    Label("here"),
)
WRITTEN = {
    "points": [{"x": 1, "y": 0.5}, {"x": 2, "y": None}],
    "name": "Plan",
    "ends": [{"text": "left"}, 3],
    "named": {"origin": {"x": 0, "y": None}},
    "colors": ["blue", "red"],
    "pairs": [[1, 2], [3, 4]],
    "counts": {"b": 2, "a": 1},
    "start": {"text": "here"},
}


def test_fields_become_keys_in_their_order() -> None:
    assert DRAWING.to_json() == WRITTEN
    assert list(DRAWING.to_json()) == list(WRITTEN)


def test_a_record_comes_back_as_it_was() -> None:
    again = Drawing.from_json(WRITTEN)
    assert again == DRAWING
    assert type(again.points) is tuple
    assert type(again.pairs[0]) is tuple


def test_a_missing_field_is_refused_and_an_unknown_key_passed_over() -> None:
    assert from_json(Point, {"x": 1, "y": 2.0, "z": 3}) == Point(1, 2.0)
    with pytest.raises(KeyError):
        Point.from_json({"x": 1})


def test_nested_records_write_themselves() -> None:
    assert Page((Square(2), Point(1))).to_json() == {"shapes": [{"type": "square", "side": 2}, {"x": 1, "y": None}]}
