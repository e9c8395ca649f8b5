"""Cells of spreadsheets in which nothing that a stranger wrote is ever a formula, nor breaks a line or a terminal."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from io import StringIO

BYTE_ORDER_MARK = "\ufeff"  # without it Excel takes UTF-8 for the local code page
# A spreadsheet may cut at another separator than the comma, and drop spaces and quotes before it looks at the sign.
FORMULA = re.compile(r"(^|[,;|\t])(?=[\s\"'`´’“”«»]*?[=+\-@＝＋－﹣−＠\t\r\n])")
Cell = str | int | float | None


def safe(cell: Cell) -> str | int | float:
    """Numbers as they are; text on one line, with an apostrophe before what a spreadsheet would compute."""
    if isinstance(cell, int | float):
        return cell
    return FORMULA.sub(r"\1'", printable(cell or ""))


def csv_lines(rows: Iterable[Iterable[Cell]]) -> Iterator[str]:
    """One line for each row. Text is quoted, numbers are not."""
    for row in rows:
        out = StringIO(newline="")
        writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
        writer.writerow(map(safe, row))
        yield out.getvalue()


def printable(text: str) -> str:
    """Text from a stranger, harmless on a terminal: what does not print is shown as its escape."""
    return "".join(map(_printable, text))


def _printable(character: str) -> str:
    if character.isprintable():
        return character
    if character.isspace() and character not in "\r\n\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029":
        return " "
    return character.encode("unicode_escape").decode("ascii")
