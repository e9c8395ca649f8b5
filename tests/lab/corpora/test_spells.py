"""Time spent: unions, gaps and cuts, worked out by hand."""

from __future__ import annotations

from itertools import pairwise

from evenhand_lab.corpora.career import CareerPeriod, cut, longest_gap, month, sample_stays
from evenhand_lab.corpora.lexicon import stream, streams
from evenhand_lab.corpora.truth import union_months

AS_OF = month(2020, 12)
FIRST = CareerPeriod(month(2019, 1), month(2019, 6))
SECOND = CareerPeriod(month(2019, 4), month(2019, 9))


def test_union_counts_a_month_once() -> None:
    assert union_months([FIRST, SECOND], AS_OF) == 9
    assert union_months([SECOND, FIRST, FIRST], AS_OF) == 9
    assert union_months([CareerPeriod(month(2020, 11), None)], AS_OF) == 2
    assert union_months([], AS_OF) == 0


def test_gaps_lie_between_two_periods() -> None:
    later = CareerPeriod(month(2020, 4), None)
    assert longest_gap([FIRST, SECOND, later], AS_OF) == 6  # October to March
    assert longest_gap([FIRST, SECOND], AS_OF) == 0
    assert longest_gap([SECOND], AS_OF) == 0  # the time after it is no gap


def test_a_long_period_covers_gaps_of_others() -> None:
    assert (
        longest_gap([CareerPeriod(month(2018, 1), month(2020, 6)), FIRST, CareerPeriod(month(2020, 9), None)], AS_OF)
        == 2
    )


def test_cuts_add_up() -> None:
    whole = CareerPeriod(month(2015, 1), None)
    pieces = cut(stream(1, 1, "cut"), whole, AS_OF, 4, least=5)
    assert len(pieces) == 4
    assert pieces[0].start == whole.start
    assert pieces[-1].end is None
    assert all(piece.months(AS_OF) >= 5 for piece in pieces)
    assert sum(piece.months(AS_OF) for piece in pieces) == whole.months(AS_OF)
    assert len(cut(stream(1, 1, "cut"), CareerPeriod(month(2020, 1), month(2020, 4)), AS_OF, 3)) == 1


def test_stays_follow_one_another() -> None:
    for number in range(200):
        stays = sample_stays(stream(2, number, "stays"), start=month(2001, 7), as_of=AS_OF)
        assert stays[0].start == month(2001, 7)
        for one, two in pairwise(stays):
            assert one.end is not None
            assert one.end < two.start <= one.end + 21
        assert stays[-1].last(AS_OF) >= AS_OF - 8 - 20 - 5  # out of work, after a pause
    assert sample_stays(stream(2, 1, "stays"), start=AS_OF + 1, as_of=AS_OF) == []


def test_streams_depend_on_seed_number_and_purpose_alone() -> None:
    assert stream(1, 2, "names").random() == streams(1, 2)("names").random()
    draws = {stream(seed, number, purpose).random() for seed in (1, 2) for number in (1, 2) for purpose in "ab"}
    assert len(draws) == 8
    assert stream(1, 23, "a").random() != stream(12, 3, "a").random()
