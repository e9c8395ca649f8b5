"""The one interface of all rankers, and the part they share: terms the screener typed."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evenhand.mining.lexicon.skills import skills as skill_lexicon
from evenhand.records.job import Job
from evenhand.records.ranking import Part, Score
from evenhand.search.analysis import term_id, terms
from evenhand.search.features import NOT_IN_USE, SKILL, FeatureTable, ResumeFeatures
from evenhand.search.rankers.background import load_background
from evenhand.search.statistics import Statistics

# Scores of many resumes as a table of addends, explained only where somebody looks.


Reason = Callable[[int, int], str | None]  # of row and column

GRID = 2.0**-40
"""Addends are multiples of this (about 1e-12), so that sums are exact. With rounded sums, two resumes a last bit apart
could become equal when both are given the same bonus, and one of them fall behind the other by its key."""
_EXACT_BELOW = 2.0**12


@dataclass(frozen=True, slots=True, eq=False)
class Contributions:
    """One row per resume, one column per addend; a resume's score is the sum of its row."""

    names: tuple[str, ...]  # of the columns
    values: NDArray[np.float64]  # resumes x columns
    reason: Reason
    always: int = 0  # columns, from the first, that are told even where they are 0: "0 of 7" says much

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", np.rint(self.values / GRID) * GRID)

    def totals(self) -> list[float]:
        """The exact sums: the very numbers that `Score.value` gives, so order and display cannot disagree."""
        if np.abs(self.values).sum(axis=1).max(initial=0.0) < _EXACT_BELOW:
            totals: list[float] = self.values.sum(axis=1).tolist()
            return totals
        return [math.fsum(row) for row in self.values.tolist()]

    def score(self, row: int) -> Score:
        """The largest addend first; those that are 0 only where they are always told."""
        values = self.values[row]
        told = {*range(self.always), *np.flatnonzero(values).tolist()}
        columns = sorted(told, key=lambda at: (-abs(values[at]), self.names[at]))
        return Score(tuple(Part(self.names[at], float(values[at]), self.reason(row, at)) for at in columns))

    def scores(self) -> list[Score]:
        return [self.score(row) for row in range(len(self.values))]


def join(tables: Sequence[Contributions]) -> Contributions:
    """Tables of the same resumes side by side."""
    starts = np.cumsum([0] + [len(table.names) for table in tables])

    def reason(row: int, column: int) -> str | None:
        at = int(np.searchsorted(starts, column, side="right")) - 1
        return tables[at].reason(row, column - int(starts[at]))

    names = tuple(name for table in tables for name in table.names)
    values = np.hstack([table.values for table in tables])
    return Contributions(names, values, reason, tables[0].always)


def order(totals: Sequence[float], keys: Sequence[str]) -> list[int]:
    """Rows from the highest score down. Equal scores go by the caller's keys, never by chance."""
    return sorted(range(len(totals)), key=lambda row: (-totals[row], keys[row]))


# What each resume has of a few terms or skills: the small dense tables that scores are made from.

Indices = NDArray[np.intp]


def frequencies(terms: Sequence[str], pool: Sequence[ResumeFeatures]) -> NDArray[np.float64]:
    """Resumes x terms: how often each mentions each."""
    wanted, columns = _numbers(terms)
    table = FeatureTable.of(pool)
    rows, found, places = _locate(wanted, table.terms, table.numbers("terms"))
    counts = np.zeros((len(table), len(wanted)))
    counts[rows, found] = table.counts[places]
    return counts[:, columns]


@dataclass(frozen=True, slots=True, eq=False)
class Mentions:
    """Resumes x terms."""

    counts: NDArray[np.float64]
    uses: NDArray[np.uint8]  # as in `ResumeFeatures`; NOT_IN_USE where a resume lacks a term


