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

from evenhand import __version__
from evenhand.explain.pictures.heat import Piece, pieces_of
from evenhand.explain.pictures.paragraph import check_words, describe, said_instead, sureness, tidy
from evenhand.explain.words import top_words
from evenhand.records.explanation import Explanation
from evenhand.records.prediction import Prediction

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
    """`start` and `width` in per cent of the room for bars; their middle is nothing."""

    name: str
    note: str
    score: str
    sign: str
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
    def told(self) -> list[str]:
        return describe(self.explanation, probability=self.probability, is_said=self.is_said)

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
    def pieces(self) -> list[Piece]:
        return pieces_of(self.explanation, self.text)

    @cached_property
    def words(self) -> list[BarRow]:
        """One for each occurrence, with its number in the resume."""
        every = self.explanation.words
        numbers = {word.start: number for number, word in enumerate(every, start=1)}
        top = top_words(every, TOP)
        largest = max((abs(word.score) for word in top), default=0.0)
        return [
            bar_row(tidy(word.text), f"word {numbers[word.start]}", word.score, largest)
            for word in top
            if word.score
        ]

    @cached_property
    def sections(self) -> list[BarRow]:
        rows = sorted(self.explanation.sections, key=lambda section: -section.score)
        largest = max((abs(row.score) for row in rows), default=0.0)
        return [bar_row(row.type, "", row.score, largest) for row in rows]

    @cached_property
    def facts(self) -> list[BarRow]:
        rows = sorted(self.explanation.facts, key=lambda fact: -abs(fact.score))
        largest = max((abs(row.score) for row in rows), default=0.0)
        return [
            bar_row(row.name, "unknown" if row.value is None else f"{row.value:g}", row.score, largest)
            for row in rows
        ]


def bar_row(name: str, note: str, score: float, largest: float) -> BarRow:
    width = round(50 * abs(score) / largest, 2) if largest else 0.0
    sign = "for" if score >= 0 else "against"
    return BarRow(name, note, f"{score:+.2f}", sign, 50.0 if score >= 0 else 50 - width, width)


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
