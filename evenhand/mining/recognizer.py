"""Which words name an employer, a title, a degree, a skill...: chain models over the words of each line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evenhand.mining.crf.model import Crf
from evenhand.mining.features.facts import LineFacts
from evenhand.mining.features.groups import find_groups
from evenhand.mining.features.words import (
    EDGE,
    NEAR,
    SEGMENT_KINDS,
    Lexical,
    edge_attributes,
    line_context,
    segment_attributes,
    segment_flags,
    segments,
    spot_attributes,
    word_attributes,
)
from evenhand.mining.notes import Notes

REMEMBERED_WORDS = 30_000
OUTSIDE = "O"
BREAK = "seg=break"  # a comma or bar between two segments
INSIDE = "seg=inside"  # not the first word of a segment


@dataclass(frozen=True, slots=True)
class Entity:
    """Words `first` up to but not including `last` of the sheet, all of one line."""

    label: str
    first: int
    last: int
    line: int
    confidence: float  # that of its least certain word
    is_rest: bool = False  # the second part of something broken over two lines


@dataclass(frozen=True, slots=True)
class Views:
    """The words of a sheet as models see them: attributes once per line, segment and edge, marks once per combination."""

    notes: Notes
    padded: list[str]  # the words, with edges before and after each line
    spots: list[int]  # where each word stands in `padded`
    shared: list[list[str]]  # attributes that several words have
    rows: tuple[list[int], list[int], list[int]]  # for each word its line, segment and edge in `shared`
    marks: list[list[str]]  # attributes of every combination of marks
    mark_rows: list[int]


def view_words(notes: Notes, facts: list[LineFacts], labels: list[str]) -> Views:
    lines = notes.sheet.lines
    words = notes.sheet.tokens.words
    padded: list[str] = []
    spots: list[int] = []
    parts_of = [segments(notes, line.first, line.last) for line in lines]
    flags_of = [[segment_flags(notes, part) for part in parts] for parts in parts_of]
    groups = find_groups(facts, labels, flags_of)
    shared = [
        [*line_context(notes, facts, labels, place), *groups.of_line(place)] for place in range(len(lines))
    ]
    inside = len(shared)
    shared += [[INSIDE], [BREAK]]
    line_rows: list[int] = []
    segment_rows = [inside + 1] * len(words)
    edge_rows = [inside] * len(words)
    for place, line in enumerate(lines):
        padded += (EDGE, EDGE)
        spots += range(len(padded), len(padded) + line.last - line.first)
        padded += words[line.first : line.last]
        padded += (EDGE, EDGE)
        line_rows += [place] * (line.last - line.first)
        for number, part in enumerate(parts_of[place]):
            segment_rows[part.first : part.last] = [len(shared)] * (part.last - part.first)
            shared.append(
                segment_attributes(parts_of[place], flags_of[place], number, groups.of_cell(place, number))
            )
            edge_rows[part.first] = len(shared)
            shared.append(edge_attributes(flags_of[place], number, labels[place]))
    combinations: dict[tuple[int, ...], int] = {}
    columns = [notes.marks[kind] for kind in SEGMENT_KINDS]
    mark_rows = [combinations.setdefault(marks, len(combinations)) for marks in zip(*columns, strict=True)]
    marks = [spot_attributes(combination) for combination in combinations]
    return Views(notes, padded, spots, shared, (line_rows, segment_rows, edge_rows), marks, mark_rows)


def word_places(views: Views, lexical: Lexical) -> list[list[str]]:
    """For training: the attributes of every word written out; `Recognizer` sums the same without writing them."""
    result = []
    for word, spot in enumerate(views.spots):
        names = [name for rows in views.rows for name in views.shared[rows[word]]]
        names += views.marks[views.mark_rows[word]]
        for slot, step in enumerate(NEAR):
            # A neighbour at +step contributes what it shows at -step: its list counts from the other end.
            names += word_attributes(views.padded[spot + step], lexical)[len(NEAR) - 1 - slot]
        result.append(names)
    return result


@dataclass
class Recognizer:
    """A chain model with the sums of each word's weights remembered, so that a known word costs one look-up."""

    model: Crf
    lexical: Lexical
    _rows: dict[str, int] = field(default_factory=dict)
    _sums: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 0, 0), np.float32))

    def recognise(self, views: Views) -> list[Entity]:
        if not views.spots:
            return []
        shared = self.model.scores(views.shared)
        scores = shared[views.rows[0]] + shared[views.rows[1]] + shared[views.rows[2]]
        scores += self.model.scores(views.marks)[views.mark_rows]
        rows = self._rows_of(views.padded)
        places = np.asarray(views.spots)
        for slot, step in enumerate(NEAR):
            scores += self._sums[rows[places + step], len(NEAR) - 1 - slot]
        lengths = [line.last - line.first for line in views.notes.sheet.lines]
        tags, chances = self.model.decode(scores, lengths)
        return entities(views.notes, tags, chances)

    def _rows_of(self, words: list[str]) -> NDArray[np.intp]:
        """The rows of the words in the remembered sums; what is new is summed now."""
        if len(self._rows) > REMEMBERED_WORDS:
            self._rows.clear()
        if not self._rows:
            self._sums = np.zeros((0, len(NEAR), len(self.model.labels)), np.float32)
        new = [word for word in dict.fromkeys(words) if word not in self._rows]
        if new:
            for word in new:
                self._rows[word] = len(self._rows)
            names = [part for word in new for part in word_attributes(word, self.lexical)]
            sums = self.model.scores(names).reshape(len(new), len(NEAR), len(self.model.labels))
            self._sums = _grown(self._sums, sums, len(self._rows))
        return np.fromiter(map(self._rows.__getitem__, words), np.intp, len(words))


def _grown(old: NDArray[np.float32], new: NDArray[np.float32], size: int) -> NDArray[np.float32]:
    """The old rows with the new ones behind; room is doubled so that growing stays cheap."""
    used = size - len(new)
    if len(old) < size:
        room = np.zeros((max(size, 2 * len(old), 1024), *new.shape[1:]), np.float32)
        room[:used] = old[:used]
        old = room
    old[used:size] = new
    return old


def entities(notes: Notes, tags: Sequence[str], chances: Sequence[float]) -> list[Entity]:
    """Runs of B-x, I-x, I-x become one entity of label x; an I-x after something else begins one too."""
    found = []
    line_of = notes.sheet.line_of
    begin: int | None = None
    for place, tag in enumerate([*tags, OUTSIDE]):
        is_new_line = place < len(tags) and begin is not None and line_of[place] != line_of[begin]
        goes_on = begin is not None and not is_new_line and tag == f"I-{tags[begin][2:]}"
        if begin is not None and not goes_on:
            confidence = min(chances[begin:place])
            is_rest = tags[begin][0] == "I" and (begin == 0 or line_of[begin - 1] != line_of[begin])
            found.append(Entity(tags[begin][2:], begin, place, line_of[begin], confidence, is_rest))
            begin = None
        if tag != OUTSIDE and begin is None:
            begin = place
    return found
