"""One matched date into the month or year it names. None where the numbers make no date."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from evenhand.mining.dates.moments import Moment, full_year
from evenhand.mining.dates.names import CAPITAL_ONLY, SEASONS, month_number

Form = Literal["day", "month", "season", "year", "either", "weak", "yearless"]


@dataclass(frozen=True, slots=True)
class Atom:
    """`either`: 2010-12, a month or two years. `weak`: believed only in a range. `yearless`: its year comes later."""

    form: Form
    first: Moment
    last: Moment


def _month(form: Form, year: int | None, month: int | None) -> Atom | None:
    if year is None or month is None or not 1 <= month <= 12:
        return None
    moment = Moment(year, month)
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


def _season(match: re.Match[str], year: str | None) -> Atom | None:
    number = 0 if year is None else full_year(year)
    if number is None:
        return None
    first, last = SEASONS[match["season"]]
    return Atom("yearless" if year is None else "season", Moment(number, first), Moment(number, last))


def _year(match: re.Match[str]) -> Atom | None:
    year = full_year(match["alone"])
    if year is None:
        return None
    word = match["alone_month"]
    if word in SEASONS:
        return Atom("season", Moment(year, SEASONS[word][0]), Moment(year, SEASONS[word][1]))
    if word and (month := month_number(word)):
        return _month("month", year, month)
    return Atom("year", Moment(year), Moment(year))


def _iso(match: re.Match[str]) -> Atom | None:
    year, month = full_year(match["iso"]), int(match["iso_month"])
    if match["iso_day"]:
        return _month("day", year, month) if 1 <= int(match["iso_day"]) <= 31 else None
    if match["iso_sep"] == "." or len(match["iso_month"]) == 1:
        return _month("month", year, month)
    if month > 12 and year is not None:
        return Atom("either", Moment(year), Moment(year))
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
    if group in ("season", "season_year", "season_two"):
        return _season(match, None if group == "season" else match[group])
    year = full_year(match[group]) if group in ("quoted", "short") else None
    return Atom("weak", Moment(year), Moment(year)) if year is not None else None
