"""A job ad cut into clauses: sentences, bullet points, headings; also where the blanks between them were lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from evenhand.mining.lexicon.places import short_names
from evenhand.mining.requirements.headings import INLINE, heading_type
from evenhand.mining.tokens import Tokens, tokenise
from evenhand.mining.vocabulary import Vocabulary

LONGEST_WORD = 40
SHORT_WORD = 3
LONGEST_CLAUSE = 1_000  # characters; what nobody would say in one breath is cut at a blank
WRAPPED = 45  # characters; a shorter line was ended by its author, not by the page
_BULLET = "•·▪●◦‣■□○❖➢►✓✔♦∙\uf0b7\uf0a7"
_BREAK = re.compile(
    rf"""
    (?P<line>(?<![ \t])[ \t]*+(?:\r\n|[\n\r\x0b\x0c\u2028\u2029])\s*)
  | (?P<bullet>(?:[{_BULLET}]++|â€¢)\s* | \s\+\s(?=[A-Z]) | \s[*]++\s | (?<!\*)[*]++\s?(?=[A-Z])
      | (?<=[a-z.)])v\s{{2,}}(?=[A-Z]) | \s[-–—]{{2,}}+\s)
  | (?P<sentence>(?<![.!?])[.!?]++["'”’)\]]*[^\S\n\r]+(?=["'“‘(\[]?[A-Z0-9{_BULLET}])
      | (?<![!?™])[!?™]++(?=[A-Za-z0-9]) | (?<=[a-z]{{3}}[a-z)])\.(?=[A-Z][a-z]|\d) | (?<=[a-z]\))\.(?=[A-Z]))
  | (?P<semicolon>;\s*)
  | (?P<double>(?<=[a-z.)])\s{{3,}}+(?=[A-Z0-9]))
    """,
    re.VERBOSE,
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:pvt|llc|sr|jr|mr|mrs|ms|dr|st|ft|no|inc|ltd|co|corp|vs|etc|e\.g|i\.e|approx|min|max|dept"
    r"|u\.s|ph|b|m|a)|\b[A-Z])$",
    re.IGNORECASE,
)
_GLUED = re.compile(
    r"(?<=[a-z][a-z])(?=[A-Z])|(?<=[A-Z][A-Z])(?=[A-Z][a-z])|(?<=[)\]%])(?=[A-Z][a-z])|(?<=\d)(?=[A-Z][a-z]{3})"
)
_LEFT = re.compile(r"(?:[A-Z]?[a-z]+|[A-Z]+)\Z")
_RIGHT = re.compile(r"[A-Z][a-z]*")
# A new sentence without any mark before it: "... of the Strategic Plan Qualified candidates should"
_OPENING = re.compile(
    r"(?<=[\w)] )(?=(?:Qualified (?:candidates|applicants)|The (?:ideal|successful|qualified) candidate"
    r"|Ideal candidates?|Responsibilities"
    r" include|Requirements include|Qualifications include|Candidates? must|Applicants? must|Must have"
    r"|Minimum of)\b)"
    r"|(?<=[a-z]{4})(?=\d{1,2}\s?\+?(?:\s?[-–]\s?\d{1,2})?\+?\s?(?:years|yrs)\b)"
)
_TOKEN = re.compile(r"[A-Za-z]+\Z")
_REST = re.compile(r"[A-Za-z]{0,40}")
_LAST_WORD = re.compile(r"[A-Za-z]+(?= \Z)")
_LABEL = re.compile(r"[^:\n]{2,90}:(?!//)")


@dataclass(frozen=True, eq=False)
class Clause:
    """Half-open place in the text, and the type of passage it opens when it is a heading."""

    text: str
    start: int
    end: int
    heading: str | None = None

    @cached_property
    def written(self) -> str:
        return self.text[self.start : self.end]

    @cached_property
    def tokens(self) -> Tokens:
        return tokenise(self.text, self.start, self.end)


def cut(text: str, limit: int, vocabulary: Vocabulary) -> list[Clause]:
    """Clauses of text[:limit], in order, none empty; what lies between them is blanks, bullets and full stops."""
    breaks = [*_sentence_breaks(text, limit), *_glue_breaks(text, limit, vocabulary)]
    breaks += _inline_headings(text, limit)
    clauses: list[Clause] = []
    at = 0
    for start, end in [*sorted(breaks), (limit, limit)]:
        if start < at:
            continue
        while start - at > LONGEST_CLAUSE:
            middle = text.rfind(" ", at + 1, at + LONGEST_CLAUSE)
            middle = middle if middle > 0 else at + LONGEST_CLAUSE
            clauses += _headed(text, at, middle)
            at = middle
        clauses += _headed(text, at, start)
        at = max(at, end)
    return clauses


def _headed(text: str, start: int, end: int) -> Iterator[Clause]:
    """The clause without blanks at its ends; a label in front that is a heading becomes a clause of its own."""
    while start < end and text[start] in " \t\xa0\u200b-–*":
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        return
    label = _LABEL.match(text, start, end)
    if label and (kind := heading_type(label[0])):
        yield Clause(text, start, label.end(), kind)
        yield from _headed(text, label.end(), end)
    else:
        yield Clause(text, start, end, heading_type(text[start:end]))


def _sentence_breaks(text: str, limit: int) -> Iterator[tuple[int, int]]:
    line_start = 0
    for found in _BREAK.finditer(text, 0, limit):
        start, end = found.span()
        if found["line"]:
            wrapped = _is_wrapped(text, line_start, start, end)
            line_start = end
            if wrapped:
                continue
        if found["sentence"] and text[start] == "." and _ABBREVIATION.search(text, max(0, start - 8), start):
            continue
        # The full stop stays with its sentence.
        yield (start + 1, end) if found["sentence"] else (start, end)


def _is_wrapped(text: str, line_start: int, start: int, end: int) -> bool:
    """Whether the line goes on behind its end: a page was too narrow for it."""
    if start - line_start < WRAPPED or text.count("\n", start, end) > 1 or end >= len(text):
        return False
    return text[end].islower() or (text[start - 1] == "," and text[end].isalnum())


def _inline_headings(text: str, limit: int) -> Iterator[tuple[int, int]]:
    for opening in _OPENING.finditer(text, 0, limit):
        yield opening.span()
    for found in INLINE.finditer(text, 0, limit):
        before = _LAST_WORD.search(text, max(0, found.start() - 30), found.start())
        if before and before[0][0].isupper():
            continue  # the middle of a longer heading: "Preferred Qualifications"
        yield found.start(), found.start()
        yield found.end(), found.end()


def _glue_breaks(text: str, limit: int, vocabulary: Vocabulary) -> Iterator[tuple[int, int]]:
    """Between "experience" and "Month" in "experienceMonth", never inside "JavaScript" or "PeopleSoft"."""
    for found in _GLUED.finditer(text, 0, limit):
        at = found.start()
        left = _LEFT.search(text, max(0, at - LONGEST_WORD), at)
        right = _RIGHT.match(text, at)
        if right and (left is None or _is_glued(text, left, right[0], vocabulary)):
            yield at, at


def _is_glued(text: str, left: re.Match[str], right: str, vocabulary: Vocabulary) -> bool:
    at, known = left.end(), _words(vocabulary)
    before = _TOKEN.search(text, max(0, at - LONGEST_WORD), at)
    start = before.start() if before else at
    if start and text[start - 1] in "@/.":
        return False  # an address
    rest = _REST.match(text, at)
    whole = text[start:at] + (rest[0] if rest else "")
    if any(word.lower() in known or vocabulary.skills.squashed(word) for word in (whole, left[0] + right)):
        return False
    if left[0].isupper():
        return (left[0] in short_names() or left[0].lower() in known) and (
            right.lower() in known or len(right) > SHORT_WORD
        )
    if left[0].islower():
        return len(left[0]) > SHORT_WORD or left[0] in known
    is_word = left[0].lower() in known or left[0][:-1].lower() in known
    return len(left[0]) > SHORT_WORD and is_word and len(right) != 2


@lru_cache(maxsize=4)
def _words(vocabulary: Vocabulary) -> frozenset[str]:
    """Every word of a skill or a title: enough English to tell where one word ends."""
    keys = (*vocabulary.skills.keys(), *vocabulary.known.titles.table)
    return frozenset(word for key in keys for word in key.split())
