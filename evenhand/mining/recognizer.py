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
HEAD_ROLES = frozenset(("entry", "head", "project", "about"))
TELLING_TYPES = frozenset(("personal", "education", "certifications"))
FIRST_LINES = 6  # where the name stands, whatever the section is taken for
OUTSIDE = "O"
LONGEST_CHAIN = 400  # words; what is longer is decoded in parts
BREAK = "seg=break"  # a comma or bar between two segments
INSIDE = "seg=inside"  # not the first word of a segment


@dataclass(frozen=True, slots=True)
class Entity:
    """Words `first` up to but not including `last` of the sheet; `line` is that of the first."""

    label: str
    first: int
    last: int
    line: int
    confidence: float  # that of its least certain word
    is_rest: bool = False  # the second part of something broken over two lines


@dataclass(frozen=True, slots=True)
class Recognised:
    """Entities, and for each word that was looked at the probability of every label."""

    entities: list[Entity]
    rows: dict[int, int]  # word to its row of the chances
    labels: tuple[str, ...]
    chances: NDArray[np.float32]

    def chance(self, label: str, first: int, last: int) -> float:
        """How probable it is, on average, that words `first` up to `last` belong to something of that label."""
        rows = [self.rows[word] for word in range(first, last) if word in self.rows]
        columns = [place for place, name in enumerate(self.labels) if name[2:] == label]
        return float(self.chances[rows][:, columns].sum(1).mean()) if rows and columns else 0.0


@dataclass(frozen=True, slots=True)
class Views:
    """The words of a sheet as models see them: attributes once per line, segment, edge and combination of marks."""

    notes: Notes
    padded: list[str]  # the words, with edges before and after each paragraph
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
        if not line.wraps:
            padded += (EDGE, EDGE)
        spots += range(len(padded), len(padded) + line.last - line.first)
        padded += words[line.first : line.last]
        if place + 1 == len(lines) or not lines[place + 1].wraps:
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

    def recognise(self, views: Views, lines: Sequence[int]) -> Recognised:
        """The entities in some of the lines, which are given in order; a paragraph is one chain."""
        chains = word_chains(views.notes, lines)
        words = [word for chain in chains for word in chain]
        if not words:
            return Recognised([], {}, self.model.labels, np.zeros((0, len(self.model.labels)), np.float32))
        scores = self._scores(views, np.asarray(words))
        tags, chances = self.model.decode(scores, [len(chain) for chain in chains])
        number = {label: place for place, label in enumerate(self.model.labels)}
        sure = chances[np.arange(len(words)), [number[tag] for tag in tags]]
        found = entities(views.notes, chains, tags, sure.tolist())
        return Recognised(found, {word: row for row, word in enumerate(words)}, self.model.labels, chances)

    def _scores(self, views: Views, words: NDArray[np.intp]) -> NDArray[np.float32]:
        shared = self.model.scores(views.shared)
        scores: NDArray[np.float32] = self.model.scores(views.marks)[np.asarray(views.mark_rows)[words]]
        for rows in views.rows:
            scores += shared[np.asarray(rows)[words]]
        places = np.asarray(views.spots)[words]
        remembered = self._rows_of(views.padded)
        for slot, step in enumerate(NEAR):
            scores += self._sums[remembered[places + step], len(NEAR) - 1 - slot]
        return scores

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


def word_chains(notes: Notes, lines: Sequence[int]) -> list[list[int]]:
    """The words of some lines; lines that go on with the one before form a chain with it."""
    chains: list[list[int]] = []
    before: int | None = None
    for line in lines:
        row = notes.sheet.lines[line]
        if row.first == row.last:
            continue
        if row.wraps and before == line - 1 and len(chains[-1]) < LONGEST_CHAIN:
            chains[-1].extend(range(row.first, row.last))
        else:
            chains.append(list(range(row.first, row.last)))
        before = line
    return chains


def entities(
    notes: Notes, chains: Sequence[Sequence[int]], tags: Sequence[str], chances: Sequence[float]
) -> list[Entity]:
    """Runs of B-x, I-x, I-x become one entity of label x; an I-x after something else begins one too."""
    found: list[Entity] = []
    at = 0
    for chain in chains:
        begin = 0
        end = len(chain)
        own = tags[at : at + end]
        while begin < end:
            if own[begin] == OUTSIDE:
                begin += 1
                continue
            last = begin + 1
            while last < end and own[last] == f"I-{own[begin][2:]}":
                last += 1
            chance = min(chances[at + begin : at + last])
            found.append(_entity(notes, chain[begin], chain[last - 1] + 1, own[begin], chance))
            begin = last
        at += end
    return found


def _entity(notes: Notes, first: int, last: int, tag: str, chance: float) -> Entity:
    line = notes.sheet.line_of[first]
    is_rest = tag[0] == "I" and first == notes.sheet.lines[line].first
    return Entity(tag[2:], first, last, line, chance, is_rest)


def telling_lines(notes: Notes, labels: Sequence[str]) -> list[int]:
    """Lines that can name an employer, a title, a degree...: heads, what stands beside them, dated or keyed lines.

    Most words of a resume are prose about the work. A model that learned from them as well would expect nothing
    anywhere, and would take a name of one word for prose.
    """
    roles = [label.partition(".") for label in labels]
    near = {
        place + step for place, (_, _, role) in enumerate(roles) if role in HEAD_ROLES for step in (-1, 0, 1)
    }
    telling = []
    for place, (type_, _, role) in enumerate(roles):
        if role == "heading":
            continue
        if (
            place < FIRST_LINES
            or place in near
            or type_ in TELLING_TYPES
            or role == "inline"
            or (type_ != "skills" and ("range" in notes.date_kinds[place] or notes.keys[place]))
        ):
            telling.append(place)
    return telling


def skilled_lines(notes: Notes, labels: Sequence[str]) -> list[int]:
    """Lines that can name a skill: all but headings and contact data."""
    return [
        place
        for place, label in enumerate(labels)
        if not label.endswith(".heading") and "email" not in notes.contacts[place]
    ]
