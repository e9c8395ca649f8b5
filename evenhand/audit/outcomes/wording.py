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
    return NONE if value is None else f"{100 * value:.{_digits(value)}f}%"


def span(interval: Interval | None) -> str:
    return NONE if interval is None else f"{interval.low:.2f} to {interval.high:.2f}"


def percent_span(interval: Interval | None) -> str:
    if interval is None:
        return NONE
    digits = _digits(interval.low)
    return f"{100 * interval.low:.{digits}f} to {100 * interval.high:.{digits}f}%"


def _digits(rate: float) -> int:
    """A call for 6.45% and one for 9.65% are not 6% and 10%."""
    return 2 if 0 < rate < 0.1 else 1


def measure_words(measure: str) -> str:
    """Behind the name of a variable."""
    words = {"selection": "who is selected", "scoring": "who scores above the median"}
    return words.get(measure, "who is ranked highest")


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
