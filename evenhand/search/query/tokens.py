"""Cuts a search text into words, phrases, fields, comparisons and operators, each with its place."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from evenhand.errors import QueryError

FIELDS = ("title", "employer", "school", "skill", "city", "degree", "source", "status")
OPERATORS = ("AND", "OR", "NOT")
LONGEST = 2_000
MOST_MONTHS = 1_200

_QUOTES = '"“”„‟«»〝〞＂'
_NAME = re.compile(r"([A-Za-z]{2,}):(?![:/\\])")
_NO_FIELDS = ("mailto", "tel", "urn", "callto")  # what stands before a colon in addresses
_NUMBER = r"(\d{1,9}(?:\.\d)?)(?:\s*(years?|yrs?|months?)|([ym]))?(?=[\s)]|$)"
_SIGN = re.compile(rf"[+-](?=[.#@]?\w|[({_QUOTES}])")  # "a -> b" and "c++" hold none
_OPERATOR = r"\s*(>=|<=|=>|=<|≥|≤|>|<)\s*"
_DEGREES = re.compile(r"degree" + _OPERATOR + r"([A-Za-z.]+)(?=[\s)]|$)", re.IGNORECASE)
_COMPARISON = re.compile(_OPERATOR + _NUMBER)
# What was meant to filter and cannot be understood must not turn into a wish, which filters nothing.
_UNFINISHED = re.compile(r"\s*(?:>=|<=|=>|=<|≥|≤)")
_EQUALS = re.compile(r"[\w+#.]+==?\d+(?:(?:-|\.\.)\d+)?")
_RANGE = re.compile(r":(\d{1,9})\.\.(\d{1,9})(?:(years?|yrs?|months?|[ym]))?(?=[\s)]|$)")
_WORD_END = re.compile(rf"[\s{_QUOTES}]|(?:>=|<=|=>|=<|≥|≤|>|<)\s*\d|:\d+\.\.\d|$")


@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is word, phrase, an operator, or one of ( ) + -. Bounds are months, both ends included."""

    kind: str
    text: str
    start: int
    end: int
    field: str | None = None
    bounds: tuple[int | None, int | None] | None = None
    compare: str | None = None  # of degrees: >= > <= <


def tokens(text: str) -> Iterator[Token]:
    """Raises QueryError where no reading makes sense."""
    if len(text) > LONGEST:
        raise QueryError(f"The search is longer than {LONGEST:,} characters.", LONGEST, len(text))
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        token = _token(text, at)
        at = token.end
        if token.kind != "word" or any(character.isalnum() for character in token.text):
            yield token


def _token(text: str, at: int) -> Token:
    character = text[at]
    if character in "()":
        return Token(character, character, at, at + 1)
    if _SIGN.match(text, at):
        return Token(character, character, at, at + 1)
    if found := _DEGREES.match(text, at):
        return Token("word", found[2], at, found.end(), "degree", compare=_plain(found[1]))
    if field := _field(text, at):
        return _value(text, at, at + len(field) + 1, field.lower())
    return _value(text, at, at, None)


def _field(text: str, at: int) -> str | None:
    found = _NAME.match(text, at)
    if not found or found[1].lower() in _NO_FIELDS or _RANGE.match(text, found.end() - 1):
        return None
    name, end = found[1], found.end()
    empty = end == len(text) or text[end].isspace() or text[end] == ")"
    if name.lower() in FIELDS:
        if empty or text[end] == "(":
            raise QueryError(f"“{name}:” needs a word or a phrase in quotes right after it.", at, end)
        return name
    if empty:
        return None  # "Skills: java" is plain writing
    near = difflib.get_close_matches(name.lower(), FIELDS, n=1)
    hint = f"Did you mean “{near[0]}:”?" if near else f"There are {', '.join(FIELDS)}."
    raise QueryError(f"There is no field “{name}”. {hint} Quotes make a colon plain text.", at, end)


def _value(text: str, start: int, at: int, field: str | None) -> Token:
    if text[at] in _QUOTES:
        kind, words, end = "phrase", *_phrase(text, at)
    else:
        end = _word_end(text, at)
        kind, words = "word", text[at:end]
    kind = words if kind == "word" and field is None and words in OPERATORS else kind
    bounds, bounds_end = _bounds(text, end, field)
    if bounds is None or not any(character.isalnum() for character in words):
        _check_comparison(text, start, end, kind)
        return Token(kind, words, start, end, field)
    if kind == "word" and words[0] in "<>":
        raise QueryError("Months between two numbers are written like java:24..60.", start, bounds_end)
    return Token(kind, words, start, bounds_end, field or "skill", bounds)


def _check_comparison(text: str, start: int, end: int, kind: str) -> None:
    inside = _UNFINISHED.search(text, start, end) if kind == "word" else None
    if found := inside or _UNFINISHED.match(text, end):
        sign = found[0].strip()
        message = f"“{sign}” needs a skill before it and a number of months after it, as in java>=36."
        raise QueryError(message, found.end() - len(sign), found.end())
    if kind == "word" and _EQUALS.fullmatch(text, start, end):
        message = "Months are compared with >= or <=, or by a range: java>=36, java:24..60."
        raise QueryError(message, start, end)


def _phrase(text: str, at: int) -> tuple[str, int]:
    for end in range(at + 1, len(text)):
        if text[end] in _QUOTES:
            words = text[at + 1 : end]
            if not words.strip():
                raise QueryError("There is nothing between the quotes.", at, end + 1)
            return words, end + 1
    raise QueryError("A quote is opened and never closed.", at, at + 1)


def _word_end(text: str, at: int) -> int:
    """A parenthesis inside a word, as in "React(JS)", belongs to it; one that closes a group does not."""
    found = _WORD_END.search(text, at + 1)
    end = found.start() if found else len(text)
    depth = 0
    for place in range(at, end):
        if text[place] == "(":
            close = text.find(")", place, end)
            if close < 0:
                return max(place, at + 1)
            depth += 1
        elif text[place] == ")":
            if not depth:
                return max(place, at + 1)
            depth -= 1
    return end


def _bounds(text: str, at: int, field: str | None) -> tuple[tuple[int | None, int | None] | None, int]:
    """A comparison or a range right after a skill. Other fields have no numbers."""
    if field not in (None, "skill"):
        return None, at
    if found := _RANGE.match(text, at):
        unit = 12 if (found[3] or "m").startswith("y") else 1
        least, most = _months(found[1], unit, found), _months(found[2], unit, found)
        if least > most:
            raise QueryError(
                "The first number of a range is the smaller one.", found.start() + 1, found.end()
            )
        return (least, most), found.end()
    if found := _COMPARISON.match(text, at):
        months = _months(found[2], 12 if (found[3] or found[4] or "m").startswith("y") else 1, found)
        operator = _plain(found[1])
        bounds = {
            ">=": (months, None),
            ">": (months + 1, None),
            "<=": (0, months),
            "<": (0, months - 1),
        }
        if operator == "<" and not months:
            raise QueryError("Nobody has less than 0 months.", found.start(), found.end())
        return bounds[operator], found.end()
    return None, at


def _plain(operator: str) -> str:
    return {"≥": ">=", "≤": "<=", "=>": ">=", "=<": "<="}.get(operator, operator)


def _months(digits: str, unit: int, found: re.Match[str]) -> int:
    if (months := round(float(digits) * unit)) > MOST_MONTHS:
        message = f"Months go up to {MOST_MONTHS:,}; {months:,} is more than a life's work."
        raise QueryError(message, found.start(), found.end())
    return months
