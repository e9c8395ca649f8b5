"""A ranking as a table for the terminal: who, how well, which must-haves, how long, and what to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from evenhand.cli.durations import short
from evenhand.cli.facts import count
from evenhand.cli.terminal import printable
from evenhand.records.job import Job
from evenhand.records.ranking import Result, Unread
from evenhand.records.score_scale import ScoreScale
from evenhand.workflows.candidate_facts import CandidateFacts, Ranked

BAR, REST = "▆", "·"
BAR_COLUMNS = 8
WIDE = 120  # columns from which files and what is missing have room
ERRORS_SHOWN = 20


class RankingTable:
    """The first results, rendered for the width there is; below them flags and files that could not be ranked."""

    def __init__(self, ranked: Ranked, *, top: int) -> None:
        self.ranked = ranked
        self.scale = ScoreScale(ranked.ranking)
        self.shown = list(zip(ranked.ranking.results, ranked.facts, strict=True))[:top]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.shown:
            yield self._table(options.max_width)
        yield from self._flags()
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
            extra = (self._missing(result), file_name(result)) if wide else ()
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
        yield relevant(facts)
        yield Text(printable(facts.title)) if facts.title else Text("not found", style="dim")

    def _missing(self, result: Result) -> str:
        return ", ".join(missing_names(result, self.ranked.ranking.job))

    def _flags(self) -> Iterator[Text]:
        for result, _ in self.shown:
            for flag in result.flags:
                words = f"! {result.rank} {candidate_name(result)}: {printable(flag.message)} ({flag.code})"
                yield Text(words, style="yellow")

    def _total(self) -> str:
        ranking = self.ranked.ranking
        words = f"{count(ranking.total, 'resume')} ranked by {ranking.ranker}"
        words += f", present is {self.ranked.as_of}" if self.ranked.as_of else ""
        return words + (
            f"; the first {len(self.shown)} are shown." if len(self.shown) < ranking.total else "."
        )


def unread_lines(errors: Sequence[Unread]) -> Iterator[Text]:
    """Why each file is not in the list."""
    if not errors:
        return
    yield Text(f"{count(len(errors), 'file')} could not be ranked:", style="red")
    for error in errors[:ERRORS_SHOWN]:
        yield Text(f"  {printable(error.file)}: {printable(error.failure.message)} ({error.failure.code})")
    if len(errors) > ERRORS_SHOWN:
        yield Text(f"  ... {len(errors) - ERRORS_SHOWN:,} more; --json and --html name them all.")


def relevant(facts: CandidateFacts) -> str:
    if facts.relevant_months is None:
        return "not dated"
    return short(facts.relevant_months) if facts.relevant_months else "none"


def candidate_name(result: Result) -> str:
    """The name, or for want of one the file."""
    return printable(result.candidate) if result.candidate else file_name(result)


def file_name(result: Result) -> str:
    return printable(PurePath(result.file).name) if result.file else "(no file)"


def missing_names(result: Result, job: Job) -> Iterator[str]:
    """With the alternatives the job allows: "java or .net"."""
    alternatives = {demand.skills[0]: demand.skills for demand in job.demands if demand.must}
    for name in result.missing:
        yield printable(" or ".join(alternatives.get(name, (name,))))
