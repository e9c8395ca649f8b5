"""`evenhand reproduce ranking`: every ranker on graded applicants as in Figure 12, and the experience filter of 13."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from itertools import count, islice
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize  # type: ignore[import-untyped]

from evenhand.mining.pipeline import MinedResume, mine_with_documents, understand_text
from evenhand.models.encoder.loading import Encoder, encoder_for
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.job import Job
from evenhand.records.profile import Profile
from evenhand.search.analysis import terms
from evenhand.search.evidence import complete_for_job
from evenhand.search.feature_extraction import extract_features
from evenhand.search.features import ResumeFeatures
from evenhand.search.rankers.base import Ranker, SkillDictionary, frequencies, idf, make_query, order
from evenhand.search.rankers.best import Best, Weights
from evenhand.search.rankers.first_best import FirstBest
from evenhand.search.rankers.registry import RANKERS, make_ranker
from evenhand.search.rankers.semantic import SectionEncoder, Semantic, section_vectors
from evenhand.search.rankers.weight_training import LEARNABLE, vector
from evenhand.search.rankers.word_rankers import Tfidf, TfidfSkills
from evenhand.search.statistics import BlendedStatistics, PoolStatistics, Statistics
from evenhand.settings import Settings
from evenhand_lab.benchmarks.kit import Measurement
from evenhand_lab.corpora.generate import CorpusRequest, make
from evenhand_lab.corpora.jobs import JobAd, sample_job
from evenhand_lab.corpora.kinds.kinds import sample_career
from evenhand_lab.corpora.relevance import grade
from evenhand_lab.corpora.sets.resumes import read_judged
from evenhand_lab.reproduce.results import PUBLISHED, Check, check_rows, published_first

Floats = NDArray[np.float64]
CUTS = (5, 10, 20)


@dataclass(frozen=True, slots=True)
class Scores:
    """P and NDCG at 5, 10 and 20."""

    precision: list[float]
    ndcg: list[float]

    def __str__(self) -> str:
        return " ".join(f"{value:.2f}" for value in self.precision + self.ndcg)


FIGURE_12 = {ranker: Scores(*scores) for ranker, scores in PUBLISHED["figure_12"].items()}
FIGURE_13 = {name: (Scores(*plain), Scores(*filtered)) for name, (plain, filtered) in PUBLISHED["figure_13"].items()}
"""Without and with the filter, on the jobs that state years."""


@dataclass(frozen=True, slots=True)
class RankerQuality:
    """A ranker on one sort of jobs, averaged. Relevant is who has grade 2 or more."""

    material: str
    ranker: str
    scores: Scores  # NDCG with the grade as gain
    ndcg_exponential: list[float]  # with 2^grade - 1
    bottom: list[int]  # relevant ones among the last 20, by job; none where there are few applicants
    published: Scores | None


@dataclass(frozen=True, slots=True)
class Gain:
    """What leaving out applicants without the experience asked for adds to the six figures."""

    material: str
    ranker: str
    without: Scores
    filtered: Scores
    mean: float  # relative
    published: tuple[Scores, Scores] | None
    published_mean: float | None


def gain_of(without: RankerQuality, filtered: RankerQuality, published: tuple[Scores, Scores] | None) -> Gain:
    mean = mean_gain(without.scores, filtered.scores)
    published_mean = mean_gain(*published) if published else None
    names = (without.material, without.ranker)
    return Gain(*names, without.scores, filtered.scores, mean, published, published_mean)


def mean_gain(before: Scores, after: Scores) -> float:
    """The mean of the relative gains, as published; a figure of 0 has none."""
    pairs = zip(before.precision + before.ndcg, after.precision + after.ndcg, strict=True)
    gains = [second / first - 1 for first, second in pairs if first]
    return fmean(gains) if gains else 0.0


@dataclass(frozen=True, slots=True)
class Rankings(Measurement):
    title: ClassVar[str] = "rankers on graded applicants: P and NDCG at 5, 10, 20"
    jobs: dict[str, tuple[int, list[int]]]  # by material: how many, and the applicants of each
    figure_12: list[RankerQuality]
    figure_13: list[Gain]
    checks: list[Check]
    judged: JudgedComparison | None = None

    def to_json(self) -> dict[str, Any]:
        return {"cuts": list(CUTS), **asdict(self)}

    def rows(self) -> list[tuple[str, str]]:
        rows = []
        for name, (jobs, applicants) in self.jobs.items():
            least, most = min(applicants, default=0), max(applicants, default=0)
            sizes = f"{least}" if least == most else f"{least} to {most}"
            rows.append((f"{name}: jobs, applicants of each", f"{jobs} jobs, {sizes} applicants each"))
        for quality in self.figure_12:
            name = f"{quality.material}: {quality.ranker}"
            exponential = " ".join(f"{value:.2f}" for value in quality.ndcg_exponential)
            rows.append((name, published_first(quality.published, str(quality.scores))))
            rows.append((f"{name}, NDCG with gain 2^grade - 1", exponential))
            if quality.bottom:
                rows.append((f"{name}, relevant in the bottom 20", ", ".join(map(str, quality.bottom))))
        for gain in self.figure_13:
            published = f" (published {gain.published_mean:+.1%})" if gain.published_mean is not None else ""
            value = f"{gain.without} -> {gain.filtered}, mean gain {gain.mean:+.1%}{published}"
            rows.append((f"{gain.material}: {gain.ranker} with the experience filter", value))
        return rows + (self.judged.rows() if self.judged else []) + check_rows(self.checks)


# How good a ranking is, by the grades people gave: the share of relevant ones at the top, and how early they come.

GainKind = Literal["linear", "exponential"]


def precision_at(grades: Sequence[int], k: int, *, relevant: int = 2) -> float:
    """`grades` in the order of the ranking. A list shorter than k has nothing relevant where it ends."""
    return sum(grade >= relevant for grade in grades[:k]) / k


def ndcg_at(grades: Sequence[int], k: int, *, gain: GainKind = "linear", pool: Sequence[int] = ()) -> float:
    """Järvelin and Kekäläinen's, with the discount log2(rank + 1) of common use.

    The ideal is the best order of all judged ones: of `pool` where the ranking holds only some of them. Where nothing
    is relevant every order is equally bad: 0.
    """
    ideal = _discounted(sorted(pool or grades, reverse=True)[:k], gain)
    return _discounted(grades[:k], gain) / ideal if ideal else 0.0


def relevant_in_bottom(grades: Sequence[int], k: int, *, relevant: int = 2) -> int:
    """How many relevant ones the last k hold."""
    return sum(grade >= relevant for grade in grades[-k:])


def _discounted(grades: Sequence[int], gain: GainKind) -> float:
    gains = (2**grade - 1 if gain == "exponential" else grade for grade in grades)
    return math.fsum(value / math.log2(rank + 1) for rank, value in enumerate(gains, start=1))


# Jobs with the resumes that applied for them and the grade of each: generated ones by rule, real ones by a reader.

KIND = "it"
FORMAT = "docx"
OF_THE_TRADE = 2 / 3
"""Of the applicants. Who applies for a job mostly does such work; what tells them apart is how much and how long."""
RELEVANT = 2
MIN_RELEVANT = 15  # one in so many applicants, or precision at 20 has no way to be 1
MAX_ADS = 100


@dataclass(frozen=True, slots=True)
class RankedApplicant:
    profile: Profile
    features: ResumeFeatures
    forms: tuple[str, ...]  # names and surface forms of the skills


@dataclass(frozen=True, slots=True)
class RankingRound:
    """One job, who applied, and how well each fits, 0 to 3."""

    job: Job
    applicants: tuple[RankedApplicant, ...]
    grades: tuple[int, ...]


class Makers:
    """Resumes by their numbers, each made once and only when somebody asks."""

    def __init__(self, seed: int) -> None:
        self.resume = cache(partial(make, CorpusRequest(seed, KIND, (FORMAT,))))
        self._occupation = cache(lambda number: sample_career(KIND, seed=seed, number=number)[0].occupation)

    def applicants(self, ad: JobAd, n: int) -> list[int]:
        """The first of the ad's occupation, and the first of any other."""
        same = round(OF_THE_TRADE * n)
        of_the_trade = (at for at in count() if self._occupation(at) == ad.occupation)
        others = (at for at in count() if self._occupation(at) != ad.occupation)
        return sorted((*islice(of_the_trade, same), *islice(others, n - same)))


