"""A concept removed from an occupation model and from the semantic ranker, and both audited before and after.

Less leak is not a fairer outcome: what can be read from the rows, what a swap of words does, and how groups fare are
measured side by side on the same resumes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evenhand.audit.swaps.comparison import Comparison, compare_all
from evenhand.audit.swaps.effects import Floats, Integers
from evenhand.audit.swaps.trials import Outcome
from evenhand.debias.fairness import tpr_gap
from evenhand.debias.fitting import Fitted, Plan, fit_removal
from evenhand.debias.heads import Head
from evenhand.debias.samples import Samples, make_samples, variable
from evenhand.debias.scoring import Score, final_bench, measure
from evenhand.errors import UsageError
from evenhand.models.concept_removal import LinearMap, erase_encoder, identity
from evenhand.plugins import generated_resumes
from evenhand.records.job import Job
from evenhand.search.rankers import SkillDictionary, make_query
from evenhand.search.rankers.semantic import Semantic
from evenhand.search.statistics import PoolStatistics
from evenhand.settings import Settings
from evenhand.workflows.auditing.swap_judges import (
    Judged,
    RankerJudge,
    Reading,
    RememberingSections,
    SwapJudge,
    score_digests,
)
from evenhand.workflows.auditing.swap_pool import Subject, draw, read_subjects
from evenhand.workflows.auditing.swap_trying import plan_all, try_all
from evenhand.workflows.auditing.swap_values import swap_families
from evenhand.workflows.debiasing.learning_again import learn_again
from evenhand.workflows.debiasing.text_rows import open_encoder, source_of
from evenhand.workflows.section_vectors import SectionEncoder
from evenhand.workflows.watching import Watch, unwatched, watched

FAMILIES = {"gender": ("name_gender", "gender_words"), "origin": ("name_origin",)}
"""Which words tell of a variable."""
LEAST_OF_CLASS = 12  # resumes of an occupation that is learned
MOST_EDITED = 120
SHORTLIST = 0.1
PLAIN, ERASED = "as it is", "without"


@dataclass(frozen=True, slots=True)
class GroupOutcome:
    """How groups fare under one judge: a gap in true positive rates, or the impact ratio of a shortlist."""

    judge: str
    figure: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True, eq=False)
class BeforeAfter:
    sensitive: str
    fitted: Fitted
    scores: tuple[Score, Score]
    comparisons: tuple[Comparison, ...]  # of judges named before, then of the same after
    outcomes: tuple[GroupOutcome, ...]
    resumes: int
    edited: int


@dataclass(frozen=True, slots=True, eq=False)
class HeadJudge:
    """An occupation model on rows of the sentence encoder: one hidden layer, learned on what `change` leaves."""

    title: str
    head: Head
    change: LinearMap
    encoder: SectionEncoder
    labels: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"model {self.title}"

    def judge(self, base: Reading, readings: Sequence[Reading]) -> Judged:
        target = int(self._logits([base])[0].argmax())
        logits = self._logits(readings)
        return Judged(logits[:, target], logits.argmax(axis=1))

    def _logits(self, readings: Sequence[Reading]) -> Floats:
        rows = np.array([row_of(each.text, self.encoder) for each in readings])
        logits: Floats = np.asarray(self.head.logits(self.change.apply(rows)), np.float64)
        centred: Floats = logits - logits.mean(axis=1, keepdims=True)
        return centred

    def outcome(self, judged: Judged, base: Judged, resumes: Integers) -> Outcome:
        return Outcome(self.name, judged.score, judged.label, base.score, base.label, labels=self.labels)


@dataclass(frozen=True, slots=True, eq=False)
class ReadingAgain:
    """A ranker on vectors of its own: what others read of a resume, it reads with its own encoder."""

    inner: RankerJudge
    encoder: SectionEncoder
    title: str

    @property
    def name(self) -> str:
        return f"ranker {self.title}"

    def judge(self, base: Reading, readings: Sequence[Reading]) -> Judged:
        own = [Reading(each.text, each.profile, self.encoder) for each in readings]
        return self.inner.judge(base, own)

    def outcome(self, judged: Judged, base: Judged, resumes: Integers) -> Outcome:
        return replace(self.inner.outcome(judged, base, resumes), judge=self.name)


def row_of(text: str, encoder: SectionEncoder) -> Floats:
    """The mean of a text's windows, of length 1: all of the text, who somebody is included."""
    parts = [text[start:end] for start, end in encoder.windows(text) if text[start:end].strip()]
    mean = np.asarray(encoder.encode(parts), np.float64).mean(axis=0)
    found: Floats = mean / (np.linalg.norm(mean) or 1.0)
    return found


