"""`evenhand bench search`: refinements of a screener among a million candidates, beside bare tantivy in the same run.

Candidates are drawn from generated resumes that were mined, each with contacts, rare words and some lines of people of
the same occupation added. Ours and bare take turns on the same index files.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import tantivy
from tantivy import Occur, Query, SnippetGenerator

from evenhand.mining.pipeline import understand_text
from evenhand.progress import Progress, no_progress
from evenhand.search.criteria import FACETS, NOT_STATED, Criteria, SkillCondition
from evenhand.search.index.reader import IndexReader, Snapshot
from evenhand.search.index.schema import BANDS
from evenhand.search.rankers.registry import make_ranker
from evenhand.search.screener import SKILL_BOOST, Screener, boosts
from evenhand.settings import Settings
from evenhand_lab.benchmarks.candidates import (
    EVERYONE,
    STEPS,
    WISHES,
    About,
    build,
    openings,
    refinements,
    resumes_for,
    sample_ads,
    small_job,
)
from evenhand_lab.benchmarks.kit import Measurement, memory_bytes, timed, working_folder
from evenhand_lab.corpora.jobs import JobAd

# The floor of the search bench: bare tantivy on the same index files, answering the same questions.
#
# It gives the best twenty by its own BM25, the same facet counts, the documents and its own snippets; no
# ranker of ours, no parts of scores, no matches, and no counts that are exact over several segments.


PAGE_SIZE = 20
MAX_VALUES = 50


@dataclass(frozen=True, slots=True)
class BareQuery:
    filter: Query
    words: Query
    passes: tuple[tuple[Query, tuple[str, ...]], ...]  # facets that are counted on the same set
    bands: tuple[tuple[Query, ...], ...] = ()  # of skills with months: how many are in each

    @property
    def query(self) -> Query:
        """The filter does not score."""
        unscored = Query.const_score_query(self.filter, 0.0)
        return Query.boolean_query([(Occur.Must, unscored), (Occur.Must, self.words)])


@dataclass(frozen=True, slots=True)
class BareAnswer:
    addresses: list[tantivy.DocAddress]
    facets: list[dict[str, Any]]
    bands: list[list[int]]
    snippets: list[str]


class BareSearch:
    def __init__(self, searcher: tantivy.Searcher, schema: tantivy.Schema) -> None:
        self._searcher = searcher
        self._schema = schema

    def answer(self, question: BareQuery) -> BareAnswer:
        addresses = self.rank(question)
        return BareAnswer(addresses, *self.count(question), self.page(question, addresses))

    def rank(self, question: BareQuery) -> list[tantivy.DocAddress]:
        hits = self._searcher.search(question.query, limit=PAGE_SIZE, count=False).hits
        return [address for _, address in hits]

    def count(self, question: BareQuery) -> tuple[list[dict[str, Any]], list[list[int]]]:
        def matching(query: Query) -> int:
            unscored = Query.const_score_query(query, 0.0)
            return int(self._searcher.search(unscored, limit=1, count=True).count or 0)  # type: ignore[attr-defined]

        def facets(query: Query, names: Sequence[str]) -> dict[str, Any]:
            terms = {name: {"terms": {"field": name, "size": MAX_VALUES}} for name in names}
            return dict(self._searcher.aggregate(query, terms))

        counted = [facets(query, names) for query, names in question.passes]
        return counted, [[matching(query) for query in queries] for queries in question.bands]

    def page(self, question: BareQuery, addresses: Sequence[tantivy.DocAddress]) -> list[str]:
        generator = SnippetGenerator.create(self._searcher, question.words, self._schema, "text")
        documents = [self._searcher.doc(address) for address in addresses]
        return [generator.snippet_from_doc(document).to_html() for document in documents]


# Times of refinements, ours and bare tantivy's in turns, each in whole and by what it consists of.

REFINEMENT, SMALL = "any refinement", "any refinement, a job of 2,000 candidates"
RANKING, SEARCH, FILTER, PAGE = "job ranking", "search", "filter with facets", "page of snippets"
ORDERING, COUNTING = "ordering alone, without facets and page", "facets alone"


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds."""

    n: int
    p50: float
    p95: float


@dataclass(frozen=True, slots=True)
class Timing:
    name: str
    ours: Times
    bare: Times

    @property
    def ratio(self) -> float:
        return self.ours.p50 / self.bare.p50


@dataclass(frozen=True, slots=True)
class SearchTiming:
    """Operations are whole answers: ranked, with all facets and a page of snippets; but for the page, which is one."""

    operations: tuple[Timing, ...]
    parts: tuple[Timing, ...]
    steps: tuple[Timing, ...]
    refinement: Timing
    small: Timing
    own_bytes: int
    resident_bytes: int


