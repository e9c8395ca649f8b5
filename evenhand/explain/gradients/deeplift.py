"""DeepLIFT by captum's rules, with what its scores miss.

Its rules know a few modules that bend (ReLU, Sigmoid, Tanh and the like), not attention, GELU or normalisation. On a
network of linear maps and ReLU the scores add up exactly; on a transformer nothing of it has a rule, and what remains
is the gradient times the change, which does not add up. So what is missed is measured, never assumed to be nothing.
"""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch import Tensor, nn

from evenhand.explain.gradients.integrated import Scored

NO_PATH = 0


def deeplift(module: nn.Module, given: Tensor, baseline: Tensor) -> Scored:
    """`module` takes (n, ...) to (n); it must not use one ReLU module twice, nor a functional one."""
    from captum.attr import DeepLift  # type: ignore[import-untyped]  # noqa: PLC0415 - loads much

    explainer: Any = DeepLift(_Column(module))
    with warnings.catch_warnings():  # that it sets hooks, and takes them away again
        warnings.simplefilter("ignore", UserWarning)
        found = explainer.attribute(given.unsqueeze(0), baseline.unsqueeze(0), target=0)
    scores = found[0].detach()
    with torch.no_grad():
        output, baseline_output = module(torch.stack([given, baseline])).double().tolist()
    return Scored(scores, output, baseline_output, NO_PATH)


class _Column(nn.Module):
    """captum asks for a row of labels per input."""

    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        self.module = module

    def forward(self, rows: Tensor) -> Tensor:
        found: Tensor = self.module(rows).reshape(len(rows), 1)
        return found
