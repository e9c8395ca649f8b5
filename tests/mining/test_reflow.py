"""The text without its layout: the same words in paragraphs, phrases found over line ends, places of the page kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from evenhand.mining.annotations import Annotations
from evenhand.mining.assembly.blocks import Mention
from evenhand.mining.reflow import placed, reflow
from evenhand.records.document import Document
from evenhand_lab.training.miner import annotate_document
from tests.mining.pages import page, vocabulary

FULL = "Wrote the services of the shop and kept them running on machines of Amazon"
FLOWING = {"box": None}


def notes_of(document: Document) -> Annotations:
    return annotate_document(document, vocabulary(), None)


def set_closely(*rows: str, **looks: Any) -> Document:
    """Lines twelve points apart, as wide as the page."""
    document = page(*((text, {"box": (50.0, 12.0 * at, 500.0, 12.0 * at + 10.0)}) for at, text in enumerate(rows)))
    return replace(document, lines=tuple(replace(line, **looks) for line in document.lines))


def texts(annotations: Annotations) -> list[str]:
    return [line.text for line in annotations.layout.lines]


def test_a_skill_broken_over_two_lines_is_found_whole() -> None:
    annotations = notes_of(set_closely(FULL, "Web Services for the shops."))
    plain = reflow(annotations, vocabulary())
    assert texts(plain) == [f"{FULL} Web Services for the shops."]
    assert "aws" not in {name for _, _, name in annotations.sure_skills}
    (place,) = [(first, last) for first, last, name in plain.sure_skills if name == "aws"]
    assert plain.layout.tokens.words[slice(*place)] == ["Amazon", "Web", "Services"]


def test_looks_make_no_difference() -> None:
    rows = ("Skills", "Java, Python and Oracle")
    bold = reflow(notes_of(set_closely(*rows, bold=True, size=14.0, color="#ff0000")), vocabulary())
    none = reflow(notes_of(set_closely(*rows)), vocabulary())
    assert [line.look for line in bold.layout.lines] == [line.look for line in none.layout.lines]
    assert (texts(bold), bold.titles, bold.sure_skills) == (texts(none), none.titles, none.sure_skills)


def test_bullets_are_one() -> None:
    words = [
        reflow(notes_of(page((f"{bullet} Java", {"list": bullet}))), vocabulary()).layout.tokens.words
        for bullet in ("-", "▪", "•")
    ]
    assert words == [["•", "Java"]] * 3


def test_footers_are_left_out_and_skills_keep_their_place() -> None:
    document = page(("Java", FLOWING), ("Page 1 of 2", {"furniture": "footer"}), ("Python", FLOWING))
    plain = reflow(notes_of(document), vocabulary())
    assert texts(plain) == ["Java", "Python"]
    assert plain.sure_skills == [(0, 1, "java"), (1, 2, "python")]
    assert plain.layout.tokens.starts == [0, document.text.index("Python")]


def test_mentions_are_placed_in_the_lines_of_the_page() -> None:
    annotations = notes_of(set_closely(FULL, "Web Services for the shops."))
    start = annotations.layout.document.text.index("Amazon")
    mention = Mention("skill", start, start + len("Amazon\nWeb Services"), 0, 0, 1.0)
    (found,) = placed([mention], annotations.layout)
    assert (found.line, found.last_line) == (0, 1)
