"""Training the chain models of the miner from examples; the models never see more of a document than mining does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from evenhand.mining.crf.model import Crf
from evenhand.mining.crf.training import Labelled, TrainingSettings, train
from evenhand.mining.examples import SKILL, Example, Span
from evenhand.mining.features.facts import LineFacts, line_facts
from evenhand.mining.features.lines import line_attributes
from evenhand.mining.features.words import Lexical
from evenhand.mining.notes import Notes, words_in
from evenhand.mining.recognizer import OUTSIDE, view_words, word_chains, word_places
from evenhand.mining.segmenter import label_lines

Annotate = Callable[[Example], Notes]
PARTS = 5  # the recognizer learns from line labels of a segmenter that has not seen the resume


@dataclass(frozen=True, slots=True)
class Prepared:
    """An example with what mining would note on it; `line_labels` only of the lines that are on the sheet."""

    example: Example
    notes: Notes
    facts: list[LineFacts]
    line_labels: list[str]


def prepare(examples: Iterable[Example], annotate: Annotate) -> list[Prepared]:
    return [_prepared(example, annotate(example)) for example in examples]


def _prepared(example: Example, notes: Notes) -> Prepared:
    names = {id(line): name for line, name in zip(example.document.lines, example.line_labels, strict=True)}
    labels = [names[id(line.line)] for line in notes.sheet.lines]
    return Prepared(example, notes, line_facts(notes), labels)


def train_segmenter(prepared: Sequence[Prepared], settings: TrainingSettings) -> Crf:
    return train(
        [
            Labelled(each.example.id, line_attributes(each.notes, each.facts), each.line_labels)
            for each in prepared
        ],
        settings,
    )


def unseen_labels(prepared: Sequence[Prepared], settings: TrainingSettings) -> list[list[str]]:
    """For every example the line labels that a segmenter trained on the other parts gives it."""
    result: list[list[str]] = [[] for _ in prepared]
    for part in range(PARTS):
        rest = [each for place, each in enumerate(prepared) if place % PARTS != part]
        model = train_segmenter(rest, settings)
        for place in range(part, len(prepared), PARTS):
            each = prepared[place]
            result[place] = [label.name for label in label_lines(model, each.notes, each.facts)]
    return result


def train_recognizer(
    prepared: Sequence[Prepared],
    line_labels: Sequence[list[str]],
    lexical: Lexical,
    settings: TrainingSettings,
    *,
    labels: Sequence[str],
    choose: Callable[[Notes, Sequence[str]], Sequence[int]],
) -> Crf:
    """A model for some of the labels, on the lines it will be used on; the other labels are outside for it."""
    sequences = []
    for each, names in zip(prepared, line_labels, strict=True):
        tags = word_tags(each.notes, each.example.spans, labels)
        places = word_places(view_words(each.notes, each.facts, names), lexical)
        for chain in word_chains(each.notes, choose(each.notes, names)):
            attributes = [places[word] for word in chain]
            sequences.append(Labelled(each.example.id, attributes, [tags[word] for word in chain]))
    return train(sequences, settings)


def word_tags(notes: Notes, spans: Iterable[Span], labels: Sequence[str]) -> list[str]:
    """B-x at the first word of a span, I-x at the others; a rest goes on with I-x at the start of its line."""
    tags = [OUTSIDE] * len(notes.sheet.tokens)
    lines = notes.sheet.lines
    place = 0
    wanted = set(labels)
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        if span.label not in wanted:
            continue
        while place < len(lines) and lines[place].end <= span.start:
            place += 1
        at = place
        is_rest = span.is_rest
        while at < len(lines) and lines[at].start < span.end:
            first, last = words_in(notes.sheet, span.start, span.end, lines[at])
            if all(tag == OUTSIDE for tag in tags[first:last]):
                for word in range(first, last):
                    tags[word] = f"{'I' if is_rest or word > first else 'B'}-{span.label}"
            is_rest = True
            at += 1
    return tags


__all__ = [
    "SKILL",
    "Prepared",
    "prepare",
    "train_recognizer",
    "train_segmenter",
    "unseen_labels",
    "word_tags",
]
