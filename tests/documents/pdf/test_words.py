"""Words from the distances of characters."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.documents.draft import ReadLimits
from evenhand.documents.pdf import glyphs
from evenhand.documents.pdf.glyphs import Glyphs, show_hyphens
from evenhand.documents.pdf.reader import read_pdf
from evenhand.documents.pdf.words import form_words
from tests.documents.pdf.pdf_files import COURIER, HEIGHT, HELVETICA, lines, pdf, text

SENTENCE = "instill and reinforce confidence of business in all of the staff we hire"
# Advance widths of Helvetica in thousandths of its size (Adobe font metrics).
ADVANCES = {
    **dict.fromkeys("abdeghnopqu", 556),
    **dict.fromkeys("cksvxyz", 500),
    **dict.fromkeys("ft", 278),
    **dict.fromkeys("ijl", 222),
    "m": 833,
    "r": 333,
    "w": 722,
    " ": 278,
}


def read_text(data: bytes) -> list[str]:
    return [line.text for line in read_pdf(data, ReadLimits()).lines]


def drawn_letter_by_letter(sentence: str, *, grid: float, spread: float = 0.0) -> str:
    """Each letter shown by itself at a rounded place; spaces are not drawn at all."""
    out, x = "", 40.0
    for letter in sentence:
        if letter != " ":
            out += text(round(x / grid) * grid, 100, letter)
        x += ADVANCES[letter] / 100 + spread
    return out


@pytest.mark.parametrize("grid", [0.01, 0.6])
def test_spaces_are_found_where_none_are_drawn(grid: float) -> None:
    assert read_text(pdf(drawn_letter_by_letter(SENTENCE, grid=grid))) == [SENTENCE]


def test_spaced_out_letters_stay_one_word() -> None:
    assert read_text(pdf(drawn_letter_by_letter("worked in finance and sales", grid=0.01, spread=2.0))) == [
        "worked in finance and sales"
    ]


def test_bullets_do_not_stick_to_their_text() -> None:
    content = "".join(
        text(40, 100 + 20 * i, "\x95", size=12) + text(52, 100 + 20 * i, word) for i, word in enumerate(("One",) * 8)
    )
    assert read_text(pdf(content)) == ["• One"] * 8


def test_kerning_does_not_split_words() -> None:
    content = f"BT /{HELVETICA} 10 Tf 40 700 Td [(A) 80 (W) 60 (A) 70 (Y) -300 (T) 90 (o) 40 (day)] TJ ET"
    assert read_text(pdf(content)) == ["AWAY Today"]


def test_a_letter_that_is_often_kerned_does_not_split_words_where_it_is_not() -> None:
    kerned = "(T) 170 (o) 0 ( ) " * 8
    content = f"BT /{HELVETICA} 10 Tf 40 700 Td [{kerned} ({SENTENCE} HTML TN)] TJ ET"
    assert read_text(pdf(content)) == [" ".join(["To"] * 8) + f" {SENTENCE} HTML TN"]


def drawn(words: list[str], *, accent: str = "", slanted: str = "") -> Glyphs:
    """Letters that advance by 5 in boxes of 5.4, and spaces of 2.4; accents are higher, slanted ones reach back."""
    codes, boxes, starts, pen = [], [], [], 0.0
    for word in words:
        for letter in word:
            codes.append(ord(letter))
            starts.append(pen)
            left = pen - 1.8 if letter == slanted else pen
            boxes.append((left, 88.0 if letter == accent else 90.0, pen + 5.4, 100.0))
            pen += 5.0
        pen += 2.4
    count = len(codes)
    no_spaces, baselines = np.zeros(count, bool), np.full(count, 98.0)
    return Glyphs(np.array(codes, "u4"), np.array(boxes), np.array(starts), np.arange(count), no_spaces, baselines)


def test_letters_that_reach_back_over_the_space_before_them() -> None:
    text = "we sold good stock to shops on long roads and took orders for coffee from one of the farms"
    words = text.split() * 4
    assert form_words(drawn(words, slanted="f")).text == words


def test_accents_before_spaces_only() -> None:
    words = ["data\u00c2", "at", "regional\u00c2", "level", "over\u00c2"] * 4
    assert form_words(drawn(words, accent="\u00c2")).text == words


@pytest.mark.parametrize("font", ["Times-Italic", "Times-BoldItalic", "Helvetica-Oblique"])
def test_slanted_letters_do_not_split_words(font: str) -> None:
    content = lines(40, 100, "Summerfell offices offer", "Office of official affairs at Summerfell")
    slanted = pdf(content).replace(b"/BaseFont /Helvetica ", f"/BaseFont /{font} ".encode())
    assert read_text(slanted) == ["Summerfell offices offer", "Office of official affairs at Summerfell"]


def test_fixed_width_text() -> None:
    assert read_text(pdf(text(40, 100, "SELECT name FROM people", font=COURIER))) == ["SELECT name FROM people"]


def test_a_wide_gap_is_a_tab() -> None:
    assert read_text(pdf(text(40, 100, "Engineer") + text(480, 100, "2019 - 2021"))) == ["Engineer\t2019 - 2021"]


def test_text_turned_by_a_quarter_is_one_line() -> None:
    turned = f"BT /{HELVETICA} 10 Tf 0 1 -1 0 30 300 Tm (Curriculum Vitae) Tj ET\n"
    assert read_text(pdf(lines(80, 100, "Upright text", "in two lines") + turned)) == [
        "Upright text",
        "in two lines",
        "Curriculum Vitae",
    ]


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_turned_page_is_read_upright(turn: int) -> None:
    matrix = {90: "0 1 -1 0 600 0", 180: "-1 0 0 -1 600 800", 270: "0 -1 1 0 0 800"}[turn]
    content = f"q {matrix} cm BT /{HELVETICA} 10 Tf 60 500 Td (First line) Tj 0 -14 Td (Second line) Tj ET Q"
    draft = read_pdf(pdf(content, page_entries=f"/Rotate {turn}"), ReadLimits())
    assert [line.text for line in draft.lines] == ["First line", "Second line"]
    box = draft.lines[0].box
    assert box is not None
    height = HEIGHT if turn == 180 else 600
    assert box[0] == pytest.approx(60, abs=1)
    assert box[3] == pytest.approx(height - 500, abs=3)


def test_tex_ligatures_keep_their_letters() -> None:
    content = f"BT /{HELVETICA} 10 Tf 40 700 Td (O\\036ce, \\034rst, \\035ow) Tj ET"
    font_without_unicode = pdf(content).replace(b"/Encoding /WinAnsiEncoding", b"")
    assert read_text(font_without_unicode) in (["Oﬃce, ﬁrst, ﬂow"], ["Oce, rst, ow"])


def test_python_loops_give_what_compiled_loops_give(monkeypatch: pytest.MonkeyPatch) -> None:
    data = pdf(lines(40, 100, "Software engineer", "Built pipelines in Python"))
    expected = read_pdf(data, ReadLimits())
    monkeypatch.setattr(glyphs, "LOOPS", None)
    assert read_pdf(data, ReadLimits()) == expected


def test_boxes_are_points_from_the_top_left() -> None:
    (line,) = read_pdf(pdf(text(100, 200, "Hello", size=20)), ReadLimits()).lines
    assert line.box is not None
    assert line.box[0] == pytest.approx(100, abs=2)
    assert line.box[1] < 200 < line.box[3]
    assert line.size == 20.0
    assert np.allclose(line.box[2] - line.box[0], 45.6, atol=2)  # 722+556+222+222+556 thousandths of 20


def test_a_soft_hyphen_within_a_line_is_seen() -> None:
    codes = np.array([ord(letter) for letter in "a\u00adb\u00ad"], "u4")
    boxes = np.array([(0, 90, 5, 100), (5, 90, 8, 100), (8, 90, 13, 100), (13, 90, 16, 100)], float)
    show_hyphens(codes, boxes)
    assert "".join(map(chr, codes.tolist())) == "a-b\u00ad"
