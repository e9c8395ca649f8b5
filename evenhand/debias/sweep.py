"""Scores of every recipe of a plan, k by k, beside the two beginnings: the rows as they are, and at rank r."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenhand.debias.decomposition import Method
from evenhand.debias.probes import Probing
from evenhand.debias.recipes import Recipe, cook
from evenhand.debias.samples import Samples
from evenhand.debias.scoring import Bench, Score, measure
from evenhand.debias.weighing import Weighed
from evenhand.models.concept_removal import identity

ORIGINAL = "A"
JOINED_MOST = 4


@dataclass(frozen=True, slots=True)
class Grid:
    """What is tried. `most` is the largest k; None goes to r - 1."""

    methods: tuple[Method, ...] = ("svd",)
    ranks: tuple[int, ...] = (20,)
    residuals: tuple[bool, ...] = (False,)
    joined: tuple[bool, ...] = (False, True)
    most: int | None = None

    def recipes(self, weighed: Weighed) -> Iterator[Recipe]:
        """Of one decomposition. Joined ones are few: LEACE does by itself what many concepts would."""
        method, rank = weighed.found.method, weighed.found.rank
        last = rank - 1 if self.most is None else min(self.most, rank - 1)
        for residual in self.residuals:
            if residual and rank != self.ranks[0]:
                continue  # with the residual kept it hardly matters how many concepts were looked for
            for joined in self.joined:
                end = min(last, weighed.limit, JOINED_MOST) if joined else last
                yield from (Recipe(method, rank, k, residual, joined) for k in range(end + 1))
        is_first = (method, rank) == (self.methods[0], self.ranks[0])
        if is_first and True in self.joined and True not in self.residuals:
            yield Recipe(method, rank, 0, residual=True, joined=True)  # LEACE alone may be all that is needed


def is_start(recipe: Recipe) -> bool:
    """Rank r with nothing removed: the second of the two points at k = 0."""
    return recipe.k == 0 and not recipe.joined and not recipe.residual


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """`recipe` None is the original. `scores` in the order of the sets judged on; `allowed`: not past the limit."""

    recipe: Recipe | None
    scores: tuple[Score, ...]
    allowed: bool = True

    @property
    def name(self) -> str:
        if self.recipe is None:
            return ORIGINAL
        return f"rank-{self.recipe.rank} UW" if is_start(self.recipe) else self.recipe.name


def measure_original(bench: Bench, probing: Probing) -> Point:
    dimension = bench.learned.rows.shape[1]
    return Point(None, measure(ORIGINAL, identity(dimension), bench, probing))


def measure_recipe(recipe: Recipe, weighed: Weighed, train: Samples, bench: Bench, probing: Probing) -> Point:
    """`train` are the rows that the recipe is cooked from."""
    point = Point(recipe, (), allowed=recipe.k <= weighed.limit)
    return Point(recipe, measure(point.name, cook(recipe, weighed, train), bench, probing), point.allowed)
