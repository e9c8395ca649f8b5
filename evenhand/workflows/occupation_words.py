"""Which terms a model that ships may know: none that could be the name of a person, a place or an employer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from evenhand.corpora import lexicon as made_up
from evenhand.mining.lexicon import load_lexicon
from evenhand.mining.lexicon.places import city_rows, countries, regions, short_names
from evenhand.models.joined.prepared import Allowed
from evenhand.models.joined.recipe import LEAST_DOCUMENTS
from evenhand.models.joined.words import list_words, written_words

LONGEST_CAPITALS = 5
SHARE = 0.2  # of the resumes with a word, those that write it in lower case
NAME_SHARE = 0.5  # where the word is a name too


def allowed_terms(texts: Iterable[str]) -> Allowed:
    """Every word of a term is written in lower case by five resumes at least, and by a good share of those that
    have it, which names are not.

    Or it is a skill, or a word of the lexicons of skills, titles and fields, or short and written in capitals by
    five (HR, BPO), and no name of the lists: of people, nor, but for skills (SAP is a village), of places and
    employers.
    """
    lower: Counter[str] = Counter()
    capitals: Counter[str] = Counter()
    anyhow: Counter[str] = Counter()
    for text in texts:
        written = set(written_words(text))
        anyhow.update({word.lower() for word in written})
        lower.update(word for word in written if word.islower())
        capitals.update(word.lower() for word in written if word.isupper() and len(word) <= LONGEST_CAPITALS)
    common = {
        word
        for word, count in lower.items()
        if count >= LEAST_DOCUMENTS and count >= anyhow[word] * (NAME_SHARE if word in people() else SHARE)
    }
    short = {word for word, count in capitals.items() if count >= LEAST_DOCUMENTS}
    safe = frozenset(
        common | ((known_words() | short) - people() - places() - employers()) | (known_skills() - people())
    )

    def allowed(term: str) -> bool:
        return all(word in safe for word in term.split())

    return allowed


@lru_cache(maxsize=1)
def known_skills() -> frozenset[str]:
    """Those of one word."""
    return frozenset(key for key in load_lexicon().skills.keys() if " " not in key)  # noqa: SIM118 - no mapping


@lru_cache(maxsize=1)
def known_words() -> frozenset[str]:
    """Of the lexicons that the miner reads with."""
    known = load_lexicon()
    return _words((*known.skills.keys(), *known.titles.table, *known.fields.table))


@lru_cache(maxsize=1)
def people() -> frozenset[str]:
    """First and last names."""
    groups = [group for group in made_up.table("names.toml").values() if isinstance(group, dict)]
    return _words(name for group in groups for names in group.values() for name in names)


@lru_cache(maxsize=1)
def places() -> frozenset[str]:
    return _words((*city_rows(), *countries(), *regions(), *short_names()))


@lru_cache(maxsize=1)
def employers() -> frozenset[str]:
    return _words(load_lexicon().companies.table)


def _words(phrases: Iterable[str]) -> frozenset[str]:
    return frozenset(word for phrase in phrases for word in list_words(phrase))
