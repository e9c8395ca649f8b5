"""Times of refinements, ours and bare tantivy's in turns, each in whole and by what it consists of."""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from tantivy import Occur, Query

from evenhand.bench.bare_search import Bare, Pass, Question
from evenhand.bench.refining import EVERYONE, STEPS, WISHES, Step, refinements, small_job
from evenhand.corpora.jobs import JobAd
from evenhand.search.criteria import FACETS, NOT_STATED, Criteria, SkillCondition
from evenhand.search.index import IndexReader, Snapshot
from evenhand.search.index.schema import BANDS
from evenhand.search.rankers import make_ranker
from evenhand.settings import Settings
from evenhand.workflows.job_reading import understand_text
from evenhand.workflows.screening import SKILL_BOOST, Asked, Screener, boosts

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
class Measured:
    """Operations are whole answers: ranked, with all facets and a page of snippets; but for the page, which is one."""

    operations: tuple[Timing, ...]
    parts: tuple[Timing, ...]
    steps: tuple[Timing, ...]
    refinement: Timing
    small: Timing
    own_bytes: int
    resident_bytes: int


def measure(folder: Path, ads: Sequence[JobAd], small_jobs: int, ranker: str) -> Measured:
    """On a finished pool. The first ad's refinements warm both up before the clock runs."""
    with ThreadPoolExecutor(1, "facets") as executor:
        Clock(folder, ranker, executor).measure(ads[0], EVERYONE)
        clock, small = Clock(folder, ranker, executor), Clock(folder, ranker, executor)
        for ad in ads:
            clock.measure(ad, EVERYONE)
        for at in range(small_jobs):
            small.measure(ads[at], small_job(at))
    own, resident = memory_bytes()
    return Measured(
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
        self._bare = Bare(questions.snapshot.searcher, questions.snapshot.schema)
        cities = most_cities(questions.snapshot, job)
        for at, step in enumerate(refinements(ad, job, cities, self._ranker.name)):
            question = make_question(questions, step.criteria)
            kind = FILTER if at > WISHES else SEARCH if at else RANKING
            self._measure_whole(whole, step, question, kind)
            self._measure_parts(parts, step, question)

    def _measure_whole(self, screener: Screener, step: Step, question: Question, kind: str) -> None:
        seconds = self._race(lambda: screener.screen(step.criteria), lambda: self._bare.answer(question))
        for name in (step.name, kind, REFINEMENT):
            self._seconds[name].append(seconds)

    def _measure_parts(self, screener: Screener, step: Step, question: Question) -> None:
        asked = screener.ask(step.criteria)
        ordering = self._race(
            lambda: screener.order(asked, depth=screener.depth), lambda: self._bare.rank(question)
        )
        counting = self._race(lambda: screener.count(asked), lambda: self._bare.count(question))
        ordered, addresses = screener.order(asked, depth=screener.depth), self._bare.rank(question)
        page = self._race(lambda: screener.page(asked, ordered), lambda: self._bare.page(question, addresses))
        for name, seconds in ((ORDERING, ordering), (COUNTING, counting), (PAGE, page)):
            self._seconds[name].append(seconds)

    def _race(self, ours: Callable[[], object], bare: Callable[[], object]) -> tuple[float, float]:
        self._turn += 1
        if self._turn % 2:
            first = timed(ours)
            return first, timed(bare)
        first = timed(bare)
        return timed(ours), first

    def timing(self, name: str) -> Timing:
        ours, bare = zip(*self._seconds[name], strict=True)
        return Timing(name, make_times(ours), make_times(bare))


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def make_times(seconds: Sequence[float]) -> Times:
    p50, p95 = np.percentile(seconds, (50, 95))
    return Times(len(seconds), float(p50), float(p95))


def make_question(screener: Screener, criteria: Criteria) -> Question:
    """What the screener asks, in tantivy's terms: the same filter, words and facets."""
    asked, snapshot = screener.ask(criteria), screener.snapshot
    wishes = [(wish, SKILL_BOOST) for wish in asked.text.wishes]
    words = snapshot.wanted(boosts(asked.query), wishes=wishes)
    chosen = [name for name in FACETS if criteria.facets.get(name)]
    others = tuple(name for name in FACETS if name not in chosen)
    return Question(
        filter=asked.filter.query(),
        words=words or Query.all_query(),
        passes=(
            Pass(asked.filter.query(), others),
            *(Pass(asked.filter.query(without=name), (name,)) for name in chosen),
        ),
        bands=tuple(_bands(snapshot, asked, condition) for condition in criteria.skills),
    )


def _bands(snapshot: Snapshot, asked: Asked, condition: SkillCondition) -> tuple[Query, ...]:
    """A skill's years, as the facet of skills with months counts them."""
    others = asked.filter.query(without=condition)
    within = [SkillCondition(condition.name, first, last) for _, first, last in BANDS]
    ranges = [snapshot.conditions.skill(each) for each in (*within, SkillCondition(condition.name))]
    return tuple(Query.boolean_query([(Occur.Must, others), (Occur.Must, each)]) for each in ranges)


def most_cities(snapshot: Snapshot, job: str) -> list[str]:
    query = Query.term_query(snapshot.schema, "job", job)
    counted = snapshot.searcher.aggregate(query, {"city": {"terms": {"field": "city", "size": 4}}})
    return [bucket["key"] for bucket in counted["city"]["buckets"] if bucket["key"] != NOT_STATED]


def memory_bytes() -> tuple[int, int]:
    """Of this process: its own now, and the most it had resident with the files it maps."""
    status = Path("/proc/self/status").read_text()
    found = {name: int(size) * 1024 for name, size in re.findall(r"(\w+):\s+(\d+) kB", status)}
    return found["RssAnon"], found["VmHWM"]
