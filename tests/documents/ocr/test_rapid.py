"""Real recognition of printed pages: the models come with the package."""

from __future__ import annotations

import time

import numpy as np
import pytest
from PIL import Image

from evenhand.documents.ocr.engines import choose_engine
from evenhand.documents.ocr.geometry import Grey, OcrResult
from evenhand.documents.ocr.rapid import RapidOcr
from tests.documents.ocr.printing import LINES, printed


@pytest.fixture(scope="module")
def engine() -> RapidOcr:
    engine = choose_engine("rapidocr")
    assert isinstance(engine, RapidOcr)
    return engine


def read(engine: RapidOcr, image: Grey) -> OcrResult:
    return engine.read(image, dpi=200, deadline=time.monotonic() + 120)


def lines_of(sight: OcrResult) -> list[str]:
    lines: dict[int, list[str]] = {}
    for word in sight.words:
        lines.setdefault(word.line, []).append(word.text)
    return [" ".join(words) for words in lines.values()]


def test_clear_print_is_read_exactly(engine: RapidOcr) -> None:
    sight = read(engine, printed())
    assert lines_of(sight) == LINES
    assert (sight.complete, sight.quarter_turns) == (True, 0)
    assert min(word.confidence for word in sight.words) > 0.8


def test_words_are_where_they_were_printed(engine: RapidOcr) -> None:
    image = printed(["Left words and right"], size=40)
    sight = read(engine, image)
    ink = np.flatnonzero((image < 128).any(axis=0))
    rows = np.flatnonzero((image < 128).any(axis=1))
    assert sight.words[0].box[0] == pytest.approx(ink[0], abs=5)
    assert sight.words[-1].box[2] == pytest.approx(ink[-1], abs=5)
    for before, after in zip(sight.words, sight.words[1:], strict=False):
        gap = image[:, round(before.box[2]) : round(after.box[0])]
        assert gap.shape[1] >= 6
        assert (gap[:, 2:-2] == 255).all()
    top, bottom = sight.words[0].box[1], sight.words[0].box[3]
    assert top <= rows[0] + 4
    assert bottom >= rows[-1] - 6
    assert bottom - top == pytest.approx(40, rel=0.25)


def test_light_print_on_dark_paper(engine: RapidOcr) -> None:
    assert lines_of(read(engine, printed(LINES[:2], ink=235, paper=30))) == LINES[:2]


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_turned_pages_are_turned_back(engine: RapidOcr, turns: int) -> None:
    sight = read(engine, np.ascontiguousarray(np.rot90(printed(), turns)))
    assert (lines_of(sight), (sight.quarter_turns + turns) % 4) == (LINES, 0)


def test_a_slanting_and_noisy_page(engine: RapidOcr) -> None:
    page = Image.fromarray(printed()).rotate(1.5, resample=Image.Resampling.BICUBIC, fillcolor=255)
    noise = np.random.default_rng(7).normal(0, 12, (page.height, page.width))
    noisy = np.clip(np.asarray(page) * 0.85 + 20 + noise, 0, 255).astype(np.uint8)
    sight = read(engine, noisy)
    assert lines_of(sight) == LINES
    for line in range(len(LINES)):
        assert len({word.box[1] for word in sight.words if word.line == line}) == 1


def test_two_columns_are_separate_lines(engine: RapidOcr) -> None:
    sight = read(engine, np.hstack([printed(["Python", "Kotlin"]), printed(["Warsaw", "Madrid"])]))
    assert sorted(lines_of(sight)) == ["Kotlin", "Madrid", "Python", "Warsaw"]


def test_time_that_ran_out_leaves_the_rest_unread(engine: RapidOcr) -> None:
    sight = engine.read(printed(), dpi=200, deadline=time.monotonic() - 1)
    assert (sight.words, sight.complete) == ([], False)


@pytest.mark.parametrize("shape", [(1, 1), (5, 900), (900, 5), (300, 300)])
def test_pages_without_text(engine: RapidOcr, shape: tuple[int, int]) -> None:
    sight = read(engine, np.full(shape, 255, np.uint8))
    assert (sight.words, sight.complete) == ([], True)
