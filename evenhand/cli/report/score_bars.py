"""The parts of a score as one bar and its legend. The parts that matter most in the list have colours of their own."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenhand.cli.facts import count
from evenhand.cli.terminal import printable
from evenhand.records.ranking import Part, Result
from evenhand.records.score_scale import ScoreScale

COLORS = 7
OTHER = 7  # the colour of all further parts together
ROWS = 9


@dataclass(frozen=True, slots=True)
class Segment:
    x: str
    width: str
    color: int
    label: str


@dataclass(frozen=True, slots=True)
class PartRow:
    name: str
    value: str
    reason: str
    color: int | None  # None where no bar is drawn


@dataclass(frozen=True, slots=True)
class Legend:
    """A term ranker has a part for every word: most of them are behind `others`."""

    first: list[PartRow]
    rest: list[PartRow]
    rest_words: str  # how many they are and what they add up to


def part_colors(results: Sequence[Result]) -> dict[str, int]:
    """A part has the same colour with every candidate."""
    weights: dict[str, list[float]] = {}
    for result in results:
        for part in result.score.parts:
            weights.setdefault(part.name, []).append(abs(part.value))
    names = sorted(weights, key=lambda name: (-math.fsum(weights[name]), name))
    return {name: min(at, OTHER) for at, name in enumerate(names)}


def segments(result: Result, scale: ScoreScale, colors: Mapping[str, int]) -> list[Segment]:
    """As long together as the score beside the best one; none where a part takes away or scores are logs."""
    if scale.zero < 0 or scale.best <= 0 or any(part.value < 0 for part in result.score.parts):
        return []
    drawn: list[Segment] = []
    start = 0.0
    for color, parts in _by_color(result.score.parts, colors):
        value = math.fsum(part.value for part in parts)
        name = printable(parts[0].name) if len(parts) == 1 else count(len(parts), "other part")
        width = 100 * scale.share(value)
        drawn.append(Segment(f"{start:.2f}%", f"{width:.2f}%", color, f"{name} {scale.text(value)}"))
        start += width
    return drawn


def legend(result: Result, scale: ScoreScale, colors: Mapping[str, int]) -> Legend:
    is_drawn = bool(segments(result, scale, colors))
    parts = sorted(result.score.parts, key=lambda part: colors[part.name] == OTHER)
    rows = [
        PartRow(
            printable(part.name),
            scale.text(part.value),
            printable(part.reason or ""),
            colors[part.name] if is_drawn else None,
        )
        for part in parts
    ]
    if len(rows) <= ROWS:
        return Legend(rows, [], "")
    rest = math.fsum(part.value for part in parts[COLORS:])
    return Legend(rows[:COLORS], rows[COLORS:], f"{len(rows) - COLORS:,} further parts: {scale.text(rest)}")


def _by_color(parts: Sequence[Part], colors: Mapping[str, int]) -> list[tuple[int, list[Part]]]:
    found: dict[int, list[Part]] = {}
    for part in sorted(parts, key=lambda part: colors[part.name] == OTHER):
        if part.value:
            found.setdefault(colors[part.name], []).append(part)
    return list(found.items())
