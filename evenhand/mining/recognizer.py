"""Which words name an employer, a title, a degree, a skill...: chain models over the words of each line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice

import numpy as np
from numpy.typing import NDArray

from evenhand.mining import crf
from evenhand.mining.annotations import Annotations
from evenhand.mining.crf import Crf, Memory, Piece
from evenhand.mining.line_features import LineFacts
from evenhand.mining.word_features import (
    EDGE,
    NEAR,
    Flags,
    Lexical,
    WordSegment,
    edge_pieces,
    flags_of_segments,
    line_pieces,
    mark_codes,
    mark_piece,
    segment_pieces,
    segments,
    word_attributes,
)

# Entries of one resume are written alike: what stands at the same place of the other entries tells of this one.

OPENING = frozenset(("entry", "project"))
GOING_ON = frozenset(("head", "about"))
GROUP_FLAGS = ("title", "degree", "field", "university", "company", "school", "firm", "place", "date", "skill")
MAX_HEAD_LINES = 5  # lines of a head that are compared


@dataclass(frozen=True, slots=True)
class EntryGroups:
    """`heads` are the lines of each entry's head; `cells` count what stands in line i, segment j of all entries."""

    places: dict[int, tuple[str, int, int]]  # line to the kind of entry, its number in the head and the head's length
    others: dict[int, tuple[str, ...]]  # line to what the other lines of its head hold
    cells: dict[tuple[str, int, int], Counter[str]]
    totals: Counter[tuple[str, int, int]]
    flags: list[list[Flags]]

    def of_line(self, place: int) -> list[Piece]:
        head = self.places.get(place)
        if head is None:
            return []
        kind, number, length = head[0], min(head[1], MAX_HEAD_LINES), min(head[2], MAX_HEAD_LINES)
        others = self.others[place]
        elsewhere = (*(f"elsewhere{held}" for held in others), f"elsewhere={','.join(others)}")
        return [(f"head={kind}#{number}", f"head={kind}#{number}/{length}", *elsewhere)]

    def of_cell(self, place: int, segment: int) -> list[Piece]:
        """How often the same cell of the other entries holds a title, a place, a date..."""
        head = self.places.get(place)
        if head is None:
            return []
        key = (head[0], head[1], segment)
        others = self.totals[key] - 1
        if others < 1:
            return [("cell alone",)]
        own = self.flags[place][segment]
        cell = self.cells[key]
        names = []
        for flag in GROUP_FLAGS:
            share = (cell.get(flag, 0) - (flag in own)) / others
            if share >= 0.2:
                names.append(f"cell {flag} {'most' if share >= 0.6 else 'some'}")
        return [tuple(names) or ("cell nothing",)]


def find_groups(facts: list[LineFacts], labels: list[str], flags: list[list[Flags]]) -> EntryGroups:
    heads: list[tuple[str, list[int]]] = []
    current: tuple[str, list[int]] | None = None
    for place, label in enumerate(labels):
        type_, _, role = label.partition(".")
        if role in OPENING:
            current = (f"{type_}.{role}", [place])
            heads.append(current)
        elif role in GOING_ON and current and place - current[1][-1] <= 2:
            current[1].append(place)
        elif role not in GOING_ON:
            current = None
    return _counted(heads, facts, flags)


def _counted(heads: list[tuple[str, list[int]]], facts: list[LineFacts], flags: list[list[Flags]]) -> EntryGroups:
    places: dict[int, tuple[str, int, int]] = {}
    others: dict[int, tuple[str, ...]] = {}
    cells: dict[tuple[str, int, int], Counter[str]] = {}
    totals: Counter[tuple[str, int, int]] = Counter()
    for kind, lines in heads:
        for number, line in enumerate(lines):
            places[line] = (kind, number, len(lines))
            held = {hold for other in lines if other != line for hold in facts[other].holds}
            dated = {"+date"} if any(facts[other].date for other in lines if other != line) else set()
            others[line] = tuple(sorted(held | dated))
            for segment, held_flags in enumerate(flags[line]):
                key = (kind, number, segment)
                totals[key] += 1
                cells.setdefault(key, Counter()).update(held_flags)
    return EntryGroups(places, others, cells, totals, flags)


HEAD_ROLES = frozenset(("entry", "head", "project", "about"))
TELLING_TYPES = frozenset(("personal", "education", "certifications"))
FIRST_LINES = 6  # where the name stands, whatever the section is taken for
OUTSIDE = "O"
MAX_CHAIN_WORDS = 400  # words; what is longer is decoded in parts
BREAK: Piece = ("seg=break",)  # a comma or bar between two segments
INSIDE: Piece = ("seg=inside",)  # not the first word of a segment


