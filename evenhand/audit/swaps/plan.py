"""What is to be tried with one resume: for every family values of the reference group and one of another group."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from evenhand.audit.swaps.careers import edit_first_job, edit_gap, edit_hours
from evenhand.audit.swaps.editing import Edit
from evenhand.audit.swaps.marked import Marked
from evenhand.audit.swaps.names import edit_first_name, edit_full_name
from evenhand.audit.swaps.persons import edit_affiliation, edit_birth, edit_gender_words
from evenhand.audit.swaps.places import edit_home, edit_school, edit_workplace
from evenhand.audit.swaps.rewording import HARMLESS
from evenhand.audit.swaps.values import Family, Group
from evenhand.errors import UsageError

EDITS: dict[str, Callable[[Marked, str], tuple[Edit, ...] | None]] = {
    "first_name": edit_first_name,
    "full_name": edit_full_name,
    "gender_words": edit_gender_words,
    "home": edit_home,
    "workplace": edit_workplace,
    "school": edit_school,
    "gap": edit_gap,
    "hours": edit_hours,
    "first_job": edit_first_job,
    "birth": edit_birth,
    "affiliation": edit_affiliation,
}
"""An edit that does not fit a resume (a school where none is named) gives None, and the resume is left out there."""

PLACEBO = "placebo"
"""The family of harmless edits."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One resume with one thing changed. No edits: it is the resume as it is."""

    family: str
    group: str
    value: str
    edits: tuple[Edit, ...]


def plan(marked: Marked, families: Sequence[Family], *, number: int, seed: int) -> Iterator[Variant]:
    """The same for the same resume, families and seed. `number` is the resume's place in the pool: by it families of
    many groups take turns, so that each group is tried in an equal share of the pool."""
    for family in families:
        yield from _swaps(marked, family, number, seed)
    for name, reword in HARMLESS.items():
        if edits := reword(marked):
            yield Variant(PLACEBO, PLACEBO, name, edits)


def _swaps(marked: Marked, family: Family, number: int, seed: int) -> Iterator[Variant]:
    """Two values of the reference group and one of another: with the first one the second is a pair that must not
    differ, and the third the pair that is asked about."""
    chance = random.Random(f"{seed}:{family.name}:{marked.document.sha256}:{number}")  # noqa: S311 - not a secret
    reference, other = family.reference, family.others[number % len(family.others)]
    first, second = chance.sample(range(len(reference.values)), 2)
    at = first if family.paired else chance.randrange(len(other.values))
    drawn = (
        (reference, reference.values[first]),
        (reference, reference.values[second]),
        (other, other.values[at]),
    )
    found = [_variant(marked, family, group, value) for group, value in drawn]
    if None not in found:  # all or none: a pair with one half proves nothing
        yield from (each for each in found if each is not None)


def _variant(marked: Marked, family: Family, group: Group, value: str) -> Variant | None:
    edit = EDITS.get(family.edit)
    if edit is None:
        raise UsageError(f"There is no edit {family.edit!r}; there are {', '.join(EDITS)}.")
    edits = edit(marked, value)
    return None if edits is None else Variant(family.name, group.name, value, edits)