def generated_rounds(
    n: int, jobs: int, seed: int, *, encoder: SectionEncoder | None, progress: Progress
) -> list[RankingRound]:
    """The first ads that state years, since only these can be filtered by them, with `n` applicants each."""
    makers = Makers(seed)
    chosen = list(with_progress(islice(_chosen(makers, n, seed), jobs), progress, "generated applicants", jobs))
    numbers = sorted({number for _, applicants, _ in chosen for number in applicants})
    with TemporaryDirectory() as folder:
        files = [Path(folder, f"{number}.{FORMAT}") for number in numbers]
        for number, file in zip(numbers, files, strict=True):
            file.write_bytes(makers.resume(number).files[0].data)
        mined = mine_with_documents(files, as_of=makers.resume(numbers[0]).truth.as_of)
        applicants = _applicants(with_progress(mined, progress, "mining", len(files)), encoder)
    known = dict(zip(numbers, applicants, strict=True))
    return [
        RankingRound(understand_text(ad.text, Settings()), tuple(known[number] for number in applied), grades)
        for ad, applied, grades in chosen
    ]


def _chosen(makers: Makers, n: int, seed: int) -> Iterator[tuple[JobAd, list[int], tuple[int, ...]]]:
    for number in range(MAX_ADS):
        ad = sample_job(KIND, seed=seed, number=number)
        if not ad.total_months:
            continue
        applicants = makers.applicants(ad, n)
        grades = tuple(grade(ad, makers.resume(applicant).truth) for applicant in applicants)
        if sum(points >= RELEVANT for points in grades) * MIN_RELEVANT >= n:
            yield ad, applicants, grades


