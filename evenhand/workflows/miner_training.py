"""Training the miner: tables, segmenter and recognizers, from annotated real resumes and generated ones.

The same resumes give the same bytes, and nothing that fewer than five resumes share is kept.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from evenhand.mining.contact import find_contacts
from evenhand.mining.crf.model import Crf, save
from evenhand.mining.crf.training import TrainingSettings
from evenhand.mining.examples import ENTITY_LABELS, SKILL, Example
from evenhand.mining.learning import Prepared, train_recognizer, train_segmenter, unseen_labels
from evenhand.mining.recognizer import skilled_lines, telling_lines
from evenhand.mining.tables import TableModel
from evenhand.mining.tokens import words_of
from evenhand.mining.vocabulary import load_vocabulary
from evenhand.workflows.examples import annotated_examples, generated_examples
from evenhand.workflows.preparing import prepare_all
from evenhand.workflows.table_training import build, gather
from evenhand.workflows.unmasking import renamed, unmasked
from evenhand.workflows.watching import Watch, unwatched

MIXTURE = {"it": 0.4, "mixed": 0.4, "crc": 0.2}  # of the generated resumes
GENERATED = 110  # with 60 to 100 all facts of real resumes are found better than with none; 300 bring no more
SEED = 20
LEAST_RESUMES = 5  # that share an attribute: a rarer one could tell of a person
LEAST_WEIGHT = 1e-3  # smaller ones change no answer
SEGMENTER = TrainingSettings(l1=0.05, l2=0.3, iterations=110, documents=LEAST_RESUMES)
RECOGNIZER = TrainingSettings(l1=0.1, l2=1.0, iterations=100, documents=LEAST_RESUMES)
RECOGNIZED = {
    "entities": (ENTITY_LABELS, telling_lines),
    "skills": ((SKILL,), skilled_lines),
}  # labels, lines
TABLES = "tables.json"
CARD = "card.json"


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """What was learned from what; the same is written beside the models."""

    real: int  # resumes
    generated: int
    lines: dict[str, int]  # by label
    spans: dict[str, int]
    models: dict[str, dict[str, Any]]  # settings, number of attributes and labels

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def train(
    data: Path | None, out: Path, *, generated: int = GENERATED, seed: int = SEED, watch: Watch = unwatched
) -> TrainingReport:
    """Train on the annotated resumes found under `data`, if given, and generated ones; the models go to `out`."""
    rng = random.Random(seed)  # noqa: S311 - examples, not secrets
    real = annotated_examples(data, watch=watch) if data else []
    examples = [unmasked(example, rng) for example in real]
    examples += [renamed(example, rng) for example in made_examples(generated, seed, watch=watch)]
    out.mkdir(parents=True, exist_ok=True)
    return train_on(examples, build(gather(), out / TABLES), out, watch=watch)


def made_examples(n: int, seed: int, *, watch: Watch = unwatched) -> list[Example]:
    """Generated resumes of all kinds."""
    return [
        example
        for kind, share in MIXTURE.items()
        for example in generated_examples(kind, round(n * share), seed, watch=watch)
    ]


def train_on(
    examples: Sequence[Example], tables: TableModel, out: Path, *, watch: Watch = unwatched
) -> TrainingReport:
    """Train the chain models on these resumes and write them with their card."""
    vocabulary = load_vocabulary()
    prepared = prepare_all(examples, vocabulary, tables, watch=watch)
    models: dict[str, Crf] = {}
    with watch("models", 2 + len(RECOGNIZED)) as bar:
        models["segmenter"] = small(train_segmenter(prepared, SEGMENTER))
        bar.advance()
        labels = unseen_labels(prepared, SEGMENTER)
        bar.advance()
        for name, (wanted, choose) in RECOGNIZED.items():
            models[name] = small(
                train_recognizer(
                    prepared, labels, vocabulary.lexical, RECOGNIZER, labels=wanted, choose=choose
                )
            )
            bar.advance()
    for name, model in models.items():
        if found := personal_tokens(model, examples):
            raise AssertionError(f"the model {name} would tell of persons in {len(found)} of its attributes")
    report = _report(prepared, models)
    out.mkdir(parents=True, exist_ok=True)
    for name, model in models.items():
        save(model, out / f"{name}.crf")
    card = json.dumps(report.to_json(), indent=1, sort_keys=True, ensure_ascii=False)
    (out / CARD).write_text(card + "\n", "utf-8")
    return report


def small(model: Crf, least: float = LEAST_WEIGHT) -> Crf:
    """The model without weights that hardly differ from zero, and without attributes that have no others."""
    weights = np.where(np.abs(model.weights) < least, np.float32(0), model.weights)
    rows = np.flatnonzero(weights.any(1))
    names = sorted(model.attributes, key=model.attributes.__getitem__)
    attributes = {names[old]: new for new, old in enumerate(rows)}
    return replace(model, attributes=attributes, weights=weights[rows])


def personal_tokens(model: Crf, examples: Sequence[Example], least: int = LEAST_RESUMES) -> list[str]:
    """Attributes that hold a word of a real candidate's name, e-mail address or phone number which fewer than
    `least` resumes have: there must be none."""
    holders: Counter[str] = Counter()
    personal: set[str] = set()
    for example in examples:
        holders.update(set(_words(example.document.text)))
        if not example.is_generated:
            personal.update(_personal_words(example))
    rare = {word for word in personal if holders[word] < least}
    return sorted(name for name in model.attributes if not rare.isdisjoint(_words_in_attribute(name)))


def _personal_words(example: Example) -> Iterator[str]:
    text = example.document.text
    contacts = find_contacts(text, example.document.lines)
    for span in example.spans:
        if span.label == "name":
            yield from _words(text[span.start : span.end])
    for fact in (*contacts.emails, *contacts.phones):
        yield from _words(fact.surface)


def _words(text: str) -> list[str]:
    return [word for word in words_of(text.lower()) if any(map(str.isalnum, word))]


def _words_in_attribute(name: str) -> list[str]:
    """The words of "w01=senior java"; endings and beginnings of words ("s3=ing") are no words."""
    kind, _, value = name.partition("=")
    is_word = kind.endswith(("w", "w0", "w01", "w-1", "all", "key"))
    return value.partition("+")[0].split(" ") if is_word else []


def _report(prepared: Sequence[Prepared], models: dict[str, Crf]) -> TrainingReport:
    real = sum(not each.example.is_generated for each in prepared)
    lines = Counter(label for each in prepared for label in each.line_labels)
    spans = Counter(span.label for each in prepared for span in each.example.spans)
    about = {
        name: {**model.about, "attributes": len(model.attributes), "labels": len(model.labels)}
        for name, model in models.items()
    }
    return TrainingReport(
        real, len(prepared) - real, dict(sorted(lines.items())), dict(sorted(spans.items())), about
    )
