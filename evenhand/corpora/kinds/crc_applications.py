"""For which levels people apply, and whether an application is accepted; the four levels as job descriptions."""

from __future__ import annotations

import random

from evenhand.corpora import lexicon
from evenhand.corpora.career import Career
from evenhand.corpora.dedup import Application
from evenhand.corpora.rng import chance, stream

APPLIED = ("CRC1", "CRC2", "CRC3", "CRC4")

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


def is_accepted(applied: str, annotated: str) -> bool:
    """Only at one's own level: who is over-qualified is rejected too."""
    return applied == annotated


def level_text(level: str) -> str:
    """The job description of a level, the same for all its positions."""
    return str(lexicon.table("crc/levels.toml")[level]["text"]).strip()


def applied_levels(career: Career, *, seed: int = 0) -> tuple[str, ...]:
    """One level at least, in rising order; the same for the same career and seed."""
    return sample_applied(stream(seed, career.number, "applied levels"), career.level or "NQ")


def sample_applied(rng: random.Random, annotated: str) -> tuple[str, ...]:
    while True:
        found = tuple(
            level
            for level, (own, others) in _CHANCES.items()
            if chance(rng, own if level == annotated else others)
        )
        if found:
            return found


def applications_of(career: Career, *, seed: int = 0) -> tuple[Application, ...]:
    """Every application of one person, repeated ones too: what the dedup stages start from."""
    rng = stream(seed, career.number, "applications")
    found: list[Application] = []
    for level in applied_levels(career, seed=seed):
        application = Application(str(career.number), level)
        found.append(application)
        while chance(rng, 1 - 1 / _REPEATED[level]):
            found.append(application)
    return tuple(found)
