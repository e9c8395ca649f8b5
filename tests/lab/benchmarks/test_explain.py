"""The bench of explanations: figures worked out by hand, and a small run of all four sides."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evenhand.explain.attribution import Attribution, PlaceScore
from evenhand.models.architectures import ARCHITECTURES
from evenhand_lab.benchmarks.explain import (
    FULL,
    PLAIN,
    QUICK,
    TUNED,
    ExplainerComparison,
    ExplainerResult,
    ExplainerRun,
    PeakMemory,
    as_whole,
    compare,
    top_overlap,
)
from tests.explain.gradients.by_hand import small
from tests.explain.gradients.drawn import draw, long_resume, place
from tests.models.encoder.tiny_bert import write_tiny_bert_for_transformers


def test_figures_by_hand() -> None:
    def side(name: str, *seconds: float) -> ExplainerResult:
        return ExplainerResult(name, tuple(ExplainerRun(each, -each / 1000, 0.9, 10 * each) for each in seconds))

    sides = (side(FULL, 2, 4), side(QUICK, 1, 1), side(PLAIN, 6, 12), side(TUNED, 5, 7))
    found = ExplainerComparison("C+I", 900, sides)
    assert (found.ratio(0, 2), found.ratio(0, 3), found.ratio(1, 2)) == (3.0, 2.0, 9.0)
    assert (sides[0].delta, sides[0].peak_megabytes) == (0.003, 40)
    assert sides[0].overlap == pytest.approx(0.9)
    rows = dict(found.rows())
    assert rows["  at the gate, times as fast as captum"] == "3.00 as it comes (at least 1.5), 2.00 with care"
    assert rows["  Evenhand"].startswith("3.00 s a resume, delta 0.003000 (median), 2 of 2 at the gate, 40 MB")
    assert found.to_json()["fast_ratio_tuned"] == 6.0


def test_the_strongest_words_are_compared_not_their_pieces() -> None:
    resume = place(long_resume(6, seed=5))
    text = resume.sections[0].text
    spans = [(at, at + len(word)) for at, word in _words(text)]

    def scored(*scores: float) -> Attribution:
        places = tuple(PlaceScore(*span, score) for span, score in zip(spans, scores, strict=True))
        return Attribution("ig", "pad", 0, 0, places, 0, 0, converged=True)

    one, other = scored(5, -4, 3, 0, 0, 1), scored(-5, 0, 3, 4, 0, 1)
    assert top_overlap(text, resume, one, other, top=3) == pytest.approx(2 / 3)


def _words(text: str) -> list[tuple[int, str]]:
    found, at = [], 0
    for word in text.split(" "):
        found.append((at, word))
        at += len(word) + 1
    return found


def test_all_sides_explain_the_same(tmp_path: Path) -> None:
    encoder = write_tiny_bert_for_transformers(tmp_path / "tiny")
    artefact = draw(tmp_path / "model", encoder, small(ARCHITECTURES["C+I"]))
    resumes = [place(long_resume(words, seed=words)) for words in (9, 12, 200)]
    texts = [(resume.sections[0].text, resume) for resume in resumes]
    found = compare(artefact, texts, 2, encoder=encoder)
    assert [side.name for side in found.sides] == [FULL, QUICK, PLAIN, TUNED]
    assert found.tokens < 60  # the third has too many sequences
    for side in found.sides:
        assert len(side.resumes) == 2
        assert all(each.converged and each.overlap == 1.0 for each in side.resumes)
        assert side.seconds > 0


def test_a_network_of_one_sequence_has_the_same_weights(tmp_path: Path) -> None:
    encoder = write_tiny_bert_for_transformers(tmp_path / "tiny")
    artefact = draw(tmp_path / "model", encoder, small(ARCHITECTURES["C+I"]))
    found = as_whole(artefact)
    assert found.manifest.settings["design"]["name"] == "Wr"
    assert set(artefact.tensors) - set(found.tensors) == {"sections"}


def test_memory_is_seen_at_its_peak() -> None:
    with PeakMemory() as memory:
        block = np.ones(25_000_000)  # 200 MB
        for _ in range(20):
            block += 1
        del block
    assert 150 < memory.megabytes < 600
