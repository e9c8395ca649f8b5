"""Explanations as one HTML file: nothing is fetched, nothing runs, nothing of a resume is markup."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from evenhand.errors import UsageError
from evenhand.explain.attribution import top_words
from evenhand.explain.paragraph import (
    check_words,
    describe_change,
    describe_words,
    fact_name,
    said_instead,
    shortened,
    sureness,
    tidy,
)
from evenhand.explain.run import ExplainedResume
from evenhand.records.explanation import Explanation
from evenhand.records.prediction import Prediction
from evenhand.rendering.charts import chart_engine
from evenhand.version import __version__

# The resume itself, word by word, with how strongly each word spoke and for which side.


LEVELS = 8


@dataclass(frozen=True, slots=True)
class HeatPiece:
    """A stretch of the document's text. `level` is 0 to LEVELS; `sign` is "for", "against" or "" for what did
    nothing. `is_unread`: that the model was not given, a name or an address for instance."""

    text: str
    start: int
    sign: str = ""
    level: int = 0
    score: str = ""
    is_unread: bool = False


@dataclass(frozen=True, slots=True)
class HeatLine:
    """`is_deciding`: one of the lines without which the model would have said something else."""

    pieces: tuple[HeatPiece, ...]
    is_deciding: bool


def stretches_of(explanation: Explanation, text: str) -> list[HeatLine]:
    """All of the text, in order."""
    deciding = [(line.start, line.end) for line in explanation.change.lines] if explanation.change else []

    def line_of(piece: HeatPiece) -> int | None:
        return next((at for at, (start, end) in enumerate(deciding) if start <= piece.start < end), None)

    groups = groupby(pieces_of(explanation, text), line_of)
    return [HeatLine(tuple(pieces), line is not None) for line, pieces in groups]


def pieces_of(explanation: Explanation, text: str) -> list[HeatPiece]:
    return list(_pieces(explanation, text))


def _pieces(explanation: Explanation, text: str) -> Iterator[HeatPiece]:
    largest = max((abs(word.score) for word in explanation.words), default=0.0)
    at = 0
    for word in explanation.words:
        yield from _between(text, at, word.start)
        level = level_of(word.score, largest)
        sign = ("for" if word.score > 0 else "against") if level else ""
        yield HeatPiece(word.text, word.start, sign, level, f"{word.score:+.3f}")
        at = word.end
    yield from _between(text, at, len(text))


def _between(text: str, start: int, end: int) -> Iterator[HeatPiece]:
    if start < end:
        yield HeatPiece(text[start:end], start, is_unread=not text[start:end].isspace())


def level_of(score: float, largest: float) -> int:
    """The same scale for both signs. By the square root, so that what is a tenth as strong can still be seen."""
    if not largest:
        return 0
    share = (abs(score) / largest) ** 0.5
    return min(LEVELS, int(share * LEVELS + 0.5))


def whole_text(stretches: Sequence[HeatLine]) -> str:
    return "".join(piece.text for stretch in stretches for piece in stretch.pieces)


TOP = 20
METHODS = {
    "ig": "integrated gradients",
    "lig": "integrated gradients at a layer",
    "deeplift": "DeepLIFT",
    "conductance": "conductance",
    "occlusion": "occlusion",
}
BASELINES = {
    "pad": "a resume without words",
    "average": "an average resume",
    "negatives": "resumes without this label",
    "random": "random words",
}


@dataclass(frozen=True, slots=True)
class BarRow:
    """`zero`, `start` and `width` in per cent of the room for bars."""

    name: str
    note: str
    score: str
    sign: str
    zero: float
    start: float
    width: float


@dataclass(frozen=True)
class ExplanationView:
    """One explanation with what a page says of it."""

    explanation: Explanation
    prediction: Prediction
    probability: float
    is_said: bool
    text: str

    @property
    def told(self) -> str:
        """The rest of what `describe` says stands in the heading and below."""
        return " ".join(describe_words(self.explanation, is_said=self.is_said))

    @property
    def changed(self) -> list[str]:
        return list(describe_change(self.explanation, is_said=self.is_said))

    @property
    def checks(self) -> list[str]:
        return check_words(self.explanation)

    @property
    def sure(self) -> str:
        return sureness(self.probability)

    @property
    def delta(self) -> str:
        return f"{self.explanation.delta:z.4f}"

    @property
    def is_grey(self) -> bool:
        """Scores that should add up and do not; those of occlusion need not."""
        return not self.explanation.converged and self.explanation.method != "occlusion"

    @property
    def instead(self) -> str:
        return said_instead(self.explanation.change) if self.explanation.change else ""

    @property
    def method(self) -> str:
        return METHODS.get(self.explanation.method, self.explanation.method)

    @property
    def against(self) -> str:
        return BASELINES.get(self.explanation.baseline, self.explanation.baseline)

    @cached_property
    def stretches(self) -> list[HeatLine]:
        return stretches_of(self.explanation, self.text)

    @property
    def has_unread(self) -> bool:
        return any(piece.is_unread for stretch in self.stretches for piece in stretch.pieces)

    @cached_property
    def words(self) -> list[BarRow]:
        """One for each occurrence, with its number in the resume."""
        every = self.explanation.words
        numbers = {word.start: number for number, word in enumerate(every, start=1)}
        top = [word for word in top_words(every, TOP) if word.score]
        return bar_rows([(tidy(word.text), f"word {numbers[word.start]}", word.score) for word in top])

    @cached_property
    def sections(self) -> list[BarRow]:
        rows = sorted(self.explanation.sections, key=lambda section: -section.score)
        return bar_rows([(row.type, "", row.score) for row in rows])

    @cached_property
    def facts(self) -> list[BarRow]:
        rows = sorted(self.explanation.facts, key=lambda fact: -abs(fact.score))
        return bar_rows(
            [(fact_name(row), "unknown" if row.value is None else f"{row.value:g}", row.score) for row in rows]
        )


def bar_rows(rows: Sequence[tuple[str, str, float]]) -> list[BarRow]:
    """Of names, notes and scores, on one scale for both signs, with as much room to the left as is needed."""
    lowest = min((score for _, _, score in rows), default=0.0)
    least, most = min(lowest, 0.0), max((score for _, _, score in rows), default=0.0)
    room = max(most, 0.0) - least or 1.0
    zero = round(100 * -least / room, 2)
    return [
        BarRow(
            name,
            note,
            f"{score:+z.2f}",
            "for" if score >= 0 else "against",
            zero,
            zero if score >= 0 else round(zero + 100 * score / room, 2),
            round(100 * abs(score) / room, 2),
        )
        for name, note, score in rows
    ]


def page_html(explanations: Sequence[ExplanationView]) -> str:
    """The whole page. The same explanations give the same bytes."""
    style = _resource("style.css")
    # Autoescape is on: only the style, a file of ours, is let through as it is.
    environment = Environment(
        loader=FunctionLoader(_resource),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html").render(
        explanations=explanations,
        style=Markup(style),  # noqa: S704
        policy=f"default-src 'none'; style-src '{_hash(style)}'; base-uri 'none'; form-action 'none'",
        version=__version__,
    )


def _resource(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


# The strongest words as bars: one bar per occurrence, both signs, as SVG or PNG.

FOR, AGAINST, GREY = "#0072b2", "#d55e00", "#8a8a8a"  # told apart by those who see few colours too
MAX_TICK_LENGTH = 28
FONT = "Liberation Sans, DejaVu Sans, Helvetica, Arial, sans-serif"


def bars_svg(explanation: Explanation) -> str:
    return str(chart_engine().vegalite_to_svg(json.dumps(chart(explanation))))


def bars_png(explanation: Explanation, *, scale: float = 2.0) -> bytes:
    return bytes(chart_engine().vegalite_to_png(json.dumps(chart(explanation)), scale=scale))


def chart(explanation: Explanation) -> dict[str, Any]:
    """In Vega-Lite. The rank is the position of a bar and the word only its tick: equal words stay apart."""
    numbers = {word.start: number for number, word in enumerate(explanation.words, start=1)}
    rows = [
        {
            "tick": f"{shortened(tidy(word.text), MAX_TICK_LENGTH)}  ({numbers[word.start]})",
            "score": word.score,
            "side": "for" if word.score >= 0 else "against",
            "shown": f"{word.score:+.2f}",
        }
        for word in top_words(explanation.words, TOP)
    ]
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "background": "white",
        "padding": 16,
        "width": 460,
        "height": {"step": 22},
        "title": title(explanation),
        "data": {"values": rows},
        "layer": [_bars(explanation.converged or explanation.method == "occlusion"), _numbers()],
        "config": {
            "font": FONT,
            "view": {"stroke": None},
            "axis": {"labelFontSize": 12, "titleFontSize": 12},
        },
    }


def title(explanation: Explanation) -> dict[str, Any]:
    lines = [
        f"F(x) = {explanation.output:.3f}, F(x') = {explanation.baseline_output:.3f}, delta = {explanation.delta:z.3f}",
        f"{explanation.method}, baseline {explanation.baseline}, "
        f"model {explanation.model.name} {explanation.model.version}",
    ]
    if not explanation.converged:
        lines.append("Not converged: the scores do not add up to F(x) - F(x').")
    return {
        "text": f"The strongest words for and against {explanation.target}",
        "subtitle": lines,
        "anchor": "start",
        "fontSize": 15,
        "subtitleFontSize": 12,
        "subtitleColor": "#444",
        "offset": 14,
    }


def _bars(is_coloured: bool) -> dict[str, Any]:
    colours = [FOR, AGAINST] if is_coloured else [GREY, GREY]
    return {
        "mark": {"type": "bar", "height": 15},
        "encoding": {
            **_places(),
            "color": {
                "field": "side",
                "type": "nominal",
                "scale": {"domain": ["for", "against"], "range": colours},
                "legend": {"title": None, "orient": "bottom", "labelFontSize": 12},
            },
        },
    }


def _numbers() -> dict[str, Any]:
    """Beside each bar, on the side that it points to."""
    return {
        "mark": {
            "type": "text",
            "fontSize": 11,
            "align": {"expr": "datum.score >= 0 ? 'left' : 'right'"},
            "dx": {"expr": "datum.score >= 0 ? 4 : -4"},
        },
        "encoding": {**_places(), "text": {"field": "shown", "type": "nominal"}},
    }


def _places() -> dict[str, Any]:
    return {
        "y": {
            "field": "tick",
            "type": "nominal",
            "sort": None,
            "axis": {"title": "word (its number in the resume)", "labelLimit": 240, "ticks": False},
        },
        "x": {
            "field": "score",
            "type": "quantitative",
            "axis": {"title": "what the word adds to the logit", "grid": True},
            "scale": {"padding": 36},
        },
    }


# Explanations written to files: a page for reading, bars for slides.

_PLAIN = re.compile(r"[^A-Za-z0-9_-]+")


def write_page(found: Sequence[ExplainedResume], file: Path) -> None:
    """All labels on one page."""
    _write(file, page_html([shown(each) for each in found]).encode("utf-8", "backslashreplace"))


def shown(explained: ExplainedResume) -> ExplanationView:
    return ExplanationView(
        explained.explanation, explained.prediction, explained.probability, explained.is_said, explained.text
    )


def write_bars(found: Sequence[ExplainedResume], file: Path) -> list[Path]:
    """PNG or SVG by the ending. Of several labels one picture each, with the label in its name."""
    is_svg = file.suffix.lower() == ".svg"
    files = [file]
    if len(found) > 1:
        labels = [_PLAIN.sub("-", each.explanation.target) for each in found]
        files = [file.with_name(f"{file.stem}-{label}{file.suffix}") for label in labels]
    for each, name in zip(found, files, strict=True):
        content = bars_svg(each.explanation).encode() if is_svg else bars_png(each.explanation)
        _write(name, content)
    return files


def _write(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}.") from error
