"""Summed weights of attributes that recur together, remembered so that meeting them again costs one look-up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Piece = tuple[str, ...]
"""Attributes that go together wherever they are found."""
Score = Callable[[Sequence[Piece]], NDArray[np.float32]]
"""The sums of each piece: a row with a column for each label."""
REMEMBERED = 50_000

_Key = TypeVar("_Key", str, Piece)


class Memory(Generic[_Key]):
    """For each key the sums of the pieces that `pieces_of` gives it, as many for each."""

    def __init__(
        self, score: Score, pieces_of: Callable[[_Key], Sequence[Piece]], *, pieces: int, labels: int
    ) -> None:
        self._score = score
        self._pieces_of: Callable[[_Key], Sequence[Piece]] = pieces_of
        self._rows: dict[_Key, int] = {}
        self._table = np.zeros((0, pieces, labels), np.float32)
        self._lock = Lock()

    def sums(self, keys: Sequence[_Key]) -> NDArray[np.float32]:
        """One matrix per key: a row for each of its pieces, a column for each label."""
        with self._lock:
            try:
                rows = [self._rows[key] for key in keys]
            except KeyError:
                self._learn(keys)
                rows = [self._rows[key] for key in keys]
            return self._table.take(np.array(rows, np.intp), axis=0)

    def _learn(self, keys: Sequence[_Key]) -> None:
        if len(self._rows) > REMEMBERED:
            self._rows.clear()
        new = [key for key in dict.fromkeys(keys) if key not in self._rows]
        sums = self._score([piece for key in new for piece in self._pieces_of(key)])
        used = len(self._rows)
        self._table = _grown(self._table, sums.reshape(len(new), *self._table.shape[1:]), used)
        self._rows.update(zip(new, range(used, used + len(new)), strict=True))


def _grown(table: NDArray[np.float32], new: NDArray[np.float32], used: int) -> NDArray[np.float32]:
    """The used rows with the new ones behind; room is doubled so that growing stays cheap."""
    size = used + len(new)
    if len(table) < size:
        room = np.zeros((max(size, 2 * used, 1024), *new.shape[1:]), np.float32)
        room[:used] = table[:used]
        table = room
    table[used:size] = new
    return table
