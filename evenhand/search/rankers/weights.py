"""Every version of the weights that was ever in force, in a folder: which one is, and the way back."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evenhand.errors import StoreError, UsageError
from evenhand.records.conversion import JsonRecord, canonical_json, to_json
from evenhand.search.rankers.best import Weights
from evenhand.search.rankers.first_best import are_first

# What was learned from whom, and whether it may replace what it started from.

LABELS_NEEDED = 20
"""Of either kind. With fewer there is too little to hold out, and luck could not be told from learning."""
MAX_CHANCE = 0.05


@dataclass(frozen=True, slots=True)
class LabelTally:
    """One user's labels: those that can be compared with another of the same user and job, and what became of them."""

    user: str
    given: int
    capped: int  # left out, as older than the latest that count
    learned: int
    held_out: int


@dataclass(frozen=True, slots=True)
class Proposal:
    weights: Weights
    start: Weights
    labels: str  # version of the feedback
    shortlisted: int  # labels that count, of each kind
    rejected: int
    users: tuple[LabelTally, ...]
    pairs: int  # learned from
    held_out: int  # pairs
    accuracy_before: float | None  # share of held-out pairs in the right order; None where none was held out
    accuracy_after: float | None
    chance: float | None  # how often the same labels, dealt out at random, gain as much

    @property
    def refusal(self) -> str | None:
        """Why nobody may adopt it, as a sentence."""
        if min(self.shortlisted, self.rejected) < LABELS_NEEDED:
            return (
                f"Too few decisions to learn from: {self.shortlisted} shortlisted or offered and {self.rejected} "
                f"rejected, by people who did both for the same job; {LABELS_NEEDED} of each are needed."
            )
        if self.accuracy_before is None or self.accuracy_after is None or self.chance is None:
            return "None of the decisions could be held out to judge by."
        if self.accuracy_after <= self.accuracy_before:
            return (
                f"No better on decisions held out: {self.accuracy_after:.1%} of the pairs in the right order, "
                f"{self.accuracy_before:.1%} with the weights in force."
            )
        if self.chance > MAX_CHANCE:
            return (
                f"Better on decisions held out, but luck would be in {self.chance:.1%} of cases; "
                f"at most {MAX_CHANCE:.0%} is allowed. More decisions would tell."
            )
        return None

    def to_json(self) -> dict[str, Any]:
        return {**to_json(self), "refusal": self.refusal}


_CURRENT = "current.json"
_OVERTAKEN = "Other weights were adopted meanwhile; learn again from those."


@dataclass(frozen=True, slots=True)
class WeightsInForce(JsonRecord):
    """Recorded beside a ranking, so that it can be made again after other weights were adopted."""

    version: int  # 0 are the defaults
    weights: Weights = field(metadata={"json": "values"})


class WeightsHistory:
    """`0001.json`, `0002.json`, ... are never changed; `current.json` holds the bytes of the one in force."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def in_force(self) -> WeightsInForce:
        """The defaults where nothing was learned yet. Damaged weights are an error: others would order unnoticed."""
        path = self._folder / _CURRENT
        return _in_force(path.read_bytes(), path) if path.exists() else WeightsInForce(0, Weights())

    def versions(self) -> list[int]:
        return sorted(int(path.stem) for path in self._folder.glob("[0-9]*.json"))

    def entries(self) -> list[dict[str, Any]]:
        """What is on record of each version, the oldest first."""
        paths = [self._path(version) for version in self.versions()]
        return [_entry(path.read_bytes(), path) for path in paths]

    def adopt(self, proposal: Proposal, *, about: Mapping[str, Any]) -> int:
        """The number of the new version; `about` is kept with it. Raises UsageError for what the gate refuses."""
        if proposal.refusal is not None:
            raise UsageError(f"Not adopted. {proposal.refusal}")
        before = self.in_force()
        if before.weights != proposal.start:
            raise UsageError(_OVERTAKEN)
        version = max(self.versions(), default=0) + 1
        entry = {**about, **proposal.to_json(), "version": version, "before": before.version}
        data = canonical_json(entry).encode()
        self._folder.mkdir(parents=True, exist_ok=True)
        beside = self._write(data)
        try:
            os.link(beside, self._path(version))  # unlike a rename, never over another's
        except FileExistsError as error:
            raise UsageError(_OVERTAKEN) from error
        finally:
            beside.unlink()
        self._write(data).replace(self._folder / _CURRENT)
        return version

    def roll_back(self, version: int | None = None) -> WeightsInForce:
        """Put an earlier version in force, byte by byte; later ones stay on record. 0 are the defaults.

        Without a number, the version that was in force before the present one.
        """
        current = self._folder / _CURRENT
        if version is None:
            if not current.exists():
                raise UsageError("The default weights are in force; there is nothing to go back from.")
            version = int(_entry(current.read_bytes(), current)["before"])
        if version == 0:
            current.unlink(missing_ok=True)
            return self.in_force()
        path = self._path(version)
        if not path.exists():
            raise UsageError(f"There is no version {version} of the weights.")
        data = path.read_bytes()
        restored = _in_force(data, path)
        if not restored.version:
            raise UsageError(f"Version {version} was learned for the parts of an earlier ranker.")
        self._write(data).replace(current)
        return restored

    def _path(self, version: int) -> Path:
        return self._folder / f"{version:04d}.json"

    def _write(self, data: bytes) -> Path:
        """Under a name of its own: what has its true name is whole, also when the machine stops in between."""
        path = self._folder / f"{secrets.token_hex(8)}.new"
        with path.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        return path


def _entry(data: bytes, path: Path) -> dict[str, Any]:
    try:
        entry: dict[str, Any] = json.loads(data)
        return {**entry, "version": int(entry["version"]), "before": int(entry["before"])}
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(path) from error


def _in_force(data: bytes, path: Path) -> WeightsInForce:
    entry = _entry(data, path)
    try:
        if are_first(entry["weights"]):  # learned for parts that there no longer are
            return WeightsInForce(0, Weights())
        return WeightsInForce(entry["version"], Weights(**entry["weights"]))
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(path) from error


def _damaged(path: Path) -> StoreError:
    return StoreError(
        f"The weights in {path} are damaged; "
        "evenhand train ranker --roll-back VERSION puts others in force, 0 the defaults."
    )
