"""One table of all methods on test rows: nothing, other texts, other erasers, and removal of concepts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from evenhand.debias.erasers.inlp import fit_inlp
from evenhand.debias.erasers.leace import fit_leace
from evenhand.debias.erasers.rlace import fit_rlace
from evenhand.debias.fitting import Fitted
from evenhand.debias.probes import Probing
from evenhand.debias.recipes import Recipe, cook
from evenhand.debias.samples import Floats, Samples
from evenhand.debias.scoring import Bench, Score, final_bench, measure, measure_rows
from evenhand.debias.sweep import ORIGINAL
from evenhand.models.concept_removal import LinearMap, identity

ERASERS: Mapping[str, Callable[[Samples], LinearMap]] = {
    "LEACE": lambda train: fit_leace(train.rows, train.sensitive),
    "INLP": lambda train: fit_inlp(train.rows, train.sensitive),
    "RLACE": lambda train: fit_rlace(train.rows, train.sensitive),
}


def compare(
    fitted: Fitted,
    probing: Probing,
    *,
    others: Mapping[str, Floats] | None = None,
    told: Callable[[str], None] = lambda _: None,
) -> tuple[Score, ...]:
    """`others` are rows of the same people under other representations, such as neutralised texts, all of them."""
    bench = final_bench(fitted.divided)
    found: list[Score] = []
    for name, change in _changes(fitted):
        told(name)
        found += measure(name, change(fitted.divided.train), bench, probing)
    for name, rows in (others or {}).items():
        told(name)
        found += _other(name, rows, fitted, bench, probing)
    return tuple(found)


def _changes(fitted: Fitted) -> Iterator[tuple[str, Callable[[Samples], LinearMap]]]:
    """The original first, then rank r, then the erasers, then what was chosen and its plain and joined neighbours."""
    chosen, dimension = fitted.choice.recipe, fitted.removal.dimension
    yield ORIGINAL, lambda _: identity(dimension)
    start = Recipe(chosen.method, chosen.rank, 0)
    yield f"rank-{chosen.rank} UW", partial(_cook, start, fitted)
    yield from ERASERS.items()
    joined = Recipe(chosen.method, chosen.rank, 0, joined=True)
    for recipe in dict.fromkeys((joined, chosen)):  # one that is LEACE alone stands there under both names
        yield recipe.name, partial(_cook, recipe, fitted)


def _cook(recipe: Recipe, fitted: Fitted, train: Samples) -> LinearMap:
    return cook(recipe, fitted.weighed, train)


def _other(name: str, rows: Floats, fitted: Fitted, bench: Bench, probing: Probing) -> tuple[Score, ...]:
    parts = fitted.parts
    people = sum(len(each) for each in (parts.train, parts.validation, parts.test))
    if len(rows) != people:  # a row too many or too few, and every later one would be somebody else's
        raise ValueError(f"{name} has {len(rows)} rows for {people} people.")
    return measure_rows(
        name, [rows[each] for each in (parts.train, parts.validation, parts.test)], bench, probing
    )
