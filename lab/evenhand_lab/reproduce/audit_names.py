"""The names and resumes of Bloomberg's audit (2024): how often each group's names stand first among equals, and how
far a name alone moves a score."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.audit.models.resumes import spread
from evenhand.audit.statistics import DRAWS, Estimate, Floats, Rate, around, share_at_least, wilson_rate
from evenhand.documents.reading import open_pool, read
from evenhand.errors import UsageError
from evenhand.mining.pipeline import MinedResume, mine_with_documents, read_job
from evenhand.models.encoder.loading import encoder_for
from evenhand.models.inputs import ResumeInput, resume_input
from evenhand.models.predict import classifier_for
from evenhand.models.registry import find_model
from evenhand.progress import Progress, with_progress
from evenhand.records.document import Document
from evenhand.search.rankers.base import SkillDictionary, make_query
from evenhand.search.rankers.registry import RANKERS, make_ranker
from evenhand.search.rankers.semantic import Semantic
from evenhand.search.ranking import PooledResume, resume_features, skill_forms
from evenhand.search.statistics import BlendedStatistics, PoolStatistics
from evenhand.settings import Settings
from evenhand_lab.training.occupation_data import AS_OF

# Resumes that exist as text only, scored by every ranker and by the occupation model, all in one pool.

OCCUPATION = "occupation model"


@dataclass
class CachingTextEncoder:
    """The encoder, asked once for every text: resumes that differ in a name share all their sections but one."""

    encoder: Any
    known: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    def encode(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        for text in texts:
            if text not in self.known:
                self.known[text] = self.encoder.encode([text])[0]
        return np.stack([self.known[text] for text in texts]) if texts else np.asarray(self.encoder.encode([]))

    def windows(self, text: str, /, *rest: int) -> Any:
        return self.encoder.windows(text, *rest)


def mine_texts(texts: Sequence[str], *, settings: Settings, progress: Progress) -> list[MinedResume]:
    """Read and mined as if each were a text file."""

    def documents() -> Iterator[Document]:
        with open_pool(settings, workers=1) as pool:
            for text in texts:
                yield read(text.encode(), settings=settings, pool=pool)

    stream = mine_with_documents(documents(), as_of=AS_OF, settings=settings)
    return list(with_progress(stream, progress, "reading and mining resumes", len(texts)))


def score_all(
    job_text: str, mined: Sequence[MinedResume], label: str, *, settings: Settings, progress: Progress
) -> Iterator[tuple[str, Floats]]:
    """The name of each ranker that can run, and one number per resume; then the occupation model's probability of
    `label`, as a logit, in which small changes of a sure model can be seen."""
    job = read_job(job_text, settings)
    resumes = [PooledResume(str(at), resume.document.text, resume.profile) for at, resume in enumerate(mined)]
    query = make_query(job, dictionary=SkillDictionary(skill_forms(resumes)))
    stream = with_progress(resumes, progress, "comparing resumes", len(resumes))
    plain = [resume_features(resume, job, None) for resume in stream]
    encoder = encoder_for(settings)
    for name in RANKERS:
        if name == Semantic.name and encoder is None:
            continue
        needed = CachingTextEncoder(encoder) if name == Semantic.name else None
        features = plain if needed is None else [resume_features(resume, job, needed) for resume in resumes]
        ranker = make_ranker(name, encoder=encoder if needed else None)
        yield (
            name,
            np.asarray(ranker.contributions(query, features, BlendedStatistics(PoolStatistics(features))).totals()),
        )
    inputs = [resume_input(resume.document, resume.profile) for resume in mined]
    yield OCCUPATION, occupation_logits(inputs, label, settings)


def occupation_logits(inputs: Sequence[ResumeInput], label: str, settings: Settings) -> Floats:
    """Each different input is judged once: those with a blanked name differ in the number of blanks at most."""
    judge = classifier_for(find_model("occupation", None, settings), settings)
    place = judge.manifest.labels.index(label)
    known: dict[Any, float] = {}
    logits = []
    for resume in inputs:
        key = (resume.sections, resume.titles)
        if key not in known:
            chance = float(np.clip(judge.predict([resume])[0][place], 1e-12, 1 - 1e-12))
            known[key] = float(np.log(chance / (1 - chance)))
        logits.append(known[key])
    return np.array(logits)


FOLDER = "bloomberg-hiring-audit"
RACES = {"W": "white", "B": "black", "A": "Asian", "H": "Hispanic"}
FILES = {"men": "top_mens_names.json", "women": "top_womens_names.json"}
LABELS = {  # of the occupation model, for each of the four jobs
    "software engineer": "INFORMATION-TECHNOLOGY",
    "HR specialist": "HR",
    "retail": "SALES",
    "financial analyst": "FINANCE",
}
RANKINGS = 125  # draws of one name per group; each is ranked once for every turn of the resumes, 1,000 in all
SAME = 1e-9  # of the spread of scores: sums of the same numbers are the same


@dataclass(frozen=True, slots=True)
class NamesData:
    """Names by group, and for each job its text and resumes with a place for the name."""

    names: Mapping[str, tuple[str, ...]]
    jobs: Mapping[str, tuple[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class TopRow:
    """How often the names of a group were ranked first, alone; a tie at the top is nobody's."""

    job: str
    ranker: str
    shares: Mapping[str, Rate]
    ties: Rate
    disparity: float | None  # the smallest share over the largest

    def __str__(self) -> str:
        if self.disparity is None:
            return f"always a tie at the top ({self.ties.part:,} of {self.ties.whole:,})"
        ties = f"ties at the top in {100 * (self.ties.value or 0.0):.1f}%"
        if self.disparity == 1.0:
            return f"every group equally often, disparity ratio 1; {ties}"
        low = min(self.shares, key=lambda group: self.shares[group].value or 0.0)
        high = max(self.shares, key=lambda group: self.shares[group].value or 0.0)
        return (
            f"{_spelled(low, self.shares[low])} to {_spelled(high, self.shares[high])}, disparity ratio "
            f"{self.disparity:.3f}; {ties}"
        )


