"""Rates by group against the highest: the table that New York's Local Law 144 and the Uniform Guidelines ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from evenhand.audit.outcomes.counting import BY, MINIMUM, Counts
from evenhand.audit.statistics import ConfidenceInterval, fisher, holm, katz, newcombe, wilson
from evenhand.errors import UsageError
from evenhand.records.conversion import to_json
from evenhand.text.wording import join_and

# How many single outcomes a finding hangs on. One that two people more or less would undo is no finding.
#
# The Uniform Guidelines' questions and answers (no. 21) ask for exactly this with small numbers.

FOUR_FIFTHS = 0.8
FEW = 2


def is_below_four_fifths(selected: int, n: int, other_selected: int, other_n: int) -> bool:
    """In whole numbers: a ratio of exactly four fifths is not below, whatever floats make of it."""
    return 5 * selected * other_n < 4 * other_selected * n


def changes_to_four_fifths(selected: int, n: int, other_selected: int, other_n: int) -> int:
    """The fewest outcomes to change until the ratio is four fifths: more selected here, or fewer of the others."""
    more = np.arange(n - selected + 1, dtype=object)  # Python's integers, which do not overflow
    # The most the others may have beside selected + more is 5 * other_n * (selected + more) / (4 * n).
    allowed = (5 * other_n * (selected + more)) // (4 * n)
    fewer = np.maximum(other_selected - allowed, 0)
    return int((more + fewer).min())


SMALL_SHARE_PERCENT = 2  # of those whose group is known: a category with less may be left out, with a reason

Measure = Literal["selection", "scoring", "shortlist"]
"""By decisions; by scores above the median; by being among the first of the ranking."""


@dataclass(frozen=True, slots=True)
class GroupRate:
    """Of one group. What cannot be worked out is None: a rate of nobody, a ratio to zero."""

    group: str
    n: int
    selected: int
    share: float | None  # of those whose group is known
    rate: float | None
    rate_interval: ConfidenceInterval | None
    ratio: float | None = None  # the impact ratio: to the rate of the reference
    ratio_interval: ConfidenceInterval | None = None
    difference: float | None = None
    difference_interval: ConfidenceInterval | None = None
    is_below_four_fifths: bool | None = None
    changes: int | None = None  # outcomes to change until the ratio is four fifths; None where it is that already
    p: float | None = None  # Fisher's
    p_corrected: float | None = None  # for the number of groups, after Holm
    left_out: str | None = None  # why it is not compared

    @property
    def is_small(self) -> bool:
        return self.n < MINIMUM

    @property
    def hangs_on_few(self) -> bool:
        return self.changes is not None and self.changes <= FEW

    def to_json(self) -> dict[str, Any]:
        return {**to_json(self), "is_small": self.is_small, "hangs_on_few": self.hangs_on_few}


@dataclass(frozen=True, slots=True)
class RateTable:
    """`reference` is the group with the highest rate; None where nobody was selected or nobody's group is known."""

    variable: str
    measure: Measure
    rates: tuple[GroupRate, ...]
    reference: str | None
    unknown: int
    median: float | None = None  # of the scores; only in a table of scoring rates

    @property
    def known(self) -> int:
        return sum(rate.n for rate in self.rates)

    @property
    def compared(self) -> tuple[GroupRate, ...]:
        """Those with a ratio, the reference itself left out; the lowest ratio first."""
        others = [rate for rate in self.rates if rate.ratio is not None and rate.group != self.reference]
        return tuple(sorted(others, key=lambda rate: (rate.ratio, rate.group)))

    def of(self, group: str) -> GroupRate:
        return next(rate for rate in self.rates if rate.group == group)

    def to_json(self) -> dict[str, Any]:
        values = to_json(self)
        values["rates"] = values.pop("rates")  # the longest part comes last
        return values


