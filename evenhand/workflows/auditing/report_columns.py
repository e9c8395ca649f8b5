"""How a table is set on paper: as large as it can be without breaking a word or, if it can be helped, a number."""

from __future__ import annotations

from dataclasses import dataclass

from reportlab.pdfbase.pdfmetrics import stringWidth

from evenhand.records.report import Grid
from evenhand.workflows.letter_fonts import BOLD, PLAIN, use_fonts

SIZES = (8.5, 7.5, 6.5)
HEAD = 0.94  # of the size
BETWEEN = 8.5  # points from a column to the next; what the table keeps free there is a little less
WHOLE = 18  # letters: a number or an interval up to this long stays on one line
LONGEST_WORD = 24


@dataclass(frozen=True, slots=True)
class Setting:
    size: float
    widths: tuple[float, ...]  # points, which add up to the room


def set_columns(grid: Grid, room: float) -> Setting:
    """The first that fits: intervals on one line, else on two, and only then smaller letters."""
    use_fonts()
    for size in SIZES:
        for whole in (WHOLE, 0):
            least = [_least(grid, at, size, whole) for at in range(len(grid.columns))]
            if sum(least) <= room:
                return Setting(size, tuple(_shared(grid, least, size, room)))
    return Setting(size, tuple(each * room / sum(least) for each in least))


def _shared(grid: Grid, least: list[float], size: float, room: float) -> list[float]:
    """What is left goes to those that have more to say."""
    wanted = [max(_wanted(grid, at, size), low) for at, low in enumerate(least)]
    if sum(wanted) <= room:
        spare = (room - sum(wanted)) / len(wanted)
        return [each + spare for each in wanted]
    share = (room - sum(least)) / (sum(wanted) - sum(least))
    return [low + (high - low) * share for low, high in zip(least, wanted, strict=True)]


def _least(grid: Grid, at: int, size: float, whole: int) -> float:
    heads = [stringWidth(word, BOLD, size * HEAD) for word in grid.columns[at].split()]
    cells = [cell for row in grid.rows for cell in row[at : at + 1]]
    words = {word for cell in cells for word in _unbroken(cell, whole if at in grid.numeric else 0)}
    return float(max([0.0, *heads, *(stringWidth(word, PLAIN, size) for word in words)])) + BETWEEN


def _unbroken(cell: str, whole: int) -> list[str]:
    return [cell] if len(cell) <= whole else [word[:LONGEST_WORD] for word in cell.split()]


def _wanted(grid: Grid, at: int, size: float) -> float:
    cells = [cell for row in grid.rows for cell in row[at : at + 1]]
    head = stringWidth(grid.columns[at], BOLD, size * HEAD)
    return float(max([head, *(stringWidth(cell, PLAIN, size) for cell in cells)])) + BETWEEN
