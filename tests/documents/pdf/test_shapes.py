"""What a page draws around its text: side bars of several areas, bands, and shapes that are no tables."""

from __future__ import annotations

from evenhand.documents.draft import DocumentDraft, ReadLimits
from evenhand.documents.pdf.reader import read_pdf
from tests.documents.pdf.pdf_files import HEIGHT, lines, pdf, rectangle, text


def read(page: str) -> DocumentDraft:
    return read_pdf(pdf(page), ReadLimits())


def texts(draft: DocumentDraft) -> list[str]:
    return [line.text for line in draft.lines]


def test_areas_below_each_other_are_one_side_bar() -> None:
    name, facts = ["Ada Example", "Engineer"], ["Polish", "English", "Python", "SQL", "Git", "Linux"]
    story = [f"Sentence number {number} of a long story" for number in range(20)]
    page = rectangle(0, 0, 200, 240, "0 0.4 0.5") + rectangle(0, 250, 200, 550, "0.8 0.9 0.9")
    page += lines(20, 60, *name, size=12) + lines(20, 300, *facts, step=20)
    page += lines(230, 60, *story, step=22)
    assert texts(read(page)) == name + facts + story


def test_a_picture_that_is_mostly_beside_the_page_is_no_band_across_it() -> None:
    wide = "q 0.5 g -200 500 500 280 re f Q\n"  # covers half of the page's width
    left, right = [f"Left {number}" for number in range(14)], [f"Right {number}" for number in range(14)]
    page = wide + lines(40, 60, *left, step=30) + lines(360, 60, *right, step=29)
    assert texts(read(page)) == left + right


def test_triangles_are_no_table() -> None:
    def triangle(x: float, y: float, width: float, height: float) -> str:
        top = HEIGHT - y
        return f"q 0.8 g {x} {top} m {x + width} {top} l {x} {top - height} l h f Q\n"

    page = triangle(0, 0, 600, 300) + triangle(0, 100, 300, 200)
    page += text(40, 80, "Ada") + text(320, 80, "Example") + text(40, 150, "Polish") + text(320, 150, "Python")
    assert read(page).tables == []
