"""Three concepts that tell the story of a fit, and the texts that have most of each, with what their words add."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from markupsafe import Markup, escape
from numpy.typing import NDArray

from evenhand.debias.weighing import Concept
from evenhand.rendering.charts import BLUE, GREEN, ORANGE, PURPLE
from evenhand.rendering.html import source_hash

# The texts that have most of a concept, on either side: its sign is arbitrary.


@dataclass(frozen=True, slots=True)
class TypicalText:
    row: int
    value: float  # u_i, with its sign


def most_typical(u: NDArray[np.floating], concept: int, *, count: int = 5) -> tuple[TypicalText, ...]:
    """The rows with the largest |u_i|, the strongest first; equal ones in their order."""
    values = np.asarray(u, dtype=np.float64)[:, concept]
    rows = np.argsort(-np.abs(values), kind="stable")[:count]
    return tuple(TypicalText(int(row), float(values[row])) for row in rows)


# A text cut into words or clauses, each with its place; punctuation between them is passed over.

UnitKind = Literal["word", "clause"]
UNIT_KINDS: tuple[UnitKind, ...] = get_args(UnitKind)

# A word with its inner apostrophes, hyphens and dots, or one mark of punctuation.
_TOKEN = re.compile(r"[^\W_]+(?:['’.&@-][^\W_]+)*|[^\w\s]|_+")
_STOPS = frozenset('.,;:!?()[]{}"“”„«»|•–—…\n')
_OPENERS = frozenset(
    (
        *("and", "but", "or", "nor", "who", "whom", "whose", "which", "that", "where", "when", "while", "because"),
        *("although", "though", "since", "until", "if", "as", "after", "before", "with", "without", "in", "at"),
        *("for", "from", "to", "by", "on", "into", "through", "during", "under", "over", "about", "between"),
        *("is", "are", "was", "were", "has", "have", "had", "will", "would", "can", "could", "may", "might"),
    )
)
"""A clause begins before one of these, unless it has nothing but such words so far."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Half-open code point offsets into the text. What is ignored is never taken away: its score is 0."""

    start: int
    end: int
    is_ignored: bool = False


def units_of(text: str, kind: UnitKind = "word") -> tuple[Unit, ...]:
    """In order and without overlaps, punctuation included."""
    if kind not in UNIT_KINDS:
        raise ValueError(f"A text is cut into {' or '.join(UNIT_KINDS)}, not {kind}.")
    tokens = [Unit(word.start(), word.end(), not word[0][0].isalnum()) for word in _TOKEN.finditer(text)]
    return tuple(tokens if kind == "word" else _clauses(text, tokens))


def _clauses(text: str, tokens: list[Unit]) -> Iterator[Unit]:
    """From stop to stop, and cut again where a small word opens the next part. No tagger is needed."""
    open_from, open_to, has_content = -1, -1, False
    for token in tokens:
        word = text[token.start : token.end].lower()
        is_new = word in _OPENERS and has_content
        if open_from >= 0 and (is_new or _is_stop(token, word) or "\n" in text[open_to : token.start]):
            yield Unit(open_from, open_to)
            open_from, has_content = -1, False
        if token.is_ignored:
            if open_from < 0 or _is_stop(token, word):
                yield token
            continue  # a mark within a clause, such as a slash, goes with it
        open_from = token.start if open_from < 0 else open_from
        open_to = token.end
        has_content = has_content or word not in _OPENERS
    if open_from >= 0:
        yield Unit(open_from, open_to)


def _is_stop(token: Unit, word: str) -> bool:
    return token.is_ignored and word in _STOPS


def without(text: str, unit: Unit) -> str:
    """All else stays as it is, blanks too: a text that was mended would differ in more than the unit."""
    return text[: unit.start] + text[unit.end :]


# How much each word or clause adds to a concept: what the concept loses when the unit is taken away.

Matrix = NDArray[np.float64]
Embed = Callable[[Sequence[str]], NDArray[np.floating]]
"""Texts to rows of embeddings, one by one: a row may not depend on the texts beside it."""
Project = Callable[[NDArray[np.floating]], NDArray[np.floating]]
"""Rows of embeddings to rows of concepts."""

BATCH_TEXTS = 64
MIN_SHOWN = 0.2
_NEVER_ZERO = 1e-5


