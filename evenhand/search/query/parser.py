"""Understands a search text: bare words and phrases are wishes, whatever carries an operator is a condition.

clauses  = clause ...                    next to each other at the top: each on its own
clause   = both OR both ...
both     = single AND single ...
single   = (NOT | + | -) ... primary
primary  = word | prefix* | "phrase" | field:word | skill>=months | ( clauses )    inside: all of them
"""

from __future__ import annotations

from collections.abc import Callable

from evenhand.errors import QueryError
from evenhand.records.profile import DEGREE_LEVELS
from evenhand.search.analysis import spans
from evenhand.search.query.tokens import OPERATORS, Token, tokens
from evenhand.search.query.tree import All, AnyOf, Degree, Experience, Months, Node, Not, SearchText, Words

DEEPEST = 20
_EXPERIENCE = ("total", "relevant")
_DEGREES = {"phd": "doctorate", "doctor": "doctorate", "bachelors": "bachelor", "masters": "master"}


def parse(text: str, *, resolve_skill: Callable[[str], str] | None = None) -> SearchText:
    """Raises QueryError, and nothing else. `resolve_skill` gives a skill's canonical name ("js": "javascript")."""
    # A shell hands on bytes that are no UTF-8 as half characters, which tantivy cannot take.
    clean = text.encode("utf-8", "replace").decode()
    return _Parser(list(tokens(clean)), resolve_skill or (lambda name: name)).search_text()


class _Parser:
    def __init__(self, tokens: list[Token], resolve_skill: Callable[[str], str]) -> None:
        self._tokens = tokens
        self._at = 0
        self._resolve_skill = resolve_skill

    def search_text(self) -> SearchText:
        wishes: list[Words] = []
        conditions: list[Node] = []
        while token := self._peek():
            if token.kind == ")":
                raise QueryError("This parenthesis closes nothing.", token.start, token.end)
            start = self._at
            node = self._either(0)
            if self._at == start + 1 and isinstance(node, Words) and node.where is None:
                wishes.extend([node] if node.terms else [])
            else:
                conditions.append(_searchable(node))
        return SearchText(tuple(wishes), tuple(conditions))

    def _peek(self) -> Token | None:
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
        if len(nodes) == 1:
            return nodes[0]
        return AnyOf(tuple(_searchable(node) for node in nodes))

    def _both(self, depth: int) -> Node:
        nodes = [self._single(depth)]
        while self._take("AND"):
            nodes.append(self._single(depth))
        if len(nodes) == 1:
            return nodes[0]
        return All(tuple(_searchable(node) for node in nodes))

    def _single(self, depth: int) -> Node:
        negative = False
        signed = False
        while (token := self._peek()) and token.kind in ("NOT", "+", "-"):
            negative ^= token.kind != "+"
            signed = True
            self._at += 1
        node = self._primary(depth)
        if signed:
            node = _searchable(node)
        return Not(node) if negative else node

    def _primary(self, depth: int) -> Node:
        token = self._peek()
        if token is None or token.kind in (*OPERATORS, ")"):
            raise self._lacking(token)
        self._at += 1
        return self._group(token, depth + 1) if token.kind == "(" else self._leaf(token)

    def _lacking(self, token: Token | None) -> QueryError:
        """An operator stands without what it should join; it is the one before, or the one found."""
        if token and (not self._at or self._tokens[self._at - 1].kind not in (*OPERATORS, "+", "-")):
            return QueryError(f"“{token.text}” needs something before it.", token.start, token.end)
        before = self._tokens[self._at - 1]
        return QueryError(f"“{before.text}” needs something after it.", before.start, before.end)

    def _group(self, opening: Token, depth: int) -> Node:
        if depth > DEEPEST:
            message = f"Parentheses are nested more than {DEEPEST} deep."
            raise QueryError(message, opening.start, opening.end)
        nodes: list[Node] = []
        while not self._take(")"):
            if self._peek() is None:
                raise QueryError("This parenthesis is never closed.", opening.start, opening.end)
            node = self._either(depth)
            if not (isinstance(node, Words) and not node.terms):  # "(head of sales)" does not ask for "of"
                nodes.append(node)
        if not nodes:
            raise QueryError(
                "There is nothing to search between the parentheses.", opening.start, opening.end
            )
        return nodes[0] if len(nodes) == 1 else All(tuple(nodes))

    def _leaf(self, token: Token) -> Node:
        if token.field == "skill":
            least, most = token.bounds or (None, None)
            if token.bounds and token.text in _EXPERIENCE and token.kind == "word":
                return Experience(token.text, least, most)
            return Months(self._resolve_skill(" ".join(token.text.split())), least, most)
        if token.field == "degree":
            return _degree(token)
        return _words(token)


def _searchable(node: Node) -> Node:
    if isinstance(node, Words) and not node.terms:
        raise QueryError(f"“{node.text}” is too common to search for.", *node.place)
    return node


def _words(token: Token) -> Words:
    prefix = token.kind == "word" and token.text.endswith("*")
    text = token.text.rstrip("*") if prefix else token.text
    found = spans(text)
    words = Words(
        text,
        tuple(span.term for span in found),
        tuple(span.position for span in found),
        prefix and len(found) == 1,
        token.field,
        (token.start, token.end),
    )
    if token.field:
        _searchable(words)
    return words


def _degree(token: Token) -> Node:
    letters = "".join(character for character in token.text.casefold() if character.isalnum())
    letters = letters.removesuffix("s") if letters.removesuffix("s") in DEGREE_LEVELS else letters
    level = _DEGREES.get(letters, letters)
    if level in DEGREE_LEVELS:
        return Degree(tuple(other for other in DEGREE_LEVELS if _holds(other, token.compare, level)))
    raise QueryError(
        f"“{token.text}” is no level of degree; there are {', '.join(DEGREE_LEVELS)}.", token.start, token.end
    )


def _holds(level: str, compare: str | None, bound: str) -> bool:
    difference = DEGREE_LEVELS.index(level) - DEGREE_LEVELS.index(bound)
    if difference == 0:
        return compare not in ("<", ">")
    return compare is not None and (difference > 0) == compare.startswith(">")
