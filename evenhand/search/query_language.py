"""Understands a search text: bare words and phrases are wishes, whatever carries an operator is a condition.

clauses  = clause ...                    next to each other at the top: each on its own
clause   = both OR both ...
both     = single AND single ...
single   = (NOT | + | -) ... primary
primary  = word | prefix* | "phrase" | field:word | skill>=months | ( clauses )    inside: all of them
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from evenhand.errors import QueryError
from evenhand.records.profile import DEGREE_LEVELS
from evenhand.search.analysis import spans

# Cuts a search text into words, phrases, fields, comparisons and operators, each with its place.

FIELDS = ("title", "employer", "school", "skill", "city", "degree", "source", "status")
OPERATORS = ("AND", "OR", "NOT")
MAX_QUERY_LENGTH = 2_000
MAX_MONTHS = 1_200

_QUOTES = '"“”„‟«»〝〞＂'
_NAME = re.compile(r"([A-Za-z]{2,}):(?![:/\\])")
_NO_FIELDS = ("mailto", "tel", "urn", "callto")  # what stands before a colon in addresses
_NUMBER = r"(\d{1,9}(?:\.\d)?)(?:\s*(years?|yrs?|months?)|([ym]))?(?=[\s)]|$)"
_SIGN = re.compile(rf"[+-](?=[.#@]?\w|[({_QUOTES}])")  # "a -> b" and "c++" hold none
_OPERATOR = r"\s*(>=|<=|=>|=<|≥|≤|>|<)\s*"
_DEGREE_COMPARISON = re.compile(r"degree" + _OPERATOR + r"([A-Za-z.]+)(?=[\s)]|$)", re.IGNORECASE)
_COMPARISON = re.compile(_OPERATOR + _NUMBER)
# What was meant to filter and cannot be understood must not turn into a wish, which filters nothing.
_UNFINISHED = re.compile(r"(?:(?<!\s)\s++)?(?:>=|<=|=>|=<|≥|≤)")
_EQUALS = re.compile(r"[\w+#.]+==?\d+(?:(?:-|\.\.)\d+)?")
_RANGE = re.compile(r":(\d{1,9})\.\.(\d{1,9})(?:(years?|yrs?|months?|[ym]))?(?=[\s)]|$)")
_WORD_END = re.compile(rf"[\s{_QUOTES}]|(?:>=|<=|=>|=<|≥|≤|>|<)\s*\d|:\d+\.\.\d|$")


@dataclass(frozen=True, slots=True)
class QueryToken:
    """`kind` is word, phrase, an operator, or one of ( ) + -. Bounds are months, both ends included."""

    kind: str
    text: str
    start: int
    end: int
    field: str | None = None
    bounds: tuple[int | None, int | None] | None = None
    compare: str | None = None  # of degrees: >= > <= <


def tokens(text: str) -> Iterator[QueryToken]:
    """Raises QueryError where no reading makes sense."""
    if len(text) > MAX_QUERY_LENGTH:
        raise QueryError(f"The search is longer than {MAX_QUERY_LENGTH:,} characters.", MAX_QUERY_LENGTH, len(text))
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        if text[at] in "()" or _SIGN.match(text, at):
            token = QueryToken(text[at], text[at], at, at + 1)
        elif match := _DEGREE_COMPARISON.match(text, at):
            token = QueryToken("word", match[2], at, match.end(), "degree", compare=_plain(match[1]))
        elif name := _field(text, at):
            token = _value(text, at, at + len(name) + 1, name.lower())
        else:
            token = _value(text, at, at, None)
        at = token.end
        if token.kind != "word" or any(character.isalnum() for character in token.text):
            yield token


def _field(text: str, at: int) -> str | None:
    match = _NAME.match(text, at)
    if not match or match[1].lower() in _NO_FIELDS or _RANGE.match(text, match.end() - 1):
        return None
    name, end = match[1], match.end()
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


def _value(text: str, start: int, at: int, field: str | None) -> QueryToken:
    if text[at] in _QUOTES:
        close = next((place for place in range(at + 1, len(text)) if text[place] in _QUOTES), None)
        if close is None:
            raise QueryError("A quote is opened and never closed.", at, at + 1)
        kind, words, end = "phrase", text[at + 1 : close], close + 1
        if not words.strip():
            raise QueryError("There is nothing between the quotes.", at, end)
    else:
        end = _word_end(text, at)
        kind, words = "word", text[at:end]
    kind = words if kind == "word" and field is None and words in OPERATORS else kind
    bounds, bounds_end = _bounds(text, end, field)
    if bounds is None or not any(character.isalnum() for character in words):
        _check_comparison(text, start, end, kind)
        return QueryToken(kind, words, start, end, field)
    if kind == "word" and words[0] in "<>":
        raise QueryError("Months between two numbers are written like java:24..60.", start, bounds_end)
    return QueryToken(kind, words, start, bounds_end, field or "skill", bounds)


def _check_comparison(text: str, start: int, end: int, kind: str) -> None:
    inside = _UNFINISHED.search(text, start, end) if kind == "word" else None
    if match := inside or _UNFINISHED.match(text, end):
        sign = match[0].strip()
        message = f"“{sign}” needs a skill before it and a number of months after it, as in java>=36."
        raise QueryError(message, match.end() - len(sign), match.end())
    if kind == "word" and _EQUALS.fullmatch(text, start, end):
        message = "Months are compared with >= or <=, or by a range: java>=36, java:24..60."
        raise QueryError(message, start, end)


def _word_end(text: str, at: int) -> int:
    """A parenthesis inside a word, as in "React(JS)", belongs to it; one that closes a group does not."""
    match = _WORD_END.search(text, at + 1)
    end = match.start() if match else len(text)
    depth = 0
    for place in range(at, end):
        if text[place] == "(" and ")" in text[place:end]:
            depth += 1
        elif text[place] == ")" and depth:
            depth -= 1
        elif text[place] in "()":
            return max(place, at + 1)
    return end


def _bounds(text: str, at: int, field: str | None) -> tuple[tuple[int | None, int | None] | None, int]:
    """A comparison or a range right after a skill. Other fields have no numbers."""
    if field not in (None, "skill"):
        return None, at
    if match := _RANGE.match(text, at):
        unit = 12 if (match[3] or "m").startswith("y") else 1
        least, most = _months(match[1], unit, match), _months(match[2], unit, match)
        if least > most:
            raise QueryError("The first number of a range is the smaller one.", match.start() + 1, match.end())
        return (least, most), match.end()
    if match := _COMPARISON.match(text, at):
        months = _months(match[2], 12 if (match[3] or match[4] or "m").startswith("y") else 1, match)
        operator = _plain(match[1])
        bounds = {">=": (months, None), ">": (months + 1, None), "<=": (0, months), "<": (0, months - 1)}
        if operator == "<" and not months:
            raise QueryError("Nobody has less than 0 months.", match.start(), match.end())
        return bounds[operator], match.end()
    return None, at


def _plain(operator: str) -> str:
    return {"≥": ">=", "≤": "<=", "=>": ">=", "=<": "<="}.get(operator, operator)


def _months(digits: str, unit: int, match: re.Match[str]) -> int:
    if (months := round(float(digits) * unit)) > MAX_MONTHS:
        message = f"Months go up to {MAX_MONTHS:,}; {months:,} is more than a life's work."
        raise QueryError(message, match.start(), match.end())
    return months


# What a search text says once it is understood: wishes that only rank, conditions that must hold.


@dataclass(frozen=True, slots=True)
class PhraseCondition:
    """Terms that stand together in this order; `positions` leave room for the stop words between them."""

    text: str  # as typed, without quotes
    terms: tuple[str, ...]
    positions: tuple[int, ...]
    prefix: bool = False  # `jav*`: any term that begins so
    where: str | None = None  # a field; None: anywhere in the resume
    place: tuple[int, int] = field(default=(0, 0), compare=False)  # in what was typed


@dataclass(frozen=True, slots=True)
class Months:
    """A skill, and how long it was used: with a bound, only dated months count. Both None: the skill at all."""

    skill: str
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class ExperienceCondition:
    """Months of experience (`total`), or of that with a skill the job asks for (`relevant`)."""

    kind: str
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Degree:
    """Any of these levels."""

    levels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Not:
    node: Node


@dataclass(frozen=True, slots=True)
class All:
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    nodes: tuple[Node, ...]


Node = PhraseCondition | Months | ExperienceCondition | Degree | Not | All | AnyOf


@dataclass(frozen=True, slots=True)
class SearchText:
    wishes: tuple[PhraseCondition, ...] = ()
    conditions: tuple[Node, ...] = ()  # all of them


def sought_words(text: SearchText) -> Iterator[PhraseCondition]:
    """Wishes, and words that a condition asks for; not those that must not be there."""
    yield from text.wishes
    yield from (node for node in _sought(text.conditions) if isinstance(node, PhraseCondition))


def sought_skills(text: SearchText) -> Iterator[str]:
    """That a condition asks for."""
    yield from (node.skill for node in _sought(text.conditions) if isinstance(node, Months))


def _sought(nodes: tuple[Node, ...]) -> Iterator[Node]:
    for node in nodes:
        if isinstance(node, All | AnyOf):
            yield from _sought(node.nodes)
        elif not isinstance(node, Not):
            yield node


MAX_DEPTH = 20
_EXPERIENCE = ("total", "relevant")
_DEGREES = {"phd": "doctorate", "doctor": "doctorate", "bachelors": "bachelor", "masters": "master"}


def parse(text: str, *, resolve_skill: Callable[[str], str] | None = None) -> SearchText:
    """Raises QueryError, and nothing else. `resolve_skill` gives a skill's canonical name ("js": "javascript")."""
    # A shell hands on bytes that are no UTF-8 as half characters, which tantivy cannot take.
    clean = text.encode("utf-8", "replace").decode()
    return _Parser(list(tokens(clean)), resolve_skill or (lambda name: name)).search_text()


