"""What a date expression says: months, stretches between months, and lengths of time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from evenhand.text.date_patterns import CAPITAL_ONLY, SEASONS, month_number

Present = Literal["present"]
PRESENT: Present = "present"
Kind = Literal["range", "point", "duration", "birth"]

FIRST_YEAR, LAST_YEAR = 1940, 2035


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A month, or a year whose month is not stated."""

    year: int
    month: int | None = None

    @property
    def index(self) -> int:
        """Months since year 0; a year alone stands for its January."""
        return self.year * 12 + (self.month or 1) - 1

    @classmethod
    def parse(cls, text: str) -> PartialDate:
        """From YYYY-MM or YYYY."""
        year, _, month = text.partition("-")
        return cls(int(year), int(month) if month else None)

    def __str__(self) -> str:
        return f"{self.year:04}" if self.month is None else f"{self.year:04}-{self.month:02}"


@dataclass(frozen=True, slots=True)
class DateSpan:
    """An expression of time at text[start:end].

    A range has both ends. A point has the same moment twice, except a season or quarter, which has its first and last
    month. A birth is a point that is somebody's birth date. A duration has months and no moments.
    """

    start: int
    end: int
    kind: Kind
    first: PartialDate | None = None
    last: PartialDate | Present | None = None
    months: int | None = None
    reversed: bool = False  # the end lies before the start: as written, not put right


def is_reversed(first: PartialDate, last: PartialDate | Present) -> bool:
    if not isinstance(last, PartialDate):
        return False
    if first.month is None or last.month is None:
        return last.year < first.year
    return last.index < first.index


def full_year(digits: str) -> int | None:
    """The year meant by two or four digits; None where no resume would speak of it."""
    year = int(digits)
    if len(digits) == 2:
        year += 2000 if year <= LAST_YEAR - 2000 else 1900
    return year if FIRST_YEAR <= year <= LAST_YEAR else None


# One matched date into the month or year it names. None where the numbers make no date.

Form = Literal["day", "month", "season", "year", "either", "weak", "yearless"]


@dataclass(frozen=True, slots=True)
class Atom:
    """`either`: 2010-12, a month or two years. `weak`: believed only in a range. `yearless`: its year comes later."""

    form: Form
    first: PartialDate
    last: PartialDate


def _month(form: Form, year: int | None, month: int | None) -> Atom | None:
    if year is None or month is None or not 1 <= month <= 12:
        return None
    moment = PartialDate(year, month)
    return Atom(form, moment, moment)


def _named(match: re.Match[str], text: str, year: str | None, form: Form) -> Atom | None:
    word = match["month"]
    if word in CAPITAL_ONLY and not text[match.start("month")].isupper():
        return None
    day = match["day"] or match["day_after"]
    if day is not None and not 1 <= int(day) <= 31:
        return None
    if day is not None and form == "month":
        form = "day"
    return _month(form, 0 if year is None else full_year(year), month_number(word))


def _numeric(match: re.Match[str], day_first: bool) -> Atom | None:
    a, b = int(match["a"]), int(match["b"])
    # "8.10.05" is a version sooner than a day
    if len(match["c"]) == 2 and match["sep"] == "." and len(match["a"]) + len(match["b"]) < 4:
        return None
    if not (1 <= a <= 31 and 1 <= b <= 31):
        return None
    month = b if (day_first and b <= 12) or a > 12 else a
    return _month("day", full_year(match["c"]), month)


def _season(form: Form, year: int | None, name: str) -> Atom | None:
    first, last = SEASONS[name]
    return None if year is None else Atom(form, PartialDate(year, first), PartialDate(year, last))


def _year(match: re.Match[str]) -> Atom | None:
    year = full_year(match["alone"])
    if year is None:
        return None
    word = match["alone_month"]
    if word in SEASONS:
        return _season("season", year, word)
    if word and (month := month_number(word)):
        return _month("month", year, month)
    return Atom("year", PartialDate(year), PartialDate(year))


def _iso(match: re.Match[str]) -> Atom | None:
    year, month = full_year(match["iso"]), int(match["iso_month"])
    if match["iso_day"]:
        return _month("day", year, month) if 1 <= int(match["iso_day"]) <= 31 else None
    if match["iso_sep"] == "." or len(match["iso_month"]) == 1:
        return _month("month", year, month)
    if month > 12 and year is not None:
        return Atom("either", PartialDate(year), PartialDate(year))
    return _month("either", year, month)


def read_atom(match: re.Match[str], text: str, *, day_first: bool) -> Atom | None:
    """What the match says; `text` is the text as written, for capitals."""
    group = match.lastgroup
    if group in ("year", "year_after", "two", "two_dash"):
        return _named(match, text, match[group], "month")
    if group == "two_weak":
        return _named(match, text, match[group], "weak")
    if group == "month":
        return _named(match, text, None, "yearless")
    if group in ("alone", "alone_month"):
        return _year(match)
    if group in ("iso_month", "iso_day"):
        return _iso(match)
    if group == "c":
        return _numeric(match, day_first)
    if group == "mm_year":
        return _month("month", full_year(match["mm_year"]), int(match["mm"]))
    if group == "yy":
        return _month("weak", full_year(match["yy"]), int(match["m"]))
    if group == "season":
        return _season("yearless", 0, match["season"])
    if group in ("season_year", "season_two"):
        return _season("season", full_year(match[group]), match["season"])
    year = full_year(match[group]) if group in ("quoted", "short") else None
    return Atom("weak", PartialDate(year), PartialDate(year)) if year is not None else None


# Lengths of time without dates: "2 years 3 months", "2.5 yrs", "18 months", "one year", "6 weeks".

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
_MAX_YEARS = 70


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
    if number > _MAX_YEARS:
        return None
    more = match["more"]
    extra = 0.0 if more is None else float(_WORDS[more]) if more in _WORDS else float(more)
    return round(number * 12 + extra) or None


def find_durations(low: str) -> Iterator[DateSpan]:
    """Durations in a text in lower case. Units are looked for first: they are rarer than numbers."""
    done = 0
    for unit in _UNIT.finditer(low):
        if unit.start() < done:
            continue
        match = _DURATION.search(low, max(done, unit.start() - 24), unit.end() + 40)
        if match is None or match.start() > unit.start():
            continue
        done = match.end()
        if months := _months(match):
            yield DateSpan(match.start(), match.end(), "duration", months=months)
