"""What the screening page shows: criteria in, a ranked page with snippets and facets with live counts out."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence, Set
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tantivy import DocAddress

from evenhand.errors import QueryError
from evenhand.records import Flag, Job, Ranking, Result, Score, Skill
from evenhand.search.analysis import terms
from evenhand.search.criteria import Criteria
from evenhand.search.facets import Facets, count_facets
from evenhand.search.features import FeatureTable
from evenhand.search.index.reader import DEPTH, Snapshot
from evenhand.search.index.schema import Filter, HiddenWords, IndexEntry
from evenhand.search.matching import Watchlists, match_skills
from evenhand.search.people import PERSON_KINDS, PersonHit, person_terms
from evenhand.search.query_language import PhraseCondition, SearchText, parse, sought_skills, sought_words, tokens
from evenhand.search.rankers.base import Contributions, Query, Ranker, SearchTerm, SkillDictionary, make_query, order
from evenhand.search.rankers.weights import WeightsInForce
from evenhand.search.snippets import SnippetQuery, make_snippet_query, make_snippets
from evenhand.search.statistics import Statistics

# Scores that were worked out before: refining a list asks for the same resumes again, in ever new selections.


@dataclass
class ScoreCache:
    """For one query, one ranker and one state of the index. Only for a ranker whose `base` finds the same of a resume,
    to the bit, whoever else is looked at."""

    places: dict[str, int] = field(default_factory=dict)  # of a resume's key among the rows
    rows: list[NDArray[np.float64]] = field(default_factory=list)  # one table, or none yet
    names: tuple[str, ...] = ()  # of the columns
    always: int = 0
    lock: Lock = field(default_factory=Lock)

    def base(
        self, ranker: Ranker, query: Query, keys: Sequence[str], digests: FeatureTable, statistics: Statistics
    ) -> Contributions:
        """As the ranker's own, reasons too; those are worked out anew for each resume, so ask for few."""
        with self.lock:
            missing = [at for at, key in enumerate(keys) if key not in self.places]
            if missing or not self.rows:
                scored = ranker.base(query, digests.only(missing), statistics)
                self.names, self.always = scored.names, scored.always
                self.rows = [np.vstack([*self.rows, scored.values])]
                self.places |= {keys[at]: row for row, at in enumerate(missing, start=len(self.places))}
            values = self.rows[0][[self.places[key] for key in keys]]

        @cache
        def explained(row: int) -> Contributions:
            return ranker.base(query, digests.only([row]), statistics)

        def reason(row: int, column: int) -> str | None:
            return explained(row).reason(0, column)

        return Contributions(self.names, values, reason, self.always)


