"""The full Bias in Bios set by path: biographies and their profession, without the people's gender."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evenhand.corpora.sets.biography_files import LABELS, Row, biography_rows, cell, part_of
from evenhand.corpora.sets.occupations import biography_id
from evenhand.corpora.sets.records import Labelled
from evenhand.errors import UsageError

PROFESSIONS = (
    "accountant",
    "architect",
    "attorney",
    "chiropractor",
    "comedian",
    "composer",
    "dentist",
    "dietitian",
    "dj",
    "filmmaker",
    "interior_designer",
    "journalist",
    "model",
    "nurse",
    "painter",
    "paralegal",
    "pastor",
    "personal_trainer",
    "photographer",
    "physician",
    "poet",
    "professor",
    "psychologist",
    "rapper",
    "software_engineer",
    "surgeon",
    "teacher",
    "yoga_teacher",
)
"""In the order of their numbers in the forms that have numbers."""


def read_full_biographies(path: Path, *, is_scrubbed: bool = False) -> Iterator[Labelled]:
    """A file or a folder of files. The text begins behind the sentence that names the profession.

    `is_scrubbed` asks for the set's own form without names and pronouns, which only its pickle has. `source` is the
    part of the set (train, dev, test), where files tell.
    """
    for number, (place, row) in enumerate(biography_rows(path)):
        text = cell(row, place, "bio") if is_scrubbed else _text(row, place)
        profession = _profession(cell(row, place, *LABELS), place)
        yield Labelled(biography_id(number), str(text).strip(), (profession,), part_of(place))


def _text(row: Row, place: str) -> str:
    if "raw" in row and "hard_text" not in row:
        raw, start = str(cell(row, place, "raw")), row.get("start_pos")
        try:
            return raw[int(start or 0) :]
        except (TypeError, ValueError):
            raise UsageError(f'{place}: "start_pos" should be a number, not {start!r}.') from None
    return str(cell(row, place, "hard_text", "text", "bio"))


def _profession(found: Any, place: str) -> str:
    if isinstance(found, int) or str(found).strip().isdigit():
        if not 0 <= int(found) < len(PROFESSIONS):
            raise UsageError(
                f"{place}: {found} is no profession; numbers go from 0 to {len(PROFESSIONS) - 1}."
            )
        return PROFESSIONS[int(found)]
    return "_".join(str(found).lower().split())
