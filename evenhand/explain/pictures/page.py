"""Explanations as one HTML file: nothing is fetched, nothing runs, nothing of a resume is markup."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from evenhand.explain.pictures.heat import Stretch, stretches_of
from evenhand.explain.pictures.paragraph import (
    check_words,
    describe_change,
    describe_words,
    fact_name,
    said_instead,
    sureness,
    tidy,
)
from evenhand.explain.words import top_words
from evenhand.records.explanation import Explanation
from evenhand.records.prediction import Prediction
from evenhand.version import __version__

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
class Shown:
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
    def stretches(self) -> list[Stretch]:
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
            [
                (fact_name(row), "unknown" if row.value is None else f"{row.value:g}", row.score)
                for row in rows
            ]
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


def page_html(explanations: Sequence[Shown]) -> str:
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