def audit_removal(
    folder: Path,
    job: Job,
    *,
    sensitive: str = "gender",
    most: int = MOST_EDITED,
    plan: Plan | None = None,
    seed: int = 0,
    settings: Settings | None = None,
    watch: Watch = unwatched,
) -> BeforeAfter:
    """`folder` is a generated corpus, which has the truth about occupations and groups."""
    if sensitive not in FAMILIES:
        raise UsageError(
            f"There are no words to swap for {sensitive!r}; there are for {', '.join(FAMILIES)}."
        )
    settings = settings or Settings()
    encoder = open_encoder(settings)
    remembering = RememberingSections(encoder)
    known = read_known(folder, sensitive, settings, watch)
    rows = np.array(
        [
            row_of(each.text, remembering)
            for each in watched(known.subjects, watch, "Encoding", len(known.subjects))
        ]
    )
    samples = make_samples(
        rows, variable("occupation", known.occupations), [variable(sensitive, known.groups)]
    )
    plan = plan or Plan(seed=seed)
    with watch("Removing", 1):
        fitted = fit_removal(samples, plan, source=source_of(encoder))
    erased = RememberingSections(erase_encoder(encoder, fitted.removal))
    heads = _heads(fitted, remembering, seed)
    rankers = _rankers(job, known.subjects, remembering, erased)
    unseen = [known.subjects[place] for place in fitted.parts.test.tolist()]  # nothing was fitted on them
    planned = plan_all(draw(unseen, most, seed), swap_families(FAMILIES[sensitive]), seed=seed)
    judges: list[SwapJudge] = [*heads, *rankers]
    trials = try_all(
        planned,
        swap_families(FAMILIES[sensitive]),
        judges,
        encoder=remembering,
        settings=settings,
        watch=watch,
    )
    bench = final_bench(fitted.divided)
    scores = (
        measure(PLAIN, identity(rows.shape[1]), bench, plan.probing)[0],
        measure(ERASED, fitted.removal.change, bench, plan.probing)[0],
    )
    return BeforeAfter(
        sensitive,
        fitted,
        scores,
        tuple(compare_all(trials)),
        (_head_gaps(fitted, heads), *_ranker_gaps(known, rankers, remembering, erased)),
        len(known.subjects),
        len(planned),
    )


@dataclass(frozen=True, slots=True)
class Known:
    """Resumes of a generated corpus beside the truth about them."""

    subjects: tuple[Subject, ...]
    occupations: tuple[str, ...]
    groups: tuple[str, ...]


def read_known(folder: Path, sensitive: str, settings: Settings, watch: Watch = unwatched) -> Known:
    """Of occupations with enough resumes to be learned."""
    corpus = generated_resumes().occupation_rows(folder)
    paths = {str(row.file): row for row in corpus.rows}
    subjects, _ = read_subjects(paths, as_of=corpus.as_of, settings=settings, watch=watch)
    told = [paths[subject.key] for subject in subjects]
    occupations = [row.label or "" for row in told]
    enough = {name for name, count in Counter(occupations).items() if count >= LEAST_OF_CLASS}
    kept = [at for at, name in enumerate(occupations) if name in enough]
    if len(enough) < 2:
        raise UsageError(f"{folder} has too few resumes of each occupation; make a larger corpus.")
    return Known(
        tuple(subjects[at] for at in kept),
        tuple(occupations[at] for at in kept),
        tuple(told[at].groups[sensitive] for at in kept),
    )


def _heads(fitted: Fitted, encoder: SectionEncoder, seed: int) -> tuple[HeadJudge, HeadJudge]:
    """As it is, and learned afresh on what removal leaves."""
    labels, change = fitted.divided.train.task.classes, fitted.removal.change
    before = HeadJudge("occupation", fitted.heads.task, identity(change.dimension), encoder, labels)
    return before, HeadJudge(f"occupation {ERASED}", learn_again(fitted, seed=seed), change, encoder, labels)


def _rankers(
    job: Job, subjects: Sequence[Subject], plain: SectionEncoder, erased: SectionEncoder
) -> tuple[ReadingAgain, ReadingAgain]:
    forms = (
        form for each in subjects for skill in each.profile.skills for form in (skill.name, *skill.surfaces)
    )
    query = make_query(job, dictionary=SkillDictionary(forms))
    found = []
    for title, encoder in ((Semantic.name, plain), (f"{Semantic.name} {ERASED}", erased)):
        digests = [Reading(each.text, each.profile, encoder).digest for each in subjects]
        statistics, ranker = PoolStatistics(digests), Semantic(encoder)
        everyone: Floats = np.sort(score_digests(ranker, query, statistics, digests))
        shortlist = max(5, round(SHORTLIST * len(subjects)))
        found.append(
            ReadingAgain(RankerJudge(ranker, query, statistics, everyone, shortlist), encoder, title)
        )
    return found[0], found[1]


def _head_gaps(fitted: Fitted, heads: tuple[HeadJudge, HeadJudge]) -> GroupOutcome:
    test: Samples = fitted.divided.test
    gaps = []
    for each in heads:
        guesses = each.head.predict(each.change.apply(test.rows))
        gaps.append(tpr_gap(guesses, test.task, test.sensitive[0]))
    return GroupOutcome("model occupation", "gap in true positive rates", gaps[0], gaps[1])


def _ranker_gaps(
    known: Known, rankers: tuple[ReadingAgain, ReadingAgain], plain: SectionEncoder, erased: SectionEncoder
) -> tuple[GroupOutcome, ...]:
    """The lowest impact ratio of any group on the shortlist."""
    ratios = []
    for judge, encoder in zip(rankers, (plain, erased), strict=True):
        inner = judge.inner
        digests = [Reading(each.text, each.profile, encoder).digest for each in known.subjects]
        scores = score_digests(inner.ranker, inner.query, inner.statistics, digests)
        selected = np.argsort(-scores, kind="stable")[: inner.shortlist]
        ratios.append(_lowest_ratio(np.array(known.groups), selected))
    return (GroupOutcome("ranker semantic", "lowest impact ratio on the shortlist", ratios[0], ratios[1]),)


def _lowest_ratio(groups: NDArray[np.str_], selected: NDArray[np.intp]) -> float | None:
    rates = {
        name: float(np.mean(groups[selected] == name) / np.mean(groups == name)) for name in np.unique(groups)
    }
    highest = max(rates.values())
    return min(rates.values()) / highest if highest else None
