"""Intervals, tests and corrections against scipy's, and against values published with the methods."""

from __future__ import annotations

import math

import pytest
from scipy.stats import binomtest, fisher_exact, norm  # type: ignore[import-untyped]
from scipy.stats.contingency import relative_risk  # type: ignore[import-untyped]

from evenhand.audit.outcomes.measuring import Stratum, pool
from evenhand.audit.statistics import Z, fisher, holm, katz, newcombe, wilson


@pytest.mark.parametrize(("selected", "n"), [(0, 10), (10, 10), (1, 7), (81, 263), (15, 148), (500, 2435)])
def test_wilson(selected: int, n: int) -> None:
    theirs = binomtest(selected, n).proportion_ci(method="wilson")
    assert wilson(selected, n) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_wilson_as_published() -> None:
    """Newcombe 1998: 81 of 263."""
    assert [round(bound, 4) for bound in wilson(81, 263)] == [0.2553, 0.3662]


def test_newcombe_as_published() -> None:
    """Newcombe 1998: 56 of 70 against 48 of 80."""
    assert [round(bound, 4) for bound in newcombe((56, 70), (48, 80))] == [0.0524, 0.3339]


@pytest.mark.parametrize("numbers", [(157, 2435, 235, 2435), (3, 10, 9, 12), (5, 5, 3, 9)])
def test_katz(numbers: tuple[int, int, int, int]) -> None:
    k, n, j, m = numbers
    theirs = relative_risk(k, n, j, m).confidence_interval(0.95)
    assert katz((k, n), (j, m)) == pytest.approx((theirs.low, theirs.high), rel=1e-12)


def test_where_katz_does_not_exist_half_a_person_is_added() -> None:
    """0 of 10 against 5 of 10: ln(0.5/10.5) - ln(5.5/10.5) = -2.3979, variance 2 - 2/10.5 + 1/5.5 = 1.99134."""
    low, high = katz((0, 10), (5, 10))
    assert low == 0.0
    assert high == pytest.approx(math.exp(-2.397895 + Z * math.sqrt(1.991342)), rel=1e-5)
    low, high = katz((4, 4), (6, 6))
    assert low < 1 < high
    assert katz((2, 4), (0, 4)).high == math.inf


def test_z() -> None:
    assert pytest.approx(norm.ppf(0.975), abs=1e-15) == Z


@pytest.mark.parametrize("numbers", [(1, 10, 11, 14), (0, 5, 0, 7), (157, 2435, 235, 2435)])
def test_fisher(numbers: tuple[int, int, int, int]) -> None:
    k, n, j, m = numbers
    assert fisher(*numbers) == fisher_exact([[k, n - k], [j, m - j]]).pvalue


def test_fisher_as_published() -> None:
    """Fisher's own table: 2 and 10 against 15 and 3 convicted; two-sided 0.000537."""
    assert round(fisher(2, 17, 10, 13), 6) == 0.000537


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.5]) == [1.0, 1.0]
    assert holm([]) == []
    assert holm([0.01, 0.04], tests=3) == pytest.approx([0.03, 0.08])


BERKELEY: list[Stratum] = [
    (89, 108, 512, 825),
    (17, 25, 353, 560),
    (202, 593, 120, 325),
    (131, 375, 138, 417),
    (94, 393, 53, 191),
    (24, 341, 22, 373),
]
"""Admissions to six departments in 1973: women admitted and applied, men admitted and applied."""


def test_mantel_haenszel_on_the_admissions_of_berkeley() -> None:
    """Over all, women were admitted at 0.69 of the men's rate; within departments there is no such gap."""
    women, men = (sum(s[0] for s in BERKELEY) / 1835, sum(s[2] for s in BERKELEY) / 2691)
    assert round(women / men, 2) == 0.68
    found = pool("female", "male", BERKELEY)
    assert found.odds_ratio == pytest.approx(1 / 0.9046968, rel=1e-7)  # as R's mantelhaen.test gives it
    assert found.p is not None
    assert round(found.p, 4) == 0.2169  # chi-squared 1.5246 without continuity correction
    assert found.ratio is not None
    assert 1.0 < found.ratio < 1.1
    assert found.ratio_interval is not None
    assert found.ratio_interval.low < 1 < found.ratio_interval.high
    assert found.bands == 6


def test_one_band_is_the_plain_ratio() -> None:
    found = pool("a", "b", [(20, 100, 40, 100)])
    assert found.ratio == pytest.approx(0.5)
    plain = katz((20, 100), (40, 100))
    assert found.ratio_interval == pytest.approx(plain, rel=1e-12)


def test_bands_without_both_say_nothing() -> None:
    found = pool("a", "b", [(3, 5, 0, 0), (0, 0, 2, 4)])
    assert (found.ratio, found.ratio_interval, found.odds_ratio, found.p, found.bands) == (None,) * 4 + (0,)
    assert pool("a", "b", [(0, 5, 2, 4)]).ratio_interval is None