class _Parser:
    def __init__(self, tokens: list[QueryToken], resolve_skill: Callable[[str], str]) -> None:
        self._tokens = tokens
        self._at = 0
        self._resolve_skill = resolve_skill

    def search_text(self) -> SearchText:
        wishes: list[PhraseCondition] = []
        conditions: list[Node] = []
        while token := self._peek():
            if token.kind == ")":
                raise QueryError("This parenthesis closes nothing.", token.start, token.end)
            start = self._at
            node = self._either(0)
            if self._at == start + 1 and isinstance(node, PhraseCondition) and node.where is None:
                wishes.extend([node] if node.terms else [])
            else:
                conditions.append(_searchable(node))
        return SearchText(tuple(wishes), tuple(conditions))

    def _peek(self) -> QueryToken | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self, kind: str) -> bool:
        token = self._peek()
        if token is None or token.kind != kind:
            return False
        self._at += 1
        return True

    def _either(self, depth: int) -> Node:
        nodes = [self._both(depth)]
        while self._take("OR"):
            nodes.append(self._both(depth))
        return nodes[0] if len(nodes) == 1 else AnyOf(tuple(map(_searchable, nodes)))

    def _both(self, depth: int) -> Node:
        nodes = [self._single(depth)]
        while self._take("AND"):
            nodes.append(self._single(depth))
        return nodes[0] if len(nodes) == 1 else All(tuple(map(_searchable, nodes)))

    def _single(self, depth: int) -> Node:
        negative = signed = False
        while (token := self._peek()) and token.kind in ("NOT", "+", "-"):
            negative ^= token.kind != "+"
            signed = True
            self._at += 1
        token = self._peek()
        if token is None or token.kind in (*OPERATORS, ")"):
            raise self._lacking(token)
        self._at += 1
        node = self._group(token, depth + 1) if token.kind == "(" else self._leaf(token)
        if signed:
            node = _searchable(node)
        return Not(node) if negative else node

    def _lacking(self, token: QueryToken | None) -> QueryError:
        """An operator stands without what it should join; it is the one before, or the one found."""
        if token and (not self._at or self._tokens[self._at - 1].kind not in (*OPERATORS, "+", "-")):
            return QueryError(f"“{token.text}” needs something before it.", token.start, token.end)
        before = self._tokens[self._at - 1]
        return QueryError(f"“{before.text}” needs something after it.", before.start, before.end)

    def _group(self, opening: QueryToken, depth: int) -> Node:
        if depth > MAX_DEPTH:
            message = f"Parentheses are nested more than {MAX_DEPTH} deep."
            raise QueryError(message, opening.start, opening.end)
        nodes: list[Node] = []
        while not self._take(")"):
            if self._peek() is None:
                raise QueryError("This parenthesis is never closed.", opening.start, opening.end)
            node = self._either(depth)
            if not (isinstance(node, PhraseCondition) and not node.terms):  # "(head of sales)" does not ask for "of"
                nodes.append(node)
        if not nodes:
            raise QueryError("There is nothing to search between the parentheses.", opening.start, opening.end)
        return nodes[0] if len(nodes) == 1 else All(tuple(nodes))

    def _leaf(self, token: QueryToken) -> Node:
        if token.field == "skill":
            least, most = token.bounds or (None, None)
            if token.bounds and token.text in _EXPERIENCE and token.kind == "word":
                return ExperienceCondition(token.text, least, most)
            return Months(self._resolve_skill(" ".join(token.text.split())), least, most)
        return _degree(token) if token.field == "degree" else _words(token)