def judged_rounds(folder: Path, *, encoder: SectionEncoder | None, progress: Progress) -> list[RankingRound]:
    jobs = list(read_judged(folder))
    files = sorted({judgment.file for job in jobs for judgment in job.judgments})
    mined = with_progress(mine_with_documents(files), progress, "judged resumes", len(files))
    read = dict(zip(files, list(mined), strict=True))
    rounds = []
    for job in jobs:
        understood = understand_text(job.text, Settings())
        applicants = _applicants((read[judgment.file] for judgment in job.judgments), encoder, understood)
        grades = tuple(judgment.grade for judgment in job.judgments)
        rounds.append(RankingRound(understood, tuple(applicants), grades))
    return rounds


def _applicants(
    resumes: Iterable[MinedResume], encoder: SectionEncoder | None, job: Job | None = None
) -> list[RankedApplicant]:
    """With `job`, as a list of that job has them: what the text names of its demands is held."""
    applicants = []
    for mined in resumes:
        text, profile = mined.document.text, mined.profile
        if job is not None:
            profile = complete_for_job(profile, text, job)
        vectors = section_vectors(text, profile, encoder) if encoder else None
        forms = tuple(form for skill in profile.skills for form in (skill.name, *skill.surfaces))
        applicants.append(RankedApplicant(profile, extract_features(text, profile, vectors=vectors), forms))
    return applicants


# Judged jobs one by one: rankers, parts and plain baselines beside each other, what is learned learned on the others.

