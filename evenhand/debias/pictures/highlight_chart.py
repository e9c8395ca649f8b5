"""The same coloured texts as a chart, so that they can be had as SVG and PNG and stand in a report (Fig 4)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from evenhand.debias.interpretation.occlusion import Occlusion
from evenhand.debias.pictures.drawing import SCHEMA, titled
from evenhand.debias.pictures.highlights import COLOURS, LEVELS, ConceptKey, legend_title, pieces_of
from evenhand.records.report import Chart

WIDTH = 660
LETTERS = 13.0  # pixels
LINE = 23.0
GAP = 16.0  # between texts
LONGEST = 900  # characters of a text; the rest is left out


@dataclass(frozen=True, slots=True)
class Word:
    """A word, or a part of one that is longer than a line, with the place where it is drawn."""

    start: int
    end: int
    x: float
    line: int


def highlights_chart(
    found: Sequence[Occlusion],
    concepts: Sequence[ConceptKey],
    *,
    title: str = "What the concepts are made of",
    sensitive_name: str = "gender",
    task_name: str = "occupation",
) -> Chart:
    words: list[dict[str, Any]] = []
    marks: list[dict[str, Any]] = []
    top = 0.0
    for each in found:
        laid = list(lay_out(each.text))
        words += _words(each, laid, top)
        marks += _marks(each, laid, top)
        top += LINE * (max((word.line for word in laid), default=0) + 1) + GAP
    legend = legend_title(sensitive_name, task_name)
    text = {
        "width": WIDTH,
        "height": max(top - GAP, LINE),
        "layer": [_rects(marks, top - GAP), _texts(words, top - GAP)],
    }
    spec = {
        "$schema": SCHEMA,
        "title": titled(title),
        "vconcat": [_key(concepts, legend), text],
        "spacing": 14,
    }
    return Chart(title, spec, _in_words(found, concepts, legend))


def lay_out(text: str) -> Iterator[Word]:
    """Words from left to right, a new line where one does not fit or the text has one."""
    x, line = 0.0, 0
    blank = width_of(" ")
    for found in re.finditer(r"\n|[^\s]+", text[:LONGEST]):
        if found[0] == "\n":
            x, line = 0.0, line + (x > 0)
            continue
        for start, end in _parts(text, found.start(), found.end()):
            width = width_of(text[start:end])
            if x and x + width > WIDTH:
                x, line = 0.0, line + 1
            yield Word(start, end, x, line)
            x += width
        x += blank


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Of a word that is longer than a line; others are whole."""
    at = start
    for here in range(start + 1, end + 1):
        if width_of(text[at:here]) > WIDTH:
            yield at, here - 1
            at = here - 1
    yield at, end


def width_of(text: str) -> float:
    """In pixels: Helvetica's widths, which Arial and Liberation Sans share; wide characters take a whole square."""
    from reportlab.pdfbase.pdfmetrics import stringWidth  # noqa: PLC0415 - its tables are for those who draw

    plain = "".join(letter for letter in text if ord(letter) < 256)
    others = sum(
        1.0 if unicodedata.east_asian_width(letter) in "WF" else 0.6 for letter in text if ord(letter) > 255
    )
    return float(stringWidth(plain, "Helvetica", LETTERS)) + others * LETTERS


def _words(found: Occlusion, words: Sequence[Word], top: float) -> Iterator[dict[str, Any]]:
    """Cut where a colour begins or ends: kerning would pull a comma into the colour of the word before it."""
    borders = {place for piece in pieces_of(found) for place in (piece.start, piece.end)}
    for word in words:
        cuts = [word.start, *sorted(place for place in borders if word.start < place < word.end), word.end]
        for start, end in pairwise(cuts):
            x = _x_of(found.text, word, start)
            yield {"text": found.text[start:end], "x": x, "y": top + LINE * (word.line + 0.5)}


def _marks(found: Occlusion, words: Sequence[Word], top: float) -> Iterator[dict[str, Any]]:
    """A rectangle for each line that a coloured piece has words on."""
    for piece in pieces_of(found):
        if piece.concept is None:
            continue
        inside = [word for word in words if word.start < piece.end and piece.start < word.end]
        for line in sorted({word.line for word in inside}):
            on_line = [word for word in inside if word.line == line]
            yield {
                "x": _x_of(found.text, on_line[0], piece.start) - 1,
                "x2": _x_of(found.text, on_line[-1], piece.end) + 1,
                "y": top + LINE * line + 2.5,
                "y2": top + LINE * (line + 1) - 2.5,
                "colour": COLOURS[piece.concept % len(COLOURS)],
                "strength": strength(piece.level),
                "text": found.text[max(piece.start, on_line[0].start) : min(piece.end, on_line[-1].end)],
            }


def _x_of(text: str, word: Word, place: int) -> float:
    """Of a place in the text, as far as it lies in the word."""
    return word.x + width_of(text[word.start : min(max(place, word.start), word.end)])


def strength(level: int) -> float:
    return 0.12 + 0.5 * level / LEVELS


def _key(concepts: Sequence[ConceptKey], legend: str) -> dict[str, Any]:
    rects, texts = [], [{"text": legend, "x": 0.0, "y": LINE / 2}]
    for at, key in enumerate(concepts):
        y = LINE * (at + 1)
        colour = {"colour": COLOURS[at % len(COLOURS)], "strength": strength(LEVELS)}
        rects.append({"x": 0, "x2": 22, "y": y + 4, "y2": y + LINE - 4, "text": key.name, **colour})
        texts.append({"text": f"{key.name}: {key.weights}", "x": 30.0, "y": y + LINE / 2})
    height = LINE * (len(concepts) + 1)
    return {"width": WIDTH, "height": height, "layer": [_rects(rects, height), _texts(texts, height)]}


def _rects(rows: Sequence[dict[str, Any]], height: float) -> dict[str, Any]:
    return {
        "data": {"values": list(rows)},
        "mark": {"type": "rect", "cornerRadius": 3},
        "encoding": _places(height)
        | {
            "x2": {"field": "x2"},
            "y2": {"field": "y2"},
            "color": {"field": "colour", "type": "nominal", "scale": None},
            "opacity": {"field": "strength", "type": "quantitative", "scale": None},
        },
    }


def _texts(rows: Sequence[dict[str, Any]], height: float) -> dict[str, Any]:
    mark = {"type": "text", "align": "left", "baseline": "middle", "fontSize": LETTERS, "limit": 0}
    return {
        "data": {"values": list(rows)},
        "mark": mark,
        "encoding": _places(height) | {"text": {"field": "text", "type": "nominal"}},
    }


def _places(height: float) -> dict[str, Any]:
    """Pixels, from the upper left."""
    return {
        "x": {
            "field": "x",
            "type": "quantitative",
            "axis": None,
            "scale": {"domain": [0, WIDTH], "nice": False},
        },
        "y": {
            "field": "y",
            "type": "quantitative",
            "axis": None,
            "scale": {"domain": [0, max(height, LINE)], "nice": False, "reverse": True},
        },
    }


def _in_words(found: Sequence[Occlusion], concepts: Sequence[ConceptKey], legend: str) -> str:
    keys = "; ".join(f"{key.name} {key.weights}" for key in concepts)
    parts = []
    for at, key in enumerate(concepts):
        words = [
            each.text[piece.start : piece.end]
            for each in found
            for piece in pieces_of(each)
            if piece.concept == at
        ]
        if words:
            parts.append(f"{key.name} is carried by: {', '.join(dict.fromkeys(words))}")
    return f"{legend}: {keys}. " + ". ".join(parts) + ("." if parts else "")
