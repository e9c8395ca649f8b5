"""What a screener should know about a resume's file before trusting its rank: plain sentences, never a verdict."""

from __future__ import annotations

from evenhand.records.profile import Profile
from evenhand.records.ranking import Flag

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
}
"""From a warning's code to a flag's, in the order in which they are shown."""


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