def measure(folder: Path, ads: Sequence[JobAd], small_jobs: int, ranker: str) -> SearchTiming:
    """On a finished pool. The first ad's refinements warm both up before the clock runs."""
    with ThreadPoolExecutor(1, "facets") as executor:
        Clock(folder, ranker, executor).measure(ads[0], EVERYONE)
        clock, small = Clock(folder, ranker, executor), Clock(folder, ranker, executor)
        for ad in ads:
            clock.measure(ad, EVERYONE)
        for at in range(small_jobs):
            small.measure(ads[at], small_job(at))
    own, resident = memory_bytes()
    return SearchTiming(
        operations=tuple(clock.timing(name) for name in (RANKING, SEARCH, FILTER, PAGE)),
        parts=tuple(clock.timing(name) for name in (ORDERING, COUNTING)),
        steps=tuple(clock.timing(name) for name in STEPS),
        refinement=clock.timing(REFINEMENT),
        small=replace(small.timing(REFINEMENT), name=SMALL),
        own_bytes=own,
        resident_bytes=resident,
    )


class Clock:
    """Ours and bare by turns, so that neither always finds what the other has just read."""

    def __init__(self, folder: Path, ranker: str, executor: ThreadPoolExecutor) -> None:
        self._folder = folder
        self._ranker = make_ranker(ranker)
        self._executor = executor
        self._turn = 0
        self._seconds: dict[str, list[tuple[float, float]]] = defaultdict(list)

    def measure(self, ad: JobAd, job: str) -> None:
        understood = understand_text(ad.text, Settings())
        # New for every ad, and apart, since a snapshot remembers what it has counted.
        whole, parts, questions = (
            Screener(snapshot, understood, self._ranker, executor=self._executor)
            for snapshot in (IndexReader(self._folder).snapshot() for _ in range(3))
        )
        bare = BareSearch(questions.snapshot.searcher, questions.snapshot.schema)
        cities = most_cities(questions.snapshot, job)
        for at, step in enumerate(refinements(ad, job, cities, self._ranker.name)):
            criteria = step.criteria
            question = make_question(questions, criteria)
            kind = FILTER if at > WISHES else SEARCH if at else RANKING
            self._race(partial(whole.screen, criteria), partial(bare.answer, question), step.name, kind, REFINEMENT)
            request, depth = parts.ask(criteria), parts.depth
            self._race(partial(parts.order, request, depth=depth), partial(bare.rank, question), ORDERING)
            self._race(partial(parts.count, request), partial(bare.count, question), COUNTING)
            ordered, addresses = parts.order(request, depth=depth), bare.rank(question)
            self._race(partial(parts.page, request, ordered), partial(bare.page, question, addresses), PAGE)

    def _race(self, ours: Callable[[], object], bare: Callable[[], object], *names: str) -> None:
        self._turn += 1
        sides = (ours, bare) if self._turn % 2 else (bare, ours)
        seconds = {side: timed(side, time.perf_counter)[1] for side in sides}
        for name in names:
            self._seconds[name].append((seconds[ours], seconds[bare]))

    def timing(self, name: str) -> Timing:
        ours, bare = zip(*self._seconds[name], strict=True)
        return Timing(name, make_times(ours), make_times(bare))


def make_times(seconds: Sequence[float]) -> Times:
    p50, p95 = np.percentile(seconds, (50, 95))
    return Times(len(seconds), float(p50), float(p95))


def make_question(screener: Screener, criteria: Criteria) -> BareQuery:
    """What the screener asks, in tantivy's terms: the same filter, words and facets."""
    request, snapshot = screener.ask(criteria), screener.snapshot
    wishes = [(wish, SKILL_BOOST) for wish in request.text.wishes]
    words = snapshot.wanted(boosts(request.query), wishes=wishes)
    chosen = [name for name in FACETS if criteria.facets.get(name)]
    others = tuple(name for name in FACETS if name not in chosen)

    def bands(condition: SkillCondition) -> tuple[Query, ...]:
        """A skill's years, as the facet of skills with months counts them."""
        rest = request.filter.query(without=condition)
        within = [SkillCondition(condition.name, first, last) for _, first, last in BANDS]
        ranges = [snapshot.conditions.skill(band) for band in (*within, SkillCondition(condition.name))]
        return tuple(Query.boolean_query([(Occur.Must, rest), (Occur.Must, band)]) for band in ranges)

    return BareQuery(
        filter=request.filter.query(),
        words=words or Query.all_query(),
        passes=((request.filter.query(), others), *((request.filter.query(without=name), (name,)) for name in chosen)),
        bands=tuple(map(bands, criteria.skills)),
    )


