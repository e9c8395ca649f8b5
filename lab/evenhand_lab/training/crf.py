"""Training the chain models of the miner from examples; the models never see more of a document than mining does."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pycrfsuite

from evenhand.mining.annotations import Annotations, words_in
from evenhand.mining.crf import Crf
from evenhand.mining.line_features import LineFacts
from evenhand.mining.recognizer import OUTSIDE, view_words, word_chains, word_places
from evenhand.mining.segmenter import label_lines, line_attributes
from evenhand.mining.word_features import Lexical
from evenhand_lab.training.examples import LabelledSpan, MiningExample


@dataclass(frozen=True, slots=True)
class LabelledSequence:
    """Places with their attributes and labels; `document` tells which resume they are from."""

    document: str
    attributes: list[list[str]]
    labels: list[str]


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    l1: float = 0.0
    l2: float = 1.0
    iterations: int = 100
    documents: int = 1  # an attribute seen in fewer resumes is not learned: it could tell of a person


def train(sequences: Sequence[LabelledSequence], settings: TrainingSettings | None = None) -> Crf:
    settings = settings or TrainingSettings()
    common = common_attributes(sequences, settings.documents)
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(
        {
            "c1": settings.l1,
            "c2": settings.l2,
            "max_iterations": settings.iterations,
            "feature.possible_transitions": True,
        }
    )
    for sequence in sequences:
        kept = [[name for name in names if name in common] for names in sequence.attributes]
        trainer.append(kept, sequence.labels)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        trainer.train(str(path))
        return _frozen(path, settings)


def common_attributes(sequences: Iterable[LabelledSequence], documents: int) -> set[str]:
    """Attributes that occur in at least so many resumes."""
    seen: dict[str, set[str]] = {}
    for sequence in sequences:
        seen.setdefault(sequence.document, set()).update(name for names in sequence.attributes for name in names)
    counts = Counter(name for names in seen.values() for name in names)
    return {name for name, count in counts.items() if count >= documents}


def _frozen(path: Path, settings: TrainingSettings) -> Crf:
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    info = tagger.info()
    labels = tuple(sorted(info.labels))
    number = {label: place for place, label in enumerate(labels)}
    names = sorted({name for name, _ in info.state_features})
    attributes = {name: row for row, name in enumerate(names)}
    weights = np.zeros((len(names), len(labels)), np.float32)
    for (name, label), weight in info.state_features.items():
        weights[attributes[name], number[label]] = weight
    transitions = np.zeros((len(labels), len(labels)), np.float32)
    for (before, after), weight in info.transitions.items():
        transitions[number[before], number[after]] = weight
    tagger.close()
    return Crf(labels, attributes, weights, transitions, asdict(settings))


PARTS = 5  # the recognizer learns from line labels of a segmenter that has not seen the resume


@dataclass(frozen=True, slots=True)
class AnnotatedExample:
    """An example with its annotations; `line_labels` only of the lines of the layout."""

    example: MiningExample
    annotations: Annotations
    facts: list[LineFacts]
    line_labels: list[str]


def train_segmenter(prepared: Sequence[AnnotatedExample], settings: TrainingSettings) -> Crf:
    return train(
        [
            LabelledSequence(
                resume_lines.example.id,
                line_attributes(resume_lines.annotations, resume_lines.facts),
                resume_lines.line_labels,
            )
            for resume_lines in prepared
        ],
        settings,
    )


def unseen_labels(prepared: Sequence[AnnotatedExample], settings: TrainingSettings) -> list[list[str]]:
    """For every example the line labels that a segmenter trained on the other parts gives it."""
    result: list[list[str]] = [[] for _ in prepared]
    for part in range(PARTS):
        rest = [resume_lines for place, resume_lines in enumerate(prepared) if place % PARTS != part]
        model = train_segmenter(rest, settings)
        for place in range(part, len(prepared), PARTS):
            resume_lines = prepared[place]
            result[place] = [label.name for label in label_lines(model, resume_lines.annotations, resume_lines.facts)]
    return result


def train_recognizer(
    prepared: Sequence[AnnotatedExample],
    line_labels: Sequence[list[str]],
    lexical: Lexical,
    settings: TrainingSettings,
    *,
    labels: Sequence[str],
    choose: Callable[[Annotations, Sequence[str]], Sequence[int]],
) -> Crf:
    """A model for some of the labels, on the lines it will be used on; the other labels are outside for it."""
    sequences = []
    for resume_lines, names in zip(prepared, line_labels, strict=True):
        tags = word_tags(resume_lines.annotations, resume_lines.example.spans, labels)
        places = word_places(view_words(resume_lines.annotations, resume_lines.facts, names), lexical)
        for chain in word_chains(resume_lines.annotations, choose(resume_lines.annotations, names)):
            attributes = [places[word] for word in chain]
            sequences.append(LabelledSequence(resume_lines.example.id, attributes, [tags[word] for word in chain]))
    return train(sequences, settings)


def word_tags(annotations: Annotations, spans: Iterable[LabelledSpan], labels: Sequence[str]) -> list[str]:
    """B-x at the first word of a span, I-x at the others; a rest goes on with I-x at the start of its line."""
    tags = [OUTSIDE] * len(annotations.layout.tokens)
    lines = annotations.layout.lines
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
            first, last = words_in(annotations.layout, span.start, span.end, lines[at])
            if all(tag == OUTSIDE for tag in tags[first:last]):
                for word in range(first, last):
                    tags[word] = f"{'I' if is_rest or word > first else 'B'}-{span.label}"
            is_rest = True
            at += 1
    return tags
