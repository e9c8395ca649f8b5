"""PDF pages: lines that fit, nothing on top of anything else, headings that keep company."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

import evenhand
from evenhand_lab.corpora.files.pdf.designs import A4, DESIGNS, PdfDesign
from evenhand_lab.corpora.files.pdf.pieces import (
    HELVETICA,
    VERA,
    BoxShape,
    FlowPiece,
    Ink,
    PageColumn,
    PdfPage,
    PdfTextLine,
    TextShape,
    can_write,
    fill,
    register_vera,
    wrap,
)
from evenhand_lab.corpora.files.pdf.writer import compose, write_pdf
from evenhand_lab.corpora.manuscript import Manuscript, TextRun
from tests.lab.corpora.invented import line, resume

INK = Ink(HELVETICA, 10, "#000000")


def texts(lines: list[PdfTextLine]) -> list[str]:
    return ["".join(fragment.text for fragment in line.fragments) for line in lines]


def test_wrap_breaks_between_words() -> None:
    # In Helvetica "aa" and "b" are 11.12 and 5.56 points wide at size 10, a space 2.78.
    assert texts(wrap((TextRun("aa aa b"),), INK, 25.1)) == ["aa aa", "b"]
    assert texts(wrap((TextRun("aa aa b"),), INK, 25.0)) == ["aa", "aa b"]


def test_wrap_does_not_break_where_only_the_font_changes() -> None:
    (line,) = wrap((TextRun("Java", bold=True), TextRun(", SQL")), INK, 100)
    assert [tuple(fragment) for fragment in line.fragments] == [("Java", "Helvetica-Bold"), (", SQL", "Helvetica")]


def test_long_words_shrink_then_break() -> None:
    (small,) = wrap((TextRun("a" * 20),), INK, 100)  # 111.2 points at size 10
    assert small.size == pytest.approx(10 * 100 / 111.2 * 0.995)
    parts = wrap((TextRun("a" * 40),), INK, 100)
    assert "".join(texts(parts)) == "a" * 40
    assert [len(text) for text in texts(parts)] == [23, 17]
    assert all(part.width <= 100 for part in parts)


def test_group_moves_to_the_next_page_as_a_whole() -> None:
    pages: list[PdfPage] = [[]]
    box = (BoxShape(0, 0, 1, 1),)
    pieces = [FlowPiece(60, box), FlowPiece(20, box, before=5, glued=True), FlowPiece(20, box)]
    end = fill(pages, PageColumn(10, 100, 200, 100), pieces)
    assert [[(shape.x, shape.y) for shape in page] for page in pages] == [[(10, 100)], [(10, 100), (10, 120)]]
    assert end == 140


@pytest.mark.parametrize("design", DESIGNS.values(), ids=lambda design: design.name)
@pytest.mark.parametrize("jobs", [1, 5])
def test_nothing_overlaps_or_leaves_the_page(design: PdfDesign, jobs: int) -> None:
    register_vera()
    pages = compose(resume(jobs), design, design.accents[0], A4)
    for page in pages:
        areas = [area(shape) for shape in page if isinstance(shape, TextShape)]
        assert areas, "an empty page"
        for left, top, right, bottom in areas:
            assert 15 < left < right < A4[0] - 15
            assert 10 < top < bottom < A4[1] - 10
        for one, other in combinations(areas, 2):
            assert not overlap(one, other), (one, other)


def area(shape: TextShape) -> tuple[float, float, float, float]:
    """From the top of small letters to the baseline, a little less wide than the words."""
    line = shape.line
    return shape.x + 0.2, shape.y - line.size * 0.5, shape.x + line.width - 0.2, shape.y


def overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_fonts_know_what_they_can_write() -> None:
    assert can_write(HELVETICA, "Zoë – “100 %” €")
    assert not can_write(HELVETICA, "Łukasz")
    assert can_write(VERA, "Łukasz")
    assert not can_write(VERA, "Ω ж")


def test_names_beyond_the_standard_fonts_come_out_right() -> None:
    head, *rest = resume(1).sections
    named = replace(head, blocks=(line("Łukasz Čapek", role="name"), *head.blocks[1:]))
    document = evenhand.read(write_pdf(Manuscript(1, (named, *rest)), "classic", Random(0)))
    assert document.text.startswith("Łukasz Čapek\n")
