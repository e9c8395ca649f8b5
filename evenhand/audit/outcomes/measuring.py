"""Everything that is measured of a sample, variable by variable and for their intersections."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from evenhand.audit.outcomes.counting import (
    MINIMUM,
    UNKNOWN,
    CodedVariable,
    Counts,
    Flags,
    Sample,
    above_median,
    count_selected,
    count_within,
    cross,
    encode,
    only_larger,
)
from evenhand.audit.outcomes.rates import RateTable, against_enough, rate_table
from evenhand.audit.statistics import ConfidenceInterval, Z, log_ratio_of
from evenhand.records.conversion import to_json

# A ratio among people who are alike in something: within bands, and over all bands after Mantel and Haenszel.

Stratum = tuple[int, int, int, int]
"""Selected and all of the group; selected and all of the reference."""


@dataclass(frozen=True, slots=True)
class PooledRatio:
    """The ratio of a group to the reference, people compared within their band only."""

    group: str
    reference: str
    ratio: float | None
    ratio_interval: ConfidenceInterval | None  # Greenland and Robins
    odds_ratio: float | None
    p: float | None  # Cochran, Mantel and Haenszel, without continuity correction
    bands: int  # that have people of both


@dataclass(frozen=True, slots=True)
class BandComparison:
    """`tables` are those of the bands, in their order; each has its own highest group."""

    variable: str
    bands: tuple[str, ...]
    tables: tuple[RateTable, ...]
    pooled: tuple[PooledRatio, ...]
    unknown_band: int

    def to_json(self) -> dict[str, Any]:
        return {
            "variable": self.variable,
            "bands": [{"band": band, **table.to_json()} for band, table in zip(self.bands, self.tables, strict=True)],
            "pooled": [to_json(ratio) for ratio in self.pooled],
            "unknown_band": self.unknown_band,
        }


def compare_within(
    bands: Sequence[str], counts: Sequence[Counts], reference: str, *, unknown_band: int = 0
) -> BandComparison:
    """Every group and the group that is highest over all: the less favoured within bands against the other."""
    tables = tuple(rate_table(band, "selection") for band in counts)
    names = counts[0].names
    at = names.index(reference)

    def between(one: int, other: int) -> PooledRatio:
        strata = [(band.selected[one], band.n[one], band.selected[other], band.n[other]) for band in counts]
        return pool(names[one], names[other], strata)

    pooled = []
    for own in range(len(names)):
        if own != at and any(band.n[own] for band in counts):
            ratio = between(own, at)
            pooled.append(between(at, own) if ratio.ratio is None or ratio.ratio > 1 else ratio)
    return BandComparison(counts[0].variable, tuple(bands), tables, tuple(pooled), unknown_band)


def pool(group: str, reference: str, strata: Sequence[Stratum]) -> PooledRatio:
    both = [(k, n, j, m) for k, n, j, m in strata if n and m]
    upper = sum(k * m / (n + m) for k, n, _, m in both)
    lower = sum(j * n / (n + m) for _, n, j, m in both)
    ratio = upper / lower if lower else None
    interval = None
    if ratio:  # after Greenland and Robins
        spread = sum((n * m * (k + j) - k * j * (n + m)) / (n + m) ** 2 for k, n, j, m in both)
        deviation = math.sqrt(spread / (upper * lower))
        interval = ConfidenceInterval(ratio * math.exp(-Z * deviation), ratio * math.exp(Z * deviation))
    odds_upper = sum(k * (m - j) / (n + m) for k, n, j, m in both)
    odds_lower = sum(j * (n - k) / (n + m) for k, n, j, m in both)
    odds_ratio = odds_upper / odds_lower if odds_lower else None
    return PooledRatio(group, reference, ratio, interval, odds_ratio, _cmh(both), len(both))


def _cmh(strata: Sequence[Stratum]) -> float | None:
    """How often chance alone would move as many selections between the two as were moved, band by band."""
    apart, variance = 0.0, 0.0
    for k, n, j, m in strata:
        total, selected = n + m, k + j
        apart += k - n * selected / total
        if total > 1:
            variance += n * m * selected * (total - selected) / (total**2 * (total - 1))
    # Of chi-squared with one degree of freedom, which is the square of a normal variable.
    return math.erfc(abs(apart) / math.sqrt(2 * variance)) if variance else None


# Impact ratios for every length of the shortlist: would the groups fare differently with another cut?

POINTS = 400  # in what is written down; a curve has no more to show


@dataclass(frozen=True, slots=True)
class ThresholdSweep:
    """One row for each place at which a list can be cut: people with equal scores are in together or not at all."""

    variable: str
    names: tuple[str, ...]
    sizes: NDArray[np.int64]  # of the shortlist, people of unknown group included
    cuts: NDArray[np.float64]  # the lowest score that is in
    rates: NDArray[np.float64]  # by row and group; nan for a group of nobody
    ratios: NDArray[np.float64]  # nan while nobody of any known group is in

    def at(self, size: int) -> int:
        """The row of the longest list that is not longer; the first one if even that is."""
        return max(0, int(np.searchsorted(self.sizes, size, side="right")) - 1)

    def to_json(self) -> dict[str, Any]:
        rows = self.shown()
        return {
            "variable": self.variable,
            "groups": list(self.names),
            "size": self.sizes[rows].tolist(),
            "cut": self.cuts[rows].tolist(),
            "rates": [_or_none(row) for row in self.rates[rows]],
            "ratios": [_or_none(row) for row in self.ratios[rows]],
            "cuts_measured": len(self.sizes),
        }

    def shown(self) -> NDArray[np.int64]:
        """Rows evenly spread, the first and the last among them."""
        return np.unique(np.linspace(0, len(self.sizes) - 1, min(POINTS, len(self.sizes))).astype(np.int64))


def sweep(coded: CodedVariable, scores: NDArray[np.float64]) -> ThresholdSweep:
    """Once through the sorted list, whatever its length."""
    order = np.argsort(-scores, kind="stable")
    sorted_scores, codes = scores[order], coded.codes[order]
    ends = np.append(np.flatnonzero(np.diff(sorted_scores)), len(scores) - 1)
    selected = np.stack([np.cumsum(codes == group)[ends] for group in range(len(coded.names))], axis=1)
    n = np.bincount(codes[codes != UNKNOWN], minlength=len(coded.names))
    with np.errstate(invalid="ignore", divide="ignore"):
        rates = selected / n
        highest = np.nanmax(np.where(n == 0, -1.0, np.nan_to_num(rates)), axis=1, keepdims=True)
        ratios = np.where(highest > 0, rates / highest, np.nan)
    return ThresholdSweep(coded.variable, coded.names, ends + 1, sorted_scores[ends], rates, ratios)


def _or_none(row: NDArray[np.float64]) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in row]


# Rates and ratios by month or quarter, and whether a ratio goes one way over time.

Step = Literal["month", "quarter"]
MIN_PERIODS = 3  # two points always lie on a line


@dataclass(frozen=True, slots=True)
class Trend:
    """By how much the ratio of a group to the reference is multiplied from one period to the next."""

    group: str
    reference: str
    factor: float | None
    p: float | None
    periods: int  # with enough people of both


@dataclass(frozen=True, slots=True)
class Drift:
    variable: str
    step: Step
    periods: tuple[str, ...]
    tables: tuple[RateTable, ...]
    trends: tuple[Trend, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "variable": self.variable,
            "step": self.step,
            "periods": [
                {"period": period, **table.to_json()} for period, table in zip(self.periods, self.tables, strict=True)
            ],
            "trends": [to_json(trend) for trend in self.trends],
        }


def period_of(day: date, step: Step) -> str:
    return f"{day:%Y-%m}" if step == "month" else f"{day.year}-Q{(day.month + 2) // 3}"


def periods_between(first: date, last: date, step: Step) -> list[str]:
    """All of them in order, also those in which nothing happened."""
    months = range(12 * first.year + first.month - 1, 12 * last.year + last.month)
    return list(dict.fromkeys(period_of(date(at // 12, at % 12 + 1, 1), step) for at in months))


def measure_drift(periods: Sequence[str], counts: Sequence[Counts], reference: str, *, step: Step) -> Drift:
    """`periods` in order; one that nobody applied in has a table of nobody."""
    names = counts[0].names
    at = names.index(reference)
    trends = [_trend(counts, own, at) for own in range(len(names)) if own != at]
    tables = tuple(rate_table(count, "selection") for count in counts)
    return Drift(counts[0].variable, step, tuple(periods), tables, tuple(trends))


def _trend(counts: Sequence[Counts], own: int, other: int) -> Trend:
    """A line through the logarithms of the ratios, each weighing as much as it is sure."""
    points = [
        (place, *log_ratio_of((band.selected[own], band.n[own]), (band.selected[other], band.n[other])))
        for place, band in enumerate(counts)
        if min(band.n[own], band.n[other]) >= MINIMUM and band.selected[other] + band.selected[own]
    ]
    names = counts[0].names
    if len(points) < MIN_PERIODS:
        return Trend(names[own], names[other], None, None, len(points))
    slope, deviation = weighted_slope(points)
    p = math.erfc(abs(slope / deviation) / math.sqrt(2))  # two-sided, of a normal distribution
    return Trend(names[own], names[other], math.exp(slope), p, len(points))


def weighted_slope(points: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """Of (x, y, standard deviation of y): the slope and its own standard deviation."""
    weights = [1 / deviation**2 for _, _, deviation in points]
    total = sum(weights)
    middle = sum(w * x for w, (x, _, _) in zip(weights, points, strict=True)) / total
    spread = sum(w * (x - middle) ** 2 for w, (x, _, _) in zip(weights, points, strict=True))
    slope = sum(w * (x - middle) * y for w, (x, y, _) in zip(weights, points, strict=True)) / spread
    return slope, 1 / math.sqrt(spread)


MAX_MONTHLY_SPAN = 18  # months; what lasts longer is followed by quarters
MIN_PEOPLE_PER_MONTH = 100  # people in a month; fewer are followed by quarters
MAX_INTERSECTIONS = 60  # groups; more of them would each have next to nobody


LeftOut = Mapping[str, Mapping[str, str]]
"""By variable and group, why it is not compared."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    size: int
    tables: tuple[RateTable, ...]
    sweeps: tuple[ThresholdSweep, ...]
    banded: tuple[BandComparison, ...]
    drifts: tuple[Drift, ...]
    shortlist: int | None = None  # how many of the ranking a table of the measure "shortlist" takes

    def to_json(self) -> dict[str, Any]:
        return {
            "people": self.size,
            "shortlist": self.shortlist,
            "tables": [table.to_json() for table in self.tables],
            "sweeps": [sweep.to_json() for sweep in self.sweeps],
            "within_bands": [banded.to_json() for banded in self.banded],
            "over_time": [drift.to_json() for drift in self.drifts],
        }

    def table(self, variable: str, measure: str) -> RateTable | None:
        matching = (table for table in self.tables if (table.variable, table.measure) == (variable, measure))
        return next(matching, None)


