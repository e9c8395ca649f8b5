"""The gender of the people in the biographies: for audit and debias only, and apart from the texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evenhand.errors import UsageError
from evenhand_lab.corpora.sets.biographies import GENDERS, biography_rows, cell
from evenhand_lab.corpora.sets.occupations import biography_id
from evenhand_lab.corpora.sets.records import csv_rows

_GENDERS = {"f": "female", "m": "male", "female": "female", "male": "male", "0": "male", "1": "female"}


@dataclass(frozen=True, slots=True)
class BiographyGroups:
    id: str  # of the biography
    gender: str | None  # female, male


def read_biography_groups(folder: Path) -> Iterator[BiographyGroups]:
    """In the order of `read_biographies`, under the same ids."""
    for number, row in enumerate(csv_rows(folder / "combined.csv")):
        yield BiographyGroups(biography_id(number), gender_of(row["gender"]))


def gender_of(written: str) -> str | None:
    """As the sets write it: a word, a letter, or a number."""
    return _GENDERS.get(written.strip().lower())


# The gender of the people in the full Bias in Bios set: for audit and debias only, and apart from the texts.


def read_full_biography_groups(path: Path) -> Iterator[BiographyGroups]:
    """In the order of `read_full_biographies`, under the same ids."""
    for number, (place, row) in enumerate(biography_rows(path)):
        written = cell(row, place, *GENDERS)
        gender = gender_of(str(written))
        if gender is None:
            raise UsageError(f"{place}: {written!r} is no gender; expected F, M, female, male, 0 (male) or 1 (female).")
        yield BiographyGroups(biography_id(number), gender)
