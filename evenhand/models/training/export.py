"""From a trained network to the small arrays that ship, and what each of them means to whoever predicts with them.

`Exported.tensors` (kind "network"); H is the encoder's width, D the decoder's input, F the number of features:

| name | shape | meaning |
|---|---|---|
| `lora.{linear}.down`, `lora.{linear}.up` | (r, in), (out, r) | added to the encoder: weight = weight + up @ down |
| `encoder.{name}` | as in the encoder | replaces the encoder's own array (full fine-tuning only; large) |
| `sections` | (6, H) | vector of each kind of section, in the order of `inputs.KINDS` (architectures with sections) |
| `attention.{block}.{part}.weight`, `.bias` | (H, H), (H) | block: `shared`, or `r2b` and `b2r`;
                                                               part: query, key, value, output |
| `attention.{block}.{part}.scale` | (H) | of each row of that weight, which is in int8: weight * scale[:, None] |
| `features.mean`, `features.scale` | (F) | standardised = (value - mean) / scale; a missing value becomes 0 |
| `features.hidden.weight`, `.bias` | (U, F or F + H), (U) | relu(weight @ input + bias); input: the standardised
                                                            features, then e_b where the job is a text of its own |
| `decoder.weight`, `decoder.bias` | (labels, D), (labels) | logits = weight @ representation + bias |

{linear} and {name} are as in model.safetensors of a BERT, e.g. `encoder.layer.5.attention.self.query` and
`embeddings.word_embeddings.weight`. Linear weights are (out, in): y = x @ weight.T + bias. Everything is stored in
float16 but for `encoder.*`, `features.*` and `*.scale`, which are float32, and the weights of attention, which would be
most of a model; whoever reads it widens it to float32.

`Exported.settings` is plain JSON: `design` (models.architectures, `to_json`), `features` (names, in the order of the
arrays), `pruning` ({"frequent": [...], "common": [...]} for architectures that prune, else null), `encoder`
({"name", "sha256": {file: sum}}).

What is computed. `sequences.cut_resume` makes the sequences, each [CLS] content [SEP] with a kind of section.
e = the encoder's last hidden state at position 0 of a sequence (no pooler), E = its last hidden states at all
positions; e_b, E_b likewise of the job text ([CLS] first N tokens [SEP]). Per sequence of a resume:

    z = e                                 unless architecture.embeddings is False (then 0)
      + sections[kind]                    if architecture.sections
      + attend(e, E_b) + attend(e_b, E)   if architecture.job is "attention"

with attend(q, K) the usual multi-head attention (`architecture.heads`, scale 1/sqrt(H/heads), padding masked) of one
query vector over the rows of K, output projection included; attend(e, E_b) uses block r2b and attend(e_b, E) block
b2r where they are separate. Then, if architecture.sections and architecture.binding is "gelu", z = gelu(z) (exact,
erf). The resume's vector is the sum of its z (their mean if architecture.pooling is "mean"). It is followed by e_b if
architecture.job is "concat" or architecture.concat_job, then by the hidden features if there are features: that is
the representation. Probabilities are the softmax of the logits (divided by a temperature, if one was fitted).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from evenhand.models.training.loop import TrainedNetwork
from evenhand.models.training.network import Network

STEPS = 127  # on each side of zero
MIN_SCALE = 1e-20  # of a row of zeros
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Exported:
    tensors: Arrays
    settings: dict[str, Any]


def export(trained: TrainedNetwork) -> Exported:
    preparation = trained.preparation
    settings = {
        "design": preparation.architecture.to_json(),
        "features": list(preparation.features),
        "pruning": preparation.words.to_json() if preparation.words else None,
        "encoder": {"name": trained.source.name, "sha256": dict(sorted(trained.source.sha256.items()))},
    }
    tensors: Arrays = {}  # what was learned, by the names above, in the order of the names
    for name, value in sorted(_learned(trained.network), key=lambda pair: pair[0]):
        is_wide = name.startswith(("encoder.", "features.")) or name.endswith(".scale")
        kind = np.int8 if value.dtype == torch.int8 else np.float32 if is_wide else np.float16
        tensors[name] = value.detach().numpy().astype(kind)
    return Exported(tensors, settings)


def _learned(network: Network) -> Iterator[tuple[str, Tensor]]:
    for name, linear in network.encoder.named_linears():
        if linear.down is not None and linear.up is not None:
            yield f"lora.{name}.down", linear.down
            yield f"lora.{name}.up", linear.up
    for name, parameter in network.encoder.named_arrays():
        if parameter.requires_grad:
            yield f"encoder.{name}", parameter
    if network.sections is not None:
        yield "sections", network.sections.vectors.weight
    for block, attention in network.attention.items():
        for part in ("query", "key", "value", "output"):
            name, linear = f"attention.{block}.{part}", getattr(attention, part)
            weight = linear.merged().detach()
            scale = (weight.abs().amax(dim=1) / STEPS).clamp(min=MIN_SCALE)
            yield f"{name}.weight", (weight / scale.unsqueeze(1)).round().to(torch.int8)  # steps of the row's largest
            yield f"{name}.scale", scale
            yield f"{name}.bias", linear.bias
    if network.features is not None:
        yield "features.mean", network.features.mean
        yield "features.scale", network.features.scale
        yield "features.hidden.weight", network.features.hidden.weight
        yield "features.hidden.bias", network.features.hidden.bias
    yield "decoder.weight", network.decoder.weight
    yield "decoder.bias", network.decoder.bias
