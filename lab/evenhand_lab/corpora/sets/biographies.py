"""The full Bias in Bios set by path: biographies and their profession, without the people's gender."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet

from evenhand.errors import UsageError
from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.sets.occupations import biography_id
from evenhand_lab.corpora.sets.records import LabelledRecord, csv_rows, json_lines

_HARMLESS = {("builtins", "set"): set, ("builtins", "frozenset"): frozenset}  # data that pickles write by name


class PlainUnpickler(pickle.Unpickler):
    """A pickle may name any function of Python and have it called; plain data needs none, so none is found."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        harmless = _HARMLESS.get((module_name.replace("__builtin__", "builtins"), global_name))
        if harmless is None:
            raise UsageError(
                f"The pickle asks for {module_name}.{global_name}, which plain data does not need; it is not read."
            )
        return harmless


def load_plain(path: Path) -> Any:
    """Python 2 wrote its texts as bytes; they are read as UTF-8."""
    try:
        with path.open("rb") as file:
            return PlainUnpickler(file, encoding="utf-8", errors="replace").load()
    except UsageError as refused:
        raise UsageError(f"{path.name}: {refused}") from None
    # A damaged pickle fails in as many ways as it has opcodes.
    except (pickle.UnpicklingError, EOFError, ValueError, TypeError, LookupError, AttributeError) as damage:
        raise UsageError(f"{path.name} is no pickle that can be read, or it is damaged: {damage}") from damage


# The set circulates as pickles, Parquet, CSV, JSON and JSON lines. The pickle of microsoft/biosbias has raw, start_pos,
# bio, title and gender. The splits of later work have hard_text, and p and g or profession and gender, the last two as
# words or as numbers.
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
                raise UsageError(f"{place}: a record with named fields was expected, not {type(row).__name__}.")
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
    present = ", ".join(sorted(str(name) for name in row)) or "nothing"
    raise UsageError(f"{place}: there is no {listed}; the row has {present}.")


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise UsageError(f"There is no file or folder {path}.")
    files = [file for file in sorted(path.iterdir()) if _ending(file) in ENDINGS]
    if not files:
        raise UsageError(f"{path} holds no biographies: no file ends in {', '.join(ENDINGS)}.")
    return sorted(files, key=lambda file: PARTS.index(part_of(file.name)) if part_of(file.name) else len(PARTS))


def _ending(file: Path) -> str:
    return Path(file.name.lower().removesuffix(".gz")).suffix


def _rows(file: Path) -> Iterator[Any]:
    ending = _ending(file)
    if ending in (".pkl", ".pickle"):
        yield from _listed(load_plain(file), file)
    elif ending == ".parquet":
        yield from parquet_rows(file)
    elif ending == ".csv":
        yield from csv_rows(file)
    elif ending in (".jsonl", ".ndjson"):
        try:
            yield from json_lines(file)
        except ValueError as damage:
            raise UsageError(f"{file.name} is no JSON, line by line: {damage}") from damage
    elif ending == ".json":
        try:
            records = json.loads(file.read_text("utf-8"))
        except ValueError as damage:
            raise UsageError(f"{file.name} is no JSON: {damage}") from damage
        yield from _listed(records, file)
    else:
        raise UsageError(f"{file.name}: the format is not known; expected {', '.join(ENDINGS)}.")


def parquet_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The columns that biographies have, one batch of rows after the other."""
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            wanted = [*TEXTS, *LABELS, *GENDERS, "start_pos"]
            for batch in file.iter_batches(columns=[name for name in wanted if name in file.schema_arrow.names]):
                yield from batch.to_pylist()
    except (pyarrow.ArrowException, OSError) as damage:
        raise UsageError(f"{path.name} is no Parquet file that can be read: {damage}") from damage


def _listed(records: Any, file: Path) -> list[Any]:
    if not isinstance(records, list | tuple):
        raise UsageError(f"{file.name}: a list of records was expected, not {type(records).__name__}.")
    return list(records)


PROFESSIONS = tuple(lexicon.text("professions.txt").split())
"""In the order of their numbers in the forms that have numbers."""


def read_full_biographies(path: Path, *, is_scrubbed: bool = False) -> Iterator[LabelledRecord]:
    """A file or a folder of files. The text begins behind the sentence that names the profession.

    `is_scrubbed` asks for the set's own form without names and pronouns, which only its pickle has. `source` is the
    part of the set (train, dev, test), where files tell.
    """
    for number, (place, row) in enumerate(biography_rows(path)):
        text = cell(row, place, "bio") if is_scrubbed else _text(row, place)
        profession = _profession(cell(row, place, *LABELS), place)
        yield LabelledRecord(biography_id(number), str(text).strip(), (profession,), part_of(place))


def _text(row: Row, place: str) -> str:
    if "raw" in row and "hard_text" not in row:
        raw, start = str(cell(row, place, "raw")), row.get("start_pos")
        try:
            return raw[int(start or 0) :]
        except (TypeError, ValueError):
            raise UsageError(f'{place}: "start_pos" should be a number, not {start!r}.') from None
    return str(cell(row, place, "hard_text", "text", "bio"))


def _profession(written: Any, place: str) -> str:
    if isinstance(written, int) or str(written).strip().isdigit():
        if not 0 <= int(written) < len(PROFESSIONS):
            raise UsageError(f"{place}: {written} is no profession; numbers go from 0 to {len(PROFESSIONS) - 1}.")
        return PROFESSIONS[int(written)]
    return "_".join(str(written).lower().split())
