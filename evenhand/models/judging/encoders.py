"""The encoder that a model stands on, found by the sums of its files, with what the model learned put into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from evenhand.errors import ModelMalformed, ModelUnfit, UsageError
from evenhand.models.artefact import Artefact
from evenhand.models.encoder.weights import Array, BertWeights, EncoderSource, find_source
from evenhand.models.manifest import Manifest

LORA, OWN = "lora.", "encoder."
DOWN, UP = ".down", ".up"


def find_fitting(manifest: Manifest, folders: Sequence[Path | None]) -> EncoderSource:
    """The first folder that holds the very files; None stands for the encoder that ships."""
    stamp = manifest.encoder
    if stamp is None:
        raise ModelUnfit(f"The model {manifest.name} names no encoder, and cannot do without.")
    reasons = []
    for folder in folders:
        try:
            source = find_source(folder)
        except UsageError as error:
            reasons.append(str(error))
            continue
        if all(source.sha256.get(file) == expected for file, expected in stamp.sha256.items()):
            return source
        reasons.append(f"{source.name} is another.")
    raise ModelUnfit(
        f"The model {manifest.name} stands on the encoder {stamp.name}, which was not found: "
        f"{' '.join(reasons)} The setting encoder names its folder."
    )


def merge(weights: BertWeights, artefact: Artefact) -> BertWeights:
    """The encoder's arrays with the model's own in their place, and its additions of low rank added."""
    arrays = dict(weights.arrays)
    for name, tensor in artefact.tensors.items():
        if name.startswith(OWN):
            arrays[name.removeprefix(OWN)] = _like(weights, name.removeprefix(OWN), tensor.astype(np.float32))
        elif name.startswith(LORA) and name.endswith(DOWN):
            linear = name.removeprefix(LORA).removesuffix(DOWN)
            down = tensor.astype(np.float32)
            up = artefact.tensor(f"{LORA}{linear}{UP}").astype(np.float32)
            target = f"{linear}.weight"
            arrays[target] = arrays.get(target, weights[target]) + _like(weights, target, _product(up, down))
    return replace(weights, arrays=arrays)


def _product(up: Array, down: Array) -> Array:
    if up.ndim != 2 or down.ndim != 2 or up.shape[1] != down.shape[0]:
        raise ModelMalformed("The model's additions to its encoder do not fit each other.")
    return up @ down


def _like(weights: BertWeights, name: str, array: Array) -> Array:
    if array.shape != weights[name].shape:
        raise ModelMalformed(f"The model's {name} does not have the size of its encoder's.")
    return array
