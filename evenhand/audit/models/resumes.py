"""Resumes with true labels and groups to audit a model on: a generated corpus, or a folder with two tables beside.

Groups are read here and go to the audit alone; what the model is given (`ResumeInput`) is made without them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from evenhand.errors import UsageError
from evenhand.mining.pipeline import mine_with_documents, read_job
from evenhand.models.inputs import ResumeInput, resume_input
from evenhand.models.labelled_resumes import ITEM, read_label_rows, read_rows, value_of
from evenhand.models.manifest import Manifest, Task
from evenhand.plugins import LabelledCorpus, LabelledRow, generated_resumes, is_corpus
from evenhand.progress import Progress, with_progress
from evenhand.settings import Settings

Row = TypeVar("Row")
LABELS, GROUPS = "labels.csv", "groups.csv"
NO_LABEL = "have an occupation or level for which the model has no label"
UNREAD = "could not be read"
MIN_RESUMES = 30


@dataclass(frozen=True, slots=True)
class AuditedResume:
    """`groups` by variable, absent where it is not known; `job` a key of the job texts."""

    resume: ResumeInput
    label: str
    job: str | None
    groups: Mapping[str, str]
    months: int | None  # of experience, as mined


@dataclass(frozen=True, slots=True)
class AuditedSet:
    """`left_out` says why and how many; `about` what the set is, for a person to read."""

    resumes: tuple[AuditedResume, ...]
    job_texts: Mapping[str, str]
    variables: tuple[str, ...]
    about: str
    left_out: Mapping[str, int]
    is_generated: bool
    kind: str = ""
    seed: int | None = None


def read_audited(
    task: Task,
    folder: Path,
    manifest: Manifest,
    *,
    variables: Sequence[str] | None,
    most: int | None,
    seed: int,
    settings: Settings,
    progress: Progress,
) -> AuditedSet:
    """UsageError where the folder holds neither sort, a variable is not there, or too few resumes are left."""
    corpus = generated_resumes().labelled_rows(task, folder, manifest.labels, seed) if is_corpus(folder) else None
    rows = list(corpus.rows if corpus else _own(task, folder, manifest))
    known = list(dict.fromkeys(name for row in rows for name in row.groups))
    if not known:
        raise UsageError("Nothing is known of the groups of these resumes.")
    for name in variables or ():
        if name not in known:
            raise UsageError(f"There is no variable {name!r}; there are {', '.join(known)}.")
    labelled = [row for row in rows if row.label is not None]
    chosen_rows = spread(labelled, most)
    resumes, unread = _mined(chosen_rows, corpus.as_of if corpus else None, settings, progress)
    if len(resumes) < MIN_RESUMES:
        raise UsageError(
            f"{folder} has {len(resumes)} resumes with a label and groups that can be read; "
            f"{MIN_RESUMES} are needed at least."
        )
    left_out = {NO_LABEL: len(rows) - len(labelled), UNREAD: unread}
    about = f"{len(resumes)} resumes of the folder {folder.name}, with the labels and groups beside them"
    if corpus is not None:
        about = (
            f"{len(resumes)} generated resumes (kind {corpus.kind}, seed {corpus.seed}, of {corpus.n}), "
            "with the groups that they were generated with"
        )
    return AuditedSet(
        resumes=tuple(resumes),
        job_texts=_job_texts(folder, chosen_rows, corpus, settings),
        variables=tuple(variables or known),
        about=about,
        left_out={reason: count for reason, count in left_out.items() if count},
        is_generated=corpus is not None,
        kind=corpus.kind if corpus else "",
        seed=corpus.seed if corpus else None,
    )


def spread(rows: list[Row], n: int | None) -> list[Row]:
    """`n` of them, from beginning to end: sets are sorted by label."""
    if n is None or n >= len(rows):
        return rows
    return [rows[at * len(rows) // n] for at in range(n)]


def _own(task: Task, folder: Path, manifest: Manifest) -> Iterator[LabelledRow]:
    for name in (LABELS, GROUPS):
        if not (folder / name).is_file():
            raise UsageError(
                f"{folder} holds no generated corpus and no {name}: an audit needs {LABELS} (file, label) and "
                f"{GROUPS} (file, and a column for each variable)."
            )
    path = folder / GROUPS
    groups = {
        str(folder / value_of(row, ITEM, path, number)): {
            name: value for name, value in row.items() if name not in ITEM and value
        }
        for number, row in read_rows(path)
    }
    for row in read_label_rows(folder / LABELS, "fit" if task == "fit" else "level"):
        if row.label not in manifest.labels:
            raise UsageError(f"The label {row.label!r} is none of the model's: {', '.join(manifest.labels)}.")
        yield LabelledRow(row.file, row.label, row.job, groups.get(str(row.file), {}))


def _mined(
    rows: Sequence[LabelledRow], as_of: str | None, settings: Settings, progress: Progress
) -> tuple[list[AuditedResume], int]:
    files = [row.file for row in rows]
    stream_of = mine_with_documents(files, as_of=as_of, settings=settings)
    resumes, unread = [], 0
    for row, mined in zip(rows, with_progress(stream_of, progress, "Reading resumes", len(files)), strict=True):
        if mined.is_failed or row.label is None:
            unread += 1
            continue
        given = resume_input(mined.document, mined.profile)
        resumes.append(AuditedResume(given, row.label, row.job, row.groups, mined.profile.total_months))
    return resumes, unread


def _job_texts(
    folder: Path, rows: Sequence[LabelledRow], corpus: LabelledCorpus | None, settings: Settings
) -> dict[str, str]:
    names = sorted(Counter(row.job for row in rows if row.job is not None))
    if corpus is not None:
        return {name: corpus.job_texts[name] for name in names}
    return {name: read_job(folder / name, settings).text for name in names}