def mentions(terms: Sequence[str], pool: Sequence[ResumeFeatures]) -> Mentions:
    """How often each resume mentions each term, and how long ago a job or project last did."""
    wanted, columns = _numbers(terms)
    table = FeatureTable.of(pool)
    rows, found, places = _locate(wanted, table.terms, table.numbers("terms"))
    counts = np.zeros((len(table), len(wanted)))
    uses = np.full((len(table), len(wanted)), NOT_IN_USE, np.uint8)
    counts[rows, found] = table.counts[places]
    uses[rows, found] = table.uses[places]
    return Mentions(counts[:, columns], uses[:, columns])


def skill_table(skills: Sequence[str], pool: Sequence[ResumeFeatures]) -> NDArray[np.void]:
    """Resumes x skills, of dtype SKILL; where a resume lacks a skill, all fields are 0 (and so is `id`)."""
    wanted, columns = _numbers(skills)
    table = FeatureTable.of(pool)
    rows, found, places = _locate(wanted, table.skills["id"], table.numbers("skills"))
    held = np.zeros((len(table), len(wanted)), SKILL)
    held[rows, found] = table.skills[places]
    return held[:, columns]


def lengths(pool: Sequence[ResumeFeatures]) -> NDArray[np.float64]:
    return FeatureTable.of(pool).headers["length"].astype(np.float64)


def _numbers(names: Sequence[str]) -> tuple[NDArray[np.uint32], Indices]:
    """Distinct numbers, sorted, and for each name which of them is its own."""
    numbers = np.array([term_id(name) for name in names], np.uint32)
    return np.unique(numbers, return_inverse=True)


def _locate(
    wanted: NDArray[np.uint32], numbers: NDArray[np.uint32], lengths: NDArray[np.int64]
) -> tuple[Indices, Indices, Indices]:
    """Where wanted numbers stand: in which resume's stretch, which of them, and the place among all numbers."""
    if not len(wanted):
        none = np.empty(0, np.intp)
        return none, none, none
    # Nearly all terms of a resume are no term of the query; a look-up by the lower half of the number drops these
    # at a tenth of the cost of searching for each.
    perhaps = np.zeros(1 << 16, np.bool_)
    perhaps[wanted & 0xFFFF] = True
    places = np.flatnonzero(perhaps.take(numbers & np.uint32(0xFFFF)))
    columns = np.minimum(np.searchsorted(wanted, numbers[places]), len(wanted) - 1)
    same = wanted[columns] == numbers[places]
    places, columns = places[same], columns[same]
    return np.searchsorted(np.cumsum(lengths), places, side="right"), columns, places


# What a ranking is asked: the job's terms with how often they stand there, and what the screener typed.

ASKING_PASSAGES = ("duties", "requirements", "wishes", "other")
"""The passages that tell who is wanted; what the employer says of itself and its benefits describes no applicant."""


@dataclass(frozen=True, slots=True)
class QueryTerm:
    term: str
    count: int  # occurrences in the job's text
    skill: bool  # part of a word or phrase that is a known skill

    @property
    def id(self) -> int:
        return term_id(self.term)


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """A word or phrase the screener typed. It lifts the resumes that mention it and removes none."""

    text: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Query:
    job: Job
    text: str  # of the job, the asking passages only
    terms: tuple[QueryTerm, ...]  # distinct, in the order of the text
    search_terms: tuple[SearchTerm, ...] = ()


