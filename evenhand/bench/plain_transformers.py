"""The peer of `evenhand bench predict`: the same encoder as anybody would run it with transformers, with padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoTokenizer, BertConfig, BertModel, pipeline

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


@dataclass(frozen=True, slots=True, eq=False)
class PipelineEncoder:
    """The chunks as texts through transformers' own pipeline, which reads, pads and batches them itself."""

    pipe: Any
    hidden: int
    size: int
    texts: dict[bytes, str] = field(default_factory=dict)
    output: States = "first"

    def run(self, sequences: Sequence[Ids], *, batch_tokens: int = BATCH_TOKENS) -> Iterator[Encoded]:
        texts = [self._text(sequence) for sequence in sequences]
        found = self.pipe(texts, batch_size=self.size, return_tensors=True)
        first = np.stack([np.asarray(states[0, 0]) for states in found])
        yield Encoded(list(range(len(sequences))), first, np.ones((len(sequences), 1), np.int32))

    def _text(self, sequence: Ids) -> str:
        """Kept, so that only the first round pays for it: whoever has texts need not make them from tokens."""
        key = sequence.tobytes()
        if key not in self.texts:
            self.texts[key] = self.pipe.tokenizer.decode(sequence, skip_special_tokens=True)
        return self.texts[key]


def open_pipeline(artefact: Artefact, folder: Path, *, size: int) -> PipelineEncoder:
    plain = open_plain(artefact, folder, size=size)
    untyped: Any = AutoTokenizer
    made = pipeline(
        "feature-extraction",
        model=plain.model,
        tokenizer=untyped.from_pretrained(folder),
        tokenize_kwargs={"truncation": True, "max_length": 512},
    )
    return PipelineEncoder(made, plain.hidden, size)


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