PAGE = 20
SKILL_BOOST = 3.0  # of terms that belong to a demand, when the index proposes whom to order
TITLE_BOOST = 2.0


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One line of the page: the result, and what the index tells of the application."""

    result: Result
    entry: IndexEntry

    def flagged(self, flags: Sequence[Flag]) -> SearchHit:
        return replace(self, result=replace(self.result, flags=(*self.result.flags, *flags)))

    def to_json(self) -> dict[str, Any]:
        entry = self.entry
        return {
            **self.result.to_json(),
            "application": entry.application,
            "status": entry.status,
            "source": entry.source,
            "title": entry.card.title,
            "employer": entry.card.employer,
            "city": entry.city,
            "degree": entry.degree,
            "total_months": entry.total_months,
            "relevant_months": entry.relevant_months,
            "stated": list(entry.stated),
        }


@dataclass(frozen=True, slots=True)
class SearchResults:
    """Of the `total` candidates the ranker has looked at `ordered`: all, unless there are too many."""

    job: Job
    criteria: Criteria
    total: int
    ordered: int
    listed: tuple[SearchHit, ...]
    facets: Facets
    weights: WeightsInForce | None = None  # of the ranker best
    proposed: tuple[str, ...] = ()  # whom the ranker looked at, where not at all
    people: tuple[PersonHit, ...] = ()  # found by the name or contact that was typed; their rank is their own
    unmatched: tuple[str, ...] = ()  # words typed that no resume of the job mentions

    @property
    def ranking(self) -> Ranking:
        return Ranking(self.job, self.criteria.ranker, self.total, tuple(listed.result for listed in self.listed))

    def to_json(self) -> dict[str, Any]:
        return {
            **self.ranking.to_json(),
            "criteria": replace(self.criteria, masked=()).to_json(),  # who asks knows what they may not see
            "ordered": self.ordered,
            "weights": self.weights.to_json() if self.weights else None,
            "results": [listed.to_json() for listed in self.listed],
            "people": [person.to_json() for person in self.people],
            "unmatched": list(self.unmatched),
            "facets": self.facets.to_json()["facets"],
            "skill_months": self.facets.to_json()["skill_months"],
        }


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """Criteria understood: what has to hold, and what is to be ranked by."""

    criteria: Criteria
    text: SearchText
    filter: Filter
    query: Query
    hidden: HiddenWords | None = None  # for who may not see all

    def is_hidden(self, typed: SearchTerm) -> frozenset[str]:
        """Applications in which a word of it stands only where it is masked."""
        if self.hidden is None:
            return frozenset()
        words = (PhraseCondition(term, (term,), (0,)) for term in typed.terms)
        return frozenset(id for word in words for id in self.hidden.of(word))


@dataclass(frozen=True)
class Screener:
    """One state of the index, one job and one ranker; every refinement is one call of `screen`."""

    snapshot: Snapshot
    job: Job
    ranker: Ranker
    lists: Watchlists = field(default_factory=Watchlists)
    executor: Executor | None = None  # facets are counted there while the ranker works
    depth: int = DEPTH
    resolve_skill: Callable[[str], str] | None = None  # to the name under which all forms of it are counted
    weights: WeightsInForce | None = None  # what the ranker goes by, for the record
    statistics: Statistics | None = None  # of the collection; those of the snapshot unless given
    hidden: dict[str, list[str]] = field(default_factory=dict)  # what `HiddenWords` told, or is to tell
    with_common: bool = False  # words that most ads have are terms too, as in version 0.1

    def screen(
        self, criteria: Criteria, *, first: int = 0, size: int = PAGE, find_by: Collection[str] = PERSON_KINDS
    ) -> SearchResults:
        """Raises QueryError for a search text that cannot be understood. `find_by` is what people may be looked up
        by."""
        asked = self.ask(criteria)
        counting = self.executor.submit(self.count, asked) if self.executor else None
        ordered = self.order(asked, depth=max(self.depth, first + size))
        listed = self.page(asked, ordered, first=first, size=size)
        facets = counting.result() if counting else self.count(asked)
        proposed = tuple(sorted(ordered.keys)) if facets.total > len(ordered.keys) else ()
        return SearchResults(
            self.job,
            criteria,
            facets.total,
            len(ordered.rows),
            listed,
            facets,
            self.weights,
            proposed,
            self._people(asked, ordered, find_by),
            tuple(self._unmatched(asked)),
        )

    def _people(
        self, asked: SearchRequest, ordered: OrderedCandidates, find_by: Collection[str]
    ) -> tuple[PersonHit, ...]:
        """Whoever applied for the job and has the name or contact typed, the best ranked first."""
        wanted = person_terms(asked.criteria.text, asked.text, find_by)
        if not wanted:
            return ()
        everyone = self.snapshot.filter(Criteria(job=asked.criteria.job), SearchText()).query()
        entries = [self.snapshot.entry(address) for address in self.snapshot.people(everyone, wanted)]
        ids = {entry.application for entry in entries}
        ranks = {ordered.keys[row]: at for at, row in enumerate(ordered.rows, start=1) if ordered.keys[row] in ids}
        hits = []
        for entry in entries:
            found_by = next(term.found_by for term in wanted if not term.keys.isdisjoint(entry.person_keys()))
            id = entry.application
            hits.append(PersonHit(id, entry.card.name, found_by, entry.status, ranks.get(id)))
        return tuple(sorted(hits, key=lambda hit: (hit.rank or math.inf, hit.application)))

    def _unmatched(self, asked: SearchRequest) -> Iterator[str]:
        job = Criteria(job=asked.criteria.job)
        for words in dict.fromkeys(sought_words(asked.text)):
            if words.where is None:
                if asked.criteria.masked:
                    # Only where nothing is ever masked: a name nobody has and one that is masked are told alike.
                    mentioned = self.snapshot.conditions.unmasked(words, asked.criteria.job or "")
                else:
                    mentioned = self.snapshot.filter(job, SearchText(conditions=(words,))).query()
                if not self.snapshot.has_any(mentioned):
                    yield f"{words.text}*" if words.prefix else words.text

    def ids(self, criteria: Criteria) -> list[str]:
        """Every application, to decide on many at once: in the order of the page, those beyond `depth` by id."""
        asked = self.ask(criteria)
        ordered = self.order(asked, depth=self.depth)
        ids = [ordered.keys[row] for row in ordered.rows]
        if len(ids) < self.depth:
            return ids
        everyone = self.snapshot.digests(self.snapshot.everyone(asked.filter.query()))
        return ids + sorted({key for key, _ in everyone} - set(ids))

    def ask(self, criteria: Criteria) -> SearchRequest:
        """Raises QueryError for a search text that cannot be understood, or that asks for what is masked."""
        check_fields(criteria)
        text = parse(criteria.text, resolve_skill=self.resolve_skill)
        known = SkillDictionary(name for name in self._asked_for if self._collection.skill_frequency(name))
        wishes = [wish.text for wish in text.wishes]
        query = make_query(self.job, search_terms=wishes, dictionary=known, with_common=self.with_common)
        hidden: HiddenWords | None = None
        if criteria.masked:
            job, with_names = criteria.job or "", "name" not in criteria.masked
            hidden = HiddenWords(
                lambda words: self.snapshot.only_masked(words, job, with_names=with_names), self.hidden
            )
        return SearchRequest(criteria, text, self.snapshot.filter(criteria, text, hidden), query, hidden)

    @property
    def _collection(self) -> Statistics:
        return self.snapshot.statistics if self.statistics is None else self.statistics

    @cached_property
    def _asked_for(self) -> frozenset[str]:
        return frozenset(name for demand in self.job.demands for name in demand.skills)

    def count(self, asked: SearchRequest) -> Facets:
        return count_facets(self.snapshot, asked.criteria, asked.filter)

    def order(self, asked: SearchRequest, *, depth: int) -> OrderedCandidates:
        wishes = [(wish, SKILL_BOOST) for wish in asked.text.wishes]
        addresses = self.snapshot.propose(
            asked.filter.query(), boosts(asked.query), wishes=wishes, depth=depth, hidden=asked.hidden
        )
        return self.rank(asked, addresses)

    def rank(self, asked: SearchRequest, addresses: list[DocAddress]) -> OrderedCandidates:
        keys, digests = self.snapshot.table(addresses)
        if self._remembers:
            job = replace(asked.query, search_terms=())
            scores = self.snapshot.remember(("known scores", self.weights, job), ScoreCache)
            own = scores.base(self.ranker, job, keys, digests, self._collection)
        else:
            own = self.ranker.base(asked.query, digests, self._collection)
        table = self.ranker.with_typed(own, asked.query, digests, self._collection)
        table = without_hidden(table, asked, keys)
        return OrderedCandidates(keys, addresses, digests, table, order(table.totals(), keys))

    @property
    def _remembers(self) -> bool:
        """Of the ranker best, a resume's score depends on the job and the resume alone."""
        return self.weights is not None

    def page(
        self, asked: SearchRequest, ordered: OrderedCandidates, *, first: int = 0, size: int = PAGE
    ) -> tuple[SearchHit, ...]:
        typed = [(words.text, phrase) for words in sought_words(asked.text) for phrase in self._phrases(words)]
        wanted = make_snippet_query(asked.query, self._collection, typed=typed, skills=sought_skills(asked.text))
        kinds = asked.criteria.masked
        search = ("snippets", self.job, asked.text, kinds)
        rows = ordered.rows[first : first + size]
        # With their reasons. Where numbers are remembered, those who are shown are looked at again for them.
        if self._remembers:
            shown = self.ranker.contributions(asked.query, ordered.digests.only(rows), self._collection)
            scores = without_hidden(shown, asked, [ordered.keys[row] for row in rows]).scores()
        else:
            scores = [ordered.table.score(row) for row in rows]
        return tuple(
            self._list(rank, ordered.addresses[row], score, wanted, search, kinds)
            for rank, (row, score) in enumerate(zip(rows, scores, strict=True), start=first + 1)
        )

    def _phrases(self, words: PhraseCondition) -> list[tuple[str, ...]]:
        """The terms that stand for what was typed, any of them."""
        return [(term,) for term in self.snapshot.conditions.expansions(words)] if words.prefix else [words.terms]

    def _list(
        self,
        rank: int,
        address: DocAddress,
        score: Score,
        wanted: SnippetQuery,
        search: tuple[Hashable, ...],
        kinds: tuple[str, ...],
    ) -> SearchHit:
        """`search` is equal for all that would be shown the same fragments: ticking a facet does not change them."""
        entry = self.snapshot.entry(address)
        matching = match_skills(self.job, skills_of(entry, self._asked_for))
        places = {name: [(place.start, place.end) for place in found] for name, found in entry.card.places.items()}
        known = entry.masked if "name" in kinds else entry.contact_masked
        masked = ((0, len(entry.text)),) if known is None else known
        flags = [Flag(**flag) for flag in entry.flags]
        flags += self.lists.flags_of(entry.employers, entry.universities, entry.card.form)
        result = Result(
            rank=rank,
            file=entry.card.file,
            candidate=entry.card.name,
            score=score,
            matched=matching.matched,
            missing=matching.missing,
            flags=tuple(flags),
            snippets=self.snapshot.remember(
                (*search, entry.application),
                lambda: make_snippets(entry.text, wanted, places=places, masked=masked if kinds else ()),
            ),
        )
        return SearchHit(result, entry)


