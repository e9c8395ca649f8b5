"""How far annotators agree in each round of a guideline."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evenhand.corpora.agreement import Agreement, count_ratings, fleiss_kappa
from evenhand.corpora.annotating.annotation import Annotation, latest

SMALL_SUPPORT = 2  # ratings: a kappa on so few means nothing, and can be negative by one vote


@dataclass(frozen=True, slots=True)
class RoundAgreement:
    """`agreement` is None where no two annotators looked at the same item."""

    round: str
    annotators: tuple[str, ...]
    agreement: Agreement | None
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
