"""Plain text: lines, gaps, bullets and pages."""

from __future__ import annotations

import pytest

from evenhand.documents.draft import NEXT_BLOCK, NEXT_LINE, ReadLimits
from evenhand.documents.parse import read_plain
from evenhand.errors import EmptyDocument


def test_lines_gaps_and_markers() -> None:
    text = "Jane Example\r\nEngineer\r\n\r\n"
    text += "Skills\n- Python\n\u2022Java\n1. SQL\nb) Go\nJ. Smith\n  indented  \n"
    draft = read_plain(text.encode(), ReadLimits())
    assert [(line.text, line.list, line.joint) for line in draft.lines] == [
        ("Jane Example", None, NEXT_BLOCK),
        ("Engineer", None, NEXT_LINE),
        ("Skills", None, NEXT_BLOCK),
        ("- Python", "-", NEXT_LINE),
        ("•Java", "•", NEXT_LINE),
        ("1. SQL", "1.", NEXT_LINE),
        ("b) Go", "b)", NEXT_LINE),
        ("J. Smith", None, NEXT_LINE),
        ("indented", None, NEXT_LINE),
    ]
    assert draft.format == "txt"
    assert not draft.partial


def test_form_feeds_are_pages() -> None:
    draft = read_plain(b"one\ftwo\nmore\fthree", ReadLimits())
    assert [(line.text, line.page) for line in draft.lines] == [("one", 1), ("two", 2), ("more", 2), ("three", 3)]
    assert draft.pages == 3


def test_controls_and_terminal_colours_are_dropped() -> None:
    draft = read_plain(b"\x1b[31mred\x1b[0m a\x08b\x00c", ReadLimits())
    assert [line.text for line in draft.lines] == ["red abc"]


def test_long_text_is_cut_and_says_so() -> None:
    draft = read_plain(b"word " * 1000, ReadLimits(characters=100))
    assert len(draft.lines[0].text) == 99
    assert draft.partial
    assert [warning.code for warning in draft.warnings] == ["truncated"]


def test_no_text() -> None:
    with pytest.raises(EmptyDocument):
        read_plain(b"\x01\x02\r\n", ReadLimits())
