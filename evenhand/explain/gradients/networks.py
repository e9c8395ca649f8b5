"""An artefact as a torch network through which gradients flow: merged weights, nothing in it learns any more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from evenhand.errors import ModelMalformed, ModelUnknownKind, UsageError
from evenhand.models.architectures import Architecture, architecture_from_json
from evenhand.models.encoder.weights import BertWeights, read_shape, read_weights
from evenhand.models.inference.loading import find_fitting, merge
from evenhand.models.inference.network import read_attention
from evenhand.models.manifest import Manifest
from evenhand.models.registry import Artefact
from evenhand.models.sequences import PruningWords, TokenRules
from evenhand.models.training.encoders import LoadedEncoder, load_pretrained
from evenhand.models.training.layers import Layer, Packing, TrainableEncoder, TunedLinear
from evenhand.models.training.network import FeatureJoiner, Network

PADDING = "[PAD]"
PARTS = ("query", "key", "value", "output")


@dataclass(frozen=True, slots=True, eq=False)
class OpenNetwork:
    """A network and its way to read. `remembered` are outputs and gradients where many resumes' paths begin alike,
    `judged` what it says of the resumes to compare with."""

    manifest: Manifest
    network: Network
    rules: TokenRules
    words: PruningWords | None
    padding: int  # the token that says nothing
    remembered: dict[tuple[object, ...], tuple[float, Tensor]] = field(default_factory=dict)
    judged: dict[tuple[object, ...], NDArray[np.float64]] = field(default_factory=dict)

    @property
    def architecture(self) -> Architecture:
        return self.network.architecture

    @property
    def features(self) -> tuple[str, ...]:
        return tuple(self.manifest.settings.get("features") or ())


def open_network(artefact: Artefact, *, encoders: Sequence[Path | None] = (None,)) -> OpenNetwork:
    """`encoders` as for judging: folders to look for the model's encoder in, None for the one that ships."""
    manifest = artefact.manifest
    if manifest.kind != "network":
        raise ModelUnknownKind(f"The model {manifest.name} is no network; its scores need no gradients.")
    source = find_fitting(manifest, encoders)
    weights = merge(read_weights(source.folder, read_shape(source.folder)), artefact)
    readable = load_pretrained(source.folder)
    network = _filled(_empty(artefact, readable), artefact, weights)
    pruning = manifest.settings.get("pruning")
    padding = readable.rules.tokenizer.token_to_id(PADDING)
    if padding is None:
        raise UsageError("The encoder's tokenizer has no [PAD], which explanations begin with.")
    return OpenNetwork(
        manifest=manifest,
        network=network.requires_grad_(requires_grad=False).eval(),
        rules=readable.rules,
        words=PruningWords.from_json(pruning) if pruning else None,
        padding=int(padding),
    )


def _empty(artefact: Artefact, readable: LoadedEncoder) -> Network:
    manifest = artefact.manifest
    try:
        architecture = architecture_from_json(manifest.settings["design"])
    except (KeyError, TypeError, UsageError) as error:
        raise ModelMalformed(f"The model {manifest.name} names no design that is known: {error}") from error
    features = len(manifest.settings.get("features") or ())
    readable.encoder.frozen = 0  # the whole of it is computed, from the embeddings on
    network = Network(architecture, readable.encoder, len(manifest.labels), features=features)
    if network.features is not None:
        # Those who judge take as many hidden units as were learned; a new network has its own number of them.
        own, units = network.features.hidden.out_features, len(artefact.tensor("features.hidden.bias"))
        if own != units:
            job = network.encoder.shape.hidden * network.has_own_job
            network.features = FeatureJoiner(features, units, job=job)
            width = network.decoder.in_features - own + units
            network.decoder = torch.nn.Linear(width, network.decoder.out_features)
    return network