DRAWS = 10_000
SHRINKAGE = 1.0
MIN_RELEVANT_TOP = 5  # relevant ones without which nothing could have all of the first five relevant


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """One way to order: nDCG@10 with gain 2^grade - 1 of each job, and P@5 where five are relevant."""

    name: str
    ndcg: list[float]
    precision: list[float]
    interval: tuple[float, float]  # of the mean nDCG, by drawing jobs again
    chance: float | None  # that the default is ahead by luck: signs of the differences turned at random, two-sided
    ahead: float = 0.0  # the default, on average

    def __str__(self) -> str:
        beside = "" if self.chance is None else f"; the default ahead by {self.ahead:+.3f}, p {self.chance:.3f}"
        low, high = self.interval
        return f"nDCG@10 {fmean(self.ndcg):.3f} ({low:.3f} to {high:.3f}), P@5 {fmean(self.precision):.2f}{beside}"


@dataclass(frozen=True, slots=True)
class JudgedComparison:
    figures: list[JudgedRow]
    weights: dict[str, float]  # learned on all judged jobs, of 100

    def rows(self) -> list[tuple[str, str]]:
        rows = [(f"judged: {row.name}", str(row)) for row in self.figures]
        rows += [
            (f"judged: {row.name}, job by job", " ".join(f"{value:.2f}" for value in row.ndcg)) for row in self.figures
        ]
        learned = ", ".join(f"{name} {value:.1f}" for name, value in self.weights.items())
        return [*rows, ("judged: weights learned on all jobs, not in use", learned)]


def compare_on(rounds: Sequence[RankingRound], encoder: Encoder | None) -> JudgedComparison:
    scores: dict[str, list[Floats]] = defaultdict(list)
    shares: list[Floats] = []
    for round_ in rounds:
        features = [applicant.features for applicant in round_.applicants]
        query = make_query(round_.job, dictionary=SkillDictionary(f for one in round_.applicants for f in one.forms))
        statistics = BlendedStatistics(PoolStatistics(features))
        for name in RANKERS:
            if encoder or name != Semantic.name:
                ranker = make_ranker(name, encoder=encoder if name == Semantic.name else None)
                scores[name].append(np.array(ranker.contributions(query, features, statistics).totals()))
        first = FirstBest().contributions(query, features, statistics)
        scores["best of version 0.1"].append(np.array(first.totals()))
        scores["TF-IDF of ad plus TF-IDF of title"].append(
            _cosines(query.text, features, statistics) + _cosines(round_.job.title or "", features, statistics)
        )
        parts = Best().features(query, features, statistics)
        none = np.zeros(len(features))
        shares.append(np.column_stack([parts[name].shares if name in parts else none for name in LEARNABLE]))
        for at, name in enumerate(LEARNABLE):
            scores[f"part {name} alone"].append(shares[-1][:, at])
    grades = [np.array(round_.grades) for round_ in rounds]
    start = vector(Weights(), LEARNABLE) / 10
    for at, own in enumerate(shares):
        others = [place for place in range(len(rounds)) if place != at]
        learned = _learn([shares[place] for place in others], [grades[place] for place in others], start)
        scores["best, weights learned on the other jobs"].append(own @ learned)
    learned = _learn(shares, grades, start)
    figures = _judged_rows(scores, grades)
    return JudgedComparison(
        figures, dict(zip(LEARNABLE, (100 * learned / learned.sum()).round(1).tolist(), strict=True))
    )


