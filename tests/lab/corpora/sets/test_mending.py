"""Spans that lie beside their words, on blanks, on each other or outside the text."""

from __future__ import annotations

import pytest

from evenhand_lab.corpora.sets.entities import RawSpan, mend
from evenhand_lab.corpora.sets.records import RecordSpan

TEXT = "Ann Lee, Nurse at Dunmere Clinic\nMacon, GA"
# Ann Lee 0-7, Nurse 9-14, Dunmere Clinic 18-32, Macon 33-38, GA 40-42


@pytest.mark.parametrize(
    ("raw", "span"),
    [
        (RawSpan(9, 14, "title"), RecordSpan(9, 14, "title")),
        (RawSpan(7, 15, "title"), RecordSpan(9, 14, "title")),
        (RawSpan(10, 15, "title", "Nurse"), RecordSpan(9, 14, "title")),
        (RawSpan(16, 30, "employer"), RecordSpan(18, 32, "employer")),
        (RawSpan(33, 60, "city", "Macon, GA"), RecordSpan(33, 42, "city")),
        (RawSpan(18, 32, "employer", " Dunmere Clinic\n"), RecordSpan(18, 32, "employer")),
    ],
)
def test_one_span(raw: RawSpan, span: RecordSpan) -> None:
    assert mend(TEXT, [raw]) == (span,)


@pytest.mark.parametrize(
    "raw",
    [
        RawSpan(99, 104, "title"),
        RawSpan(9, 9, "title"),
        RawSpan(7, 9, "title"),  # ", "
        RawSpan(20, 31, "employer"),  # no shift of three letters ends at borders of words
        RawSpan(9, 14, "title", "Surgeon"),
    ],
)
def test_what_cannot_be_mended_is_lost(raw: RawSpan) -> None:
    assert mend(TEXT, [raw]) == ()


def test_of_overlapping_spans_the_longer_stays() -> None:
    raw = [RawSpan(18, 25, "city"), RawSpan(18, 32, "employer"), RawSpan(0, 7, "name"), RawSpan(0, 7, "name")]
    assert mend(TEXT, raw) == (RecordSpan(0, 7, "name"), RecordSpan(18, 32, "employer"))
