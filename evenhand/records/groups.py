"""What applicants said of the groups they belong to: sex, race, anything they were asked. Said, never inferred.

Only what audits or debiases may import this; import-linter keeps it so. Whatever finds, ranks or shows applicants
cannot know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from evenhand.records.conversion import JsonRecord


@dataclass(frozen=True, slots=True)
class SelfIdentification(JsonRecord):
    """By variable, the group; None for who was asked and did not say."""

    application: str
    groups: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GroupCounts(JsonRecord):
    """Of one variable: how many said what, the most frequent first, and how many were asked and did not say."""

    variable: str
    groups: Mapping[str, int]
    unknown: int

    @property
    def known(self) -> int:
        return sum(self.groups.values())


@dataclass(frozen=True, slots=True)
class SavedGroups(JsonRecord):
    """Of the answers in one import: how many were new, how many replaced another, how many were there already."""

    new: int
    changed: int
    same: int
