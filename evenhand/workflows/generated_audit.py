"""A generated corpus as audits read it: every resume with its true label, the job applied for and its groups.

Groups are read here and go to the audit alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evenhand.corpora.kinds.crc_applications import level_text, sample_applied
from evenhand.corpora.rng import stream
from evenhand.errors import UsageError
from evenhand.models.manifest import Task
from evenhand.plugins import LabelledCorpus, LabelledRow
from evenhand.workflows import corpus_folder
from evenhand.workflows.auditing.occupation_labels import label_of
from evenhand.workflows.competence_data import fit_label

VARIABLES = ("gender", "origin", "age_band", "place", "school_type", "career_gap")
FILES = ("truth.jsonl", "groups.jsonl", "files.jsonl")


def labelled_rows(task: Task, folder: Path, labels: Sequence[str], seed: int) -> LabelledCorpus:
    """Labels are those of a model's `labels` that say the same; None where none does."""
    made = _made(folder)
    rows = []
    for truth, groups, file in _resumes(folder):
        job = _applied(truth, int(made["seed"]), seed) if task == "fit" else None
        rows.append(LabelledRow(file, _label(task, truth, job, labels), job, groups))
    return _corpus(rows, made)


def occupation_rows(folder: Path) -> LabelledCorpus:
    made = _made(folder)
    rows = [LabelledRow(file, truth["occupation"], None, groups) for truth, groups, file in _resumes(folder)]
    return _corpus(rows, made)


def _made(folder: Path) -> Mapping[str, Any]:
    """What the corpus was made with."""
    about = corpus_folder.read_about(folder)
    if not about:
        raise UsageError(f"{folder} is no generated corpus: evenhand corpus generate makes one.")
    made: Mapping[str, Any] = about["settings"]
    return made


def _corpus(rows: Sequence[LabelledRow], made: Mapping[str, Any]) -> LabelledCorpus:
    jobs = sorted({row.job for row in rows if row.job is not None})
    texts = {job: level_text(job) for job in jobs}
    return LabelledCorpus(tuple(rows), texts, made["as_of"], made["kind"], made["seed"], made["n"])


def _resumes(folder: Path) -> Iterator[tuple[Mapping[str, Any], Mapping[str, str], Path]]:
    """The truth about each, its groups and its file."""
    for truth, groups, files in zip(
        *(corpus_folder.read_lines(folder / name) for name in FILES), strict=True
    ):
        known = {name: _group(groups[name]) for name in VARIABLES if name in groups}
        yield truth, known, folder / files["files"][0]["path"]


def _label(task: Task, truth: Mapping[str, Any], job: str | None, labels: Sequence[str]) -> str | None:
    if task == "occupation":
        return label_of(truth["occupation"], labels)
    level: str | None = truth["level"]
    found = fit_label(job, level) if job and level else level
    return found if found in labels else None


def _applied(truth: Mapping[str, Any], made_with: int, seed: int) -> str | None:
    """One of the levels that the person applies for: two applications of one person would count as two people."""
    if truth["level"] is None:
        return None
    own = stream(made_with, int(truth["number"]), "applied levels")
    return random.Random(f"{seed}-{truth['number']}").choice(sample_applied(own, truth["level"]))  # noqa: S311


def _group(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
