"""How wide the columns of a table are on paper: as much as their words need, and none squeezed out by a longer one."""

from __future__ import annotations

from evenhand.records.report import Grid

SHORTEST, LONGEST = 6, 44  # letters


def column_widths(grid: Grid) -> list[float]:
    """Shares of the width that add up to one."""
    wanted = [_letters(grid, at) for at in range(len(grid.columns))]
    whole = sum(wanted)
    return [each / whole for each in wanted]


def _letters(grid: Grid, at: int) -> float:
    cells = [row[at] for row in grid.rows if at < len(row)]
    longest = max((len(cell) for cell in cells), default=0)
    head_word = max((len(word) for word in grid.columns[at].split()), default=0)
    return min(max(longest, head_word + 2, SHORTEST), LONGEST)
