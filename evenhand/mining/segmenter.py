"""Which section each line belongs to, and whether it is a heading, opens an entry or goes on: a chain of lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from evenhand.mining.annotations import Annotations
from evenhand.mining.crf import Crf, Piece
from evenhand.mining.line_features import LineFacts

# Our own view of a line for the segmenter: how it looks, what it holds, what its neighbours are.

REACH = 3
SEEN = range(-REACH, REACH + 1)  # from where a line sees another, 0 being itself
BAG = 12  # first words of a line
_NUMBERED = re.compile(r"^\W*+(?:project|client|employer|company)?\s*+#?\s*+\d{1,2}\s*+[.):]", re.IGNORECASE)


def line_attributes(annotations: Annotations, facts: list[LineFacts]) -> list[list[str]]:
    """For training: every line's attributes written out; `label_lines` sums the same without writing them."""
    words, pieces = line_places(annotations, facts)
    return [[*names, *(name for piece in own for name in piece)] for names, own in zip(words, pieces, strict=True)]


def line_places(annotations: Annotations, facts: list[LineFacts]) -> tuple[list[list[str]], list[list[Piece]]]:
    """For every line its attributes: of its words one by one, and all others in pieces that recur."""
    count = len(facts)
    lines = annotations.layout.lines
    briefs = [
        _brief(
            fact.sort, fact.stands_out, fact.length, fact.title_type, fact.date, fact.holds, line.wraps, line.gap_before
        )
        for fact, line in zip(facts, lines, strict=True)
    ]
    around = [_EDGE] * REACH + briefs + [_EDGE] * REACH
    # The type of the nearest line above that is a title beyond doubt: a chain of order one forgets it too soon.
    under = "none"
    pieces: list[list[Piece]] = []
    for place, fact in enumerate(facts):
        own = [around[place + REACH + step][slot] for slot, step in enumerate(SEEN)]
        title = fact.title_type
        own += (
            fact.flags,
            _position(min(place, 6), 10 * place // max(1, count), place >= count - 3),
            (f"under={under}", *((f"under={under}+title={title}",) if title else ())),
        )
        if place:
            own.append((f"sort={facts[place - 1].sort}>sort={fact.sort}",))
        pieces.append(own + _rare(annotations, fact, place))
        if title and not annotations.fuzzy[place] and (fact.stands_out != "plain" or fact.is_alone):
            under = title
    return [_words(annotations, line.first, line.last) for line in lines], pieces


def _words(annotations: Annotations, first: int, last: int) -> list[str]:
    words = annotations.layout.lower[first:last]
    letters = [word for word in words if word[0].isalpha()]
    names = [f"w={word}" for word in words[:BAG]]
    if letters:
        names += (f"w0={letters[0]}", f"w01={' '.join(letters[:2])}", f"w-1={letters[-1]}")
    if len(letters) <= 4:
        names.append(f"all={' '.join(letters)}")
    return names


def _rare(annotations: Annotations, fact: LineFacts, place: int) -> list[Piece]:
    """What only some lines have: a number before it, the words of a title, a key, a table around it."""
    pieces: list[Piece] = []
    if _NUMBERED.match(annotations.layout.lines[place].text):
        pieces.append(("numbered",))
    if title := fact.title_type:
        likeness = "similar" if annotations.fuzzy[place] else "exact"
        pieces.append((f"title={title}", f"title {likeness}", f"title+look={title}+{fact.stands_out}"))
    if key := annotations.keys[place]:
        pieces.append((f"key={key}",))
    if table := annotations.table_types[place]:
        pieces.append((f"table={table}", f"column={annotations.column_types[place]}"))
    return pieces


@lru_cache(maxsize=20_000)
def _brief(
    sort: str,
    look: str,
    length: str,
    title: str | None,
    date: str | None,
    holds: tuple[str, ...],
    wraps: bool,
    gap: bool,
) -> tuple[Piece, ...]:
    """The few attributes of a line that its neighbours also see: as seen from each of SEEN."""
    names = [f"sort={sort}", f"look={look}", f"long={length}"]
    if title:
        names.append(f"title={title}")
    if date:
        names.append(f"date={date}")
    names += holds
    if wraps:
        names.append("wraps")
    if gap:
        names.append("gap")
    return tuple(tuple(f"{step or ''}{name}" for name in names) for step in SEEN)


# What stands for a line before the first and after the last.
_EDGE: tuple[Piece, ...] = tuple((f"{step}none",) if abs(step) == 1 else () for step in SEEN)


@lru_cache(maxsize=1000)
def _position(row: int, tenth: int, is_last: bool) -> Piece:
    return ("bias", f"row={row}", f"tenth={tenth}", *(("last lines",) if is_last else ()))


HEADING, INLINE = "heading", "inline"  # a heading; one with content behind it on the same line
ENTRY, HEAD = ("entry", "head")  # the first line of a job or degree; further lines that name employer, title, dates
PROJECT, ABOUT = "project", "about"  # the same of a project
BODY = "body"


@dataclass(frozen=True, slots=True)
class LineLabel:
    type: str  # of the section
    role: str
    confidence: float

    @property
    def name(self) -> str:
        return f"{self.type}.{self.role}"


def label_lines(model: Crf, annotations: Annotations, facts: list[LineFacts]) -> list[LineLabel]:
    return label_layouts(model, [(annotations, facts)])[0]


def label_layouts(model: Crf, resumes: Sequence[tuple[Annotations, list[LineFacts]]]) -> list[list[LineLabel]]:
    """The lines of several resumes; together they take little longer than one alone."""
    words: list[list[str]] = []
    pieces: list[list[Piece]] = []
    for resume in resumes:
        some_words, some_pieces = line_places(*resume)
        words += some_words
        pieces += some_pieces
    if not words:
        return [[] for _ in resumes]
    lengths = [len(facts) for _, facts in resumes]
    names, chances = model.label(model.scores(words) + model.piece_scores(pieces), lengths)
    ends = list(accumulate(lengths))
    return [
        _labels(annotations, names[end - length : end], chances[end - length : end])
        for (annotations, _), length, end in zip(resumes, lengths, ends, strict=True)
    ]


def _labels(annotations: Annotations, names: Sequence[str], chances: Sequence[float]) -> list[LineLabel]:
    labels: list[LineLabel] = []
    for line, name, chance in zip(annotations.layout.lines, names, chances, strict=True):
        type_, _, role = name.partition(".")
        if line.line.furniture and role != BODY:  # what stands on every page opens nothing
            type_, role = (labels[-1].type if labels else type_), BODY
        labels.append(LineLabel(type_, role, chance))
    return labels