def _judged_rows(scores: Mapping[str, Sequence[Floats]], grades: Sequence[Floats]) -> list[JudgedRow]:
    ordered = {
        name: [
            of_job[np.argsort(-values, kind="stable")].tolist() for values, of_job in zip(found, grades, strict=True)
        ]
        for name, found in scores.items()
    }
    ndcg = {name: np.array([ndcg_at(row, 10, gain="exponential") for row in rows]) for name, rows in ordered.items()}
    random = np.random.default_rng(0)
    draws = random.integers(0, len(grades), (DRAWS, len(grades)))
    signs = random.choice((-1.0, 1.0), (DRAWS, len(grades)))
    figures = []
    for name, rows in ordered.items():
        telling = [row for row in rows if sum(grade >= RELEVANT for grade in row) >= MIN_RELEVANT_TOP]
        means = ndcg[name][draws].mean(axis=1)
        apart = ndcg[Best.name] - ndcg[name]
        by_luck = np.count_nonzero(np.abs(signs @ apart) >= abs(apart.sum()) - 1e-12)
        low, high = np.quantile(means, (0.025, 0.975)).round(4).tolist()
        figures.append(
            JudgedRow(
                name,
                ndcg[name].round(4).tolist(),
                [precision_at(row, 5) for row in telling],
                (low, high),
                None if name == Best.name else (1 + int(by_luck)) / (1 + DRAWS),
                float(apart.mean()),
            )
        )
    return sorted(figures, key=lambda row: -fmean(row.ndcg))


def _learn(shares: Sequence[Floats], grades: Sequence[Floats], start: Floats) -> Floats:
    """Pairwise logistic regression, no weight below 0, drawn towards the start; every job counts alike."""
    apart, trust = [], []
    for rows, of_job in zip(shares, grades, strict=True):
        better, worse = np.nonzero(of_job[:, None] > of_job[None, :])
        gains = 2.0 ** of_job[better] - 2.0 ** of_job[worse]
        apart.append(rows[better] - rows[worse])
        trust.append(gains / max(gains.sum(), 1.0))
    pairs, weights = np.vstack(apart), np.concatenate(trust)

    def loss(values: Floats) -> tuple[float, Floats]:
        margins, away = pairs @ values, values - start
        gradient = -(weights / (1 + np.exp(margins))) @ pairs + 2 * SHRINKAGE * away
        return float(weights @ np.logaddexp(0, -margins) + SHRINKAGE * (away @ away)), gradient

    result = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(start))
    return np.asarray(result.x)


def _cosines(text: str, features: Sequence[ResumeFeatures], statistics: Statistics) -> Floats:
    """The plainest baseline: cosine of TF-IDF vectors with idf of the whole collection."""
    counts = Counter(terms(text))
    words = list(counts)
    rarity = np.array([idf(statistics.document_frequency(word), statistics.number) for word in words])
    asked = np.log1p(np.array(list(counts.values()))) * rarity
    found = np.log1p(frequencies(words, features)) * rarity
    lengths = np.array([np.linalg.norm(np.log1p(resume.counts)) for resume in features])
    return np.asarray(found @ asked / np.maximum(lengths * np.linalg.norm(asked), 1e-9))


APPLICANTS = 300  # for each generated job
JOBS = 8  # as published
SEED = 1
BOTTOM = 20  # as published
FILTERED = (TfidfSkills.name, Best.name)
GENERATED, JUDGED = "generated", "judged"
SMALL = 3 * BOTTOM  # of fewer applicants the last 20 are no bottom


def run(
    data: Path | None = None,
    *,
    n: int = APPLICANTS,
    seed: int = SEED,
    jobs: int = JOBS,
    progress: Progress = no_progress,
) -> Rankings:
    """On generated jobs with `n` applicants each and, with `data`, on the jobs with graded resumes of data/judged."""
    encoder = encoder_for(Settings())
    materials = {GENERATED: generated_rounds(n, jobs, seed, encoder=encoder, progress=progress)}
    if data and (data / JUDGED).is_dir():
        materials[JUDGED] = judged_rounds(data / JUDGED, encoder=encoder, progress=progress)
    return compare_rankers(materials, encoder, progress)


