"""From applications to unique resumes: first within each applied level, then across levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

LEVELS = ("CRC1", "CRC2", "CRC3", "CRC4")


@dataclass(frozen=True, slots=True)
class Application:
    resume: str  # identity of the resume: an applicant's number, or `splits.resume_identity` of its text
    level: str  # applied for


@dataclass(frozen=True, slots=True)
class Stages:
    """Applications as they came (A), unique resumes within a level (B), unique across levels (C)."""

    applications: tuple[Application, ...]
    within_level: tuple[Application, ...]
    across_levels: tuple[Application, ...]


def dedup(applications: Iterable[Application], levels: Sequence[str] = LEVELS) -> Stages:
    """`levels` in ascending order: across levels the application for the highest one stays."""
    given = tuple(applications)
    within = tuple(dict.fromkeys(given))
    rank = {level: place for place, level in enumerate(levels)}
    highest: dict[str, Application] = {}
    for application in within:
        known = highest.get(application.resume)
        if known is None or rank[application.level] > rank[known.level]:
            highest[application.resume] = application
    across = tuple(kept for kept in within if highest[kept.resume] == kept)
    return Stages(given, within, across)


def per_level(applications: Iterable[Application], levels: Sequence[str] = LEVELS) -> dict[str, int]:
    counts = Counter(application.level for application in applications)
    return {level: counts[level] for level in levels}
