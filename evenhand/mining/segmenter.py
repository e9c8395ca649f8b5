"""Which section each line belongs to, and whether it is a heading, opens an entry or goes on: a chain of lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from evenhand.mining.crf.memory import Piece
from evenhand.mining.crf.model import Crf
from evenhand.mining.features.facts import LineFacts
from evenhand.mining.features.lines import line_places
from evenhand.mining.notes import Notes

HEADING, INLINE = "heading", "inline"  # a heading; one with content behind it on the same line
ENTRY, HEAD = (
    "entry",
    "head",
)  # the first line of a job or degree; further lines that name employer, title, dates
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


def label_lines(model: Crf, notes: Notes, facts: list[LineFacts]) -> list[LineLabel]:
    return label_sheets(model, [(notes, facts)])[0]


def label_sheets(model: Crf, sheets: Sequence[tuple[Notes, list[LineFacts]]]) -> list[list[LineLabel]]:
    """The lines of several sheets; together they take little longer than one alone."""
    words: list[list[str]] = []
    pieces: list[list[Piece]] = []
    for notes, facts in sheets:
        some_words, some_pieces = line_places(notes, facts)
        words += some_words
        pieces += some_pieces
    if not words:
        return [[] for _ in sheets]
    lengths = [len(facts) for _, facts in sheets]
    names, chances = model.label(model.scores(words) + model.piece_scores(pieces), lengths)
    ends = list(accumulate(lengths))
    return [
        _labels(notes, names[end - length : end], chances[end - length : end])
        for (notes, _), length, end in zip(sheets, lengths, ends, strict=True)
    ]


def _labels(notes: Notes, names: Sequence[str], chances: Sequence[float]) -> list[LineLabel]:
    labels: list[LineLabel] = []
    for line, name, chance in zip(notes.sheet.lines, names, chances, strict=True):
        type_, _, role = name.partition(".")
        if line.line.furniture and role != BODY:  # what stands on every page opens nothing
            type_, role = (labels[-1].type if labels else type_), BODY
        labels.append(LineLabel(type_, role, chance))
    return labels
