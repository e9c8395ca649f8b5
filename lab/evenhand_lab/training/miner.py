"""Training the miner: tables, segmenter and recognizers, from annotated real resumes and generated ones.

The same resumes give the same bytes, and nothing that fewer than five resumes share is kept.
"""

from __future__ import annotations

import json
import random
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from evenhand.mining.annotations import Annotations, annotate
from evenhand.mining.crf import Crf, save
from evenhand.mining.layout import lay_out
from evenhand.mining.line_features import line_facts
from evenhand.mining.recognizer import skilled_lines, telling_lines
from evenhand.mining.tables.analysis import TableModel, analyse
from evenhand.mining.vocabulary import Vocabulary, load_vocabulary
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.conversion import JsonRecord
from evenhand.records.document import Document
from evenhand.text.contacts import find_contacts
from evenhand.text.dates import find_dates
from evenhand.text.tokens import words_of
from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.people import cities
from evenhand_lab.training import crf
from evenhand_lab.training.crf import AnnotatedExample, TrainingSettings
from evenhand_lab.training.examples import ENTITY_LABELS, SKILL, MiningExample, annotated_examples, generated_examples
from evenhand_lab.training.tables import build, collect_table_examples

# What mining would note on examples, taken before any chain model looks at them.


def annotate_document(document: Document, vocabulary: Vocabulary, tables: TableModel | None) -> Annotations:
    """The annotations of a document, as the miner takes them; without a table model, tables have no types."""
    return annotate(
        lay_out(document),
        vocabulary,
        dates=find_dates(document.text),
        contacts=find_contacts(document.text, document.lines),
        tables=analyse(document, tables) if tables else None,
    )


def prepare_all(
    examples: Sequence[MiningExample],
    vocabulary: Vocabulary,
    tables: TableModel | None,
    *,
    progress: Progress = no_progress,
) -> list[AnnotatedExample]:
    prepared = []
    for example in with_progress(examples, progress, "notes", len(examples)):
        annotations = annotate_document(example.document, vocabulary, tables)
        names = {id(line): name for line, name in zip(example.document.lines, example.line_labels, strict=True)}
        labels = [names[id(line.line)] for line in annotations.layout.lines]
        prepared.append(AnnotatedExample(example, annotations, line_facts(annotations), labels))
    return prepared


# Names that nobody has, put where names are learned: over the masks of published resumes and over generated employers.
# A model that learned from "Company Name", or from the few employers of the generator, would know employers by their
# words. It has to know them by where they stand.

_MASK = re.compile(r"Company Name|City , State")
FILLED = 0.8  # of the masks: some stay, so that they are known for what they are
COUNTRIES = ("United States", "India", "United Kingdom", "Canada", "Germany")
_PARTS: dict[str, list[str]] = lexicon.table("invented_employers.toml")

Change = tuple[int, int, str]
"""What replaces text[start:end]."""


def unmasked(example: MiningExample, rng: random.Random) -> MiningExample:
    """With most of its masks replaced."""
    masks = [match for match in _MASK.finditer(example.document.text) if rng.random() < FILLED]
    changes = [
        (*match.span(), invented_employer(rng) if match.group().startswith("Company") else " , ".join(_city(rng)))
        for match in masks
    ]
    return _changed(example, changes)


def renamed(example: MiningExample, rng: random.Random) -> MiningExample:
    """With new names for its employers, each the same throughout."""
    text = example.document.text
    names: dict[str, str] = {}
    changes = []
    for span in example.spans:
        if span.label == "employer" and not span.is_rest and "\n" not in text[span.start : span.end]:
            name = names.setdefault(text[span.start : span.end], invented_employer(rng))
            changes.append((span.start, span.end, name))
    return _changed(example, changes)


def invented_employer(rng: random.Random) -> str:
    """A coined word or two, an initialism, or a place, with or without a trade and a legal form."""
    style = rng.random()
    if style < 0.12:
        return "".join(rng.choice("ABCDEFGHIJKLMNOPRSTUVW") for _ in range(rng.randint(2, 4))) + rng.choice(
            _PARTS["forms"]
        )
    name = _coined(rng) if style < 0.85 else _city(rng)[0]
    if style < 0.35:
        return name
    if rng.random() < 0.3:
        name += f" {rng.choice(['&', 'and', ''])} {_coined(rng)}".replace("  ", " ")
    if rng.random() < 0.7:
        name += " " + rng.choice(_PARTS["trades"])
    return name + rng.choice(_PARTS["forms"])


def _coined(rng: random.Random) -> str:
    syllables = rng.choice((1, 2, 2, 2, 3))
    word = "".join(rng.choice(_PARTS["onsets"]) + rng.choice(_PARTS["vowels"]) for _ in range(syllables)) + rng.choice(
        _PARTS["codas"]
    )
    return word.upper() if rng.random() < 0.05 else word.capitalize()


def _city(rng: random.Random) -> tuple[str, str]:
    city = rng.choice(cities(rng.choice(COUNTRIES)))
    return city.name, city.region or city.country


def _changed(example: MiningExample, changes: Sequence[Change]) -> MiningExample:
    """The example with the changes made; labels and spans stay with their words."""
    if not changes:
        return example
    ends = [end for _, end, _ in changes]
    shifts = list(accumulate((len(new) - (end - start) for start, end, new in changes), initial=0))

    def moved(place: int) -> int:
        """Where it is in the new text; a place inside a change goes to the end of what replaced it."""
        number = bisect_right(ends, place)
        if number < len(changes) and changes[number][0] < place:
            start, _, new = changes[number]
            return start + shifts[number] + len(new)
        return place + shifts[number]

    text = example.document.text
    for start, end, new in reversed(changes):
        text = text[:start] + new + text[end:]
    lines = tuple(replace(line, start=moved(line.start), end=moved(line.end)) for line in example.document.lines)
    spans = tuple(replace(span, start=moved(span.start), end=moved(span.end)) for span in example.spans)
    return replace(example, document=replace(example.document, text=text, lines=lines), spans=spans)


