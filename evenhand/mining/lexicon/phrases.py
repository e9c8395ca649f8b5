"""Phrases of several words found in a sequence of words: the longest first, never overlapping, never inside a word."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from evenhand.text.tokens import words_of

HYPHENS = frozenset("-‐‑‒–")
DIGITS = frozenset("0123456789")


class PhraseMatch(NamedTuple):
    """Words `first` up to but not including `last` are a form of `name`."""

    first: int
    last: int
    name: str


def key_of(phrase: str) -> str:
    """The form in which phrases are compared: words in lower case, one blank between, hyphens left out."""
    plain = phrase.lower()
    if plain.replace(" ", "").isalnum():  # most are, and it spares them the tokeniser
        return plain
    return " ".join(word for word in words_of(plain.replace("’", "'")) if word not in HYPHENS)


def both_apostrophes(key: str) -> tuple[str, ...]:
    """Texts have "bachelor's" and "bachelor’s"."""
    return (key, key.replace("'", "’")) if "'" in key else (key,)


class LexiconText(list[str]):
    """Words in lower case that several lexicons look through: what all of them need is worked out once.

    `known` are the words and pairs of words with which any of them has something to do.
    """

    def __init__(self, words: Iterable[str] = (), known: Container[str] | None = None) -> None:
        super().__init__(words)
        self.known = known

    @cached_property
    def places(self) -> list[int] | None:
        """Where each word that is no hyphen stands; None where there are no hyphens."""
        if HYPHENS.isdisjoint(self):
            return None
        return [at for at, word in enumerate(self) if word not in HYPHENS]

    @cached_property
    def plain(self) -> list[str]:
        """The words that are no hyphen."""
        return self if self.places is None else [self[at] for at in self.places]

    @cached_property
    def pairs(self) -> list[str]:
        """Each plain word with the one behind it; the last is alone."""
        plain = self.plain
        return [*map(" ".join, pairwise(plain)), *plain[-1:]]

    @cached_property
    def candidates(self) -> list[tuple[int, str, str]]:
        """Places of plain words, with the word and the pair it opens, that a lexicon may know."""
        rows = zip(range(len(self.plain)), self.plain, self.pairs, strict=True)
        known = self.known
        if known is None:
            return list(rows)
        return [row for row in rows if row[1] in known or row[2] in known or row[1][-1] in DIGITS]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The words, hyphens counted, of plain words `first` up to `last`."""
        return (first, last) if self.places is None else (self.places[first], self.places[last - 1] + 1)


def as_text(lower: Sequence[str]) -> LexiconText:
    return lower if isinstance(lower, LexiconText) else LexiconText(lower)


