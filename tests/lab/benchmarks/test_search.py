"""The search bench on a small pool: refinements narrow the list, counts are those of the candidates, both sides run."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tantivy import Query

from evenhand.mining.pipeline import understand_text
from evenhand.records import Job
from evenhand.search.criteria import NOT_STATED
from evenhand.search.features import ResumeFeatures
from evenhand.search.index.reader import IndexReader, Snapshot
from evenhand.search.index.schema import IndexEntry
from evenhand.search.rankers.registry import make_ranker
from evenhand.search.screener import Screener
from evenhand.settings import Settings
from evenhand_lab.benchmarks import candidates, search
from evenhand_lab.benchmarks.candidates import (
    EVERYONE,
    STEPS,
    About,
    Base,
    DrawnCandidate,
    Group,
    build,
    draw,
    make_base,
    make_entry,
    openings,
    refinements,
    sample_ads,
)
from evenhand_lab.benchmarks.search import BareSearch, make_question, make_times, most_cities, run
from evenhand_lab.corpora.jobs import JobAd

SEED, RESUMES, CANDIDATES = 2, 90, 400


@pytest.fixture(scope="module")
def ad() -> JobAd:
    return sample_ads(1, seed=SEED)[0]


@pytest.fixture(scope="module")
def pool(ad: JobAd, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, About]:
    folder = tmp_path_factory.mktemp("pool")
    jobs = openings([ad], everyone=CANDIDATES, small=0)
    return folder, build(folder, jobs, seed=SEED, resumes=RESUMES)


@pytest.fixture(scope="module")
def snapshot(pool: tuple[Path, About]) -> Snapshot:
    return IndexReader(pool[0]).snapshot()


@pytest.fixture(scope="module")
def job(ad: JobAd) -> Job:
    return understand_text(ad.text, Settings())


@pytest.fixture(scope="module")
def entries(ad: JobAd) -> list[IndexEntry]:
    """The same candidates, made without the index."""
    base = make_base(RESUMES, seed=SEED)
    (job,) = openings([ad], everyone=CANDIDATES, small=0)
    return [make_entry(draw(base, at, seed=SEED), seed=SEED, job=job) for at in range(CANDIDATES)]


def test_the_first_step_counts_everyone(ad: JobAd, job: Job, snapshot: Snapshot, entries: list[IndexEntry]) -> None:
    screener = Screener(snapshot, job, make_ranker("best"))
    first = next(refinements(ad, EVERYONE, most_cities(snapshot, EVERYONE), "best"))
    screen = screener.screen(first.criteria)
    assert screen.total == CANDIDATES
    assert len(screen.listed) == 20
    counted = {facet.name: facet for facet in screen.facets.facets}
    for name in ("source", "degree", "city", "status"):
        expected = Counter(getattr(entry, name) or NOT_STATED for entry in entries)
        shown = {value.value: value.count for value in counted[name].values}
        assert shown.items() <= expected.items()
        assert sum(shown.values()) + counted[name].others == CANDIDATES


def test_each_filter_keeps_those_who_fulfil_it(
    ad: JobAd, job: Job, snapshot: Snapshot, entries: list[IndexEntry]
) -> None:
    screener = Screener(snapshot, job, make_ranker("best"))
    steps = list(refinements(ad, EVERYONE, most_cities(snapshot, EVERYONE), "best"))
    assert tuple(step.name for step in steps) == STEPS
    totals = [screener.screen(step.criteria).total for step in steps]
    assert totals[:3] == [CANDIDATES] * 3  # words only rank
    degree, cities, skills = (steps[at].criteria for at in (3, 4, 5))
    kept = [entry for entry in entries if entry.degree in degree.facets["degree"]]
    assert totals[3] == len(kept) > 0
    kept = [entry for entry in kept if entry.city in cities.facets["city"]]
    assert totals[4] == len(kept)
    wanted = skills.skills[0]
    kept = [entry for entry in kept if any(name == wanted.name and (n or 0) >= 12 for name, n in entry.skills)]
    assert totals[5] == len(kept)
    assert totals == sorted(totals, reverse=True)


def test_bare_tantivy_answers_the_same_question(ad: JobAd, job: Job, snapshot: Snapshot) -> None:
    screener = Screener(snapshot, job, make_ranker("best"))
    bare = BareSearch(snapshot.searcher, snapshot.schema)
    for step in refinements(ad, EVERYONE, most_cities(snapshot, EVERYONE), "best"):
        ours = screener.screen(step.criteria)
        theirs = bare.answer(make_question(screener, step.criteria))
        assert len(theirs.addresses) <= len(ours.listed) == min(20, ours.total)
        assert len(theirs.snippets) == len(theirs.addresses)
        shown = {
            name: {bucket["key"]: bucket["doc_count"] for bucket in counted["buckets"]}
            for found in theirs.facets
            for name, counted in found.items()
        }
        assert theirs.bands == [
            [*(band.count for band in skill.bands[:-1]), sum(band.count for band in skill.bands)]
            for skill in ours.facets.skill_months
        ]
        for facet in ours.facets.facets:
            our_counts = {value.value: value.count for value in facet.values if value.count}
            assert set(our_counts.values()) == set(shown[facet.name].values())


def test_a_pool_is_built_once(pool: tuple[Path, About], ad: JobAd, entries: list[IndexEntry]) -> None:
    folder, about = pool
    jobs = openings([ad], everyone=CANDIDATES, small=0)
    assert build(folder, jobs, seed=SEED, resumes=RESUMES) == about
    assert IndexReader(folder).snapshot().number == CANDIDATES
    digests = [ResumeFeatures.from_bytes(entry.digest) for entry in entries]
    assert about.terms == sum(digest.length for digest in digests)
    assert about.vocabulary == len({number for digest in digests for number in digest.terms.tolist()})


def test_a_pool_cut_off_is_continued(
    ad: JobAd, entries: list[IndexEntry], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "STEP", 10)
    calls: list[int] = []

    def failing(base: Base, number: int, *, seed: int, group: Group | None = None) -> DrawnCandidate:
        calls.append(number)
        if len(calls) == 25:
            raise KeyboardInterrupt
        return draw(base, number, seed=seed, group=group)

    monkeypatch.setattr(candidates, "draw", failing)
    jobs = openings([ad], everyone=40, small=0)
    with pytest.raises(KeyboardInterrupt):
        build(tmp_path, jobs, seed=SEED, resumes=RESUMES)
    assert build(tmp_path, jobs, seed=SEED, resumes=RESUMES).applications == 40
    assert calls[25:] == list(range(20, 40))  # two steps of ten were kept
    snapshot = IndexReader(tmp_path).snapshot()
    kept = dict(snapshot.digests(snapshot.everyone(Query.all_query())))
    assert kept == {entry.application: entry.digest for entry in entries[:40]}


def test_percentiles_by_hand() -> None:
    times = make_times([at / 100 for at in range(101)])
    assert (times.n, times.p50) == (101, 0.5)
    assert times.p95 == pytest.approx(0.95)


@pytest.mark.long
def test_a_run_tells_all_its_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "SMALL_JOBS", 2)
    monkeypatch.setattr(candidates, "SMALL", 500)
    result = run(tmp_path, n=600, ads=3, resumes=120)
    figures = dict(result.rows())
    assert "600 candidates: composed and indexed" in figures
    assert "times" in figures["  any refinement"]
    assert all(f"  {name}" in figures for name in STEPS)
    (pool,) = result.pools
    assert pool.about.applications == 1_600  # with two small jobs
    assert pool.measured.refinement.ours.n == 3 * len(STEPS)
    assert result.to_json()["pools"][0]["measured"]["small"]["ours"]["n"] == 2 * len(STEPS)
