"""An employer's own labels to learn from: a CSV or JSON Lines file that names resume files and what they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evenhand.corpora.splits import resume_identity
from evenhand.errors import UsageError
from evenhand.models.inputs import ResumeInput
from evenhand.settings import Settings
from evenhand.workflows.competence_data import FIT_LABELS, CompetenceData, Example, Task, fit_data, level_data
from evenhand.workflows.job_reading import read_job
from evenhand.workflows.label_rows import ITEM, LABEL, read_rows, value_of
from evenhand.workflows.mining import mine_with_documents
from evenhand.workflows.model_inputs import resume_input
from evenhand.workflows.watching import Watch, unwatched, watched

LEAST = 20  # examples: fewer cannot be divided into three parts that say anything
JOB = ("job",)
APPLICANT = ("applicant",)


@dataclass(frozen=True, slots=True)
class LabelRow:
    file: Path
    label: str
    job: str | None
    applicant: str | None


@dataclass(frozen=True, slots=True)
class OwnData:
    """`unread` are files that gave no resume, with the reason."""

    data: CompetenceData
    unread: tuple[tuple[str, str], ...]


def own_data(
    task: Task,
    labels_file: Path,
    *,
    labels: Sequence[str] = (),
    seed: int = 0,
    as_of: str | None = None,
    settings: Settings | None = None,
    watch: Watch = unwatched,
) -> OwnData:
    """Columns file and label; for fit also job, a file with its text, and label is accept or reject.

    Names of files are relative to the folder of the labels. Two rows with the same text have the same applicant, as
    have those with the same value in a column applicant. `labels` give levels their order, the lowest first.
    """
    rows = read_label_rows(labels_file, task)
    known = _labels(task, rows, labels)
    inputs, unread = _inputs(rows, as_of, settings or Settings(), watch)
    examples = [
        Example(row.applicant or resume_identity(inputs[row.file].text), inputs[row.file], row.label, row.job)
        for row in rows
        if row.file in inputs
    ]
    if len(examples) < LEAST:
        raise UsageError(
            f"There are {len(examples)} labelled resumes that can be read; {LEAST} are needed at least."
        )
    about = f"{len(examples)} labelled resumes of {labels_file.name}"
    if task == "level":
        return OwnData(level_data(examples, labels=known, description=about, seed=seed), unread)
    texts = _job_texts(labels_file.parent, rows, settings or Settings())
    return OwnData(fit_data(examples, texts, description=about, seed=seed), unread)


def read_label_rows(labels_file: Path, task: Task) -> list[LabelRow]:
    found = []
    for number, row in read_rows(labels_file):
        label = value_of(row, LABEL, labels_file, number)
        job = value_of(row, JOB, labels_file, number) if task == "fit" else None
        applicant = value_of(row, APPLICANT, labels_file, number, optional=True) or None
        file = labels_file.parent / value_of(row, ITEM, labels_file, number)
        found.append(LabelRow(file, label, job, applicant))
    return found


def _labels(task: Task, rows: Sequence[LabelRow], labels: Sequence[str]) -> tuple[str, ...]:
    """All that are used must be known; where no order is given, levels have that of the alphabet."""
    used = {row.label for row in rows}
    known = FIT_LABELS if task == "fit" else tuple(labels) or tuple(sorted(used))
    if unknown := sorted(used - set(known)):
        raise UsageError(f"The label {unknown[0]!r} is none of {', '.join(known)}.")
    if len(known) < 2:
        raise UsageError("There is only one label; a model needs two at least.")
    return known


def _inputs(
    rows: Sequence[LabelRow], as_of: str | None, settings: Settings, watch: Watch
) -> tuple[dict[Path, ResumeInput], tuple[tuple[str, str], ...]]:
    files = list(dict.fromkeys(row.file for row in rows))
    stream = watched(mine_with_documents(files, as_of=as_of, settings=settings), watch, "resumes", len(files))
    inputs: dict[Path, ResumeInput] = {}
    unread = []
    for file, mined in zip(files, stream, strict=True):
        if mined.failure is not None:
            unread.append((str(file), mined.failure.message))
        else:
            inputs[file] = resume_input(mined.document, mined.profile)
    return inputs, tuple(unread)


def _job_texts(folder: Path, rows: Sequence[LabelRow], settings: Settings) -> dict[str, str]:
    names = dict.fromkeys(row.job for row in rows if row.job is not None)
    return {name: read_job(folder / name, settings).text for name in names}
