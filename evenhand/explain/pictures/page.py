"""Explanations as one HTML file: nothing is fetched, nothing runs, nothing of a resume is markup."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, zip_longest
from pathlib import Path

from markupsafe import Markup

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
from evenhand.records.explanation import Explanation, Prediction
from evenhand.rendering.charts import (
    BLUE,
    FONT,
    GREY,
    ORANGE,
    SCHEMA,
    Spec,
    coloured,
    layer,
    layered,
    nominal,
    quantitative,
    spec_png,
    spec_svg,
)
from evenhand.rendering.html import render, resource, source_hash, write_file
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

    groups = groupby(_pieces(explanation, text), line_of)
    return [HeatLine(tuple(pieces), line is not None) for line, pieces in groups]


def _pieces(explanation: Explanation, text: str) -> Iterator[HeatPiece]:
    largest = max((abs(word.score) for word in explanation.words), default=0.0)
    ends = [0, *(word.end for word in explanation.words)]
    for at, word in zip_longest(ends, explanation.words):
        between = text[at : word.start if word else len(text)]
        if between:
            yield HeatPiece(between, at, is_unread=not between.isspace())
        if word:
            level = level_of(word.score, largest)
            sign = ("for" if word.score > 0 else "against") if level else ""
            yield HeatPiece(word.text, word.start, sign, level, f"{word.score:+.3f}")


def level_of(score: float, largest: float) -> int:
    """The same scale for both signs. By the square root, so that what is a tenth as strong can still be seen."""
    if not largest:
        return 0
    share = (abs(score) / largest) ** 0.5
    return min(LEVELS, int(share * LEVELS + 0.5))


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
    style = resource(__package__, "style.css")
    return render(
        __package__,
        "page.html",
        explanations=explanations,
        style=Markup(style),  # noqa: S704 - a file of ours
        policy=f"default-src 'none'; style-src '{source_hash(style)}'; base-uri 'none'; form-action 'none'",
        version=__version__,
    )


# The strongest words as bars: one bar per occurrence, both signs, as SVG or PNG.

FOR, AGAINST = BLUE, ORANGE
MAX_TICK_LENGTH = 28


def bars_png(explanation: Explanation, *, scale: float = 2.0) -> bytes:
    return spec_png(chart(explanation), scale=scale)


def chart(explanation: Explanation) -> Spec:
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
    is_coloured = explanation.converged or explanation.method == "occlusion"
    colours = {"for": FOR, "against": AGAINST} if is_coloured else {"for": GREY, "against": GREY}
    colour = coloured("side", colours, legend={"title": None, "orient": "bottom", "labelFontSize": 12})
    # Numbers stand beside each bar, on the side that it points to.
    align, dx = {"expr": "datum.score >= 0 ? 'left' : 'right'"}, {"expr": "datum.score >= 0 ? 4 : -4"}
    layers = [
        layer("bar", {**PLACES, "color": colour}, height=15),
        layer("text", {**PLACES, "text": nominal("shown")}, fontSize=11, align=align, dx=dx),
    ]
    lines = [
        f"F(x) = {explanation.output:.3f}, F(x') = {explanation.baseline_output:.3f}, delta = {explanation.delta:z.3f}",
        f"{explanation.method}, baseline {explanation.baseline}, "
        f"model {explanation.model.name} {explanation.model.version}",
    ]
    if not explanation.converged:
        lines.append("Not converged: the scores do not add up to F(x) - F(x').")
    title = {
        "text": f"The strongest words for and against {explanation.target}",
        "subtitle": lines,
        "anchor": "start",
        "fontSize": 15,
        "subtitleFontSize": 12,
        "subtitleColor": "#444",
        "offset": 14,
    }
    config = {"font": FONT, "view": {"stroke": None}, "axis": {"labelFontSize": 12, "titleFontSize": 12}}
    parts = {"$schema": SCHEMA, "background": "white", "padding": 16, "title": title, "config": config}
    return layered(rows, layers, width=460, height={"step": 22}, **parts)


PLACES = {
    "y": nominal(
        "tick", sort=None, axis={"title": "word (its number in the resume)", "labelLimit": 240, "ticks": False}
    ),
    "x": quantitative("score", axis={"title": "what the word adds to the logit", "grid": True}, scale={"padding": 36}),
}


# Explanations written to files: a page for reading, bars for slides.

_PLAIN = re.compile(r"[^A-Za-z0-9_-]+")


def write_page(explained: Sequence[ExplainedResume], file: Path) -> None:
    """All labels on one page."""
    views = [
        ExplanationView(
            explained_label.explanation,
            explained_label.prediction,
            explained_label.probability,
            explained_label.is_said,
            explained_label.text,
        )
        for explained_label in explained
    ]
    write_file(file, page_html(views).encode("utf-8", "backslashreplace"))


def write_bars(explained: Sequence[ExplainedResume], file: Path) -> list[Path]:
    """PNG or SVG by the ending. Of several labels one picture each, with the label in its name."""
    is_svg = file.suffix.lower() == ".svg"
    files = [file]
    if len(explained) > 1:
        labels = [_PLAIN.sub("-", explained_label.explanation.target) for explained_label in explained]
        files = [file.with_name(f"{file.stem}-{label}{file.suffix}") for label in labels]
    for explained_label, name in zip(explained, files, strict=True):
        content = (
            spec_svg(chart(explained_label.explanation)).encode() if is_svg else bars_png(explained_label.explanation)
        )
        write_file(name, content)
    return files
