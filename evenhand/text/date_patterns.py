"""Names of months, seasons and quarters, and words for "until now", in English and its neighbours."""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz.distance import OSA

_MONTHS = """
1 jan january januar janvier janv janeiro enero ene jän jänner gennaio januari
2 feb february februar février fevrier févr fevr fév fev fevereiro febrero febbraio februari febr
3 mar march märz maerz mär mrz mars março marco marzo maart mrch
4 apr april avril avr abril abr aprile
5 may mai maio mayo maggio mei
6 jun june juni juin junho junio giugno
7 jul july juli juillet juil julho julio luglio
8 aug august août aout agosto ago augustus agust
9 sep sept september septembre septiembre setiembre setembro set settembre
10 oct october oktober okt octobre octubre outubro out ottobre
11 nov november novembre noviembre novembro
12 dec december dezember dez décembre decembre déc dezembro diciembre dic dicembre
"""
MONTHS = {name: int(line.split()[0]) for line in _MONTHS.split("\n") if line for name in line.split()[1:]}

CAPITAL_ONLY = frozenset({"set", "out", "ago", "mei", "marco"})
"""Months that are words of other languages as well: believed only with a capital."""

MONTH_STEMS = (
    r"(?:j(?:an|än|u[nil])|f[eé][bv]|m(?:a[arigy]|är|ae|rz|rc|ei)|a(?:pr|br|vr|ug|g[ou]|o[uû])"
    r"|se[pt]|o(?:[ck]t|ut|tt)|nov|d(?:[eé][cz]|ic)|ene|gen|giu|lug)"
)

_LONG = {"january": 1, "february": 2, "september": 9, "october": 10, "november": 11, "december": 12}

SEASONS = {
    "spring": (3, 5),
    "summer": (6, 8),
    "autumn": (9, 11),
    "fall": (9, 11),
    "winter": (1, 3),  # as terms are named: "Winter 2012" begins in January 2012
    "q1": (1, 3),
    "q2": (4, 6),
    "q3": (7, 9),
    "q4": (10, 12),
    "h1": (1, 6),
    "h2": (7, 12),
}

_PRESENT = (
    r"till?[\s-]*(?:the[\s-]*)?(?:date|now|today|present|current)"
    r"|(?:the[\s-]+)?present(?:[\s-]+(?:day|time|date)|ly)?|(?:the[\s-]+)?current(?:ly)?(?:[\s-]+(?:date|time|day|role|job))?"
    r"|(?:the\s+)?date(?!\s+of)|now|ongoing|on-going|today|continuing|still\s+working|pres\."
    r"|(?:la\s+)?actualidad|actual(?:mente)?(?!\s\w)|(?:el\s+)?presente|hoy|la\s+fecha"
    r"|heute|jetzt|aktuell|dato|présent|aujourd['’]hui|ce\s+jour|actuellement|maintenant"
    r"|(?:o\s+)?(?:atual(?:mente)?|momento)|hoje|a\s+data(?:\s+atual)?|oggi|in\s+corso|heden|sekarang|saat\s+ini"
)
PRESENT_WORD = rf"(?:(?:{_PRESENT})(?![^\W\d_]))"


@lru_cache(maxsize=4096)
def month_number(word: str) -> int | None:
    """The month a lower-case word names, slips of the pen in the long names included ("febuary", "septmber")."""
    word = word.rstrip(".")
    if (known := MONTHS.get(word)) or len(word) < 6:
        return known
    return next((month for name, month in _LONG.items() if OSA.distance(word, name, score_cutoff=2) <= 2), None)


# The shapes of written dates over lower-case text: where one may begin, a date, and what makes it a range.

_YEAR = r"(?:19[4-9]\d|20[0-3]\d)(?!\d)"
_TWO = r"\d\d(?!\d)"
_QUOTE = r"['’‘`´]"
_DASH = r"[-–—―−‐‑~→]"
_MONTH = rf"{MONTH_STEMS}[a-zà-ÿ]{{0,8}}"
_MONTH_EXACT = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))}|q[1-4])"
# A dash whose bytes were once read in the wrong encoding, in lower case.
_GARBLED_DASH = r"(?:ï¼\W?|[ãâ]\S{1,6})"
_SEASON = r"(?:spring|summer|autumn|fall|winter|q[1-4]|h[12])"
_NOT_IN_NUMBER = r"(?<!\d[-–/.,:])"
_NOT_IN_PHONE = r"(?<!\d{3}-)(?<![03-9]\d\d\d[ ])(?<!\W\d{3}[ ])"
# A year alone is no part of a longer number, price, share, phone number or span of quantities ("2000 - 3500 users").
_YEAR_ALONE = rf"""
    {_YEAR}(?=r2\b|\W|$|to|till|until|through|present|ã|â€)
    (?!\s?[%+$€£₹])(?![.,:]\d)(?![ -]\d{{3}}(?!\d))(?![ -]\d{{5}})(?!\s?(?:{_DASH}|to)\s?(?!{_YEAR})\d{{3}})
"""


