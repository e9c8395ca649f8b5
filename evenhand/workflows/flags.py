"""What a screener should know about a resume's file before trusting its rank: plain sentences, never a verdict."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from evenhand.records.job import Job
from evenhand.records.profile import Profile
from evenhand.records.ranking import Flag
from evenhand.search.duplicates.shingles import Hashes, shingle_set
from evenhand.search.rankers.query import asking_text

BADLY_READ = "badly_read"
CODES = {
    "hidden_text": "hidden_text",
    "invisible_characters": "invisible_characters",
    "mixed_script": "mixed_script",
    "active_content": "active_content",
    "truncated": BADLY_READ,
    "low_text": BADLY_READ,
    "damaged": BADLY_READ,
    "recognised_text": "recognised_text",
    "mined_in_part": "mined_in_part",
    "mining_failed": "mining_failed",
    "correction_lost": "correction_lost",
}
"""From a warning's code to a flag's, in the order in which they are shown."""


COPIED_JOB = "copied_job"
COPIED_WORDS = 4  # in a row
COPIED_SHARE = 0.15  # of the job's own text; honest resumes share 3 % at most
LEAST_COPIED = 20  # runs of words; an ad of two lines is soon met by chance


def copying_flags(job: Job, text: str) -> tuple[Flag, ...]:
    """Who pastes the job's text into a resume is lifted by it; a screener should know."""
    said = _said(asking_text(job))
    shared = len(np.intersect1d(said, shingle_set(text, width=COPIED_WORDS), assume_unique=True))
    if shared < max(LEAST_COPIED, COPIED_SHARE * len(said)):
        return ()
    share = f"{shared / len(said):.0%}"
    return (Flag(COPIED_JOB, f"{share} of the job's own text stands in this resume word for word."),)


@lru_cache(maxsize=64)
def _said(text: str) -> Hashes:
    return shingle_set(text, width=COPIED_WORDS)


def resume_flags(profile: Profile) -> tuple[Flag, ...]:
    """From the warnings about the file and about the facts; doubts about single dates stay with the facts."""
    source = profile.document
    warnings = [warning for warning in (*source.warnings, *profile.warnings) if warning.code in CODES]
    order = list(CODES)
    warnings.sort(key=lambda warning: order.index(warning.code))
    flags = [Flag(CODES[warning.code], warning.message) for warning in warnings]
    if source.error:
        flags.insert(0, Flag(BADLY_READ, source.error.message))
    elif source.status == "partial" and not any(flag.code == BADLY_READ for flag in flags):
        flags.append(Flag(BADLY_READ, "Only part of the file could be read."))
    return tuple(dict.fromkeys(flags))
