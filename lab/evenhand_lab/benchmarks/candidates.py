"""Candidates by the million for the search bench: mined resumes drawn again and again, and the index filled with them.

Each draw has contacts, rare words and some lines of colleagues of its own, so that no two candidates are the same text.
"""

from __future__ import annotations

import json
import math
import os
import re
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import accumulate, islice
from pathlib import Path
from random import Random
from string import ascii_lowercase, digits
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evenhand.documents.parse import parse
from evenhand.mining.in_process import mine_document, miner_for
from evenhand.progress import Progress, ProgressBar, no_progress, with_progress
from evenhand.records import Job
from evenhand.records.profile import Profile
from evenhand.search.analysis import terms
from evenhand.search.criteria import Criteria, SkillCondition
from evenhand.search.feature_extraction import count_terms, extract_features, measure_text
from evenhand.search.features import NOT_IN_USE, FeatureTable, ResumeFeatures
from evenhand.search.features import VERSION as DIGEST_VERSION
from evenhand.search.index.files import FeatureReader
from evenhand.search.index.schema import EntryCard, IndexEntry
from evenhand.search.index.writer import IndexWriter
from evenhand.search.index_sync import PLACES
from evenhand.search.matching import facts_of, relevant_months, written
from evenhand.settings import Settings
from evenhand_lab.benchmarks.inputs import request_in_turn
from evenhand_lab.corpora.generate import in_processes, make
from evenhand_lab.corpora.jobs import VACANCIES, JobAd, sample_job
from evenhand_lab.corpora.lexicon import stream

MIN_RESUMES, MAX_RESUMES = 200, 6_000
BATCH = 100
Group = tuple[str, str]
"""Kind and occupation."""


@dataclass(frozen=True, slots=True)
class BaseResume:
    """A generated resume as the product mined it; `entry` is that of any candidate drawn from it, but for their own."""

    group: Group
    text: str
    profile: Profile
    features: ResumeFeatures
    entry: IndexEntry


def resumes_for(candidates: int) -> int:
    """How many resumes so many candidates are drawn from."""
    return min(MAX_RESUMES, max(MIN_RESUMES, candidates))


class Base:
    """The resumes that candidates are drawn from, in all and by occupation."""

    def __init__(self, resumes: Sequence[BaseResume]) -> None:
        self.resumes = resumes
        self.members: dict[Group, list[BaseResume]] = defaultdict(list)
        for resume in resumes:
            self.members[resume.group].append(resume)


def make_base(n: int, *, seed: int, progress: Progress = no_progress) -> Base:
    """All kinds of generated resumes in turn."""
    tasks = [(seed, range(start, min(start + BATCH, n))) for start in range(0, n, BATCH)]
    made = in_processes(_make_batch, tasks, (os.cpu_count() or 1) if len(tasks) > 1 else 1)
    batches = with_progress(made, progress, "generating resumes", len(tasks))
    return Base([resume for batch in batches for resume in batch])


def _make_batch(task: tuple[int, range]) -> list[BaseResume]:
    seed, numbers = task
    miner = miner_for(Settings())
    resumes = []
    for number in numbers:
        made = make(request_in_turn(seed, number, "txt"), number)
        document = parse(made.files[0].data)
        profile = mine_document(miner, document, as_of=made.truth.as_of)
        facts = facts_of(profile, Job(text=""), ())
        entry = IndexEntry(
            application="",
            job="",
            revision=0,
            text="",
            digest=b"",
            degree=profile.highest_degree,
            city=facts.city,
            total_months=profile.total_months,
            skills=tuple((skill.name, skill.months) for skill in profile.skills),
            titles=tuple(dict.fromkeys(written(position.title for position in profile.positions))),
            employers=tuple(dict.fromkeys(written(position.employer for position in profile.positions))),
            universities=tuple(dict.fromkeys(written(study.university for study in profile.education))),
            card=EntryCard(
                name=profile.name.value if profile.name else None,
                title=facts.title,
                employer=facts.employer,
                places={skill.name: skill.evidence[:PLACES] for skill in profile.skills},
            ),
        )
        features = extract_features(document.text, profile)
        resumes.append(BaseResume((made.truth.kind, made.truth.occupation), document.text, profile, features, entry))
    return resumes


# Rare words: real pools hold clients, products and misspellings by the hundred thousand, each in very few resumes.
WORDS = 2_000_000
MEAN = 5  # words per resume
MAX_LINES = 8  # of colleagues
_ONSETS = ("b", "br", "d", "dr", "f", "fl", "g", "k", "kl", "l", "m", "n", "p", "pr", "r", "s", "t", "tr", "v", "z")
_VOWELS = ("a", "e", "i", "o", "u", "ai", "eo")
_OWN = re.compile(r"\w+(?=@)|\w+$")  # of an address, link or phone number: what differs between people


