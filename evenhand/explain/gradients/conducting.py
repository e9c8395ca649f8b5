"""Conductance through a layer of a network: each sequence on its own, its steps doubled where much is missed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from evenhand.explain.attribution import gate
from evenhand.explain.gradients.conductance import conduct
from evenhand.explain.gradients.gate import MOST_STEPS
from evenhand.explain.gradients.integrated import Scored
from evenhand.explain.gradients.layers import WORDS_LEVEL, advance
from evenhand.explain.gradients.outputs import Output
from evenhand.explain.gradients.paths import BATCH_TOKENS, Floats, Leg, Progress
from evenhand.models.learning.packing import pack

FIRST_STEPS, FAST_STEPS = 32, 16


@dataclass(frozen=True, slots=True, eq=False)
class ConductedLegs:
    scores: Floats  # of all tokens of all sequences: the sum over their neurons
    neurons: Floats  # (H): the sum over all tokens
    output: float
    baseline_output: float
    steps: int


@dataclass(frozen=True, slots=True, eq=False)
class Conducting:
    output: Output
    level: int
    progress: Progress | None = None

    def run(self, legs: Sequence[Leg], *, first: int | None = None, rest: float = 0.0) -> ConductedLegs:
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
        return ConductedLegs(
            np.concatenate([_numbers(each.scores.sum(1)) for each in found]),
            np.sum([_numbers(each.scores.sum(0)) for each in found], axis=0),
            sum(each.output for each in found),
            sum(each.baseline_output for each in found),
            max(each.steps for each in found),
        )

    def _one(self, leg: Leg, steps: int) -> Scored:
        encoder, length = self.output.opened.network.encoder, len(leg)

        def inner(points: Tensor) -> Tensor:
            packing = pack([length] * len(points))
            states = advance(encoder, points.flatten(0, 1), packing, WORDS_LEVEL, self.level)
            return states.reshape(len(points), length, -1)

        def outer(states: Tensor) -> Tensor:
            kinds = torch.full((len(states),), leg.kind)
            return self.output.parts(states.flatten(0, 1), pack([length] * len(states)), kinds, self.level)

        return conduct(
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
