"""The peer of `evenhand bench explain`: captum's LayerIntegratedGradients over the encoder as transformers runs it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from captum.attr import LayerIntegratedGradients  # type: ignore[import-untyped]
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from evenhand.bench.plain_transformers import open_plain
from evenhand.explain.attribution import centred
from evenhand.explain.gradients.sequences import PlacedSequence
from evenhand.models.artefact import Artefact
from evenhand.models.competence.designs import Design, design_from_json
from evenhand.models.encoder.tokens import padded

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
    design: Design
    batch: int | None = None

    def explain(
        self, sequences: Sequence[PlacedSequence], target: int, *, padding: int, steps: int = STEPS
    ) -> PeerScores:
        """One call per resume, its sequences padded to the longest of them: what each adds to the logit."""
        ids, mask = (
            torch.from_numpy(each).long() for each in padded([sequence.ids for sequence in sequences])
        )
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
            found = functional.gelu(found) if self.design.binding == "gelu" else found
        added: Tensor = found @ self.decoder[target]
        return added


def open_peer(
    artefact: Artefact, folder: Path, *, batch: int | None = None, frozen: bool = False
) -> CaptumPeer:
    """`frozen`: parameters want no gradients, which saves captum memory and time."""
    plain = open_plain(artefact, folder, size=1)
    plain.model.requires_grad_(not frozen)
    sections = artefact.tensors.get("sections")
    decoder = centred(artefact.tensor("decoder.weight").T).T[:, : plain.hidden].astype(np.float32)
    return CaptumPeer(
        plain.model,
        None if sections is None else torch.from_numpy(sections.astype(np.float32)),
        torch.from_numpy(decoder),
        design_from_json(artefact.manifest.settings["design"]),
        batch,
    )
