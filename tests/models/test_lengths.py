"""How long sections are before and after pruning."""

from __future__ import annotations

from math import sqrt

from evenhand.models.architectures import LengthRow, LengthStatistics, SectionLengths, measure_lengths


def test_the_table_has_mean_deviation_longest_and_share_within_the_limit() -> None:
    before: list[SectionLengths] = [{"Profile": 10, "Skills": 4}, {"Profile": 20}, {"Profile": 60}]
    after: list[SectionLengths] = [{"Profile": 10, "Skills": 4}, {"Profile": 20}, {"Profile": 30}]
    # Profile before: mean 30, squares 400 + 100 + 900 over 2 degrees of freedom.
    assert measure_lengths(before, after, limit=30) == [
        LengthRow("Profile", 3, LengthStatistics(30, sqrt(700), 60, 2 / 3), LengthStatistics(20, 10, 30, 1)),
        LengthRow("Skills", 1, LengthStatistics(4, 0, 4, 1), LengthStatistics(4, 0, 4, 1)),
    ]
