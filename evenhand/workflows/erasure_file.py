"""Erasures in a small file outside the database, so that one that is put back to an earlier state learns of them.

One line of JSON for each, and another when it is finished; the ids in it mean nothing to who has no such database.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from evenhand.errors import StoreError
from evenhand.records import canonical_json
from evenhand.records.event import SYSTEM
from evenhand.store.rights_rows import KeptErasure

LOCK = "erasing.lock"


def append_erasure(path: Path, erasure: KeptErasure) -> None:
    """On the disk when this returns."""
    line = {
        "id": erasure.id,
        "begun": erasure.begun.isoformat(),
        "finished": erasure.finished.isoformat() if erasure.finished else None,
        "applications": list(erasure.applications),
        "certificate": dict(erasure.certificate),
    }
    _append(path, canonical_json(line) + "\n")


def check_writable(path: Path) -> None:
    """Before anything is erased: an erasure that is not written down here could come back."""
    _append(path, "")


def read_erasures(path: Path) -> dict[str, KeptErasure]:
    """By id, the newest line of each; lines that are none are passed over. Nothing where there is no file."""
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise StoreError(f"The erasures {path} cannot be read: {error.strerror}.") from error
    found = (_parsed(line) for line in lines)
    return {erasure.id: erasure for erasure in found if erasure}


@contextmanager
def erasing(path: Path) -> Iterator[bool]:
    """One erasure at a time among all processes; whether it is this one's turn, without waiting for it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (path.parent / LOCK).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield True


def _append(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, text.encode())
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise StoreError(f"Erasures cannot be written to {path}: {error.strerror}.") from error


def _parsed(line: bytes) -> KeptErasure | None:
    try:
        value: dict[str, Any] = json.loads(line)
        finished = value["finished"]
        return KeptErasure(
            str(value["id"]),
            datetime.fromisoformat(value["begun"]),
            datetime.fromisoformat(finished) if finished else None,
            SYSTEM,
            tuple(map(str, value["applications"])),
            dict(value["certificate"]),
        )
    except (ValueError, TypeError, KeyError):
        return None
