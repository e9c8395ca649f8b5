"""`evenhand reproduce recognizer`: concepts under CR-1, CR-2, CR-3 and our features, beside Figure 10."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evenhand.mining.assembly.mentions import find_mentions
from evenhand.mining.crf.model import Crf
from evenhand.mining.crf.training import Labelled, TrainingSettings, train
from evenhand.mining.evaluation import Count, count_spans
from evenhand.mining.examples import Span
from evenhand.mining.features.published import Lexicons, Page, word_places
from evenhand.mining.features.words import Lexical
from evenhand.mining.learning import Prepared, train_recognizer, word_tags
from evenhand.mining.recognizer import Entity, Recognizer, entities, view_words
from evenhand.workflows.reproduction.folds import Fold, Labels, folds, labels_by_fold
from evenhand.workflows.reproduction.inputs import RESUMES, SEED, Inputs, Material, load_inputs
from evenhand.workflows.reproduction.lexicons import published_lexicons
from evenhand.workflows.reproduction.results import (
    OURS,
    Ablation,
    Check,
    Measured,
    Published,
    grows,
    measured,
)
from evenhand.workflows.reproduction.segmenter import label_ours, label_published
from evenhand.workflows.watching import Bar, Watch, unwatched

SETS = ("CR-1", "CR-2", "CR-3")
SETTINGS = TrainingSettings(l2=1.0, iterations=60, documents=2)
LABELS = ("skill", "employer", "university", "degree")
FIGURE_10 = {
    ("skill", "CR-1"): Published(0.801, 0.714, 0.755),
    ("skill", "CR-2"): Published(0.828, 0.740, 0.782),
    ("skill", "CR-3"): Published(0.867, 0.745, 0.801),
    ("employer", "CR-1"): Published(0.810, 0.540, 0.648),
    ("employer", "CR-2"): Published(0.782, 0.590, 0.673),
    ("employer", "CR-3"): Published(0.790, 0.601, 0.683),
    ("university", "CR-1"): Published(0.784, 0.500, 0.611),
    ("university", "CR-2"): Published(0.817, 0.600, 0.692),
    ("university", "CR-3"): Published(0.808, 0.630, 0.708),
    ("degree", "CR-1"): Published(0.903, 0.549, 0.683),
    ("degree", "CR-2"): Published(0.920, 0.639, 0.754),
    ("degree", "CR-3"): Published(0.909, 0.770, 0.834),
}
Stretch = tuple[int, int, str]


def run(
    data: Path | None = None, *, n: int = RESUMES, seed: int = SEED, watch: Watch = unwatched
) -> Ablation:
    """On `n` generated IT resumes and, with `data`, on the annotated real ones found there."""
    inputs = load_inputs(data, n, seed, watch=watch)
    figures: list[Measured] = []
    checks: list[Check] = []
    for material in inputs.materials:
        figures += measure(inputs, material, watch=watch)
        checks += [grows(figures, material.name, label, SETS[0], SETS[-1]) for label in LABELS]
    resumes = {material.name: len(material.prepared) for material in inputs.materials}
    return Ablation("Figure 10, concepts", resumes, figures, checks)


def measure(inputs: Inputs, material: Material, *, watch: Watch = unwatched) -> list[Measured]:
    parts = folds(material.texts)
    pairs = len(parts) * (len(parts) + 1) // 2
    with watch(f"line labels, {material.name}", 2 * pairs) as bar:
        published = labels_by_fold(material.prepared, parts, label_published, advance=bar.advance)
        ours = labels_by_fold(material.prepared, parts, label_ours, advance=bar.advance)
    lexicons = published_lexicons()
    counts: dict[str, dict[str, list[Count]]] = {}
    with watch(f"recognizer, {material.name}", (len(SETS) + 1) * len(parts)) as bar:
        for name in SETS:
            counts[name] = _counted_published(material.prepared, parts, published, name, lexicons, bar)
        counts[OURS] = _counted_ours(material.prepared, parts, ours, inputs.vocabulary.lexical, bar)
    return [
        measured(
            material.name,
            label,
            name,
            counts[name][label],
            FIGURE_10[label, SETS[-1] if name == OURS else name],
        )
        for label in LABELS
        for name in (*SETS, OURS)
    ]


def _counted_published(
    prepared: Sequence[Prepared],
    parts: Sequence[Fold],
    line_labels: Sequence[Labels],
    name: str,
    lexicons: Lexicons,
    bar: Bar,
) -> dict[str, list[Count]]:
    counts: dict[str, list[Count]] = {label: [] for label in LABELS}
    for part, labels in zip(parts, line_labels, strict=True):
        sequences = []
        for place in part.train:
            each = prepared[place]
            tags = word_tags(each.notes, each.example.spans, LABELS)
            places = word_places(Page(each.notes, each.facts, labels[place], lexicons), name)
            sequences += [
                Labelled(each.example.id, names, tags[line.first : line.last])
                for line, names in zip(each.notes.sheet.lines, places, strict=True)
                if names
            ]
        model = train(sequences, SETTINGS)
        for place in part.test:
            each = prepared[place]
            page = Page(each.notes, each.facts, labels[place], lexicons)
            _count(each, _tagged(model, page, name), counts)
        bar.advance()
    return counts


def _tagged(model: Crf, page: Page, name: str) -> list[Entity]:
    lines = word_places(page, name)
    scores = model.scores(names for line in lines for names in line)
    return entities(page.notes, *model.decode(scores, [len(line) for line in lines]))


def _counted_ours(
    prepared: Sequence[Prepared],
    parts: Sequence[Fold],
    line_labels: Sequence[Labels],
    lexical: Lexical,
    bar: Bar,
) -> dict[str, list[Count]]:
    counts: dict[str, list[Count]] = {label: [] for label in LABELS}
    for part, labels in zip(parts, line_labels, strict=True):
        known = [prepared[place] for place in part.train]
        seen = [labels[place] for place in part.train]
        recognizer = Recognizer(train_recognizer(known, seen, lexical, SETTINGS, labels=LABELS), lexical)
        for place in part.test:
            each = prepared[place]
            _count(each, recognizer.recognise(view_words(each.notes, each.facts, labels[place])), counts)
        bar.advance()
    return counts


def _count(each: Prepared, found: Sequence[Entity], counts: dict[str, list[Count]]) -> None:
    expected = stretches(each.example.spans)
    given = [
        (mention.start, mention.end, mention.label) for mention in find_mentions(each.notes.sheet, found)
    ]
    for label in LABELS:
        counts[label].append(count_spans(expected, given, label))


def stretches(spans: Sequence[Span]) -> list[Stretch]:
    """The spans with the parts of what is broken over two lines put together."""
    whole: list[Stretch] = []
    for span in sorted(spans, key=lambda span: span.start):
        place = next((at for at in reversed(range(len(whole))) if whole[at][2] == span.label), None)
        if span.is_rest and place is not None:
            whole[place] = (whole[place][0], span.end, span.label)
        else:
            whole.append((span.start, span.end, span.label))
    return whole
