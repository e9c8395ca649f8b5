"""Rows, parts and sums, worked out by hand; a neural part on a BERT small enough to write."""

from __future__ import annotations

from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest

from evenhand.errors import ModelUnfit
from evenhand.models.encoder.loading import load_encoder
from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.models.linear.model import LinearModel, TermPart, TermReading, VectorPart, VectorReading
from tests.models.encoder.tiny_bert import write_tiny_bert

BODY = TermPart(
    TermReading("body", "body", longest=1, weight=2.0, most=2),
    ("bread", "ward"),
    np.array([1.0, 2.0], np.float32),
    np.array([[3.0, 0.0], [0.0, 5.0]], np.float32),
)
BIAS = np.array([0.5, -0.5], np.float32)
MODEL = LinearModel(("COOK", "NURSE"), BIAS, (BODY,))
RESUME = ResumeInput((SectionText("Skills", "Bread, bread, ward, wine"),))
COUNTS = {"bread": 2, "ward": 1, "wine": 1}


def test_a_row_by_hand() -> None:
    places, values = BODY.row(COUNTS)
    bread, ward = 1 + log(2), 2.0
    length = sqrt(bread**2 + ward**2)
    assert places.tolist() == [0, 1]
    assert values.tolist() == pytest.approx([2 * bread / length, 2 * ward / length])


def test_logits_are_the_bias_and_the_parts() -> None:
    (row,) = MODEL.logits([RESUME])
    values = BODY.row(COUNTS)[1]
    assert row.tolist() == pytest.approx([0.5 + 3 * values[0], -0.5 + 5 * values[1]])


def test_a_resume_without_known_words_gets_the_bias() -> None:
    assert MODEL.logits([ResumeInput(())]).tolist() == [[0.5, -0.5]]
    assert MODEL.logits([]).shape == (0, 2)


def test_a_neural_part_adds_the_mean_of_its_vectors(tmp_path: Path) -> None:
    encoder = load_encoder(write_tiny_bert(tmp_path))
    mean = np.linspace(-1, 1, 32).astype(np.float32)
    coefficients = np.arange(64, dtype=np.float32).reshape(32, 2) / np.float32(64)
    part = VectorPart(VectorReading("meaning", "titles", 0.5), mean, coefficients)
    model = LinearModel(MODEL.labels, BIAS, (BODY,), (part,))
    resume = ResumeInput(RESUME.sections, ("nurse", "java engineer"))
    vectors = encoder.encode(["nurse", "java engineer"])
    expected = 0.5 * (vectors.mean(axis=0) - mean) @ coefficients
    difference = model.logits([resume], encoder)[0] - MODEL.logits([resume])[0]
    assert difference.tolist() == pytest.approx(expected.tolist(), abs=1e-5)
    with pytest.raises(ModelUnfit, match="meaning"):
        model.logits([resume])


def test_a_body_is_encoded_section_by_section_in_windows(tmp_path: Path) -> None:
    encoder = load_encoder(write_tiny_bert(tmp_path))
    resume = ResumeInput((SectionText("Profile", "nurse"), SectionText("Skills", "java " * 12)))
    reading = VectorReading("meaning", "body", 1.0)
    # The tiny encoder reads twelve tokens at once, two of which are special.
    assert [len(text.split()) for text in reading.texts(resume, encoder)] == [1, 10, 2]
    assert reading.vector(ResumeInput(()), encoder).tolist() == [0.0] * 32
