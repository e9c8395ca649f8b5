"""Resumes ranked for a job without a database: `rank` for files, `rank_pool` for what was mined before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from evenhand.errors import UsageError
from evenhand.models.concept_removal import without_concepts
from evenhand.records.job import Job
from evenhand.records.ranking import Ranking
from evenhand.search.criteria import SkillCondition
from evenhand.search.digest import Digest, make_digest
from evenhand.search.rankers import Ranker, SkillDictionary, make_query, order
from evenhand.search.rankers.registry import make_ranker
from evenhand.search.rankers.semantic import Semantic
from evenhand.search.snippets import make_wanted
from evenhand.search.statistics import PoolStatistics
from evenhand.settings import Settings
from evenhand.workflows.candidate_facts import Ranked
from evenhand.workflows.encoding import encoder_for, why_no_encoder
from evenhand.workflows.job_reading import read_job
from evenhand.workflows.mining import month_of
from evenhand.workflows.pool_duplicates import duplicate_flags
from evenhand.workflows.predicted_fit import PredictedFit, predicted_fit
from evenhand.workflows.reading import PathLike
from evenhand.workflows.results import Describer
from evenhand.workflows.resume_pool import Pool, Resume, mine_pool
from evenhand.workflows.section_vectors import SectionEncoder, section_vectors
from evenhand.workflows.skill_filter import fulfils
from evenhand.workflows.watching import Watch, unwatched, watched
from evenhand.workflows.watchlists import WatchLists

BEST = "best"


def rank(
    job: Job | PathLike,
    files: Iterable[PathLike],
    *,
    ranker: str = BEST,
    top: int | None = None,
    as_of: str | None = None,
    settings: Settings | None = None,
) -> Ranking:
    """Rank resume files for a job, given as a Job, as a file that holds its text, or as the text.

    A file that cannot be read is in the ranking's `errors`. Only a job that cannot be read, an unknown ranker or a
    wrong `as_of` raises (UsageError). The order of `files` changes nothing.
    """
    settings = settings or Settings()
    understood = job if isinstance(job, Job) else read_job(job, settings)
    return rank_with_facts(understood, files, ranker=ranker, top=top, as_of=as_of, settings=settings).ranking


def rank_with_facts(
    job: Job,
    files: Iterable[PathLike],
    *,
    ranker: str = BEST,
    top: int | None = None,
    as_of: str | None = None,
    skills: Sequence[SkillCondition] = (),
    lists: WatchLists | None = None,
    settings: Settings | None = None,
    watch: Watch = unwatched,
) -> Ranked:
    """As `rank`, for those who show more of a candidate. `skills` leave out resumes that do not fulfil them."""
    settings = settings or Settings()
    month = month_of(as_of)
    encoder = encoder_of(ranker, settings)
    chosen = make_ranker(ranker, encoder=encoder)  # a wrong name is said before the work
    predicted = predicted_fit(ranker, job, settings)
    pool = mine_pool(files, as_of=month, settings=settings, watch=watch)
    return rank_pool(
        job,
        pool,
        chosen,
        encoder=encoder,
        predicted=predicted,
        top=top,
        skills=skills,
        lists=lists,
        watch=watch,
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
    pool: Pool,
    ranker: Ranker,
    *,
    encoder: SectionEncoder | None = None,
    predicted: PredictedFit | None = None,
    top: int | None = None,
    skills: Sequence[SkillCondition] = (),
    lists: WatchLists | None = None,
    watch: Watch = unwatched,
) -> Ranked:
    """`encoder` is for rankers that compare meaning, and the same that the ranker has; `predicted` for a part of the
    score that a model gives."""
    label, total = "Comparing resumes", len(pool.resumes)
    digests = [digest_of(resume, encoder) for resume in watched(pool.resumes, watch, label, total)]
    if predicted is not None:
        ranker = predicted.join(ranker, pool.resumes, digests, watch=watch)
    # Of all resumes, so that a condition changes who is in the list but nobody's score.
    statistics = PoolStatistics(digests)
    query = make_query(job, dictionary=SkillDictionary(skill_forms(pool.resumes)))
    kept = [at for at, resume in enumerate(pool.resumes) if fulfils(resume.profile, skills)]
    table = ranker.contributions(query, [digests[at] for at in kept], statistics)
    rows = order(table.totals(), [pool.resumes[at].file for at in kept])[:top]
    wanted, duplicates = make_wanted(query, statistics), duplicate_flags(pool.resumes)
    describe = Describer(job, wanted, lists or WatchLists(), duplicates)
    shown = [
        describe(rank, pool.resumes[kept[row]], table.score(row)) for rank, row in enumerate(rows, start=1)
    ]
    results, facts = zip(*shown, strict=True) if shown else ((), ())
    return Ranked(Ranking(job, ranker.name, len(kept), results, pool.errors), facts, pool.as_of)


def digest_of(resume: Resume, encoder: SectionEncoder | None) -> Digest:
    vectors = section_vectors(resume.text, resume.profile, encoder) if encoder else None
    return make_digest(resume.text, resume.profile, vectors=vectors)


def skill_forms(resumes: Iterable[Resume]) -> Iterator[str]:
    """Every skill of every resume, by its name and as it is written there."""
    for resume in resumes:
        for skill in resume.profile.skills:
            yield skill.name
            yield from skill.surfaces
