"""The resumes that explanations compare with: generated ones that ship, or those in a folder of the user's."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from evenhand.errors import UsageError
from evenhand.explain.reference import Reference
from evenhand.models.inputs import ResumeInput
from evenhand.records import canonical_json
from evenhand.records.profile import Profile
from evenhand.settings import Settings
from evenhand.workflows.mining import mine_with_documents
from evenhand.workflows.mining_one import miner_for, miner_stamp
from evenhand.workflows.model_inputs import input_of_text
from evenhand.workflows.reading import PathLike, open_pool, read

GENERATED = "reference_resumes.jsonl"  # in evenhand.explain; written by tools/make_reference_resumes.py
NUMBERS = {"mixed": 30, "it": 15, "crc": 15}  # of each kind that are used, the first ones
AS_OF = "2026-10"  # the month they were written for; with another their present jobs would last longer
FEWEST = 2


def find_reference(folder: PathLike | None, settings: Settings) -> Reference:
    """Of the folder, or the generated ones, which are mined once and then kept in the data folder."""
    if folder is not None:
        return _read(Path(folder), settings)
    return _generated(settings.data_path.absolute() / "explain" / f"reference-{miner_stamp()}.jsonl")


def _read(folder: Path, settings: Settings) -> Reference:
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder} with resumes to compare with.")
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    mined = mine_with_documents(files, settings=settings) if len(files) >= FEWEST else ()
    inputs = [input_of_text(each.document.text, each.profile) for each in mined if not each.is_failed]
    inputs = [each for each in inputs if each.text.strip()]
    if len(inputs) < FEWEST:
        raise UsageError(
            f"{folder} holds fewer than {FEWEST} resumes that can be read, too few to compare with."
        )
    return Reference(tuple(inputs), f"{len(inputs)} resumes in {folder.name or folder}")


@lru_cache(maxsize=2)
def _generated(file: Path) -> Reference:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        inputs = tuple(map(_from_line, lines))
    except (OSError, ValueError, KeyError):
        inputs = ()
    if len(inputs) != sum(NUMBERS.values()):
        rows = list(_make())
        inputs = tuple(input_of_text(text, profile) for text, profile in rows)
        _keep(file, "".join(_to_line(*row) for row in rows))
    return Reference(inputs, f"{len(inputs)} generated resumes")


def _make() -> Iterator[tuple[str, Profile]]:
    settings = Settings()
    miner = miner_for(settings)
    with open_pool(settings, workers=1) as pool:
        for data in _shipped():
            document = read(data, settings=settings, pool=pool)
            yield document.text, miner.mine(document, AS_OF)


def _shipped() -> Iterator[bytes]:
    """Each as the text file it was written as: some are in older charsets, which the reader has to find out."""
    with (files("evenhand.explain") / GENERATED).open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["number"] < NUMBERS.get(row["kind"], 0):
                yield row["text"].encode(row["charset"])


def _to_line(text: str, profile: Profile) -> str:
    return canonical_json({"text": text, "profile": profile.to_json()}) + "\n"


def _from_line(line: str) -> ResumeInput:
    row = json.loads(line)
    return input_of_text(row["text"], Profile.from_json(row["profile"], row["text"]))


def _keep(file: Path, content: str) -> None:
    """Whole or not at all; a data folder that cannot be written to costs only time."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}")
        with os.fdopen(handle, "w", encoding="utf-8") as opened:
            opened.write(content)
        Path(name).replace(file)
    except OSError:
        return
