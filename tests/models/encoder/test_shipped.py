"""The weights that ship: the right files, the right vectors, and sense in what is near what."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evenhand.models.encoder.loading import Encoder, load_encoder
from evenhand.models.encoder.weights import shipped_folder
from tests.models.encoder.tiny_bert import NumpyBert

pytestmark = pytest.mark.skipif(shipped_folder() is None, reason="the weights are not installed")
JAVA = "Java developer with five years of Spring"
J2EE = "Experienced programmer of J2EE web applications"
NURSE = "Registered nurse on a night ward"
CARE = "Cared for patients in intensive care"


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_encoder()


def test_vectors_are_those_of_bert_worked_out_by_hand(encoder: Encoder) -> None:
    folder = shipped_folder()
    assert isinstance(folder, Path)
    bert = NumpyBert(folder)
    # [CLS] "registered nurse" [SEP] and "java" by the published vocabulary
    ids = [[101, 5068, 6821, 102], [101, 9262, 102]]
    vectors = encoder.encode(["Registered nurse", "JAVA"])
    np.testing.assert_allclose(vectors, [bert.vector(row) for row in ids], atol=1e-5)
    assert (encoder.name, encoder.dimension, encoder.tokens) == ("all-MiniLM-L6-v2", 384, 256)


def test_like_sentences_are_nearer_than_unlike_ones(encoder: Encoder) -> None:
    java, j2ee, nurse, care = encoder.encode([JAVA, J2EE, NURSE, CARE])
    unlike = [java @ nurse, java @ care, j2ee @ nurse, j2ee @ care]
    assert min(java @ j2ee, nurse @ care) > 2 * max(unlike)


def test_similarities_are_the_published_ones(encoder: Encoder) -> None:
    """As sbert.net's quickstart prints them for this model."""
    vectors = encoder.encode(["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."])
    published = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
    np.testing.assert_allclose(vectors @ vectors.T, published, atol=6e-5)
