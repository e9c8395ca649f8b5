"""A corpus that checks itself: truth against text, files against their hashes, parts against each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evenhand.corpora.checking import check
from evenhand.corpora.truth_building import truth_from_dict
from evenhand.errors import UsageError
from evenhand.workflows import corpus_folder as folder

Faults = tuple[int, list[str]]


def about(out: Path) -> dict[str, Any]:
    found = folder.read_about(out)
    if found is None:
        raise UsageError(f"{out} holds no corpus.")
    if not found.get("complete"):
        raise UsageError(f"The corpus in {out} is not finished; generate it again with the same arguments.")
    return found


def size_of(out: Path) -> int:
    return int(about(out)["settings"]["n"])


def check_corpus(out: Path) -> Iterator[Faults]:
    """What is wrong with each resume, in order; at last, under -1, what is wrong with the whole."""
    found = about(out)
    truths = folder.read_lines(out / "truth.jsonl")
    files = folder.read_lines(out / "files.jsonl")
    count = 0
    for number, (truth, listed) in enumerate(zip(truths, files, strict=False)):
        yield number, [*check_truth(number, truth), *check_files(out, listed)]
        count += 1
    whole = (
        []
        if count == found["settings"]["n"]
        else [f"there are {count} resumes, not {found['settings']['n']}"]
    )
    whole += [
        f"{name} was changed"
        for name, digest in found["sha256"].items()
        if folder.hash_of(out / name) != digest
    ]
    if whole:
        yield -1, whole


def check_truth(number: int, value: dict[str, Any]) -> list[str]:
    text = value.pop("text")
    truth = truth_from_dict(value)
    faults = check(truth, text)
    return faults if truth.number == number else [*faults, f"is numbered {truth.number}"]


def check_files(out: Path, listed: dict[str, Any]) -> list[str]:
    faults = []
    for file in listed["files"]:
        path = out / file["path"]
        if not path.is_file():
            faults.append(f"{file['path']} is missing")
        elif folder.hash_of(path) != file["sha256"]:
            faults.append(f"{file['path']} was changed")
    return faults
