"""A screening service on each database, that mines in this process: the same facts, without starting others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from evenhand.documents.parse import parse
from evenhand.documents.reading import PathLike
from evenhand.mining.pipeline import MinedResume, mine, month_of
from evenhand.records import Document
from evenhand.screening import ingest
from evenhand.screening.service import open_service
from evenhand.search.service import Service
from evenhand.settings import Settings


@cache
def mined(data: bytes, as_of: str) -> MinedResume:
    document = parse(data)
    return MinedResume(document, mine(document, as_of=as_of))


def mine_here(
    sources: Iterable[PathLike | Document], *, as_of: str | None, settings: Settings
) -> Iterator[MinedResume]:
    """In place of `mine_with_documents`."""
    for source in sources:
        if isinstance(source, Document):
            yield MinedResume(source, mine(source, as_of=month_of(as_of)))
        else:
            yield mined(Path(source).read_bytes(), month_of(as_of))


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    return Settings(data=str(tmp_path / "data"), database=database_url)


@pytest.fixture
def service(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setattr(ingest, "mine_with_documents", mine_here)
    with open_service(settings) as opened:
        yield opened
