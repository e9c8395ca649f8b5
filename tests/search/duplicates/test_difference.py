"""The text diff, on texts whose difference can be seen."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evenhand.search.duplicates import index as difference_module
from evenhand.search.duplicates.index import DiffSegment, diff

TEXTS = st.lists(st.sampled_from(["a", "b", "c", " ", "\n", "  "])).map("".join)


def test_what_was_changed_put_in_and_left_out() -> None:
    assert diff("Built large Java systems\nfor banks", "Built Java  applications for several banks") == (
        DiffSegment("same", "Built"),
        DiffSegment("only_a", " large"),
        DiffSegment("same", " Java"),
        DiffSegment("only_a", " systems"),
        DiffSegment("only_b", "  applications"),
        DiffSegment("same", "\nfor"),
        DiffSegment("only_b", " several"),
        DiffSegment("same", " banks"),
    )


def test_equal_and_empty_texts() -> None:
    assert diff("one two ", "one  two") == (DiffSegment("same", "one two "),)
    assert diff("", "") == ()
    assert diff("", "new") == (DiffSegment("only_b", "new"),)


@given(TEXTS, TEXTS)
def test_both_texts_can_be_put_together_again(a: str, b: str) -> None:
    found = diff(a, b)
    assert "".join(segment.text for segment in found if segment.kind != "only_b") == a
    assert " ".join(segment.text for segment in found if segment.kind != "only_a").split() == b.split()


def test_very_long_texts_are_compared_by_lines() -> None:
    lines = [f"line {number}" for number in range(difference_module.MAX_WORDS // 2 + 1)]
    changed = [*lines[:100], "another one", *lines[101:]]
    found = diff("\n".join(lines), "\n".join(changed))
    assert [segment.text for segment in found if segment.kind != "same"] == ["\nline 100", "\nanother one"]
