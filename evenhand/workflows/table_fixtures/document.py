"""Made tables as the document that a reader would give."""

from __future__ import annotations

from collections.abc import Sequence

from evenhand.corpora.manuscript import Words
from evenhand.mining.examples import Example, Span
from evenhand.records.document import Document, Line, Table
from evenhand.workflows.aligning import LABELS
from evenhand.workflows.table_fixtures.making import MadeTable


def example_of_tables(id: str, tables: Sequence[MadeTable]) -> Example:
    """The document that a reader would give: a line per line of a cell, tabs between the cells of a row."""
    text: list[str] = []
    lines: list[Line] = []
    labels: list[str] = []
    spans: list[Span] = []
    at = 0
    for index, table in enumerate(tables):
        for row, cells in enumerate(table.rows):
            for column, words in enumerate(cells):
                whole = "".join(run.text for run in words)
                if not whole:
                    continue
                spans += _spans(words, at)
                bold = table.bold_header and row == 0
                for part in whole.split("\n"):
                    lines.append(_line(at, part, (index, row, column), bold=bold))
                    labels.append(f"{table.section}.body")
                    text.append(part + "\n")
                    at += len(part) + 1
                text[-1] = text[-1][:-1] + ("\t" if column + 1 < len(cells) else "\n")
    found = tuple(Table(1, len(table.rows), max(map(len, table.rows)), True) for table in tables)
    document = Document(None, "", "docx", 1, "parsed", "".join(text), (), tuple(lines), found, (), None)
    return Example(id, document, tuple(labels), tuple(spans), True)


def _spans(words: Words, at: int) -> list[Span]:
    spans = []
    for run in words:
        if run.label is not None:
            spans.append(Span(at, at + len(run.text), LABELS[run.label]))
        at += len(run.text)
    return spans


def _line(at: int, text: str, table: tuple[int, int, int], *, bold: bool) -> Line:
    return Line(at, at + len(text), 1, None, None, None, bold, False, None, None, table)
