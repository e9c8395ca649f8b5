"""What a representation is worth after removal: the task, the leak of each sensitive variable, and the gap by group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evenhand.debias.decomposition import Method
from evenhand.debias.erasers import RemovalRecipe, fit_recipe
from evenhand.debias.heads import train_heads
from evenhand.debias.probes import Leakage, ProbeSettings, floor_accuracy, make_training_data, measure_leaks, tpr_gap
from evenhand.debias.samples import Floats, Samples, SampleSplit
from evenhand.debias.weighing import WeighedConcepts
from evenhand.models.concept_removal import LinearMap, identity

STOPPING = 0.15  # of the training rows, to stop by, where validation is what is judged on


@dataclass(frozen=True, slots=True, eq=False)
class RemovalScore:
    """A value per seed each; `gaps`, `leaks` and `floors` in the order of the sensitive variables.

    Gaps are empty where no class has two groups to compare. A floor is what the task's label alone tells.
    """

    name: str
    task: tuple[float, ...]
    gaps: tuple[tuple[float, ...], ...]
    leaks: tuple[Leakage, ...]
    floors: tuple[float, ...]

    @property
    def accuracy(self) -> float:
        return float(np.mean(self.task))

    @property
    def worst_leak(self) -> float:
        """The highest accuracy of any variable's worse probe: to show, not to choose by (see `excesses`)."""
        return max(leak.worse for leak in self.leaks)

    @property
    def excesses(self) -> tuple[float, ...]:
        """What each variable leaks over its floor. Plain accuracies of two variables cannot be compared: of a group
        that eight in ten belong to, who knows nothing is right more often than a good reader of another."""
        return tuple(leak.worse - floor for leak, floor in zip(self.leaks, self.floors, strict=True))

    def gap(self, variable: int) -> float | None:
        """The mean over seeds; None where nothing could be compared."""
        return float(np.mean(self.gaps[variable])) if self.gaps[variable] else None

    def to_json(self) -> dict[str, Any]:
        leaks = {
            leak.variable: {
                "linear": list(leak.linear),
                "mlp": list(leak.mlp),
                "rbf": list(leak.rbf),
                "worse": leak.worse,
                "tpr_gap": list(gap),
            }
            for leak, gap in zip(self.leaks, self.gaps, strict=True)
        }
        return {"name": self.name, "task": list(self.task), "sensitive": leaks}


@dataclass(frozen=True, slots=True, eq=False)
class Bench:
    """Rows to learn from, to choose by, and sets of rows to be judged on, which are never among the others."""

    train: Samples
    validation: Samples
    evaluated: tuple[Samples, ...]


def final_bench(divided: SampleSplit) -> Bench:
    """Nothing is left to choose but when to stop: validation says it, the test rows judge."""
    return Bench(divided.train, divided.validation, (divided.test,))


def choosing_bench(divided: SampleSplit, *, seed: int = 0) -> Bench:
    """Judged on validation, to choose by, and on test, to show: part of the training rows says when to stop."""
    order = np.random.default_rng((seed, 5)).permutation(len(divided.train.rows))
    stop = int(STOPPING * len(order))
    train, validation = np.sort(order[stop:]), np.sort(order[:stop])
    return Bench(divided.train.take(train), divided.train.take(validation), (divided.validation, divided.test))


def measure(name: str, change: LinearMap, bench: Bench, probing: ProbeSettings) -> tuple[RemovalScore, ...]:
    """Fresh heads and probes on what `change` leaves; a score for each set of rows that is judged on."""
    sets = (bench.train, bench.validation, *bench.evaluated)
    return measure_rows(name, [change.coordinates(samples.rows) for samples in sets], bench, probing)


