"""Our scores beside captum's, of the same encoder as transformers computes it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from captum.attr import DeepLift  # type: ignore[import-untyped]

from evenhand.explain.gradients.baselines import cut_placed, make_baseline, word_rows
from evenhand.explain.gradients.explain import explain_network
from evenhand.explain.gradients.path_integrals import Output, open_output
from evenhand.models.architectures import ARCHITECTURES
from evenhand.models.training.layers import pack
from evenhand_lab.benchmarks.plain_transformers import open_peer
from tests.explain.gradients.by_hand import RESUMES, small
from tests.explain.gradients.drawn import opened, place

RESUME = place(RESUMES[0])


def test_captum_finds_the_same_scores(encoder: Path, tmp_path: Path) -> None:
    artefact, network = opened(tmp_path, encoder, small(ARCHITECTURES["C+I"]), features=True)
    peer = open_peer(artefact, encoder)
    sequences = cut_placed(RESUME, network.architecture, network.rules).sequences
    theirs = peer.explain(sequences, 2, padding=network.padding)
    ours = explain_network(network, RESUME, 2)
    np.testing.assert_allclose(theirs.scores, [each.score for each in ours.scores], atol=1e-3)
    assert abs(theirs.delta) < 0.02


class Spoken(torch.nn.Module):
    """A network as a module that takes word embeddings, for captum's hooks to find what they can."""

    def __init__(self, output: Output, kind: int) -> None:
        super().__init__()
        self.network = output.opened.network
        self.output, self.kind = output, kind

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        packing = pack([rows.shape[1]] * len(rows))
        kinds = torch.full((len(rows),), self.kind)
        return self.output.parts(rows.flatten(0, 1), packing, kinds, -1).reshape(-1, 1)


def test_captums_deeplift_has_no_rule_for_anything_in_it(encoder: Path, tmp_path: Path) -> None:
    """So that ours, the gradient times the change, is what it gives, gap and all."""
    _, network = opened(tmp_path, encoder, small(ARCHITECTURES["C+I"]))
    cut = cut_placed(RESUME, network.architecture, network.rules)
    ours = np.array([each.score for each in explain_network(network, RESUME, 2, method="deeplift").scores])
    output = open_output(network, 2, count=len(cut.sequences), job_text=None)
    (start,) = make_baseline("pad", network, cut.sequences, 2).starts
    theirs = []
    for sequence, begin in zip(cut.sequences, start.rows, strict=True):
        explainer = DeepLift(Spoken(output, sequence.kind))
        found = explainer.attribute(word_rows(network, sequence)[None], begin[None], target=0)
        theirs += found[0].sum(-1)[1:-1].tolist()
    np.testing.assert_allclose(theirs, ours, atol=1e-4)
