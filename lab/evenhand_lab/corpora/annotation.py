"""The rounds in which people label resumes: how far they agree, what to label next, what is contested, what stands.

Annotations, pools and resolved labels come in files of people's own: CSV with a head, or JSON Lines.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenhand.errors import UsageError
from evenhand.models.labelled_resumes import ITEM, LABEL, read_rows, value_of
from evenhand.models.splits import apportion
from evenhand.rendering.cells import BYTE_ORDER_MARK, Cell, csv_lines

ANNOTATOR = ("annotator", "rater")
RESOLVED = ("resolved",)
SMALL_SUPPORT = 2  # ratings: a kappa on so few means nothing, and can be negative by one vote


@dataclass(frozen=True, slots=True)
class Annotation:
    """`round` is that of the guideline under which the label was given; "" where there are no rounds."""

    item: str
    annotator: str
    label: str
    round: str = ""


def read_annotations(paths: Sequence[Path]) -> list[Annotation]:
    """Columns item (or file, id), label, and where there are any annotator and round.

    Without a column for the annotator, a file is one annotator's and its name is theirs. A row without a label is
    one that is still to be done, and is left out.
    """
    annotations = []
    for path in paths:
        for number, row in read_rows(path):
            label = value_of(row, LABEL, path, number, optional=True)
            if label:
                annotator = value_of(row, ANNOTATOR, path, number, optional=True) or path.stem
                item = value_of(row, ITEM, path, number)
                annotations.append(Annotation(item, annotator, label, row.get("round", "").strip()))
    return annotations


def latest(annotations: Iterable[Annotation]) -> list[Annotation]:
    """Who labels an item again in the same round has changed their mind: the last one counts."""
    return list({(given.round, given.item, given.annotator): given for given in annotations}.values())


def labels_of(annotations: Iterable[Annotation], given: Sequence[str] = ()) -> tuple[str, ...]:
    """The labels in the order given, behind them those that nobody announced, in the order of the alphabet."""
    used = {annotation.label for annotation in annotations}
    return (*given, *sorted(used - set(given)))


def to_csv(*rows: Sequence[Cell]) -> str:
    return BYTE_ORDER_MARK + "".join(csv_lines([list(row) for row in rows]))


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


def list_contested(paths: Sequence[Path], labels: Sequence[str] = ()) -> list[ContestedItem]:
    annotations = read_annotations(paths)
    return contested(annotations, labels_of(annotations, labels))


def contested(annotations: Sequence[Annotation], labels: Sequence[str]) -> list[ContestedItem]:
    """The fewer agree and the further apart they are, the earlier; `labels` in their order."""
    rank = {label: place for place, label in enumerate(labels)}
    items = []
    for item, votes in _votes(annotations).items():
        counts = Counter(votes.values()).most_common()
        if len(counts) > 1:
            majority = counts[0][0] if counts[0][1] > counts[1][1] else None
            places = [rank[label] for label, _ in counts]
            agreed = counts[0][1] / len(votes)
            items.append(ContestedItem(item, tuple(sorted(votes.items())), majority, agreed, max(places) - min(places)))
    return sorted(items, key=lambda item: (item.agreed, -item.spread, item.item))


def contested_csv(items: Sequence[ContestedItem]) -> str:
    """One row per item with a column for each annotator, and an empty one for what was resolved."""
    annotators = sorted({annotator for item in items for annotator, _ in item.votes})
    rows: list[list[Cell]] = [["item", *annotators, "majority", "agreed", "spread", "resolved"]]
    for item in items:
        votes = dict(item.votes)
        labels = [votes.get(annotator) for annotator in annotators]
        rows.append([item.item, *labels, item.majority, round(item.agreed, 3), item.spread, None])
    return to_csv(*rows)


def settle(paths: Sequence[Path], resolved: Path, labels: Sequence[str] = ()) -> tuple[list[Final], list[str]]:
    """The labels that stand, and the items on which nothing was decided yet.

    `resolved` is an adjudication list in which somebody filled in the column `resolved`.
    """
    annotations = read_annotations(paths)
    known = set(labels_of(annotations, labels))
    decided = {}
    for number, row in read_rows(resolved):
        label = value_of(row, RESOLVED, resolved, number, optional=True)
        if label and label not in known:
            raise UsageError(f"{resolved}, row {number}: {label!r} is none of the labels {', '.join(sorted(known))}.")
        if label:
            decided[value_of(row, ITEM, resolved, number)] = label
    return finals(annotations, decided)


def finals(annotations: Sequence[Annotation], resolved: Mapping[str, str]) -> tuple[list[Final], list[str]]:
    """Labels that stand, and the items that are still contested. What was resolved stands over every vote."""
    final: list[Final] = []
    open_items: list[str] = []
    for item, votes in _votes(annotations).items():
        labels = set(votes.values())
        if item in resolved:
            final.append(Final(item, resolved[item], "adjudicated", len(votes)))
        elif len(labels) == 1:
            final.append(Final(item, labels.pop(), "unanimous" if len(votes) > 1 else "single", len(votes)))
        else:
            open_items.append(item)
    return final, open_items


def finals_csv(final: Sequence[Final]) -> str:
    rows: list[list[Cell]] = [[row.item, row.label, row.how, row.votes] for row in final]
    return to_csv(["item", "label", "how", "votes"], *rows)


def _votes(annotations: Sequence[Annotation]) -> dict[str, dict[str, str]]:
    """Each item's labels by annotator; a label of a later round takes the place of the same person's earlier one."""
    votes: dict[str, dict[str, str]] = defaultdict(dict)
    for annotation in latest(annotations):
        votes[annotation.item][annotation.annotator] = annotation.label
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
        return dict(sorted(Counter(candidate.stratum for candidate in self.candidates).items()))

    def to_csv(self) -> str:
        """A sheet for an annotator. The stratum is not in it: who knows what a model said is led by it."""
        return to_csv(["item", "label"], *([candidate.item, None] for candidate in self.candidates))


def sample_next(path: Path, annotated: Sequence[Path], *, size: int, by: str, seed: int = 0) -> AnnotationBatch:
    """A stratified batch of what nobody has labelled yet.

    In the pool's file every row is an item with its stratum, which stands in the column `by`; an item may have several
    strata, of which the last one counts: for those who apply for several levels, the highest where levels rise.
    """
    if size < 1:
        raise UsageError("A batch has one resume at least.")
    done = {annotation.item for annotation in read_annotations(annotated)}
    pool = [
        AnnotationCandidate(value_of(row, ITEM, path, number), value_of(row, (by,), path, number))
        for number, row in read_rows(path)
    ]
    return next_batch(pool, annotated=done, size=size, seed=seed)


def next_batch(
    pool: Sequence[AnnotationCandidate], *, annotated: Collection[str], size: int, seed: int = 0
) -> AnnotationBatch:
    """As many of each stratum as its share of the whole pool, annotated ones included: batch by batch the labelled
    part comes to look like the pool. In chance order, so that nobody reads one stratum after the other.

    A stratum with too few left gives what it has, and the others fill up.
    """
    known = set(annotated)
    # Sorted, so that the order of the pool's file does not matter.
    candidates = [candidate for _, candidate in sorted({candidate.item: candidate for candidate in pool}.items())]
    totals = Counter(candidate.stratum for candidate in candidates)
    strata: dict[str, list[AnnotationCandidate]] = {name: [] for name in sorted(totals)}
    for candidate in candidates:
        if candidate.item not in known:
            strata[candidate.stratum].append(candidate)
    available = sum(map(len, strata.values()))
    wanted = dict.fromkeys(strata, 0)
    while missing := min(size, available) - sum(wanted.values()):
        open_shares = [totals[name] if wanted[name] < len(left) else 0 for name, left in strata.items()]
        for (name, left), more in zip(strata.items(), apportion(missing, open_shares), strict=True):
            wanted[name] = min(len(left), wanted[name] + more)
    rng = random.Random(f"{seed}/{len(known & {candidate.item for candidate in candidates})}")
    chosen = [candidate for name, left in strata.items() for candidate in rng.sample(left, wanted[name])]
    rng.shuffle(chosen)
    return AnnotationBatch(tuple(chosen), available - len(chosen))


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
    if not counts:
        raise ValueError("no items to compare")
    if any(len(row) != len(categories) for row in counts):
        raise ValueError("every item needs a count for every category")
    items, raters = len(counts), sum(counts[0])
    if raters < 2 or any(sum(row) != raters for row in counts):
        raise ValueError("every item needs the same number of raters, two at least")
    ratings = items * raters
    parts = []
    for name, column in zip(categories, zip(*counts, strict=True), strict=True):
        support, kappa = sum(column), None
        share = support / ratings
        if support not in (0, ratings):
            disagreeing = sum(count * (raters - count) for count in column)
            kappa = 1 - disagreeing / (ratings * (raters - 1) * share * (1 - share))
        parts.append(CategoryAgreement(name, kappa, support, share))
    observed = sum(sum(n * n for n in row) - raters for row in counts) / (ratings * (raters - 1))
    by_chance = sum(part.share * part.share for part in parts)
    is_uniform = max(part.support for part in parts) == ratings
    overall = None if is_uniform else (observed - by_chance) / (1 - by_chance)
    return RaterAgreement(overall, items, raters, tuple(parts))


def count_ratings(ratings: Sequence[Sequence[Hashable]], categories: Sequence[Hashable]) -> list[list[int]]:
    """From what each rater said about each item (`ratings[i]`: one label per rater) to the counts of kappa."""
    unknown = {label for row in ratings for label in row} - set(categories)
    if unknown:
        raise ValueError(f"ratings outside the categories: {sorted(map(str, unknown))}")
    return [[list(row).count(category) for category in categories] for row in ratings]


# How far annotators agree in each round of a guideline.


@dataclass(frozen=True, slots=True)
class RoundAgreement:
    """`agreement` is None where no two annotators looked at the same item."""

    round: str
    annotators: tuple[str, ...]
    agreement: RaterAgreement | None
    left_out: int  # items with fewer or more raters than most: kappa compares equal numbers

    def kappa(self, label: str) -> float | None:
        """None too where so few ratings chose the label that its kappa would mislead; `support` says how many."""
        category = self._category(label)
        return category.kappa if category and category.support > SMALL_SUPPORT else None

    def support(self, label: str) -> int:
        category = self._category(label)
        return category.support if category else 0

    def _category(self, label: str) -> CategoryAgreement | None:
        categories = self.agreement.categories if self.agreement else ()
        return next((category for category in categories if category.category == label), None)


@dataclass(frozen=True, slots=True)
class AgreementReport:
    labels: tuple[str, ...]
    rounds: tuple[RoundAgreement, ...]

    def to_json(self) -> dict[str, Any]:
        return {"labels": list(self.labels), "rounds": [self._round(of_round) for of_round in self.rounds]}

    def _round(self, of_round: RoundAgreement) -> dict[str, Any]:
        agreement = of_round.agreement
        return {
            "round": of_round.round,
            "annotators": list(of_round.annotators),
            "items": agreement.items if agreement else 0,
            "raters": agreement.raters if agreement else 0,
            "left_out": of_round.left_out,
            "kappa": agreement.kappa if agreement else None,
            "labels": [
                {"label": label, "kappa": of_round.kappa(label), "support": of_round.support(label)}
                for label in self.labels
            ],
        }


def measure_agreement(paths: Sequence[Path], labels: Sequence[str] = ()) -> AgreementReport:
    annotations = read_annotations(paths)
    if not annotations:
        raise UsageError("There is no label in these files.")
    known = labels_of(annotations, labels)
    return AgreementReport(known, tuple(agreements(annotations, known)))


def agreements(annotations: Sequence[Annotation], labels: Sequence[str]) -> list[RoundAgreement]:
    """One for each round, in the order in which they first appear."""
    by_round: dict[str, list[Annotation]] = defaultdict(list)
    for annotation in latest(annotations):
        by_round[annotation.round].append(annotation)
    rounds = []
    for name, given in by_round.items():
        ratings: dict[str, list[str]] = defaultdict(list)
        for annotation in given:
            ratings[annotation.item].append(annotation.label)
        # The commonest number of raters of an item, two at least; of two equally common, the larger.
        counts = Counter(len(row) for row in ratings.values() if len(row) > 1)
        raters = max(counts, key=lambda raters: (counts[raters], raters), default=0)
        compared = [row for row in ratings.values() if len(row) == raters]
        agreement = fleiss_kappa(count_ratings(compared, labels), labels) if compared else None
        annotators = tuple(sorted({annotation.annotator for annotation in given}))
        rounds.append(RoundAgreement(name, annotators, agreement, len(ratings) - len(compared)))
    return rounds
