"""`evenhand reproduce recognizer`: concepts under CR-1, CR-2, CR-3 and our features, beside Figure 10."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from evenhand.mining.assembly.blocks import find_mentions
from evenhand.mining.recognizer import Entity, Recognizer, entities, view_words
from evenhand.mining.vocabulary import load_vocabulary
from evenhand.progress import Progress, no_progress, with_progress
from evenhand_lab.benchmarks.fact_scores import Count, count_spans
from evenhand_lab.reproduce import miner_inputs, segmenter
from evenhand_lab.reproduce.miner_inputs import Fold, Labels, Material
from evenhand_lab.reproduce.published_features import FeaturePage, published_lexicons, word_places
from evenhand_lab.reproduce.results import OURS, Ablation, Check, FeatureSetScore, grows, measured, published_scores
from evenhand_lab.training import crf
from evenhand_lab.training.crf import AnnotatedExample
from evenhand_lab.training.examples import LabelledSpan
from evenhand_lab.training.miner import RECOGNIZED

SETS = ("CR-1", "CR-2", "CR-3")
SETTINGS = crf.TrainingSettings(l2=1.0, iterations=60, documents=2)
# Whose line labels each set sees.
SOURCES: dict[str, str | None] = {"CR-1": None, "CR-2": "RS-3", "CR-3": "RS-3", OURS: OURS}
LABELS = ("skill", "employer", "university", "degree")
FIGURE_10 = published_scores("figure_10")
Stretch = tuple[int, int, str]
Counts = dict[str, list[Count]]
LineLabels = dict[int, list[str]]
"""For each resume, by its place, a label per line."""
Recognise = Callable[[AnnotatedExample, list[str]], list[Entity]]


def run(
    data: Path | None = None,
    *,
    n: int = miner_inputs.RESUMES,
    seed: int = miner_inputs.SEED,
    progress: Progress = no_progress,
) -> Ablation:
    """On `n` generated IT resumes and, with `data`, on the annotated real ones found there."""
    materials = miner_inputs.load_materials(data, n, seed, progress=progress)
    figures: list[FeatureSetScore] = []
    checks: list[Check] = []
    for material in materials:
        figures += measure(material, progress=progress)
        checks += [grows(figures, material.name, label, SETS[0], SETS[-1]) for label in LABELS]
    return Ablation("Figure 10, concepts", miner_inputs.sizes(materials), figures, checks)


def measure(material: Material, *, progress: Progress = no_progress) -> list[FeatureSetScore]:
    parts = miner_inputs.folds(material.texts)
    counts: dict[str, Counts] = {}
    line_labels: dict[str | None, list[LineLabels]] = {None: [{} for _ in parts]}
    with miner_inputs.workers(material.prepared) as pool:
        for name, source in SOURCES.items():
            if source is not None and source not in line_labels:
                title = f"line labels by {source}, {material.name}"
                line_labels[source] = label_lines(pool, parts, source, title, progress)
            tasks = [(name, part, labels) for part, labels in zip(parts, line_labels[source], strict=True)]
            results = pool.map(partial(miner_inputs.on_resumes, count_fold), tasks)
            # Folds put together: the averages are over all documents.
            counted = list(with_progress(results, progress, f"recognizer {name}, {material.name}", len(tasks)))
            counts[name] = {label: [count for fold in counted for count in fold[label]] for label in LABELS}
    return [
        # Ours stands beside the fullest of the published sets.
        measured(material.name, label, name, counts[name][label], FIGURE_10[label, SETS[-1] if name == OURS else name])
        for label in LABELS
        for name in SOURCES
    ]


def label_lines(
    pool: ProcessPoolExecutor, parts: Sequence[Fold], source: str, title: str, progress: Progress
) -> list[LineLabels]:
    """What the segmenter says of every line, for each fold."""

    def label(tasks: Sequence[Fold]) -> Iterable[Labels]:
        results = pool.map(partial(miner_inputs.on_resumes, segmenter.label), [(source, task) for task in tasks])
        return with_progress(results, progress, title, len(tasks))

    return miner_inputs.labels_by_fold(parts, label)


def count_fold(resumes: Sequence[AnnotatedExample], task: tuple[str, Fold, LineLabels]) -> Counts:
    """Learn from the train resumes of a fold, and count what is found in the test ones."""
    name, part, line_labels = task
    learn = learn_ours if name == OURS else learn_published
    recognise = learn([(resumes[place], line_labels.get(place, [])) for place in part.train], name)
    counts: Counts = {label: [] for label in LABELS}
    for place in part.test:
        resume = resumes[place]
        found = find_mentions(resume.annotations.layout, recognise(resume, line_labels.get(place, [])))
        given = [(mention.start, mention.end, mention.label) for mention in found]
        expected = stretches(resume.example.spans)
        for label in LABELS:
            counts[label].append(count_spans(expected, given, label))
    return counts


def learn_published(known: Sequence[tuple[AnnotatedExample, list[str]]], name: str) -> Recognise:
    lexicons = published_lexicons()

    def page_of(resume: AnnotatedExample, labels: list[str]) -> FeaturePage:
        return FeaturePage(resume.annotations, labels, lexicons)

    sequences = []
    for resume, labels in known:
        tags = crf.word_tags(resume.annotations, resume.example.spans, LABELS)
        sequences += [
            crf.LabelledSequence(resume.example.id, names, tags[line.first : line.last])
            for line, names in zip(
                resume.annotations.layout.lines, word_places(page_of(resume, labels), name), strict=True
            )
            if names
        ]
    model = crf.train(sequences, SETTINGS)

    def recognise(resume: AnnotatedExample, labels: list[str]) -> list[Entity]:
        lines = word_places(page_of(resume, labels), name)
        scores = model.scores(names for line in lines for names in line)
        tags, chances = model.decode(scores, [len(line) for line in lines if line])
        chains = [range(line.first, line.last) for line in resume.annotations.layout.lines if line.first < line.last]
        return entities(resume.annotations, chains, tags, chances.max(1).tolist())

    return recognise


def learn_ours(known: Sequence[tuple[AnnotatedExample, list[str]]], name: str) -> Recognise:
    """The two recognizers of the miner, each on the lines that it is used on."""
    lexical = load_vocabulary().lexical
    resumes, line_labels = zip(*known, strict=True)
    recognizers = []
    for labels, choose in RECOGNIZED.values():
        model = crf.train_recognizer(resumes, line_labels, lexical, SETTINGS, labels=labels, choose=choose)
        recognizers.append((Recognizer(model, lexical), choose))

    def recognise(resume: AnnotatedExample, labels: list[str]) -> list[Entity]:
        views = view_words(resume.annotations, resume.facts, labels)
        results = [
            recognizer.recognise(views, choose(resume.annotations, labels)) for recognizer, choose in recognizers
        ]
        return [entity for result in results for entity in result.entities]

    return recognise


def stretches(spans: Sequence[LabelledSpan]) -> list[Stretch]:
    """The spans with the parts of what is broken over two lines put together."""
    whole: list[Stretch] = []
    for span in sorted(spans, key=lambda span: span.start):
        place = next((at for at in reversed(range(len(whole))) if whole[at][2] == span.label), None)
        if span.is_rest and place is not None:
            whole[place] = (whole[place][0], span.end, span.label)
        else:
            whole.append((span.start, span.end, span.label))
    return whole
