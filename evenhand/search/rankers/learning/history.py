"""Every version of the weights that was ever in force, in a folder: which one is, and the way back."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from evenhand.records.canonical import canonical_json
from evenhand.search.rankers.best import Weights
from evenhand.search.rankers.learning.training import Proposal

_CURRENT = "current.json"


class WeightsHistory:
    """`0001.json`, `0002.json`, ... are never changed; `current.json` holds the bytes of the one in force."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def versions(self) -> list[int]:
        return sorted(int(path.stem) for path in self._folder.glob("[0-9]*.json"))

    def current(self) -> Weights:
        """The defaults where nothing was learned yet."""
        path = self._folder / _CURRENT
        return _weights(path.read_bytes()) if path.exists() else Weights()

    def current_version(self) -> int | None:
        path = self._folder / _CURRENT
        return int(_entry(path.read_bytes())["version"]) if path.exists() else None

    def adopt(self, proposal: Proposal) -> int:
        """Raises ValueError for a proposal that did worse than what is in force, or was never held against it."""
        if not proposal.adopted:
            raise ValueError(
                f"not adopted: right order in {proposal.accuracy_after} of the held-out pairs, "
                f"{proposal.accuracy_before} before"
            )
        version = max(self.versions(), default=0) + 1
        data = canonical_json({"version": version, **proposal.to_json()}).encode()
        self._folder.mkdir(parents=True, exist_ok=True)
        _write(self._folder / f"{version:04d}.json", data)
        _write(self._folder / _CURRENT, data)
        return version

    def roll_back(self, version: int) -> Weights:
        """Put an earlier version in force, byte by byte; later ones stay on record. 0 are the defaults."""
        if version == 0:
            (self._folder / _CURRENT).unlink(missing_ok=True)
            return Weights()
        path = self._folder / f"{version:04d}.json"
        if not path.exists():
            raise ValueError(f"there is no version {version} of the weights")
        data = path.read_bytes()
        _write(self._folder / _CURRENT, data)
        return _weights(data)


def _entry(data: bytes) -> dict[str, Any]:
    entry: dict[str, Any] = json.loads(data)
    return entry


def _weights(data: bytes) -> Weights:
    return Weights(**_entry(data)["weights"])


def _write(path: Path, data: bytes) -> None:
    """All or nothing, also when the machine stops in between."""
    beside = path.with_suffix(".new")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
