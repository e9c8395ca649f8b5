"""Reads the hand-written sources: "[kind]" opens a block, "; " parts entries, " | " a name from its other forms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SOURCES = Path(__file__).resolve().parent


@dataclass
class Entry:
    name: str
    kind: str
    ambiguous: bool = False
    aliases: list[str] = field(default_factory=list)


def entries(folder: str) -> Iterator[Entry]:
    for path in sorted((SOURCES / folder).glob("*.txt")):
        yield from _entries(path.read_text(encoding="utf-8"))


def _entries(text: str) -> Iterator[Entry]:
    kind = ""
    for line in text.splitlines():
        if line.startswith("[") and line.endswith("]"):
            kind = line[1:-1]
        elif line and line[0] != "#":
            for cell in line.split("; "):
                name, *aliases = (part.strip().lower() for part in cell.rstrip(";").split(" | "))
                yield Entry(name.removeprefix("?"), kind, name.startswith("?"), aliases)
