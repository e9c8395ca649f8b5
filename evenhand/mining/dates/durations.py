"""Lengths of time without dates: "2 years 3 months", "2.5 yrs", "18 months", "one year", "6 weeks"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evenhand.mining.dates.moments import DateSpan

_TO_TWELVE = "one two three four five six seven eight nine ten eleven twelve"
_WORDS = {word: number for number, word in enumerate(_TO_TWELVE.split(), 1)} | {
    "fifteen": 15,
    "eighteen": 18,
    "twenty": 20,
    "thirty": 30,
}
_NUMBER = rf"(?:\d{{1,3}}(?:\.\d{{1,2}})?|{'|'.join(_WORDS)})"
_YEARS = r"(?:years?|yrs?|jahre?n?|años?|anos?|ans)"
_MONTHS = r"(?:months?|mon?ths?|mos?|mths?|monate?n?|meses|mes|mois)"
_WEEKS = r"(?:weeks?|wks?|wochen?|semanas?|semaines?)"
_HALF = r"\s(?:and|&)\s(?:a\s|one\s)?half"
_GAP = r"[ \xa0]?(?:\+|plus|\(\d{1,2}\+?\))?[ \xa0-]{0,2}"  # on one line: "Project 2" may end the one before

_UNIT = re.compile(r"(?:year|yr|jahr|año|ano|ans|mo[nsi]|mth|me(?=s(?:es)?\b)|w(?:eek|k|oche)|seman|semai)")
_DURATION = re.compile(
    rf"""
    (?<![\w$])(?<!\d[.,:/])(?P<count>{_NUMBER})(?:\s?(?:[-–]|to)\s?\d{{1,2}}(?=\W))?(?P<half>{_HALF}|\s?½)?{_GAP}
    (?:(?P<years>{_YEARS})\b(?:\.(?=\s?\d))?(?P<half_after>{_HALF})?
         (?:[\s,]{{0,2}}(?:and\s|&\s?)?(?P<more>{_NUMBER}){_GAP}{_MONTHS}\b)?
      | (?P<months>{_MONTHS})\b
      | (?P<weeks>{_WEEKS})\b)
    (?!\sold|\sof\sage|\s?-?\s?old)
    """,
    re.VERBOSE,
)
_WEEKS_PER_MONTH = 365.25 / 12 / 7
_LONGEST_YEARS = 70


def _years(digits: str) -> float:
    """ "4.11 years" is four years and eleven months, "2.5" two and a half: months are written with two digits."""
    whole, _, rest = digits.partition(".")
    if len(rest) == 2 and int(rest) <= 11:
        return int(whole) + int(rest) / 12
    return float(digits)


def _months(match: re.Match[str]) -> int | None:
    count = match["count"]
    number = float(_WORDS[count]) if count in _WORDS else _years(count) if match["years"] else float(count)
    if match["half"] or match["half_after"]:
        number += 0.5
    if match["weeks"]:
        return max(1, round(number / _WEEKS_PER_MONTH)) if number else None
    if match["months"]:
        return round(number) or None
    if number > _LONGEST_YEARS:
        return None
    more = match["more"]
    extra = 0.0 if more is None else float(_WORDS[more]) if more in _WORDS else float(more)
    return round(number * 12 + extra) or None


def find_durations(low: str, start: int, end: int) -> Iterator[DateSpan]:
    """Durations in low[start:end], which is in lower case. Units are looked for first: they are rarer than numbers."""
    done = start
    for unit in _UNIT.finditer(low, start, end):
        if unit.start() < done:
            continue
        match = _DURATION.search(low, max(done, unit.start() - 24), min(end, unit.end() + 40))
        if match is None or match.start() > unit.start():
            continue
        done = match.end()
        if months := _months(match):
            yield DateSpan(match.start(), match.end(), "duration", months=months)