@dataclass(frozen=True)
class Occlusion:
    """`scores` has a row per unit and a column per concept, in the order of `concepts`; ignored units are all 0."""

    text: str
    concepts: tuple[int, ...]
    units: tuple[Unit, ...]
    values: tuple[float, ...]  # u_i of the whole text
    scores: Matrix

    @property
    def normalised(self) -> Matrix:
        """By the largest of all shown scores, so that concepts can be compared within a text: from -1 to 1."""
        largest = float(np.abs(self.scores).max(initial=0.0))
        return self.scores / (largest + _NEVER_ZERO)

    @property
    def towards(self) -> Matrix:
        """Normalised, and positive where a unit moves the text to its own side of the concept.

        The sign of a concept is arbitrary: without this a text far on the negative side would show no word at all.
        """
        sides = np.where(np.asarray(self.values) < 0, -1.0, 1.0)
        return np.asarray(self.normalised * sides, dtype=np.float64)

    def strongest(self, *, least: float = MIN_SHOWN) -> tuple[int | None, ...]:
        """For each unit the column of the concept that it carries most, or None where that is too little."""
        if not self.concepts:
            return (None,) * len(self.units)
        towards = self.towards
        best = towards.argmax(axis=1)
        return tuple(int(column) if towards[row, column] > least else None for row, column in enumerate(best))


def occlude(
    texts: Sequence[str],
    embed: Embed,
    project: Project,
    *,
    concepts: Sequence[int],
    kind: UnitKind = "word",
    batch_texts: int = BATCH_TEXTS,
) -> tuple[Occlusion, ...]:
    """phi_t = u_i(x) - u_i(x without t) for every unit t of every text, in as few calls as batches allow."""
    cut = [units_of(text, kind) for text in texts]
    variants: list[str] = []  # each text, then the same without each of its units
    for text, units in zip(texts, cut, strict=True):
        variants += [text, *(without(text, unit) for unit in units if not unit.is_ignored)]
    batches = [variants[at : at + batch_texts] for at in range(0, len(variants), batch_texts)]
    parts = [np.asarray(project(embed(batch)), dtype=np.float64)[:, list(concepts)] for batch in batches]
    values: Iterator[Matrix] = iter(np.concatenate(parts) if parts else ())
    results: list[Occlusion] = []
    for text, units in zip(texts, cut, strict=True):
        whole = next(values)
        scores = np.zeros((len(units), len(concepts)))
        for at, unit in enumerate(units):
            if not unit.is_ignored:
                scores[at] = whole - next(values)
        results.append(Occlusion(text, tuple(concepts), units, tuple(whole.tolist()), scores))
    return tuple(results)


def telling_concepts(concepts: Sequence[Concept]) -> tuple[Concept, ...]:
    """One that is mostly of the sensitive variable, one that is of both, one that is mostly of the task."""
    if len(concepts) < 3:
        return tuple(concepts)
    sensitive = max(concepts, key=lambda concept: concept.sensitive - concept.task)
    task = max(
        (concept for concept in concepts if concept != sensitive), key=lambda concept: concept.task - concept.sensitive
    )
    rest = [concept for concept in concepts if concept not in (sensitive, task)]
    return sensitive, max(rest, key=lambda concept: min(concept.sensitive, concept.task)), task


def occlude_typical(
    texts: Sequence[str],
    u: NDArray[np.floating],
    embed: Embed,
    project: Project,
    *,
    concepts: Sequence[Concept],
    count: int = 1,
    kind: UnitKind = "word",
) -> tuple[Occlusion, ...]:
    """`count` texts of each concept, each once; `u` has a row per text. All concepts are shown in every text."""
    rows = dict.fromkeys(text.row for concept in concepts for text in most_typical(u, concept.index, count=count))
    places = [concept.index for concept in concepts]
    return occlude([texts[row] for row in rows], embed, project, concepts=places, kind=kind)


# Texts with the words that carry a concept coloured, and what each concept weighs (Fig 4), as HTML.

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
    return tuple(ConceptKey(f"Concept {concept.order}", concept.sensitive, concept.task) for concept in concepts)


@dataclass(frozen=True, slots=True)
class ConceptHighlight:
    """A stretch of a text. `concept` is the column of the concept that it carries most, `level` how strongly."""

    start: int
    end: int
    concept: int | None = None
    level: int = 0
    score: float = 0.0


