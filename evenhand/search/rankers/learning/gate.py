"""How well weights order judgements that were held out, and whether a gain could be luck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from evenhand.search.rankers.best import Weights
from evenhand.search.rankers.learning.feedback import Feedback, Label, Pair

DEALS = 1_999
_TIE = 9  # decimals

Floats = NDArray[np.float64]


def measure_accuracy(weights: Weights, pairs: Sequence[Pair]) -> float | None:
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


def _order(weights: Weights, labels: Sequence[Label]) -> Floats:
    """1 where the resume of the row stands above that of the column, -1 where below."""
    names = tuple(weights.to_json())
    scores = table([label.shares for label in labels], names) @ vector(weights, names)
    found: Floats = np.sign(np.round(scores[:, None] - scores[None, :], _TIE))
    return found


def differences(pairs: Sequence[Pair], names: Sequence[str]) -> Floats:
    better = table([pair.better.shares for pair in pairs], names)
    return better - table([pair.worse.shares for pair in pairs], names)


def table(shares: Sequence[Mapping[str, float]], names: Sequence[str]) -> Floats:
    """A feature that a job does not ask for tells nobody apart."""
    rows = [[each.get(name, 0.0) for name in names] for each in shares]
    return np.array(rows, np.float64).reshape(len(shares), len(names))


def vector(weights: Weights, names: Sequence[str]) -> Floats:
    values = weights.to_json()
    return np.array([values[name] for name in names])
