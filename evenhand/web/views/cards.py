"""One candidate of the list: name and facts, must-haves, score with its parts, fragments, flags, what can be done."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from textwrap import shorten

from evenhand.records import Job, Part, Result, Snippet
from evenhand.records.job import Demand, name_of_kind
from evenhand.records.ranking import FULL
from evenhand.screening.candidate_career import SIGNS, STATE_WORDS, demand_state, duration_found, match_of
from evenhand.screening.candidate_history import FlagRow
from evenhand.screening.candidate_list import CandidateRow, RankDifference
from evenhand.screening.candidate_rank import OTHER, ScorePartRow, ScoreView, decimals, view_score
from evenhand.screening.search_url import value_label
from evenhand.search.rankers.base import LargestDifferences
from evenhand.search.visibility import Visibility, pseudonym
from evenhand.store.applications import NEW, OFFERED, REJECTED, SCREENED, SHORTLISTED
from evenhand.text.wording import DEFINITIONS, ONLY_IN_NAMES, STATED_MARK, TextPiece, count, duration, join_and, pieces

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
    months: str  # "3 years 4 months, 3 years required", "missing"; nothing where a mention is all that was asked for
    only_in_names: bool = False

    @property
    def kind(self) -> str:
        """For the style: a class name."""
        return "not-dated" if self.only_in_names and self.state == "met" else self.state.replace(" ", "-")

    @property
    def state_words(self) -> str:
        return STATE_WORDS[self.state]


@dataclass(frozen=True, slots=True)
class SnippetView:
    """A fragment of the resume, and in its text the place of the first words marked in it."""

    pieces: tuple[TextPiece, ...]
    place: str  # "120-131"

    @classmethod
    def of(cls, snippet: Snippet) -> SnippetView:
        start, end = snippet.highlights[0] if snippet.highlights else (0, len(snippet.text))
        place = f"{snippet.start + start}-{snippet.start + end}"
        return cls(tuple(pieces(snippet.text, snippet.highlights)), place)


@dataclass(frozen=True, slots=True)
class CardView:
    application: str
    rank: int
    name: str
    latest: str  # title and employer of the latest job
    facts: tuple[tuple[str, str], ...]  # degree, experience, city, source; each with its definition, where it has one
    score: ScoreView
    parts: tuple[ScorePartRow, ...]  # of the score, with the rest together as the last one
    musts: tuple[DemandView, ...]
    wishes: tuple[DemandView, ...]  # those that are there
    snippets: tuple[SnippetView, ...]
    flags: tuple[FlagRow, ...]
    set_aside: tuple[FlagRow, ...]
    tags: tuple[str, ...]
    status: str
    actions: tuple[str, ...]
    is_blank: bool  # mining has recognized nothing that could be scored
    reasons: tuple[str, ...]  # that the facts suggest for a rejection; a person chooses or writes their own

    @property
    def in_words(self) -> str:
        """The bar, for who does not see it."""
        parts = (f"{part.name} {self.number(part.value)}" for part in self.parts)
        return f"Score {self.number(self.score.value)}: " + ", ".join(parts)

    def number(self, value: float) -> str:
        return f"{value:z.{self.score.decimals}f}"

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
        parts=tuple(_parts(score)),
        musts=musts,
        wishes=tuple(view for view in wishes if view.state != "not mentioned"),
        snippets=tuple(map(SnippetView.of, result.snippets[:SNIPPETS])),
        flags=tuple(flag for flag in line.flags if flag.set_aside is None),
        set_aside=tuple(flag for flag in line.flags if flag.set_aside is not None),
        tags=line.tags,
        status=status,
        actions=ACTIONS[status],
        is_blank=not (entry.skills or entry.card.title or entry.degree or entry.total_months),
        reasons=tuple(_reasons(musts)),
    )


def _parts(score: ScoreView) -> Iterator[ScorePartRow]:
    """A term ranker has a part for every word: most of them are told together."""
    yield from score.parts
    if score.rest:
        names = shorten(", ".join(part.name for part in score.rest), REST_LENGTH, placeholder=" …")
        yield ScorePartRow(count(len(score.rest), "further part"), score.rest_value, names, OTHER, None, None)


def _facts(line: CandidateRow) -> Iterator[tuple[str, str]]:
    entry = line.listed.entry
    marks = {name: STATED_MARK if name in entry.stated else "" for name in ("degree", "city", "total_months")}
    if entry.degree:
        yield value_label("degree", entry.degree) + marks["degree"], ""
    yield f"Relevant experience: {duration(entry.relevant_months)}", DEFINITIONS["relevant experience"]
    yield f"Experience: {duration(entry.total_months)}{marks['total_months']}", DEFINITIONS["experience"]
    if entry.city:
        yield entry.city + marks["city"], ""
    if entry.source:
        yield entry.source, ""


def demand_views(job: Job, result: Result) -> Iterator[tuple[Demand, DemandView]]:
    """In the order of the job."""
    for demand in job.demands:
        match = match_of(demand, result.matched)
        state = demand_state(demand, match)
        name = name_of_kind(match.skill, demand.kind) if match else demand.label
        required = f"{duration(demand.months)} required" if demand.months else ""
        has = duration_found(match.months, demand.kind) if match else state  # missing or not mentioned
        only = ONLY_IN_NAMES if match and match.only_in_names else ""
        yield demand, DemandView(name, state, SIGNS[state], ", ".join(filter(None, (has, required, only))), bool(only))


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
class WhyView:
    order: RankDifference
    above: str  # their names, as the viewer may see them
    below: str
    largest: LargestDifferences
    digits: int

    def number(self, value: float, sign: str = "z") -> str:
        return f"{value:{sign}.{self.digits}f}"

    def words(self, part: Part | None) -> str:
        if part is None:
            return "nothing"
        return f"{self.number(part.value)}: {part.reason}" if part.reason else self.number(part.value)


def why_view(order: RankDifference, ranker: str, visibility: Visibility) -> WhyView:
    entries = order.above.entry, order.below.entry
    above, below = (
        visibility.name(entry.application, entry.card.name) or pseudonym(entry.application) for entry in entries
    )
    full = FULL.get(ranker, 0.0)
    digits = decimals(full, order.above.score.value, order.below.score.value)
    return WhyView(order, above, below, order.comparison.largest(ROWS), digits)


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
