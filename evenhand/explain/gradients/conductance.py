"""Conductance through a layer of a network: each sequence on its own, its steps doubled where much is missed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from evenhand.explain.attribution import gate
from evenhand.explain.gradients.integrated import MAX_STEPS, Function, PathScores, between, gradients_at
from evenhand.explain.gradients.networks import WORDS_LEVEL, advance
from evenhand.explain.gradients.path_integrals import BATCH_TOKENS, Floats, Output, PathSegment, Progress
from evenhand.models.training.layers import pack

# Conductance: how much of what a path adds to the output flows through each neuron of a layer.

Inner = Callable[[Tensor], Tensor]
"""Points (n, ...) to what a layer makes of them (n, ...)."""

Ending = Literal["left", "trapezoid"]
BATCH = 8


def compute_conductance(
    inner: Inner,
    outer: Function,
    given: Tensor,
    baseline: Tensor,
    *,
    steps: int,
    ending: Ending = "trapezoid",
    places: NDArray[np.float64] | None = None,
    batch: int = BATCH,
) -> PathScores:
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
        values, gradients = gradients_at(outer, states)
        outputs += values.double().tolist()
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
    return PathScores(total, outputs[-1], outputs[0], steps)


FIRST_STEPS, FAST_STEPS = 32, 16


@dataclass(frozen=True, slots=True, eq=False)
class ConductanceResult:
    scores: Floats  # of all tokens of all sequences: the sum over their neurons
    neurons: Floats  # (H): the sum over all tokens
    output: float
    baseline_output: float
    steps: int


@dataclass(frozen=True, slots=True, eq=False)
class Conductance:
    output: Output
    level: int
    progress: Progress | None = None

    def run(self, segments: Sequence[PathSegment], *, first: int | None = None, rest: float = 0.0) -> ConductanceResult:
        parts = []
        for place, segment in enumerate(segments):
            parts.append(self._one(segment, first or FIRST_STEPS))
            if self.progress:
                self.progress(place + 1, len(segments))
        difference = sum(part.output - part.baseline_output for part in parts) + rest
        allowed = gate(difference, 0.0)
        while abs(sum(part.delta for part in parts)) > allowed:
            place = max(range(len(parts)), key=lambda place: abs(parts[place].delta))
            if 2 * parts[place].steps > MAX_STEPS:
                break
            parts[place] = self._one(segments[place], 2 * parts[place].steps)
        return ConductanceResult(
            np.concatenate([part.scores.sum(1).detach().double().numpy() for part in parts]),
            np.sum([part.scores.sum(0).detach().double().numpy() for part in parts], axis=0),
            sum(part.output for part in parts),
            sum(part.baseline_output for part in parts),
            max(part.steps for part in parts),
        )

    def _one(self, segment: PathSegment, steps: int) -> PathScores:
        encoder, length = self.output.opened.network.encoder, len(segment)

        def inner(points: Tensor) -> Tensor:
            packing = pack([length] * len(points))
            states = advance(encoder, points.flatten(0, 1), packing, WORDS_LEVEL, self.level)
            return states.reshape(len(points), length, -1)

        def outer(states: Tensor) -> Tensor:
            kinds = torch.full((len(states),), segment.kind)
            return self.output.parts(states.flatten(0, 1), pack([length] * len(states)), kinds, self.level)

        return compute_conductance(
            inner,
            outer,
            segment.baseline + segment.change,
            segment.baseline,
            steps=steps,
            places=segment.gathering.place(np.linspace(0, 1, steps + 1)),
            batch=max(BATCH_TOKENS // length, 2),
        )