@dataclass(frozen=True, slots=True)
class Entity:
    """Words `first` up to but not including `last` of the layout; `line` is that of the first."""

    label: str
    first: int
    last: int
    line: int
    confidence: float  # that of its least certain word
    is_rest: bool = False  # the second part of something broken over two lines


@dataclass(frozen=True, slots=True)
class RecognizedEntities:
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
    """The words of a resume as models see them: places that several words share, and the different words there are."""

    annotations: Annotations
    shared: list[Sequence[Piece]]  # lines, segments, edges and combinations of marks
    words: list[str]  # one is the edge of a line
    rows: NDArray[np.intp]
    """What is told of each word: a number below len(shared) is a place; from there on each of `words` has as many
    numbers as NEAR, of what it shows in that direction."""


def view_words(
    annotations: Annotations, facts: list[LineFacts], labels: list[str], wanted: Iterable[int] | None = None
) -> Views:
    """With `wanted`, only the words of those lines are told in full: heads of entries must be among them."""
    lines = annotations.layout.lines
    viewed = set(range(len(lines)) if wanted is None else wanted)
    parts_of = [
        segments(annotations, line.first, line.last) if place in viewed else [] for place, line in enumerate(lines)
    ]
    parts = [part for some in parts_of for part in some]
    flags = iter(flags_of_segments(annotations, parts))
    flags_of = [list(islice(flags, len(some))) for some in parts_of]
    groups = find_groups(facts, labels, flags_of)
    shared: list[Sequence[Piece]] = [
        line_pieces(annotations, facts, labels, place) + groups.of_line(place) if place in viewed else [INSIDE]
        for place in range(len(lines))
    ]
    shared += ([INSIDE], [BREAK])
    for place, (some, held) in enumerate(zip(parts_of, flags_of, strict=True)):
        shared += [segment_pieces(some, held, number) + groups.of_cell(place, number) for number in range(len(some))]
    for held, label in zip(flags_of, labels, strict=True):
        shared += [edge_pieces(own, before, label) for before, own in zip((None, *held), held, strict=False)]
    codes, marks = np.unique(mark_codes(annotations), return_inverse=True)
    shared_rows = _shared_rows(annotations, parts, marks + len(shared))
    shared += [[mark_piece(code)] for code in codes.tolist()]
    words, near = _near(annotations)
    return Views(annotations, shared, words, np.hstack([shared_rows, near + len(shared)]))


def _shared_rows(annotations: Annotations, parts: Sequence[WordSegment], marks: NDArray[np.intp]) -> NDArray[np.intp]:
    """Of each word its line, segment, edge and marks; lines are followed by the two places INSIDE and BREAK."""
    inside = len(annotations.layout.lines)
    rows = np.empty((len(marks), 4), np.intp)
    rows[:, 0] = annotations.layout.line_of
    rows[:, 1] = inside + 1
    rows[:, 2] = inside
    rows[:, 3] = marks
    if parts:
        bounds = np.array(parts, np.intp)
        numbers = np.arange(len(parts)) + inside + 2
        lengths = bounds[:, 1] - bounds[:, 0]
        skipped = bounds[:, 0] - (np.cumsum(lengths) - lengths)  # words before that are in no segment
        rows[np.arange(lengths.sum()) + np.repeat(skipped, lengths), 1] = np.repeat(numbers, lengths)
        rows[bounds[:, 0], 2] = numbers + len(parts)
    return rows


def _near(annotations: Annotations) -> tuple[list[str], NDArray[np.intp]]:
    """The different words, and of each word of the layout what its neighbours and it show there.

    A neighbour at +step contributes what it shows at -step: its list counts from the other end.
    """
    numbers = {EDGE: 0}
    own = [numbers.setdefault(word, len(numbers)) for word in annotations.layout.tokens.words]
    reach = NEAR[-1]
    paragraph_of = np.cumsum([not line.wraps for line in annotations.layout.lines]) - 1  # of each line
    edges = 2 * reach * np.arange(paragraph_of[-1] + 2)  # in front of each paragraph, and of the end
    spots = np.arange(len(own)) + reach + edges[paragraph_of[annotations.layout.line_of]]
    padded = np.zeros(len(own) + edges[-1], np.intp)
    padded[spots] = own
    near = np.array(NEAR)
    return list(numbers), padded[spots[:, None] + near] * len(NEAR) + (reach - near)


