"""Pairwise logistic regression on the shares, with weights that stay near the present ones and never below 0."""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.extras import require
from evenhand.records.conversion import content_hash, to_json
from evenhand.search.rankers.best import Weights
from evenhand.search.rankers.weights import LabelTally, Proposal

# What screeners decided, and the pairs of resumes that a good ranking puts in that order.


@dataclass(frozen=True, slots=True)
class FeedbackLabel:
    """One decision: `shares` are the resume's features for that job when it was ranked, by the names of the weights."""

    user: str
    job: str
    resume: str
    shortlisted: bool  # or rejected
    shares: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        return {**to_json(self), "shares": dict(sorted(self.shares.items()))}


@dataclass(frozen=True, slots=True)
class PreferencePair:
    """Two resumes of one job that one user told apart. Only what one person said of one job is compared."""

    better: FeedbackLabel
    worse: FeedbackLabel
    weight: float


@dataclass(frozen=True, slots=True)
class Feedback:
    """Labels in the order they were given."""

    labels: tuple[FeedbackLabel, ...]

    @property
    def version(self) -> str:
        return content_hash([label.to_json() for label in self.labels])

    def by_user_and_job(self) -> dict[tuple[str, str], list[FeedbackLabel]]:
        groups: dict[tuple[str, str], list[FeedbackLabel]] = defaultdict(list)
        for label in self.labels:
            groups[label.user, label.job].append(label)
        return dict(groups)

    def latest(self) -> Feedback:
        """The latest label of each user for a resume."""
        latest: dict[tuple[str, str, str], FeedbackLabel] = {}
        for label in self.labels:
            key = (label.user, label.job, label.resume)
            latest.pop(key, None)
            latest[key] = label
        return Feedback(tuple(latest.values()))

    def comparable(self) -> Feedback:
        """Without the labels of users who said the same of everyone they judged for a job."""
        telling = {
            key for key, labels in self.by_user_and_job().items() if len({label.shortlisted for label in labels}) == 2
        }
        return Feedback(tuple(label for label in self.labels if (label.user, label.job) in telling))

    def capped(self, most: int) -> Feedback:
        """The latest label of each user for a resume, and of each user's no more than `most`.

        The latest of either kind come first, half and half where there are enough: fifty rejections in a row would
        push out everyone they can be compared with.
        """
        latest = self.latest().labels
        by_user: dict[str, list[FeedbackLabel]] = defaultdict(list)
        for label in latest:
            by_user[label.user].append(label)
        counted: set[int] = set()
        for labels in by_user.values():
            better = [label for label in labels if label.shortlisted]
            worse = [label for label in labels if not label.shortlisted]
            from_better = min(len(better), max(most // 2, most - len(worse)))
            from_worse = min(len(worse), most - from_better)
            newest = better[len(better) - from_better :] + worse[len(worse) - from_worse :]
            counted |= {id(label) for label in newest}
        return Feedback(tuple(label for label in latest if id(label) in counted))

    def pairs(self) -> tuple[PreferencePair, ...]:
        """A user's pairs weigh together what the user has labels, so that many pairs of one job are not many users."""
        labels_of = Counter(label.user for label in self.labels)
        found: dict[str, list[tuple[FeedbackLabel, FeedbackLabel]]] = defaultdict(list)
        for (user, _), labels in self.by_user_and_job().items():
            better = [label for label in labels if label.shortlisted]
            worse = [label for label in labels if not label.shortlisted]
            found[user] += product(better, worse)
        return tuple(
            PreferencePair(better, worse, labels_of[user] / len(pairs))
            for user, pairs in found.items()
            for better, worse in pairs
        )


# How well weights order judgements that were held out, and whether a gain could be luck.

DEALS = 1_999
_TIE = 9  # decimals

Floats = NDArray[np.float64]


def measure_accuracy(weights: Weights, pairs: Sequence[PreferencePair]) -> float | None:
    """The weighted share of pairs in the right order; a tie is half right."""
    if not pairs:
        return None
    names = tuple(weights.to_json())
    ahead = np.sign(np.round(differences(pairs, names) @ vector(weights, names), _TIE))
    trust = np.array([pair.weight for pair in pairs])
    return round(float(trust @ (1 + ahead) / 2 / trust.sum()), 9)


def measure_chance(before: Weights, after: Weights, held_out: Feedback) -> float | None:
    """How often the gain is as large when each user's labels of a job are dealt out anew among the same resumes.

    Labels that have nothing to do with the resumes pass a limit of 5 % in 5 % of cases, however few they are.
    """
    trust = {pair.better.user: pair.weight for pair in held_out.pairs()}
    if not trust:
        return None
    random = np.random.default_rng(0)  # the same labels, the same answer
    gains = np.zeros(1 + DEALS)
    for (user, _), labels in held_out.by_user_and_job().items():
        chosen = np.array([label.shortlisted for label in labels], np.float64)
        changed = _order(after, labels) - _order(before, labels)
        dealt = np.vstack([chosen, random.permuted(np.tile(chosen, (DEALS, 1)), axis=1)])
        gains += trust.get(user, 0.0) * np.einsum("di,di->d", dealt @ changed, 1 - dealt)
    as_good = np.count_nonzero(gains[1:] >= gains[0] - 10.0**-_TIE)
    return round((1 + int(as_good)) / (1 + DEALS), 6)


def _order(weights: Weights, labels: Sequence[FeedbackLabel]) -> Floats:
    """1 where the resume of the row stands above that of the column, -1 where below."""
    names = tuple(weights.to_json())
    scores = table([label.shares for label in labels], names) @ vector(weights, names)
    found: Floats = np.sign(np.round(scores[:, None] - scores[None, :], _TIE))
    return found


def differences(pairs: Sequence[PreferencePair], names: Sequence[str]) -> Floats:
    better = table([pair.better.shares for pair in pairs], names)
    return better - table([pair.worse.shares for pair in pairs], names)


def table(shares: Sequence[Mapping[str, float]], names: Sequence[str]) -> Floats:
    """A feature that a job does not ask for tells nobody apart."""
    rows = [[resume.get(name, 0.0) for name in names] for resume in shares]
    return np.array(rows, np.float64).reshape(len(shares), len(names))


def vector(weights: Weights, names: Sequence[str]) -> Floats:
    values = weights.to_json()
    return np.array([values[name] for name in names])


LABELS_PER_USER = 50
LEARNABLE = ("role", "requirements", "licences", "desirable", "experience", "education", "words")

_HELD_OUT = 4  # one in so many
_POINTS = 10.0  # a resume ahead by so many points is expected to win e to 1
_PULL = 0.5  # towards the present weights, in labels
_DECIMALS = 4


def learn_weights(
    feedback: Feedback, *, start: Weights | None = None, labels_per_user: int = LABELS_PER_USER
) -> Proposal:
    start = start or Weights()
    given = feedback.latest().comparable()
    counted = given.capped(labels_per_user).comparable()
    learned, held_out = _split(counted)
    weights = _fit(learned.pairs(), start, LEARNABLE)
    judged = held_out.pairs()
    everyone, first, second = (Counter(label.user for label in side.labels) for side in (given, learned, held_out))
    return Proposal(
        weights=weights,
        start=start,
        labels=feedback.version,
        shortlisted=sum(label.shortlisted for label in counted.labels),
        rejected=sum(not label.shortlisted for label in counted.labels),
        users=tuple(
            LabelTally(user, number, number - first[user] - second[user], first[user], second[user])
            for user, number in sorted(everyone.items())
        ),
        pairs=len(learned.pairs()),
        held_out=len(judged),
        accuracy_before=measure_accuracy(start, judged),
        accuracy_after=measure_accuracy(weights, judged),
        chance=measure_chance(start, weights, held_out),
    )


def _split(feedback: Feedback) -> tuple[Feedback, Feedback]:
    """By resume, so that no resume is learned from and judged; which side one is on depends on its name alone."""
    sides: tuple[list[FeedbackLabel], list[FeedbackLabel]] = ([], [])
    for label in feedback.labels:
        sides[zlib.crc32(label.resume.encode()) % _HELD_OUT == 0].append(label)
    return Feedback(tuple(sides[0])), Feedback(tuple(sides[1]))


def _fit(pairs: Sequence[PreferencePair], start: Weights, names: tuple[str, ...]) -> Weights:
    """The likelihood is convex, so there is one best answer and no chance in it."""
    if not pairs:
        return start
    require("audit")
    from scipy.optimize import minimize  # type: ignore[import-untyped]  # noqa: PLC0415 - only fitting needs it

    apart = differences(pairs, names)
    trust = np.array([pair.weight for pair in pairs])
    present = vector(start, names) / _POINTS

    def loss(values: Floats) -> tuple[float, Floats]:
        margins = apart @ values
        away = values - present
        gradient = -(trust / (1 + np.exp(margins))) @ apart + _PULL * away
        return float(trust @ np.logaddexp(0, -margins) + _PULL * (away @ away) / 2), gradient

    result = minimize(loss, present, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(names))
    points = _rescale(result.x, vector(start, names), told_apart=np.asarray(apart.any(axis=0)))
    learned = {name: round(float(value), _DECIMALS) for name, value in zip(names, points, strict=True)}
    return replace(start, **learned)


def _rescale(found: Floats, start: Floats, *, told_apart: NDArray[np.bool_]) -> Floats:
    """What the pairs differ in shares the points it had before; the rest keeps its own.

    A fit may grow as a whole to be surer. Must-haves must not lose to that only because no job learned from had any.
    """
    if not start[told_apart].sum():
        told_apart = np.ones_like(told_apart)
    points = start.copy()
    if found[told_apart].sum() > 0:
        points[told_apart] = found[told_apart] * (start[told_apart].sum() / found[told_apart].sum())
    return points
