"""A ranking as a table for the terminal: who, how well, which must-haves, how long, and what to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from evenhand.errors import UsageError
from evenhand.records.job import Demand, Job
from evenhand.records.ranking import Part, Ranking, Result, ScoreScale, Unread
from evenhand.rendering.cells import printable
from evenhand.screening.exports import missing_names
from evenhand.search.facets import Facet
from evenhand.search.matching import CandidateFacts, RankingWithFacts, count_musts
from evenhand.search.rankers.base import compare
from evenhand.search.screener import SearchHit, SearchResults
from evenhand.text.wording import count, duration, years

BAR, REST = "▆", "·"
BAR_COLUMNS = 8
WIDE = 120  # columns from which files and what is missing have room
ERRORS_SHOWN = 20


class RankingTable:
    """The first results, rendered for the width there is; below them flags and files that could not be ranked."""

    def __init__(self, ranked: RankingWithFacts, *, top: int) -> None:
        self.ranked = ranked
        self.scale = ScoreScale(ranked.ranking)
        self.shown = list(zip(ranked.ranking.results, ranked.facts, strict=True))[:top]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.shown:
            yield self._table(options.max_width)
        for result, _ in self.shown:
            for flag in result.flags:
                words = f"! {result.rank} {candidate_name(result)}: {printable(flag.message)} ({flag.code})"
                yield Text(words, style="yellow")
        yield from unread_lines(self.ranked.ranking.errors)
        yield Text(self._total(), style="dim")

    def _table(self, width: int) -> Table:
        wide = width >= WIDE
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=0, show_edge=False, expand=True)
        table.add_column("#", justify="right", no_wrap=True, min_width=2)
        table.add_column("", width=1, no_wrap=True)
        table.add_column("Candidate", ratio=10, no_wrap=True, overflow="ellipsis")
        table.add_column("Score", width=BAR_COLUMNS, no_wrap=True)
        table.add_column("", justify="right", no_wrap=True)
        table.add_column("Must", justify="right", no_wrap=True)
        table.add_column(" Relevant", justify="right", no_wrap=True)
        table.add_column("Latest job", ratio=10, no_wrap=True, overflow="ellipsis")
        if wide:
            table.add_column("Missing", ratio=9, no_wrap=True, overflow="ellipsis")
            table.add_column("File", ratio=9, no_wrap=True, overflow="ellipsis")
        for result, facts in self.shown:
            missing = printable(", ".join(missing_names(result, self.ranked.ranking.job)))
            extra = (missing, file_name(result)) if wide else ()
            table.add_row(*self._row(result, facts), *map(Text, extra))
        return table

    def _row(self, result: Result, facts: CandidateFacts) -> Iterator[RenderableType]:
        filled = round(BAR_COLUMNS * self.scale.share(result.score.value))
        yield str(result.rank)
        yield Text("!", style="bold yellow") if result.flags else ""
        yield Text(candidate_name(result), style="bold")
        yield Text.assemble((BAR * filled, "green"), (REST * (BAR_COLUMNS - filled), "dim"))
        yield self.scale.text(result.score.value)
        yield f"{facts.musts_met}/{facts.musts_asked}" if facts.musts_asked else "-"
        yield duration(facts.relevant_months)
        yield Text(printable(facts.title)) if facts.title else Text("not found", style="dim")

    def _total(self) -> str:
        ranking = self.ranked.ranking
        words = f"{count(ranking.total, 'resume')} ranked by {ranking.ranker}"
        words += f", present is {self.ranked.as_of}" if self.ranked.as_of else ""
        return words + (f"; the first {len(self.shown)} are shown." if len(self.shown) < ranking.total else ".")


def unread_lines(errors: Sequence[Unread]) -> Iterator[Text]:
    """Why each file is not in the list."""
    if not errors:
        return
    yield Text(f"{count(len(errors), 'file')} could not be ranked:", style="red")
    for error in errors[:ERRORS_SHOWN]:
        yield Text(f"  {printable(error.file)}: {printable(error.failure.message)} ({error.failure.code})")
    if len(errors) > ERRORS_SHOWN:
        yield Text(f"  ... {len(errors) - ERRORS_SHOWN:,} more; --json and --html name them all.")


def candidate_name(result: Result) -> str:
    """The name, or for want of one the file."""
    return printable(result.candidate) if result.candidate else file_name(result)


def file_name(result: Result) -> str:
    return printable(PurePath(result.file).name) if result.file else "(no file)"


# Why one candidate stands above another, part by part, the largest difference first.

SHOWN = 10


def find_result(ranking: Ranking, named: str) -> Result:
    """By rank, path, file name or the candidate's name."""
    matches = [result for result in ranking.results if named in _names(result)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        ranks = ", ".join(str(result.rank) for result in matches)
        raise UsageError(f"{named!r} can be any of the candidates {ranks}; say which by its rank.")
    raise UsageError(f"No candidate of the {ranking.total:,} ranked ones is {named!r}; give a rank or a file.")


def _names(result: Result) -> Iterator[str]:
    yield str(result.rank)
    if result.file:
        yield result.file
        yield PurePath(result.file).name
    if result.candidate:
        yield result.candidate


def why_table(ranking: Ranking, first: str, second: str) -> Group:
    """The better one is named first, whichever order they were given in."""
    above, below = sorted((find_result(ranking, name) for name in (first, second)), key=lambda one: one.rank)
    comparison = compare(above.score, below.score)
    largest = comparison.largest(SHOWN)
    scale = ScoreScale(ranking)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False, expand=True)
    table.add_column("Part", ratio=2)
    table.add_column("Difference", justify="right", no_wrap=True)
    table.add_column(f"{above.rank}", ratio=2)
    table.add_column(f"{below.rank}", ratio=2)
    for part in largest.differences:
        sign = "+" if part.value > 0 else ""
        table.add_row(
            Text(printable(part.name)),
            sign + scale.text(part.value),
            _side(part.above, scale),
            _side(part.below, scale),
        )
    heading = (
        f"Why {above.rank} {candidate_name(above)} stands above {below.rank} {candidate_name(below)}: "
        f"{scale.text(above.score.value)} less {scale.text(below.score.value)} is {scale.text(comparison.value)}"
    )
    lines: list[RenderableType] = [Text(heading, style="bold")]
    lines.append(table if largest.differences else Text("No part differs.", style="dim"))
    if largest.others:
        total = scale.text(largest.others_value)
        lines.append(Text(f"{largest.others:,} smaller differences, {total} together, are not shown.", style="dim"))
    return Group(*lines)


