"""Annotations, pools and resolved labels in files of people's own: CSV with a head, or JSON Lines."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from evenhand.corpora.annotating import Annotation, Candidate, Contested, Final
from evenhand.errors import UsageError
from evenhand.workflows.cells import BYTE_ORDER_MARK, Cell, csv_lines

ITEM = ("item", "file", "id", "resume")
LABEL = ("label", "level")
ANNOTATOR = ("annotator", "rater")
RESOLVED = ("resolved",)
JSON_ENDINGS = (".jsonl", ".ndjson", ".json")
Row = Mapping[str, str]


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


def read_rows(path: Path) -> Iterator[tuple[int, Row]]:
    """With their numbers, as a person would count them."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text.") from error
    if path.suffix.lower() in JSON_ENDINGS:
        yield from _json_rows(path, text)
        return
    for number, row in enumerate(csv.DictReader(text.splitlines()), start=2):
        yield number, {(name or "").strip().lower(): _plain(value) for name, value in row.items() if name}


def _json_rows(path: Path, text: str) -> Iterator[tuple[int, Row]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise UsageError(f"{path}, row {number} is not JSON.") from error
        if not isinstance(row, dict):
            raise UsageError(f"{path}, row {number} is not a JSON object.")
        yield number, {str(name).lower(): "" if value is None else str(value) for name, value in row.items()}


def _plain(value: str | None) -> str:
    """Without the apostrophe that keeps a spreadsheet from computing what we wrote into a cell."""
    text = (value or "").strip()
    return text[1:] if text[:1] == "'" and text[1:2] in ("=", "+", "-", "@") else text


def value_of(row: Row, names: Sequence[str], path: Path, number: int, *, optional: bool = False) -> str:
    for name in names:
        if value := row.get(name.lower(), "").strip():
            return value
    if optional:
        return ""
    raise UsageError(f"{path}, row {number} has nothing in a column {' or '.join(names)}.")
