"""Resumes ranked for a job without a database: `rank` for files, `rank_pool` for what was mined before."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from evenhand.documents.reading import PathLike, shown_name, source_files
from evenhand.errors import UsageError
from evenhand.mining.pipeline import mine_with_documents, month_of, read_job
from evenhand.models.concept_removal import without_concepts
from evenhand.models.encoder.loading import encoder_for, why_no_encoder
from evenhand.models.inference.loading import Classifier
from evenhand.models.inputs import input_of_text
from evenhand.models.predict import BATCH_SIZE, classifier_for
from evenhand.models.registry import find_model
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.job import Job
from evenhand.records.profile import Profile
from evenhand.records.ranking import Flag, Ranking, Result, Score, Unread
from evenhand.search.criteria import SkillCondition, fulfils
from evenhand.search.duplicates.index import find_duplicates
from evenhand.search.duplicates.sketch import contact_spans
from evenhand.search.evidence import complete_for_job, complete_skills
from evenhand.search.features import ResumeFeatures
from evenhand.search.matching import (
    CandidateFacts,
    RankingWithFacts,
    Watchlists,
    facts_of,
    licence_flags,
    match_job,
    resume_flags,
)
from evenhand.search.padding import features_for_job, padding_flags
from evenhand.search.rankers.base import Ranker, SkillDictionary, make_query, order
from evenhand.search.rankers.best import Best
from evenhand.search.rankers.registry import make_ranker
from evenhand.search.rankers.semantic import SectionEncoder, Semantic, section_vectors
from evenhand.search.snippets import SnippetQuery, make_snippet_query, make_snippets
from evenhand.search.statistics import BlendedStatistics, PoolStatistics
from evenhand.settings import Settings

# The resumes of a folder, read and mined on all processors, and apart from them the files that could not be.


@dataclass(frozen=True, slots=True)
class PooledResume:
    """What a ranking keeps of a file: not its layout, which is most of it."""

    file: str
    text: str
    profile: Profile


@dataclass(frozen=True, slots=True)
class ResumePool:
    as_of: str  # the month that "present" means
    resumes: tuple[PooledResume, ...]
    errors: tuple[Unread, ...] = ()


def mine_pool(
    files: Iterable[PathLike], *, as_of: str, settings: Settings, progress: Progress = no_progress
) -> ResumePool:
    """By name, each file once, whatever the order they were given in."""
    paths = [path for _, path in sorted({os.fsencode(path): path for path in files}.items())]
    mined = mine_with_documents(paths, as_of=as_of, settings=settings)
    resumes: list[PooledResume] = []
    errors: list[Unread] = []
    for path, one in zip(paths, with_progress(mined, progress, "Reading resumes", len(paths)), strict=True):
        file = shown_name(path)
        if one.failure:
            errors.append(Unread(file, one.failure))
        else:
            resumes.append(PooledResume(file, one.document.text, one.profile))
    return ResumePool(as_of, tuple(resumes), tuple(errors))


# Near-duplicates among the resumes of one ranking, as flags that name each other.

DUPLICATE = "duplicate"
NAMED = 5  # others in one sentence


def duplicate_flags(resumes: Sequence[PooledResume]) -> dict[str, Flag]:
    """By file; those without a near-duplicate are not in it."""
    texts = {resume.file: resume.text for resume in resumes}
    spans = {resume.file: contact_spans(resume.profile) for resume in resumes}
    others: dict[str, dict[str, float]] = {}
    found = [(pair.a, pair.b, pair.resemblance) for pair in find_duplicates(texts, spans=spans)]
    for a, b, resemblance in (*found, *((a, b, 1.0) for a, b in _copies(texts))):
        others.setdefault(a, {})[b] = resemblance
        others.setdefault(b, {})[a] = resemblance
    names = {resume.file: resume.profile.name.value for resume in resumes if resume.profile.name}
    who = {file: f"{names[file]} in {file}" if file in names else file for file in texts}
    return {file: Flag(DUPLICATE, _sentence(alike, who)) for file, alike in others.items()}


def _copies(texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Equal texts, however short: a text of few words has too few shingles to be compared by them."""
    files: dict[str, list[str]] = {}
    for file, text in texts.items():
        files.setdefault(text, []).append(file)
    for same in files.values():
        yield from combinations(same, 2)


