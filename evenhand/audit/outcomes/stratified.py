"""A ratio among people who are alike in something: within bands, and over all bands after Mantel and Haenszel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from evenhand.audit.outcomes.counting import Counts
from evenhand.audit.outcomes.intervals import Interval, Z
from evenhand.audit.outcomes.rate_table import RateTable, rate_table

Stratum = tuple[int, int, int, int]
"""Selected and all of the group; selected and all of the reference."""


@dataclass(frozen=True, slots=True)
class Pooled:
    """The ratio of a group to the reference, people compared within their band only."""

    group: str
    reference: str
    ratio: float | None
    ratio_interval: Interval | None  # Greenland and Robins
    odds_ratio: float | None
    p: float | None  # Cochran, Mantel and Haenszel, without continuity correction
    bands: int  # that have people of both


@dataclass(frozen=True, slots=True)
class Banded:
    """`tables` are those of the bands, in their order; each has its own highest group."""

    variable: str
    bands: tuple[str, ...]
    tables: tuple[RateTable, ...]
    pooled: tuple[Pooled, ...]
    unknown_band: int

    def to_json(self) -> dict[str, Any]:
        return {
            "variable": self.variable,
            "bands": [
                {"band": band, **table.to_json()} for band, table in zip(self.bands, self.tables, strict=True)
            ],
            "pooled": [asdict(each) for each in self.pooled],
            "unknown_band": self.unknown_band,
        }


def compare_within(
    bands: Sequence[str], counts: Sequence[Counts], reference: str, *, unknown_band: int = 0
) -> Banded:
    """Every group against the group that is highest over all."""
    tables = tuple(rate_table(each, "selection") for each in counts)
    names = counts[0].names if counts else ()
    at = names.index(reference)
    pooled = [
        pool(name, reference, [_stratum(each, own, at) for each in counts])
        for own, name in enumerate(names)
        if own != at and any(each.n[own] for each in counts)
    ]
    variable = counts[0].variable if counts else ""
    return Banded(variable, tuple(bands), tables, tuple(pooled), unknown_band)


def pool(group: str, reference: str, strata: Sequence[Stratum]) -> Pooled:
    both = [each for each in strata if each[1] and each[3]]
    upper = sum(k * m / (n + m) for k, n, _, m in both)
    lower = sum(j * n / (n + m) for _, n, j, m in both)
    ratio = upper / lower if lower else None
    interval = _greenland_robins(both, upper, lower) if upper and lower else None
    return Pooled(group, reference, ratio, interval, _odds_ratio(both), _cmh(both), len(both))


def _stratum(counts: Counts, own: int, other: int) -> Stratum:
    return counts.selected[own], counts.n[own], counts.selected[other], counts.n[other]


def _greenland_robins(strata: Sequence[Stratum], upper: float, lower: float) -> Interval:
    spread = sum((n * m * (k + j) - k * j * (n + m)) / (n + m) ** 2 for k, n, j, m in strata)
    deviation = math.sqrt(spread / (upper * lower))
    ratio = upper / lower
    return Interval(ratio * math.exp(-Z * deviation), ratio * math.exp(Z * deviation))


def _odds_ratio(strata: Sequence[Stratum]) -> float | None:
    upper = sum(k * (m - j) / (n + m) for k, n, j, m in strata)
    lower = sum(j * (n - k) / (n + m) for k, n, j, m in strata)
    return upper / lower if lower else None


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
