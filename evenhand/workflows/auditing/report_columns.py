"""How wide the columns of a table are on paper: no number broken, the rest of the room to those with more to say."""

from __future__ import annotations

from reportlab.pdfbase.pdfmetrics import stringWidth

from evenhand.records.report import Grid
from evenhand.workflows.letter_fonts import BOLD, PLAIN, use_fonts

SIZE, HEAD_SIZE = 8.5, 8.0
BETWEEN = 11.0  # points from a column to the next
WHOLE = 18  # letters: a number or an interval up to this long stays on one line


def column_widths(grid: Grid, room: float) -> list[float]:
    """In points; they add up to the room."""
    use_fonts()
    least = [_least(grid, at) for at in range(len(grid.columns))]
    wanted = [max(_wanted(grid, at), least[at]) for at in range(len(grid.columns))]
    if sum(wanted) <= room:
        spare = (room - sum(wanted)) / len(wanted)
        return [each + spare for each in wanted]
    if sum(least) >= room:
        return [each * room / sum(least) for each in least]
    share = (room - sum(least)) / (sum(wanted) - sum(least))
    return [low + (high - low) * share for low, high in zip(least, wanted, strict=True)]


def _least(grid: Grid, at: int) -> float:
    """What must not be broken: words, and short numbers as a whole."""
    heads = [stringWidth(word, BOLD, HEAD_SIZE) for word in grid.columns[at].split()]
    cells = [cell for row in grid.rows for cell in row[at : at + 1]]
    words = [word for cell in cells for word in _unbroken(cell, at in grid.numeric)]
    return max([*heads, *(stringWidth(word, PLAIN, SIZE) for word in words)], default=0.0) + BETWEEN


def _unbroken(cell: str, is_number: bool) -> list[str]:
    return [cell] if is_number and len(cell) <= WHOLE else [word[:WHOLE] for word in cell.split()]


def _wanted(grid: Grid, at: int) -> float:
    cells = [cell for row in grid.rows for cell in row[at : at + 1]]
    widths = [stringWidth(cell, PLAIN, SIZE) for cell in cells]
    return float(max([stringWidth(grid.columns[at], BOLD, HEAD_SIZE), *widths])) + BETWEEN
