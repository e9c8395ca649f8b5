"""Contact lines are left out before resumes are compared: they are what changes when one person applies twice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from evenhand.records.profile import Profile

Span = tuple[int, int]

HEAD_LINES = 12  # where name, address and phone stand
LINE_WORDS = 12  # a longer line is prose: only the contact itself is cut out of it
NAME_WORDS = 5
PHONE_DIGITS = 7
MARKS = ("@", "://", "www.", "linkedin.com", "github.com")  # wherever they stand
DIGIT = re.compile(r"\d")
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
LABELLED = re.compile(
    r"\W*(?:name|e-?mail|phone|mobile|cell|tel|telephone|contact|address|location|website|linkedin|github|skype"
    r"|date of birth|d\.?o\.?b|nationality|passport|gender|sex|marital status)\b[^\w\n]{0,3}[:|]",
    re.IGNORECASE,
)
POSTAL = re.compile(
    r"\b(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|apt|apartment|flat|p\.?o\.? box)\b"
    r"|\b[A-Z]{2},? +\d{5}(?:-\d{4})?\b|\b\d{6}\b|\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b",
    re.IGNORECASE,
)
TITLES = re.compile(r"\W*(?:curriculum vitae|resume|résumé|cv|bio-?data|personal details)\W*", re.IGNORECASE)


def contact_spans(profile: Profile) -> list[Span]:
    """Where the miner saw name, e-mail, phone, links and residence; those of no known place left out."""
    facts = [*profile.emails, *profile.phones, *profile.links]
    facts += [fact for fact in (profile.name, profile.city) if fact]
    spans = ((fact.evidence.start, fact.evidence.end) for fact in facts)
    return sorted({span for span in spans if span[0] < span[1]})


def without_contact(text: str, spans: Iterable[Span] = ()) -> str:
    """The text without its contact lines: those at the places given, and those a rule knows by their looks."""
    cuts = [_line_or_span(text, start, end) for start, end in spans]
    cuts += _pointers(text)
    head = _head(text)
    cuts += _names(text, head)
    cuts += [line for line in head if _is_contact(text[slice(*line)])]
    return _cut(text, cuts)


def _line_around(text: str, start: int, end: int) -> Span:
    last = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, len(text) if last < 0 else last


def _line_or_span(text: str, start: int, end: int) -> Span:
    line = _line_around(text, start, end)
    return line if len(text[slice(*line)].split()) <= LINE_WORDS else (start, end)


def _pointers(text: str) -> list[Span]:
    """E-mail addresses and links: their lines, or in prose only they themselves."""
    lowered = text.lower()
    searched = lowered if len(lowered) == len(text) else text  # a few letters grow when lowered
    found = []
    for mark in MARKS:
        place = searched.find(mark)
        while place >= 0:
            start = max(text.rfind(space, 0, place) for space in " \t\n") + 1
            end = min((at for space in " \t\n" if (at := text.find(space, place)) >= 0), default=len(text))
            found.append(_line_or_span(text, start, end))
            place = searched.find(mark, end)
    return found


def _head(text: str) -> list[Span]:
    """The first lines that are not blank."""
    lines: list[Span] = []
    start = 0
    while start < len(text) and len(lines) < HEAD_LINES:
        line = _line_around(text, start, start)
        if text[slice(*line)].strip():
            lines.append(line)
        start = line[1] + 1
    return lines


def _names(text: str, head: Sequence[Span]) -> list[Span]:
    """The first line that is no title is the name if it looks like one; pages may repeat it."""
    first = next((line for line in head if not TITLES.fullmatch(text[slice(*line)])), None)
    name = text[slice(*first)].strip() if first else ""
    if not name or len(name.split()) > NAME_WORDS or DIGIT.search(name):
        return []
    found = []
    place = text.find(name)
    while place >= 0:
        line = _line_around(text, place, place + len(name))
        if text[slice(*line)].strip() == name:
            found.append(line)
        place = text.find(name, line[1])
    return found


def _is_contact(line: str) -> bool:
    """Of a line near the top."""
    if len(line.split()) > LINE_WORDS:
        return False
    if LABELLED.match(line):
        return True
    if not DIGIT.search(line):
        return False
    digits = len(DIGIT.findall(YEAR.sub("", line)))
    return bool(POSTAL.search(line)) or (digits >= PHONE_DIGITS and 3 * digits > len(line))


def _cut(text: str, cuts: Iterable[Span]) -> str:
    kept = []
    reached = 0
    for start, end in sorted(cuts):
        kept.append(text[reached:start])
        reached = max(reached, end)
    kept.append(text[reached:])
    return " ".join(kept)