def compare_rankers(
    materials: dict[str, list[RankingRound]], encoder: Encoder | None, progress: Progress = no_progress
) -> Rankings:
    names = [name for name in RANKERS if encoder or name != Semantic.name]
    figure_12: list[RankerQuality] = []
    gains: list[Gain] = []
    for material, rounds in materials.items():
        for name in with_progress(names, progress, f"rankers on {material} jobs", len(names)):
            ranker = make_ranker(name, encoder=encoder if name == Semantic.name else None)
            ranked = [rank_round(ranker, round_) for round_ in rounds]
            plain = measure(material, name, rounds, ranked)
            figure_12.append(plain)
            if name in FILTERED:
                kept = [keep_experienced(round_, rows) for round_, rows in zip(rounds, ranked, strict=True)]
                gains.append(gain_of(plain, measure(material, name, rounds, kept), FIGURE_13.get(name)))
    return Rankings(
        {material: (len(rounds), [len(round_.grades) for round_ in rounds]) for material, rounds in materials.items()},
        figure_12,
        gains,
        check(figure_12, gains),
        compare_on(materials[JUDGED], encoder) if JUDGED in materials else None,
    )


def rank_round(ranker: Ranker, round_: RankingRound) -> list[int]:
    """The applicants from the first to the last; equal scores in the order of application."""
    features = [applicant.features for applicant in round_.applicants]
    dictionary = SkillDictionary(form for applicant in round_.applicants for form in applicant.forms)
    query = make_query(round_.job, dictionary=dictionary)
    totals = ranker.contributions(query, features, BlendedStatistics(PoolStatistics(features))).totals()
    return order(totals, [f"{at:06d}" for at in range(len(features))])


def keep_experienced(round_: RankingRound, rows: Sequence[int]) -> list[int]:
    return [row for row in rows if has_experience(round_.job, round_.applicants[row])]


def has_experience(job: Job, applicant: RankedApplicant) -> bool:
    """The months that the job asks for, in all and of each must-have, as they were mined. Unknown is not enough."""
    mined = {skill.name: skill.months or 0 for skill in reversed(applicant.profile.skills)}
    return (applicant.profile.total_months or 0) >= (job.months or 0) and all(
        any(mined.get(name, 0) >= demand.months for name in demand.skills)
        for demand in job.demands
        if demand.must and demand.months
    )


def measure(
    material: str, ranker: str, rounds: Sequence[RankingRound], ranked: Sequence[Sequence[int]]
) -> RankerQuality:
    """Averages over the jobs. The ideal is that of all applicants, also where a filter left some out."""
    lists = [[round_.grades[row] for row in rows] for round_, rows in zip(rounds, ranked, strict=True)]
    judged = list(zip(lists, (round_.grades for round_ in rounds), strict=True))
    return RankerQuality(
        material,
        ranker,
        Scores(
            [fmean(precision_at(grades, k) for grades in lists) for k in CUTS],
            [fmean(ndcg_at(grades, k, pool=pool) for grades, pool in judged) for k in CUTS],
        ),
        [fmean(ndcg_at(grades, k, pool=pool, gain="exponential") for grades, pool in judged) for k in CUTS],
        [relevant_in_bottom(grades, BOTTOM) for grades in lists if len(grades) >= SMALL],
        FIGURE_12.get(ranker),
    )


def check(figure_12: Sequence[RankerQuality], gains: Sequence[Gain]) -> list[Check]:
    made = {figure.ranker: figure for figure in figure_12 if figure.material == GENERATED}
    boosted, plain = (made[name].scores.ndcg[-1] for name in (TfidfSkills.name, Tfidf.name))
    filtered = next(gain for gain in gains if (gain.material, gain.ranker) == (GENERATED, TfidfSkills.name))
    judged = [
        Check(f"judged: the experience filter gains for {gain.ranker}", gain.mean > 0)
        for gain in gains
        if gain.material != GENERATED
    ]
    return [
        Check("generated: skill boost at least plain TF-IDF on NDCG@20", boosted >= plain),
        Check("generated: best has nobody relevant in the bottom 20", not any(made[Best.name].bottom)),
        Check("generated: the experience filter gains at least the published 30%", filtered.mean >= 0.298),
        *judged,
    ]
