"""Coloured texts: every colour on its own words, all of the text, and none of it markup."""

from __future__ import annotations

from typing import Any

import numpy as np
from lxml import html

from evenhand.debias.interpretation import (
    ConceptHighlight,
    ConceptKey,
    Occlusion,
    highlights_page,
    keys_of,
    pieces_of,
    telling_concepts,
    units_of,
)
from evenhand.debias.weighing import rank_concepts
from tests.debias import taco_published

TEXT = 'She, & <b>nurse</b>; "quoted" script.'
KEYS = (ConceptKey("Concept 1", 0.3217, 0.0511), ConceptKey("Concept <8>", 0.1595, 0.1231))


def made(text: str, scores: dict[str, tuple[float, float]]) -> Occlusion:
    units = units_of(text)
    rows = [scores.get(text[unit.start : unit.end], (0.0, 0.0)) for unit in units]
    return Occlusion(text, (0, 1), units, (1.0, 1.0), np.array(rows, dtype=np.float64))


FOUND = made(TEXT, {"She": (1.0, 0.2), "nurse": (0.1, 0.6), "quoted": (0.15, 0.1), "script": (0.0, -0.9)})


def test_the_legend_of_the_published_concepts() -> None:
    gender, occupation = np.array(taco_published.GENDER_IMPORTANCE), np.array(taco_published.OCCUPATION_IMPORTANCE)
    keys = keys_of(telling_concepts(rank_concepts(gender, occupation)))
    assert [f"{key.name}: {key.weights}" for key in keys] == [
        "Concept 1: 32 % / 5 %",
        "Concept 8: 16 % / 12 %",
        "Concept 19: 12 % / 33 %",
    ]


def test_pieces_are_the_whole_text_and_colours_do_not_shift() -> None:
    pieces = pieces_of(FOUND)
    assert "".join(TEXT[piece.start : piece.end] for piece in pieces) == TEXT
    coloured = [
        (TEXT[piece.start : piece.end], piece.concept, piece.level) for piece in pieces if piece.concept is not None
    ]
    assert coloured == [("She", 0, 4), ("nurse", 1, 2)]
    assert pieces_of(made("plain", {})) == (ConceptHighlight(0, 5),)


def test_the_page_shows_the_text_as_text() -> None:
    page = highlights_page([FOUND], KEYS)
    root: Any = html.document_fromstring(page)
    (shown,) = root.xpath("//p[@class='text']")
    assert shown.text_content() == TEXT
    assert [(span.text, span.get("class")) for span in shown.xpath(".//span")] == [
        ("She", "concept c0 l4"),
        ("nurse", "concept c1 l2"),
    ]
    assert shown.xpath(".//b") == []
    assert [item.text_content() for item in root.xpath("//li")] == ["Concept 1 32 % / 5 %", "Concept <8> 16 % / 12 %"]
    assert root.xpath("//div[@class='concepts']/p")[0].text == "gender importance % / occupation importance %"
    assert "default-src 'none'" in root.xpath("//meta[@http-equiv]")[0].get("content")
