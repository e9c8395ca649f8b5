"""What is left of an organisation's name without legal form, address and small words, with its aliases resolved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from evenhand.mining.lexicon import companies, key_of, universities, words
from evenhand.mining.lexicon.files import blocks
from evenhand.mining.lexicon.places import countries, places, regions, short_names

SMALL = frozenset({"the", "of", "and", "&", "for", "at", "in", "de", "la", "del", "du", "y", "e", "a", "an"})
_OF = frozenset({"of", "de", "for", "at", "del", "du"})
_WORD = re.compile(r"\w+(?:[&'’]\w+)*")
_INITIAL = re.compile(r"(?<=\b\w)\.(?=\w\b)|(?<=\b\w)\.")
_NOTE = re.compile(r"\([^()]*\)")


@dataclass(frozen=True, slots=True)
class Core:
    words: tuple[str, ...]  # what tells organisations apart, aliases resolved
    plain: tuple[str, ...]  # the same as it was written
    places: tuple[str, ...]  # where, when the name says so

    @property
    def initials(self) -> str:
        return "".join(word[0] for word in self.plain)


@lru_cache(maxsize=50_000)
def core_of(name: str) -> Core:
    """ "Universidad Carlos III Madrid, Spain": universidad carlos iii, in Madrid and Spain."""
    head, *address = _NOTE.sub(" ", name).replace("’", "'").split(",")
    written = _without_legal(words_in(head))
    where: list[str] = []
    for piece in address:
        found = _without_legal(words_in(piece))
        if _is_place(found, piece):
            where += found
        elif not words("legal").issuperset(found):
            written += found
    kept, tail = _split_place(written)
    known = _canonical([*written, *where]) or _canonical(written) or _canonical(kept)
    full = known or _resolved(kept)
    core, inner = _split_place(_without_legal(full))
    return Core(_telling(core), _telling(kept), tuple(dict.fromkeys([*inner, *tail, *where])))


def words_in(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(_INITIAL.sub("", text))]  # "H.P." is "HP"


def _telling(found: Sequence[str]) -> tuple[str, ...]:
    kept = [word for word in found if word not in SMALL] or list(found)
    return tuple(stem(word) for word in kept)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Abbreviations in full, plurals as singular: "Univ", "Labs", "Services"."""
    full = _abbreviations().get(word, word)
    return full[:-1] if len(full) > 4 and full[-1] == "s" and full[-2] not in "sui'" else full


@cache
def _abbreviations() -> dict[str, str]:
    return {forms[0]: forms[1] for kind, forms in blocks("words.txt") if kind == "abbreviation"}


def _without_legal(found: list[str]) -> list[str]:
    kept = list(found)
    while len(kept) > 1 and kept[-1] in words("legal"):
        kept.pop()
    return kept


def _is_place(found: list[str], written: str) -> bool:
    phrase = " ".join(found)
    return written.strip(" .") in short_names() or phrase in places().table or phrase in regions()


def _split_place(found: list[str]) -> tuple[list[str], list[str]]:
    """A country or city at the end is where, not who: unless it is all there is, or "of" stands before it."""
    kept, where = list(found), list[str]()
    for size in (3, 2, 1, 1):
        tail = " ".join(kept[-size:])
        enough = len(kept) - size >= (1 if tail in countries() or tail in {"usa", "uk", "uae"} else 2)
        if enough and kept[-size - 1] not in _OF and (tail in places().table or tail in {"usa", "uk", "uae"}):
            where = kept[-size:] + where
            kept = _without_legal(kept[:-size])
    return kept, where


def _canonical(found: Sequence[str]) -> list[str] | None:
    """The name of a well-known organisation in full, when these words are one of its names."""
    phrase = " ".join(found)
    for known in (companies(), universities()):
        name = known.table.get(phrase)
        if name and name != phrase:
            return key_of(name.replace(",", " ")).split()
        if name:
            return list(found)
    return None


def _resolved(found: list[str]) -> list[str]:
    """A beginning that is a well-known name: "IIT Patna", "HP Labs"."""
    for size in range(len(found) - 1, 0, -1):
        beginning = found[:size]
        name = _canonical(beginning)
        if name and (size > 1 or len(beginning[0]) < 6) and name != beginning:
            return name + found[size:]
    return found
