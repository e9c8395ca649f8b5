"""Texts with the words that carry a concept coloured, and what each concept weighs (Fig 4), as HTML."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from evenhand.debias.interpretation.occlusion import LEAST_SHOWN, Occlusion
from evenhand.debias.pictures.drawing import BLUE, GREEN, ORANGE, PURPLE
from evenhand.debias.ranking import Concept

COLOURS = (ORANGE, BLUE, GREEN, PURPLE, "#a6761d")
LEVELS = 4


@dataclass(frozen=True, slots=True)
class ConceptKey:
    """What the legend says of a concept: its name, and its importances as shares."""

    name: str
    sensitive: float
    task: float

    @property
    def weights(self) -> str:
        return f"{100 * self.sensitive:.0f} % / {100 * self.task:.0f} %"


def keys_of(concepts: Sequence[Concept]) -> tuple[ConceptKey, ...]:
    """Named by their turn in the removal, as the other figures have it."""
    return tuple(ConceptKey(f"Concept {each.order}", each.sensitive, each.task) for each in concepts)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text. `concept` is the column of the concept that it carries most, `level` how strongly."""

    start: int
    end: int
    concept: int | None = None
    level: int = 0
    score: float = 0.0


def pieces_of(found: Occlusion, *, least: float = LEAST_SHOWN) -> tuple[Piece, ...]:
    """All of the text, in order: units with a concept coloured, and what stands between them plain."""
    pieces: list[Piece] = []
    at = 0
    towards = found.towards
    for row, (unit, concept) in enumerate(zip(found.units, found.strongest(least=least), strict=True)):
        if concept is None:
            continue
        if at < unit.start:
            pieces.append(Piece(at, unit.start))
        score = float(towards[row, concept])
        pieces.append(Piece(unit.start, unit.end, concept, _level(score, least), score))
        at = unit.end
    if at < len(found.text):
        pieces.append(Piece(at, len(found.text)))
    return tuple(pieces)


def _level(score: float, least: float) -> int:
    return min(LEVELS, 1 + int((score - least) / (1 - least) * LEVELS))


def legend_title(sensitive_name: str, task_name: str) -> str:
    return f"{sensitive_name} importance % / {task_name} importance %"


def highlights_fragment(
    found: Sequence[Occlusion],
    concepts: Sequence[ConceptKey],
    *,
    sensitive_name: str = "gender",
    task_name: str = "occupation",
) -> Markup:
    """The legend and the texts, for a page that has STYLE; the concepts in the order of the occlusions' columns."""
    keys = Markup("").join(
        Markup('<li><span class="concept c{} l4">{}</span> {}</li>').format(
            at % len(COLOURS), key.name, key.weights
        )
        for at, key in enumerate(concepts)
    )
    title = legend_title(sensitive_name, task_name)
    texts = Markup("").join(_text(each, concepts) for each in found)
    return Markup('<div class="concepts"><p>{}</p><ul>{}</ul>{}</div>').format(title, keys, texts)


def _text(found: Occlusion, concepts: Sequence[ConceptKey]) -> Markup:
    parts = []
    for piece in pieces_of(found):
        text = found.text[piece.start : piece.end]
        if piece.concept is None:
            parts.append(escape(text))
            continue
        parts.append(
            Markup('<span class="concept c{} l{}" title="{}: {}">{}</span>').format(
                piece.concept % len(COLOURS),
                piece.level,
                concepts[piece.concept].name,
                f"{piece.score:.2f}",
                text,
            )
        )
    return Markup('<p class="text">{}</p>').format(Markup("").join(parts))


def highlights_page(
    found: Sequence[Occlusion],
    concepts: Sequence[ConceptKey],
    *,
    title: str = "What the concepts are made of",
    sensitive_name: str = "gender",
    task_name: str = "occupation",
) -> str:
    """One HTML file: nothing is fetched, nothing runs, nothing of a text is markup."""
    digest = b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'"
    body = highlights_fragment(found, concepts, sensitive_name=sensitive_name, task_name=task_name)
    return str(_PAGE.format(policy=policy, title=title, style=Markup(STYLE), body=body))  # noqa: S704 - our own


def _colour_rules() -> str:
    """Four strengths of each colour, and a line below for who sees no colours."""
    lines = ("solid", "dashed", "dotted", "double", "solid")
    return "".join(
        f".concept.c{at} {{ border-bottom: 2px {line} {colour}; }}\n"
        + "".join(
            f".concept.c{at}.l{level} {{ background: {colour}{40 * level:02x}; }}\n"
            for level in range(1, LEVELS + 1)
        )
        for at, (colour, line) in enumerate(zip(COLOURS, lines, strict=True))
    )


STYLE = (
    ":root { color-scheme: light dark; }\n"
    "body { margin: 0 auto; padding: 1.5rem; max-width: 52rem; }\n"
    "body { font: 16px/1.6 system-ui, 'Liberation Sans', sans-serif; }\n"
    ".concepts ul { list-style: none; padding: 0; }\n"
    ".concepts li { display: inline-block; margin-right: 1.5rem; }\n"
    ".concepts .text { white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.8; }\n"
    ".concept { padding: .05rem .15rem; border-radius: .15rem; }\n"
) + _colour_rules()

_PAGE = Markup(
    "<!doctype html>\n"
    '<html lang="en"><head><meta charset="utf-8">\n'
    '<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    "<title>{title}</title>\n<style>{style}</style></head>\n"
    "<body><main><h1>{title}</h1>\n{body}</main></body></html>\n"
)
