from __future__ import annotations

import shutil
import time

import numpy as np
import pytest

from evenhand.documents.ocr.engines import Tesseract, lies_on_side, parse_rows, portable_grey_map
from evenhand.documents.ocr.geometry import OcrWord
from tests.documents.ocr.printing import LINES, printed

needs_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")

ROWS = """level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext
1\t1\t0\t0\t0\t0\t0\t0\t900\t512\t-1\t
4\t1\t1\t1\t1\t0\t60\t71\t354\t30\t-1\t
5\t1\t1\t1\t1\t1\t60\t71\t95\t24\t96.5\tSenior
5\t1\t1\t1\t1\t2\t170\t72\t95\t24\t50\tnurse
5\t1\t1\t1\t2\t1\t60\t135\t95\t24\t95.0\t\x20
5\t1\t2\t1\t1\t1\t60\t200\t40\t20\t100\tWard
"""


def test_rows_become_words_with_their_lines() -> None:
    assert parse_rows(ROWS) == [
        OcrWord("Senior", (60, 71, 155, 95), 0.965, 0),
        OcrWord("nurse", (170, 72, 265, 96), 0.5, 0),
        OcrWord("Ward", (60, 200, 100, 220), 1.0, 1),
    ]


def test_words_that_stand_on_end() -> None:
    assert lies_on_side([OcrWord("Ward", (0, 0, 20, 80), 1, 0), OcrWord("in", (0, 90, 25, 110), 1, 0)])
    assert not lies_on_side([OcrWord("Ward", (0, 0, 80, 20), 1, 0)])
    assert not lies_on_side([])


def test_a_picture_as_the_program_takes_it() -> None:
    assert portable_grey_map(np.array([[1, 2, 3], [4, 5, 6]], np.uint8)) == b"P5 3 2 255\n\1\2\3\4\5\6"


@needs_tesseract
@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_clear_print_is_read_exactly_whichever_way_up(turns: int) -> None:
    engine = Tesseract(shutil.which("tesseract") or "tesseract")
    image = np.ascontiguousarray(np.rot90(printed(LINES * 3), turns))  # orientation needs some text
    sight = engine.read(image, dpi=200, deadline=time.monotonic() + 120)
    assert " ".join(word.text for word in sight.words) == " ".join(LINES * 3)
    assert ((sight.quarter_turns + turns) % 4, sight.complete) == (0, True)


@needs_tesseract
def test_languages_leave_out_what_is_not_one() -> None:
    engine = Tesseract(shutil.which("tesseract") or "tesseract")
    assert engine.languages
    assert "osd" not in engine.languages


@needs_tesseract
def test_time_that_ran_out() -> None:
    engine = Tesseract(shutil.which("tesseract") or "tesseract")
    sight = engine.read(printed(), dpi=200, deadline=time.monotonic() - 1)
    assert (sight.words, sight.complete) == ([], False)
