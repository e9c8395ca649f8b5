"""Annotations, pools and resolved labels in files of people's own: CSV with a head, or JSON Lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from evenhand.corpora.annotating import Annotation, Candidate, Contested, Final
from evenhand.errors import UsageError
from evenhand.workflows.cells import BYTE_ORDER_MARK, Cell, csv_lines
from evenhand.workflows.label_rows import ITEM, LABEL, read_rows, value_of

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


def read_pool(path: Path, *, by: str) -> list[Candidate]:
    """Every row an item with its stratum, which stands in the column `by`; an item may have several strata, of which
    the last one counts: for those who apply for several levels, the highest where levels rise."""
    return [
        Candidate(value_of(row, ITEM, path, number), value_of(row, (by,), path, number))
        for number, row in read_rows(path)
    ]


def read_resolved(path: Path, labels: Iterable[str]) -> dict[str, str]:
    """From an adjudication list in which somebody filled in the column `resolved`."""
    known = set(labels)
    found = {}
    for number, row in read_rows(path):
        label = value_of(row, RESOLVED, path, number, optional=True)
        if label and label not in known:
            raise UsageError(
                f"{path}, row {number}: {label!r} is none of the labels {', '.join(sorted(known))}."
            )
        if label:
            found[value_of(row, ITEM, path, number)] = label
    return found


def contested_csv(found: Sequence[Contested]) -> str:
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


def batch_csv(candidates: Sequence[Candidate]) -> str:
    """A sheet for an annotator. The stratum is not in it: who knows what a model said is led by it."""
    rows: list[list[Cell]] = [["item", "label"]]
    rows += [[each.item, None] for each in candidates]
    return BYTE_ORDER_MARK + "".join(csv_lines(rows))
