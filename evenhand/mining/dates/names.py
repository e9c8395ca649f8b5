"""Names of months, seasons and quarters, and words for "until now", in English and its neighbours."""

from __future__ import annotations

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
    return next(
        (month for name, month in _LONG.items() if OSA.distance(word, name, score_cutoff=2) <= 2), None
    )
