"""All lexicons as annotating needs them: phrases to mark among the words, lists a word is on, titles of sections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler

from evenhand.mining import skill_resolver as skill_names
from evenhand.mining.lexicon import places
from evenhand.mining.lexicon.degrees import DegreeLexicon
from evenhand.mining.lexicon.loading import Lexicon, load_lexicon
from evenhand.mining.lexicon.phrases import Phrases, known_openings, words
from evenhand.mining.lexicon.places import City, short_names
from evenhand.mining.lexicon.places import places as known_places
from evenhand.mining.lexicon.skills import SkillLexicon

Finder = Callable[[Sequence[str], Sequence[str]], list[tuple[int, int]]]
SIMILAR = 0.92  # Jaro-Winkler, for section titles with a typing error
MIN_SIMILAR_LENGTH = 5  # letters
TITLE_CACHE_SIZE = 20_000
LISTS = (
    *("stop", "month", "institution", "legal", "organisation", "title head", "title modifier", "certification"),
    *("education word", "personal word", "project word"),
)


@dataclass(eq=False)
class Vocabulary:
    known: Lexicon
    finders: tuple[tuple[str, Finder], ...]  # kind of mark, and what finds it among words in lower case and as written
    openings: frozenset[str]  # words and pairs of words that may open a phrase of any kind
    lists: dict[str, tuple[str, ...]]  # word to the names of the lists it is on
    _similar: dict[str, tuple[str, bool] | None] = field(default_factory=dict)

    @property
    def skills(self) -> SkillLexicon:
        return self.known.skills

    def lexical(self, word: str) -> tuple[str, ...]:
        return self.lists.get(word, ())

    def canonical_skill(self, surface: str) -> str:
        """The name under which all ways to write a skill are counted."""
        return skill_names.canonical(surface, self.known.skills)

    def find_city(self, text: str) -> City | None:
        return places.find_city(text)

    def section_title(self, text: str, *, fuzzy: bool) -> tuple[str, bool] | None:
        """The type of section that the text would open as a heading, and whether it only resembles a title."""
        kind = self.known.section_type(text)
        if kind:
            return kind, False
        if not fuzzy:
            return None
        key = text.lower().strip(" :.-\t")
        if key not in self._similar:
            if len(self._similar) >= TITLE_CACHE_SIZE:
                self._similar.clear()
            self._similar[key] = self._similar_title(key)
        return self._similar[key]

    def _similar_title(self, text: str) -> tuple[str, bool] | None:
        if len(text) < MIN_SIMILAR_LENGTH:
            return None
        titles = self.known.section_titles
        best = process.extractOne(text, titles.keys(), scorer=JaroWinkler.similarity, score_cutoff=SIMILAR)
        return (titles[best[0]], True) if best else None


def load_vocabulary(extra: Path | None = None) -> Vocabulary:
    """`extra` is a file of a user's own entries."""
    known = load_lexicon(extra)
    finders: tuple[tuple[str, Finder], ...] = (
        ("title", _phrase_finder(known.titles)),
        ("field", _phrase_finder(known.fields)),
        ("university", _phrase_finder(known.universities)),
        ("company", _phrase_finder(known.companies)),
        ("certificate", _phrase_finder(known.certifications)),
        ("degree", _degree_finder(known.degrees)),
        ("place", _find_places),
        ("school", _word_finder(words("institution"))),
        ("firm", _word_finder(words("legal") | words("organisation"))),
    )
    lists: dict[str, tuple[str, ...]] = {}
    for name in LISTS:
        for word in words(name):
            lists[word] = (*lists.get(word, ()), name)
    phrases = (known.titles, known.fields, known.universities, known.companies, known.certifications, known_places())
    openings = chain(
        known.skills.openings(), known.degrees.openings(), *(known_openings(some.table, some.reach) for some in phrases)
    )
    return Vocabulary(known, finders, frozenset(openings), lists)


def _phrase_finder(phrases: Phrases) -> Finder:
    return lambda lower, _: [(match.first, match.last) for match in phrases.find(lower)]


def _word_finder(wanted: frozenset[str]) -> Finder:
    """Words by which a stretch is known as a school or a firm though nobody knows its name: "college", "ltd"."""
    return lambda lower, words: [
        (at, at + 1) for at, word in enumerate(lower) if word in wanted and words[at][0].isupper()
    ]


def _degree_finder(degrees: DegreeLexicon) -> Finder:
    """ "be" and "me" in lower case are words, whatever stands around them."""
    return lambda lower, words: [
        (match.first, match.last)
        for match in degrees.find(lower)
        if not (match.abbreviated and words[match.first].islower() and "." not in words[match.first])
    ]


def _find_places(lower: Sequence[str], words: Sequence[str]) -> list[tuple[int, int]]:
    """Places are written with a capital; "TX" and "UK" are only what is written just so."""
    spans = [(place.first, place.last) for place in known_places().find(lower) if words[place.first][0].isupper()]
    codes = short_names()
    return spans + [(at, at + 1) for at, word in enumerate(words) if word in codes]
