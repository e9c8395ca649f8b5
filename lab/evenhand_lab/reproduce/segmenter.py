"""`evenhand reproduce segmenter`: blocks under RS-1, RS-2, RS-3 and our features, beside Figure 9."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from evenhand.mining.layout import ResumeLayout
from evenhand.mining.segmenter import label_lines
from evenhand.progress import Progress, no_progress, with_progress
from evenhand_lab.benchmarks.fact_scores import count_spans
from evenhand_lab.reproduce import miner_inputs
from evenhand_lab.reproduce.miner_inputs import Fold, Labels, Material
from evenhand_lab.reproduce.published_features import FeaturePage, line_places
from evenhand_lab.reproduce.results import OURS, Ablation, Check, FeatureSetScore, grows, measured, published_scores
from evenhand_lab.training.crf import AnnotatedExample, LabelledSequence, TrainingSettings, train, train_segmenter

SETS = ("RS-1", "RS-2", "RS-3")
SETTINGS = TrainingSettings(l2=1.0, iterations=60)
PERSONAL, EDUCATION, PROJECT, OTHER = "personal", "education", "project", "other"
BEGIN = "project begins"  # a project block may follow another at once
WORK = ("experience", "projects")
BEGINNING = ("entry", "project")
BLOCKS = (EDUCATION, PROJECT)
FIGURE_9 = published_scores("figure_9")
Block = tuple[int, int, str]


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
        checks.append(grows(figures, material.name, EDUCATION, SETS[0], SETS[-1]))
    return Ablation("Figure 9, segmentation", miner_inputs.sizes(materials), figures, checks)


def measure(material: Material, *, progress: Progress = no_progress) -> list[FeatureSetScore]:
    parts = miner_inputs.folds(material.texts)
    names = (*SETS, OURS)
    tasks = [(name, part) for name in names for part in parts]
    labels_by_set: dict[str, dict[int, list[str]]] = {name: {} for name in names}
    with miner_inputs.workers(material.prepared) as pool:
        results = pool.map(partial(miner_inputs.on_resumes, label), tasks)
        stream = with_progress(results, progress, f"segmenter, {material.name}", len(tasks))
        for (name, part), labels in zip(tasks, stream, strict=True):
            labels_by_set[name] |= zip(part.test, labels, strict=True)
    layouts = [(place, resume, resume.annotations.layout) for place, resume in enumerate(material.prepared)]
    scores = []
    for block in BLOCKS:
        for name in names:
            counts = [
                count_spans(blocks(layout, resume.line_labels), blocks(layout, labels_by_set[name][place]), block)
                for place, resume, layout in layouts
            ]
            # Ours stands beside the fullest of the published sets.
            published = FIGURE_9[block, SETS[-1] if name == OURS else name]
            scores.append(measured(material.name, block, name, counts, published))
    return scores


def label(resumes: Sequence[AnnotatedExample], task: tuple[str, Fold]) -> Labels:
    """Labels for the lines of a fold's test, learned from the rest: our own, or the published ones by their sets."""
    name, part = task
    known, new = ([resumes[place] for place in places] for places in (part.train, part.test))
    if name == OURS:
        model = train_segmenter(known, SETTINGS)
        return [[label.name for label in label_lines(model, resume.annotations, resume.facts)] for resume in new]

    def places(resume: AnnotatedExample) -> list[list[str]]:
        return line_places(FeaturePage(resume.annotations, [], {}), name)

    sequences = [
        LabelledSequence(resume.example.id, places(resume), list(map(reduced, resume.line_labels))) for resume in known
    ]
    model = train(sequences, SETTINGS)
    return [model.tag(places(resume))[0] for resume in new]


def reduced(label: str) -> str:
    """One of the published labels: a work section is a row of projects, its heading belongs to none of them."""
    type_, _, role = label.partition(".")
    if type_ in WORK:
        return OTHER if role == "heading" else BEGIN if role in BEGINNING else PROJECT
    return type_ if type_ in (PERSONAL, EDUCATION, PROJECT, BEGIN) else OTHER


def blocks(layout: ResumeLayout, labels: Sequence[str]) -> list[Block]:
    """Runs of lines of one published label, from the start of the first to the end of the last."""
    found: list[Block] = []
    before = None
    for line, label in zip(layout.lines, map(reduced, labels), strict=True):
        name = PROJECT if label == BEGIN else label
        if name == before and label != BEGIN:
            found[-1] = (found[-1][0], line.end, name)
        else:
            found.append((line.start, line.end, name))
        before = name
    return found
