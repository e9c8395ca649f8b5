"""How common words and skills are in resumes and ads at large, so that a score depends on nobody else's application."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from evenhand.search.analysis import term_id

Numbers = NDArray[np.uint32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Commonness:
    """In how many resumes, ads and titles of positions a word stands, and how often in the resumes."""

    resumes: int = 0
    ads: int = 0
    titles: int = 0
    occurrences: int = 0  # in all the resumes together


@dataclass(frozen=True)
class Background:
    """Counts of a fixed collection. What it does not hold stands in hardly any document, and so tells much."""

    size: Commonness
    words: Mapping[str, Commonness]
    skills: Mapping[str, int]  # resumes that have it

    def knows(self, term: str) -> bool:
        return term in self.words

    def word(self, term: str) -> Commonness:
        return self.words.get(term, _NOWHERE)

    def word_weight(self, term: str) -> float:
        """High for what is rare in resumes and in ads: a word that most ads use asks for nobody in particular."""
        found = self.word(term)
        return math.sqrt(rarity(found.resumes, self.size.resumes) * rarity(found.ads, self.size.ads))

    def title_weight(self, term: str) -> float:
        return rarity(self.word(term).titles, self.size.titles)

    def skill_weight(self, name: str) -> float:
        return rarity(self.skills.get(name, 0), self.size.resumes)

    def known(self, numbers: Numbers) -> NDArray[np.bool_]:
        """Which of the terms, by their numbers, it holds."""
        return self._places(numbers) > 0

    @cached_property
    def _places(self) -> Callable[[Numbers], Floats]:
        return _lookup(dict.fromkeys(self.words, 1.0), 0.0)

    @cached_property
    def word_weights(self) -> Callable[[Numbers], Floats]:
        """The same for terms known by their numbers."""
        return _lookup({term: self.word_weight(term) for term in self.words}, self.word_weight(""))

    @cached_property
    def title_weights(self) -> Callable[[Numbers], Floats]:
        return _lookup({term: self.title_weight(term) for term in self.words}, self.title_weight(""))


def rarity(documents: int, size: int) -> float:
    """0 for what stands everywhere."""
    return math.log((size + 1) / (documents + 1))


def _lookup(values: Mapping[str, float], otherwise: float) -> Callable[[Numbers], Floats]:
    """Gives the values of terms, known by their numbers; `otherwise` for those that have none."""
    keys = np.array([term_id(term) for term in values], np.uint32)
    order = np.argsort(keys, kind="stable")
    keys, sorted_values = keys[order], np.array(list(values.values()), np.float64)[order]

    def look_up(numbers: Numbers) -> Floats:
        if not len(keys):
            return np.full(len(numbers), otherwise)
        at = np.minimum(np.searchsorted(keys, numbers), len(keys) - 1)
        return np.where(keys[at] == numbers, sorted_values[at], otherwise)

    return look_up


_NOWHERE = Commonness()


@lru_cache(maxsize=1)
def load_background() -> Background:
    """The counts that ship with the package; `SOURCES.md` beside them says what was counted."""
    words = _rows("words.tsv")
    skills = _rows("skills.tsv")
    return Background(
        Commonness(*words.pop("#")),
        {term: Commonness(*counts) for term, counts in words.items()},
        {name: counts[0] for name, counts in skills.items() if name != "#"},
    )


def _rows(name: str) -> dict[str, list[int]]:
    """The row called # holds the sizes of the collection."""
    lines = files(__package__).joinpath(name).read_text("utf-8").splitlines()
    return {key: [int(count) for count in counts] for key, *counts in (line.split("\t") for line in lines)}
