"""An open store on each database, with a clock that tells known times."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from evenhand.store.store import Store


class Clock:
    """One minute later each time it is asked."""

    def __init__(self) -> None:
        self._now = datetime(2030, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self._now += timedelta(minutes=1)
        return self._now


@pytest.fixture
def store(database_url: str, tmp_path: Path) -> Iterator[Store]:
    with Store.open(database_url, files=tmp_path / "files", clock=Clock()) as opened:
        yield opened