def measure_rows(name: str, rows: Sequence[Floats], bench: Bench, probing: ProbeSettings) -> tuple[RemovalScore, ...]:
    """The same for rows that no map gives, such as those of other texts: learned, chosen, then those judged."""
    training_data = make_training_data(rows, [samples.task for samples in (bench.train, bench.validation)])
    (heads,) = train_heads(training_data, probing.seeds, probing.protocol)
    leaks = [
        measure_leaks(
            make_training_data(rows, [samples.sensitive[place] for samples in (bench.train, bench.validation)]),
            [(given, samples.sensitive[place]) for given, samples in zip(rows[2:], bench.evaluated, strict=True)],
            probing,
        )
        for place in range(len(bench.train.sensitive))
    ]
    scores = []
    for place, (given, evaluated) in enumerate(zip(rows[2:], bench.evaluated, strict=True)):
        guesses = [head.predict(given) for head in heads]
        # Whether there is anything to compare hangs on the labels, not on the guesses: all seeds have a gap, or none.
        gaps = tuple(
            tuple(gap for guess in guesses if (gap := tpr_gap(guess, evaluated.task, variable)) is not None)
            for variable in evaluated.sensitive
        )
        floors = tuple(floor_accuracy(evaluated.task, variable) for variable in evaluated.sensitive)
        task = tuple(float((guess == evaluated.task.codes).mean()) for guess in guesses)
        scores.append(RemovalScore(name, task, gaps, tuple(leak[place] for leak in leaks), floors))
    return tuple(scores)


# Scores of every recipe of a plan, k by k, beside the two beginnings: the rows as they are, and at rank r.

ORIGINAL = "A"
JOINED_MAX_K = 4


@dataclass(frozen=True, slots=True)
class RecipeGrid:
    """What is tried. `most` is the largest k; None goes to r - 1."""

    methods: tuple[Method, ...] = ("svd",)
    ranks: tuple[int, ...] = (20,)
    residuals: tuple[bool, ...] = (False,)
    joined: tuple[bool, ...] = (False, True)
    most: int | None = None

    def recipes(self, weighed: WeighedConcepts) -> Iterator[RemovalRecipe]:
        """Of one decomposition. Joined ones are few: LEACE does by itself what many concepts would."""
        method, rank = weighed.decomposition.method, weighed.decomposition.rank
        last = rank - 1 if self.most is None else min(self.most, rank - 1)
        for residual in self.residuals:
            if residual and rank != self.ranks[0]:
                continue  # with the residual kept it hardly matters how many concepts were looked for
            for joined in self.joined:
                end = min(last, weighed.limit, JOINED_MAX_K) if joined else last
                yield from (RemovalRecipe(method, rank, k, residual, joined) for k in range(end + 1))
        is_first = (method, rank) == (self.methods[0], self.ranks[0])
        if is_first and True in self.joined and True not in self.residuals:
            yield RemovalRecipe(method, rank, 0, residual=True, joined=True)  # LEACE alone may be all that is needed


@dataclass(frozen=True, slots=True, eq=False)
class SweepPoint:
    """`recipe` None is the original. `scores` in the order of the sets judged on; `allowed`: not past the limit."""

    recipe: RemovalRecipe | None
    scores: tuple[RemovalScore, ...]
    allowed: bool = True

    @property
    def name(self) -> str:
        if self.recipe is None:
            return ORIGINAL
        # Rank r with nothing removed is the second of the two points at k = 0.
        is_start = self.recipe.k == 0 and not self.recipe.joined and not self.recipe.residual
        return f"rank-{self.recipe.rank} UW" if is_start else self.recipe.name


def measure_original(bench: Bench, probing: ProbeSettings) -> SweepPoint:
    dimension = bench.train.rows.shape[1]
    return SweepPoint(None, measure(ORIGINAL, identity(dimension), bench, probing))


def measure_recipe(
    recipe: RemovalRecipe, weighed: WeighedConcepts, train: Samples, bench: Bench, probing: ProbeSettings
) -> SweepPoint:
    """`train` are the rows that the recipe is cooked from."""
    point = SweepPoint(recipe, (), allowed=recipe.k <= weighed.limit)
    return replace(point, scores=measure(point.name, fit_recipe(recipe, weighed, train), bench, probing))
