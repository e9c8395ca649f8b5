"""Families of edits, their groups and the values that stand for each group, from `values.toml` or a file like it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenhand.errors import UsageError

SHIPPED = Path(__file__).with_name("values.toml")
FEWEST_VALUES = 3
"""Below it nobody could tell what a group does from what one of its words does."""


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    values: tuple[str, ...]
    said: str  # what it is, in a sentence: "a woman's first name"


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
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path.name}: the values of an audit cannot be read: {error}") from None
    unknown = [name for name in only or () if name not in found]
    if unknown:
        raise UsageError(f"There is no family {unknown[0]!r}; there are {', '.join(found)}.")
    wanted = [name for name in found if only is None or name in only]
    return tuple(_family(name, found[name], lists) for name in wanted)


def _family(name: str, told: Any, lists: Mapping[str, Sequence[str]]) -> Family:
    try:
        groups = {group: _values(values, lists) for group, values in told["groups"].items()}
        said, reference = told.get("said", {}), told["reference"]
        ordered = (reference, *(group for group in groups if group != reference))
        family = Family(
            name,
            told["edit"],
            told["question"],
            tuple(Group(group, groups[group], said.get(group, group.replace("_", " "))) for group in ordered),
            paired=told.get("paired", False),
            fixed=told.get("fixed", False),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"The family {name!r} lacks or misspells {error}.") from None
    if family.paired and len({len(group.values) for group in family.groups}) > 1:
        raise UsageError(f"The groups of the family {name!r} are paired and so must be equally long.")
    few = [group.name for group in family.groups if len(group.values) < FEWEST_VALUES]
    if few or len(family.groups) < 2:
        raise UsageError(f"The family {name!r} needs two groups with {FEWEST_VALUES} values or more each.")
    return family


def _values(told: str | Sequence[str], lists: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    if isinstance(told, str):
        return tuple(lists[told])
    return tuple(str(value) for value in told)