def _side(part: Part | None, scale: ScoreScale) -> Text:
    if part is None:
        return Text("nothing", style="dim")
    return Text(scale.text(part.value) + (f", {printable(part.reason)}" if part.reason else ""))


# One Job as a card: what was understood of a job description, for the user to check.


def job_card(job: Job) -> Panel:
    title = printable(job.title) if job.title else "Job without a title"
    return Panel(
        Group(*_rows(job)), title=Text(title, style="bold"), title_align="left", border_style="cyan", padding=(0, 1)
    )


def _rows(job: Job) -> Iterator[RenderableType]:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    musts = [demand for demand in job.demands if demand.must]
    wishes = [demand for demand in job.demands if not demand.must]
    table.add_row("Must have", _demands(musts, "bold"))
    table.add_row("Nice to have", _demands(wishes, ""))
    table.add_row("Experience", _known(span(job.months, job.most_months) if job.months is not None else ""))
    fields = f" in {' or '.join(printable(name) for name in job.fields)}" if job.fields else ""
    table.add_row("Degree", _known(f"{job.degree}{fields}" if job.degree else ""))
    table.add_row("Place", _known(", ".join(printable(name) for name in (job.city, job.country) if name)))
    yield table
    for warning in job.warnings:
        yield Text(f"! {printable(warning.message)}", style="yellow")


def _demands(demands: Sequence[Demand], style: str) -> Text:
    if not demands:
        return Text("none found", style="dim")
    return Text(", ").join(_demand(demand, style) for demand in demands)


def _demand(demand: Demand, style: str) -> Text:
    words = Text(" or ").join(Text(printable(name), style=style) for name in demand.skills)
    words = Text("Licence: ").append_text(words) if demand.kind == "licence" else words
    if demand.months is not None:
        words.append_text(Text(f" ({span(demand.months, demand.most_months)})", style="cyan"))
    return words


def span(months: int, most_months: int | None) -> str:
    """ "5 years or more", "3 to 5 years"."""
    if most_months is None:
        return f"{years(months)} or more"
    if months % 12 or most_months % 12:
        return f"{years(months)} to {years(most_months)}"
    return f"{months // 12} to {years(most_months)}"


def _known(words: str) -> Text:
    return Text(words) if words else Text("not stated", style="dim")


# A page of screening for the terminal: the ranked table comes from `ranking_table`, the facets from here.

VALUES = 8  # of a facet, in one line
TITLES = {
    "source": "Source",
    "degree": "Degree",
    "total_years": "Years in all",
    "relevant_years": "Years relevant",
    "city": "City",
    "status": "Status",
    "skill": "Skill",
}


def ranked_from(screen: SearchResults) -> RankingWithFacts:
    """As the table of a ranking wants it."""
    return RankingWithFacts(screen.ranking, tuple(_facts(listed, screen) for listed in screen.listed), None)


def _facts(listed: SearchHit, screen: SearchResults) -> CandidateFacts:
    entry, musts = listed.entry, count_musts(screen.job, listed.result.matched)
    return CandidateFacts(
        title=entry.card.title,
        employer=entry.card.employer,
        is_current=False,
        total_months=entry.total_months,
        relevant_months=entry.relevant_months,
        musts_met=musts.met,
        musts_asked=musts.asked,
        degree=entry.degree,
        city=entry.city,
        musts_undated=musts.undated,
    )


def search_lines(screen: SearchResults) -> Group:
    """Who was found by name or contact, and which words nobody mentions; nothing where there is neither."""
    lines = [
        f"Found by {hit.found_by}: {printable(hit.candidate or hit.application)}, "
        + (f"rank {hit.rank:,} of {screen.total:,}" if hit.rank else "not in this list")
        for hit in screen.people
    ]
    lines += [f"No resume of this job mentions “{printable(words)}”." for words in screen.unmatched]
    return Group(*(Text(line, style="bold") for line in lines))


def facet_lines(screen: SearchResults) -> Group:
    """One line each. A Text that is printed by itself would forget that it must not wrap."""
    return Group(Text(), *map(_line, screen.facets.facets))


def _line(facet: Facet) -> Text:
    line = Text(f"{TITLES[facet.name]:<15}", style="dim", no_wrap=True, overflow="ellipsis")
    values = [value for value in facet.values if value.count or value.chosen]
    for at, value in enumerate(values[:VALUES]):
        mark = "*" if value.chosen else ""
        line.append("   " if at else "", style="default")
        line.append(f"{mark}{printable(value.value)} ", style="bold" if value.chosen else "default")
        line.append(f"{value.count:,}", style="cyan")
    more = len(values) - VALUES
    if more > 0 or facet.others:
        line.append("   ...", style="dim")
    return line