def measure(sample: Sample, *, shortlist: int | None = None, left_out: LeftOut | None = None) -> Outcomes:
    plain = [encode(name, values) for name, values in sample.groups.items()]
    pairs = [(one, two) for one, two in combinations(plain, 2) if len(one.names) * len(two.names) <= MAX_INTERSECTIONS]
    coded = [*plain, *(cross(one, two) for one, two in pairs)]
    reasons = left_out or {}
    size = shortlist
    if size is None and sample.selected is not None:
        size = int(sample.selected.sum()) or None
    tables = [table for variable in coded for table in _tables(variable, sample, size, reasons.get(variable.variable))]
    references = {table.variable: against_enough(table) for table in tables if table.measure == "selection"}
    scores = sample.scores if _has_scores(sample) else None
    sweeps = []
    if scores is not None:
        scored = ~np.isnan(scores)
        # Beside a handful of people, one of whom is enough for the highest rate, no curve could be read.
        sweeps = [sweep(only_larger(variable.only(scored), MINIMUM), scores[scored]) for variable in plain]
    bands = [_within(variable, sample, references.get(variable.variable)) for variable in plain]
    drifts = [_over_time(variable, sample, references.get(variable.variable)) for variable in plain]
    return Outcomes(
        sample.size,
        tuple(tables),
        tuple(sweeps),
        tuple(band for band in bands if band is not None),
        tuple(drift for drift in drifts if drift is not None),
        size if scores is not None else None,
    )