@dataclass(frozen=True, slots=True)
class DrawnCandidate:
    """A resume of the base with contacts and further lines of its own; what the resume says stands where it stood."""

    number: int
    resume: BaseResume
    text: str
    features: ResumeFeatures


def draw(base: Base, number: int, *, seed: int, group: Group | None = None) -> DrawnCandidate:
    """The candidate of this number, the same whatever was made before; of `group`, or of any occupation."""
    rng = stream(seed, number, "candidate")
    resume = rng.choice(base.members.get(group) or base.resumes if group else base.resumes)
    text, profile = resume.text, resume.profile
    for fact in (*profile.emails, *profile.phones, *profile.links):
        start, end = fact.evidence.start, fact.evidence.end
        text = text[:start] + _OWN.sub(lambda own: _scrambled(rng, own[0]), text[start:end], count=1) + text[end:]
    colleagues = base.members[resume.group]
    lines = [rng.choice(rng.choice(colleagues).text.splitlines()) for _ in range(rng.randint(0, MAX_LINES))]
    # The r-th word of the list is drawn in proportion to 1/r (Zipf).
    names = [_name(int(math.exp(rng.random() * math.log(WORDS)))) for _ in range(rng.randint(1, 2 * MEAN - 1))]
    more = "\n".join(("", *lines, f"Clients: {', '.join(names)}", ""))
    return DrawnCandidate(number, resume, text + more, _with_terms(resume.features, terms(more)))


def _scrambled(rng: Random, own: str) -> str:
    """As long as it was, so that all places in the text stay."""
    return "".join(rng.choices(digits if own.isdigit() else ascii_lowercase, k=len(own)))


def _name(rank: int) -> str:
    """A word of its own for every rank."""
    word = ""
    while True:
        rank, onset = divmod(rank, len(_ONSETS))
        rank, vowel = divmod(rank, len(_VOWELS))
        word += _ONSETS[onset] + _VOWELS[vowel]
        if not rank:
            return word.capitalize() + "x"  # nothing for a stemmer to cut


def _with_terms(features: ResumeFeatures, more: Sequence[str]) -> ResumeFeatures:
    """As `extract_features` gives for a text with these terms at its end, outside of all jobs."""
    numbers, counts = count_terms(more)
    merged = np.union1d(features.terms, numbers)
    before = np.searchsorted(merged, features.terms)
    total, uses = np.zeros(len(merged), np.uint16), np.full(len(merged), NOT_IN_USE, np.uint8)
    total[before], uses[before] = features.counts, features.uses
    total[np.searchsorted(merged, numbers)] += counts.astype(np.uint16)
    meaning, known = measure_text(merged, total.astype(np.int64))
    length = features.length + len(more)
    return replace(features, terms=merged, counts=total, uses=uses, length=length, meaning=meaning, known=known)


# A drawn candidate as the index takes it: an application for a job, from some source, with some status.
SOURCES = (
    *("Job board", "Careers page", "Professional network", "Employee referral", "Campus", "Walk-in"),
    *(f"Agency {number}" for number in range(1, 195)),
)
_SOURCE_WEIGHTS = tuple(accumulate(1 / rank for rank in range(1, len(SOURCES) + 1)))  # Zipf
STATUSES = {"new": 62, "screened": 20, "rejected": 13, "shortlisted": 4, "offered": 1}
_STATUS_WEIGHTS = tuple(accumulate(STATUSES.values()))


def make_entry(candidate: DrawnCandidate, *, seed: int, job: PoolJob) -> IndexEntry:
    """Of an application for the job; work that mentions one of its skills is relevant."""
    rng = stream(seed, candidate.number, "application")
    resume = candidate.resume
    return replace(
        resume.entry,
        application=f"a{candidate.number:08d}",
        job=job.id,
        revision=candidate.number + 1,
        text=candidate.text,
        digest=candidate.features.to_bytes(),
        # One in twenty came by a way that nobody noted.
        source=None if rng.random() < 0.05 else rng.choices(SOURCES, cum_weights=_SOURCE_WEIGHTS)[0],
        status=rng.choices(tuple(STATUSES), cum_weights=_STATUS_WEIGHTS)[0],
        relevant_months=relevant_months(resume.profile, set(job.skills)),
        card=replace(resume.entry.card, file=f"resume-{candidate.number:08d}.pdf"),
    )


STEP = 20_000
_ABOUT = "pool.json"  # pools with an about.json were composed in another way: they are built anew
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
    """A pool; the seconds are those of drawing and indexing, without the resumes it is made from."""

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
    folder: Path, openings: Sequence[PoolJob], *, seed: int, resumes: int, progress: Progress = no_progress
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
    terms = 0
    digests = FeatureReader(folder).everything()
    while some := list(islice(digests, STEP)):
        table = FeatureTable(some)
        known, terms = np.union1d(known, table.terms), terms + int(table.headers["length"].sum())
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
            candidate = draw(base, at, seed=seed, group=opening.group)
            yield make_entry(candidate, seed=seed, job=opening)
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