def _date(number: str, phone: str) -> str:
    """One date; the arguments guard those that begin with a digit. After "2010 - " no guard is needed."""
    return rf"""
    {number}(?P<a>\d{{1,2}})(?P<sep>[/.-])(?P<b>\d{{1,2}})(?P=sep)(?P<c>\d{{4}}|\d\d)(?![\d%])(?!(?P=sep)\d)
  | {number}(?P<mm>\d{{1,2}})\s?[/.\-–]{{1,2}}\s?(?P<mm_year>{_YEAR})(?!%)(?![.,/]\d)
  | {number}(?P<iso>{_YEAR})(?P<iso_sep>[-–/.])(?P<iso_month>\d{{1,2}})(?:(?P=iso_sep)(?P<iso_day>\d{{1,2}}))?
      (?![\w%])(?![-/.,]\d)(?!\s?%)
  | {number}(?P<m>\d{{1,2}})/(?P<yy>{_TWO})(?!\s?%)(?![/.,]\d)
  | {number}{phone}(?P<alone>{_YEAR_ALONE})
      (?:[\s,/-]{{1,2}}(?P<alone_month>{_MONTH_EXACT})\b
         (?!\.?[\s,'’/-]{{0,3}}(?:\d{{1,4}}(?!\d)(?!\s?[,-]?\s?(?:{MONTH_STEMS}|q[1-4]))|of\b)))?
  | (?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|º|\.)?[\s,.\-/]{{0,3}}(?:of\s|de\s)?)?
    (?P<month>{_MONTH})\.?
    (?:
        [\s.,\-/]{{0,3}}(?P<day_after>\d{{1,2}})(?:st|nd|rd|th)?(?:\s?,\s?|\s|\.\s?)(?P<year_after>{_YEAR})
      | \s{{0,3}}(?:(?:[-–/.,]|{_QUOTE}|of|del?)\s{{0,3}}){{0,2}}(?P<year>{_YEAR})
      | \s?{_QUOTE}\s?(?P<two>{_TWO})
      | \s?[-/]\s?(?P<two_dash>{_TWO})(?![-/]\d)
      | [\s.]?(?P<two_weak>{_TWO})(?![-/.,]\d)
      | (?=\s{{0,2}}(?:{_DASH}|[/&]|(?:to|thru|through|and|a|bis)\b))
    )
  | (?P<season>{_SEASON})(?![^\W\d_])
      (?:[\s,:/-]{{1,3}}(?:of\s)?(?P<season_year>{_YEAR})|\s?{_QUOTE}\s?(?P<season_two>{_TWO})
        |(?=\s{{0,2}}(?:{_DASH}|[/&]|(?:to|through|and)\b)\s{{0,2}}{_SEASON}))
  | {_QUOTE}(?P<quoted>{_TWO})
"""


START = re.compile(r"[\d'’‘`´jfmasondeglwqh](?:(?<![\w$€£₹#@].)|(?<=\dto.)|(?<=from.)|(?<=since.)|(?<=\dtill.))")
"""Where a date may begin: a first pass that is cheap."""

DATE = re.compile(_date(_NOT_IN_NUMBER, _NOT_IN_PHONE), re.VERBOSE)

_UNTIL = (
    r"(?:to|till?|un?till?|through|thru|up\s?to|bis|hasta|até|ate|al?|au|à|jusqu['’]?(?:à|au|en)?|ti|tot|fino\sal?"
    r"|end(?:ing)?\s?date\s{0,2}:?)"
)
_JOIN = rf"""
    (?P<gap>\s{{0,4}}(?:[.,;]\s{{0,3}})?)
    (?P<join>{_DASH}+>?\s{{0,3}}(?:{_UNTIL}\b\s{{0,3}}(?:{_DASH}\s?)?)?
        |{_UNTIL}\s{{0,3}}(?:{_DASH}\s{{0,3}}|(?:till?|the)\s)?
        |{_GARBLED_DASH}\s{{0,2}}
        |/\s?|&\s?|and\s
        |(?<=\d[ ][ ])(?=[\djfmasondenpc])|(?<=\d)(?={MONTH_STEMS}))
    (?:(?:exp(?:ected)?|est|approx|around|mid|early|late|end\sof)\.?[\s-]{{1,2}})?
"""
TAIL = re.compile(
    rf"{_JOIN}(?:(?P<present>{PRESENT_WORD})|{_date('', '')}|(?P<short>\d\d)(?![\w%/.-])(?!\s?%)"
    rf"|(?P<same_year>{_MONTH})\.?(?=\s*(?:[.,;)\]\n]|\Z)))",
    re.VERBOSE,
)
"""What makes a range of the date before it: a dash or "to", then a date or a word for now."""

OPEN = re.compile(
    rf"\s{{0,3}}(?:{_DASH}\s{{0,2}})?(?:to\s{{1,2}})?"
    r"(?:(?:and\s)?onwards?\b|till?[\s-]?(?:date|now)\b|(?:till?|present|current|ongoing)(?=\s*(?:[.,;)\]\n]|\Z)))"
)
"""Words for now that follow a date without a dash or "to": "June 2013 onwards", "from 2017 till"."""
