"""Ten thousand random tables against a slow, plain and independent way to work out the same, in fractions."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np

from evenhand.audit.outcomes.counting import Counts, above_median, encode
from evenhand.audit.outcomes.measuring import sweep
from evenhand.audit.outcomes.rates import rate_table

TABLES = 10_000
MOST = 5  # people in a group: small tables are where zeros and ties are


def slow_fisher(k: int, n: int, j: int, m: int) -> Fraction:
    """All tables with the same margins that are no likelier than this one."""
    every = {a: comb(n, a) * comb(m, k + j - a) for a in range(max(0, k + j - m), min(n, k + j) + 1)}
    return Fraction(sum(ways for ways in every.values() if ways <= every[k]), comb(n + m, k + j))


def slow_changes(k: int, n: int, j: int, m: int) -> int:
    """Tries all ways to change outcomes, the fewest first."""
    ways = sorted(product(range(n - k + 1), range(j + 1)), key=sum)
    return next(
        more + fewer
        for more, fewer in ways
        if j == fewer or Fraction(k + more, n) >= Fraction(4, 5) * Fraction(j - fewer, m)
    )


def slow_median(values: list[int]) -> Fraction:
    ordered, half = sorted(values), len(values) // 2
    if len(values) % 2:
        return Fraction(ordered[half])
    return Fraction(ordered[half - 1] + ordered[half], 2)


def test_ten_thousand_tables_of_selections() -> None:
    draw = random.Random(144)
    tested: dict[tuple[int, int, int, int], tuple[Fraction, int]] = {}
    for _ in range(TABLES):
        n = [draw.randint(0, MOST) for _ in range(draw.randint(1, 4))]
        k = [draw.randint(0, people) for people in n]
        names = tuple(f"g{at}" for at in range(len(n)))
        table = rate_table(Counts("g", names, tuple(n), tuple(k)), "selection")
        rates = [Fraction(one, all) if all else None for one, all in zip(k, n, strict=True)]
        best = max((rate for rate in rates if rate is not None), default=Fraction(0))
        for at, found in enumerate(table.rates):
            rate = rates[at]
            assert found.rate == (None if rate is None else float(rate))
            if rate is None or best == 0:
                assert (found.ratio, found.p, found.is_below_four_fifths) == (None, None, None)
                continue
            assert found.ratio == float(rate / best)
            assert found.is_below_four_fifths is (rate < Fraction(4, 5) * best)
            if found.group == table.reference:
                assert rate == best
                continue
            other = table.of(table.reference or "")
            key = (k[at], n[at], other.selected, other.n)
            if key not in tested:
                tested[key] = slow_fisher(*key), slow_changes(*key)
            p, changes = tested[key]
            assert found.p is not None
            assert abs(found.p - float(p)) < 1e-9
            assert found.changes == (changes if found.is_below_four_fifths else None)
    assert len(tested) > 100


def test_ten_thousand_tables_of_scores() -> None:
    """Few different scores, so that there are ties at the median; and every cut of the list."""
    draw = random.Random(2023)
    for number in range(TABLES):
        scores = [draw.randint(0, 4) for _ in range(draw.randint(1, 9))]
        groups = [draw.choice(["a", "b", None]) for _ in scores]
        above, median = above_median(np.array(scores, dtype=float))
        assert Fraction(median) == slow_median(scores)
        assert above.tolist() == [score > slow_median(scores) for score in scores]
        if number % 5 == 0:
            check_sweep(scores, groups)


def check_sweep(scores: list[int], groups: list[str | None]) -> None:
    found = sweep(encode("g", groups, names=["a", "b"]), np.array(scores, dtype=float))
    cuts = sorted(set(scores), reverse=True)
    assert found.cuts.tolist() == cuts
    for row, cut in enumerate(cuts):
        assert found.sizes[row] == sum(score >= cut for score in scores)
        rates = [slow_rate(scores, groups, group, cut) for group in "ab"]
        best = max((rate for rate in rates if rate is not None), default=Fraction(0))
        for mine, rate in zip(found.ratios[row], rates, strict=True):
            if rate is None or best == 0:
                assert np.isnan(mine)
            else:
                assert abs(mine - float(rate / best)) < 1e-12


def slow_rate(scores: list[int], groups: list[str | None], group: str, cut: int) -> Fraction | None:
    own = [score for score, of in zip(scores, groups, strict=True) if of == group]
    return Fraction(sum(score >= cut for score in own), len(own)) if own else None
