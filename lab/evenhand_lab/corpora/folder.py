"""The folder of a corpus: what lies where, and how far an earlier run came."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from evenhand.errors import UsageError
from evenhand.records import canonical_json

ABOUT = "corpus.json"
PER_RESUME = ("truth.jsonl", "groups.jsonl", "files.jsonl", "relevance.jsonl")  # one line each
PLANTED = "planted.jsonl"
JOBS = "jobs.jsonl"
RESUMES_PER_FOLDER = 1000


def resume_path(number: int, ending: str) -> str:
    """Relative to the corpus; no folder holds so many files that listing it takes long."""
    return f"resumes/{number // RESUMES_PER_FOLDER:02d}/{number:06d}.{ending}"


def put_file(path: Path, data: bytes) -> None:
    """Write the file unless these very bytes are there."""
    if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def read_about(out: Path) -> dict[str, Any] | None:
    """What corpus.json says; nothing where there is no corpus yet."""
    path = out / ABOUT
    if not path.exists():
        if out.exists() and any(out.iterdir()):
            raise UsageError(f"{out} is not empty and holds no corpus; choose another folder.")
        return None
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UsageError(f"{path} is damaged; delete the folder or choose another one.") from error
    return dict(about)


def check_same(out: Path, before: dict[str, Any], wanted: dict[str, Any]) -> None:
    """A corpus is continued only with what it was begun with; more resumes are welcome if nothing is planted."""
    grown = {"n"} if not wanted["planted"] and wanted["n"] >= before.get("n", 0) else set()
    for name, value in wanted.items():
        if name not in grown and before.get(name) != value:
            raise UsageError(
                f"{out} holds a corpus made with {name} {before.get(name)!r}, not {value!r}; choose another folder."
            )


def put_about(out: Path, about: dict[str, Any]) -> None:
    (out / ABOUT).write_text(canonical_json(about) + "\n", encoding="utf-8")


def reached(out: Path) -> int:
    """How many resumes an earlier run has finished; what it left half-done after them is cut off."""
    for name in (*PER_RESUME, PLANTED):
        (out / name).touch()
    with ExitStack() as stack:
        streams = [stack.enter_context((out / name).open("rb")) for name in PER_RESUME]
        offsets = [0] * len(streams)
        count = 0
        while all(lines := [stream.readline() for stream in streams]):
            if any(number_in(line) != count for line in lines) or faults_of_files(out, json.loads(lines[2])):
                break
            offsets = [offset + len(line) for offset, line in zip(offsets, lines, strict=True)]
            count += 1
    for name, offset in zip(PER_RESUME, offsets, strict=True):
        with (out / name).open("r+b") as file:
            file.truncate(offset)
    planted = (out / PLANTED).read_bytes().splitlines(keepends=True)
    before = [line for line in planted if (number := number_in(line)) is not None and number < count]
    (out / PLANTED).write_bytes(b"".join(before))
    return count


def number_in(line: bytes) -> int | None:
    """Of the resume that the line is about; None where the line was cut off."""
    try:
        return int(json.loads(line)["number"]) if line.endswith(b"\n") else None
    except (ValueError, KeyError):
        return None


def faults_of_files(out: Path, listed: dict[str, Any]) -> list[str]:
    """Which of the files of a line of files.jsonl are missing or not what they were."""
    faults = []
    for file in listed["files"]:
        path = out / file["path"]
        if not path.is_file():
            faults.append(f"{file['path']} is missing")
        elif hash_of(path) != file["sha256"]:
            faults.append(f"{file['path']} was changed")
    return faults


def hash_of(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The values of a JSON Lines file, one at a time."""
    try:
        with path.open(encoding="utf-8") as stream:
            for line in stream:
                yield json.loads(line)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
