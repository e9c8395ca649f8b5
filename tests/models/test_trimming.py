"""Section trimming: the budget is used up, shared in proportion, and no section is left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.errors import UsageError
from evenhand.models.sequences import trimmed_lengths


def test_a_short_resume_is_not_trimmed() -> None:
    assert trimmed_lengths([3, 0, 7], 10) == [3, 0, 7]


def test_shares_are_rounded_down_and_the_rest_goes_to_the_largest_remainders() -> None:
    # 10 of 30 tokens: 10 x 7/30 = 2.33, 10 x 11/30 = 3.67, 10 x 12/30 = 4.0: one is left, for the second.
    assert trimmed_lengths([7, 11, 12], 10) == [2, 4, 4]


def test_equal_remainders_are_served_in_order() -> None:
    assert trimmed_lengths([5, 5, 5], 7) == [3, 2, 2]


def test_a_section_of_one_token_stays_and_the_longest_pays() -> None:
    # 10 x 1/1000 is nothing; 10 x 999/1000 = 9.99.
    assert trimmed_lengths([1, 999], 10) == [1, 9]


def test_more_sections_than_tokens_cannot_all_stay() -> None:
    with pytest.raises(UsageError, match="2 tokens are too few for 3 parts"):
        trimmed_lengths([4, 4, 4], 2)


@given(st.lists(st.integers(0, 4000), min_size=1, max_size=7), st.integers(7, 600))
def test_the_sum_is_the_smaller_of_budget_and_total_and_shares_are_proportional(
    lengths: list[int], budget: int
) -> None:
    kept = trimmed_lengths(lengths, budget)
    total = sum(lengths)
    assert sum(kept) == min(budget, total)
    assert all(0 <= n <= length and (n > 0) == (length > 0) for n, length in zip(kept, lengths, strict=True))
    if total > budget:
        shares = [budget * length / total for length in lengths]
        paid = sum(1 for share, length in zip(shares, lengths, strict=True) if length and share < 1)
        for n, share in zip(kept, shares, strict=True):
            assert -1 - paid < n - share < 1 + 1e-9
            if paid == 0:
                assert abs(n - share) < 1
