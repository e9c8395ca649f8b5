"""The encoder against BERT worked out by hand, and what its vectors must hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest

from evenhand.models.encoder.graph import build_graph
from evenhand.models.encoder.loading import Encoder, load_encoder
from evenhand.models.encoder.weights import read_shape, read_weights
from tests.models.encoder.tiny_bert import NumpyBert, write_tiny_bert

TEXTS = ["java engineer", "", "nurse", "ward nurse (java) engineer javascript", "Nurse", "   ", "java (nurse)"]
IDS = [[2, 4, 7, 8, 3], [], [2, 6, 3], [2, 9, 6, 10, 4, 11, 7, 8, 4, 5, 3], [2, 6, 3], [], [2, 4, 10, 6, 11, 3]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_bert(tmp_path_factory.mktemp("encoder") / "tiny")


@pytest.fixture(scope="module")
def encoder(folder: Path) -> Encoder:
    return load_encoder(folder)


def test_onnx_accepts_the_graphs(tmp_path: Path) -> None:
    """Checked by the format's own library, and as it would write them itself."""
    folder = write_tiny_bert(tmp_path / "tiny")
    weights = read_weights(folder, read_shape(folder))
    for model in (build_graph(weights), build_graph(weights, output="first"), build_graph(weights, output="states")):
        parsed = onnx.load_model_from_string(model)
        assert parsed.SerializeToString() == model
        assert [opset.version for opset in parsed.opset_import] == [20, 1]
        assert [value.name for value in parsed.graph.input] == ["ids", "mask"]


def test_vectors_are_those_of_bert_worked_out_by_hand(encoder: Encoder, folder: Path) -> None:
    bert = NumpyBert(folder)
    expected = np.array([bert.vector(ids) if ids else np.zeros(32) for ids in IDS])
    vectors = encoder.encode(TEXTS)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, expected, atol=1e-5)
    assert (encoder.dimension, encoder.name, encoder.precision, encoder.note) == (32, "tiny", "fp32", "")


def test_vectors_do_not_depend_on_the_texts_beside_them(encoder: Encoder) -> None:
    together = encoder.encode(TEXTS)
    alone = np.vstack([encoder.encode([text]) for text in TEXTS])
    crowded = encoder.encode(TEXTS, batch_tokens=11)
    np.testing.assert_allclose(alone, together, atol=1e-5)
    np.testing.assert_allclose(crowded, together, atol=1e-5)


def test_a_text_is_read_up_to_the_limit_of_the_model(encoder: Encoder, folder: Path) -> None:
    # 12 tokens: [CLS], ten times nurse, [SEP]
    expected = NumpyBert(folder).vector([2, *[6] * 10, 3])
    np.testing.assert_allclose(encoder.encode(["nurse " * 10, "nurse " * 200]), [expected] * 2, atol=1e-5)


def test_a_special_token_written_out_is_text(encoder: Encoder, folder: Path) -> None:
    # "[SEP]" is a bracket, a word and a bracket, none of which the vocabulary has
    expected = NumpyBert(folder).vector([2, 1, 1, 1, 3])
    np.testing.assert_allclose(encoder.encode(["[SEP]"])[0], expected, atol=1e-5)


def test_no_texts_give_no_rows(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == (0, 32)


def test_version_follows_the_weights_and_the_length_read(encoder: Encoder, tmp_path: Path) -> None:
    same = load_encoder(write_tiny_bert(tmp_path / "same"))
    other = load_encoder(write_tiny_bert(tmp_path / "other", seed=1))
    shorter = write_tiny_bert(tmp_path / "shorter")
    (shorter / "sentence_bert_config.json").write_text('{"max_seq_length": 8}')
    assert same.version == encoder.version
    assert len({encoder.version, other.version, load_encoder(shorter).version}) == 3


def test_windows_end_with_lines_when_that_fills_them_half(encoder: Encoder) -> None:
    text = "java nurse ward\nnurse\njava engineer ward nurse java nurse\nnurse"
    spans = encoder.windows(text, 5)
    # four tokens and a line end; then java engine ##er ward nurse; then the rest: java nurse, nurse
    assert [text[start:end] for start, end in spans] == [
        "java nurse ward\nnurse",
        "java engineer ward nurse",
        "java nurse\nnurse",
    ]
    assert encoder.windows(" \n", 5) == []


def test_windows_cut_a_long_word_rather_than_lose_it(encoder: Encoder) -> None:
    word = "java" + "script" * 7  # eight tokens without a place to part
    assert encoder.windows(word, 5) == [(0, 28), (28, 46)]


def test_windows_are_no_longer_than_the_encoder_reads(encoder: Encoder) -> None:
    text = "nurse " * 25
    lengths = [text[start:end].count("nurse") for start, end in encoder.windows(text)]
    assert lengths == [10, 10, 5]
