"""All lexicons as the notes need them: phrases to mark among the words, lists a word is on, titles of sections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler

from evenhand.mining.lexicon.degrees import degrees
from evenhand.mining.lexicon.headings import section_titles, section_type
from evenhand.mining.lexicon.lists import certifications, companies, fields, titles, universities, words
from evenhand.mining.lexicon.phrases import Phrases
from evenhand.mining.lexicon.places import places as known_places
from evenhand.mining.lexicon.places import short_names
from evenhand.mining.lexicon.skills import SkillLexicon, skills
from evenhand.mining.resolver import places
from evenhand.mining.resolver import skills as skill_names

Found = tuple[int, int]
Finder = Callable[[Sequence[str], Sequence[str]], list[Found]]
SIMILAR = 0.92  # Jaro-Winkler, for section titles with a typing error
SHORTEST_SIMILAR = 5  # letters
LISTS = (
    "stop",
    "month",
    "institution",
    "legal",
    "organisation",
    "title head",
    "title modifier",
    "certification",
    "education word",
    "personal word",
    "project word",
)


@dataclass(eq=False)
class Vocabulary:
    skills: SkillLexicon
    finders: tuple[
        tuple[str, Finder], ...
    ]  # kind of mark, and what finds it among words in lower case and as written
    lists: dict[str, tuple[str, ...]]  # word to the names of the lists it is on

    def lexical(self, word: str) -> tuple[str, ...]:
        return self.lists.get(word, ())

    def canonical_skill(self, surface: str) -> str:
        """The name under which all ways to write a skill are counted."""
        return skill_names.canonical(surface)

    def find_city(self, text: str) -> places.City | None:
        return places.find_city(text)

    def section_title(self, text: str, *, fuzzy: bool) -> tuple[str, bool] | None:
        """The type of section that the text would open as a heading, and whether it only resembles a title."""
        kind = section_type(text)
        if kind:
            return kind, False
        return _similar_title(text.lower().strip(" :.-\t")) if fuzzy else None


@lru_cache(maxsize=20_000)
def _similar_title(text: str) -> tuple[str, bool] | None:
    if len(text) < SHORTEST_SIMILAR:
        return None
    known = section_titles()
    best = process.extractOne(text, known.keys(), scorer=JaroWinkler.similarity, score_cutoff=SIMILAR)
    return (known[best[0]], True) if best else None


def load_vocabulary(extra: Path | None = None) -> Vocabulary:
    """`extra` is a file of a user's own entries."""
    finders: tuple[tuple[str, Finder], ...] = (
        ("title", _phrase_finder(titles())),
        ("field", _phrase_finder(fields())),
        ("university", _phrase_finder(universities())),
        ("company", _phrase_finder(companies())),
        ("certificate", _phrase_finder(certifications())),
        ("degree", _find_degrees),
        ("place", _find_places),
    )
    lists: dict[str, tuple[str, ...]] = {}
    for name in LISTS:
        for word in words(name):
            lists[word] = (*lists.get(word, ()), name)
    return Vocabulary(skills(), finders, lists)


def _phrase_finder(phrases: Phrases) -> Finder:
    return lambda lower, _: [(found.first, found.last) for found in phrases.find(lower)]


def _find_degrees(lower: Sequence[str], words: Sequence[str]) -> list[Found]:
    """ "be" and "me" in lower case are words, whatever stands around them."""
    return [
        (found.first, found.last)
        for found in degrees().find(lower)
        if not (found.abbreviated and words[found.first].islower() and "." not in words[found.first])
    ]


def _find_places(lower: Sequence[str], words: Sequence[str]) -> list[Found]:
    """Places are written with a capital; "TX" and "UK" are only what is written just so."""
    found = [
        (place.first, place.last) for place in known_places().find(lower) if words[place.first][0].isupper()
    ]
    codes = short_names()
    return found + [(at, at + 1) for at, word in enumerate(words) if word in codes]
