"""What every method of explaining gives: parts of an output, each at its place in the document, and how they add up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.records.explanation import FactScore

LEAST_GATE, GATE_SHARE = 0.02, 0.01
Draws = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PlaceScore:
    """What the document's text from `start` to `end` adds: a token, a word piece, a word. Places may repeat."""

    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class Attribution:
    """Scores and `special` sum to `output` - `baseline_output` + `delta`, all in logits of one label.

    `special` is everything that has no place in the document: special tokens, mined facts (which `facts` names), words
    that a baseline has and the resume lacks. `layer` is where the path is straight, None where there is no path.
    """

    method: str
    baseline: str
    output: float
    baseline_output: float
    scores: tuple[PlaceScore, ...]
    special: float
    delta: float
    converged: bool
    layer: str | None = None
    steps: int = 0  # the most points along any path; 0 for methods without one
    facts: tuple[FactScore, ...] = ()
    draws: Draws | None = None  # (draws, scores) of random baselines, whose mean `scores` are
    neurons: tuple[float, ...] = ()  # of conductance: what each neuron of the layer adds, over all tokens
    tokens: int = 0  # that the model read
    unread: int = 0  # that it never saw, because it reads only so far
    warnings: tuple[str, ...] = ()

    @property
    def total(self) -> float:
        """What scores and `special` sum to."""
        return sum(each.score for each in self.scores) + self.special

    @property
    def spread(self) -> tuple[float, ...]:
        """The standard deviation of each score over random baselines. A word's is that of its pieces' sums, not theirs:
        it is worked out from `draws`."""
        if self.draws is None or len(self.draws) < 2:
            return ()
        return tuple(self.draws.std(axis=0, ddof=1).tolist())


def centred(logits: NDArray[np.floating]) -> Draws:
    """What each of the labels that exclude each other has more than all on average: what they share decides nothing,
    and a network is free to add any number to all of them."""
    return np.asarray(logits - logits.mean(axis=-1, keepdims=True), np.float64)


def gate(output: float, baseline_output: float) -> float:
    """How far the sum of scores may be from the difference that it explains."""
    return max(LEAST_GATE, GATE_SHARE * abs(output - baseline_output))


def is_complete(delta: float, output: float, baseline_output: float) -> bool:
    """Never of what is no number."""
    return abs(delta) <= gate(output, baseline_output)
