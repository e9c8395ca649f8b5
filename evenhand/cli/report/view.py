"""What the page shows, worked out before the template: lengths of bars in percent, words for states, pieces of text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenhand.cli.durations import long
from evenhand.cli.facts import count
from evenhand.cli.ranking_table import candidate_name, file_name, relevant
from evenhand.cli.report.demands import DemandRow, demand_rows, longest_months
from evenhand.cli.report.score_bars import Legend, Segment, legend, part_colors, segments
from evenhand.cli.terminal import printable
from evenhand.records.job import Job
from evenhand.records.pieces import Piece, pieces
from evenhand.records.ranking import Flag, Result, Snippet, Unread
from evenhand.records.score_scale import ScoreScale
from evenhand.workflows.candidate_facts import CandidateFacts, Ranked
from evenhand.workflows.wording import degree_words, full_words, ranker_words


@dataclass(frozen=True, slots=True)
class CandidateView:
    rank: int
    name: str
    file: str
    path: str
    score: str
    share: str  # of a perfect fit or of the best score, in percent
    share_words: str
    segments: list[Segment]
    legend: Legend
    demands: list[DemandRow]
    musts: str
    musts_undated: str
    all_met: bool
    latest: str
    relevant: str
    relevant_short: str
    total: str
    degree: str
    city: str
    flags: tuple[Flag, ...]
    snippets: list[list[Piece]]


@dataclass(frozen=True, slots=True)
class JobView:
    title: str
    asked: list[tuple[str, str]]  # what of, how much
    musts: list[tuple[str, str]]
    wishes: list[tuple[str, str]]
    text: list[Piece]


@dataclass(frozen=True, slots=True)
class PageView:
    job: JobView
    summary: str
    ranker: str
    ranker_words: str
    full_words: str
    as_of: str | None | None
    candidates: list[CandidateView]
    left_out: int
    errors: tuple[Unread, ...]


def page_of(ranked: Ranked, *, shown: int) -> PageView:
    ranking = ranked.ranking
    pairs = list(zip(ranking.results, ranked.facts, strict=True))[:shown]
    results = [result for result, _ in pairs]
    measures = Measures(ScoreScale(ranking), part_colors(results), longest_months(ranking.job, results))
    errors = f", {count(len(ranking.errors), 'file')} could not be read" if ranking.errors else ""
    return PageView(
        job=_job(ranking.job),
        summary=f"{count(ranking.total, 'resume')} ranked{errors}",
        ranker=ranking.ranker,
        ranker_words=ranker_words(ranking.ranker),
        full_words=full_words(measures.scale.full),
        as_of=ranked.as_of,
        candidates=[_candidate(result, facts, ranking.job, measures) for result, facts in pairs],
        left_out=ranking.total - len(pairs),
        errors=ranking.errors,
    )


@dataclass(frozen=True, slots=True)
class Measures:
    """What bars and colours mean, the same with every candidate."""

    scale: ScoreScale
    colors: dict[str, int]
    longest_months: int


def _candidate(result: Result, facts: CandidateFacts, job: Job, measures: Measures) -> CandidateView:
    scale, colors = measures.scale, measures.colors
    return CandidateView(
        rank=result.rank,
        name=candidate_name(result),
        file=file_name(result),
        path=printable(result.file or ""),
        score=scale.text(result.score.value),
        share=f"{100 * scale.share(result.score.value):.1f}%",
        share_words=scale.share_words(result.score.value),
        segments=segments(result, scale, colors),
        legend=legend(result, scale, colors),
        demands=demand_rows(job, result, measures.longest_months),
        musts=f"{facts.musts_met} of {facts.musts_asked}" if facts.musts_asked else "none asked",
        musts_undated=f"{facts.musts_undated} more without dates" if facts.musts_undated else "",
        all_met=facts.musts_met == facts.musts_asked,
        latest=" at ".join(printable(words) for words in (facts.title, facts.employer) if words),
        relevant="none found" if facts.relevant_months == 0 else _months(facts.relevant_months),
        relevant_short=relevant(facts),
        total=_months(facts.total_months),
        degree=degree_words(facts.degree),
        city=printable(facts.city or ""),
        flags=result.flags,
        snippets=[snippet_pieces(snippet) for snippet in result.snippets],
    )


def snippet_pieces(snippet: Snippet) -> list[Piece]:
    return pieces(snippet.text, snippet.highlights)


def _months(months: int | None) -> str:
    return "not dated" if months is None else long(months)


def _job(job: Job) -> JobView:
    places = [(place.start, place.end) for demand in job.demands for place in demand.places]
    return JobView(
        title=printable(job.title or "Untitled job"),
        asked=list(_asked(job)),
        musts=[(_names(demand.skills), _at_least(demand.months)) for demand in job.demands if demand.must],
        wishes=[
            (_names(demand.skills), _at_least(demand.months)) for demand in job.demands if not demand.must
        ],
        text=pieces(job.text, places),
    )


def _asked(job: Job) -> Iterator[tuple[str, str]]:
    yield "Experience", long(job.months) + " or more" if job.months is not None else "not stated"
    degree = degree_words(job.degree) + " or higher" if job.degree else "not stated"
    fields = f" in {' or '.join(map(printable, job.fields))}" if job.fields else ""
    yield "Degree", degree + fields
    place = [printable(words) for words in (job.city, job.country) if words]
    yield "Place", ", ".join(place) or "not stated"


def _names(skills: tuple[str, ...]) -> str:
    return printable(" or ".join(skills))


def _at_least(months: int | None) -> str:
    return "" if months is None else f"{long(months)} or more"
