"""Contact lines are left out before resumes are compared: they are what changes when one person applies twice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from evenhand.records.profile import Profile

Span = tuple[int, int]

HEAD_LINES = 12  # where name, address and phone stand
LINE_WORDS = 12  # a longer line is prose: only the contact itself is cut out of it
NAME_WORDS = 5
PHONE_DIGITS = 7
MARKS = ("@", "://", "www.", "WWW.", ".com/", ".COM/")  # of e-mail addresses and links, wherever they stand
DIGIT = re.compile(r"\d")
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
LABELLED = re.compile(
    r"\W*(?:name|e-?mail|phone|mobile|cell|tel|telephone|contact|address|location|website|linkedin|github|skype"
    r"|date of birth|d\.?o\.?b|nationality|passport|gender|sex|marital status)\b[^\w\n]{0,3}[:|]",
    re.IGNORECASE,
)
STREETS = frozenset({
    "street", "st", "road", "rd", "avenue", "ave", "lane", "ln", "drive", "dr", "boulevard", "blvd", "apt", "apartment",
    "flat", "box", "nagar",
})  # fmt: skip
POSTCODE = re.compile(r"\b(?:[A-Z]{2},? +\d{5}(?:-\d{4})?|\d{6}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})\b")
TITLES = re.compile(r"\W*(?:curriculum vitae|resume|résumé|cv|bio-?data|personal details)\W*", re.IGNORECASE)


def contact_spans(profile: Profile) -> list[Span]:
    """Where the miner saw name, e-mail, phone, links and residence; those of no known place left out."""
    facts = [*profile.emails, *profile.phones, *profile.links]
    facts += [fact for fact in (profile.name, profile.city) if fact]
    spans = ((fact.evidence.start, fact.evidence.end) for fact in facts)
    return sorted({span for span in spans if span[0] < span[1]})


def without_contact(text: str, spans: Iterable[Span] = ()) -> str:
    """The text without its contact lines: those at the places given, and those a rule knows by their looks."""
    head = _head(text)
    cuts = [*_names(text, head), *(line for line in head if _is_contact(text[slice(*line)]))]
    return _without_pointers(_cut(text, [*cuts, *_given(text, spans)]))


def _line_around(text: str, start: int, end: int) -> Span:
    last = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, len(text) if last < 0 else last


def _given(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """The lines of these places, or in prose the places alone."""
    line, is_prose = (0, -1), False  # a hostile line holds thousands of places: it is looked at once
    for start, end in sorted(spans):
        if end > line[1]:
            line = _line_around(text, start, end)
            is_prose = len(text[slice(*line)].split()) > LINE_WORDS
        yield (start, end) if is_prose else line


def _without_pointers(text: str) -> str:
    """Without the lines of e-mail addresses and links; prose loses only the words that are such."""
    lines: set[Span] = set()
    for mark in MARKS:
        place = text.find(mark)
        while place >= 0:
            line = _line_around(text, place, place)
            lines.add(line)
            place = text.find(mark, line[1])
    return _cut(text, lines, _prose) if lines else text


def _prose(line: str) -> str:
    words = line.split()
    if len(words) <= LINE_WORDS:
        return ""
    return " ".join(word for word in words if not any(mark in word for mark in MARKS))


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
    """Of a line near the top. The cheap questions come first: most lines are none."""
    has_label = (":" in line or "|" in line) and LABELLED.match(line) is not None
    if not has_label and not DIGIT.search(line):
        return False
    words = line.split()
    if len(words) > LINE_WORDS:
        return False
    if has_label or not STREETS.isdisjoint(word.strip(".,").lower() for word in words):
        return True
    digits = len(DIGIT.findall(YEAR.sub("", line)))
    return (digits >= PHONE_DIGITS and 3 * digits > len(line)) or POSTCODE.search(line) is not None


def _cut(text: str, cuts: Iterable[Span], left: Callable[[str], str] = lambda _: "") -> str:
    """Without these stretches, or with what is `left` of each."""
    kept = []
    reached = 0
    for start, end in sorted(cuts):
        if end > reached:
            kept += [text[reached:start], left(text[max(start, reached) : end])]
            reached = end
    kept.append(text[reached:])
    return " ".join(kept)
