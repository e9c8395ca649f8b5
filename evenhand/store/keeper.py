"""What every part of the store stands on: the database, the files, the clock, and new ids."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TypeVar

from evenhand.store.database import Database
from evenhand.store.files import Files

Clock = Callable[[], datetime]
Item = TypeVar("Item")

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: ids are read aloud and typed
ID_LENGTH = 16  # 80 bits: an id tells nothing and cannot be guessed
SLICE = 1000  # values in one IN list; both databases have a limit


class Keeper:
    def __init__(self, database: Database, files: Files, clock: Clock) -> None:
        self._database = database
        self.files = files
        self._now = clock


def utc_now() -> datetime:
    return datetime.now(UTC)


def new_id() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))


def slices(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), SLICE):
        yield items[start : start + SLICE]
