"""Where annotators differ, the most contested first, and the labels that stand once that is settled."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenhand.corpora.annotating.annotation import Annotation, latest


@dataclass(frozen=True, slots=True)
class Contested:
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


def contested(annotations: Sequence[Annotation], labels: Sequence[str]) -> list[Contested]:
    """The fewer agree and the further apart they are, the earlier; `labels` in their order."""
    rank = {label: place for place, label in enumerate(labels)}
    found = []
    for item, votes in _votes(annotations).items():
        counts = Counter(votes.values()).most_common()
        if len(counts) > 1:
            majority = counts[0][0] if counts[0][1] > counts[1][1] else None
            places = [rank[label] for label, _ in counts]
            agreed = counts[0][1] / len(votes)
            found.append(
                Contested(item, tuple(sorted(votes.items())), majority, agreed, max(places) - min(places))
            )
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
