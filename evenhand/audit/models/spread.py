"""How far the best and the worst served group lie apart, as fairlearn measures it: the difference and the ratio."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from fairlearn.metrics import MetricFrame
from sklearn.metrics import accuracy_score, recall_score

from evenhand.audit.models.chance import Ints
from evenhand.audit.models.gaps import LEAST_GROUP


def mean_recall(true: Ints, said: Ints) -> float:
    """Over the labels that somebody of the group truly has."""
    return float(recall_score(true, said, labels=np.unique(true), average="macro", zero_division=0.0))


MEASURES = {"accuracy": accuracy_score, "balanced accuracy": mean_recall}


@dataclass(frozen=True, slots=True)
class Spread:
    """Over groups that are large enough; the ratio is the worst over the best."""

    measure: str
    best: str
    worst: str
    difference: float
    ratio: float

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def measure_spread(true: Ints, said: Ints, groups: Sequence[str]) -> tuple[Spread, ...]:
    """From places in the labels, one each; -1 where nothing was said. None where fewer than two groups are enough."""
    given = np.asarray(groups)
    names, counts = np.unique(given[given != ""], return_counts=True)
    rows = np.isin(given, names[counts >= LEAST_GROUP])
    if len(np.unique(given[rows])) < 2:
        return ()
    frame = MetricFrame(
        metrics=MEASURES, y_true=true[rows], y_pred=said[rows], sensitive_features=given[rows]
    )
    return tuple(
        Spread(
            measure,
            str(frame.by_group[measure].idxmax()),
            str(frame.by_group[measure].idxmin()),
            float(frame.difference()[measure]),
            float(frame.ratio()[measure]),
        )
        for measure in MEASURES
    )