def _sentence(alike: Mapping[str, float], who: Mapping[str, str]) -> str:
    """The most alike first; never "100%" for texts that differ."""

    def share(resemblance: float) -> str:
        return "all of it" if resemblance == 1.0 else f"{min(round(100 * resemblance), 99)}% in common"

    ranked = sorted(alike.items(), key=lambda item: (-item[1], item[0]))
    named = ", ".join(f"{who[file]} ({share(resemblance)})" for file, resemblance in ranked[:NAMED])
    more = f" and {len(ranked) - NAMED} more" if len(ranked) > NAMED else ""
    return f"Shares much of its text, contact lines apart, with {named}{more}."


# A resume with its score to a Result: what it has of what the job asks for, what it lacks, and where that
# stands.


@dataclass(frozen=True, slots=True)
class Describer:
    """What is the same for all results of a ranking."""

    job: Job
    wanted: SnippetQuery
    lists: Watchlists
    duplicates: Mapping[str, Flag]  # by file

    def __call__(self, rank: int, resume: PooledResume, score: Score) -> tuple[Result, CandidateFacts]:
        profile = resume.profile
        matching = match_job(self.job, profile)
        duplicate = self.duplicates.get(resume.file)
        own = (*licence_flags(self.job, matching), *padding_flags(self.job, resume.text), *resume_flags(profile))
        places = {skill.name: [(place.start, place.end) for place in skill.evidence] for skill in profile.skills}
        result = Result(
            rank=rank,
            file=resume.file,
            candidate=profile.name.value if profile.name else None,
            score=score,
            matched=matching.matched,
            missing=matching.missing,
            flags=(*((duplicate,) if duplicate else ()), *self.lists.flags(profile), *own),
            snippets=make_snippets(resume.text, self.wanted, places=places),
        )
        return result, facts_of(profile, self.job, matching.matched)


# A model's say in a ranking, if somebody gives it a weight: one more part of the score, with its reason.


@dataclass(frozen=True, slots=True, eq=False)
class PredictedFit:
    """The likelihood of the model's last label: labels of fit are in ascending order, as reject and accept are."""

    judge: Classifier
    job_text: str
    weight: float

    def join(
        self,
        ranker: Ranker,
        resumes: Sequence[PooledResume],
        digests: Sequence[ResumeFeatures],
        *,
        progress: Progress = no_progress,
    ) -> Ranker:
        """The ranker with one part more. Whether a resume is in the list changes nobody else's likelihood."""
        if not isinstance(ranker, Best):
            raise UsageError(f"The ranker {ranker.name} has no part for predictions; best has.")
        label = len(self.judge.manifest.labels) - 1
        likelihoods: list[float] = []
        with progress("Asking the model", len(resumes)) as bar:
            for start in range(0, len(resumes), BATCH_SIZE):
                some = [input_of_text(resume.text, resume.profile) for resume in resumes[start : start + BATCH_SIZE]]
                likelihoods += self.judge.predict(some, job_text=self.job_text)[:, label].tolist()
                for _ in some:
                    bar.advance()
        likely = dict(zip(map(id, digests), likelihoods, strict=True))
        weights = replace(ranker.weights, prediction=self.weight)
        return replace(ranker, weights=weights, likelihood=lambda digest: likely[id(digest)])


def predicted_fit(ranker: str, job: Job, settings: Settings) -> PredictedFit | None:
    """None unless the settings give a model a weight; a model that cannot be used is said before the work."""
    if not settings.fit_weight or ranker != Best.name:
        return None
    folder = find_model("fit", settings.fit_model, settings)
    return PredictedFit(classifier_for(folder, settings), job.text, settings.fit_weight)


BEST = "best"


def rank(
    job: Job | PathLike,
    files: PathLike | Iterable[PathLike],
    *,
    ranker: str = BEST,
    top: int | None = None,
    as_of: str | None = None,
    settings: Settings | None = None,
) -> Ranking:
    """Rank resume files for a job, given as a Job, as a file that holds its text, or as the text.

    `files` are a path, a folder, a pattern (`inbox/*.pdf`) or several of these, in any order. A file that cannot be
    read is in the ranking's `errors`. Only a job that cannot be read, an unknown ranker, a wrong `as_of` or a `top`
    below 1 raises (UsageError), and what is no path or number at all (TypeError).
    """
    settings = settings or Settings()
    if top is not None and not isinstance(top, int):
        raise TypeError(f"How many of the best is a whole number, not {type(top).__name__}.")
    if top is not None and top < 1:
        raise UsageError("How many of the best (top) is at least 1.")
    if not isinstance(job, Job | str | os.PathLike):
        raise TypeError(f"A job is given as a Job, a path or its text, not as {type(job).__name__}.")
    understood = job if isinstance(job, Job) else read_job(job, settings)
    return rank_with_facts(
        understood, source_files(files), ranker=ranker, top=top, as_of=as_of, settings=settings
    ).ranking


