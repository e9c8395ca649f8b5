"""One candidate of the list: name and facts, must-haves, score with its parts, fragments, flags, what can be done."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from textwrap import shorten

from evenhand.records import Job, Part, Result
from evenhand.records.job import Demand
from evenhand.screening.candidate_career import SIGNS, demand_state, match_of
from evenhand.screening.candidate_history import FlagRow
from evenhand.screening.candidate_list import CandidateRow, RankDifference, ScoredCandidate
from evenhand.screening.candidate_rank import OTHER, ScoreView, decimals, view_score
from evenhand.search.visibility import Visibility, pseudonym
from evenhand.store.statuses import NEW, OFFERED, REJECTED, SCREENED, SHORTLISTED
from evenhand.text.pieces import TextPiece, pieces
from evenhand.text.wording import count, duration, join_and, years
from evenhand.web.views.facets import value_label

ACTIONS = {
    NEW: ("shortlist", "reject"),
    SCREENED: ("shortlist", "reject"),
    SHORTLISTED: ("offer", "reject"),
    REJECTED: (),
    OFFERED: (),
}
"""What can be decided next, by status."""
REST_LENGTH = 300  # of their names
SNIPPETS = 2  # more make the list long; the candidate's own page has the whole text


@dataclass(frozen=True, slots=True)
class DemandView:
    name: str
    state: str  # met, short, not dated, missing, not mentioned
    sign: str
    months: str  # "3 y 4 m of 3 y", "missing"; nothing where a mention is all that was asked for

    @property
    def kind(self) -> str:
        """For the style: a class name."""
        return self.state.replace(" ", "-")


@dataclass(frozen=True, slots=True)
class PartView:
    name: str
    value: str
    reason: str
    colour: int


@dataclass(frozen=True, slots=True)
class CardView:
    application: str
    rank: int
    name: str
    latest: str  # title and employer of the latest job
    facts: tuple[str, ...]  # degree, experience, city, source
    score: ScoreView
    score_text: str
    parts: tuple[PartView, ...]  # of the score, with the rest together as the last one
    musts: tuple[DemandView, ...]
    wishes: tuple[DemandView, ...]  # those that are there
    wishes_asked: int
    snippets: tuple[tuple[TextPiece, ...], ...]
    flags: tuple[FlagRow, ...]
    set_aside: tuple[FlagRow, ...]
    tags: tuple[str, ...]
    status: str
    actions: tuple[str, ...]
    reasons: tuple[str, ...]  # that the facts suggest for a rejection; a person chooses or writes their own

    @property
    def in_words(self) -> str:
        """The bar, for who does not see it."""
        return f"Score {self.score_text}: " + ", ".join(f"{part.name} {part.value}" for part in self.parts)

    @property
    def musts_met(self) -> int:
        return sum(must.state == "met" for must in self.musts)


def cards(lines: Sequence[CandidateRow], job: Job, ranker: str) -> list[CardView]:
    best = max((line.listed.result.score.value for line in lines), default=0.0)
    return [_card(line, job, ranker, best) for line in lines]


def _card(line: CandidateRow, job: Job, ranker: str, best: float) -> CardView:
    entry, result = line.listed.entry, line.listed.result
    score = view_score(result.score, ranker, best=best)
    demands = list(demand_views(job, result))
    musts = tuple(view for demand, view in demands if demand.must)
    wishes = [view for demand, view in demands if not demand.must]
    status = entry.status or NEW
    return CardView(
        application=entry.application,
        rank=result.rank,
        name=line.name,
        latest=" at ".join(words for words in (entry.card.title, entry.card.employer) if words),
        facts=tuple(_facts(line)),
        score=score,
        score_text=f"{score.value:z.{score.decimals}f}",
        parts=tuple(_parts(score)),
        musts=musts,
        wishes=tuple(view for view in wishes if view.state != "not mentioned"),
        wishes_asked=len(wishes),
        snippets=tuple(tuple(pieces(snippet.text, snippet.highlights)) for snippet in result.snippets[:SNIPPETS]),
        flags=tuple(flag for flag in line.flags if flag.set_aside is None),
        set_aside=tuple(flag for flag in line.flags if flag.set_aside is not None),
        tags=line.tags,
        status=status,
        actions=ACTIONS[status],
        reasons=tuple(_reasons(musts)),
    )


def _parts(score: ScoreView) -> Iterator[PartView]:
    """A term ranker has a part for every word: most of them are told together."""
    for part in score.parts:
        yield PartView(part.name, f"{part.value:z.{score.decimals}f}", part.reason, part.colour)
    if score.rest:
        names = ", ".join(part.name for part in score.rest)
        yield PartView(
            count(len(score.rest), "further part"),
            f"{score.rest_value:z.{score.decimals}f}",
            shorten(names, REST_LENGTH, placeholder=" …"),
            OTHER,
        )


def _facts(line: CandidateRow) -> Iterator[str]:
    entry = line.listed.entry
    if entry.degree:
        yield value_label("degree", entry.degree)
    relevant = entry.relevant_months
    total = "experience not dated" if entry.total_months is None else f"{years(entry.total_months)} in all"
    if relevant:
        yield f"{years(relevant)} relevant"
    elif relevant == 0:
        yield "no relevant experience found"
    yield total
    yield from (words for words in (entry.city, entry.source) if words)


def demand_views(job: Job, result: Result) -> Iterator[tuple[Demand, DemandView]]:
    """In the order of the job."""
    for demand in job.demands:
        match = match_of(demand, result.matched)
        state = demand_state(demand, match)
        name = match.skill if match else " or ".join(demand.skills)
        required = f"{duration(demand.months)} asked" if demand.months else ""
        if match is None:
            has = "missing" if demand.must else "not mentioned"
        else:
            has = "not dated" if match.months is None else duration(match.months)
        yield demand, DemandView(name, state, SIGNS[state], ", ".join(filter(None, (has, required))))


def _reasons(musts: Sequence[DemandView]) -> Iterator[str]:
    """What the resume lacks of the must-haves, in words that can stand as a reason."""
    missing = [must.name for must in musts if must.state == "missing"]
    if missing:
        yield f"Not mentioned in the resume: {', '.join(missing)}"
    yield from (f"{must.name}: {must.months}" for must in musts if must.state == "short")
    if len(missing) == len(musts) > 1:
        yield f"None of the {count(len(musts), 'must-have')}"


# Why one candidate stands above another, as a small table.

ROWS = 8


@dataclass(frozen=True, slots=True)
class WhySide:
    application: str
    name: str
    score: str


@dataclass(frozen=True, slots=True)
class WhyRow:
    name: str
    difference: str
    favours: bool  # the one above
    above: str
    below: str


@dataclass(frozen=True, slots=True)
class WhyView:
    above: WhySide
    below: WhySide
    difference: str
    rows: tuple[WhyRow, ...]
    rest: str


def why_view(order: RankDifference, visibility: Visibility) -> WhyView:
    digits = decimals(order.above.score.value, order.below.score.value)
    largest = order.comparison.largest(ROWS)
    rows = tuple(
        WhyRow(
            part.name,
            f"{part.value:+.{digits}f}",
            part.value > 0,
            _words(part.above, digits),
            _words(part.below, digits),
        )
        for part in largest.differences
    )
    together = f"{largest.others_value:+.{digits}f} together"
    rest = f"{largest.others:,} smaller differences, {together}, are not listed." if largest.others else ""
    return WhyView(
        _side(order.above, visibility, digits),
        _side(order.below, visibility, digits),
        f"{order.comparison.value:z.{digits}f}",
        rows,
        rest,
    )


def _side(placed: ScoredCandidate, visibility: Visibility, digits: int) -> WhySide:
    id = placed.entry.application
    name = visibility.name(id, placed.entry.card.name) or pseudonym(id)
    return WhySide(id, name, f"{placed.score.value:z.{digits}f}")


def _words(part: Part | None, digits: int) -> str:
    if part is None:
        return "nothing"
    value = f"{part.value:z.{digits}f}"
    return f"{value}: {part.reason}" if part.reason else value


# What is hidden from the viewer, in words.

NAMES = {
    "name": "names",
    "contact": "contact data",
    "photo": "photos",
    "address": "places",
    "age": "age",
    "gender": "gender",
    "school": "schools",
}


def masked_words(kinds: Collection[str]) -> str:
    hidden = [words for kind, words in NAMES.items() if kind in kinds]
    if not hidden:
        return ""
    return f"Masked here: {join_and(hidden)}."
