"""What screeners decided, and the pairs of resumes that a good ranking puts in that order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

from evenhand.records.canonical import content_hash


@dataclass(frozen=True, slots=True)
class Label:
    """One decision: `shares` are the resume's features for that job when it was ranked, by the names of the weights."""

    user: str
    job: str
    resume: str
    shortlisted: bool  # or rejected
    shares: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "shares": dict(sorted(self.shares.items()))}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two resumes of one job that one user told apart. Only what one person said of one job is compared."""

    better: Label
    worse: Label
    weight: float


@dataclass(frozen=True, slots=True)
class Feedback:
    """Labels in the order they were given."""

    labels: tuple[Label, ...]

    @property
    def version(self) -> str:
        return content_hash([label.to_json() for label in self.labels])

    def capped(self, most: int) -> Feedback:
        """The latest label of each user for a resume, and of each user's no more than the latest `most`."""
        latest: dict[tuple[str, str, str], Label] = {}
        for label in self.labels:
            key = (label.user, label.job, label.resume)
            latest.pop(key, None)
            latest[key] = label
        by_user: dict[str, list[Label]] = defaultdict(list)
        for label in latest.values():
            by_user[label.user].append(label)
        kept = {id(label) for labels in by_user.values() for label in labels[-most:]}
        return Feedback(tuple(label for label in latest.values() if id(label) in kept))

    def pairs(self) -> tuple[Pair, ...]:
        """A user's pairs weigh together what the user has labels, so that many pairs of one job are not many users."""
        grouped: dict[tuple[str, str], tuple[list[Label], list[Label]]] = defaultdict(lambda: ([], []))
        labels_of: dict[str, int] = defaultdict(int)
        for label in self.labels:
            grouped[label.user, label.job][not label.shortlisted].append(label)
            labels_of[label.user] += 1
        found: dict[str, list[tuple[Label, Label]]] = defaultdict(list)
        for (user, _), (better, worse) in grouped.items():
            found[user] += product(better, worse)
        return tuple(
            Pair(better, worse, labels_of[user] / len(pairs))
            for user, pairs in found.items()
            for better, worse in pairs
        )