def most_cities(snapshot: Snapshot, job: str) -> list[str]:
    query = Query.term_query(snapshot.schema, "job", job)
    counted = snapshot.searcher.aggregate(query, {"city": {"terms": {"field": "city", "size": 4}}})
    return [bucket["key"] for bucket in counted["city"]["buckets"] if bucket["key"] != NOT_STATED]


SIZES = (100_000, 1_000_000)
ADS, SMALL_JOBS = 40, 5
MAX_RATIO, MAX_SECONDS = 2.0, 0.5


@dataclass(frozen=True, slots=True)
class PoolResult:
    """One size of pool. Bytes of memory are those of the process that only searches."""

    candidates: int
    about: About
    tantivy_bytes: int
    digest_bytes: int
    measured: SearchTiming

    def rows(self) -> list[tuple[str, str]]:
        about, measured = self.about, self.measured
        rate = f"{about.applications / about.seconds:.0f}/s, {about.seconds / 60:.1f} minutes"
        memory = f"{measured.own_bytes / 1e6:.0f} MB, {measured.resident_bytes / 1e6:.0f} MB"
        return [
            (f"{self.candidates:,} candidates: composed and indexed", rate),
            ("  index, digests", f"{self.tantivy_bytes / 1e9:.2f} GB, {self.digest_bytes / 1e9:.2f} GB"),
            ("  vocabulary, terms per resume", f"{about.vocabulary:,}, {about.terms / about.applications:.0f}"),
            ("  memory to search, own and with the mapped files", memory),
            *(_row(timing, f" (at most {MAX_RATIO:g})") for timing in measured.operations),
            *(_row(timing) for timing in (*measured.parts, *measured.steps)),
            _row(measured.refinement, f" (at most {MAX_RATIO:g}; p95 at most {MAX_SECONDS * 1e3:.0f} ms)"),
            _row(measured.small, " (p95 far below 1 s)"),
        ]


def _row(timing: Timing, wanted: str = "") -> tuple[str, str]:
    p50, p95, bare_p50, bare_p95 = (
        f"{seconds * 1e3:.0f}" if seconds >= 0.01 else f"{seconds * 1e3:.1f}"
        for seconds in (timing.ours.p50, timing.ours.p95, timing.bare.p50, timing.bare.p95)
    )
    figures = f"{p50} / {p95}; bare {bare_p50} / {bare_p95} ms"
    return f"  {timing.name}", f"{figures}; {timing.ratio:.2f} times{wanted}"


@dataclass(frozen=True, slots=True)
class SearchBenchmark(Measurement):
    title: ClassVar[str] = "refinements of a screener, p50 / p95, beside bare tantivy"
    ranker: str
    ads: int
    resumes: int  # that candidates are put together from
    pools: tuple[PoolResult, ...]
    load_before: float

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("job ads, ranker", f"{self.ads}, {self.ranker}"),
            ("generated resumes that candidates are put together from", f"{self.resumes:,}"),
            *(row for pool in self.pools for row in pool.rows()),
            ("load of the machine before the run", f"{self.load_before:.1f} (a quiet one is below 0.3)"),
        ]


def run(
    data: Path | None = None,
    *,
    n: int = max(SIZES),
    seed: int = 1,
    ads: int = ADS,
    resumes: int | None = None,
    ranker: str = "best",
    progress: Progress = no_progress,
) -> SearchBenchmark:
    """Measure with 100,000 and with `n` candidates, or with `n` where these are fewer.

    `data` keeps the indexes: a second run need not build them again.
    """
    load_before = os.getloadavg()[0]
    resumes = resumes or resumes_for(n)
    sample = sample_ads(ads, seed=seed)
    pools = []
    with working_folder(data) as parent:
        for size in sorted({min(n, *SIZES), n}):
            folder = parent / f"{size}"
            jobs = openings(sample, everyone=size, small=SMALL_JOBS)
            about = build(folder, jobs, seed=seed, resumes=resumes, progress=progress)
            # A process of its own, so that its memory is that of searching.
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                measured = pool.submit(measure, folder, sample, SMALL_JOBS, ranker).result()
            tantivy_bytes = sum(path.stat().st_size for path in (folder / "tantivy").iterdir())
            digest_bytes = (folder / "digests.bin").stat().st_size
            pools.append(PoolResult(size, about, tantivy_bytes, digest_bytes, measured))
    return SearchBenchmark(ranker, ads, resumes, tuple(pools), load_before)
