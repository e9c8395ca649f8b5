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
from evenhand.explain.gradients.integrated import MOST_STEPS, Function, PathScores, between, gradients_at
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

    def run(self, legs: Sequence[PathSegment], *, first: int | None = None, rest: float = 0.0) -> ConductanceResult:
        found = []
        for place, leg in enumerate(legs):
            found.append(self._one(leg, first or FIRST_STEPS))
            self._tell(place + 1, len(legs))
        difference = sum(each.output - each.baseline_output for each in found) + rest
        allowed = gate(difference, 0.0)
        while abs(sum(each.delta for each in found)) > allowed:
            place = max(range(len(found)), key=lambda place: abs(found[place].delta))
            if 2 * found[place].steps > MOST_STEPS:
                break
            found[place] = self._one(legs[place], 2 * found[place].steps)
        return ConductanceResult(
            np.concatenate([_numbers(each.scores.sum(1)) for each in found]),
            np.sum([_numbers(each.scores.sum(0)) for each in found], axis=0),
            sum(each.output for each in found),
            sum(each.baseline_output for each in found),
            max(each.steps for each in found),
        )

    def _one(self, leg: PathSegment, steps: int) -> PathScores:
        encoder, length = self.output.opened.network.encoder, len(leg)

        def inner(points: Tensor) -> Tensor:
            packing = pack([length] * len(points))
            states = advance(encoder, points.flatten(0, 1), packing, WORDS_LEVEL, self.level)
            return states.reshape(len(points), length, -1)

        def outer(states: Tensor) -> Tensor:
            kinds = torch.full((len(states),), leg.kind)
            return self.output.parts(states.flatten(0, 1), pack([length] * len(states)), kinds, self.level)

        return compute_conductance(
            inner,
            outer,
            leg.baseline + leg.change,
            leg.baseline,
            steps=steps,
            places=leg.gathering.place(np.linspace(0, 1, steps + 1)),
            batch=max(BATCH_TOKENS // length, 2),
        )

    def _tell(self, done: int, expected: int) -> None:
        if self.progress:
            self.progress(done, expected)


def _numbers(scores: Tensor) -> Floats:
    found: Floats = scores.detach().double().numpy()
    return found
