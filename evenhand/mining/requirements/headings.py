"""Headings of job ads and the type of passage each opens."""

from __future__ import annotations

import re
from functools import cache

from evenhand.mining.requirements.wording import typed, words

_NO_HEADING = re.compile(
    r"\b(?:urgent|immediate) requirement|title:|\bgrowing:|^(?:company|client|employer|location"
    r"|organi[sz]ation)\s?:$"
)
_SPLIT = re.compile(r"[^\w'’]+")
_LONGEST = 10  # words
_INLINE_WORD = (
    r"(?:Education|Skills?|Experience|Requirements?|Required|Preferred|Desired|Qualifications?"
    r"|Responsibilities|Duties|Job"
    r"|Position|Essential|Minimum|Basic|Key|Knowledge|Abilities|Attendance|Physical|Mental|Sensory"
    r"|Company|Additional"
    r"|Technical|Core|Primary|Principal|Specific|Major|General|Candidate|Professional|Work|Other)"
)
_INLINE_LAST = (
    r"(?:Requirements?|Qualifications?|Responsibilities|Duties|Skills|Experience|Description|Summary"
    r"|Profile|Overview"
    r"|Functions|Benefits|Demands|Information|Abilities)"
)
INLINE = re.compile(
    r"(?<=[a-z0-9.)!?] )(?:What We Offer|Who We Are|About Us|What You(?:'|’| wi)ll (?:Do|Bring|Need)"
    r"|Why Join Us|How to Apply)(?=\s*:|\s+[A-Z])|"
    r"(?:(?<=[a-z.)] )|(?<=[a-z.)]))[A-Z]{4,}(?: (?:AND |& |OF |OR )?[A-Z]{3,}){0,4}(?=\s?:)|"
    r"(?<=[a-z0-9.)] )(?:Qualifications?|Requirements?|Responsibilities|Duties|Benefits|Skills|Education"
    r"|Experience)(?=\s?:)|"
    r"(?:(?<=[\s/.!?])|(?<=[a-z]))(?:Why|About) [A-Z]\w+\s?\?"
    rf"|(?:(?<=[a-z0-9.;!?)][ \xa0])|(?<=[a-z.!?)]))(?:{_INLINE_WORD}(?:,? | & | and |, and "
    rf"|/)){{1,6}}{_INLINE_LAST}"
    r"(?=\s*:|[\s\xa0]+[A-Z0-9]|[A-Z]|\s*$)"
)
"""A heading in the middle of a line: "... of our team Preferred Skills Knowledge of ..."."""


def heading_type(written: str) -> str | None:
    """The type of passage opened, when these words are a heading: behind a colon or question mark any words will
    do, otherwise only words that headings are made of ("Strong Excel skills" is none)."""
    plain = written.strip(" \t\xa0*#_-–—=~[]().").lower()
    if not plain or len(plain) > 110:
        return None
    is_marked = plain[-1] in ":?" and not _NO_HEADING.search(plain)
    found = [word for word in _SPLIT.split(plain) if word]
    if (
        not found
        or len(found) > _LONGEST
        or not (is_marked or _heading_words().issuperset(found) or _is_about(found))
    ):
        return None
    if is_marked and any(word.isdigit() for word in found):
        return None
    return next((kind for kind, _, pattern in _types() if pattern.search(plain)), None)


@cache
def _types() -> list[tuple[str, float, re.Pattern[str]]]:
    """The first that fits: "preferred qualifications" are wishes, "essential functions" are duties."""
    return typed("headings")


@cache
def _heading_words() -> frozenset[str]:
    return frozenset(words("heading_words"))


def _is_about(words: list[str]) -> bool:
    """ "About Firsthand": the name is any word."""
    return words[0] == "about" and 1 < len(words) <= 3
