"""One label that one person gave to one resume, and labels in their order."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from evenhand.models.splits import apportion


@dataclass(frozen=True, slots=True)
class Annotation:
    """`round` is that of the guideline under which the label was given; "" where there are no rounds."""

    item: str
    annotator: str
    label: str
    round: str = ""


def latest(annotations: Iterable[Annotation]) -> list[Annotation]:
    """Who labels an item again in the same round has changed their mind: the last one counts."""
    found = {(each.round, each.item, each.annotator): each for each in annotations}
    return list(found.values())


def labels_of(annotations: Iterable[Annotation], given: Sequence[str] = ()) -> tuple[str, ...]:
    """The labels in the order given, behind them those that nobody announced, in the order of the alphabet."""
    used = {each.label for each in annotations}
    return (*given, *sorted(used - set(given)))


# Where annotators differ, the most contested first, and the labels that stand once that is settled.


@dataclass(frozen=True, slots=True)
class ContestedItem:
    """An item with different labels. `majority` is None where none has more votes than each other."""

    item: str
    votes: tuple[tuple[str, str], ...]  # annotator, label
    majority: str | None
    agreed: float  # share of the votes that the commonest label has
    spread: int  # steps between the lowest and the highest label that were given


@dataclass(frozen=True, slots=True)
class Final:
    """The label that stands for an item, and how it came about: unanimous, single, adjudicated."""

    item: str
    label: str
    how: str
    votes: int


def contested(annotations: Sequence[Annotation], labels: Sequence[str]) -> list[ContestedItem]:
    """The fewer agree and the further apart they are, the earlier; `labels` in their order."""
    rank = {label: place for place, label in enumerate(labels)}
    found = []
    for item, votes in _votes(annotations).items():
        counts = Counter(votes.values()).most_common()
        if len(counts) > 1:
            majority = counts[0][0] if counts[0][1] > counts[1][1] else None
            places = [rank[label] for label, _ in counts]
            agreed = counts[0][1] / len(votes)
            found.append(ContestedItem(item, tuple(sorted(votes.items())), majority, agreed, max(places) - min(places)))
    return sorted(found, key=lambda each: (each.agreed, -each.spread, each.item))


def finals(annotations: Sequence[Annotation], resolved: Mapping[str, str]) -> tuple[list[Final], list[str]]:
    """Labels that stand, and the items that are still contested. What was resolved stands over every vote."""
    standing: list[Final] = []
    open_items: list[str] = []
    for item, votes in _votes(annotations).items():
        given = set(votes.values())
        if item in resolved:
            standing.append(Final(item, resolved[item], "adjudicated", len(votes)))
        elif len(given) == 1:
            standing.append(Final(item, given.pop(), "unanimous" if len(votes) > 1 else "single", len(votes)))
        else:
            open_items.append(item)
    return standing, open_items


def _votes(annotations: Sequence[Annotation]) -> dict[str, dict[str, str]]:
    """Each item's labels by annotator; a label of a later round takes the place of the same person's earlier one."""
    votes: dict[str, dict[str, str]] = defaultdict(dict)
    for each in latest(annotations):
        votes[each.item][each.annotator] = each.label
    return dict(sorted(votes.items()))


# Which resumes to label next: a batch in which every stratum has its share of the pool.


@dataclass(frozen=True, slots=True)
class AnnotationCandidate:
    """A resume of the pool; its stratum is the level applied for, a model's prediction, or what else is known of it."""

    item: str
    stratum: str


@dataclass(frozen=True, slots=True)
class AnnotationBatch:
    candidates: tuple[AnnotationCandidate, ...]
    left: int  # of the pool, after this batch

    def counts(self) -> dict[str, int]:
        found: dict[str, int] = defaultdict(int)
        for each in self.candidates:
            found[each.stratum] += 1
        return dict(sorted(found.items()))


