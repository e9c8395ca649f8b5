"""The peer of `evenhand bench predict`: the same encoder as anybody would run it with transformers, with padding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from captum.attr import LayerIntegratedGradients  # type: ignore[import-untyped]
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from transformers import AutoTokenizer, BertConfig, BertModel, pipeline

from evenhand.explain.attribution import centred
from evenhand.explain.gradients.baselines import PlacedSequence
from evenhand.models.architectures import Architecture, architecture_from_json
from evenhand.models.encoder.weights import Ids, padded, read_shape, read_weights
from evenhand.models.inference.loading import merge
from evenhand.models.inference.network import BATCH_TOKENS, EncodedSequences, States
from evenhand.models.registry import Artefact


@dataclass(frozen=True, slots=True, eq=False)
class PlainEncoder:
    """Chunks in the order in which they come, `size` at a time, padded to the longest of them, in fp32."""

    model: Any
    hidden: int
    size: int
    output: States = "first"

    def run(self, sequences: Sequence[Ids], *, batch_tokens: int = BATCH_TOKENS) -> Iterator[EncodedSequences]:
        for start in range(0, len(sequences), self.size):
            places = list(range(start, min(start + self.size, len(sequences))))
            ids, mask = padded([sequences[place] for place in places])
            with torch.inference_mode():
                states = self.model(
                    input_ids=torch.from_numpy(ids.astype(np.int64)), attention_mask=torch.from_numpy(mask)
                ).last_hidden_state
            yield EncodedSequences(places, states[:, 0].numpy(), mask)


@dataclass(frozen=True, slots=True, eq=False)
class PipelineEncoder:
    """The chunks as texts through transformers' own pipeline, which reads, pads and batches them itself."""

    pipe: Any
    hidden: int
    size: int
    texts: dict[bytes, str] = field(default_factory=dict)
    output: States = "first"

    def run(self, sequences: Sequence[Ids], *, batch_tokens: int = BATCH_TOKENS) -> Iterator[EncodedSequences]:
        texts = [self._text(sequence) for sequence in sequences]
        found = self.pipe(texts, batch_size=self.size, return_tensors=True)
        first = np.stack([np.asarray(states[0, 0]) for states in found])
        yield EncodedSequences(list(range(len(sequences))), first, np.ones((len(sequences), 1), np.int32))

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
    model = load_bert(folder, {name: torch.from_numpy(array) for name, array in weights.arrays.items()})
    return PlainEncoder(model, shape.hidden, size)


def load_bert(folder: Path, weights: Mapping[str, Tensor]) -> Any:
    """The encoder of transformers with these weights, of which it takes those it knows by name."""
    untyped: Any = BertModel
    model = untyped(BertConfig.from_pretrained(folder), add_pooling_layer=False)
    wanted = set(model.state_dict())
    model.load_state_dict({name: weights[name] for name in wanted if name in weights}, strict=False)
    missing = {name for name in wanted if name not in weights and "position_ids" not in name}
    if missing:
        raise AssertionError(f"weights that transformers wants are lacking: {sorted(missing)[:3]}")
    return model.eval()


# The peer of `evenhand bench explain`: captum's LayerIntegratedGradients over the encoder as transformers
# runs it.

STEPS = 50  # its default, as Gauss-Legendre is


@dataclass(frozen=True, slots=True, eq=False)
class PeerScores:
    """Of tokens that stand somewhere in the document, in their order; `delta` over all sequences."""

    scores: NDArray[np.float64]
    delta: float


@dataclass(frozen=True, slots=True, eq=False)
class CaptumPeer:
    """`batch` is captum's internal_batch_size; None, its default, computes all steps of all sequences at once."""

    model: Any
    sections: Tensor | None
    decoder: Tensor
    architecture: Architecture
    batch: int | None = None

    def explain(
        self, sequences: Sequence[PlacedSequence], target: int, *, padding: int, steps: int = STEPS
    ) -> PeerScores:
        """One call per resume, its sequences padded to the longest of them: what each adds to the logit."""
        ids, mask = (torch.from_numpy(values).long() for values in padded([sequence.ids for sequence in sequences]))
        held, _ = padded([sequence.held.astype(np.int32) for sequence in sequences])
        baseline = torch.where((torch.from_numpy(held) == 1) | (mask == 0), ids, padding)
        kinds = torch.tensor([sequence.kind for sequence in sequences])
        explainer: Any = LayerIntegratedGradients(self._part, self.model.embeddings.word_embeddings)
        found, delta = explainer.attribute(
            ids,
            baselines=baseline,
            additional_forward_args=(mask, kinds, target),
            n_steps=steps,
            return_convergence_delta=True,
            internal_batch_size=self.batch,
        )
        rows = found.detach().sum(-1).double().numpy()
        scores = [
            score
            for sequence, row in zip(sequences, rows, strict=True)
            for place, score in zip(sequence.places, row[: len(sequence.ids)].tolist(), strict=True)
            if place is not None
        ]
        return PeerScores(np.array(scores), float(delta.double().sum()))

    def _part(self, ids: Tensor, mask: Tensor, kinds: Tensor, target: int) -> Tensor:
        found = self.model(input_ids=ids, attention_mask=mask).last_hidden_state[:, 0]
        if self.sections is not None:
            found = found + self.sections[kinds]
            found = functional.gelu(found) if self.architecture.binding == "gelu" else found
        added: Tensor = found @ self.decoder[target]
        return added


def open_peer(artefact: Artefact, folder: Path, *, batch: int | None = None, frozen: bool = False) -> CaptumPeer:
    """`frozen`: parameters want no gradients, which saves captum memory and time."""
    plain = open_plain(artefact, folder, size=1)
    plain.model.requires_grad_(not frozen)
    sections = artefact.tensors.get("sections")
    decoder = centred(artefact.tensor("decoder.weight").T).T[:, : plain.hidden].astype(np.float32)
    return CaptumPeer(
        plain.model,
        None if sections is None else torch.from_numpy(sections.astype(np.float32)),
        torch.from_numpy(decoder),
        architecture_from_json(artefact.manifest.settings["design"]),
        batch,
    )
