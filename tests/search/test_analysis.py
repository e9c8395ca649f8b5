"""Terms: what is kept together, what is folded, and that all who make terms make the same."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
import tantivy
from hypothesis import given
from hypothesis import strategies as st

import evenhand
from evenhand.search.analysis import ANALYZER, register, spans, term_id, terms

SAMPLES = Path(evenhand.__file__).parent / "samples"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C++, C# and C", ["c++", "c#", "c"]),
        (".NET ASP.NET Node.js", [".net", "asp.net", "node.j"]),
        ("networks .networks web.network", ["network", "network", "web", "network"]),
        ("of sales.Managed a team", ["sale", "manag", "team"]),
        ("C++17 and F#", ["c++", "17", "f#"]),
        ("U.S.A. 3.5 years 5+ years", ["u.s.a", "3.5", "year", "5", "year"]),
        ("résumé Księgowa", ["resum", "ksiegowa"]),
        ("candidate's client’s", ["candid", "client"]),
        ("PL/SQL CI/CD T-SQL", ["pl", "sql", "ci", "cd", "t", "sql"]),
        ("the and of", []),
        ("x" * 70, []),
        ("", []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_spans_are_places_in_code_points() -> None:
    text = "𝔘 résumé of Zoë: C++ programming"
    assert [(text[span.start : span.end], span.term) for span in spans(text)] == [
        ("𝔘", "𝔘"),
        ("résumé", "resum"),
        ("Zoë", "zoe"),
        ("C++", "c++"),
        ("programming", "program"),
    ]


def test_stop_words_leave_a_gap_in_positions() -> None:
    assert [span.position for span in spans("state of the art")] == [0, 3]


@given(st.text(max_size=300))
def test_spans_and_terms_agree(text: str) -> None:
    found = spans(text)
    assert [span.term for span in found] == terms(text)
    assert all(0 <= span.start < span.end <= len(text) for span in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


def test_words_of_a_sample_are_found_where_they_stand() -> None:
    text = evenhand.read(SAMPLES / "ksiegowa.txt").text
    found = spans(text)
    assert len(found) > 50
    assert all(terms(text[span.start : span.end]) == [span.term] for span in found)


def test_an_index_makes_the_same_terms() -> None:
    schema = tantivy.SchemaBuilder().add_text_field("text", tokenizer_name=ANALYZER).build()
    index = tantivy.Index(schema)
    register(index)
    writer = index.writer(15_000_000, 1)
    writer.add_document(tantivy.Document(text="Wrote C++ and node.js services"))
    writer.commit()
    index.reload()
    searcher = index.searcher()
    for term in terms("wrote C++ node.js service"):
        assert searcher.doc_freq("text", term) == 1
    assert searcher.doc_freq("text", "services") == 0


def test_term_numbers_are_stable() -> None:
    assert term_id("java") == 0x7F1AE6D2
