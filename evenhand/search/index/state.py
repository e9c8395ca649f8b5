"""The small file beside the index: which version made it and how far it has come. Written after each commit."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from evenhand.search.index.schema import VERSION, analyzer_signature

_FILE = "state.json"


@dataclass(frozen=True, slots=True)
class State:
    version: int
    analyzer: str
    revision: int = 0
    digest_bytes: int = 0
    opstamp: int | None = None  # of tantivy's commit: the index may be a commit ahead of this file
    settled: bool = False  # all changes up to the revision are in it, and of none only a part

    @classmethod
    def first(cls) -> State:
        return cls(VERSION, analyzer_signature())

    @property
    def current(self) -> bool:
        return self.version == VERSION and self.analyzer == analyzer_signature()

    def reached(self, revision: int, digest_bytes: int, *, opstamp: int, settled: bool) -> State:
        return replace(self, revision=revision, digest_bytes=digest_bytes, opstamp=opstamp, settled=settled)


def read_state(folder: Path) -> State | None:
    """None where there is none, or where it cannot be understood."""
    try:
        state = State(**json.loads((folder / _FILE).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None
    numbers = (state.version, state.revision, state.digest_bytes)
    return state if all(isinstance(number, int) for number in numbers) else None


def write_state(folder: Path, state: State) -> None:
    """All of it or nothing, whenever the power fails."""
    temporary = folder / f"{_FILE}.new"
    with temporary.open("w") as file:
        json.dump(asdict(state), file)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(folder / _FILE)
    directory = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def remove_state(folder: Path) -> None:
    (folder / _FILE).unlink(missing_ok=True)


def state_stamp(folder: Path) -> tuple[int, int]:
    """Changes whenever the state was written; (0, 0) where there is none."""
    try:
        status = (folder / _FILE).stat()
    except OSError:
        return 0, 0
    return status.st_ino, status.st_mtime_ns
