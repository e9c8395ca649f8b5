"""Jobs along one axis of years: a row for each job, a faint row where more than a few months have no job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from evenhand.cli.durations import long, short
from evenhand.cli.terminal import printable
from evenhand.mining.dates import Moment
from evenhand.mining.intervals import Interval, interval_of, merged
from evenhand.records.profile import PRESENT, Fact, Period, Position

LABELS = 27  # columns for titles and employers
LEAST_AXIS = 20
GAP_MONTHS = 3  # fewer pass between most jobs
BAR, GAP, TRACK = "▆", "░", "·"
STEPS = (1, 2, 5, 10, 20, 50)  # years
YEAR_WIDTH = 6  # columns a year needs on the axis, with room to the next


def interval(period: Period, as_of: str) -> Interval | None:
    """The months a job covers; None where the resume does not tell, or tells nonsense."""
    if period.start is None or period.end is None:
        return None
    end = PRESENT if period.end == PRESENT else Moment.parse(period.end)
    return interval_of(Moment.parse(period.start), end, Moment.parse(as_of))  # type: ignore[arg-type]


def dates(period: Period) -> str:
    """As stated, and how long that is: "2019-03 to present, 2 years"."""
    if period.start and period.end and period.start != period.end:
        words = [f"{period.start} to {period.end}"]
    else:
        words = [date for date in (period.start or period.end,) if date]
    words += [long(period.months)] if period.months is not None else []
    return ", ".join(words) or "not dated"


def gaps(covered: Sequence[Interval]) -> list[Interval]:
    """Stretches between jobs, the first to the last, in which none is stated."""
    joined = merged(covered)
    between = [Interval(before.last_index + 1, after.first_index - 1) for before, after in pairwise(joined)]
    return [gap for gap in between if gap.months >= GAP_MONTHS]


@dataclass(frozen=True, slots=True)
class Axis:
    """Years laid over columns."""

    first_index: int
    last_index: int
    columns: int

    @classmethod
    def over(cls, intervals: Sequence[Interval], columns: int) -> Axis:
        """From the January before the first month to the last month, and over a year at least."""
        first = min(each.first_index for each in intervals) // 12 * 12
        last = max(each.last_index for each in intervals)
        return cls(first, max(last, first + 11), columns)

    def column(self, index: int) -> int:
        """Where a month begins."""
        return round((index - self.first_index) * self.columns / (self.last_index - self.first_index + 1))

    def bar(self, interval: Interval, fill: str, style: str) -> Text:
        """At least one column: a job of a month is a job."""
        start = min(self.column(interval.first_index), self.columns - 1)
        end = max(self.column(interval.last_index + 1), start + 1)
        return Text.assemble(
            (TRACK * start, "dim"), (fill * (end - start), style), (TRACK * (self.columns - end), "dim")
        )

    def years(self) -> Text:
        """As many as fit, the same distance apart."""
        first, last = self.first_index // 12, self.last_index // 12
        needed = YEAR_WIDTH * (last - first + 1) / self.columns
        step = next((step for step in STEPS if step >= needed), STEPS[-1])
        line = ""
        for year in range(-(-first // step) * step, last + 1, step):
            line = line.ljust(self.column(year * 12)) + f"{year:04}"
            if len(line) > self.columns:
                line = line[:-4]
        return Text(line, style="dim")


class Timeline:
    """The newest job first, jobs without dates last. Rendered for the width there is."""

    def __init__(self, positions: Sequence[Position], as_of: str) -> None:
        covers = [(interval(position.period, as_of), position) for position in positions]
        self.dated = sorted(
            ((each, position) for each, position in covers if each),
            key=lambda row: (-row[0].last_index, -row[0].first_index),
        )
        self.undated = [position for each, position in covers if each is None]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = max(options.max_width - LABELS - 1, LEAST_AXIS)
        table = Table.grid(padding=(0, 1, 0, 0))
        table.add_column(width=LABELS)
        table.add_column(width=columns)
        for row in self._dated_rows(columns):
            table.add_row(*row)
        for position in self.undated:
            table.add_row(_label(position), Text(dates(position.period), style="dim"))
        yield table

    def _dated_rows(self, columns: int) -> Iterator[tuple[Text, Text]]:
        if not self.dated:
            return
        intervals = [each for each, _ in self.dated]
        axis = Axis.over(intervals, columns)
        yield Text(), axis.years()
        missing = gaps(intervals)
        for each, position in self.dated:
            while missing and each.last_index < missing[-1].first_index:
                yield _gap_row(missing.pop(), axis)
            yield (
                _label(position),
                Text("\n").join([axis.bar(each, BAR, "cyan"), Text(dates(position.period))]),
            )


def _gap_row(gap: Interval, axis: Axis) -> tuple[Text, Text]:
    return Text(f"no job stated, {short(gap.months)}", style="dim"), axis.bar(gap, GAP, "dim")


def _label(position: Position) -> Text:
    lines = [_words(position.title, "bold"), _words(position.employer, "")]
    return Text("\n").join([line for line in lines if line] or [Text("no title, no employer", style="dim")])


def _words(fact: Fact | None, style: str) -> Text:
    return Text(printable(fact.value), style=style) if fact else Text()
