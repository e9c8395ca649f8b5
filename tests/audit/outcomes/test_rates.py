"""Rates and ratios worked out by hand, as Local Law 144 and the Uniform Guidelines define them."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.audit.outcomes.counting import Counts, above_median, count_selected, count_within, cross, encode
from evenhand.audit.outcomes.rates import RateTable, rate_table
from evenhand.errors import UsageError


def table_of(*groups: tuple[str, int, int], unknown: int = 0, **left_out: str) -> RateTable:
    """Each group as name, people, selected."""
    names, n, selected = zip(*groups, strict=True)
    return rate_table(Counts("sex", names, n, selected, unknown), "selection", left_out=left_out)


def test_the_example_of_the_rules() -> None:
    """667 of 1,390 men and 555 of 1,181 women: 48% and 47%, an impact ratio of 0.979."""
    table = table_of(("female", 1181, 555), ("male", 1390, 667))
    women, men = table.rates
    assert table.reference == "male"
    assert (round(women.rate or 0, 2), round(men.rate or 0, 2)) == (0.47, 0.48)
    assert women.ratio == pytest.approx((555 / 1181) / (667 / 1390), rel=1e-15)
    assert round(women.ratio or 0, 3) == 0.979
    assert (men.ratio, men.p, men.ratio_interval) == (1.0, None, None)
    assert women.is_below_four_fifths is False
    assert women.changes is None


def test_exactly_four_fifths_is_not_below() -> None:
    """In floats 0.24 / 0.3 is 0.7999...; the ratio is 4/5."""
    exact, below = table_of(("a", 100, 24), ("b", 100, 30)), table_of(("a", 1000, 239), ("b", 1000, 300))
    assert (exact.of("a").ratio, exact.of("a").is_below_four_fifths) == (0.8, False)
    assert below.of("a").is_below_four_fifths is True
    assert below.of("a").changes == 1


def test_nobody_selected_has_no_ratio() -> None:
    table = table_of(("female", 5, 0), ("male", 7, 0))
    assert [each.rate for each in table.rates] == [0.0, 0.0]
    assert [each.ratio for each in table.rates] == [None, None]
    assert table.reference is None
    assert table.compared == ()


def test_a_group_of_nobody_has_no_rate_and_one_without_selected_has_zero() -> None:
    table = table_of(("x", 0, 0), ("female", 10, 0), ("male", 10, 5))
    assert [(each.rate, each.ratio) for each in table.rates] == [(None, None), (0.0, 0.0), (0.5, 1.0)]
    women = table.of("female")
    assert women.ratio_interval is not None
    assert women.ratio_interval.low == 0.0
    # Four fifths of 5 in 10 is 4 in 10. Each man fewer is as good as a woman more, but lowers the bar by 4/5 only.
    assert women.changes == 4


def test_unknowns_are_counted_and_not_compared() -> None:
    sex = encode("sex", ["female", None, "male", "male", None, "female"])
    table = rate_table(count_selected(sex, np.array([True, True, True, True, False, False])), "selection")
    assert table.unknown == 2
    assert [(each.group, each.n, each.selected, each.share) for each in table.rates] == [
        ("female", 2, 1, 0.5),
        ("male", 2, 2, 0.5),
    ]


def test_ties_at_the_median_are_not_above_it() -> None:
    """1 2 3 3 | 3 3 4 5: the median is 3, above it are two men of four and no woman."""
    scores = np.array([1.0, 2, 3, 3, 3, 3, 4, 5])
    above, median = above_median(scores)
    sex = encode("sex", ["female"] * 4 + ["male"] * 4)
    table = rate_table(count_selected(sex, above), "scoring", median=median)
    assert table.median == 3.0
    assert [(each.rate, each.ratio) for each in table.rates] == [(0.0, 0.0), (0.5, 1.0)]


def test_the_median_is_of_the_whole_sample() -> None:
    """With the unknown 9s the median is 5, and only one of the known is above; without, it would be 2.5."""
    above, median = above_median(np.array([1.0, 2, 3, 7, 9, 9, 9]))
    assert median == 7.0
    assert above.tolist() == [False, False, False, False, True, True, True]
    sex = encode("sex", ["female", "female", "male", "male", None, None, None])
    table = rate_table(count_selected(sex, above), "scoring")
    assert [each.ratio for each in table.rates] == [None, None]
    assert table.unknown == 3


def test_under_two_percent_is_left_out_only_with_a_reason_and_stays_visible() -> None:
    groups = ("white", 985, 400), ("asian", 1000, 300), ("other", 15, 15)
    assert table_of(*groups).reference == "other"
    table = table_of(*groups, other="15 people, of whom all came from one school's visit.")
    assert table.reference == "white"
    other = table.of("other")
    assert (other.n, other.rate, other.ratio, other.p) == (15, 1.0, None, None)
    assert other.left_out == "15 people, of whom all came from one school's visit."
    with pytest.raises(UsageError, match="a justification has to be given"):
        table_of(*groups, other=" ")


def test_exactly_two_percent_is_not_under() -> None:
    with pytest.raises(UsageError, match=r"'other' is 2 of 100: only a group under 2% may be left out"):
        table_of(("white", 98, 40), ("other", 2, 2), other="few")
    with pytest.raises(UsageError, match="There is no group 'third'"):
        table_of(("white", 98, 40), third="few")


def test_intersections() -> None:
    sex = encode("sex", ["female", "female", "male", None, "male"])
    race = encode("race", ["Asian", "White", "White", "White", None], names=["White"])
    both = cross(sex, race)
    assert both.variable == "sex x race"
    assert both.names == ("female / White", "female / Asian", "male / White", "male / Asian")
    assert both.codes.tolist() == [1, 0, 2, -1, -1]
    assert both.unknown == 2
    counts = count_selected(both, np.array([True, False, True, True, True]))
    assert (counts.n, counts.selected) == ((1, 1, 1, 0), (0, 1, 1, 0))


def test_counting_within_strata() -> None:
    sex = encode("sex", ["f", "f", "m", "m", None, "f"])
    flags = np.array([True, False, True, True, False, True])
    first, second = count_within(sex, flags, np.array([0, 0, 0, 1, 1, -1]), 2)
    assert (first.n, first.selected, first.unknown) == ((2, 1), (1, 1), 0)
    assert (second.n, second.selected, second.unknown) == ((0, 1), (0, 1), 1)
    assert count_selected(encode("sex", [None]), np.array([True])).unknown == 1
    assert count_selected(encode("sex", ["f"]), np.array([True])).selected == (1,)


def test_fairlearn_says_the_same() -> None:
    from fairlearn.metrics import demographic_parity_ratio

    rng = np.random.default_rng(7)
    groups, selected = rng.integers(0, 4, 400), rng.random(400) < 0.3
    counts = count_selected(encode("g", [f"g{code}" for code in groups]), selected)
    lowest = rate_table(counts, "selection").compared[0].ratio
    theirs = demographic_parity_ratio(selected, selected, sensitive_features=groups)
    assert lowest == pytest.approx(theirs, rel=1e-12)


def test_small_numbers_and_what_hangs_on_two_people() -> None:
    """Of 20 women 6, of 20 men 8: 0.75, and one woman more makes 7/8. From 2 to 4 of 10 beside 5 of 10 it takes two."""
    one = table_of(("female", 20, 6), ("male", 20, 8)).of("female")
    two = table_of(("female", 10, 2), ("male", 10, 5)).of("female")
    many = table_of(("female", 100, 20), ("male", 100, 50)).of("female")
    assert [each.changes for each in (one, two, many)] == [1, 2, 20]
    assert [each.hangs_on_few for each in (one, two, many)] == [True, True, False]
    assert [each.is_small for each in (one, two, many)] == [True, True, False]