def _tables(
    coded: CodedVariable, sample: Sample, shortlist: int | None, left_out: Mapping[str, str] | None
) -> Iterator[RateTable]:
    if sample.selected is not None:
        yield rate_table(count_selected(coded, sample.selected), "selection", left_out=left_out)
    if sample.scores is None or not _has_scores(sample):
        return
    scored = ~np.isnan(sample.scores)
    own, scores = coded.only(scored), sample.scores[scored]
    above, median = above_median(scores)
    yield rate_table(count_selected(own, above), "scoring", left_out=left_out, median=median)
    if shortlist:
        yield rate_table(count_selected(own, first_of(scores, shortlist)), "shortlist", left_out=left_out)


def first_of(scores: NDArray[np.float64], size: int) -> Flags:
    """The best `size`, with all who score as high as the last of them."""
    if size >= len(scores):
        return np.ones(len(scores), dtype=np.bool_)
    lowest = np.partition(scores, len(scores) - size)[len(scores) - size]
    return np.asarray(scores >= lowest)


def _has_scores(sample: Sample) -> bool:
    return sample.scores is not None and not bool(np.isnan(sample.scores).all())


def _within(coded: CodedVariable, sample: Sample, table: RateTable | None) -> BandComparison | None:
    if sample.bands is None or sample.selected is None or table is None or table.reference is None:
        return None
    given = set(sample.bands) - {None}
    order = [name for name in sample.band_order if name in given]
    bands = encode(sample.band_name, sample.bands, names=order)
    if not bands.names:
        return None
    counts = count_within(coded, sample.selected, bands.codes, len(bands.names))
    return compare_within(bands.names, counts, table.reference, unknown_band=bands.unknown)


def _over_time(coded: CodedVariable, sample: Sample, table: RateTable | None) -> Drift | None:
    if sample.days is None or sample.selected is None or table is None or table.reference is None:
        return None
    known = sorted(day for day in sample.days if day is not None)
    if not known:
        return None
    months = 12 * (known[-1].year - known[0].year) + known[-1].month - known[0].month + 1
    is_monthly = months <= MAX_MONTHLY_SPAN and len(known) >= MIN_PEOPLE_PER_MONTH * months
    step: Step = "month" if is_monthly else "quarter"
    names = [None if day is None else period_of(day, step) for day in sample.days]
    periods = encode("time", names, names=periods_between(known[0], known[-1], step))
    counts = count_within(coded, sample.selected, periods.codes, len(periods.names))
    return measure_drift(periods.names, counts, table.reference, step=step)