MIXTURE = {"it": 0.4, "mixed": 0.4, "crc": 0.2}  # of the generated resumes
GENERATED = 110  # with 60 to 100 all facts of real resumes are found better than with none; 300 bring no more
SEED = 20
MIN_RESUMES = 5  # that share an attribute: a rarer one could tell of a person
MIN_WEIGHT = 1e-3  # smaller ones change no answer
SEGMENTER = TrainingSettings(l1=0.05, l2=0.3, iterations=110, documents=MIN_RESUMES)
RECOGNIZER = TrainingSettings(l1=0.1, l2=1.0, iterations=100, documents=MIN_RESUMES)
RECOGNIZED = {"entities": (ENTITY_LABELS, telling_lines), "skills": ((SKILL,), skilled_lines)}  # labels, lines
TABLES = "tables.json"
CARD = "card.json"


@dataclass(frozen=True, slots=True)
class TrainingReport(JsonRecord):
    """What was learned from what; the same is written beside the models."""

    real: int  # resumes
    generated: int
    lines: dict[str, int]  # by label
    spans: dict[str, int]
    models: dict[str, dict[str, Any]]  # settings, number of attributes and labels


def train(
    data: Path | None, out: Path, *, generated: int = GENERATED, seed: int = SEED, progress: Progress = no_progress
) -> TrainingReport:
    """Train on the annotated resumes found under `data`, if given, and generated ones; the models go to `out`."""
    rng = random.Random(seed)
    real = annotated_examples(data, progress=progress) if data else []
    examples = [unmasked(example, rng) for example in real]
    for kind, share in MIXTURE.items():
        made = generated_examples(kind, round(generated * share), seed, progress=progress)
        examples += [renamed(example, rng) for example in made]
    out.mkdir(parents=True, exist_ok=True)
    return train_on(examples, build(collect_table_examples(), out / TABLES), out, progress=progress)


def train_on(
    examples: Sequence[MiningExample], tables: TableModel, out: Path, *, progress: Progress = no_progress
) -> TrainingReport:
    """Train the chain models on these resumes and write them with their card."""
    vocabulary = load_vocabulary()
    prepared = prepare_all(examples, vocabulary, tables, progress=progress)
    models: dict[str, Crf] = {}
    with progress("models", 2 + len(RECOGNIZED)) as bar:
        models["segmenter"] = small(crf.train_segmenter(prepared, SEGMENTER))
        bar.advance()
        labels = crf.unseen_labels(prepared, SEGMENTER)
        bar.advance()
        for name, (wanted, choose) in RECOGNIZED.items():
            models[name] = small(
                crf.train_recognizer(prepared, labels, vocabulary.lexical, RECOGNIZER, labels=wanted, choose=choose)
            )
            bar.advance()
    for name, model in models.items():
        if found := personal_tokens(model, examples):
            raise AssertionError(f"the model {name} would tell of persons in {len(found)} of its attributes")
    real = sum(not example.is_generated for example in examples)
    lines = Counter(label for example in prepared for label in example.line_labels)
    spans = Counter(span.label for example in examples for span in example.spans)
    about = {
        name: {**model.about, "attributes": len(model.attributes), "labels": len(model.labels)}
        for name, model in models.items()
    }
    report = TrainingReport(real, len(examples) - real, dict(sorted(lines.items())), dict(sorted(spans.items())), about)
    out.mkdir(parents=True, exist_ok=True)
    for name, model in models.items():
        save(model, out / f"{name}.crf")
    card = json.dumps(report.to_json(), indent=1, sort_keys=True, ensure_ascii=False)
    (out / CARD).write_text(card + "\n", "utf-8")
    return report


def small(model: Crf, least: float = MIN_WEIGHT) -> Crf:
    """The model without weights that hardly differ from zero, and without attributes that have no others."""
    weights = np.where(np.abs(model.weights) < least, np.float32(0), model.weights)
    rows = np.flatnonzero(weights.any(1))
    names = sorted(model.attributes, key=model.attributes.__getitem__)
    attributes = {names[old]: new for new, old in enumerate(rows)}
    return replace(model, attributes=attributes, weights=weights[rows])


def personal_tokens(model: Crf, examples: Sequence[MiningExample], least: int = MIN_RESUMES) -> list[str]:
    """Attributes that hold a word of a real candidate's name, e-mail address or phone number which fewer than
    `least` resumes have: there must be none."""
    holders: Counter[str] = Counter()
    personal: set[str] = set()
    for example in examples:
        text = example.document.text
        holders.update(_words(text))
        if not example.is_generated:
            contacts = find_contacts(text, example.document.lines)
            surfaces = [fact.surface for fact in (*contacts.emails, *contacts.phones)]
            surfaces += [text[span.start : span.end] for span in example.spans if span.label == "name"]
            personal.update(word for surface in surfaces for word in _words(surface))
    rare = {word for word in personal if holders[word] < least}
    return sorted(name for name in model.attributes if not rare.isdisjoint(_words_in_attribute(name)))


def _words(text: str) -> set[str]:
    return {word for word in words_of(text.lower()) if any(map(str.isalnum, word))}


def _words_in_attribute(name: str) -> list[str]:
    """The words of "w01=senior java"; endings and beginnings of words ("s3=ing") are no words."""
    kind, _, value = name.partition("=")
    is_word = kind.endswith(("w", "w0", "w01", "w-1", "all", "key"))
    return value.partition("+")[0].split(" ") if is_word else []
