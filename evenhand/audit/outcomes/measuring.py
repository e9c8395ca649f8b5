"""Everything that is measured of a sample, variable by variable and for their intersections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from evenhand.audit.outcomes.categories import Coded, cross, encode, only_larger
from evenhand.audit.outcomes.counting import MINIMUM, Flags, count_selected, count_within
from evenhand.audit.outcomes.drift import Drift, Step, follow, period_of, periods_between
from evenhand.audit.outcomes.rate_table import RateTable, against_enough, rate_table
from evenhand.audit.outcomes.sample import Sample
from evenhand.audit.outcomes.scoring import above_median
from evenhand.audit.outcomes.stratified import Banded, compare_within
from evenhand.audit.outcomes.sweep import Sweep, sweep

LONGEST_MONTHLY = 18  # months; what lasts longer is followed by quarters
ENOUGH_MONTHLY = 100  # people in a month; fewer are followed by quarters
MOST_INTERSECTIONS = 60  # groups; more of them would each have next to nobody

Found = TypeVar("Found")
LeftOut = Mapping[str, Mapping[str, str]]
"""By variable and group, why it is not compared."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    size: int
    tables: tuple[RateTable, ...]
    sweeps: tuple[Sweep, ...]
    banded: tuple[Banded, ...]
    drifts: tuple[Drift, ...]
    shortlist: int | None = None  # how many of the ranking a table of the measure "shortlist" takes

    def to_json(self) -> dict[str, Any]:
        return {
            "people": self.size,
            "shortlist": self.shortlist,
            "tables": [each.to_json() for each in self.tables],
            "sweeps": [each.to_json() for each in self.sweeps],
            "within_bands": [each.to_json() for each in self.banded],
            "over_time": [each.to_json() for each in self.drifts],
        }

    def table(self, variable: str, measure: str) -> RateTable | None:
        found = (each for each in self.tables if (each.variable, each.measure) == (variable, measure))
        return next(found, None)


def measure(sample: Sample, *, shortlist: int | None = None, left_out: LeftOut | None = None) -> Outcomes:
    plain = [encode(name, values) for name, values in sample.groups.items()]
    coded = [*plain, *_intersections(plain)]
    reasons = left_out or {}
    size = shortlist if shortlist is not None else _as_many_as_selected(sample)
    tables = [table for each in coded for table in _tables(each, sample, size, reasons.get(each.variable))]
    by_key = {(table.variable, table.measure): table for table in tables}
    references = {name: against_enough(table) for (name, how), table in by_key.items() if how == "selection"}
    return Outcomes(
        sample.size,
        tuple(tables),
        tuple(_sweep(each, sample.scores) for each in plain if _has_scores(sample)),
        tuple(_present(_within(each, sample, references.get(each.variable)) for each in plain)),
        tuple(_present(_over_time(each, sample, references.get(each.variable)) for each in plain)),
        size if _has_scores(sample) else None,
    )


def _present(found: Iterable[Found | None]) -> Iterator[Found]:
    return (each for each in found if each is not None)


def _intersections(plain: Sequence[Coded]) -> Iterator[Coded]:
    for one, two in combinations(plain, 2):
        if len(one.names) * len(two.names) <= MOST_INTERSECTIONS:
            yield cross(one, two)


def _tables(
    coded: Coded, sample: Sample, shortlist: int | None, left_out: Mapping[str, str] | None
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


def _as_many_as_selected(sample: Sample) -> int | None:
    if sample.selected is None or not (number := int(sample.selected.sum())):
        return None
    return number


def _has_scores(sample: Sample) -> bool:
    return sample.scores is not None and not bool(np.isnan(sample.scores).all())


def _sweep(coded: Coded, scores: NDArray[np.float64] | None) -> Sweep:
    assert scores is not None  # noqa: S101 - asked for where there are scores
    scored = ~np.isnan(scores)
    # Beside a handful of people, one of whom is enough for the highest rate, no curve could be read.
    return sweep(only_larger(coded.only(scored), MINIMUM), scores[scored])


def _within(coded: Coded, sample: Sample, table: RateTable | None) -> Banded | None:
    if sample.bands is None or sample.selected is None or table is None or table.reference is None:
        return None
    given = set(sample.bands) - {None}
    order = [name for name in sample.band_order if name in given]
    bands = encode(sample.band_name, sample.bands, names=order)
    if not bands.names:
        return None
    counts = count_within(coded, sample.selected, bands.codes, len(bands.names))
    return compare_within(bands.names, counts, table.reference, unknown_band=bands.unknown)


def _over_time(coded: Coded, sample: Sample, table: RateTable | None) -> Drift | None:
    if sample.days is None or sample.selected is None or table is None or table.reference is None:
        return None
    known = sorted(day for day in sample.days if day is not None)
    if not known:
        return None
    months = 12 * (known[-1].year - known[0].year) + known[-1].month - known[0].month + 1
    is_monthly = months <= LONGEST_MONTHLY and len(known) >= ENOUGH_MONTHLY * months
    step: Step = "month" if is_monthly else "quarter"
    names = [None if day is None else period_of(day, step) for day in sample.days]
    periods = encode("time", names, names=periods_between(known[0], known[-1], step))
    counts = count_within(coded, sample.selected, periods.codes, len(periods.names))
    return follow(periods.names, counts, table.reference, step=step)
