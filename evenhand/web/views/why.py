"""Why one candidate stands above another, as a small table."""

from __future__ import annotations

import math
from dataclasses import dataclass

from evenhand.records import Part
from evenhand.workflows.candidate_score import decimals
from evenhand.workflows.desk_why import Placed, Why
from evenhand.workflows.lens import Lens, pseudonym

ROWS = 8


@dataclass(frozen=True, slots=True)
class Side:
    application: str
    name: str
    score: str


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    difference: str
    favours: bool  # the one above
    above: str
    below: str


@dataclass(frozen=True, slots=True)
class WhyView:
    above: Side
    below: Side
    difference: str
    rows: tuple[Row, ...]
    rest: str


def why_view(found: Why, lens: Lens) -> WhyView:
    digits = decimals(found.above.score.value, found.below.score.value)
    differences = found.comparison.differences
    rows = tuple(
        Row(
            each.name,
            f"{each.value:+.{digits}f}",
            each.value > 0,
            _words(each.above, digits),
            _words(each.below, digits),
        )
        for each in differences[:ROWS]
    )
    left = differences[ROWS:]
    together = math.fsum(each.value for each in left)
    rest = (
        f"{len(left):,} smaller differences, {together:+.{digits}f} together, are not listed." if left else ""
    )
    return WhyView(
        _side(found.above, lens, digits),
        _side(found.below, lens, digits),
        f"{found.comparison.value:z.{digits}f}",
        rows,
        rest,
    )


def _side(placed: Placed, lens: Lens, digits: int) -> Side:
    id = placed.entry.application
    name = lens.name(id, placed.entry.card.get("name")) or pseudonym(id)
    return Side(id, name, f"{placed.score.value:z.{digits}f}")


def _words(part: Part | None, digits: int) -> str:
    if part is None:
        return "nothing"
    value = f"{part.value:z.{digits}f}"
    return f"{value}: {part.reason}" if part.reason else value
