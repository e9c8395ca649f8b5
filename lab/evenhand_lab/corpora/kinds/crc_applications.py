"""For which levels people apply, and whether an application is accepted; the four levels as job descriptions."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import Career
from evenhand_lab.corpora.lexicon import chance, stream

# From applications to unique resumes: first within each applied level, then across levels.


APPLIED = ("CRC1", "CRC2", "CRC3", "CRC4")


@dataclass(frozen=True, slots=True)
class CrcApplication:
    resume: str  # identity of the resume: an applicant's number, or `splits.resume_identity` of its text
    level: str  # applied for


@dataclass(frozen=True, slots=True)
class Stages:
    """Applications as they came (A), unique resumes within a level (B), unique across levels (C)."""

    applications: tuple[CrcApplication, ...]
    within_level: tuple[CrcApplication, ...]
    across_levels: tuple[CrcApplication, ...]


def dedup(applications: Iterable[CrcApplication], levels: Sequence[str] = APPLIED) -> Stages:
    """`levels` in ascending order: across levels the application for the highest one stays."""
    given = tuple(applications)
    within = tuple(dict.fromkeys(given))
    rank = {level: place for place, level in enumerate(levels)}
    highest: dict[str, CrcApplication] = {}
    for application in within:
        known = highest.get(application.resume)
        if known is None or rank[application.level] > rank[known.level]:
            highest[application.resume] = application
    across = tuple(application for application in within if highest[application.resume] == application)
    return Stages(given, within, across)


# The chance to apply for a level: of those annotated with it, and of all others. Shares of the published counts
# (1,707 of 2,014 at CRC1...), which say nothing finer. Few who fit the higher levels apply for them.
_CHANCES = {
    "CRC1": (1707 / 2014, 1023 / 1411),
    "CRC2": (246 / 382, 1456 / 3043),
    "CRC3": (206 / 524, 490 / 2901),
    "CRC4": (10 / 30, 224 / 3395),
}
# Applications per resume and level: 13,794 for 4,779 resumes at CRC1 and so on.
_REPEATED = {"CRC1": 13794 / 4779, "CRC2": 8415 / 3005, "CRC3": 2238 / 1106, "CRC4": 486 / 396}


def level_text(level: str) -> str:
    """The job description of a level, the same for all its positions."""
    return str(lexicon.table("crc/levels.toml")[level]["text"]).strip()


def applied_levels(career: Career, *, seed: int = 0) -> tuple[str, ...]:
    """One level at least, in rising order; the same for the same career and seed."""
    return sample_applied(stream(seed, career.number, "applied levels"), career.level or "NQ")


def sample_applied(rng: random.Random, annotated: str) -> tuple[str, ...]:
    while True:
        levels = tuple(
            level for level, (own, others) in _CHANCES.items() if chance(rng, own if level == annotated else others)
        )
        if levels:
            return levels


def applications_of(career: Career, *, seed: int = 0) -> tuple[CrcApplication, ...]:
    """Every application of one person, repeated ones too: what the dedup stages start from."""
    rng = stream(seed, career.number, "applications")
    applications: list[CrcApplication] = []
    for level in applied_levels(career, seed=seed):
        application = CrcApplication(str(career.number), level)
        applications.append(application)
        while chance(rng, 1 - 1 / _REPEATED[level]):
            applications.append(application)
    return tuple(applications)
