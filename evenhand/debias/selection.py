"""Which recipe to take, from scores on validation rows only, and the sentence that says why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evenhand.debias.ranking import MUCH
from evenhand.debias.recipes import Recipe
from evenhand.debias.scoring import Score

MOST_LOST = 0.02  # of the task's accuracy


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A recipe and its scores on validation, one per turn of the parts."""

    recipe: Recipe
    scores: tuple[Score, ...]
    allowed: bool

    @property
    def accuracy(self) -> float:
        return float(np.mean([score.accuracy for score in self.scores]))

    @property
    def worst(self) -> int:
        """The place of the variable that leaks most over its floor."""
        return int(np.mean([score.excesses for score in self.scores], axis=0).argmax())

    @property
    def excess(self) -> float:
        return float(np.mean([score.excesses[self.worst] for score in self.scores]))

    @property
    def leak(self) -> float:
        """The accuracy behind `excess`."""
        return mean_leak(self.scores, self.worst)

    def mean_lost(self, original: Sequence[Score]) -> float:
        return float(np.mean([score.accuracy for score in original])) - self.accuracy

    def most_lost(self, original: Sequence[Score]) -> float:
        """What it costs, one standard error of the turns above the mean: of many tried, the one that seems to cost just
        what is allowed was most often lucky on these rows. With one turn there is no error to add."""
        lost = [before.accuracy - after.accuracy for before, after in zip(original, self.scores, strict=True)]
        error = float(np.std(lost, ddof=1)) / len(lost) ** 0.5 if len(lost) > 1 else 0.0
        return float(np.mean(lost)) + error


@dataclass(frozen=True, slots=True)
class Choice:
    """`meets`: whether any recipe kept the loss within what was allowed; else the one that loses least is named."""

    recipe: Recipe
    reason: str
    leak: float
    lost: float
    meets: bool

    def to_json(self) -> dict[str, Any]:
        shown = {"leak": self.leak, "lost": self.lost, "meets": self.meets, "reason": self.reason}
        return {"recipe": self.recipe.to_json(), **shown}


def mean_leak(scores: Sequence[Score], variable: int) -> float:
    """Of the worse probe, over turns."""
    return float(np.mean([score.leaks[variable].worse for score in scores]))


def choose(
    candidates: Sequence[Candidate],
    original: Sequence[Score],
    *,
    rows: int,
    most_lost: float = MOST_LOST,
) -> Choice:
    """Lowest leak of the worse probe among those that surely cost little and remove nothing that carries much of the
    task. Of several variables the one counts that leaks most over its floor.

    `rows` is how many validation rows were judged in all: leaks within one standard error of the lowest are as good,
    and of those the one that removes least is taken, then the one that costs least.
    """
    allowed = [each for each in candidates if each.allowed]
    cheap = [each for each in allowed if each.most_lost(original) <= most_lost + 1e-12]
    if cheap:
        lowest = min(cheap, key=lambda each: each.excess)
        error = float(np.sqrt(lowest.leak * (1 - lowest.leak) / max(1, rows)))
        best = min((each for each in cheap if each.excess <= lowest.excess + error), key=_effort)
    else:
        best = max(allowed, key=lambda each: each.accuracy)
    reason = _say(best, original, most_lost=most_lost, meets=bool(cheap), tried=len(candidates))
    return Choice(best.recipe, reason, best.leak, best.mean_lost(original), bool(cheap))


def cut(
    choice: Choice, found: Candidate, original: Sequence[Score], *, most_lost: float = MOST_LOST
) -> Choice:
    """`found` removes fewer concepts than the turns chose, because the training rows allow no more."""
    k = found.recipe.k
    reason = (
        f"{found.recipe.name}: {_figures(found, original)}. Turns chose k={choice.recipe.k}; weighed on the "
        f"training rows the concept that would go after the first {k} has a hand in more than {MUCH:.0%} of the task, "
        f"so k is cut to {k}."
    )
    lost = found.mean_lost(original)
    return Choice(found.recipe, reason, found.leak, lost, found.most_lost(original) <= most_lost + 1e-12)


def _effort(each: Candidate) -> tuple[int, bool, float]:
    return each.recipe.k, each.recipe.joined, -each.accuracy


def _figures(best: Candidate, original: Sequence[Score]) -> str:
    """Of several variables the one that leaks most afterwards is named."""
    leaks, lost = best.scores[0].leaks, best.mean_lost(original)
    told = f" of {leaks[best.worst].variable}" if len(leaks) > 1 else ""
    return (
        f"on validation rows the worse of the MLP and RBF probes{told} falls from "
        f"{mean_leak(original, best.worst):.3f} to {best.leak:.3f}, "
        f"and the task {'loses' if lost >= 0 else 'gains'} {abs(lost) * 100:.1f} points"
    )


def _say(best: Candidate, original: Sequence[Score], *, most_lost: float, meets: bool, tried: int) -> str:
    figures = _figures(best, original)
    guard = f"no concept with a hand in more than {MUCH:.0%} of the task is removed"
    if meets:
        return (
            f"{best.recipe.name}: {figures}. Of {tried} tried none that costs at most {most_lost * 100:g} points leaks "
            f"less by more than chance and removes as little; {guard}."
        )
    return (
        f"{best.recipe.name}: none of {tried} tried surely kept the loss within {most_lost * 100:g} points; this one "
        f"loses least: {figures}; {guard}."
    )


def gather(found: Mapping[Recipe, Sequence[Score]], allowed: Mapping[Recipe, bool]) -> list[Candidate]:
    """Recipes that every turn measured; one that some turn would not allow is not allowed."""
    turns = max((len(scores) for scores in found.values()), default=0)
    return [
        Candidate(recipe, tuple(scores), allowed[recipe])
        for recipe, scores in found.items()
        if len(scores) == turns
    ]
