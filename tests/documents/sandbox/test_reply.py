"""What goes over the pipe comes out equal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evenhand.documents.sandbox.protocol import document_from, encode_document
from evenhand.records.document import Document, Failure, Hidden, Line, Table, Warning

FULL = Line(
    0, 3, 1, (1.0, 2.0, 30.5, 14.0), "Arial", 11.5, True, False, "#102030", "•", (0, 1, 2), "header", "A\u200bda", 0.5
)
BARE = Line(4, 7, 2, None, None, None, False, True, None, None, None)
DOCUMENT = Document(
    file="cv.pdf",
    sha256="ab",
    format="pdf",
    pages=2,
    status="partial",
    text="Ada\nBob",
    hidden=(Hidden("unseen", "tiny", 1),),
    lines=(FULL, BARE),
    tables=(Table(1, 2, 3, True),),
    warnings=(Warning("truncated", "Pages were left out."),),
    error=None,
)
FAILED = Document(None, "ab", None, 0, "error", "", (), (), (), (), Failure("too_large", "Too large."))


def test_every_field_survives() -> None:
    assert document_from(encode_document(DOCUMENT), file="cv.pdf", sha256="ab") == DOCUMENT
    assert document_from(encode_document(FAILED), file=None, sha256="ab") == FAILED


@given(st.text())
def test_every_character_survives(text: str) -> None:
    line = Line(0, len(text), 1, None, text, None, False, False, None, None, None)
    document = Document(None, "ab", "txt", 1, "parsed", text, (), (line,), (), (), None)
    assert document_from(encode_document(document), file=None, sha256="ab") == document


def test_half_a_character_is_replaced_in_its_place() -> None:
    document = Document(None, "ab", "txt", 1, "parsed", "a\ud800b", (), (), (), (), None)
    assert document_from(encode_document(document), file=None, sha256="ab").text == "a?b"