def rank_with_facts(
    job: Job,
    files: Iterable[PathLike],
    *,
    ranker: str = BEST,
    top: int | None = None,
    as_of: str | None = None,
    skills: Sequence[SkillCondition] = (),
    lists: Watchlists | None = None,
    settings: Settings | None = None,
    progress: Progress = no_progress,
) -> RankingWithFacts:
    """As `rank`, for those who show more of a candidate. `skills` leave out resumes that do not fulfil them."""
    settings = settings or Settings()
    month = month_of(as_of)
    encoder = encoder_of(ranker, settings)
    chosen = make_ranker(ranker, encoder=encoder)  # a wrong name is said before the work
    predicted = predicted_fit(ranker, job, settings)
    pool = mine_pool(files, as_of=month, settings=settings, progress=progress)
    return rank_pool(
        job, pool, chosen, encoder=encoder, predicted=predicted, top=top, skills=skills, lists=lists, progress=progress
    )


def encoder_of(ranker: str, settings: Settings) -> SectionEncoder | None:
    """For the ranker that compares meaning; the others do without, and encoding takes longer than all the rest.
    Where the settings name a removal for it, its vectors come without that concept."""
    if ranker != Semantic.name:
        return None
    if missing := why_no_encoder(settings):
        raise UsageError(missing)
    encoder = encoder_for(settings)
    return without_concepts(encoder, settings.removal) if encoder else None


def rank_pool(
    job: Job,
    pool: ResumePool,
    ranker: Ranker,
    *,
    encoder: SectionEncoder | None = None,
    predicted: PredictedFit | None = None,
    top: int | None = None,
    skills: Sequence[SkillCondition] = (),
    lists: Watchlists | None = None,
    progress: Progress = no_progress,
) -> RankingWithFacts:
    """`encoder` is for rankers that compare meaning, and the same that the ranker has; `predicted` for a part of the
    score that a model gives."""
    resumes = [replace(resume, profile=_complete(resume, job, skills)) for resume in pool.resumes]
    label, total = "Comparing resumes", len(resumes)
    digests = [resume_features(resume, job, encoder) for resume in with_progress(resumes, progress, label, total)]
    if predicted is not None:
        ranker = predicted.join(ranker, resumes, digests, progress=progress)
    # Of all resumes, so that a condition changes who is in the list but nobody's score.
    statistics = BlendedStatistics(PoolStatistics(digests))
    query = make_query(job, dictionary=SkillDictionary(skill_forms(resumes)))
    matches = [at for at, resume in enumerate(resumes) if fulfils(resume.profile, skills)]
    table = ranker.contributions(query, [digests[at] for at in matches], statistics)
    rows = order(table.totals(), [resumes[at].file for at in matches])[:top]
    wanted, duplicates = make_snippet_query(query, statistics), duplicate_flags(resumes)
    describe = Describer(job, wanted, lists or Watchlists(), duplicates)
    listed = [describe(rank, resumes[matches[row]], table.score(row)) for rank, row in enumerate(rows, start=1)]
    results, facts = zip(*listed, strict=True) if listed else ((), ())
    return RankingWithFacts(Ranking(job, ranker.name, len(matches), results, pool.errors), facts, pool.as_of)


def _complete(resume: PooledResume, job: Job, skills: Sequence[SkillCondition]) -> Profile:
    completed = complete_for_job(resume.profile, resume.text, job)
    return complete_skills(completed, resume.text, (condition.name for condition in skills))


def resume_features(resume: PooledResume, job: Job, encoder: SectionEncoder | None) -> ResumeFeatures:
    vectors = section_vectors(resume.text, resume.profile, encoder) if encoder else None
    return features_for_job(resume.text, resume.profile, job, vectors=vectors)


def skill_forms(resumes: Iterable[PooledResume]) -> Iterator[str]:
    """Every skill of every resume, by its name and as it is written there."""
    for resume in resumes:
        for skill in resume.profile.skills:
            yield skill.name
            yield from skill.surfaces
