"""A score as people see it: its parts along one bar, each with its reason, the largest first where there are many."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evenhand.records import Part, Score
from evenhand.records.score_scale import FULL
from evenhand.search.rankers.best import NAMES

COLOURS = 7
OTHER = 7  # the colour of all further parts together
SHOWN = 9  # parts that are listed without being asked for


@dataclass(frozen=True, slots=True)
class PartRow:
    """`x` and `width` are percents of the bar, None where no bar can be drawn."""

    name: str
    value: float
    reason: str
    colour: int
    x: float | None
    width: float | None


@dataclass(frozen=True, slots=True)
class ScoreView:
    value: float
    full: float | None  # of a perfect fit
    share: float  # of the whole bar, 0 to 100
    parts: tuple[PartRow, ...]
    rest: tuple[PartRow, ...] = ()  # too many to be listed at once
    decimals: int = 1

    @property
    def drawn(self) -> tuple[PartRow, ...]:
        return tuple(part for part in (*self.parts, *self.rest) if part.width)

    @property
    def rest_value(self) -> float:
        return math.fsum(part.value for part in self.rest)


def view_score(
    score: Score, ranker: str, *, best: float | None = None, clean: Callable[[str], str] = str
) -> ScoreView:
    """`best` is the highest score of the list, for rankers without a full score.

    `clean` masks the reasons, which quote titles and fields of study.
    """
    full = FULL.get(ranker)
    length = full or best or max(score.value, 0.0)
    parts = _ordered(score.parts)
    can_draw = length > 0 and all(part.value >= 0 for part in score.parts)
    rows, start = [], 0.0
    for at, part in enumerate(parts):
        width = 100 * part.value / length if can_draw else None
        rows.append(_row(part, clean, at, start if can_draw else None, width))
        start += width or 0.0
    cut = len(rows) if len(rows) <= SHOWN else COLOURS
    share = min(max(100 * score.value / length, 0.0), 100.0) if length > 0 else 0.0
    return ScoreView(
        score.value, full, share, tuple(rows[:cut]), tuple(rows[cut:]), decimals(length, score.value)
    )


def decimals(*values: float) -> int:
    """So many that a number has about three telling digits."""
    largest = max(map(abs, values), default=0.0)
    return 1 if largest >= 100 else 2 if largest >= 10 else 3


def _row(part: Part, clean: Callable[[str], str], at: int, x: float | None, width: float | None) -> PartRow:
    return PartRow(
        part.name,
        part.value,
        clean(part.reason or ""),
        min(at, OTHER),
        None if x is None else round(x, 2),
        None if width is None else round(width, 2),
    )


def _ordered(parts: Sequence[Part]) -> list[Part]:
    """Those of the default ranker always in the same order and colours; of the others the largest first."""
    names = list(NAMES.values())
    if any(part.name in names for part in parts):
        return sorted(parts, key=lambda part: names.index(part.name) if part.name in names else len(names))
    return sorted(parts, key=lambda part: (-abs(part.value), part.name))
