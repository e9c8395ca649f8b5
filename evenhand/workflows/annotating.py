"""The rounds of an annotation: how far people agree, what to label next, what to talk over, which labels stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenhand.corpora.annotating import (
    Batch,
    Contested,
    Final,
    RoundAgreement,
    agreements,
    contested,
    finals,
    next_batch,
)
from evenhand.corpora.annotating.annotation import labels_of
from evenhand.errors import UsageError
from evenhand.workflows.annotation_files import read_annotations, read_pool, read_resolved


@dataclass(frozen=True, slots=True)
class AgreementReport:
    labels: tuple[str, ...]
    rounds: tuple[RoundAgreement, ...]

    def to_json(self) -> dict[str, Any]:
        return {"labels": list(self.labels), "rounds": [self._round(each) for each in self.rounds]}

    def _round(self, each: RoundAgreement) -> dict[str, Any]:
        found = each.agreement
        return {
            "round": each.round,
            "annotators": list(each.annotators),
            "items": found.items if found else 0,
            "raters": found.raters if found else 0,
            "left_out": each.left_out,
            "kappa": found.kappa if found else None,
            "labels": [
                {"label": label, "kappa": each.kappa(label), "support": each.support(label)}
                for label in self.labels
            ],
        }


def measure_agreement(paths: Sequence[Path], labels: Sequence[str] = ()) -> AgreementReport:
    annotations = read_annotations(paths)
    if not annotations:
        raise UsageError("There is no label in these files.")
    known = labels_of(annotations, labels)
    return AgreementReport(known, tuple(agreements(annotations, known)))


def sample_next(pool: Path, annotated: Sequence[Path], *, size: int, by: str, seed: int = 0) -> Batch:
    """A stratified batch of what nobody has labelled yet."""
    if size < 1:
        raise UsageError("A batch has one resume at least.")
    done = {each.item for each in read_annotations(annotated)}
    return next_batch(read_pool(pool, by=by), annotated=done, size=size, seed=seed)


def list_contested(paths: Sequence[Path], labels: Sequence[str] = ()) -> list[Contested]:
    annotations = read_annotations(paths)
    return contested(annotations, labels_of(annotations, labels))


def settle(
    paths: Sequence[Path], resolved: Path, labels: Sequence[str] = ()
) -> tuple[list[Final], list[str]]:
    """The labels that stand, and the items on which nothing was decided yet."""
    annotations = read_annotations(paths)
    return finals(annotations, read_resolved(resolved, labels_of(annotations, labels)))