@dataclass(frozen=True, slots=True)
class PairRow:
    """How far names move the score of the same resume, in standard deviations between resumes. `group` is the one that
    stands furthest from the others; `p` is of the largest of all groups, by shuffling names among groups."""

    job: str
    ranker: str
    ties: Rate  # resumes whose score is exactly that of the same resume under most other names
    largest: float
    group: str
    effect: Estimate
    p: float

    def __str__(self) -> str:
        if self.ties.part == self.ties.whole:
            return f"all {self.ties.whole:,} scores are exactly those of the same resume under other names"
        low, high = self.effect.low or 0.0, self.effect.high or 0.0
        return (
            f"{100 * (self.ties.value or 0.0):.2f}% exact ties; largest change {self.largest:.4f} sd; furthest group "
            f"{self.group} {self.effect.value or 0.0:+.5f} sd ({low:+.5f} to {high:+.5f}); p = {self.p:.3f}"
        )


@dataclass(frozen=True, slots=True)
class Blanking:
    """Whether mining found the name, for each group, and how far the occupation model moved, in logits, where it did
    and where it did not."""

    found: Mapping[str, Rate]
    moved_where_found: float
    moved_where_missed: float

    def __str__(self) -> str:
        part, whole = (sum(getattr(rate, name) for rate in self.found.values()) for name in ("part", "whole"))
        groups = ", ".join(_spelled(group, rate) for group, rate in self.found.items())
        return (
            f"{part:,} of {whole:,} ({groups}); largest change of the occupation model where found "
            f"{self.moved_where_found:.2g} logits, where missed {self.moved_where_missed:.2g}"
        )


@dataclass(frozen=True, slots=True)
class NamesResult:
    names: int
    tops: list[TopRow]
    pairs: list[PairRow]
    blanking: Blanking


def _spelled(group: str, rate: Rate) -> str:
    low, high = 100 * (rate.low or 0.0), 100 * (rate.high or 0.0)
    return f"{group} {100 * (rate.value or 0.0):.2f}% ({low:.1f} to {high:.1f})"


def read_names(data: Path, *, n: int | None = None) -> NamesData:
    """`n` names of each of the eight groups, spread over the list; all of them without."""
    folder = data / FOLDER
    try:
        lists = {sex: json.loads((folder / "input" / name).read_text()) for sex, name in FILES.items()}
        jobs = json.loads((folder / "intermediary" / "resumes_to_rank.json").read_text())
    except (OSError, ValueError) as error:
        raise UsageError(f"There are no names and resumes in {data}: it needs a folder {FOLDER}.") from error
    names = {}
    for race, word in RACES.items():
        for sex, by_race in lists.items():
            names[f"{word} {sex}"] = tuple(name.title() for name in spread(by_race[race], n))
    return NamesData(names, {job: (row["jd"], tuple(row["resumes"])) for job, row in jobs.items() if job in LABELS})


def measure_names(given: NamesData, *, seed: int, settings: Settings, progress: Progress) -> NamesResult:
    tops: list[TopRow] = []
    pairs: list[PairRow] = []
    blanked: list[tuple[str, bool, float]] = []  # for each resume: group, whether mining found the name, change
    groups = np.array([group for group, names in given.names.items() for _ in names])
    people = [name for names in given.names.values() for name in names]
    for job, (text, templates) in given.jobs.items():
        written = written_by(groups, len(templates))
        places = np.argwhere(written)
        texts = [templates[at].replace("{name}", people[person]) for person, at in places]
        mined = mine_texts(texts, settings=settings, progress=progress)
        for ranker, scores in score_all(text, mined, LABELS[job], settings=settings, progress=progress):
            table = np.full(written.shape, np.nan)
            table[written] = scores
            tops.append(measure_top(job, ranker, table, groups, seed=seed))
            pairs.append(measure_pairs(job, ranker, table, groups, seed=seed))
        moved = np.abs(table - np.nanmedian(table, axis=0))[written]  # of the occupation model, which comes last
        for (person, _), resume, change in zip(places, mined, moved, strict=True):
            name = resume.profile.name
            is_found = name is not None and people[person].casefold() in name.surface.casefold()
            blanked.append((groups[person], is_found, float(change)))
    hits = {group: [is_found for own, is_found, _ in blanked if own == group] for group in given.names}
    found, missed = (max((row[2] for row in blanked if row[1] is side), default=0.0) for side in (True, False))
    rates = {group: wilson_rate(sum(own), len(own)) for group, own in hits.items() if own}
    return NamesResult(len(people), tops, pairs, Blanking(rates, found, missed))


