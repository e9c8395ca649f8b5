"""Entries for tests: short texts, with only the facts a test is about."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from evenhand.search.index.reader import IndexReader, Snapshot
from evenhand.search.index.schema import IndexEntry
from evenhand.search.index.writer import IndexWriter
from tests.search.rankers.resumes import digest


def entry(application: str, text: str = "nothing", **facts: Any) -> IndexEntry:
    made = IndexEntry(application, "job", 1, text, digest(text).to_bytes())
    return replace(made, **facts)


def indexed(folder: Path, *entries: IndexEntry) -> Snapshot:
    with IndexWriter(folder, memory_bytes=15_000_000) as writer:
        writer.apply(entries, (), len(entries))
    return IndexReader(folder).snapshot()


def names(snapshot: Snapshot, addresses: list[Any]) -> list[str]:
    return [application for application, _ in snapshot.digests(addresses)]