def next_batch(
    pool: Sequence[AnnotationCandidate], *, annotated: Collection[str], size: int, seed: int = 0
) -> AnnotationBatch:
    """As many of each stratum as its share of the whole pool, annotated ones included: batch by batch the labelled
    part comes to look like the pool. In chance order, so that nobody reads one stratum after the other.

    A stratum with too few left gives what it has, and the others fill up.
    """
    everything = _unique(pool)
    known = set(annotated)
    strata: dict[str, list[AnnotationCandidate]] = defaultdict(list)
    totals: dict[str, int] = defaultdict(int)
    for each in everything:
        totals[each.stratum] += 1
        if each.item not in known:
            strata[each.stratum].append(each)
    names = sorted(totals)
    wanted = _wanted([totals[name] for name in names], [len(strata[name]) for name in names], size)
    rng = random.Random(f"{seed}/{len(known & {each.item for each in everything})}")
    chosen = [each for name, count in zip(names, wanted, strict=True) for each in rng.sample(strata[name], count)]
    rng.shuffle(chosen)
    return AnnotationBatch(tuple(chosen), sum(map(len, strata.values())) - len(chosen))


def _unique(pool: Sequence[AnnotationCandidate]) -> list[AnnotationCandidate]:
    """Sorted, so that the order of the pool's file does not matter."""
    return sorted({each.item: each for each in pool}.values(), key=lambda each: each.item)


def _wanted(totals: Sequence[int], available: Sequence[int], size: int) -> list[int]:
    """By the shares of the strata, none more than it has."""
    counts = [0] * len(totals)
    missing = min(size, sum(available))
    while missing:
        open_shares = [
            total if count < there else 0 for total, count, there in zip(totals, counts, available, strict=True)
        ]
        more = apportion(missing, open_shares)
        counts = [min(there, count + extra) for there, count, extra in zip(available, counts, more, strict=True)]
        missing = min(size, sum(available)) - sum(counts)
    return counts


# How far annotators agree beyond chance: Fleiss' kappa, overall and per category.


@dataclass(frozen=True, slots=True)
class CategoryAgreement:
    """`kappa` is None where it has no value: nobody, or everybody, ever chose the category."""

    category: str
    kappa: float | None
    support: int  # ratings given to the category; a kappa on one or two of them means little
    share: float  # of all ratings


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    kappa: float | None  # None when every rating is the same: chance alone agrees fully
    items: int
    raters: int
    categories: tuple[CategoryAgreement, ...]


def fleiss_kappa(counts: Sequence[Sequence[int]], categories: Sequence[str]) -> RaterAgreement:
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
    return RaterAgreement(overall, items, raters, parts)


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


# How far annotators agree in each round of a guideline.

SMALL_SUPPORT = 2  # ratings: a kappa on so few means nothing, and can be negative by one vote


@dataclass(frozen=True, slots=True)
class RoundAgreement:
    """`agreement` is None where no two annotators looked at the same item."""

    round: str
    annotators: tuple[str, ...]
    agreement: RaterAgreement | None
    left_out: int  # items with fewer or more raters than most: kappa compares equal numbers

    def kappa(self, label: str) -> float | None:
        """None too where so few ratings chose the label that its kappa would mislead; `support` says how many."""
        for category in self.agreement.categories if self.agreement else ():
            if category.category == label:
                return category.kappa if category.support > SMALL_SUPPORT else None
        return None

    def support(self, label: str) -> int:
        categories = self.agreement.categories if self.agreement else ()
        return next((each.support for each in categories if each.category == label), 0)


def agreements(annotations: Sequence[Annotation], labels: Sequence[str]) -> list[RoundAgreement]:
    """One for each round, in the order in which they first appear."""
    by_round: dict[str, list[Annotation]] = defaultdict(list)
    for each in latest(annotations):
        by_round[each.round].append(each)
    return [_agreement(round, given, labels) for round, given in by_round.items()]


def _agreement(round: str, annotations: Sequence[Annotation], labels: Sequence[str]) -> RoundAgreement:
    ratings: dict[str, list[str]] = defaultdict(list)
    for each in annotations:
        ratings[each.item].append(each.label)
    annotators = tuple(sorted({each.annotator for each in annotations}))
    raters = _usual_raters(ratings.values())
    compared = [row for row in ratings.values() if len(row) == raters]
    found = fleiss_kappa(count_ratings(compared, labels), labels) if compared else None
    return RoundAgreement(round, annotators, found, len(ratings) - len(compared))


def _usual_raters(ratings: Iterable[Sequence[str]]) -> int:
    """The commonest number of raters of an item, two at least; of two equally common, the larger."""
    counts = Counter(len(row) for row in ratings if len(row) > 1)
    return max(counts, key=lambda raters: (counts[raters], raters), default=0)
