"""What is to be tried with one resume: for every family values of the reference group and one of another group."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

from evenhand.audit.swaps.editing import Edit, MarkedResume
from evenhand.audit.swaps.edits import (
    HARMLESS,
    edit_affiliation,
    edit_birth,
    edit_first_job,
    edit_first_name,
    edit_full_name,
    edit_gap,
    edit_gender_words,
    edit_home,
    edit_hours,
    edit_school,
    edit_workplace,
)
from evenhand.errors import UsageError
from evenhand.text.names import cities, names_by_origin

# Families of edits, their groups and the values that stand for each group, from `values.toml` or a file like it.

SHIPPED = Path(__file__).with_name("values.toml")
MIN_VALUES = 3
"""Below it nobody could tell what a group does from what one of its words does."""


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    values: tuple[str, ...]
    words: str  # what it is, in a sentence: "a woman's first name"


@dataclass(frozen=True, slots=True)
class Family:
    """One place of a resume and the groups tried there; the first group is the one others are compared with.

    `paired`: values of the same place in their lists say the same of different groups, and are compared. `fixed`: the
    values are what is tried itself (months of a gap), not examples of it (names), so that they are no chance draw.
    """

    name: str
    edit: str
    question: str
    groups: tuple[Group, ...]
    paired: bool = False
    fixed: bool = False

    @property
    def reference(self) -> Group:
        return self.groups[0]

    @property
    def others(self) -> tuple[Group, ...]:
        return self.groups[1:]

    @property
    def words(self) -> str:
        return self.name.replace("_", " ")


def load_families(
    lists: Mapping[str, Sequence[str]], *, path: Path = SHIPPED, only: Sequence[str] | None = None
) -> tuple[Family, ...]:
    """`lists` are values that the file names instead of telling ("names:female"). UsageError for what does not fit."""
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path.name}: the values of an audit cannot be read: {error}") from None
    unknown = [name for name in only or () if name not in entries]
    if unknown:
        raise UsageError(f"There is no family {unknown[0]!r}; there are {', '.join(entries)}.")
    wanted = [name for name in entries if only is None or name in only]
    return tuple(_family(name, entries[name], lists) for name in wanted)


def _family(name: str, entry: Any, lists: Mapping[str, Sequence[str]]) -> Family:
    try:
        groups = {
            group: tuple(lists[values]) if isinstance(values, str) else tuple(map(str, values))
            for group, values in entry["groups"].items()
        }
        words, reference = entry.get("said", {}), entry["reference"]
        ordered = (reference, *(group for group in groups if group != reference))
        family = Family(
            name,
            entry["edit"],
            entry["question"],
            tuple(Group(group, groups[group], words.get(group, group.replace("_", " "))) for group in ordered),
            paired=entry.get("paired", False),
            fixed=entry.get("fixed", False),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"The family {name!r} lacks or misspells {error}.") from None
    if family.paired and len({len(group.values) for group in family.groups}) > 1:
        raise UsageError(f"The groups of the family {name!r} are paired and so must be equally long.")
    few = [group.name for group in family.groups if len(group.values) < MIN_VALUES]
    if few or len(family.groups) < 2:
        raise UsageError(f"The family {name!r} needs two groups with {MIN_VALUES} values or more each.")
    return family


EDITS: dict[str, Callable[[MarkedResume, str], tuple[Edit, ...] | None]] = {
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
class SwapVariant:
    """One resume with one thing changed. No edits: it is the resume as it is."""

    family: str
    group: str
    value: str
    edits: tuple[Edit, ...]


def plan(marked: MarkedResume, families: Sequence[Family], *, number: int, seed: int) -> Iterator[SwapVariant]:
    """The same for the same resume, families and seed. `number` is the resume's place in the pool: by it families of
    many groups take turns, so that each group is tried in an equal share of the pool."""
    for family in families:
        yield from _swaps(marked, family, number, seed)
    for name, reword in HARMLESS.items():
        if edits := reword(marked):
            yield SwapVariant(PLACEBO, PLACEBO, name, edits)


def _swaps(marked: MarkedResume, family: Family, number: int, seed: int) -> Iterator[SwapVariant]:
    """Two values of the reference group and one of another: with the first one the second is a pair that must not
    differ, and the third the pair that is asked about."""
    chance = random.Random(f"{seed}:{family.name}:{marked.document.sha256}:{number}")  # noqa: S311 - not a secret
    reference, other = family.reference, family.others[number % len(family.others)]
    first, second = chance.sample(range(len(reference.values)), 2)
    at = first if family.paired else chance.randrange(len(other.values))
    drawn = ((reference, reference.values[first]), (reference, reference.values[second]), (other, other.values[at]))
    edit = EDITS.get(family.edit)
    if edit is None:
        raise UsageError(f"There is no edit {family.edit!r}; there are {', '.join(EDITS)}.")
    variants = [
        SwapVariant(family.name, group.name, value, edits)
        for group, value in drawn
        if (edits := edit(marked, value)) is not None
    ]
    if len(variants) == len(drawn):  # all or none: a pair with one half proves nothing
        yield from variants


# The names and cities that audits put into resumes: those of the generated corpora, by what they suggest.

ORIGINS = ("anglo", "african_american", "hispanic", "indian", "chinese", "arabic")
HOME = "United States"
FROM_EACH = 10  # first names of every origin that stand for a gender


def swap_families(only: Sequence[str] | None = None, *, values: Path | None = None) -> tuple[Family, ...]:
    """`values` is a file like the one that ships, for an employer's own names, places and schools."""
    return load_families(_lists(), path=values or SHIPPED, only=only)


@cache
def _lists() -> dict[str, tuple[str, ...]]:
    names, places = names_by_origin(), cities()
    first = {
        f"names:{gender}": tuple(name for origin in ORIGINS for name in names[origin][gender][:FROM_EACH])
        for gender in ("female", "male")
    }
    full = {}
    for origin in ORIGINS:
        own = names[origin]
        both = [name for pair in zip(own["female"], own["male"], strict=False) for name in pair]  # in turn
        whole = (f"{one} {last}" for one, last in zip(both, cycle(own["last"]), strict=False))
        full[f"names:{origin}"] = tuple(name for name in whole if name not in names["avoid"] and len(name.split()) == 2)
    at_home = {
        f"cities:{place}": tuple(
            f"{city['name']}, {city['region']}" for city in places if (city["country"], city["place"]) == (HOME, place)
        )
        for place in ("urban", "rural")
    }
    return {
        **first,
        **full,
        **at_home,
        "cities:abroad": tuple(f"{city['name']}, {city['country']}" for city in places if city["country"] != HOME),
    }


# The families of swaps by name, with the question that each asks, for who chooses among them.


@cache
def family_words() -> dict[str, str]:
    """Without the values themselves, which take a while to load."""
    return {name: str(entry["question"]) for name, entry in tomllib.loads(SHIPPED.read_text(encoding="utf-8")).items()}
