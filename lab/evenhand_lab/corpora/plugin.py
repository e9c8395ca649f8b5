"""Generated resumes as a plug-in: what Evenhand asks for through the entry point `generated`."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evenhand.errors import UsageError
from evenhand.models.labelled_resumes import CompetenceData, Task, fit_label
from evenhand.models.manifest import Task as ModelTask
from evenhand.plugins import GeneratedResumes, LabelledCorpus, LabelledRow
from evenhand.progress import Progress
from evenhand_lab.corpora import folder as corpus_folder
from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.kinds.crc_applications import level_text, sample_applied
from evenhand_lab.corpora.lexicon import stream
from evenhand_lab.training.competence import crc_data

LABELS: Mapping[str, Sequence[str]] = lexicon.table("occupation_labels.toml")
"""By occupation, the labels of the shipped models that say the same."""


# A generated corpus as audits read it: every resume with its true label, the job applied for and its groups.
#
# Groups are read here and go to the audit alone.


VARIABLES = ("gender", "origin", "age_band", "place", "school_type", "career_gap")
FILES = ("truth.jsonl", "groups.jsonl", "files.jsonl")


def labelled_rows(task: ModelTask, folder: Path, labels: Sequence[str], seed: int) -> LabelledCorpus:
    """Labels are those of a model's `labels` that say the same; None where none does."""
    made = _made(folder)
    rows = []
    for truth, groups, file in _resumes(folder):
        number, level, occupation = int(truth["number"]), truth["level"], truth["occupation"]
        job = None
        if task == "fit" and level is not None:
            # One of the levels that the person applies for: two applications of one person would count as two people.
            applied = sample_applied(stream(int(made["seed"]), number, "applied levels"), level)
            job = random.Random(f"{seed}-{number}").choice(applied)
        names = (occupation, *LABELS.get(occupation, ())) if task == "occupation" else (level,)
        names = (fit_label(job, level),) if job else names
        rows.append(LabelledRow(file, next((name for name in names if name in labels), None), job, groups))
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
    for truth, groups, files in zip(*(corpus_folder.read_lines(folder / name) for name in FILES), strict=True):
        values = {name: groups[name] for name in VARIABLES if name in groups}
        words = {
            name: ("no", "yes")[value] if isinstance(value, bool) else str(value) for name, value in values.items()
        }
        yield truth, words, folder / files["files"][0]["path"]


class Generated:
    def competence_data(
        self, task: Task, n: int, seed: int, *, cache: Path | None, progress: Progress
    ) -> CompetenceData:
        made = crc_data(n, seed, cache=cache, progress=progress)
        return made.level if task == "level" else made.fit

    def labelled_rows(self, task: ModelTask, folder: Path, labels: Sequence[str], seed: int) -> LabelledCorpus:
        return labelled_rows(task, folder, labels, seed)

    def occupation_rows(self, folder: Path) -> LabelledCorpus:
        return occupation_rows(folder)


GENERATED: GeneratedResumes = Generated()
