"""How long somebody must have done something: "5+ years", "3-5 yrs", "six months", "two (2) or more years".

What lasts otherwise is left out: contracts, the history of a firm, somebody's age, a degree of four years.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TO_TWELVE = "one two three four five six seven eight nine ten eleven twelve"
_WORDS = {word: number for number, word in enumerate(_TO_TWELVE.split(), 1)} | {
    "fifteen": 15,
    "eighteen": 18,
    "twenty": 20,
}
_NUMBER = rf"(?:\d{{1,2}}(?:\.\d)?|{'|'.join(_WORDS)})"
_NOTE = r"(?:\s?\(\s?\d{1,2}\s?\+?\s?\))?"
_PLUS = r"(?:\s?\+|\s?plus\b)?"
_UNIT = r"(?P<unit>years?|yrs?|yr|months?|mos|mths?)"
LENGTH = re.compile(
    rf"""
    (?<![\w$.,/#-])(?P<least>{_NUMBER}){_NOTE}{_PLUS}
    (?:\s?(?:[-–—]|to|or|\bthru\b|/)\s?(?P<most>{_NUMBER}){_NOTE}{_PLUS})?
    (?:\s(?:or\smore|or\sgreater|full|solid|consecutive|calendar|additional))?
    [\s\xa0-]{{0,3}}{_UNIT}\b(?:['’]|\.(?!\s|$))?
    (?:\s?\+|\s(?:or\smore|plus|minimum|and\sabove|and\sup)\b)?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_OTHER_BEFORE = re.compile(
    r"(?:\b(?:for|over|past|last|next|first|within|after|every|nearly|almost|ago|celebrat\w+|duration\W*"
    r"|length\W*|term\W*|previous"
    r"|initial|up to a|average[\w ]{0,20}|hundreds of|combined|collective|contract\W*|age\W*|every|under"
    r"|near)(?: the| than| more than"
    r"| a| our| over)?(?: last| past| next| first)?\s*|\$\s?)$",
    re.IGNORECASE,
)
_MAY_FOLLOW = re.compile(r"\b(?:for (?:at least|a minimum|minimum)|more than|over)\s*$", re.IGNORECASE)
_OTHER_BEHIND = re.compile(
    r"^[\s-]*(?:of age|old\b|ago\b|in a row|contract|assignment|project\b(?! m)|program\b|degree|college"
    r"|university|term\b|warranty"
    r"|anniversary|of (?:age|service|business|success|history|innovation|collective|combined|growth"
    r"|excellence|employment)|in business"
    r"|later|plan\b|deal|engagement|long\b|temp|perm|duration|w2|\+? ?contract|apprenticeship|certificat"
    r"|diploma|from (?:now|the date)"
    r"|probation|(?:of )?(?:paid )?training|lease|school|strong\b|running|extension|renew|right to|c2h"
    r"|opportunity|commitment)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"\b(?:in lieu|instead of|in place of|substitut\w+|equivalent to an?|replace)\b", re.IGNORECASE
)
LONGEST_MONTHS = 40 * 12


@dataclass(frozen=True, slots=True)
class Length:
    start: int  # in the clause
    end: int
    months: int
    most_months: int | None
    instead: bool = False  # of a degree: an alternative to it, not a demand


def find_lengths(written: str) -> Iterator[Length]:
    """Lengths of experience in a clause."""
    for found in LENGTH.finditer(written):
        before, behind = (
            written[max(0, found.start() - 45) : found.start()],
            written[found.end() : found.end() + 40],
        )
        if _OTHER_BEHIND.search(behind) or (_OTHER_BEFORE.search(before) and not _is_asked(before, behind)):
            continue
        yield from _length(written, found)


def _is_asked(before: str, behind: str) -> bool:
    """ "More than 5 years' experience" is asked of somebody; "for over 50 years" is a firm's pride."""
    is_experience = re.match(r"[\s'’]*(?:of\s)?(?:\w+\s){0,5}?experience", behind, re.IGNORECASE) is not None
    return (
        _MAY_FOLLOW.search(before) is not None and is_experience and not re.search(r"\bfor over\s*$", before)
    )


def _length(written: str, found: re.Match[str]) -> Iterator[Length]:
    unit = 1 if found["unit"].lower().startswith("m") else 12
    least = round(_number(found["least"]) * unit)
    most = round(_number(found["most"]) * unit) if found["most"] else None
    if most is not None and most <= least:
        most = None
    if least > LONGEST_MONTHS or (most or 0) > LONGEST_MONTHS or not (least or most):
        return
    yield Length(*found.span(), least, most, _is_instead(written, found))


def _is_instead(written: str, found: re.Match[str]) -> bool:
    """ "BS in Construction or 10 years of site management in lieu of a degree"."""
    behind = _INSTEAD.search(written, found.end(), found.end() + 120)
    between = written[found.end() : behind.start()] if behind else ""
    before = _INSTEAD.search(written, max(0, found.start() - 60), found.start())
    return (behind is not None and not LENGTH.search(between)) or before is not None


def _number(written: str) -> float:
    return float(_WORDS.get(written.lower(), 0) or written)
