"""One Job as a card: what was understood of a job description, for the user to check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from evenhand.cli.durations import long
from evenhand.cli.terminal import printable
from evenhand.records.job import Demand, Job


def job_card(job: Job) -> Panel:
    title = printable(job.title) if job.title else "Job without a title"
    return Panel(
        Group(*_rows(job)),
        title=Text(title, style="bold"),
        title_align="left",
        border_style="cyan",
        padding=(0, 1),
    )


def _rows(job: Job) -> Iterator[RenderableType]:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    musts = [demand for demand in job.demands if demand.must]
    wishes = [demand for demand in job.demands if not demand.must]
    table.add_row("Must have", _demands(musts, "bold"))
    table.add_row("Nice to have", _demands(wishes, ""))
    table.add_row("Experience", _experience(job))
    table.add_row("Degree", _degree(job))
    table.add_row("Place", _known(", ".join(printable(name) for name in (job.city, job.country) if name)))
    yield table


def _demands(demands: Sequence[Demand], style: str) -> Text:
    if not demands:
        return Text("none found", style="dim")
    return Text(", ").join(_demand(demand, style) for demand in demands)


def _demand(demand: Demand, style: str) -> Text:
    words = Text(" or ").join(Text(printable(name), style=style) for name in demand.skills)
    if demand.months is not None:
        words.append_text(Text(f" ({span(demand.months, demand.most_months)})", style="cyan"))
    return words


def span(months: int, most_months: int | None) -> str:
    """ "5 years or more", "3 to 5 years"."""
    if most_months is None:
        return f"{long(months)} or more"
    if months % 12 or most_months % 12:
        return f"{long(months)} to {long(most_months)}"
    return f"{months // 12} to {long(most_months)}"


def _experience(job: Job) -> Text:
    return _known(span(job.months, job.most_months) if job.months is not None else "")


def _degree(job: Job) -> Text:
    fields = f" in {' or '.join(printable(name) for name in job.fields)}" if job.fields else ""
    return _known(f"{job.degree}{fields}" if job.degree else "")


def _known(words: str) -> Text:
    return Text(words) if words else Text("not stated", style="dim")
