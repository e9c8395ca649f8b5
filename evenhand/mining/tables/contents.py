"""What the cells of a table hold: dates, contact data, results, and words that tell of degrees, schools, jobs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from evenhand.mining.dates import find_dates
from evenhand.mining.lexicon.lists import words

# Single words are enough here: a table has many cells, and one word in some of them gives the column away.
_DEGREES = """
be btech me mtech bsc msc bs ms ba ma bca mca bba mba bcom mcom bed med phd mphil llb llm mbbs bds md
pgdm pgdbm pgdca pgdba beng meng barch bpharm mpharm gnm anm hsc ssc sslc hssc ssce aissce cbse icse ged
bachelor bachelors bachelor's master masters master's doctor doctorate diploma associate intermediate
matriculation matric xii xth xiith 10th 12th 10+2 puc secondary graduation graduate degree certificate
undergraduate postgraduate abitur a-levels a-level gcse licence licenciatura baccalaureate higher plus+2
iti hons honours
"""
_FIELDS = """
engineering science sciences computer computers electronics electrical mechanical civil commerce arts
mathematics maths math physics chemistry biology economics finance accounting accountancy management
marketing business information communication communications cse ece eee it mpc pcm pcb bipc mec cec
history english psychology law nursing statistics literature humanities biotechnology instrumentation
production design education hr
"""


@cache
def _lexicons() -> dict[str, frozenset[str]]:
    return {
        "degree": frozenset(_DEGREES.split()),
        "institution": words("institution") | {"board", "cbse", "icse", "iit", "nit", "iim"},
        "company": words("legal") | words("organisation"),
        "title": words("title head"),
        "field": frozenset(_FIELDS.split()),
    }


_WORD = re.compile(r"[^\W_](?:[\w.'’+#-]*[\w+#])?")
_EMAIL = re.compile(r"[\w.+-]@\w[\w-]*\.\w")
_PHONE = re.compile(r"(?<![\w/.-])\+?\(?\d[\d ()-]{7,16}\d(?![\w/%])")
_LINK = re.compile(r"https?://|www\.|linkedin\.|github\.")
_RESULT = re.compile(
    r"\d\s?%|\b(?:c?gpa|sgpa|percent(?:ile)?|distinction|1st|first|second|2nd|third|division)\b"
    r"|\b\d{1,3}(?:\.\d+)?\s?/\s?(?:4|5|10|100|600|1000)(?:\.0+)?\b|\b(?:summa|magna|cum) laude\b"
)
_RESULT_ALONE = re.compile(
    r"(?:[a-f][+-]?|[os]|pass(?:ed)?|ii?i?|merit|upper second|lower second|\d{1,2}(?:[.,]\d{1,2}))\Z"
)
_NUMBER = re.compile(r"[\d.,]+[.)]?\Z")
_OPEN_END = re.compile(r"(?:till|until|to|up to)?\s*(?:date|now|present|current|today|ongoing|the present)\Z")
_GAP = "\n\n"  # between cells, so that no date reaches over two of them

KINDS = (
    "degree",
    "institution",
    "company",
    "title",
    "field",
    "range",
    "point",
    "duration",
    "birth",
    "date_alone",
    "year_alone",
    "email",
    "phone",
    "link",
    "result",
    "number",
    "list",
    "long",
)


@lru_cache(maxsize=4096)
def words_in(cell: str) -> tuple[str, ...]:
    """The words of a cell in lower case; abbreviations without their dots."""
    return tuple(word.replace("’", "'").replace(".", "") for word in _WORD.findall(cell.lower()))


def contents_of(cells: Sequence[str]) -> list[frozenset[str]]:
    """For every cell the kinds of things it holds; empty cells hold nothing."""
    kinds = [_kinds(cell) if cell else set() for cell in cells]
    _add_dates(cells, kinds)
    return [frozenset(found) for found in kinds]


def _kinds(cell: str) -> set[str]:
    low = cell.lower()
    found = words_in(cell)
    kinds = {name for name, lexicon in _lexicons().items() if not lexicon.isdisjoint(found)}
    if "@" in low and _EMAIL.search(low):
        kinds.add("email")
    if _LINK.search(low):
        kinds.add("link")
    if _RESULT.search(low) or _RESULT_ALONE.match(low):
        kinds.add("result")
    if _NUMBER.match(low):
        kinds.add("number")
    elif _PHONE.search(low):
        kinds.add("phone")
    if low.count(",") >= 2:
        kinds.add("list")
    if len(found) > 12:
        kinds.add("long")
    if _OPEN_END.match(low):
        kinds |= {"point", "date_alone"}
    return kinds


def _add_dates(cells: Sequence[str], kinds: list[set[str]]) -> None:
    """All cells in one go: the finder reads a text once, whatever its length."""
    text = _GAP.join(cells)
    spans = find_dates(text)
    place, start = 0, 0
    for span in spans:
        while span.start >= start + len(cells[place]) + len(_GAP):
            start += len(cells[place]) + len(_GAP)
            place += 1
        cell = cells[place]
        kinds[place].add(span.kind)
        if span.kind in ("range", "point") and span.end - span.start >= len(cell) - 6:
            kinds[place].add("date_alone")
            if len(cell) <= 6:
                kinds[place].add("year_alone")