def rate_table(
    counts: Counts,
    measure: Measure,
    *,
    left_out: Mapping[str, str] | None = None,
    median: float | None = None,
    least: int = 1,
) -> RateTable:
    """`left_out` has the justification by group; only groups under 2% may be left out, and they stay in the table.
    The reference has at least `least` people."""
    reasons = dict(left_out or {})
    for group, reason in reasons.items():
        if group not in counts.names:
            raise UsageError(f"There is no group {group!r} of {counts.variable} to leave out.")
        n = counts.n[counts.names.index(group)]
        if 100 * n >= SMALL_SHARE_PERCENT * counts.known:
            raise UsageError(f"{group!r} is {n:,} of {counts.known:,}: only a group under 2% may be left out.")
        if not reason.strip():
            raise UsageError(f"To leave {group!r} out, a justification has to be given.")
    rates = [_plain(counts, at, reasons.get(name)) for at, name in enumerate(counts.names)]
    candidates = [rate for rate in rates if rate.rate and rate.n >= least and rate.left_out is None]
    # Of equal rates the one of more people: it is the surer measure.
    reference = max(candidates, key=lambda rate: (rate.selected / rate.n, rate.n), default=None)
    if reference is not None:
        rates = [_compared(rate, reference) for rate in rates]
        tested = [rate.p for rate in rates if rate.p is not None]
        # For all pairs of groups: which one is the reference was seen only afterwards.
        ps = iter(holm(tested, tests=len(tested) * (len(tested) + 1) // 2))
        rates = [rate if rate.p is None else replace(rate, p_corrected=next(ps)) for rate in rates]
    name = reference.group if reference else None
    return RateTable(counts.variable, measure, tuple(rates), name, counts.unknown, median)


def against_enough(table: RateTable) -> RateTable:
    """The same with the highest of the groups that have enough people as the reference, where there is one.

    A handful of people may have the highest rate by chance. The law's ratio is to them all the same, but nothing can be
    judged by it.
    """
    if table.reference is None or not table.of(table.reference).is_small:
        return table
    names, n, selected = zip(*((rate.group, rate.n, rate.selected) for rate in table.rates), strict=True)
    counts = Counts(table.variable, names, n, selected, table.unknown)
    left_out = {rate.group: rate.left_out for rate in table.rates if rate.left_out is not None}
    again = rate_table(counts, table.measure, left_out=left_out, median=table.median, least=MINIMUM)
    return table if again.reference is None else again


def _plain(counts: Counts, at: int, reason: str | None) -> GroupRate:
    n, selected = counts.n[at], counts.selected[at]
    share = n / counts.known if counts.known else None
    if n == 0:
        return GroupRate(counts.names[at], 0, 0, share, None, None, left_out=reason)
    interval = wilson(selected, n)
    return GroupRate(counts.names[at], n, selected, share, selected / n, interval, left_out=reason)


def _compared(rate: GroupRate, reference: GroupRate) -> GroupRate:
    if rate.rate is None or rate.left_out is not None:
        return rate
    # One division of whole numbers: exact ratios such as 4/5 come out as the float nearest to them.
    ratio = rate.selected * reference.n / (rate.n * reference.selected)
    if rate.group == reference.group:
        return replace(rate, ratio=ratio, difference=0.0, is_below_four_fifths=False)
    own, other = (rate.selected, rate.n), (reference.selected, reference.n)
    is_below = is_below_four_fifths(*own, *other)
    return replace(
        rate,
        ratio=ratio,
        ratio_interval=katz(own, other),
        difference=rate.rate - (reference.rate or 0.0),
        difference_interval=newcombe(own, other),
        is_below_four_fifths=is_below,
        changes=changes_to_four_fifths(*own, *other) if is_below else None,
        p=fisher(*own, *other),
    )


# Figures as they are read: rounded, and with a word where there is none.

NONE = "–"
MIN_P = 0.0001


def decimal(value: float | None) -> str:
    return NONE if value is None else f"{value:.2f}"


def percent(value: float | None) -> str:
    return NONE if value is None else f"{100 * value:.{_digits(value)}f}%"


def span(interval: ConfidenceInterval | None) -> str:
    return NONE if interval is None else f"{interval.low:.2f} to {interval.high:.2f}"


def percent_span(interval: ConfidenceInterval | None) -> str:
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
    return f"p < {MIN_P}" if p < MIN_P else f"p = {p:.2g}" if p < 0.1 else f"p = {p:.2f}"


def p_cell(p: float | None) -> str:
    return NONE if p is None else p_words(p).removeprefix("p = ").removeprefix("p ")


def variable_words(variable: str) -> str:
    return join_and([name.replace("_", " ") for name in variable.split(BY)]) + (" together" if BY in variable else "")