def written_by(groups: NDArray[Any], templates: int) -> NDArray[np.bool_]:
    """Which person's name stands on which resume: on as few as will do for every group to have every resume, in turn.
    With eight names of a group or more it is one each."""
    written = np.zeros((len(groups), templates), dtype=np.bool_)
    for name in np.unique(groups):
        people = np.flatnonzero(groups == name)
        share = -(-templates // len(people))
        for place, person in enumerate(people):
            written[person, (np.arange(share) + place * share) % templates] = True
    return written


def measure_top(job: str, ranker: str, table: Floats, groups: NDArray[Any], *, seed: int) -> TopRow:
    """Of each group a name on a resume of its own, turned until every group has had every resume: where names have no
    effect, every group is first equally often. A row of `table` is a name, a column a resume, empty where that name
    does not stand on it."""
    names = sorted(set(groups.tolist()))
    rng = np.random.default_rng(seed)
    wins, ties = dict.fromkeys(names, 0), 0
    own = [[table[groups == name, at] for at in range(table.shape[1])] for name in names]
    known = [[scores[~np.isnan(scores)] for scores in by_resume] for by_resume in own]
    for _ in range(RANKINGS):
        order = rng.permutation(table.shape[1])
        for turn in range(table.shape[1]):
            resumes = [order[(place + turn) % table.shape[1]] for place in range(len(names))]
            scores = np.array([rng.choice(known[place][at]) for place, at in enumerate(resumes)])
            best = np.flatnonzero(scores >= scores.max() - SAME * _spread(table))
            if len(best) > 1:
                ties += 1
            else:
                wins[names[best[0]]] += 1
    total = RANKINGS * table.shape[1]
    decided = total - ties
    shares = {name: wilson_rate(wins[name], decided) for name in names}
    disparity = min(wins.values()) / max(wins.values()) if decided else None
    return TopRow(job, ranker, shares, wilson_rate(ties, total), disparity)


def measure_pairs(job: str, ranker: str, table: Floats, groups: NDArray[Any], *, seed: int) -> PairRow:
    """The same resume under different names. The median is what most names get; who gets it exactly is tied."""
    spread = _spread(table)
    moved = (table - np.nanmedian(table, axis=0)) / spread
    seen = moved[~np.isnan(moved)]
    means = np.nanmean(moved, axis=1)  # one number a name: names are what was drawn, not resumes
    names = sorted(set(groups.tolist()))
    effects = {name: float(means[groups == name].mean() - means[groups != name].mean()) for name in names}
    group = max(names, key=lambda name: abs(effects[name]))
    ties = wilson_rate(int((np.abs(seen) <= SAME).sum()), len(seen))
    effect, p = _interval(means, groups == group, seed), _p(means, groups, abs(effects[group]), seed)
    return PairRow(job, ranker, ties, float(np.abs(seen).max()), group, effect, p)


def _spread(table: Floats) -> float:
    """The standard deviation between resumes under the name that most have; 1 where all are the same."""
    return float(np.nanmedian(table, axis=0).std()) or 1.0


def _interval(means: Floats, inside: NDArray[np.bool_], seed: int) -> Estimate:
    rng = np.random.default_rng(seed)
    own, others = means[inside], means[~inside]
    drawn = own[rng.integers(0, len(own), (DRAWS, len(own)))].mean(axis=1)
    drawn -= others[rng.integers(0, len(others), (DRAWS, len(others)))].mean(axis=1)
    return around(float(own.mean() - others.mean()), drawn)


def _p(means: Floats, groups: NDArray[Any], seen: float, seed: int) -> float:
    """Of the largest difference of any group, so that looking at eight of them is accounted for."""
    if not np.abs(means).max() > SAME:
        return 1.0
    rng = np.random.default_rng(seed)
    masks = np.stack([groups == name for name in sorted(set(groups.tolist()))]).astype(np.float64)
    sizes, total = masks.sum(axis=1), len(means)
    largest = []
    for _ in range(DRAWS):
        mixed = rng.permutation(means)
        sums = masks @ mixed
        largest.append(np.abs(sums / sizes - (mixed.sum() - sums) / (total - sizes)).max())
    return share_at_least(seen, np.array(largest))
