"""What the frozen layers give for a sequence, computed once and kept in half precision, in memory or in a folder."""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from evenhand.models.competence.cutting import Ids
from evenhand.models.learning.encoders import Readable, Tuning, load_readable, tune
from evenhand.models.learning.layers import Encoder
from evenhand.models.learning.packing import pack

COMPUTATION = "1"  # raise it when other states come out of the same sequence
BATCH_TOKENS = 1024
Half = NDArray[np.float16]


class KeptStates:
    """Shared by all trainings on one encoder: neither seeds nor designs change its frozen layers. Trainings that freeze
    another number of them get their own (`matching`).

    In a folder the states are one file, and a second one names the sequences in their order; the latter is written
    after the former, so that what a crash left behind is not taken for states.
    """

    def __init__(self, readable: Readable, *, folder: Path | None = None) -> None:
        self.encoder = readable.encoder
        self._arrays: dict[str, Half] = {}
        self._folder = folder
        self._others: dict[str, KeptStates] = {}
        self.version = _version(readable)
        self._file = (
            None if folder is None else _StateFile(folder / self.version, readable.encoder.shape.hidden)
        )
        if self._file is not None:
            self._arrays.update(self._file.read())

    def close(self) -> None:
        """Lets another process have the folder."""
        for other in self._others.values():
            other.close()
        if self._file is not None:
            self._file.lock.close()

    def matching(self, readable: Readable) -> KeptStates:
        """These, or those of as many frozen layers as the given encoder has, which are kept beside them."""
        version = _version(readable)
        if version == self.version:
            return self
        if version not in self._others:
            self._others[version] = KeptStates(readable, folder=self._folder)
        return self._others[version]

    def fill(self, sequences: Sequence[Ids], done: Callable[[int, int], None] | None = None) -> None:
        """Computes what is not kept yet, sequences of like length together; `done` hears of tokens, some of all."""
        missing = {key: ids for ids in sequences if (key := _key(ids)) not in self._arrays}
        ordered = sorted(missing.items(), key=lambda item: (-len(item[1]), item[0]))
        total = sum(len(ids) for _, ids in ordered)
        ready = 0
        while ordered:
            batch = [ordered.pop(0)]
            tokens = len(batch[0][1])
            while ordered and tokens + len(ordered[0][1]) <= BATCH_TOKENS:
                batch.append(ordered.pop(0))
                tokens += len(batch[-1][1])
            self._keep(dict(batch))
            ready += tokens
            if done:
                done(ready, total)

    def rows(self, sequences: Sequence[Ids]) -> Tensor:
        """Packed in the given order, in full precision."""
        kept = [self._arrays[_key(ids)] for ids in sequences]
        return torch.from_numpy(np.concatenate(kept)).float()

    def _keep(self, batch: dict[str, Ids]) -> None:
        states = compute_states(self.encoder, list(batch.values())).half().numpy()
        ends = np.cumsum([len(ids) for ids in batch.values()])
        found = dict(zip(batch, np.split(states, ends[:-1]), strict=True))
        self._arrays.update(self._file.append(found) if self._file else found)


def open_states(
    encoder: str | Path | None = None, tuning: Tuning | None = None, *, folder: Path | None = None
) -> KeptStates:
    """To be shared by several trainings, and with a folder by those of another day."""
    readable = load_readable(encoder)
    tune(readable.encoder, tuning or Tuning())
    return KeptStates(readable, folder=folder)


@torch.inference_mode()
def compute_states(encoder: Encoder, sequences: Sequence[Ids]) -> Tensor:
    """Rows that the frozen layers give, sequences longest first."""
    ids, places = token_tensors(sequences)
    return encoder.lower(ids, places, pack([len(row) for row in sequences]))


def token_tensors(sequences: Sequence[Ids]) -> tuple[Tensor, Tensor]:
    """Ids of all tokens in a row, and each one's place in its sequence."""
    ids = torch.from_numpy(np.concatenate(sequences)).long()
    return ids, torch.from_numpy(np.concatenate([np.arange(len(row)) for row in sequences]))


def _version(readable: Readable) -> str:
    sums = "\n".join(f"{name}={total}" for name, total in sorted(readable.source.sha256.items()))
    told = f"{COMPUTATION}\n{readable.encoder.frozen}\n{sums}"
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _key(ids: Ids) -> str:
    return hashlib.sha256(ids.tobytes()).hexdigest()[:32]


class _StateFile:
    """Written by one process at a time; another one reads what is there and keeps its own to itself."""

    def __init__(self, path: Path, hidden: int) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.hidden = hidden
        self.states = path.with_suffix(".f16")
        self.index = path.with_suffix(".index")
        self.lock = self.index.open("a+")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.is_ours = True
        except OSError:
            self.is_ours = False

    def read(self) -> dict[str, Half]:
        """A line that is being written, or was torn, has no line end."""
        text = self.index.read_text()
        whole = text[: text.rfind("\n") + 1]
        lines = [line.split() for line in whole.splitlines()]
        lengths = [int(length) for _, length in lines]
        if self.is_ours:
            self.index.write_text(whole)
            with self.states.open("ab") as file:
                file.truncate(sum(lengths) * self.hidden * 2)
        return self._mapped([name for name, _ in lines], lengths, 0)

    def append(self, arrays: dict[str, Half]) -> dict[str, Half]:
        if not self.is_ours:
            return arrays
        start = self.states.stat().st_size
        with self.states.open("ab") as file:
            for array in arrays.values():
                file.write(np.ascontiguousarray(array).tobytes())
        with self.index.open("a") as file:
            file.writelines(f"{name} {len(array)}\n" for name, array in arrays.items())
        return self._mapped(list(arrays), [len(array) for array in arrays.values()], start)

    def _mapped(self, names: Sequence[str], lengths: Sequence[int], start: int) -> dict[str, Half]:
        if not names:
            return {}
        shape = (sum(lengths), self.hidden)
        states: Half = np.memmap(self.states, np.float16, "r", offset=start, shape=shape)
        return dict(zip(names, np.split(states, np.cumsum(lengths)[:-1]), strict=True))
