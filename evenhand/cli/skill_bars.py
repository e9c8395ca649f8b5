"""Skills by their months: bars for the longest, a list for the others, and apart from both those nobody dated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from evenhand.cli.durations import short
from evenhand.cli.terminal import printable
from evenhand.records.profile import Skill

NAMES = 27
BARS = 12
MONTHS = 9  # columns, for "12 y 11 m"
LAST = 15
BAR = "▆"


class SkillBars:
    """Rendered for the width there is."""

    def __init__(self, skills: Sequence[Skill]) -> None:
        dated = [(skill.months, skill) for skill in skills if skill.months is not None]
        self.dated = sorted(dated, key=lambda row: (-row[0], row[1].name))
        self.undated = sorted(skill.name for skill in skills if skill.months is None)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self._bars(max(options.max_width - NAMES - MONTHS - LAST - 3, 8))
        if others := self.dated[BARS:]:
            yield _listed("also", [f"{printable(skill.name)} {short(months)}" for months, skill in others])
        if self.undated:
            yield _listed("not dated", list(map(printable, self.undated)))

    def _bars(self, columns: int) -> Iterator[RenderableType]:
        shown = self.dated[:BARS]
        if not shown:
            return
        table = Table.grid(padding=(0, 1, 0, 0))
        for width in (NAMES, columns):
            table.add_column(width=width, no_wrap=True, overflow="ellipsis")
        table.add_column(width=MONTHS, justify="right", no_wrap=True)
        table.add_column(width=LAST, no_wrap=True)
        most = shown[0][0] or 1
        for months, skill in shown:
            bar = Text(BAR * max(round(columns * months / most), 1), style="green")
            last = Text(f"until {skill.last_used}", style="dim") if skill.last_used else Text()
            table.add_row(Text(printable(skill.name)), bar, short(months), last)
        yield table


def _listed(label: str, items: list[str]) -> Text:
    return Text.assemble((f"{label}: ", "dim"), ", ".join(items))