def _searchable(node: Node) -> Node:
    if isinstance(node, PhraseCondition) and not node.terms:
        raise QueryError(f"“{node.text}” is too common to search for.", *node.place)
    return node


def _words(token: QueryToken) -> PhraseCondition:
    prefix = token.kind == "word" and token.text.endswith("*")
    text = token.text.rstrip("*") if prefix else token.text
    words = spans(text)
    terms, positions = tuple(word.term for word in words), tuple(word.position for word in words)
    place = (token.start, token.end)
    condition = PhraseCondition(text, terms, positions, prefix and len(words) == 1, token.field, place)
    if token.field:
        _searchable(condition)
    return condition


def _degree(token: QueryToken) -> Node:
    letters = "".join(character for character in token.text.casefold() if character.isalnum())
    letters = letters.removesuffix("s") if letters.removesuffix("s") in DEGREE_LEVELS else letters
    level = _DEGREES.get(letters, letters)
    if level not in DEGREE_LEVELS:
        message = f"“{token.text}” is not a level of degree. Levels are {', '.join(DEGREE_LEVELS)}."
        raise QueryError(message, token.start, token.end)
    at = DEGREE_LEVELS.index(level)
    below, above = DEGREE_LEVELS[:at], DEGREE_LEVELS[at + 1 :]
    levels = {">=": (level, *above), ">": above, "<=": (*below, level), "<": below, None: (level,)}
    return Degree(levels[token.compare])
