"""The peer of `evenhand bench predict`: the same encoder as anybody would run it with transformers, with padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import BertConfig, BertModel

from evenhand.models.artefact import Artefact
from evenhand.models.encoder.tokens import Ids, padded
from evenhand.models.encoder.weights import read_shape, read_weights
from evenhand.models.judging.encoders import merge
from evenhand.models.judging.sequences import BATCH_TOKENS, Encoded, States


@dataclass(frozen=True, slots=True, eq=False)
class PlainEncoder:
    """Chunks in the order in which they come, `size` at a time, padded to the longest of them, in fp32."""

    model: Any
    hidden: int
    size: int
    output: States = "first"

    def run(self, sequences: Sequence[Ids], *, batch_tokens: int = BATCH_TOKENS) -> Iterator[Encoded]:
        for start in range(0, len(sequences), self.size):
            places = list(range(start, min(start + self.size, len(sequences))))
            ids, mask = padded([sequences[place] for place in places])
            with torch.inference_mode():
                states = self.model(
                    input_ids=torch.from_numpy(ids.astype(np.int64)), attention_mask=torch.from_numpy(mask)
                ).last_hidden_state
            yield Encoded(places, states[:, 0].numpy(), mask)


def open_plain(artefact: Artefact, folder: Path, *, size: int) -> PlainEncoder:
    """With what the model learned merged into the weights, on one thread."""
    torch.set_num_threads(1)
    shape = read_shape(folder)
    weights = merge(read_weights(folder, shape), artefact)
    untyped: Any = BertModel
    model = untyped(BertConfig.from_pretrained(folder), add_pooling_layer=False)
    state = {name: torch.from_numpy(array) for name, array in weights.arrays.items()}
    wanted = set(model.state_dict())
    model.load_state_dict({name: state[name] for name in wanted if name in state}, strict=False)
    missing = {name for name in wanted if name not in state and "position_ids" not in name}
    if missing:
        raise AssertionError(f"weights that transformers wants are lacking: {sorted(missing)[:3]}")
    return PlainEncoder(model.eval(), shape.hidden, size)
