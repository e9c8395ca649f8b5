"""Finds the dates of a text: candidates by a cheap pass over the lines that hold a digit, then one match each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from evenhand.text.date_patterns import DATE, OPEN, START, TAIL, month_number
from evenhand.text.date_values import (
    PRESENT,
    Atom,
    DateSpan,
    PartialDate,
    Present,
    find_durations,
    full_year,
    is_reversed,
    read_atom,
)

# Numbers that look like dates and are not: versions, standards, postcodes, house numbers; and dates of birth.

_VERSIONED_WORDS = """
    windows win office server servers studio exchange sharepoint excel outlook powerpoint visio
    infopath onenote autocad acad revit solidworks dynamics biztalk navision quickbooks peachtree
    ecmascript es javascript delphi vs tfs ssis ssrs ssas ssms mssql sql iis iso iec bs en ohsas
    ieee ansi msoffice crm nav ax gp moss wss sbs spss stata incoterms version ver v release edition
    build model vista lync skype tally datacenter msvs os enterprise fy
"""
_VERSIONED = frozenset(_VERSIONED_WORDS.split())
"""Words whose year is a version's name: "SQL Server 2008", "ISO 2000"."""

_VERSIONED_PAIRS = re.compile(
    r"(?:(?:ms|microsoft|m\.s\.)[\s-]?(?:project|word|access|office|exchange|excel)|windows(?:\s(?:server|xp|nt))?|sql[\s-]?server"
    r"|visual\s?studio|share\s?point|exchange\sserver|windows[\w/]+|auto\s?cad|c\+\+|office\ssuite"
    r"|(?:office|windows)[\w\s/,]{0,16}(?:xp|nt|98|95|vista|7|8)[,/ ]{1,3}(?:and )?)[ \xa0(:-]*\Z"
)
_POSTCODE_WORDS = "nsw vic qld tas act nt sa wa pin zip postcode box room apt suite ext id no"
_POSTCODE = frozenset(_POSTCODE_WORDS.split())
_WORD_BEFORE = re.compile(r"(?<![a-z])([a-z]+)\.?[ \xa0:(-]{0,3}\Z")
_AFTER = re.compile(
    r"\s?(?:\+|r2\b|server\b|(?:users?|employees?|people|customers?|clients?|hours?|hrs|records|units|students|members|servers|units"
    r"|sq|kw|mw|km|kg|rpm|mah|lines|pages|tickets|calls|nodes|devices|desktops|workstations|beds|rs|usd|inr|dollars)\b)"
    r"|[ ](?:[a-z]+\.?[ ]){1,3}(?:street|st\.|road|rd\.?|avenue|ave\.?|drive|lane|blvd|boulevard|court)(?=[,.\n]|\Z)"
)
_CHAIN = re.compile(r"\s?(?:r2)?\s?(?:[,/&+]\s?(?:and|&)?|and|or|to|-)\s?")
_BIRTH = re.compile(
    r"(?:\bd\.?\s?o\.?\s?b\b|birth|\bborn\b|geburt\w*|geboren|nacimiento|nascimento|nascid[oa]|naissance|\bn[ée]e?\sle|\bnato\b)"
    r"(?:\s?(?:date|year|day))?"
    r"\W{0,12}(?:\w{2}\W)?\W{0,12}\Z"
)
_LINK = re.compile(r"(?:://|www\.|\.(?:com|org|net|in)/)\S*\Z")


def is_version(low: str, start: int, end: int) -> bool:
    """Whether the year at [start, end) belongs to a product, a standard, an address or a quantity."""
    if _AFTER.match(low, end):
        return True
    before = low[max(0, start - 24) : start]
    word = _WORD_BEFORE.search(before)
    if word and (word[1] in _VERSIONED or word[1] in _POSTCODE):
        return True
    return bool(_VERSIONED_PAIRS.search(before) or _LINK.search(before))


def continues(low: str, version_end: int, start: int) -> bool:
    """Whether a year goes on a list of versions: "2008, 2012 and 2014"."""
    return 0 <= start - version_end <= 8 and _CHAIN.fullmatch(low, version_end, start) is not None


