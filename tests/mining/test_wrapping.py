"""A line goes on with the one before where its first word would not have fitted there."""

from __future__ import annotations

from evenhand.mining.layout import lay_out
from evenhand.records.document import Document, Line

LEFT, RIGHT = 50.0, 550.0


def page(*rows: tuple[str, float, float]) -> Document:
    """Rows of a page: text, right edge, and the gap above in points."""
    text = ""
    lines = []
    top = 100.0
    for words, right, gap in rows:
        top += 12.0 + gap
        if text:
            text += "\n"
        start = len(text)
        text += words
        box = (LEFT, top, right, top + 11.0)
        lines.append(Line(start, len(text), 1, box, "Serif", 11.0, False, False, None, None, None))
    return Document(None, "", "pdf", 1, "parsed", text, (), tuple(lines), (), (), None)


def wraps(document: Document) -> list[bool]:
    return [line.wraps for line in lay_out(document).lines]


def test_a_full_line_goes_on_below() -> None:
    full = "word " * 20 + "client"
    assert wraps(page((full, RIGHT, 0), ("intake forms", 120.0, 0), (full, RIGHT, 0))) == [False, True, False]


def test_a_short_line_does_not() -> None:
    full = "word " * 20 + "client"
    assert wraps(page((full, RIGHT, 0), ("Java", 80.0, 0), ("Python", 90.0, 0))) == [False, True, False]


def test_another_paragraph_begins_anew() -> None:
    full = "word " * 20 + "client"
    assert wraps(page((full, RIGHT, 0), ("intake forms", 120.0, 30.0))) == [False, False]


def test_formats_that_flow_do_not_wrap() -> None:
    text = "one line\nanother"
    lines = (
        Line(0, 8, 1, None, None, None, False, False, None, None, None),
        Line(9, 16, 1, None, None, None, False, False, None, None, None),
    )
    assert wraps(Document(None, "", "txt", 1, "parsed", text, (), lines, (), (), None)) == [False, False]
