"""Fills an index with composed candidates, step by step: memory stays small, and what was cut off is continued."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence, Set
from dataclasses import asdict, dataclass, replace
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evenhand.progress import Progress, ProgressBar, no_progress
from evenhand.records.profile import Evidence
from evenhand.search.criteria import Criteria, SkillCondition
from evenhand.search.features import VERSION as DIGEST_VERSION
from evenhand.search.features import FeatureTable
from evenhand.search.index.files import FeatureReader
from evenhand.search.index.reader import IndexReader
from evenhand.search.index.schema import EntryCard, IndexEntry
from evenhand.search.index.writer import IndexWriter
from evenhand_lab.benchmarks.candidates.blocks import RESUMES, Base, Group, make_base
from evenhand_lab.benchmarks.candidates.composing import ComposedCandidate, collect_truth, compose, digest, union
from evenhand_lab.corpora.jobs import VACANCIES, JobAd, sample_job
from evenhand_lab.corpora.lexicon import stream

# A composed candidate as the index takes it: an application for a job, from some source, with some status.


PLACES = 3  # of a skill, kept for display
SOURCES = (
    *("Job board", "Careers page", "Professional network", "Employee referral", "Campus", "Walk-in"),
    *(f"Agency {number}" for number in range(1, 195)),
)
_SOURCE_WEIGHTS = tuple(accumulate(1 / rank for rank in range(1, len(SOURCES) + 1)))  # Zipf
STATUSES = {"new": 62, "screened": 20, "rejected": 13, "shortlisted": 4, "offered": 1}
_STATUS_WEIGHTS = tuple(accumulate(STATUSES.values()))


def make_entry(candidate: ComposedCandidate, *, seed: int, job: str, revision: int, wanted: Set[str]) -> IndexEntry:
    """`wanted`: the skills of the job; work that mentions one of them is relevant."""
    rng = stream(seed, candidate.number, "application")
    known = collect_truth(candidate)
    titles = tuple(dict.fromkeys(work.title for work in known.positions if work.title))
    employers = tuple(dict.fromkeys(work.employer for work in known.positions if work.employer))
    latest = known.positions[0] if known.positions else None
    places = {
        name: tuple(Evidence(start, end, 1, "lexicon", 1.0) for start, end in skill.places[:PLACES])
        for name, skill in known.skills.items()
    }
    return IndexEntry(
        application=f"a{candidate.number:08d}",
        job=job,
        revision=revision,
        text=candidate.text,
        digest=digest(candidate, known).to_bytes(),
        # One in twenty came by a way that nobody noted.
        source=None if rng.random() < 0.05 else rng.choices(SOURCES, cum_weights=_SOURCE_WEIGHTS)[0],
        status=rng.choices(tuple(STATUSES), cum_weights=_STATUS_WEIGHTS)[0],
        degree=known.degree,
        city=candidate.head.city,
        total_months=known.total_months,
        relevant_months=relevant_months(candidate, wanted),
        skills=tuple((name, skill.months) for name, skill in sorted(known.skills.items())),
        titles=titles,
        employers=employers,
        universities=tuple(dict.fromkeys(study.university for study in known.studies if study.university)),
        card=EntryCard(
            name=candidate.identity.name,
            file=f"resume-{candidate.number:08d}.pdf",
            title=latest.title if latest else None,
            employer=latest.employer if latest else None,
            places=places,
        ),
    )


def relevant_months(candidate: ComposedCandidate, wanted: Set[str]) -> int | None:
    """0 where there is dated work and none of it mentions a skill; None where what does has no dates."""
    works = [each.block for each in candidate.placed if each.block.work]
    relevant = [block.work for block in works if any(name in wanted for name, _ in block.skills)]
    if not relevant and any(block.work and block.work.months is not None for block in works):
        return 0
    return union([work for work in relevant if work])


STEP = 20_000
_ABOUT = "about.json"
_MEMORY_BYTES = 600_000_000  # of tantivy's writer: fewer and larger segments to merge


@dataclass(frozen=True, slots=True)
class PoolJob:
    """A job of the pool: so many applications, of people of one occupation or of all."""

    id: str
    applications: int
    skills: frozenset[str]  # that it asks for
    group: Group | None = None


@dataclass(frozen=True, slots=True)
class About:
    """A pool; the seconds are those of composing and indexing, without the resumes it is made from."""

    applications: int
    seed: int
    resumes: int
    digest_version: int
    seconds: float = 0.0
    vocabulary: int = 0  # distinct terms, names and addresses left out
    terms: int = 0  # in all

    @property
    def key(self) -> tuple[int, ...]:
        return self.applications, self.seed, self.resumes, self.digest_version


def build(
    folder: Path, openings: Sequence[PoolJob], *, seed: int, resumes: int = RESUMES, progress: Progress = no_progress
) -> About:
    """Build the pool, finish it where it was left, or do nothing where it is there."""
    total = sum(opening.applications for opening in openings)
    about = About(total, seed, resumes, DIGEST_VERSION)
    with IndexWriter(folder, memory_bytes=_MEMORY_BYTES, threads=2) as writer:
        try:
            before = About(**json.loads((folder / _ABOUT).read_bytes()))
        except (OSError, ValueError, TypeError):
            before = None
        if before and before.key == about.key:
            about = before
        elif writer.reached:
            writer.clear()
        if writer.reached == total and about.terms:
            return about
        if writer.reached < total:
            about = _fill(folder, writer, about, openings, progress)
        started = time.perf_counter()
    # On leaving, the writer has waited for the last segments to be merged.
    about = _timed(about, started)
    known: NDArray[np.uint32] = np.empty(0, np.uint32)
    digests = FeatureReader(folder).everything()
    while some := list(islice(digests, STEP)):
        known = np.union1d(known, FeatureTable(some).terms)
    terms = IndexReader(folder).snapshot().statistics.total_terms
    return _keep(folder, replace(about, vocabulary=len(known), terms=terms))


def _fill(folder: Path, writer: IndexWriter, about: About, openings: Sequence[PoolJob], progress: Progress) -> About:
    base = make_base(about.resumes, seed=about.seed, progress=progress)
    with progress("indexing candidates", about.applications - writer.reached) as bar:
        entries = _entries(base, openings, about.seed, writer.reached, bar)
        while writer.reached < about.applications:
            started = time.perf_counter()
            reached = min(writer.reached + STEP, about.applications)
            writer.apply(islice(entries, reached - writer.reached), (), reached)
            about = _keep(folder, _timed(about, started))
    return about


def _timed(about: About, started: float) -> About:
    return replace(about, seconds=about.seconds + time.perf_counter() - started)


def _keep(folder: Path, about: About) -> About:
    (folder / _ABOUT).write_text(json.dumps(asdict(about)))
    return about


def _entries(base: Base, openings: Sequence[PoolJob], seed: int, first: int, bar: ProgressBar) -> Iterator[IndexEntry]:
    """From the `first` on: a candidate depends on its number alone."""
    number = 0
    for opening in openings:
        for at in range(max(number, first), number + opening.applications):
            candidate = compose(base, at, seed=seed, group=opening.group)
            yield make_entry(candidate, seed=seed, job=opening.id, revision=at + 1, wanted=opening.skills)
            bar.advance()
        number += opening.applications


EVERYONE = "everyone"
SMALL = 2_000  # applications: the average size of a job
STEPS = (
    *("rank for the job", "+ a word", "+ a phrase", "+ a degree", "+ two cities", "+ a skill with months"),
    *("+ a condition in words", "+ a status"),
)
WISHES = 2  # the last step that only ranks; those after it filter


def sample_ads(n: int, *, seed: int) -> list[JobAd]:
    """Of all kinds in turn, and only ads that ask for two skills or more."""
    kinds = sorted(VACANCIES)
    ads: list[JobAd] = []
    number = 0
    while len(ads) < n:
        ad = sample_job(kinds[number % len(kinds)], seed=seed, number=number)
        number += 1
        if len(ad.demands) > 1:
            ads.append(ad)
    return ads


def openings(ads: Sequence[JobAd], *, everyone: int, small: int) -> list[PoolJob]:
    """One job that all occupations apply for, and several small ones of one occupation each."""
    skills = [frozenset(name for demand in ad.demands for name in demand.skills) for ad in ads]
    whole = PoolJob(EVERYONE, everyone, skills[0])
    return [
        whole,
        *(PoolJob(small_job(at), SMALL, skills[at], (ads[at].kind, ads[at].occupation)) for at in range(small)),
    ]


def small_job(at: int) -> str:
    return f"small {at}"


class RefinementStep(NamedTuple):
    name: str
    criteria: Criteria


def refinements(ad: JobAd, job: str, cities: Sequence[str], ranker: str) -> Iterator[RefinementStep]:
    """Each step keeps the conditions before it. `cities`: the most frequent ones of the pool."""
    first, second = (demand.skills[0] for demand in ad.demands[:2])
    word = f'"{first}"' if " " in first else first
    degree = {"degree": (ad.degree or "bachelor",)}
    city = {**degree, "city": tuple(dict.fromkeys((ad.city, *cities)))[:2]}
    changes: tuple[dict[str, Any], ...] = (
        {},
        {"text": word},
        {"text": f'{word} "{ad.title}"'},
        {"facets": degree},
        {"facets": city},
        {"skills": (SkillCondition(second, at_least=12),)},
        {"text": f'{word} "{ad.title}" +(team OR project) -trainee'},
        {"facets": {**city, "status": ("new", "screened")}},
    )
    criteria = Criteria(job, ranker=ranker)
    for name, change in zip(STEPS, changes, strict=True):
        criteria = replace(criteria, **change)
        yield RefinementStep(name, criteria)
