"""The gender of the people in the full Bias in Bios set: for audit and debias only, and apart from the texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evenhand.corpora.sets.biography_files import GENDERS, biography_rows, cell
from evenhand.corpora.sets.groups_biographies import BiographyGroups, gender_of
from evenhand.corpora.sets.occupations import biography_id
from evenhand.errors import UsageError


def read_full_biography_groups(path: Path) -> Iterator[BiographyGroups]:
    """In the order of `read_full_biographies`, under the same ids."""
    for number, (place, row) in enumerate(biography_rows(path)):
        written = cell(row, place, *GENDERS)
        gender = gender_of(str(written))
        if gender is None:
            raise UsageError(
                f"{place}: {written!r} is no gender; expected F, M, female, male, 0 (male) or 1 (female)."
            )
        yield BiographyGroups(biography_id(number), gender)