_DIGIT = re.compile(r"\d")
_LOOK_BACK = 14  # a month's name may stand at the end of the line before its year
_SINCE = re.compile(r"(?:\bsince|\bseit|\bdesde|\bdepuis)\W{0,3}\Z")
_FROM = re.compile(r"\bfrom\W{0,3}\Z")
_LINE_END = re.compile(r"\s*(?:[.,;)\]\n]|\Z)")
_BETWEEN = re.compile(r"\bbetween\W{0,3}\Z")
# 2014-03 can be no pair of years: whoever writes so means the month in 2010-12 as well.
_ISO_MONTH = re.compile(r"(?<![\d/.-])20(\d\d)[-/](0[1-9]|1[0-2])(?![\d/.-]|\s?%)")
_DAY_FIRST = re.compile(r"(?<!\d)(\d\d)[-/.](\d\d)[-/.](?:19|20)\d\d(?!\d)")


def lowered(text: str) -> str:
    """Lower case of the same length, so that places stay the same ("İ" would become two characters)."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(one if len(one := c.lower()) == 1 else c for c in text)


def find_dates(text: str) -> list[DateSpan]:
    """Every date, range and duration in order of place; no two of them overlap."""
    finder = _Finder(text, lowered(text))
    spans = finder.dates()
    durations = list(find_durations(finder.low))
    if not durations:
        return spans
    apart: list[DateSpan] = []
    for span in sorted([*spans, *durations], key=lambda span: (span.start, span.kind == "duration")):
        if not apart or span.start >= apart[-1].end:
            apart.append(span)
    return apart


def _windows(low: str) -> Iterator[tuple[int, int]]:
    """Lines that hold a digit, each with the tail of the line before it."""
    done = 0
    while digit := _DIGIT.search(low, done):
        begin = max(low.rfind("\n", done, digit.start()) + 1 - _LOOK_BACK, done)
        line_end = low.find("\n", digit.start())
        line_end = len(low) if line_end < 0 else line_end
        yield begin, line_end
        done = line_end


class _Finder:
    """The state of one pass: how far it has read, and where a list of versions ended."""

    def __init__(self, text: str, low: str) -> None:
        self.text = text
        self.low = low
        self.done = 0
        self.version_end = -100

    @cached_property
    def months_iso(self) -> bool:
        return any(int(match[2]) <= int(match[1]) for match in _ISO_MONTH.finditer(self.low))

    @cached_property
    def day_first(self) -> bool:
        """Whether 03/04/2014 is the third of April: by the dates whose day is past twelve, else by the separator."""
        votes = dashed = 0
        for match in _DAY_FIRST.finditer(self.low):
            votes += (int(match[1]) > 12) - (int(match[2]) > 12)
            dashed += 1 if self.low[match.end(1)] != "/" else -1
        return votes > 0 or (votes == 0 and dashed > 0)

    def _read(self, match: re.Match[str]) -> Atom | None:
        return read_atom(match, self.text, day_first=match.lastgroup == "c" and self.day_first)

    def dates(self) -> list[DateSpan]:
        spans = []
        for begin, end in _windows(self.low):
            for candidate in START.finditer(self.low, begin, end):
                if candidate.start() >= self.done and (span := self._span(candidate.start())):
                    self.done = span.end
                    spans.append(span)
        return spans

    def _span(self, at: int) -> DateSpan | None:
        match = DATE.match(self.low, at)
        if match is None:
            return None
        atom = self._read(match)
        if atom is None:
            return None
        # "3. May 2014" in a list: the number is not the day
        if match["day"] and self.low[match.end("day")] == "." and (at == 0 or self.low[at - 1] == "\n"):
            at = match.start("month")
        span = self._range(at, match.end(), atom) or self._single(at, match.end(), atom)
        if span is not None and atom.form == "year" and self._is_version(span, match):
            self.version_end = self.done = max(match.end(), span.end if span.last != PRESENT else 0)
            return None
        return span

    def _is_version(self, span: DateSpan, match: re.Match[str]) -> bool:
        if continues(self.low, self.version_end, span.start):
            return True
        if span.kind == "range" and not self.low.startswith("/", match.end()):
            # "Stock Exchange 2010 - 2014" is a time, "Windows Server 2008 - 2012" is not.
            return _VERSIONED_PAIRS.search(self.low[max(0, span.start - 24) : span.start]) is not None
        return is_version(self.low, match.start(), span.end)

    def _range(self, start: int, head_end: int, head: Atom) -> DateSpan | None:
        tail = TAIL.match(self.low, head_end)
        if tail is None or not self._is_joined(tail, start):
            return None
        if tail["present"]:
            return self._ranged(start, tail.end(), head.first, PRESENT) if head.form != "yearless" else None
        if tail["same_year"]:  # "July 2014 - Aug": the year is not said twice
            month = month_number(tail["same_year"])
            if month is None or head.form not in ("day", "month") or month < (head.first.month or 13):
                return None
            return self._ranged(start, tail.end(), head.first, PartialDate(head.first.year, month))
        other = self._read(tail)
        if other is None or other.form == "yearless":
            return None
        ends = _ends(head, other, tail)
        return self._ranged(start, tail.end(), *ends) if ends else None

    def _is_joined(self, tail: re.Match[str], start: int) -> bool:
        join = tail["join"].strip()
        if join == "and":
            return self._before(_BETWEEN, start) is not None or self.low[start].isalpha()
        if "\n" in tail["gap"] and not join.isalpha():
            # a dash that opens a line is a list's, unless the line holds nothing else
            return "\n\n" not in tail["gap"] and _LINE_END.match(self.low, tail.end()) is not None
        return "\n\n" not in tail.group()

    def _before(self, pattern: re.Pattern[str], start: int) -> int | None:
        begin = max(0, start - 14)
        match = pattern.search(self.low[begin:start])
        return begin + match.start() if match else None

    def _ranged(self, start: int, end: int, first: PartialDate, last: PartialDate | Present) -> DateSpan:
        return DateSpan(start, end, "range", first, last, reversed=is_reversed(first, last))

    def _single(self, start: int, end: int, atom: Atom) -> DateSpan | None:
        if atom.form != "yearless" and (opened := OPEN.match(self.low, end)):
            return self._ranged(start, opened.end(), atom.first, PRESENT)
        if atom.form in ("weak", "yearless"):
            return None
        since = self._before(_SINCE, start)
        if since is None and _LINE_END.match(self.low, end):
            since = self._before(_FROM, start)
        if since is not None and not is_version(self.low, start, end):
            return self._ranged(since, end, atom.first, PRESENT)
        year, month = atom.first.year, atom.first.month
        if atom.form == "either" and (month is None or not (self.months_iso or month <= year % 100 < 90)):
            last = _shared_century(year, int(self.low[end - 2 : end]))
            if last is None or is_version(self.low, start, end) or continues(self.low, self.version_end, start):
                return None
            return DateSpan(start, end, "range", PartialDate(year), PartialDate(last))
        is_birth = _BIRTH.search(self.low[max(0, start - 40) : start])
        return DateSpan(start, end, "birth" if is_birth else "point", atom.first, atom.last)


def _shared_century(year: int, two: int) -> int | None:
    """The end year of "2010-12" or "1998-02"."""
    last = year - year % 100 + two
    if last <= year:
        last += 100
    return last if last - year <= 30 and full_year(str(last)) else None


def _ends(head: Atom, other: Atom, tail: re.Match[str]) -> tuple[PartialDate, PartialDate] | None:
    join = tail["join"].strip()
    first, last = head.first, other.last
    if head.form == "yearless" or (head.form == "weak" and other.form == "day" and first.month):
        if first.month is None or last.month is None:
            return None
        # "Nov - Feb 2014" began the year before
        return PartialDate(last.year - (first.month > last.month), first.month), last
    if tail.lastgroup == "short":
        year = _shared_century(first.year, int(tail["short"])) if head.form == "year" and join in "-–—" else None
        return (first, PartialDate(year)) if year else None
    is_school_year = join == "/" and head.form == other.form == "year" and 1 <= last.year - first.year <= 6
    if join in ("/", "&") and not is_school_year:
        return None
    # where the dash was lost or the form is doubtful, the order has to confirm it
    if (join == "" or "weak" in (head.form, other.form)) and is_reversed(first, last):
        return None
    return PartialDate(first.year) if head.form == "either" and other.form == "year" else first, last
