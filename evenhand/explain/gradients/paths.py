"""Paths from a baseline to a resume, one for each sequence of tokens, walked no finer than each of them needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from evenhand.explain.attribution import gate
from evenhand.explain.gradients.gate import MOST_STEPS
from evenhand.explain.gradients.outputs import Output
from evenhand.explain.gradients.rules import Gathering, make_rule
from evenhand.models.learning.packing import pack

BATCH_TOKENS = 1024  # of all points that are computed at once
FIRST_STEPS, FAST_STEPS = 16, 12
# Without hurry scores are refined until they miss this share of what the gate allows, about what fifty steps of Gauss
# miss; no finer than FINE_STEPS, unless the gate itself asks for it.
AIM, FINE_STEPS = 0.002, 64
KEPT = 64  # gradients at baselines that are remembered

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]
"""Hears of points of paths: how many are done, of how many that are known to be needed so far."""


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    output: float
    scores: Floats  # (tokens): the gradient there times the whole change


@dataclass(slots=True, eq=False)
class Leg:
    """One sequence's way, and the points of it that were computed, by their share of the steps.

    `key` names the baseline, where many resumes begin alike.
    """

    baseline: Tensor  # (tokens, H)
    change: Tensor
    kind: int
    gathering: Gathering
    key: tuple[object, ...] | None = None
    steps: int = 0
    points: dict[float, Point] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.change)

    def missing(self, steps: int) -> list[float]:
        shares = [place / steps for place in range(steps + 1)]
        return [share for share in shares if share not in self.points]

    def at(self, share: float) -> float:
        """Along the path, the place of this share of the steps."""
        point = (1 - np.cos(np.pi * share)) / 2
        return float(self.gathering.place(np.array(point)))

    @property
    def scores(self) -> Floats:
        weights = self.gathering.weigh(make_rule("clenshaw-curtis", self.steps))
        known = np.stack([self.points[place / self.steps].scores for place in range(self.steps + 1)])
        return np.asarray(weights @ known)

    @property
    def difference(self) -> float:
        return self.points[1.0].output - self.points[0.0].output

    @property
    def delta(self) -> float:
        return float(self.scores.sum()) - self.difference


@dataclass(slots=True, eq=False)
class Walk:
    """All legs of one resume from one baseline; `rest` is what else changes F, and exactly."""

    output: Output
    legs: Sequence[Leg]
    level: int
    rest: float = 0.0
    batch_tokens: int = BATCH_TOKENS
    progress: Progress | None = None
    done: int = 0
    expected: int = 0

    def go(self, *, first: int = FIRST_STEPS, aim: float | None = AIM) -> None:
        """`aim` is None for those in a hurry: as soon as the gate is passed they stop."""
        self._refine(self.legs, first)
        if aim is not None:
            while worst := self._worst(aim * self.gate, FINE_STEPS):
                self._refine(worst)
        while abs(self.delta) > self.gate and (worst := self._worst(self.gate, MOST_STEPS)):
            self._refine(worst)

    @property
    def delta(self) -> float:
        return sum(leg.delta for leg in self.legs)

    @property
    def gate(self) -> float:
        return gate(sum(leg.difference for leg in self.legs) + self.rest, 0.0)

    @property
    def steps(self) -> int:
        return max((leg.steps for leg in self.legs), default=0)

    def _worst(self, goal: float, most: int) -> list[Leg]:
        """Those to refine so that the others together miss no more than half the goal; none if all are fine enough."""
        misses = sorted(((abs(leg.delta), place) for place, leg in enumerate(self.legs)), reverse=True)
        left = sum(miss for miss, _ in misses)
        found: list[Leg] = []
        if left <= goal:
            return found
        for miss, place in misses:
            if left <= goal / 2:
                break
            if 2 * self.legs[place].steps <= most:
                found.append(self.legs[place])
            left -= miss
        return found

    def _refine(self, legs: Sequence[Leg], steps: int | None = None) -> None:
        wanted: list[tuple[Leg, float]] = []
        for leg in legs:
            leg.steps = steps or 2 * leg.steps
            wanted += [(leg, share) for share in leg.missing(leg.steps)]
        self.visit(wanted)

    def visit(self, wanted: Sequence[tuple[Leg, float]]) -> None:
        self.expected += len(wanted)
        starts: dict[tuple[object, ...], list[Leg]] = {}
        others = []
        for leg, share in wanted:
            if share == 0.0 and leg.key is not None:
                starts.setdefault(leg.key, []).append(leg)
            else:
                others.append((leg, share))
        remembered = self.output.opened.remembered
        unknown = [(legs[0], 0.0) for key, legs in starts.items() if key not in remembered]
        for batch in _batches([*unknown, *others], self.batch_tokens):
            self._compute(batch)
        for key, legs in starts.items():
            output, gradient = remembered[key]
            for leg in legs:
                leg.points[0.0] = Point(output, _scores(gradient, leg.change))
            self._tell(len(legs))
        while len(remembered) > KEPT:
            remembered.pop(next(iter(remembered)))

    def _compute(self, batch: Sequence[tuple[Leg, float]]) -> None:
        packing = pack([len(leg) for leg, _ in batch])
        rows = torch.cat([leg.baseline + leg.at(share) * leg.change for leg, share in batch])
        kinds = torch.tensor([leg.kind for leg, _ in batch])
        rows.requires_grad_()
        with torch.enable_grad():
            outputs = self.output.parts(rows, packing, kinds, self.level)
            (gradients,) = torch.autograd.grad(outputs.sum(), rows)
        values = outputs.detach().double().tolist()
        for (leg, share), value, gradient in zip(
            batch, values, torch.split(gradients, list(packing.lengths)), strict=True
        ):
            if share == 0.0 and leg.key is not None:
                self.output.opened.remembered[leg.key] = (value, gradient.clone())
            else:
                leg.points[share] = Point(value, _scores(gradient, leg.change))
                self._tell(1)

    def _tell(self, count: int) -> None:
        self.done += count
        if self.progress:
            self.progress(self.done, self.expected)


def _scores(gradient: Tensor, change: Tensor) -> Floats:
    found: Floats = (gradient * change).sum(1).double().numpy()
    return found


def _batches(wanted: Sequence[tuple[Leg, float]], batch_tokens: int) -> Iterator[list[tuple[Leg, float]]]:
    """Longest first, so that like lengths are together."""
    batch: list[tuple[Leg, float]] = []
    tokens = 0
    for leg, share in sorted(wanted, key=lambda pair: -len(pair[0])):
        if batch and tokens + len(leg) > batch_tokens:
            yield batch
            batch, tokens = [], 0
        batch.append((leg, share))
        tokens += len(leg)
    if batch:
        yield batch
