"""How common words and skills are in resumes and ads at large, so that a score depends on nobody else's application."""

from __future__ import annotations

import math
from collections.abc import Mapping
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
    """In how many resumes, ads and titles of positions a word stands."""

    resumes: int = 0
    ads: int = 0
    titles: int = 0


@dataclass(frozen=True)
class Background:
    """Counts of a fixed collection. What it does not hold stands in hardly any document, and so tells much."""

    size: Commonness
    words: Mapping[str, Commonness]
    skills: Mapping[str, int]  # resumes that have it

    def knows(self, term: str) -> bool:
        return term in self.words

    def word_weight(self, term: str) -> float:
        """High for what is rare in resumes and in ads: a word that most ads use asks for nobody in particular."""
        found = self.words.get(term, _NOWHERE)
        return math.sqrt(rarity(found.resumes, self.size.resumes) * rarity(found.ads, self.size.ads))

    def title_weight(self, term: str) -> float:
        return rarity(self.words.get(term, _NOWHERE).titles, self.size.titles)

    def skill_weight(self, name: str) -> float:
        return rarity(self.skills.get(name, 0), self.size.resumes)

    def word_weights(self, numbers: Numbers) -> Floats:
        """The same for terms known by their numbers."""
        return self._words_by_number.of(numbers)

    def title_weights(self, numbers: Numbers) -> Floats:
        return self._titles_by_number.of(numbers)

    @cached_property
    def _words_by_number(self) -> _LookupTable:
        return _LookupTable.of_terms({term: self.word_weight(term) for term in self.words}, self.word_weight(""))

    @cached_property
    def _titles_by_number(self) -> _LookupTable:
        return _LookupTable.of_terms({term: self.title_weight(term) for term in self.words}, self.title_weight(""))


def rarity(documents: int, size: int) -> float:
    """0 for what stands everywhere."""
    return math.log((size + 1) / (documents + 1))


@dataclass(frozen=True, slots=True, eq=False)
class _LookupTable:
    keys: Numbers
    values: Floats
    otherwise: float

    @classmethod
    def of_terms(cls, values: Mapping[str, float], otherwise: float) -> _LookupTable:
        numbers = np.array([term_id(term) for term in values], np.uint32)
        order = np.argsort(numbers, kind="stable")
        return cls(numbers[order], np.array(list(values.values()), np.float64)[order], otherwise)

    def of(self, numbers: Numbers) -> Floats:
        if not len(self.keys):
            return np.full(len(numbers), self.otherwise)
        at = np.minimum(np.searchsorted(self.keys, numbers), len(self.keys) - 1)
        return np.where(self.keys[at] == numbers, self.values[at], self.otherwise)


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
