"""Which texts of a resume a part of the joined model reads."""

from __future__ import annotations

import re
from typing import Literal, get_args

from evenhand.models.inputs import ResumeInput

Source = Literal["body", "current", "past", "titles", "stated"]
SOURCES: tuple[Source, ...] = get_args(Source)
REACH_WORDS, REACH_CHARACTERS = 12, 160  # before a stretch of time

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_YEAR = r"(?:19|20)\d\d"
_PERIOD = re.compile(
    rf"(?:\b{_MONTH}\s+)?\b{_YEAR}\s*(?:to|-|–)\s*(?:present|current|(?:{_MONTH}\s+)?{_YEAR})\b",
    re.IGNORECASE,
)


def texts_of(resume: ResumeInput, source: Source) -> tuple[str, ...]:
    """`body`: all sections. `current`: the title of the current or latest job; `past`: of those before; `titles`: all.

    `stated`: all titles and what stands before each stretch of time, which in a resume without lines, where nothing
    can be mined, is where titles are.
    """
    match source:
        case "body":
            return (resume.text,)
        case "current":
            return resume.titles[:1]
        case "past":
            return resume.titles[1:]
        case "titles":
            return resume.titles
        case "stated":
            return (*resume.titles, *before_periods(resume.text))


def before_periods(text: str) -> tuple[str, ...]:
    """The last words before each "May 2014 to Present", not reaching into the stretch of time before."""
    found = (" ".join(text[start:end].split()[-REACH_WORDS:]) for start, end in places_before_periods(text))
    return tuple(each for each in found if each)


def places_before_periods(text: str) -> list[tuple[int, int]]:
    """Where those words are at most."""
    found = []
    last = 0
    for period in _PERIOD.finditer(text):
        found.append((max(last, period.start() - REACH_CHARACTERS), period.start()))
        last = period.end()
    return found
