"""The whole fit: concepts, heads, weights, sweep, choice on validation, and the map that is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from evenhand.debias.decomposition import METHODS, Method
from evenhand.debias.erasers import RemovalRecipe, fit_inlp, fit_leace, fit_recipe, fit_rlace
from evenhand.debias.importance import ImportanceSettings
from evenhand.debias.learned_removal import ConceptRemoval
from evenhand.debias.probes import ProbeSettings
from evenhand.debias.samples import DataSplit, Floats, Samples, SampleSplit, divide, rotate, split_parts
from evenhand.debias.scoring import (
    ORIGINAL,
    RecipeGrid,
    RemovalScore,
    SweepPoint,
    choosing_bench,
    final_bench,
    measure,
    measure_original,
    measure_recipe,
    measure_rows,
)
from evenhand.debias.weighing import MUCH, Heads, WeighedConcepts, fit_heads, weigh
from evenhand.models.concept_removal import LinearMap, identity

# Which recipe to take, from scores on validation rows only, and the sentence that says why.

MAX_ACCURACY_LOSS = 0.02  # of the task's accuracy


@dataclass(frozen=True, slots=True, eq=False)
class RecipeCandidate:
    """A recipe and its scores on validation, one per turn of the parts."""

    recipe: RemovalRecipe
    scores: tuple[RemovalScore, ...]
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

    def mean_lost(self, original: Sequence[RemovalScore]) -> float:
        return float(np.mean([score.accuracy for score in original])) - self.accuracy

    def most_lost(self, original: Sequence[RemovalScore]) -> float:
        """What it costs, one standard error of the turns above the mean: of many tried, the one that seems to cost just
        what is allowed was most often lucky on these rows. With one turn there is no error to add."""
        lost = [before.accuracy - after.accuracy for before, after in zip(original, self.scores, strict=True)]
        error = float(np.std(lost, ddof=1)) / len(lost) ** 0.5 if len(lost) > 1 else 0.0
        return float(np.mean(lost)) + error


@dataclass(frozen=True, slots=True)
class Choice:
    """`meets`: whether any recipe kept the loss within what was allowed; else the one that loses least is named."""

    recipe: RemovalRecipe
    reason: str
    leak: float
    lost: float
    meets: bool

    def to_json(self) -> dict[str, Any]:
        shown = {"leak": self.leak, "lost": self.lost, "meets": self.meets, "reason": self.reason}
        return {"recipe": self.recipe.to_json(), **shown}


def mean_leak(scores: Sequence[RemovalScore], variable: int) -> float:
    """Of the worse probe, over turns."""
    return float(np.mean([score.leaks[variable].worse for score in scores]))


def choose(
    candidates: Sequence[RecipeCandidate],
    original: Sequence[RemovalScore],
    *,
    rows: int,
    most_lost: float = MAX_ACCURACY_LOSS,
) -> Choice:
    """Lowest leak of the worse probe among those that surely cost little and remove nothing that carries much of the
    task. Of several variables the one counts that leaks most over its floor.

    `rows` is how many validation rows were judged in all: leaks within one standard error of the lowest are as good,
    and of those the one that removes least is taken, then the one that costs least.
    """
    allowed = [candidate for candidate in candidates if candidate.allowed]
    cheap = [measured for measured in allowed if measured.most_lost(original) <= most_lost + 1e-12]
    if cheap:
        lowest = min(cheap, key=lambda measured: measured.excess)
        error = float(np.sqrt(lowest.leak * (1 - lowest.leak) / max(1, rows)))
        best = min(
            (measured for measured in cheap if measured.excess <= lowest.excess + error),
            key=lambda measured: (measured.recipe.k, measured.recipe.joined, -measured.accuracy),
        )
    else:
        best = max(allowed, key=lambda measured: measured.accuracy)
    reason = _say(best, original, most_lost=most_lost, meets=bool(cheap), tried=len(candidates))
    return Choice(best.recipe, reason, best.leak, best.mean_lost(original), bool(cheap))


def cut(
    choice: Choice,
    candidate: RecipeCandidate,
    original: Sequence[RemovalScore],
    *,
    most_lost: float = MAX_ACCURACY_LOSS,
) -> Choice:
    """`candidate` removes fewer concepts than the turns chose, because the training rows allow no more."""
    k = candidate.recipe.k
    reason = (
        f"{candidate.recipe.name}: {_figures(candidate, original)}. Turns chose k={choice.recipe.k}; weighed on the "
        f"training rows the concept that would go after the first {k} has a hand in more than {MUCH:.0%} of the task, "
        f"so k is cut to {k}."
    )
    lost = candidate.mean_lost(original)
    return Choice(candidate.recipe, reason, candidate.leak, lost, candidate.most_lost(original) <= most_lost + 1e-12)


def _figures(best: RecipeCandidate, original: Sequence[RemovalScore]) -> str:
    """Of several variables the one that leaks most afterwards is named."""
    leaks, lost = best.scores[0].leaks, best.mean_lost(original)
    named = f" of {leaks[best.worst].variable}" if len(leaks) > 1 else ""
    return (
        f"on validation rows the worse of the MLP and RBF probes{named} falls from "
        f"{mean_leak(original, best.worst):.3f} to {best.leak:.3f}, "
        f"and the task {'loses' if lost >= 0 else 'gains'} {abs(lost) * 100:.1f} points"
    )


def _say(best: RecipeCandidate, original: Sequence[RemovalScore], *, most_lost: float, meets: bool, tried: int) -> str:
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


def collect_candidates(
    scores_of: Mapping[RemovalRecipe, Sequence[RemovalScore]], allowed: Mapping[RemovalRecipe, bool]
) -> list[RecipeCandidate]:
    """Recipes that every turn measured; one that some turn would not allow is not allowed."""
    turns = max((len(scores) for scores in scores_of.values()), default=0)
    return [
        RecipeCandidate(recipe, tuple(scores), allowed[recipe])
        for recipe, scores in scores_of.items()
        if len(scores) == turns
    ]


THOROUGH_RANKS = (20, 40)
THOROUGH_MAX_K = 4
THOROUGH_TEXTS = 500
TURNS = 4
SEARCH_SEEDS = 3  # heads of each candidate: the luck of one would decide among few rows


def ignore_step(name: str) -> None:
    """For fits that nobody watches."""


@dataclass(frozen=True, slots=True)
class FittingPlan:
    """`turns`: how many train and validation parts a choice is averaged over; few rows need several."""

    grid: RecipeGrid = field(default_factory=RecipeGrid)
    weighing: ImportanceSettings = field(default_factory=ImportanceSettings)
    probing: ProbeSettings = field(default_factory=ProbeSettings)
    most_lost: float = MAX_ACCURACY_LOSS
    turns: int = 1
    seed: int = 0

    def thorough(self) -> FittingPlan:
        """Every decomposition and rank, with and without the residual, over several turns."""
        grid = RecipeGrid(METHODS, THOROUGH_RANKS, (False, True), (False, True), THOROUGH_MAX_K)
        return replace(self, grid=grid, turns=TURNS, weighing=replace(self.weighing, texts=THOROUGH_TEXTS))


@dataclass(frozen=True, slots=True, eq=False)
class FittedRemoval:
    """`points` judge on validation and on test, in this order; the choice saw the first only."""

    removal: ConceptRemoval
    choice: Choice
    weighed: WeighedConcepts
    heads: Heads
    points: tuple[SweepPoint, ...]
    parts: DataSplit
    divided: SampleSplit
    plan: FittingPlan


def fit_removal(
    samples: Samples,
    plan: FittingPlan | None = None,
    *,
    source: str = "a matrix",
    parts: DataSplit | None = None,
    on_step: Callable[[str], None] = ignore_step,
) -> FittedRemoval:
    """Test rows are measured, and nothing that is fitted or chosen depends on them."""
    plan = plan or FittingPlan()
    parts = parts or split_parts(samples, seed=plan.seed)
    divided = divide(samples, parts)
    on_step("heads")
    heads = fit_heads(divided.train, divided.validation, seed=plan.seed, protocol=plan.probing.protocol)
    if plan.turns > 1:
        choice = _search(samples, parts, plan, on_step)
        chosen = replace(plan.grid, methods=(choice.recipe.method,), ranks=(choice.recipe.rank,), most=None)
        weighed = _weigh(divided.train, heads, plan, choice.recipe.method, choice.recipe.rank)
        points = _sweep(divided, weighed, replace(plan, grid=chosen), on_step)
        if choice.recipe.k > weighed.limit:
            # Turns weighed other rows: what they allowed may reach a concept that carries much of the task on these.
            recipe = replace(choice.recipe, k=weighed.limit)
            point = next(point for point in points if point.recipe == recipe)
            candidate = RecipeCandidate(recipe, point.scores[:1], point.allowed)
            choice = cut(choice, candidate, points[0].scores[:1], most_lost=plan.most_lost)
    else:
        weighed, points, choice = _fit_once(divided, heads, plan, on_step)
    names = [variable.name for variable in divided.train.sensitive]
    constant = [importance.constant for importance in weighed.sensitive]
    removal = ConceptRemoval(
        change=fit_recipe(choice.recipe, weighed, divided.train),
        decomposition=weighed.decomposition,
        concepts=weighed.concepts,
        recipe=choice.recipe,
        task=divided.train.task.name,
        sensitive=tuple(names),
        source=source,
        reason=choice.reason,
        facts={
            "rows": {name: len(getattr(divided, name).rows) for name in ("train", "validation", "test")},
            "points": plan.weighing.points,
            "estimator": plan.weighing.estimator,
            "seed": plan.seed,
            "constant_texts": {"task": weighed.task.constant, **dict(zip(names, constant, strict=True))},
        },
    )
    return FittedRemoval(removal, choice, weighed, heads, points, parts, divided, plan)


def _fit_once(
    divided: SampleSplit, heads: Heads, plan: FittingPlan, on_step: Callable[[str], None]
) -> tuple[WeighedConcepts, tuple[SweepPoint, ...], Choice]:
    """One turn: the sweep that is shown is the one that is chosen from."""
    weighings: dict[tuple[Method, int], WeighedConcepts] = {}
    points: list[SweepPoint] = []
    for method in plan.grid.methods:
        for rank in plan.grid.ranks:
            on_step(f"concepts: {method}, rank {rank}")
            weighings[method, rank] = _weigh(divided.train, heads, plan, method, rank)
            points += _sweep(divided, weighings[method, rank], plan, on_step)[bool(points) :]
    scores_of = {point.recipe: [point.scores[0]] for point in points if point.recipe}
    allowed = {point.recipe: point.allowed for point in points if point.recipe}
    choice = choose(
        collect_candidates(scores_of, allowed),
        points[0].scores[:1],
        rows=len(divided.validation.rows),
        most_lost=plan.most_lost,
    )
    return weighings[choice.recipe.method, choice.recipe.rank], tuple(points), choice


def _weigh(train: Samples, heads: Heads, plan: FittingPlan, method: Method, rank: int) -> WeighedConcepts:
    return weigh(train, heads, rank=rank, method=method, weighing=plan.weighing)


def _sweep(
    divided: SampleSplit, weighed: WeighedConcepts, plan: FittingPlan, on_step: Callable[[str], None]
) -> tuple[SweepPoint, ...]:
    """The original first."""
    bench, probing = choosing_bench(divided, seed=plan.seed), plan.probing.quick()
    points = [measure_original(bench, probing)]
    for recipe in plan.grid.recipes(weighed):
        on_step(recipe.name)
        points.append(measure_recipe(recipe, weighed, divided.train, bench, probing))
    return tuple(points)


def _search(samples: Samples, parts: DataSplit, plan: FittingPlan, on_step: Callable[[str], None]) -> Choice:
    """Every recipe on every turn; test rows are not even handed over."""
    scores_of: dict[RemovalRecipe, list[RemovalScore]] = {}
    allowed: dict[RemovalRecipe, bool] = {}
    original: list[RemovalScore] = []
    probing = plan.probing.quick(seeds=SEARCH_SEEDS)
    for turn, turned in enumerate(rotate(parts, plan.turns, seed=plan.seed)):
        divided = divide(samples, replace(turned, test=turned.test[:0]))
        heads = fit_heads(divided.train, divided.validation, seed=plan.seed, protocol=plan.probing.protocol)
        bench = replace(choosing_bench(divided, seed=plan.seed), evaluated=(divided.validation,))
        original += measure_original(bench, probing).scores
        for method in plan.grid.methods:
            for rank in plan.grid.ranks:
                on_step(f"turn {turn + 1}: {method}, rank {rank}")
                weighed = _weigh(divided.train, heads, plan, method, rank)
                for recipe in plan.grid.recipes(weighed):
                    point = measure_recipe(recipe, weighed, divided.train, bench, probing)
                    scores_of.setdefault(recipe, []).extend(point.scores)
                    allowed[recipe] = allowed.get(recipe, True) and point.allowed
    rows = len(parts.train) + len(parts.validation)  # each is judged in one turn
    return choose(collect_candidates(scores_of, allowed), original, rows=rows, most_lost=plan.most_lost)


# One table of all methods on test rows: nothing, other texts, other erasers, and removal of concepts.

ERASERS: Mapping[str, Callable[[Samples], LinearMap]] = {
    "LEACE": lambda train: fit_leace(train.rows, train.sensitive),
    "INLP": lambda train: fit_inlp(train.rows, train.sensitive),
    "RLACE": lambda train: fit_rlace(train.rows, train.sensitive),
}


def compare(
    fitted: FittedRemoval,
    probing: ProbeSettings,
    *,
    others: Mapping[str, Floats] | None = None,
    on_step: Callable[[str], None] = ignore_step,
) -> tuple[RemovalScore, ...]:
    """`others` are rows of the same people under other representations, such as neutralised texts, all of them."""
    bench = final_bench(fitted.divided)
    scores: list[RemovalScore] = []
    for name, change in _changes(fitted):
        on_step(name)
        scores += measure(name, change(fitted.divided.train), bench, probing)
    parts = (fitted.parts.train, fitted.parts.validation, fitted.parts.test)
    people = sum(map(len, parts))
    for name, rows in (others or {}).items():
        on_step(name)
        if len(rows) != people:  # a row too many or too few, and every later one would be somebody else's
            raise ValueError(f"{name} has {len(rows)} rows for {people} people.")
        scores += measure_rows(name, [rows[part] for part in parts], bench, probing)
    return tuple(scores)


def _changes(fitted: FittedRemoval) -> Iterator[tuple[str, Callable[[Samples], LinearMap]]]:
    """The original first, then rank r, then the erasers, then what was chosen and its plain and joined neighbours."""
    chosen, dimension = fitted.choice.recipe, fitted.removal.dimension
    yield ORIGINAL, lambda _: identity(dimension)
    start = RemovalRecipe(chosen.method, chosen.rank, 0)
    yield f"rank-{chosen.rank} UW", partial(fit_recipe, start, fitted.weighed)
    yield from ERASERS.items()
    for recipe in dict.fromkeys((replace(start, joined=True), chosen)):  # LEACE alone stands under both names
        yield recipe.name, partial(fit_recipe, recipe, fitted.weighed)
