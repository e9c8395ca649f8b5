"""The shapes of written dates over lower-case text: where one may begin, a date, and what makes it a range."""

from __future__ import annotations

import re

from evenhand.mining.dates.names import MONTH_STEMS, MONTHS, PRESENT_WORD

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


START = re.compile(
    r"[\d'’‘`´jfmasondeglwqh](?:(?<![\w$€£₹#@].)|(?<=\dto.)|(?<=from.)|(?<=since.)|(?<=\dtill.))"
)
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
