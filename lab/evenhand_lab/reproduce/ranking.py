"""`evenhand reproduce ranking`: every ranker on graded applicants as in Figure 12, and the experience filter of 13."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from itertools import count, islice
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Literal

from evenhand.mining.pipeline import MinedResume, mine_with_documents, understand_text
from evenhand.models.encoder.loading import Encoder, encoder_for
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.job import Job
from evenhand.records.profile import Profile
from evenhand.search.feature_extraction import extract_features
from evenhand.search.features import ResumeFeatures
from evenhand.search.rankers.base import Ranker, SkillDictionary, make_query, order
from evenhand.search.rankers.best import Best
from evenhand.search.rankers.registry import RANKERS, make_ranker
from evenhand.search.rankers.semantic import SectionEncoder, Semantic, section_vectors
from evenhand.search.rankers.word_rankers import Tfidf, TfidfSkills
from evenhand.search.statistics import PoolStatistics
from evenhand.settings import Settings
from evenhand_lab.benchmarks.kit import Measurement
from evenhand_lab.corpora.generate import CorpusRequest, make
from evenhand_lab.corpora.jobs import JobAd, sample_job
from evenhand_lab.corpora.kinds.kinds import sample_career
from evenhand_lab.corpora.relevance import grade
from evenhand_lab.corpora.sets.resumes import read_judged
from evenhand_lab.reproduce.results import PUBLISHED, Check, check_rows, published_first

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
        return rows + check_rows(self.checks)


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
    known = dict(zip(files, _applicants(mined, encoder), strict=True))
    return [
        RankingRound(
            understand_text(job.text, Settings()),
            tuple(known[judgment.file] for judgment in job.judgments),
            tuple(judgment.grade for judgment in job.judgments),
        )
        for job in jobs
    ]


def _applicants(resumes: Iterable[MinedResume], encoder: SectionEncoder | None) -> list[RankedApplicant]:
    applicants = []
    for mined in resumes:
        text, profile = mined.document.text, mined.profile
        vectors = section_vectors(text, profile, encoder) if encoder else None
        forms = tuple(form for skill in profile.skills for form in (skill.name, *skill.surfaces))
        applicants.append(RankedApplicant(profile, extract_features(text, profile, vectors=vectors), forms))
    return applicants


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
    )


def rank_round(ranker: Ranker, round_: RankingRound) -> list[int]:
    """The applicants from the first to the last; equal scores in the order of application."""
    features = [applicant.features for applicant in round_.applicants]
    dictionary = SkillDictionary(form for applicant in round_.applicants for form in applicant.forms)
    query = make_query(round_.job, dictionary=dictionary)
    totals = ranker.contributions(query, features, PoolStatistics(features)).totals()
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
