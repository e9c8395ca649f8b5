"""Dates of any text: places are tight, in order and apart; a date written in a style is read back."""

from __future__ import annotations

from calendar import month_abbr, month_name

from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.text.date_values import PartialDate
from evenhand.text.dates import find_dates

PIECES = st.sampled_from(
    [
        "Jan",
        "may",
        "2014",
        "14",
        "'",
        "-",
        " – ",
        "/",
        ".",
        " to ",
        "present",
        "till date",
        "\n",
        " ",
        "03",
        "Q3",
        "years",
        "1",
    ]
)
MOMENTS = st.builds(PartialDate, st.integers(1950, 2035), st.integers(1, 12))
STYLES = (
    lambda m: f"{month_name[m.month]} {m.year}",
    lambda m: f"{month_abbr[m.month]}. {m.year}",
    lambda m: f"{month_abbr[m.month]}-{m.year}",
    lambda m: f"{month_abbr[m.month].upper()}{m.year}",
    lambda m: f"{m.month:02}/{m.year}",
    lambda m: f"{m.month}.{m.year}",
    lambda m: f"{m.year}-{m.month:02}",
)


@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join)))
@settings(max_examples=300, deadline=None)
def test_places(text: str) -> None:
    done = 0
    for span in find_dates(text):
        surface = text[span.start : span.end]
        assert done <= span.start < span.end <= len(text)
        assert surface == surface.strip()
        assert (span.months is None) != (span.first is None)
        done = span.end


@given(MOMENTS, MOMENTS, st.sampled_from(STYLES), st.sampled_from([" - ", "–", " to ", " — ", " until "]))
@settings(max_examples=300, deadline=None)
def test_a_written_range_is_read_back(first: PartialDate, last: PartialDate, style, join: str) -> None:  # type: ignore[no-untyped-def]
    text = f"{style(first)}{join}{style(last)}"
    (span,) = find_dates(text)
    assert (span.start, span.end, span.first, span.last) == (0, len(text), first, last)
    assert span.reversed == (last.index < first.index)
