"""What screeners decided, and the pairs of resumes that a good ranking puts in that order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
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

    def by_user_and_job(self) -> dict[tuple[str, str], list[Label]]:
        found: dict[tuple[str, str], list[Label]] = defaultdict(list)
        for label in self.labels:
            found[label.user, label.job].append(label)
        return dict(found)

    def latest(self) -> Feedback:
        """The latest label of each user for a resume."""
        latest: dict[tuple[str, str, str], Label] = {}
        for label in self.labels:
            key = (label.user, label.job, label.resume)
            latest.pop(key, None)
            latest[key] = label
        return Feedback(tuple(latest.values()))

    def comparable(self) -> Feedback:
        """Without the labels of users who said the same of everyone they judged for a job."""
        telling = {
            key
            for key, labels in self.by_user_and_job().items()
            if len({label.shortlisted for label in labels}) == 2
        }
        return Feedback(tuple(label for label in self.labels if (label.user, label.job) in telling))

    def capped(self, most: int) -> Feedback:
        """The latest label of each user for a resume, and of each user's no more than `most`.

        The latest of either kind come first, half and half where there are enough: fifty rejections in a row would
        push out everyone they can be compared with.
        """
        latest = self.latest().labels
        by_user: dict[str, list[Label]] = defaultdict(list)
        for label in latest:
            by_user[label.user].append(label)
        kept = {id(label) for labels in by_user.values() for label in _latest_of_both(labels, most)}
        return Feedback(tuple(label for label in latest if id(label) in kept))

    def pairs(self) -> tuple[Pair, ...]:
        """A user's pairs weigh together what the user has labels, so that many pairs of one job are not many users."""
        labels_of = Counter(label.user for label in self.labels)
        found: dict[str, list[tuple[Label, Label]]] = defaultdict(list)
        for (user, _), labels in self.by_user_and_job().items():
            better = [label for label in labels if label.shortlisted]
            worse = [label for label in labels if not label.shortlisted]
            found[user] += product(better, worse)
        return tuple(
            Pair(better, worse, labels_of[user] / len(pairs))
            for user, pairs in found.items()
            for better, worse in pairs
        )


def _latest_of_both(labels: Sequence[Label], most: int) -> list[Label]:
    better = [label for label in labels if label.shortlisted]
    worse = [label for label in labels if not label.shortlisted]
    from_better = min(len(better), max(most // 2, most - len(worse)))
    from_worse = min(len(worse), most - from_better)
    return better[len(better) - from_better :] + worse[len(worse) - from_worse :]