class SkillDictionary:
    """Skills, given as any names or surface forms, ready to be found in a text by their terms."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._phrases: dict[str, set[tuple[str, ...]]] = {}
        for name in names:
            if phrase := tuple(terms(name)):
                self._phrases.setdefault(phrase[0], set()).add(phrase)

    def found_in(self, sequence: Sequence[str]) -> set[str]:
        """The terms of the sequence that belong to a skill standing there, the longest skill first."""
        found: set[str] = set()
        at = 0
        while at < len(sequence):
            fitting = [
                len(phrase)
                for phrase in self._phrases.get(sequence[at], ())
                if tuple(sequence[at : at + len(phrase)]) == phrase
            ]
            longest = max(fitting, default=0)
            found.update(sequence[at : at + longest])
            at += longest or 1
        return found


COMMON_IN_ADS = 0.2
"""Of the ads at large: words that more of them have are no terms of a query, unless the title has them."""


def make_query(
    job: Job, *, search_terms: Sequence[str] = (), dictionary: SkillDictionary | None = None, with_common: bool = False
) -> Query:
    """`dictionary`: the skills mined from all resumes, for the rankers that favour skills. `with_common`: as version
    0.1 did, with the words that most ads have."""
    text = asking_text(job)
    sequence = terms(text)
    skills = dictionary.found_in(sequence) if dictionary else set()
    typed: dict[tuple[str, ...], SearchTerm] = {}
    for written in search_terms:  # typing a word twice asks no more than typing it once
        if phrase := tuple(terms(written)):
            typed.setdefault(phrase, SearchTerm(written, phrase))
    counts = Counter(sequence)
    background, title = load_background(), set(terms(job.title or ""))
    most = COMMON_IN_ADS * background.size.ads
    telling = {term for term in counts if term in title or background.word(term).ads <= most or _is_product(term)}
    chosen = counts if with_common or not telling else telling
    query_terms = tuple(QueryTerm(term, count, term in skills) for term, count in counts.items() if term in chosen)
    return Query(job, text, query_terms, tuple(typed.values()))


def _is_product(term: str) -> bool:
    """Whether it names a technology: "Python" tells who is wanted, though every fifth ad that was counted has it."""
    lexicon = skill_lexicon()
    entry = lexicon.entries.get(term)
    return entry is not None and entry.kind == "technology" and not lexicon.is_ambiguous(term)


def asking_text(job: Job) -> str:
    """The title and the passages that tell who is wanted, or all of a text without known passages."""
    if not job.passages:
        return job.text
    asking = [
        job.text[passage.place.start : passage.place.end] for passage in job.passages if passage.type in ASKING_PASSAGES
    ]
    if job.title and not any(job.title in passage for passage in asking):
        asking.insert(0, job.title)
    return "\n".join(asking)


SEARCH_TERM_SHARE = 0.05
"""What the rarest possible typed term adds, as a share of the ranker's `reference` score."""
SEARCH_TERM = "search term: "
"""How the name of each part begins that a typed term adds."""


class Ranker(ABC):
    """`base` and `reference` are a ranker's own; everything else follows from them."""

    name: ClassVar[str]

    @abstractmethod
    def base(self, query: Query, pool: Sequence[ResumeFeatures], statistics: Statistics) -> Contributions:
        """How well each resume fits the job. It does not look at the typed terms."""

    @abstractmethod
    def reference(self, query: Query, statistics: Statistics) -> float:
        """What a good fit scores more than none, so that typed terms weigh alike in every ranker.

        It depends on neither the resumes at hand nor the typed terms: what a term adds is the same for every resume
        that mentions it, whichever page or filter it is seen through.
        """

    def contributions(self, query: Query, pool: Sequence[ResumeFeatures], statistics: Statistics) -> Contributions:
        pool = FeatureTable.of(pool)
        return self.with_typed(self.base(query, pool, statistics), query, pool, statistics)

    def with_typed(
        self, own: Contributions, query: Query, pool: Sequence[ResumeFeatures], statistics: Statistics
    ) -> Contributions:
        """What `base` found, and a bonus for each typed term that a resume mentions."""
        if not query.search_terms:
            return own
        unit = SEARCH_TERM_SHARE * (self.reference(query, statistics) or 1.0)
        return join((own, typed_terms(query.search_terms, pool, statistics, unit=unit)))

    def rank(self, query: Query, pool: Sequence[ResumeFeatures], statistics: Statistics) -> list[Score]:
        """A score for each resume, in the order given; `contributions` is quicker when few are looked at."""
        return self.contributions(query, pool, statistics).scores()