@dataclass(frozen=True, slots=True)
class OrderedCandidates:
    """Those the ranker looked at; `rows` are their places in the other four, the best first."""

    keys: list[str]
    addresses: list[DocAddress]
    digests: FeatureTable
    table: Contributions
    rows: list[int]


MASKED_FIELDS = {"city": "address", "school": "school"}
"""Of the search language and the facets, and the kind that masks each."""


def check_fields(criteria: Criteria) -> None:
    """Raises QueryError for a search that asks for what whoever asks may not see, as city:Leeds does."""
    masked = {field for field, kind in MASKED_FIELDS.items() if kind in criteria.masked}
    for token in tokens(criteria.text) if masked else ():
        if token.field in masked:
            raise QueryError(f"“{token.field}” is masked here, and cannot be searched.", token.start, token.end)
    for name in masked & {name for name, values in criteria.facets.items() if values}:
        raise QueryError(f"“{name}” is masked here, and cannot be chosen.", 0, 0)


def without_hidden(table: Contributions, asked: SearchRequest, keys: Sequence[str]) -> Contributions:
    """Typed words add nothing where they stand only in what is masked. Their columns are the last ones."""
    typed = asked.query.search_terms
    if asked.hidden is None or not typed:
        return table
    values = table.values.copy()
    for column, term in enumerate(typed, start=values.shape[1] - len(typed)):
        hidden = asked.is_hidden(term)
        values[[row for row, key in enumerate(keys) if key in hidden], column] = 0.0
    return replace(table, values=values)


def boosts(query: Query) -> list[tuple[str, float]]:
    """The job's terms as the index weighs them when it proposes whom to order."""
    title = set(terms(query.job.title or ""))
    return [
        (
            asked.term,
            (1.0 + math.log(asked.count))
            * (SKILL_BOOST if asked.skill else 1.0)
            * (TITLE_BOOST if asked.term in title else 1.0),
        )
        for asked in query.terms
    ]


def skills_of(entry: IndexEntry, names: Set[str]) -> Iterable[Skill]:
    """Those of `names` that it has, as records, with the few places that the index keeps of each."""
    for name, months in entry.skills:
        if name in names:
            places = entry.card.places.get(name, ())
            yield Skill(name, (), months, None, None, places)