def pieces_of(occlusion: Occlusion, *, least: float = MIN_SHOWN) -> tuple[ConceptHighlight, ...]:
    """All of the text, in order: units with a concept coloured, and what stands between them plain."""
    pieces: list[ConceptHighlight] = []
    at = 0
    for row, (unit, concept) in enumerate(zip(occlusion.units, occlusion.strongest(least=least), strict=True)):
        if concept is not None:
            score = float(occlusion.towards[row, concept])
            level = min(LEVELS, 1 + int((score - least) / (1 - least) * LEVELS))
            pieces += [ConceptHighlight(at, unit.start), ConceptHighlight(unit.start, unit.end, concept, level, score)]
            at = unit.end
    pieces.append(ConceptHighlight(at, len(occlusion.text)))
    return tuple(piece for piece in pieces if piece.start < piece.end)


def highlights_fragment(
    occlusions: Sequence[Occlusion],
    concepts: Sequence[ConceptKey],
    *,
    sensitive_name: str = "gender",
    task_name: str = "occupation",
) -> Markup:
    """The legend and the texts, for a page that has STYLE; the concepts in the order of the occlusions' columns."""
    keys = Markup("").join(
        Markup('<li><span class="concept c{} l4">{}</span> {}</li>').format(at % len(COLOURS), key.name, key.weights)
        for at, key in enumerate(concepts)
    )
    title = f"{sensitive_name} importance % / {task_name} importance %"
    texts = Markup("").join(_text(occlusion, concepts) for occlusion in occlusions)
    return Markup('<div class="concepts"><p>{}</p><ul>{}</ul>{}</div>').format(title, keys, texts)


def _text(occlusion: Occlusion, concepts: Sequence[ConceptKey]) -> Markup:
    parts = []
    for piece in pieces_of(occlusion):
        text = escape(occlusion.text[piece.start : piece.end])
        if piece.concept is not None:
            name, colour = concepts[piece.concept].name, piece.concept % len(COLOURS)
            span = Markup('<span class="concept c{} l{}" title="{}: {}">{}</span>')
            text = span.format(colour, piece.level, name, f"{piece.score:.2f}", text)
        parts.append(text)
    return Markup('<p class="text">{}</p>').format(Markup("").join(parts))


def highlights_page(
    occlusions: Sequence[Occlusion],
    concepts: Sequence[ConceptKey],
    *,
    title: str = "What the concepts are made of",
    sensitive_name: str = "gender",
    task_name: str = "occupation",
) -> str:
    """One HTML file: nothing is fetched, nothing runs, nothing of a text is markup."""
    policy = f"default-src 'none'; style-src '{source_hash(STYLE)}'"
    body = highlights_fragment(occlusions, concepts, sensitive_name=sensitive_name, task_name=task_name)
    return str(_PAGE.format(policy=policy, title=title, style=Markup(STYLE), body=body))  # noqa: S704 - our own


STYLE = (
    ":root { color-scheme: light dark; }\n"
    "body { margin: 0 auto; padding: 1.5rem; max-width: 52rem; }\n"
    "body { font: 16px/1.6 system-ui, 'Liberation Sans', sans-serif; }\n"
    ".concepts ul { list-style: none; padding: 0; }\n"
    ".concepts li { display: inline-block; margin-right: 1.5rem; }\n"
    ".concepts .text { white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.8; }\n"
    ".concept { padding: .05rem .15rem; border-radius: .15rem; }\n"
)
for _at, (_colour, _line) in enumerate(zip(COLOURS, ("solid", "dashed", "dotted", "double", "solid"), strict=True)):
    # Four strengths of each colour, and a line below for who sees no colours.
    STYLE += f".concept.c{_at} {{ border-bottom: 2px {_line} {_colour}; }}\n"
    for _level in range(1, LEVELS + 1):
        STYLE += f".concept.c{_at}.l{_level} {{ background: {_colour}{40 * _level:02x}; }}\n"

_PAGE = Markup(
    "<!doctype html>\n"
    '<html lang="en"><head><meta charset="utf-8">\n'
    '<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    "<title>{title}</title>\n<style>{style}</style></head>\n"
    "<body><main><h1>{title}</h1>\n{body}</main></body></html>\n"
)
