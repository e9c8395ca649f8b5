"""The full Bias in Bios set in the forms that circulate, row by row: pickles, Parquet, CSV, JSON and JSON lines.

The pickle of microsoft/biosbias has raw, start_pos, bio, title and gender. The splits of later work have hard_text,
and p and g or profession and gender, the last two as words or as numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evenhand.corpora.sets.files import csv_rows, json_lines
from evenhand.corpora.sets.parquet import parquet_rows
from evenhand.corpora.sets.plain_pickles import load_plain
from evenhand.errors import UsageError

Row = Mapping[str, Any]
TEXTS = ("hard_text", "raw", "bio", "text")
LABELS = ("profession", "p", "title")
GENDERS = ("gender", "g")
PARTS = ("train", "dev", "validation", "val", "test")
ENDINGS = (".pkl", ".pickle", ".parquet", ".csv", ".jsonl", ".ndjson", ".json")


def biography_rows(path: Path) -> Iterator[tuple[str, Row]]:
    """Each row with where it stands ("train.csv, row 3"). Of a folder all files, train before dev before test."""
    for file in _files(path):
        for number, row in enumerate(_rows(file), start=1):
            place = f"{file.name}, row {number}"
            if not isinstance(row, Mapping):
                raise UsageError(
                    f"{place}: a record with named fields was expected, not {type(row).__name__}."
                )
            yield place, row


def part_of(place: str) -> str:
    """The part of the set that a row is from, where the name of its file tells."""
    stem = place.split(".", maxsplit=1)[0].lower()
    return next((part for part in PARTS if stem == part or stem.startswith((f"{part}-", f"{part}_"))), "")


def cell(row: Row, place: str, *names: str) -> Any:
    """Under the first of the names that the row has."""
    for name in names:
        if row.get(name) not in (None, ""):
            return row[name]
    listed = " or ".join(f'"{name}"' for name in names)
    found = ", ".join(sorted(str(name) for name in row)) or "nothing"
    raise UsageError(f"{place}: there is no {listed}; the row has {found}.")


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise UsageError(f"There is no file or folder {path}.")
    files = [file for file in sorted(path.iterdir()) if _ending(file) in ENDINGS]
    if not files:
        raise UsageError(f"{path} holds no biographies: no file ends in {', '.join(ENDINGS)}.")
    return sorted(
        files, key=lambda file: PARTS.index(part_of(file.name)) if part_of(file.name) else len(PARTS)
    )


def _ending(file: Path) -> str:
    return Path(file.name.lower().removesuffix(".gz")).suffix


def _rows(file: Path) -> Iterator[Any]:
    ending = _ending(file)
    if ending in (".pkl", ".pickle"):
        yield from _listed(load_plain(file), file)
    elif ending == ".parquet":
        yield from parquet_rows(file, columns=TEXTS + LABELS + GENDERS + ("start_pos",))
    elif ending == ".csv":
        yield from csv_rows(file)
    elif ending in (".jsonl", ".ndjson"):
        yield from _checked(json_lines(file), file)
    elif ending == ".json":
        yield from _listed(_json(file), file)
    else:
        raise UsageError(f"{file.name}: the format is not known; expected {', '.join(ENDINGS)}.")


def _listed(found: Any, file: Path) -> list[Any]:
    if not isinstance(found, list | tuple):
        raise UsageError(f"{file.name}: a list of records was expected, not {type(found).__name__}.")
    return list(found)


def _json(file: Path) -> Any:
    try:
        return json.loads(file.read_text("utf-8"))
    except ValueError as damage:
        raise UsageError(f"{file.name} is no JSON: {damage}") from damage


def _checked(rows: Iterator[dict[str, Any]], file: Path) -> Iterator[dict[str, Any]]:
    try:
        yield from rows
    except ValueError as damage:
        raise UsageError(f"{file.name} is no JSON, line by line: {damage}") from damage