def idf(document_frequency: int, number: int) -> float:
    """Lucene's classic form, positive for every term."""
    return 1.0 + math.log(number / (document_frequency + 1)) if number else 1.0


def typed_terms(
    search_terms: Sequence[SearchTerm], pool: Sequence[ResumeFeatures], statistics: Statistics, *, unit: float
) -> Contributions:
    """A fixed bonus for mentioning each, never more for mentioning it often, so no mentioning resume can move down."""
    words = sorted({word for typed in search_terms for word in typed.terms})
    mentioned = frequencies(words, pool) > 0
    column = {word: at for at, word in enumerate(words)}
    rarest = idf(0, statistics.number)
    values = np.zeros((len(pool), len(search_terms)))
    reasons = []
    for at, typed in enumerate(search_terms):
        # A phrase is at least as rare as its rarest word.
        frequency = min(statistics.document_frequency(word) for word in typed.terms)
        weight = unit * idf(frequency, statistics.number) / rarest
        values[:, at] = weight * mentioned[:, [column[word] for word in typed.terms]].all(axis=1)
        is_one = len(typed.terms) == 1
        what, others = ("mentions", "") if is_one else ("mentions every word of", "at most ")
        reasons.append(f'{what} "{typed.text}"; {others}{frequency:,} of {statistics.number:,} resumes do')
    names = tuple(f"{SEARCH_TERM}{typed.text}" for typed in search_terms)
    return Contributions(names, values, lambda _, column: reasons[column])


# Why one resume stands above another: the difference of two scores, part by part.


@dataclass(frozen=True, slots=True)
class PartDifference:
    """What one part of the scores has to do with it; None where a score lacks the part."""

    name: str
    above: Part | None
    below: Part | None

    @property
    def value(self) -> float:
        return (self.above.value if self.above else 0.0) - (self.below.value if self.below else 0.0)

    @property
    def reasons(self) -> tuple[str, str]:
        """Of both sides; empty where a score lacks the part, or the part a reason."""
        above, below = ((part.reason or "") if part else "" for part in (self.above, self.below))
        return above, below

    def to_json(self) -> dict[str, Any]:
        above, below = self.reasons
        return {"name": self.name, "value": self.value, "above": above, "below": below}


@dataclass(frozen=True, slots=True)
class ScoreComparison:
    differences: tuple[PartDifference, ...]  # the largest first, whichever side they favour

    @property
    def value(self) -> float:
        """The first score less the second, rounded once."""
        sides = [(difference.above, difference.below) for difference in self.differences]
        return math.fsum([above.value for above, _ in sides if above] + [-below.value for _, below in sides if below])

    def largest(self, number: int) -> LargestDifferences:
        rest = self.differences[number:]
        return LargestDifferences(
            self.differences[:number], len(rest), math.fsum(difference.value for difference in rest)
        )


class LargestDifferences(NamedTuple):
    """Those worth showing, and how many others there are with which sum."""

    differences: tuple[PartDifference, ...]
    others: int
    others_value: float


def compare(above: Score, below: Score) -> ScoreComparison:
    """Swapping the scores swaps the sides and turns every sign, nothing else. Equal parts are left out."""
    first, second = _by_name(above.parts), _by_name(below.parts)
    names = sorted(first.keys() | second.keys())
    found = [PartDifference(name, first.get(name), second.get(name)) for name in names]
    telling = [difference for difference in found if difference.value]
    return ScoreComparison(tuple(sorted(telling, key=lambda difference: (-abs(difference.value), difference.name))))


def _by_name(parts: Sequence[Part]) -> dict[str, Part]:
    found: dict[str, Part] = {}
    for part in parts:
        if part.name in found:
            raise ValueError(f"two parts of a score are called {part.name!r}")
        found[part.name] = part
    return found
