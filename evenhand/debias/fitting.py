"""The whole fit: concepts, heads, weights, sweep, choice on validation, and the map that is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from evenhand.debias.decomposition import METHODS, Method
from evenhand.debias.importance import Weighing
from evenhand.debias.learned import Removal
from evenhand.debias.probes import Probing
from evenhand.debias.recipes import Recipe, cook
from evenhand.debias.samples import Divided, Parts, Samples, divide, rotate, split_parts
from evenhand.debias.scoring import Score, choosing_bench
from evenhand.debias.selection import MOST_LOST, Candidate, Choice, choose, cut, gather
from evenhand.debias.sweep import Grid, Point, measure_original, measure_recipe
from evenhand.debias.weighing import Heads, Weighed, fit_heads, weigh

TOLD: Callable[[str], None] = lambda _: None  # noqa: E731 - nobody listens
THOROUGH_RANKS = (20, 40)
THOROUGH_MOST = 4
THOROUGH_TEXTS = 500
TURNS = 4
SEARCH_SEEDS = 3  # heads of each candidate: the luck of one would decide among few rows


@dataclass(frozen=True, slots=True)
class Plan:
    """`turns`: how many train and validation parts a choice is averaged over; few rows need several."""

    grid: Grid = field(default_factory=Grid)
    weighing: Weighing = field(default_factory=Weighing)
    probing: Probing = field(default_factory=Probing)
    most_lost: float = MOST_LOST
    turns: int = 1
    seed: int = 0

    def thorough(self) -> Plan:
        """Every decomposition and rank, with and without the residual, over several turns."""
        grid = Grid(METHODS, THOROUGH_RANKS, (False, True), (False, True), THOROUGH_MOST)
        return replace(self, grid=grid, turns=TURNS, weighing=replace(self.weighing, texts=THOROUGH_TEXTS))


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """`points` judge on validation and on test, in this order; the choice saw the first only."""

    removal: Removal
    choice: Choice
    weighed: Weighed
    heads: Heads
    points: tuple[Point, ...]
    parts: Parts
    divided: Divided
    plan: Plan


def fit_removal(
    samples: Samples,
    plan: Plan | None = None,
    *,
    source: str = "a matrix",
    parts: Parts | None = None,
    told: Callable[[str], None] = TOLD,
) -> Fitted:
    """Test rows are measured, and nothing that is fitted or chosen depends on them."""
    plan = plan or Plan()
    parts = parts or split_parts(samples, seed=plan.seed)
    divided = divide(samples, parts)
    told("heads")
    heads = fit_heads(divided.train, divided.validation, seed=plan.seed, protocol=plan.probing.protocol)
    if plan.turns > 1:
        choice = _search(samples, parts, plan, told)
        chosen = replace(plan.grid, methods=(choice.recipe.method,), ranks=(choice.recipe.rank,), most=None)
        weighed = _weigh(divided.train, heads, plan, choice.recipe.method, choice.recipe.rank)
        points = _sweep(divided, weighed, replace(plan, grid=chosen), told)
        choice = _within_limit(choice, weighed, points, plan)
    else:
        weighed, points, choice = _fit_once(divided, heads, plan, told)
    removal = _keep(choice, weighed, divided, source, plan)
    return Fitted(removal, choice, weighed, heads, points, parts, divided, plan)


def _fit_once(
    divided: Divided, heads: Heads, plan: Plan, told: Callable[[str], None]
) -> tuple[Weighed, tuple[Point, ...], Choice]:
    """One turn: the sweep that is shown is the one that is chosen from."""
    weighings: dict[tuple[Method, int], Weighed] = {}
    points: list[Point] = []
    for method in plan.grid.methods:
        for rank in plan.grid.ranks:
            told(f"concepts: {method}, rank {rank}")
            weighings[method, rank] = _weigh(divided.train, heads, plan, method, rank)
            points += _sweep(divided, weighings[method, rank], plan, told)[bool(points) :]
    found = {point.recipe: [point.scores[0]] for point in points if point.recipe}
    allowed = {point.recipe: point.allowed for point in points if point.recipe}
    choice = choose(
        gather(found, allowed),
        points[0].scores[:1],
        rows=len(divided.validation.rows),
        most_lost=plan.most_lost,
    )
    return weighings[choice.recipe.method, choice.recipe.rank], tuple(points), choice


def _weigh(train: Samples, heads: Heads, plan: Plan, method: Method, rank: int) -> Weighed:
    return weigh(train, heads, rank=rank, method=method, weighing=plan.weighing)


def _sweep(divided: Divided, weighed: Weighed, plan: Plan, told: Callable[[str], None]) -> tuple[Point, ...]:
    """The original first."""
    bench, probing = choosing_bench(divided, seed=plan.seed), plan.probing.quick()
    points = [measure_original(bench, probing)]
    for recipe in plan.grid.recipes(weighed):
        told(recipe.name)
        points.append(measure_recipe(recipe, weighed, divided.train, bench, probing))
    return tuple(points)


def _search(samples: Samples, parts: Parts, plan: Plan, told: Callable[[str], None]) -> Choice:
    """Every recipe on every turn; test rows are not even handed over."""
    found: dict[Recipe, list[Score]] = {}
    allowed: dict[Recipe, bool] = {}
    original: list[Score] = []
    probing = plan.probing.quick(seeds=SEARCH_SEEDS)
    for turn, turned in enumerate(rotate(parts, plan.turns, seed=plan.seed)):
        divided = divide(samples, replace(turned, test=turned.test[:0]))
        heads = fit_heads(divided.train, divided.validation, seed=plan.seed, protocol=plan.probing.protocol)
        bench = replace(choosing_bench(divided, seed=plan.seed), judged=(divided.validation,))
        original += measure_original(bench, probing).scores
        for method in plan.grid.methods:
            for rank in plan.grid.ranks:
                told(f"turn {turn + 1}: {method}, rank {rank}")
                weighed = _weigh(divided.train, heads, plan, method, rank)
                for recipe in plan.grid.recipes(weighed):
                    point = measure_recipe(recipe, weighed, divided.train, bench, probing)
                    found.setdefault(recipe, []).extend(point.scores)
                    allowed[recipe] = allowed.get(recipe, True) and point.allowed
    rows = len(parts.train) + len(parts.validation)  # each is judged in one turn
    return choose(gather(found, allowed), original, rows=rows, most_lost=plan.most_lost)


def _within_limit(choice: Choice, weighed: Weighed, points: Sequence[Point], plan: Plan) -> Choice:
    """Turns weighed other rows: what they allowed may reach a concept that carries much of the task on these."""
    if choice.recipe.k <= weighed.limit:
        return choice
    recipe = replace(choice.recipe, k=weighed.limit)
    point = next(each for each in points if each.recipe == recipe)
    found = Candidate(recipe, point.scores[:1], point.allowed)
    return cut(choice, found, points[0].scores[:1], most_lost=plan.most_lost)


def _keep(choice: Choice, weighed: Weighed, divided: Divided, source: str, plan: Plan) -> Removal:
    return Removal(
        change=cook(choice.recipe, weighed, divided.train),
        found=weighed.found,
        concepts=weighed.concepts,
        recipe=choice.recipe,
        task=divided.train.task.name,
        sensitive=tuple(each.name for each in divided.train.sensitive),
        source=source,
        reason=choice.reason,
        facts=_facts(divided, weighed, plan),
    )


def _facts(divided: Divided, weighed: Weighed, plan: Plan) -> Mapping[str, Any]:
    sizes = {
        "train": len(divided.train.rows),
        "validation": len(divided.validation.rows),
        "test": len(divided.test.rows),
    }
    return {
        "rows": sizes,
        "points": plan.weighing.points,
        "estimator": plan.weighing.estimator,
        "seed": plan.seed,
        "constant_texts": {"task": weighed.task.constant}
        | {
            each.name: importance.constant
            for each, importance in zip(divided.train.sensitive, weighed.sensitive, strict=True)
        },
    }
