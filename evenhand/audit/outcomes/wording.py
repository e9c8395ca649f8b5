"""Figures as they are read: rounded, and with a word where there is none."""

from __future__ import annotations

from collections.abc import Sequence

from evenhand.audit.outcomes.categories import BY
from evenhand.audit.outcomes.intervals import Interval

NONE = "–"
SMALLEST_P = 0.0001


def decimal(value: float | None) -> str:
    return NONE if value is None else f"{value:.2f}"


def percent(value: float | None) -> str:
    """Two digits behind the point where the number is small."""
    return NONE if value is None else f"{100 * value:.1f}%"


def span(interval: Interval | None) -> str:
    return NONE if interval is None else f"{interval.low:.2f} to {interval.high:.2f}"


def percent_span(interval: Interval | None) -> str:
    return NONE if interval is None else f"{100 * interval.low:.1f} to {100 * interval.high:.1f}%"


def p_words(p: float | None) -> str:
    if p is None:
        return "no test"
    return f"p < {SMALLEST_P}" if p < SMALLEST_P else f"p = {p:.2g}" if p < 0.1 else f"p = {p:.2f}"


def p_cell(p: float | None) -> str:
    return NONE if p is None else p_words(p).removeprefix("p = ").removeprefix("p ")


def joined(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def variable_words(variable: str) -> str:
    return joined([name.replace("_", " ") for name in variable.split(BY)]) + (
        " together" if BY in variable else ""
    )