def word_places(views: Views, lexical: Lexical) -> list[list[str]]:
    """For training: the attributes of every word written out; `Recognizer` sums the same without writing them."""
    names = [[name for piece in pieces for name in piece] for pieces in views.shared]
    names += [list(piece) for word in views.words for piece in word_attributes(word, lexical)]
    return [[name for row in rows for name in names[row]] for rows in views.rows.tolist()]


@dataclass
class Recognizer:
    """A chain model with the sums of each word's weights remembered, so that a known word costs one look-up."""

    model: Crf
    lexical: Lexical

    def recognise(self, views: Views, lines: Sequence[int]) -> RecognizedEntities:
        """The entities in some of the lines, which are given in order; a paragraph is one chain."""
        labels = self.model.labels
        chains = word_chains(views.annotations, lines)
        words = [word for chain in chains for word in chain]
        if not words:
            return RecognizedEntities([], {}, labels, np.zeros((0, len(labels)), np.float32))
        scores = self._scores(views, words)
        paths, chances = crf.decode(scores, self.model.transitions, [len(chain) for chain in chains])
        tags = [labels[label] for label in paths.tolist()]
        sure = chances[np.arange(len(paths)), paths].tolist()
        recognised = entities(views.annotations, chains, tags, sure)
        return RecognizedEntities(recognised, dict(zip(words, range(len(words)), strict=True)), labels, chances)

    def _scores(self, views: Views, words: Sequence[int]) -> NDArray[np.float32]:
        shared = self.model.piece_scores(views.shared)
        words_alone = self._memory.sums(views.words)
        sums = np.vstack([shared, words_alone.reshape(-1, len(self.model.labels))])
        scores: NDArray[np.float32] = sums.take(views.rows.take(words, axis=0), axis=0).sum(1)
        return scores

    @cached_property
    def _memory(self) -> Memory[str]:
        return Memory(
            self.model.scores,
            lambda word: word_attributes(word, self.lexical),
            pieces=len(NEAR),
            labels=len(self.model.labels),
        )


def word_chains(annotations: Annotations, lines: Sequence[int]) -> list[list[int]]:
    """The words of some lines; lines that go on with the one before form a chain with it."""
    chains: list[list[int]] = []
    before: int | None = None
    for line in lines:
        row = annotations.layout.lines[line]
        if row.first == row.last:
            continue
        if row.wraps and before == line - 1 and len(chains[-1]) < MAX_CHAIN_WORDS:
            chains[-1].extend(range(row.first, row.last))
        else:
            chains.append(list(range(row.first, row.last)))
        before = line
    return chains


def entities(
    annotations: Annotations, chains: Sequence[Sequence[int]], tags: Sequence[str], chances: Sequence[float]
) -> list[Entity]:
    """Runs of B-x, I-x, I-x become one entity of label x; an I-x after something else begins one too."""
    result: list[Entity] = []
    words = [word for chain in chains for word in chain]
    starts = {0, *accumulate(map(len, chains))}  # of the chains
    end = 0
    for begin in [place for place, tag in enumerate(tags) if tag != OUTSIDE]:
        if begin < end:
            continue
        inside = f"I-{tags[begin][2:]}"
        end = begin + 1
        while end not in starts and tags[end] == inside:
            end += 1
        first, last = words[begin], words[end - 1] + 1
        line = annotations.layout.line_of[first]
        is_rest = tags[begin][0] == "I" and first == annotations.layout.lines[line].first
        result.append(Entity(tags[begin][2:], first, last, line, min(chances[begin:end]), is_rest))
    return result


def telling_lines(annotations: Annotations, labels: Sequence[str]) -> list[int]:
    """Lines that can name an employer, a title, a degree...: heads, what stands beside them, dated or keyed lines.

    Most words of a resume are prose about the work. A model that learned from them as well would expect nothing
    anywhere, and would take a name of one word for prose.
    """
    roles = [label.partition(".") for label in labels]
    near = {place + step for place, (_, _, role) in enumerate(roles) if role in HEAD_ROLES for step in (-1, 0, 1)}
    telling = []
    for place, (type_, _, role) in enumerate(roles):
        if role == "heading":
            continue
        if (
            place < FIRST_LINES
            or place in near
            or type_ in TELLING_TYPES
            or role == "inline"
            or (type_ != "skills" and ("range" in annotations.date_kinds[place] or annotations.keys[place]))
        ):
            telling.append(place)
    return telling


def skilled_lines(annotations: Annotations, labels: Sequence[str]) -> list[int]:
    """Lines that can name a skill: all but headings and contact data."""
    return [
        place
        for place, label in enumerate(labels)
        if not label.endswith(".heading") and "email" not in annotations.contacts[place]
    ]
