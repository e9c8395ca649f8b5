"""A ranking as one HTML file: nothing is fetched, nothing of a resume is markup, and it reads without its script."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from evenhand import __version__
from evenhand.cli.ranking_table import candidate_name
from evenhand.records.job import Demand, Job, name_of_kind
from evenhand.records.ranking import Match, Part, Result, ScoreScale
from evenhand.rendering.cells import printable
from evenhand.rendering.html import render, resource, source_hash
from evenhand.screening.candidate_career import SIGNS, demand_state, duration_found, longest_months, match_of
from evenhand.search.matching import CandidateFacts, RankingWithFacts
from evenhand.text.wording import (
    DEFINITIONS,
    ONLY_IN_NAMES,
    TextPiece,
    count,
    degree_words,
    duration,
    full_words,
    pieces,
    ranker_words,
)


@dataclass(frozen=True, slots=True)
class ReportDemandRow:
    name: str
    must: bool
    state: str  # one of SIGNS
    sign: str
    words: str
    width: str | None  # of the months, in percent
    mark: str | None  # where the months asked for lie

    @property
    def kind(self) -> str:
        """For the style: a class name."""
        return self.state.replace(" ", "-")


def demand_rows(job: Job, result: Result, longest: int) -> list[ReportDemandRow]:
    """Must-haves first."""
    demands = sorted(job.demands, key=lambda demand: not demand.must)
    return [_row(demand, match_of(demand, result.matched), longest) for demand in demands]


def _row(demand: Demand, match: Match | None, longest: int) -> ReportDemandRow:
    state = demand_state(demand, match)
    return ReportDemandRow(
        name=printable(name_of_kind(match.skill, demand.kind) if match else demand.label),
        must=demand.must,
        state=state,
        sign=SIGNS[state],
        words=_words(demand, match),
        width=_percent(match.months, longest) if match and match.months is not None else None,
        mark=_percent(min(demand.months, 0.99 * longest), longest) if demand.months else None,
    )


def _words(demand: Demand, match: Match | None) -> str:
    required = f", {duration(demand.months)} required" if demand.months else ""
    if match is None:
        return ("missing" if demand.must else "not mentioned") + required
    found = duration_found(match.months, demand.kind) or "named"
    return found + required + (f", {ONLY_IN_NAMES}" if match.only_in_names else "")


def _percent(months: float, longest: int) -> str:
    return f"{min(100 * months / longest, 100):.1f}%"


# The parts that matter most in the list have colours of their own.
COLORS = 7
OTHER = 7  # the colour of all further parts together
ROWS = 9


@dataclass(frozen=True, slots=True)
class BarSegment:
    x: str
    width: str
    color: int
    label: str


@dataclass(frozen=True, slots=True)
class ReportPartRow:
    name: str
    value: str
    reason: str
    color: int | None  # None where no bar is drawn


@dataclass(frozen=True, slots=True)
class Legend:
    """A term ranker has a part for every word: most of them are behind `others`."""

    first: list[ReportPartRow]
    rest: list[ReportPartRow]
    rest_words: str  # how many they are and what they add up to


def part_colors(results: Sequence[Result]) -> dict[str, int]:
    """A part has the same colour with every candidate."""
    weights: dict[str, list[float]] = {}
    for result in results:
        for part in result.score.parts:
            weights.setdefault(part.name, []).append(abs(part.value))
    names = sorted(weights, key=lambda name: (-math.fsum(weights[name]), name))
    return {name: min(at, OTHER) for at, name in enumerate(names)}


def segments(result: Result, scale: ScoreScale, colors: Mapping[str, int]) -> list[BarSegment]:
    """As long together as the score beside the best one; none where a part takes away or scores are logs."""
    if scale.zero < 0 or scale.best <= 0 or any(part.value < 0 for part in result.score.parts):
        return []
    by_color: dict[int, list[Part]] = {}
    for part in sorted(result.score.parts, key=lambda part: colors[part.name] == OTHER):
        if part.value:
            by_color.setdefault(colors[part.name], []).append(part)
    drawn: list[BarSegment] = []
    start = 0.0
    for color, parts in by_color.items():
        value = math.fsum(part.value for part in parts)
        name = printable(parts[0].name) if len(parts) == 1 else count(len(parts), "other part")
        width = 100 * scale.share(value)
        drawn.append(BarSegment(f"{start:.2f}%", f"{width:.2f}%", color, f"{name} {scale.text(value)}"))
        start += width
    return drawn


def legend(result: Result, scale: ScoreScale, colors: Mapping[str, int]) -> Legend:
    is_drawn = bool(segments(result, scale, colors))
    parts = sorted(result.score.parts, key=lambda part: colors[part.name] == OTHER)
    rows = [
        ReportPartRow(
            printable(part.name),
            scale.text(part.value),
            printable(part.reason or ""),
            colors[part.name] if is_drawn else None,
        )
        for part in parts
    ]
    if len(rows) <= ROWS:
        return Legend(rows, [], "")
    rest = math.fsum(part.value for part in parts[COLORS:])
    return Legend(rows[:COLORS], rows[COLORS:], f"{len(rows) - COLORS:,} further parts: {scale.text(rest)}")


@dataclass(frozen=True, slots=True)
class CandidateView:
    """A result beside its facts, and what is drawn of them."""

    result: Result
    facts: CandidateFacts
    segments: list[BarSegment]
    legend: Legend
    demands: list[ReportDemandRow]
    latest: str
    snippets: list[list[TextPiece]]


def report_html(ranked: RankingWithFacts, *, shown: int) -> str:
    """The whole page. The same ranking gives the same bytes."""
    ranking, job = ranked.ranking, ranked.ranking.job
    pairs = list(zip(ranking.results, ranked.facts, strict=True))[:shown]
    results = [result for result, _ in pairs]
    # What bars and colours mean is the same with every candidate.
    scale, colors = ScoreScale(ranking), part_colors(results)
    longest = longest_months(job, [match.months for result in results for match in result.matched])
    candidates = [
        CandidateView(
            result,
            facts,
            segments(result, scale, colors),
            legend(result, scale, colors),
            demand_rows(job, result, longest),
            " at ".join(printable(words) for words in (facts.title, facts.employer) if words),
            [pieces(snippet.text, snippet.highlights) for snippet in result.snippets],
        )
        for result, facts in pairs
    ]
    style, script = (resource(__package__, name) for name in ("style.css", "filter.js"))
    # Only the style and the script below, by their hashes; no source for anything else.
    return render(
        __package__,
        "page.html",
        ranking=ranking,
        job=job,
        asked=list(_asked(job)),
        job_text=pieces(job.text, [(place.start, place.end) for demand in job.demands for place in demand.places]),
        ranker_words=ranker_words(ranking.ranker),
        definitions=DEFINITIONS,
        full_words=full_words(scale.full),
        as_of=ranked.as_of,
        candidates=candidates,
        scale=scale,
        count=count,
        degree_words=degree_words,
        duration=duration,
        name_of=candidate_name,
        printable=printable,
        style=Markup(style),  # noqa: S704 - a file of ours, as the script is
        script=Markup(script),  # noqa: S704
        policy=f"default-src 'none'; style-src '{source_hash(style)}'; script-src '{source_hash(script)}'; "
        "base-uri 'none'; form-action 'none'",
        version=__version__,
    )


def _asked(job: Job) -> Iterator[tuple[str, str]]:
    yield "Experience", duration(job.months) + " or more" if job.months is not None else "not stated"
    degree = degree_words(job.degree) + " or higher" if job.degree else "not stated"
    fields = f" in {' or '.join(map(printable, job.fields))}" if job.fields else ""
    yield "Degree", degree + fields
    place = [printable(words) for words in (job.city, job.country) if words]
    yield "Place", ", ".join(place) or "not stated"
    yield from (("Not read", printable(warning.message)) for warning in job.warnings)
