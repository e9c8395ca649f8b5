"""Encoders to train on are computed as transformers computes them, and read as their own tokenizer reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from evenhand.errors import UsageError
from evenhand.models.encoder.weights import SHIPPED_NAME, find_source
from evenhand.models.sequences import Ids
from evenhand.models.training.encoders import LoadedEncoder, load_pretrained, shape_of, token_tensors
from evenhand.models.training.layers import pack
from tests.models.encoder.tiny_bert import NumpyBert, write_tiny_bert
from tests.models.tiny_roberta import write_roberta


def states_of(readable: LoadedEncoder, sequences: Sequence[Ids]) -> list[torch.Tensor]:
    ordered = sorted(sequences, key=len, reverse=True)
    packing = pack([len(row) for row in ordered])
    ids, places = token_tensors(ordered)
    with torch.no_grad():
        rows = readable.encoder.upper(readable.encoder.lower(ids, places, packing), packing)
    found = dict(zip([row.tobytes() for row in ordered], torch.split(rows, list(packing.lengths)), strict=True))
    return [found[row.tobytes()] for row in sequences]


def test_a_bert_is_computed_as_by_hand(tmp_path: Path) -> None:
    folder = write_tiny_bert(tmp_path / "tiny")
    readable = load_pretrained(folder)
    assert (readable.source.name, readable.rules.limit) == ("tiny", 16)
    sequences = [readable.rules.sequence(readable.rules.content(text)) for text in ("nurse", "java engineer ( ward )")]
    assert [list(row) for row in sequences] == [[2, 6, 3], [2, 4, 7, 8, 10, 9, 11, 3]]
    by_hand = NumpyBert(folder)
    for row, states in zip(sequences, states_of(readable, sequences), strict=True):
        np.testing.assert_allclose(states.numpy(), by_hand.states(row.tolist()), atol=1e-5)


def test_the_shipped_encoder_is_found_and_checked() -> None:
    readable = load_pretrained()
    assert readable.source == find_source(None)
    assert (readable.source.name, readable.encoder.shape.layers, readable.rules.limit) == (SHIPPED_NAME, 6, 512)


def test_a_roberta_is_computed_and_read_as_transformers_does(tmp_path: Path) -> None:
    from transformers import AutoModel, AutoTokenizer

    folder = write_roberta(tmp_path / "rob")
    readable = load_pretrained(folder)
    assert readable.rules.limit == 32  # two of its 34 positions stand for nothing
    texts = ["nurse on the ward", "Java"]
    theirs = AutoTokenizer.from_pretrained(folder)
    sequences = [readable.rules.sequence(readable.rules.content(text)) for text in texts]
    assert [row.tolist() for row in sequences] == [theirs(text)["input_ids"] for text in texts]
    assert sequences[0].tolist()[0] == 0
    model = AutoModel.from_pretrained(folder).eval()
    for row, states in zip(sequences, states_of(readable, sequences), strict=True):
        with torch.no_grad():
            expected = model(input_ids=torch.from_numpy(row).long().unsqueeze(0)).last_hidden_state[0]
        torch.testing.assert_close(states, expected, atol=1e-5, rtol=0)


def test_what_cannot_be_trained_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="type 'gpt2' cannot be trained here; bert, roberta"):
        shape_of({"model_type": "gpt2"})
    with pytest.raises(UsageError, match="hidden_act 'relu'"):
        shape_of({"model_type": "bert", "hidden_act": "relu"})
    with pytest.raises(UsageError, match=r"config\.json is incomplete: 'hidden_size'"):
        shape_of({"model_type": "bert"})
    with pytest.raises(UsageError, match="cannot be loaded"):
        load_pretrained(tmp_path / "nowhere")
    folder = write_tiny_bert(tmp_path / "tiny")
    (folder / "model.safetensors").unlink()
    with pytest.raises(UsageError, match=r"no readable model\.safetensors"):
        load_pretrained(folder)
