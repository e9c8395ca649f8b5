"""The data files of the lexicons: plain text beside the code, "#" begins a remark.

Tables (.tsv) have one entry per line. Hand-written lists (.txt) have blocks: "[kind]" opens one, "; " parts
entries, " | " a name from its other forms, and "?" before a form says that it is one only in context.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "lexicons"


def lines(name: str) -> list[str]:
    text = (FOLDER / name).read_text(encoding="utf-8")
    return [line for line in text.split("\n") if line and line[0] != "#"]


def rows(name: str) -> Iterator[list[str]]:
    """Cells of a tab separated file."""
    for line in lines(name):
        yield line.split("\t")


def parts(cell: str) -> list[str]:
    return cell.split("|") if cell else []


def blocks(name: str) -> Iterator[tuple[str, list[str]]]:
    """Each entry of a hand-written list: the block it stands in, and its forms, the name first."""
    kind = ""
    for line in lines(name):
        if line[0] == "[" and line[-1] == "]":
            kind = line[1:-1]
            continue
        for entry in line.split("; "):
            yield kind, entry.split(" | ")
