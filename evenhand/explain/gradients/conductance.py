"""Conductance: how much of what a path adds to the output flows through each neuron of a layer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from evenhand.explain.gradients.integrated import Function, Scored, between, gradients_at

Inner = Callable[[Tensor], Tensor]
"""Points (n, ...) to what a layer makes of them (n, ...)."""

Ending = Literal["left", "trapezoid"]
BATCH = 8


def conduct(
    inner: Inner,
    outer: Function,
    given: Tensor,
    baseline: Tensor,
    *,
    steps: int,
    ending: Ending = "trapezoid",
    places: NDArray[np.float64] | None = None,
    batch: int = BATCH,
) -> Scored:
    """The path is straight where `given` is. Sum over its steps of dF/dh times the step of h, in the layer's shape.

    "left" takes the gradient where a step begins, as the published sum does; "trapezoid" takes the mean of both ends,
    which costs nothing more and misses far less. `places` are `steps` + 1 shares of the way, even ones by default.
    """
    shares = np.linspace(0, 1, steps + 1) if places is None else places
    alphas = torch.from_numpy(shares).to(given)
    total: Tensor | None = None
    last: tuple[Tensor, Tensor] | None = None
    outputs: list[float] = []
    for some in torch.split(alphas, batch):
        with torch.no_grad():
            states = inner(between(given, baseline, some))
        found, gradients = gradients_at(outer, states)
        outputs += found.double().tolist()
        if last is not None:
            states, gradients = (
                torch.cat([before, now]) for before, now in zip(last, (states, gradients), strict=True)
            )
        counted = gradients[:-1] if ending == "left" else (gradients[:-1] + gradients[1:]) / 2
        part = (counted * (states[1:] - states[:-1])).sum(0)
        total = part if total is None else total + part
        last = states[-1:], gradients[-1:]
    if total is None:
        raise ValueError("a path has one step at least")
    return Scored(total, outputs[-1], outputs[0], steps)
