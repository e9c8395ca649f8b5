"""Finds how old someone is: dates and years of birth, ages. Years of study and work are facts and stay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from evenhand.masking.masks import Mask
from evenhand.masking.page import Page
from evenhand.masking.rules import CELL, COLON, SEP, any_of, follow, rule

_MONTH = (
    any_of(
        "jan feb mar apr may jun jul aug sep oct nov dec f[ée]v mär avr mai juin juil ao[uû]t okt dez déc ene abr ago"
    )
    + r"[^\W\d_]{0,8}\.?"
)
_DAY = r"\d{1,2}(?:[ \xa0]?(?:st|nd|rd|th)\b)?\.?"
_YEAR = r"(?:19|20)\d\d"
_FULL_DATE = (
    rf"(?:\d{{1,2}}[ \xa0]?[./–-][ \xa0]?\d{{1,2}}[ \xa0]?[./–-][ \xa0]?(?:{_YEAR}|\d\d)"
    rf"|{_YEAR}[./-]\d{{1,2}}[./-]\d{{1,2}}"
    rf"|{_DAY}[ \xa0,./-]{{0,3}}(?:de[ ]|of[ ])?{_MONTH}[ \xa0,./'’-]{{0,3}}(?:de[ ])?(?:{_YEAR}|\d\d)"
    rf"|{_MONTH}[ \xa0,./-]{{0,3}}{_DAY}[ \xa0,./'’-]{{1,3}}(?:{_YEAR}|\d\d))(?!\d)"
)
_DATE = rf"(?P<hide>{_FULL_DATE}|{_MONTH}[ \xa0,./'’-]{{1,3}}{_YEAR}|{_YEAR})(?!\d)"
_HINT = r"(?:[ ]?\([^()\n]{1,16}\))?"  # (dd/mm/yyyy)
_AGE = r"(?:1[4-9]|[2-8]\d)(?![\d%.,]*\d)"
_NUMBER_WORDS = "(?:twenty|thirty|forty|fifty|sixty)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?"

_LABELS = any_of(
    r"date_of_birth birth_?date birth_?day year_of_birth birth_year d\.?_?o\.?_?b\b\.? geburtsdatum geburtstag"
    r" geburtsjahr date_de_naissance fecha_de_nacimiento data_de_nascimento data_di_nascita data_urodzenia"
    r" geboortedatum"
)
_LABEL_KEYS = (
    "date birth birthdate birthday year dob d geburtsdatum geburtstag geburtsjahr fecha data geboortedatum"
)
_YEARS = rf"[ ]{any_of('years? yrs?[.]? jahre ans años anos')}(?:[ ]old)?"
_NOT_ALONE = r"(?![ ]?(?:-|–|to\b|and\b|\+|or\b|years?[ ]of[ ]exp))"
RULES = (
    rule(_LABEL_KEYS, rf"{_LABELS}{_HINT}{SEP}{_HINT}{SEP}(?:on[ ])?{_DATE}"),
    rule(
        "born geboren geb ne nee nato nata nacido nacida nascido nascida urodzony urodzona",
        rf"[^\W\d_]+\.?(?:[ ]{any_of('on in am le en el em il the')})?(?:[ ]the)?[ :]{{1,3}}{_DATE}",
    ),
    rule("age alter edad idade eta wiek", rf"[^\W\d_]+{SEP}(?P<hide>{_AGE}(?:{_YEARS})?){_NOT_ALONE}"),
    rule("age", rf"age[ ]?/[ ]?(?:sex|gender){COLON}{CELL}", "[personal]"),
    rule("sex gender", rf"(?:sex|gender)[ ]?/[ ]?age{COLON}{CELL}", "[personal]"),
    rule("aged", rf"aged[ ](?P<hide>{_AGE}){_NOT_ALONE}"),
    rule(
        "twenty thirty forty fifty sixty",
        rf"{_NUMBER_WORDS}[ -]years?[ -]old(?![ -]{any_of('compan business firm build hous brand')})",
    ),
)

_OLD_BEFORE = re.compile(
    r"(?P<hide>(?<![\d.,])(?:1[4-9]|[2-8]\d)[ \xa0-]?(?:years?|yrs?\.?|y)[ \xa0-]?/?)\Z", re.IGNORECASE
)
_NOT_OWN_BEFORE = re.compile(
    r"(?:over|under|above|below|least|most|than|to|-|–|ages?|aged)[ ]?\Z", re.IGNORECASE
)
_NOT_OWN_AFTER = re.compile(
    "[ -]?"
    + any_of(
        r"and or child kid boy girl student patient client women men\b people compan business firm build hous brand"
        " system code legacy software application plant facilit school institution organi tradition process record data"
    ),
    re.IGNORECASE,
)
_LONE_LABEL = re.compile(rf"{_LABELS}{_HINT}[ \t]{{0,4}}:?[ \t]*(?:\n|\Z)", re.IGNORECASE)
_LONE_DATE = re.compile(rf"^[ \t:–-]{{0,4}}(?P<hide>{_FULL_DATE})[ \t]*$", re.IGNORECASE | re.MULTILINE)
_MOST_LABELS = 10  # a resume has one; more would only cost time
_CLOSE = 400  # characters; the labels of a table may be read before its values


def find_ages(page: Page) -> Iterator[Mask]:
    yield from follow(RULES, page, "age")
    yield from _years_old(page)
    yield from _apart_from_label(page)


def _years_old(page: Page) -> Iterator[Mask]:
    """34 years old, 34-year-old, 34 y/o; not "65 years old and older"."""
    text = page.text
    for word in page.occurrences(("old", "o")):
        begin = max(0, word.start - 16)
        match = _OLD_BEFORE.search(text[begin : word.start])
        if not match or (word.key == "o" and "/" not in match[0]):
            continue
        start = begin + match.start("hide")
        if not _NOT_OWN_BEFORE.search(text[max(0, start - 8) : start]) and not _NOT_OWN_AFTER.match(
            text, word.end
        ):
            yield Mask(start, word.end, "age")


def _apart_from_label(page: Page) -> Iterator[Mask]:
    """A date alone in its line, soon after a label that is alone too."""
    labels = (
        word.end for word in page.occurrences(_LABEL_KEYS.split()) if _LONE_LABEL.match(page.text, word.start)
    )
    for end in islice(labels, _MOST_LABELS):
        if date := _LONE_DATE.search(page.text, end, min(len(page.text), end + _CLOSE)):
            yield Mask(date.start("hide"), date.end("hide"), "age")