def _filled(network: Network, artefact: Artefact, weights: BertWeights) -> Network:
    arrays = {name: torch.from_numpy(np.array(array)) for name, array in weights.arrays.items()}
    if missing := network.encoder.load(arrays):
        raise ModelMalformed(f"The weights of the model {artefact.manifest.name} lack {missing[0]}.")
    parameters = {"decoder.weight": network.decoder.weight, "decoder.bias": network.decoder.bias}
    if network.sections is not None:
        parameters["sections"] = network.sections.vectors.weight
    if network.features is not None:
        parameters |= {f"features.{name}": getattr(network.features, name) for name in ("mean", "scale")}
        hidden = network.features.hidden
        parameters |= {"features.hidden.weight": hidden.weight, "features.hidden.bias": hidden.bias}
    for name, parameter in parameters.items():
        _set(parameter, artefact.tensor(name), name)
    attention: Any
    for block, attention in network.attention.items():
        # Through the reader of those who judge, which widens small integers.
        learned: Any = read_attention(artefact, block, attention.heads)
        for part in PARTS:
            linear: TunedLinear = getattr(attention, part)
            bias = artefact.tensor(f"attention.{block}.key.bias") if part == "key" else getattr(learned, f"{part}_bias")
            _set(linear.weight, getattr(learned, part).reshape(len(learned.output_bias), -1), part)
            _set(linear.bias, bias, part)
    if artefact.manifest.outcome != "several":  # as `attribution.centred`, once and for all
        with torch.no_grad():
            network.decoder.weight.sub_(network.decoder.weight.mean(dim=0, keepdim=True))
            network.decoder.bias.sub_(network.decoder.bias.mean())
    return network


@torch.no_grad()
def _set(parameter: Tensor, array: NDArray[Any], name: str) -> None:
    if tuple(parameter.shape) != array.shape:
        raise ModelMalformed(f"A model has {name} of size {array.shape}, not {tuple(parameter.shape)}.")
    parameter.copy_(torch.from_numpy(array.astype(np.float32)))


# Layers of an encoder by name, and the way from one to another: where a path is straight, there it is measured.

WORDS, BLOCK = "word_embeddings", "embeddings"
WORDS_LEVEL, BLOCK_LEVEL = -1, 0  # what comes out of encoder.layer.0 is at level 1, and so on
_ENCODER_LAYER = re.compile(r"encoder\.layer\.(\d+)")


def level_of(name: str, encoder: TrainableEncoder) -> int:
    """Of word embeddings alone, of the whole block of embeddings, or of what encoder.layer.N gives."""
    if name == WORDS:
        return WORDS_LEVEL
    if name == BLOCK:
        return BLOCK_LEVEL
    match = _ENCODER_LAYER.fullmatch(name)
    if match is None or int(match[1]) >= len(encoder.layers):
        last = len(encoder.layers) - 1
        raise UsageError(
            f"There is no layer {name!r}; there are {WORDS}, {BLOCK}, and encoder.layer.0 to encoder.layer.{last}."
        )
    return int(match[1]) + 1


def advance(encoder: TrainableEncoder, rows: Tensor, packing: Packing, start: int, end: int) -> Tensor:
    """Rows of all tokens at one level, from those at a lower one."""
    if start == WORDS_LEVEL and end > WORDS_LEVEL:
        places = torch.cat([torch.arange(length) for length in packing.lengths])
        where = encoder.positions(places + encoder.shape.first_position)
        rows = encoder.norm(rows + where + encoder.types.weight[0])
    for layer in encoder.layers[max(start, 0) : max(end, 0)]:
        rows = layer(rows, packing)
    return rows


def advance_first(encoder: TrainableEncoder, rows: Tensor, packing: Packing, start: int) -> Tensor:
    """(sequences, H): the last states of first tokens alone."""
    count = len(encoder.layers)
    if count in {start, 0}:
        return advance(encoder, rows, packing, start, count)[packing.starts]
    rows = advance(encoder, rows, packing, start, count - 1)
    last = encoder.layers[-1]
    if not isinstance(last, Layer):  # ModuleList does not know what it holds
        raise TypeError(type(last))
    return last.first(rows, packing)
