"""Which terms a model that ships may know: none that could be the name of a person, a place or an employer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from evenhand.corpora import lexicon as made_up
from evenhand.mining.lexicon import load_lexicon
from evenhand.mining.lexicon.places import city_rows, countries, regions
from evenhand.models.joined.prepared import Allowed
from evenhand.models.joined.recipe import LEAST_DOCUMENTS
from evenhand.models.joined.words import find_words, written_words


def allowed_terms(texts: Iterable[str]) -> Allowed:
    """Every word of a term is written in lower case by five resumes at least, which names are not.

    Or it is a word of the lexicon of skills, titles, fields and degrees, or short and written in capitals by five
    (HR, BPO), and in neither case a name of the lists of names and places.
    """
    lower: Counter[str] = Counter()
    capitals: Counter[str] = Counter()
    for text in texts:
        written = set(written_words(text))
        lower.update(word for word in written if word.islower())
        capitals.update(word.lower() for word in written if word.isupper() and len(word) <= LONGEST_CAPITALS)
    common = {word for word, count in lower.items() if count >= LEAST_DOCUMENTS}
    short = {word for word, count in capitals.items() if count >= LEAST_DOCUMENTS}
    safe = frozenset(common | ((known_words() | short) - names()))

    def allowed(term: str) -> bool:
        return all(word in safe for word in term.split())

    return allowed


LONGEST_CAPITALS = 5


@lru_cache(maxsize=1)
def known_words() -> frozenset[str]:
    """Of the lexicons that the miner reads with."""
    known = load_lexicon()
    phrases = (*known.skills.keys(), *known.titles.table, *known.fields.table)
    return frozenset(word.text for phrase in phrases for word in find_words(phrase))


@lru_cache(maxsize=1)
def names() -> frozenset[str]:
    """First and last names, and places, word by word."""
    people = made_up.table("names.toml")
    listed = [
        name
        for origin in people.values()
        if isinstance(origin, dict)
        for kind in origin.values()
        for name in kind
    ]
    places = (*city_rows(), *countries(), *regions())
    return frozenset(word.text for name in (*listed, *places) for word in find_words(str(name)))
