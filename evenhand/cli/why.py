"""Why one candidate stands above another, part by part, the largest difference first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from evenhand.cli.ranking_table import candidate_name
from evenhand.cli.terminal import printable
from evenhand.errors import UsageError
from evenhand.records.ranking import Part, Ranking, Result
from evenhand.records.score_scale import ScoreScale
from evenhand.search.rankers.why import compare

SHOWN = 10


def find_result(ranking: Ranking, named: str) -> Result:
    """By rank, path, file name or the candidate's name."""
    found = [result for result in ranking.results if named in _names(result)]
    if len(found) == 1:
        return found[0]
    if found:
        ranks = ", ".join(str(result.rank) for result in found)
        raise UsageError(f"{named!r} can be any of the candidates {ranks}; say which by its rank.")
    raise UsageError(
        f"No candidate of the {ranking.total:,} ranked ones is {named!r}; give a rank or a file."
    )


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
    scale = ScoreScale(ranking)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False, expand=True)
    table.add_column("Part", ratio=2)
    table.add_column("Difference", justify="right", no_wrap=True)
    table.add_column(f"{above.rank}", ratio=2)
    table.add_column(f"{below.rank}", ratio=2)
    for each in comparison.differences[:SHOWN]:
        sign = "+" if each.value > 0 else ""
        table.add_row(
            Text(printable(each.name)),
            sign + scale.text(each.value),
            _side(each.above, scale),
            _side(each.below, scale),
        )
    heading = (
        f"Why {above.rank} {candidate_name(above)} stands above {below.rank} {candidate_name(below)}: "
        f"{scale.text(above.score.value)} less {scale.text(below.score.value)} is {scale.text(comparison.value)}"
    )
    lines: list[RenderableType] = [Text(heading, style="bold")]
    lines.append(table if comparison.differences else Text("No part differs.", style="dim"))
    if rest := comparison.differences[SHOWN:]:
        total = scale.text(sum(each.value for each in rest))
        lines.append(
            Text(f"{len(rest):,} smaller differences, {total} together, are not shown.", style="dim")
        )
    return Group(*lines)


def _side(part: Part | None, scale: ScoreScale) -> Text:
    if part is None:
        return Text("nothing", style="dim")
    return Text(scale.text(part.value) + (f", {printable(part.reason)}" if part.reason else ""))
