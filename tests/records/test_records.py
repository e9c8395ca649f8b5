"""Canonical JSON, content hashes, and records that survive the way through JSON."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.records import Document, Failure, Hidden, Line, Table, Warning, canonical_json, content_hash

LINE = Line(
    start=0,
    end=5,
    page=1,
    box=(1.0, 2.0, 3.0, 4.0),
    font="Arial",
    size=10.0,
    bold=True,
    italic=False,
    color="#000000",
    list="•",
    table=(0, 1, 2),
    furniture="header",
    raw="• Héllo",
    confidence=0.5,
)
DOCUMENT = Document(
    file="a.pdf",
    sha256="00",
    format="pdf",
    pages=1,
    status="parsed",
    text="Hello",
    hidden=(Hidden("secret", "tiny", 1),),
    lines=(LINE,),
    tables=(Table(page=1, rows=2, columns=3, ruled=True),),
    warnings=(Warning("hidden_text", "One word."),),
    error=Failure("parse_crash", "Sentence."),
)


def test_canonical_json_is_sorted_compact_and_unescaped() -> None:
    assert canonical_json({"b": [1, 2.5, None], "a": "é"}) == '{"a":"é","b":[1,2.5,null]}'


def test_the_hash_is_of_the_canonical_bytes() -> None:
    assert content_hash({"b": 1, "a": "é"}) == hashlib.sha256('{"a":"é","b":1}'.encode()).hexdigest()


def test_numbers_that_json_does_not_have_are_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(float("nan"))


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.none()))
def test_order_of_keys_does_not_matter(value: dict[str, int | str | None]) -> None:
    turned = dict(reversed(list(value.items())))
    assert content_hash(turned) == content_hash(value)


def test_a_document_comes_back_from_json_as_it_was() -> None:
    assert Document.from_json(json.loads(canonical_json(DOCUMENT.to_json()))) == DOCUMENT


def test_the_shape_users_rely_on() -> None:
    data = DOCUMENT.to_json()
    assert set(data) >= {
        *("file", "sha256", "format", "pages", "status", "text", "hidden", "lines", "warnings", "error")
    }
    assert set(data["lines"][0]) >= {
        *("start", "end", "page", "box", "font", "size", "bold", "italic", "color", "list", "table")
    }
    assert set(data["hidden"][0]) == {"text", "reason", "page"}
    assert data["error"] == {"code": "parse_crash", "message": "Sentence."}


def test_records_are_frozen() -> None:
    with pytest.raises(AttributeError):
        DOCUMENT.text = "changed"  # type: ignore[misc]
