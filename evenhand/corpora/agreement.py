"""How far annotators agree beyond chance: Fleiss' kappa, overall and per category."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CategoryAgreement:
    """`kappa` is None where it has no value: nobody, or everybody, ever chose the category."""

    category: str
    kappa: float | None
    support: int  # ratings given to the category; a kappa on one or two of them means little
    share: float  # of all ratings


@dataclass(frozen=True, slots=True)
class Agreement:
    kappa: float | None  # None when every rating is the same: chance alone agrees fully
    items: int
    raters: int
    categories: tuple[CategoryAgreement, ...]


def fleiss_kappa(counts: Sequence[Sequence[int]], categories: Sequence[str]) -> Agreement:
    """`counts[i][j]`: how many raters gave item i category j; every item has the same number of raters."""
    raters = _raters(counts, len(categories))
    items = len(counts)
    ratings = items * raters
    support = [sum(row[place] for row in counts) for place in range(len(categories))]
    shares = [given / ratings for given in support]
    observed = sum(sum(n * n for n in row) - raters for row in counts) / (ratings * (raters - 1))
    by_chance = sum(share * share for share in shares)
    overall = None if max(support) == ratings else (observed - by_chance) / (1 - by_chance)
    parts = tuple(
        CategoryAgreement(name, _category_kappa(counts, place, support[place]), support[place], shares[place])
        for place, name in enumerate(categories)
    )
    return Agreement(overall, items, raters, parts)


def count_ratings(ratings: Sequence[Sequence[Hashable]], categories: Sequence[Hashable]) -> list[list[int]]:
    """From what each rater said about each item (`ratings[i]`: one label per rater) to the counts of kappa."""
    unknown = {label for row in ratings for label in row} - set(categories)
    if unknown:
        raise ValueError(f"ratings outside the categories: {sorted(map(str, unknown))}")
    return [[list(row).count(category) for category in categories] for row in ratings]


def _category_kappa(counts: Sequence[Sequence[int]], place: int, support: int) -> float | None:
    items, raters = len(counts), sum(counts[0])
    ratings = items * raters
    if support in (0, ratings):
        return None
    share = support / ratings
    disagreeing = sum(row[place] * (raters - row[place]) for row in counts)
    return 1 - disagreeing / (ratings * (raters - 1) * share * (1 - share))


def _raters(counts: Sequence[Sequence[int]], categories: int) -> int:
    if not counts:
        raise ValueError("no items to compare")
    if any(len(row) != categories for row in counts):
        raise ValueError("every item needs a count for every category")
    raters = {sum(row) for row in counts}
    if len(raters) != 1 or max(raters) < 2:
        raise ValueError("every item needs the same number of raters, two at least")
    return raters.pop()
