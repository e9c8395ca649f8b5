"""Skills by every form people write. Versions and vendors need no entries of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from evenhand.mining.lexicon.phrases import (
    DIGITS,
    LexiconText,
    as_text,
    key_of,
    known_openings,
    longest,
    reach_of,
    rows,
    words,
)
from evenhand.mining.lexicon.phrases import words as words_of_kind

# Versions and vendors around the name of a product: "Oracle 11g", "HTML5", "MS Excel 2010", "Apache Kafka".

_NUMBER = re.compile(r"(?:v|r|x|cs|es|ver|version|release)?\.?\d{1,2}(?:r\d)?(?:\.(?:\d+|x))*(?:\.x)?[a-z]{0,2}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_GLUED = re.compile(r"([a-z#.]*[a-z#])(\d{1,2}(?:\.\d+)*[a-z]?\+?)")
_WORDS = frozenset({"xi", "mx", "cc", "ts", "edition", "version", "ver", "v", "release", "r2", "sp1", "sp2", "sp3"})

_ALONE = frozenset({"xi", "mx", "cc", "r2"})  # versions without a number


def is_version(word: str) -> bool:
    return _NUMBER.fullmatch(word) is not None


def version_length(lower: Sequence[str], at: int, name: str) -> int:
    """How many words from `at` on are the version of the product `name` that ends before it."""
    start, end = at, len(lower)
    while at < end and lower[at] in _WORDS:
        at += 1
    if at > start and lower[at - 1] in _ALONE and (at == end or not _is_release(lower[at], name)):
        return at - start
    if at < end and _is_release(lower[at], name):
        at += 1
        while at < end and lower[at] in _WORDS:
            at += 1
        # "Java 5 years", "SQL 10 +": a duration
        if at < end and lower[at] in words("duration"):
            return 0
        return at - start
    return 0


def _is_release(word: str, name: str) -> bool:
    if not word[0].isdigit() and word[0] not in "vrcsex":
        return False
    if _YEAR.fullmatch(word):
        return name.rsplit(" ", 1)[-1] in words("yearly product")  # behind any other product a year is a date
    return is_version(word) and not word.endswith(_TENS)


_TENS = ("st", "nd", "rd", "th", "k", "hr", "am", "pm", "yr", "+")


MIN_GLUED_LENGTH = 3  # letters: "C2" is a level of a language


def unglued(word: str) -> str | None:
    """The name within "html5", "java8" or "python3.6"; None when nothing is glued to it."""
    match = _GLUED.fullmatch(word)
    return match.group(1) if match and len(match.group(1)) >= MIN_GLUED_LENGTH else None


KINDS = ("technology", "domain", "soft", "language", "method")


class SkillMatch(NamedTuple):
    """Words `first` up to but not including `last` are a form of the skill; an ambiguous one needs its context."""

    first: int
    last: int
    name: str
    ambiguous: bool


@dataclass(frozen=True, slots=True)
class SkillEntry:
    name: str  # canonical: lower case, as most people write it
    kind: str
    ambiguous: bool = False  # the canonical name is; an alias marked "?" is so alone
    aliases: tuple[str, ...] = ()  # "?" before one that is ambiguous


class SkillLexicon:
    """`find` gives the skills among words, `get` the canonical name of a whole phrase."""

    def __init__(self, entries: Iterable[SkillEntry]) -> None:
        self.entries = {entry.name: entry for entry in entries}
        self._names: dict[str, str] = {}
        self._ambiguous = {key_of(entry.name) for entry in self.entries.values() if entry.ambiguous}
        for entry in self.entries.values():
            for alias in entry.aliases:
                key = key_of(alias.removeprefix("?"))
                self._names.setdefault(key, entry.name)
                if alias[0] == "?":
                    self._ambiguous.add(key)
        for entry in self.entries.values():  # a name of its own is stronger than another's alias
            self._names[key_of(entry.name)] = entry.name
        self._reach = reach_of(self._names)
        self._vendors = words_of_kind("vendor")  # SAP, Oracle, Cisco are none: alone they are skills too
        self._openings = self._vendors | self._reach.keys()
        self._squashed: dict[str, str] | None = None  # made when first asked for
        self._products: dict[str, list[str]] | None = None
        self._technologies = {entry.name for entry in self.entries.values() if entry.kind == "technology"}

    def keys(self) -> Iterable[str]:
        """Every form, as phrases.key_of gives it."""
        return self._names.keys()

    def get(self, surface: str) -> str | None:
        """The canonical name of exactly this form, vendors and versions included in the comparison."""
        return self._names.get(key_of(surface))

    def kind(self, name: str) -> str | None:
        """The kind of a canonical name."""
        entry = self.entries.get(name)
        return entry.kind if entry else None

    def is_ambiguous(self, surface: str) -> bool:
        return key_of(surface) in self._ambiguous

    def squashed(self, surface: str) -> str | None:
        """The name of a form that differs only in blanks, dots and hyphens: "Java-Script", "Mongo DB", "NodeJs"."""
        if self._squashed is None:
            self._squashed = {}
            for key, name in self._names.items():
                self._squashed.setdefault(_squash(key), name)
        key = _squash(surface.lower())
        return self._squashed.get(key) if len(key) > 4 else None

    def products(self, letter: str) -> list[str]:
        """Forms of technologies of one word, six letters or more, that begin with the letter."""
        if self._products is None:
            self._products = {}
            for key, name in self._names.items():
                if len(key) >= 6 and key.isalpha() and name in self._technologies:
                    self._products.setdefault(key[0], []).append(key)
        return self._products.get(letter, [])

    def find(self, lower: Sequence[str]) -> list[SkillMatch]:
        """Skills among words in lower case.

        The longest form wins, matches do not overlap; a vendor before and a version behind belong to the match.
        """
        text = as_text(lower)
        plain = text.plain
        matches = []
        free = 0
        # Words that may be or open a skill, alone, with the next one, behind a vendor or before a version.
        names, reach, vendors = self._names, self._reach, self._vendors
        for at in [
            at
            for at, word, pair in text.candidates
            if word in names or pair in reach or word[-1] in DIGITS or word in vendors
        ]:
            if at < free:
                continue
            match = None
            if plain[at] in self._openings:
                match = self._match_at(text, at)
            elif (name := names.get(unglued(plain[at]) or "")) in self._technologies:
                match = SkillMatch(at, at + 1, name, False)
            if match is not None:
                matches.append(match)
                free = match.last
        return [SkillMatch(*text.span(first, last), name, ambiguous) for first, last, name, ambiguous in matches]

    def openings(self) -> Iterator[str]:
        """Words and pairs of words that may open a skill."""
        yield from known_openings(self._names, self._reach)
        yield from self._vendors

    def _match_at(self, text: LexiconText, at: int) -> SkillMatch | None:
        plain = text.plain
        length = longest(self._names, self._reach, text, at)
        if length == 0:
            return self._behind_vendor(text, at) if plain[at] in self._vendors else None
        key = " ".join(plain[at : at + length])
        name = self._names[key]
        last = at + length
        version = version_length(plain, last, name) if name in self._technologies and last < len(plain) else 0
        return SkillMatch(at, last + version, name, key in self._ambiguous and not version)

    def _behind_vendor(self, text: LexiconText, at: int) -> SkillMatch | None:
        """ "Apache Kafka", "MS Excel 2010": only products have vendors, and with one a name is not ambiguous."""
        plain = text.plain
        if at + 1 >= len(plain) or plain[at + 1] not in self._reach:
            return None
        match = self._match_at(text, at + 1)
        if match is None or match.name not in self._technologies:
            return None
        return SkillMatch(at, match.last, match.name, False)


def _squash(form: str) -> str:
    return "".join(char for char in form if char.isalnum() or char in "+#")


@cache
def skills() -> SkillLexicon:
    """The skills that ship with the package."""
    return SkillLexicon(
        SkillEntry(name, kind, flags == "ambiguous", tuple(aliases.split("|")) if aliases else ())
        for name, kind, flags, aliases in rows("skills.tsv")
    )
