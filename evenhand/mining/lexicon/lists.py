"""Words and phrases other than skills: titles, fields, universities, companies, certifications, words that tell."""

from __future__ import annotations

from functools import cache

from evenhand.mining.lexicon.files import blocks, lines
from evenhand.mining.lexicon.phrases import Phrases, both_apostrophes, key_of


class Named(Phrases):
    """Phrases of which some are ambiguous: "it" is a field of study only where one is expected."""

    def __init__(self, table: dict[str, str], ambiguous: frozenset[str]) -> None:
        super().__init__(table)
        self.ambiguous = ambiguous

    def is_ambiguous(self, phrase: str) -> bool:
        return key_of(phrase) in self.ambiguous


def read_named(name: str, more: dict[str, str] | None = None) -> Named:
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
    return Named(table, frozenset(ambiguous))


@cache
def words(kind: str) -> frozenset[str]:
    """The words of one block of words.txt: "stop", "month", "institution", "legal", "organisation", "title head",
    "title modifier", "certification", "education word", "personal word", "project word"."""
    found = _words().get(kind)
    if found is None:
        raise KeyError(f"no words of kind {kind!r}; there are: {', '.join(_words())}")
    return found


@cache
def _words() -> dict[str, frozenset[str]]:
    kinds: dict[str, set[str]] = {}
    for kind, forms in blocks("words.txt"):
        kinds.setdefault(kind, set()).add(forms[0])
    return {kind: frozenset(found) for kind, found in kinds.items()}


@cache
def titles() -> Phrases:
    """Job titles of two to five words, and head nouns that are one alone ("accountant")."""
    known = lines("titles.txt")  # made as keys
    return Phrases(dict(zip(known, known, strict=True)))


@cache
def fields() -> Named:
    """Fields of study and specialisations."""
    return read_named("fields.txt")


@cache
def universities() -> Named:
    """Universities and colleges of the world, and what people call them ("UCLA", "IIT Bombay", "JNTU")."""
    world = lines("universities.txt")  # made as keys
    return read_named("university_names.txt", dict(zip(world, world, strict=True)))


@cache
def companies() -> Named:
    """Well-known employers with acronyms."""
    return read_named("companies.txt")


@cache
def certifications() -> Named:
    """Certifications and licences."""
    return read_named("certifications.txt")
