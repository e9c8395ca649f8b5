"""The published protocol: more than nine tenths overlap, one to one, averages over documents."""

from __future__ import annotations

import pytest

from evenhand_lab.benchmarks.fact_scores import Count, Macro, count_spans, count_values, macro, overlap, plain

EXPECTED = [(0, 100, "skill")]


@pytest.mark.parametrize(
    ("found", "right"),
    [
        ((0, 91, "skill"), 1),
        ((0, 90, "skill"), 0),  # exactly nine tenths is not more
        ((0, 89, "skill"), 0),
        ((9, 100, "skill"), 1),
        ((0, 109, "skill"), 1),  # 100 of 109
        ((0, 112, "skill"), 0),  # 100 of 112
        ((0, 100, "employer"), 0),
    ],
)
def test_a_match_has_the_label_and_more_than_nine_tenths(found: tuple[int, int, str], right: int) -> None:
    assert count_spans(EXPECTED, [found], "skill").right == right


def test_one_to_one() -> None:
    twice = [(0, 100, "skill"), (0, 99, "skill")]
    assert count_spans(EXPECTED, twice, "skill") == Count(1, 1, 2)
    assert count_spans(twice, EXPECTED, "skill") == Count(1, 2, 1)


def test_pairs_are_as_many_as_possible() -> None:
    # Taken greedily, 1 would go to the first 1-or-2 and leave 2 without a partner.
    assert count_values([{1, 2}, {1}], [1, 2], lambda wanted, found: found in wanted) == Count(2, 2, 2)


def test_the_address_does_not_belong_to_the_university() -> None:
    """A known failure: "Universidad Carlos III Madrid, Spain" found where the name ends before the comma."""
    text = "Universidad Carlos III Madrid, Spain"
    name = [(0, text.index(","), "university")]
    assert count_spans(name, [(0, len(text), "university")], "university").right == 0
    assert count_spans(name, name, "university").right == 1


def test_overlap_is_shared_characters_by_the_longer() -> None:
    assert overlap((0, 10), (5, 25)) == 5 / 20
    assert overlap((0, 10), (10, 20)) == 0
    assert overlap((3, 3), (3, 3)) == 0


def test_f1_comes_from_averaged_precision_and_recall() -> None:
    counts = [Count(right=1, expected=1, found=2), Count(right=1, expected=4, found=1)]
    average = macro(counts)
    assert average == Macro(precision=0.75, recall=0.625)
    assert average.f1 == pytest.approx(2 * 0.75 * 0.625 / 1.375)  # 0.6818
    assert [count.f1 for count in counts] == [pytest.approx(2 / 3), pytest.approx(2 / 5)]
    assert average.f1 != pytest.approx((2 / 3 + 2 / 5) / 2)  # the mean of both, 0.5333


def test_a_document_without_answers_does_not_count() -> None:
    counts = [Count(1, 1, 1), Count(0, 0, 2), Count(0, 2, 0)]
    assert macro(counts) == Macro(precision=1 / 2, recall=1 / 2)
    assert macro([]) == Macro(0.0, 0.0)
    assert macro([]).f1 == 0.0


def test_counts_add_up() -> None:
    assert sum([Count(1, 2, 3), Count(4, 5, 6)], Count()) == Count(5, 7, 9)
    assert Count(5, 7, 9).f1 == 10 / 16
    assert (Count().precision, Count().recall, Count().f1) == (None, None, None)


def test_plain_keeps_what_tells_languages_apart() -> None:
    assert plain("C++ / C#, (Java)") == "c++ c# java"