class Phrases:
    """A look-up by the first two words: what does not begin a phrase costs two dictionary accesses."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self.table = dict(table)
        self.reach = reach_of(self.table)

    def get(self, phrase: str) -> str | None:
        """The name the whole phrase stands for."""
        return self.table.get(key_of(phrase))

    def find(self, lower: Sequence[str]) -> list[PhraseMatch]:
        """All phrases among words in lower case. "e-commerce", "e commerce" and "e - commerce" are the same."""
        text = as_text(lower)
        return [
            PhraseMatch(*text.span(at, at + length), self.table[" ".join(text.plain[at : at + length])])
            for at, length in spans(self.table, self.reach, text)
        ]


def reach_of(keys: Iterable[str]) -> dict[str, int]:
    """For each first word, and for each first two, the number of words of the longest phrase they begin."""
    reach: dict[str, int] = {}
    for key in keys:
        words = key.count(" ") + 1
        first, _, rest = key.partition(" ")
        if reach.get(first, 0) < words:
            reach[first] = words
        if words > 1:
            pair = key if words == 2 else f"{first} {rest[: rest.index(' ')]}"
            if reach.get(pair, 0) < words:
                reach[pair] = words
    return reach


def spans(table: Mapping[str, object], reach: Mapping[str, int], text: LexiconText) -> Iterator[tuple[int, int]]:
    """Where phrases begin and how many plain words they have; the longest at each place, from left to right."""
    free = 0
    # Words that are a phrase or begin one with the next word: few do, and this loop is the fast one.
    for at in [at for at, word, pair in text.candidates if word in table or pair in reach]:
        if at >= free and (length := longest(table, reach, text, at)):
            free = at + length
            yield at, length


def known_openings(table: Iterable[str], reach: Iterable[str]) -> Iterator[str]:
    """What `LexiconText` must know for a lexicon: phrases of one word, and the first two words of the others."""
    yield from (phrase for phrase in table if " " not in phrase)
    yield from (opening for opening in reach if " " in opening)


def longest(table: Container[str], reach: Mapping[str, int], text: LexiconText, at: int) -> int:
    """How many plain words the longest phrase that begins here has; 0 when none does."""
    plain = text.plain
    words = min(reach.get(text.pairs[at], 0), len(plain) - at)
    while words > 1:
        if " ".join(plain[at : at + words]) in table:
            return words
        words -= 1
    return 1 if plain[at] in table else 0


# The data files of the lexicons: plain text beside the code, "#" begins a remark.
#
# Tables (.tsv) have one entry per line. Hand-written lists (.txt) have blocks: "[kind]" opens one, "; " parts entries,
# " | " a name from its other forms, and "?" before a form says that it is one only in context.

FOLDER = Path(__file__).resolve().parent.parent / "lexicons"


def lines(name: str) -> list[str]:
    text = (FOLDER / name).read_text(encoding="utf-8")
    return [line for line in text.split("\n") if line and line[0] != "#"]


def rows(name: str) -> Iterator[list[str]]:
    """Cells of a tab separated file."""
    for line in lines(name):
        yield line.split("\t")


def blocks(name: str) -> Iterator[tuple[str, list[str]]]:
    """Each entry of a hand-written list: the block it stands in, and its forms, the name first."""
    kind = ""
    for line in lines(name):
        if line[0] == "[" and line[-1] == "]":
            kind = line[1:-1]
            continue
        for entry in line.split("; "):
            yield kind, entry.split(" | ")


# Words and phrases other than skills: titles, fields, universities, companies, certifications, words that tell.


class AmbiguousPhrases(Phrases):
    """Phrases of which some are ambiguous: "it" is a field of study only where one is expected."""

    def __init__(self, table: dict[str, str], ambiguous: frozenset[str]) -> None:
        super().__init__(table)
        self.ambiguous = ambiguous


def read_named(name: str, more: dict[str, str] | None = None) -> AmbiguousPhrases:
    """`more` are keys with their names that the hand-written list does not hold."""
    table = dict(more or {})
    ambiguous = set()
    for _, forms in blocks(name):
        canonical = forms[0].removeprefix("?")
        for form in forms:
            for key in both_apostrophes(key_of(form.removeprefix("?"))):
                table[key] = canonical
                if form[0] == "?":
                    ambiguous.add(key)
    return AmbiguousPhrases(table, frozenset(ambiguous))


@cache
def words(kind: str) -> frozenset[str]:
    """The words of one block of words.txt, as "stop", "legal" or "title head"; KeyError where there is none."""
    if kind not in _words():
        raise KeyError(f"no words of kind {kind!r}; there are: {', '.join(_words())}")
    return _words()[kind]


@cache
def _words() -> dict[str, frozenset[str]]:
    kinds: dict[str, set[str]] = {}
    for kind, forms in blocks("words.txt"):
        kinds.setdefault(kind, set()).add(forms[0])
    return {kind: frozenset(members) for kind, members in kinds.items()}


@cache
def titles() -> Phrases:
    """Job titles of two to five words, and head nouns that are one alone ("accountant")."""
    known = lines("titles.txt")  # made as keys
    return Phrases(dict(zip(known, known, strict=True)))


@cache
def fields() -> AmbiguousPhrases:
    """Fields of study and specialisations."""
    return read_named("fields.txt")


@cache
def universities() -> AmbiguousPhrases:
    """Universities and colleges of the world, and what people call them ("UCLA", "IIT Bombay", "JNTU")."""
    world = lines("universities.txt")  # made as keys
    return read_named("university_names.txt", dict(zip(world, world, strict=True)))


@cache
def companies() -> AmbiguousPhrases:
    """Well-known employers with acronyms."""
    return read_named("companies.txt")


@cache
def certifications() -> AmbiguousPhrases:
    """Certifications and licences."""
    return read_named("certifications.txt")
