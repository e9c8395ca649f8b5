"""Annotations, pools and resolved labels in files of people's own: CSV with a head, or JSON Lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenhand.errors import UsageError
from evenhand.models.labelled_resumes import ITEM, LABEL, read_rows, value_of
from evenhand.rendering.cells import BYTE_ORDER_MARK, Cell, csv_lines
from evenhand_lab.corpora.annotation import (
    Annotation,
    AnnotationBatch,
    AnnotationCandidate,
    ContestedItem,
    Final,
    RoundAgreement,
    agreements,
    contested,
    finals,
    labels_of,
    next_batch,
)

ANNOTATOR = ("annotator", "rater")
RESOLVED = ("resolved",)


def read_annotations(paths: Sequence[Path]) -> list[Annotation]:
    """Columns item (or file, id), label, and where there are any annotator and round.

    Without a column for the annotator, a file is one annotator's and its name is theirs. A row without a label is
    one that is still to be done, and is left out.
    """
    found = []
    for path in paths:
        for number, row in read_rows(path):
            label = value_of(row, LABEL, path, number, optional=True)
            if label:
                annotator = value_of(row, ANNOTATOR, path, number, optional=True) or path.stem
                item = value_of(row, ITEM, path, number)
                found.append(Annotation(item, annotator, label, row.get("round", "").strip()))
    return found


def read_pool(path: Path, *, by: str) -> list[AnnotationCandidate]:
    """Every row an item with its stratum, which stands in the column `by`; an item may have several strata, of which
    the last one counts: for those who apply for several levels, the highest where levels rise."""
    return [
        AnnotationCandidate(value_of(row, ITEM, path, number), value_of(row, (by,), path, number))
        for number, row in read_rows(path)
    ]


def read_resolved(path: Path, labels: Iterable[str]) -> dict[str, str]:
    """From an adjudication list in which somebody filled in the column `resolved`."""
    known = set(labels)
    found = {}
    for number, row in read_rows(path):
        label = value_of(row, RESOLVED, path, number, optional=True)
        if label and label not in known:
            raise UsageError(f"{path}, row {number}: {label!r} is none of the labels {', '.join(sorted(known))}.")
        if label:
            found[value_of(row, ITEM, path, number)] = label
    return found


def contested_csv(found: Sequence[ContestedItem]) -> str:
    """One row per item with a column for each annotator, and an empty one for what was resolved."""
    annotators = sorted({annotator for each in found for annotator, _ in each.votes})
    heads: list[Cell] = ["item", *annotators, "majority", "agreed", "spread", "resolved"]
    rows: list[list[Cell]] = [heads]
    for each in found:
        votes = dict(each.votes)
        given = [votes.get(annotator) for annotator in annotators]
        rows.append([each.item, *given, each.majority, round(each.agreed, 3), each.spread, None])
    return BYTE_ORDER_MARK + "".join(csv_lines(rows))


def finals_csv(found: Sequence[Final]) -> str:
    rows: list[list[Cell]] = [["item", "label", "how", "votes"]]
    rows += [[each.item, each.label, each.how, each.votes] for each in found]
    return BYTE_ORDER_MARK + "".join(csv_lines(rows))


def batch_csv(candidates: Sequence[AnnotationCandidate]) -> str:
    """A sheet for an annotator. The stratum is not in it: who knows what a model said is led by it."""
    rows: list[list[Cell]] = [["item", "label"]]
    rows += [[each.item, None] for each in candidates]
    return BYTE_ORDER_MARK + "".join(csv_lines(rows))


# The rounds of an annotation: how far people agree, what to label next, what to talk over, which labels
# stand.


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
                {"label": label, "kappa": each.kappa(label), "support": each.support(label)} for label in self.labels
            ],
        }


def measure_agreement(paths: Sequence[Path], labels: Sequence[str] = ()) -> AgreementReport:
    annotations = read_annotations(paths)
    if not annotations:
        raise UsageError("There is no label in these files.")
    known = labels_of(annotations, labels)
    return AgreementReport(known, tuple(agreements(annotations, known)))


def sample_next(pool: Path, annotated: Sequence[Path], *, size: int, by: str, seed: int = 0) -> AnnotationBatch:
    """A stratified batch of what nobody has labelled yet."""
    if size < 1:
        raise UsageError("A batch has one resume at least.")
    done = {each.item for each in read_annotations(annotated)}
    return next_batch(read_pool(pool, by=by), annotated=done, size=size, seed=seed)


def list_contested(paths: Sequence[Path], labels: Sequence[str] = ()) -> list[ContestedItem]:
    annotations = read_annotations(paths)
    return contested(annotations, labels_of(annotations, labels))


def settle(paths: Sequence[Path], resolved: Path, labels: Sequence[str] = ()) -> tuple[list[Final], list[str]]:
    """The labels that stand, and the items on which nothing was decided yet."""
    annotations = read_annotations(paths)
    return finals(annotations, read_resolved(resolved, labels_of(annotations, labels)))
