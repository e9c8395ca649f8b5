"""Which lines of a page go on with the line before: its first word would not have fitted there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evenhand.mining.sheet import SheetLine

SLACK = 3.0  # points by which a setter may stop short of the margin
INDENT = 40.0  # points between the left edges of lines of one column, bullets included
LEADING = 2.2  # line heights from the top of one line to the top of the next


def mark_wraps(lines: Sequence[SheetLine]) -> None:
    """In formats that flow a line is a paragraph, and nothing wraps."""
    margins: dict[tuple[int, int], float] = {}
    for line in lines:
        if line.line.box is not None:
            key = _column(line)
            margins[key] = max(margins.get(key, 0.0), line.line.box[2])
    for before, line in pairwise(lines):
        line.wraps = _wraps(before, line, margins)


def _column(line: SheetLine) -> tuple[int, int]:
    """The page and, roughly, the left edge: lines of one column share the right margin."""
    box = line.line.box
    return line.line.page, round(box[0] / INDENT) if box else 0


def _wraps(before: SheetLine, line: SheetLine, margins: dict[tuple[int, int], float]) -> bool:
    box, above = line.line.box, before.line.box
    if box is None or above is None or line.line.list or line.line.table or before.line.table:
        return False
    if (
        line.line.page != before.line.page
        or line.gap_before
        or abs(line.size_ratio - before.size_ratio) > 0.02
    ):
        return False
    if not -2.0 <= box[0] - above[0] <= INDENT or box[1] - above[1] > LEADING * (above[3] - above[1]) + 1:
        return False
    text = line.text.strip()
    width = (box[2] - box[0]) / max(1, len(text))
    margin = max(margins.get(_column(before), 0.0), margins.get(_column(line), 0.0))
    return above[2] + width * (len(text.split()[0]) + 1) > margin - SLACK
