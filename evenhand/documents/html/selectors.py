"""Selectors: what of one the parser can match, how much it weighs, and whether nothing of it had to be left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from evenhand.documents.html import css
from evenhand.documents.html.css import TABLES

_KNOWN = frozenset(TABLES["selectors"]["known"].split())
_NEVER = frozenset(TABLES["selectors"]["never"].split())
_PARTS = frozenset(TABLES["selectors"]["parts"].split())
_CASELESS = frozenset(TABLES["selectors"]["caseless"].split())
_SAME: dict[str, str] = TABLES["selectors"]["same"]
_OLD_PARTS = ("before", "after", "first-line", "first-letter")
_LISTS = ("is", "where", "not", "has", "matches", "-webkit-any")
_ANY = ":not(x-none)"  # every element
_MAX_LENGTH = 2_000


class Selector(NamedTuple):
    """`text` matches at least what the selector does, and just that if it is `certain`."""

    text: str
    certain: bool = True
    possible: bool = True  # False for what only the mouse or the keyboard brings about
    rank: tuple[int, int, int] = (0, 0, 0)
    part: str | None = None


_ANYTHING = Selector("*", certain=False)


def read_selector(tokens: Sequence[Any], depth: int = 0) -> Selector:
    text: list[str] = []
    certain = possible = True
    part = None
    rank = [0, 0, 0]
    rest = [token for token in tokens if token.type != "comment"]
    while rest:
        token = rest.pop(0)
        if token.type == "literal" and token.value == ":":
            is_part = bool(rest) and rest[0] == ":"
            name = rest.pop(0) if rest and not is_part else rest.pop(1) if len(rest) > 1 else None
            rest = rest[1:] if is_part else rest
            if name is None or name.type not in ("ident", "function"):
                return _ANYTHING
            word = name.lower_value if name.type == "ident" else name.lower_name
            if is_part or word in _OLD_PARTS:
                part = word
                possible = possible and (word in ("before", "after") or not _holds_nothing(word))
                certain = certain and (word in _PARTS or word in _OLD_PARTS)
                rank[2] += 1
                continue
            simple = _pseudo_class(word, name, depth)
            text.append(simple.text)
            certain, possible = certain and simple.certain, possible and simple.possible
            rank = [a + b for a, b in zip(rank, simple.rank, strict=True)]
            continue
        if token.type == "literal" and token.value in ("|", "&", "||"):
            return _ANYTHING
        rank[0] += token.type == "hash"
        rank[1] += token.type == "[] block" or (token.type == "literal" and token.value == ".")
        rank[2] += token.type == "ident" and text[-1:] != ["."]
        text.append(_attribute(token) if token.type == "[] block" else token.serialize())
    joined = "".join(text).strip()
    if len(joined) > _MAX_LENGTH:
        return _ANYTHING
    return Selector(joined or "*", certain, possible, (rank[0], rank[1], rank[2]), part)


def _holds_nothing(part: str) -> bool:
    return part in _PARTS or part.startswith(("-moz-", "-ms-", "-o-"))


def _pseudo_class(word: str, token: Any, depth: int) -> Selector:
    weight = (0, 1, 0)
    if token.type == "ident" or word.startswith("nth-"):
        if word in _NEVER or word.startswith(("-moz-", "-ms-", "-o-")):
            return Selector(_ANY, word in _NEVER, possible=False, rank=weight)
        if word in _KNOWN:
            return Selector(":" + token.serialize(), rank=weight)
        return Selector(_SAME.get(word, _ANY), word in _SAME, rank=weight)
    if word not in _LISTS or depth > 5:
        return Selector(_ANY, certain=False, possible=word not in _NEVER, rank=weight)
    options = [
        read_selector(css.split(token.arguments)[place], depth + 1) for place in range(len(css.split(token.arguments)))
    ]
    weight = max((option.rank for option in options), default=(0, 0, 0)) if word != "where" else (0, 0, 0)
    certain = all(option.certain and option.part is None for option in options)
    likely = [option.text for option in options if option.possible]
    if word == "not":
        text = f":not({','.join(likely)})" if certain and likely else _ANY
        return Selector(text, certain, rank=weight)
    text = f":{'has' if word == 'has' else 'is'}({','.join(likely)})" if certain and likely else _ANY
    return Selector(text, certain, bool(likely), weight)


def _attribute(token: Any) -> str:
    """An attribute's selector, with browsers' view of which values are compared without regard to case."""
    inner = css.solid(token.content)
    names = css.words(inner)
    if names and names[0] in _CASELESS and len(inner) > 2 and names[-1] not in ("i", "s"):
        return str(token.serialize()[:-1]) + " i]"
    return str(token.serialize())
