"""Our annotations of public resume files, as places only: whoever has the files can put the two together.

A row holds no word of a resume: the SHA-256 of the file and of its text, a label per line, and labelled stretches.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

FOLDERS = ("native-resume-files", "livecareer-pdf", "vacancy-resume-matching")
HASH_DIGITS = 16


@dataclass(frozen=True, slots=True)
class AnnotatedSpan:
    """`is_rest`: the second part of something broken over two lines."""

    start: int
    end: int
    label: str
    is_rest: bool = False


@dataclass(frozen=True, slots=True)
class Annotated:
    sha256: str
    text_hash: str  # of the text the places refer to; another reader version may give another text
    line_labels: tuple[str, ...]  # one per line of the document: section type and role
    spans: tuple[AnnotatedSpan, ...]

    def fits(self, text: str) -> bool:
        return hashlib.sha256(text.encode()).hexdigest()[:HASH_DIGITS] == self.text_hash


def read_annotated() -> Iterator[Annotated]:
    source = files("evenhand.corpora") / "annotations" / "resumes.jsonl"
    for row in source.read_text("utf-8").splitlines():
        yield _annotated(json.loads(row))


def find_files(data: Path, wanted: Iterable[str]) -> dict[str, Path]:
    """The files under a data folder that have one of the wanted hashes."""
    missing = set(wanted)
    found: dict[str, Path] = {}
    for folder in FOLDERS:
        for path in sorted((data / folder).rglob("*")):
            if not missing:
                return found
            if path.is_file():
                sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
                if sha256 in missing:
                    missing.remove(sha256)
                    found[sha256] = path
    return found


def _annotated(row: dict[str, Any]) -> Annotated:
    return Annotated(
        row["sha256"],
        row["text"],
        tuple(label for label, count in row["lines"] for _ in range(count)),
        tuple(
            AnnotatedSpan(start, end, label.removeprefix("+"), label.startswith("+"))
            for start, end, label in row["spans"]
        ),
    )
