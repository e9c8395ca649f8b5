"""Drafts become documents: offsets, raw text, gaps and warnings."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evenhand.documents.draft import NEXT_BLOCK, NEXT_CELL, NEXT_LINE, DocumentDraft, DraftLine
from evenhand.documents.parse import assemble
from evenhand.records import Document, Hidden

LONG = "word " * 30


def assembled(*lines: DraftLine, **more: object) -> Document:
    return assemble(DocumentDraft("txt", lines=list(lines), **more), file="a.txt", sha256="00")  # type: ignore[arg-type]


def codes(document: Document) -> list[str]:
    return [warning.code for warning in document.warnings]


def test_offsets_point_at_the_lines() -> None:
    document = assembled(
        DraftLine("Jonas Feld"),
        DraftLine("Java", joint=NEXT_BLOCK, table=(0, 0, 0)),
        DraftLine("36 months", joint=NEXT_CELL, table=(0, 0, 1)),
        DraftLine("Go", joint=NEXT_LINE, table=(0, 1, 0)),
    )
    assert document.text == "Jonas Feld\n\nJava\t36 months\nGo"
    assert [document.line_text(line) for line in document.lines] == ["Jonas Feld", "Java", "36 months", "Go"]


def test_offsets_count_code_points() -> None:
    document = assembled(DraftLine("🎓 Żółć"), DraftLine("naïve"))
    assert document.lines[1].start == 7
    assert document.line_text(document.lines[1]) == "naïve"


def test_raw_text_is_kept_where_it_differs() -> None:
    first, second = assembled(DraftLine("e\ufb03cient\u00a0work"), DraftLine("plain")).lines
    assert (first.raw, second.raw) == ("e\ufb03cient\u00a0work", None)


def test_a_line_of_nothing_leaves_its_gap() -> None:
    document = assembled(DraftLine("above"), DraftLine("\u200b", joint=NEXT_BLOCK), DraftLine("below"))
    assert document.text == "above\n\nbelow"
    assert len(document.lines) == 2


def test_no_text_is_an_error_and_not_an_empty_resume() -> None:
    document = assembled(DraftLine(" "))
    assert document.status == "error"
    assert document.error is not None
    assert document.error.code == "empty_document"


def test_only_hidden_text_is_an_error_that_shows_it() -> None:
    document = assembled(hidden=[Hidden("java java", "tiny", 1)])
    assert document.error is not None
    assert (document.error.code, document.hidden[0].text) == ("empty_document", "java java")


def test_hidden_text_is_warned_of() -> None:
    document = assembled(DraftLine(LONG), hidden=[Hidden("java java", "tiny", 1)])
    assert codes(document) == ["hidden_text"]
    assert document.warnings[0].message == "2 words of hidden text found, not scored: too small to be read."


def test_one_hidden_word_is_one_word() -> None:
    document = assembled(DraftLine(LONG), hidden=[Hidden("java", "covered", 1)])
    assert document.warnings[0].message == "1 word of hidden text found, not scored: covered by something else."


def test_very_little_text_is_warned_of() -> None:
    assert codes(assembled(DraftLine("Only these words"))) == ["low_text"]
    assert codes(assembled(DraftLine(LONG))) == []


def test_partial_drafts_stay_partial() -> None:
    assert assembled(DraftLine(LONG), partial=True).status == "partial"


@given(st.lists(st.tuples(st.text(max_size=20), st.sampled_from((NEXT_BLOCK, NEXT_CELL, NEXT_LINE)))))
def test_every_line_is_found_at_its_place(parts: list[tuple[str, str]]) -> None:
    document = assembled(*(DraftLine(text, joint=joint) for text, joint in parts))
    rest = document.text
    for line in document.lines:
        assert line.start < line.end
        rest = rest.replace(document.line_text(line), "", 1)
    assert rest.strip("\n\t") == "" or not document.lines
    assert [line.start for line in document.lines] == sorted(line.start for line in document.lines)
