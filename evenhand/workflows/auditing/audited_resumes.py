"""Resumes with true labels and groups to audit a model on: a generated corpus, or a folder with two tables beside.

Groups are read here and go to the audit alone; what the model is given (`ResumeInput`) is made without them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenhand.corpora.kinds.crc_applications import level_text, sample_applied
from evenhand.corpora.rng import stream
from evenhand.errors import UsageError
from evenhand.models.inputs import ResumeInput
from evenhand.models.manifest import Manifest, Task
from evenhand.settings import Settings
from evenhand.workflows import corpus_folder
from evenhand.workflows.annotation_files import ITEM, read_rows, value_of
from evenhand.workflows.auditing.occupation_labels import label_of
from evenhand.workflows.competence_data import fit_label
from evenhand.workflows.job_reading import read_job
from evenhand.workflows.labelled_resumes import read_label_rows
from evenhand.workflows.mining import mine_with_documents
from evenhand.workflows.model_inputs import resume_input
from evenhand.workflows.occupation_data import spread
from evenhand.workflows.watching import Watch, watched

VARIABLES = ("gender", "origin", "age_band", "place", "school_type", "career_gap")
LABELS, GROUPS = "labels.csv", "groups.csv"
NO_LABEL = "have an occupation or level for which the model has no label"
UNREAD = "could not be read"
LEAST = 30


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


@dataclass(frozen=True, slots=True)
class _Row:
    file: Path
    label: str | None
    job: str | None
    groups: Mapping[str, str]


def read_audited(
    task: Task,
    folder: Path,
    manifest: Manifest,
    *,
    variables: Sequence[str] | None,
    most: int | None,
    seed: int,
    settings: Settings,
    watch: Watch,
) -> AuditedSet:
    """UsageError where the folder holds neither sort, a variable is not there, or too few resumes are left."""
    is_generated = (folder / corpus_folder.ABOUT).is_file()
    about = corpus_folder.read_about(folder) if is_generated else None
    rows = list(_generated(task, folder, manifest, about, seed) if about else _own(task, folder, manifest))
    chosen = _chosen(variables, _variables(rows))
    labelled = [row for row in rows if row.label is not None]
    kept = spread(labelled, most)
    as_of = about["settings"]["as_of"] if about else None
    found, unread = _mined(kept, as_of, settings, watch)
    if len(found) < LEAST:
        raise UsageError(
            f"{folder} has {len(found)} resumes with a label and groups that can be read; {LEAST} are needed at least."
        )
    left_out = {NO_LABEL: len(rows) - len(labelled), UNREAD: unread}
    texts = _job_texts(folder, kept, is_generated, settings)
    made = about["settings"] if about else {}
    return AuditedSet(
        tuple(found),
        texts,
        chosen,
        _description(made, folder, len(found)),
        {reason: count for reason, count in left_out.items() if count},
        is_generated,
        str(made.get("kind", "")),
        made.get("seed"),
    )


def _generated(
    task: Task, folder: Path, manifest: Manifest, about: Mapping[str, Any], seed: int
) -> Iterator[_Row]:
    names = ("truth.jsonl", "groups.jsonl", "files.jsonl")
    for truth, groups, files in zip(
        *(corpus_folder.read_lines(folder / name) for name in names), strict=True
    ):
        job = _applied(truth, about, seed) if task == "fit" else None
        yield _Row(
            folder / files["files"][0]["path"],
            _label(task, truth, job, manifest),
            job,
            {name: _group(groups[name]) for name in VARIABLES if name in groups},
        )


def _label(task: Task, truth: Mapping[str, Any], job: str | None, manifest: Manifest) -> str | None:
    if task == "occupation":
        return label_of(truth["occupation"], manifest.labels)
    level: str | None = truth["level"]
    found = fit_label(job, level) if job and level else level
    return found if found in manifest.labels else None


def _applied(truth: Mapping[str, Any], about: Mapping[str, Any], seed: int) -> str | None:
    """One of the levels that the person applies for: two applications of one person would count as two people."""
    if truth["level"] is None:
        return None
    own = stream(int(about["settings"]["seed"]), int(truth["number"]), "applied levels")
    return random.Random(f"{seed}-{truth['number']}").choice(sample_applied(own, truth["level"]))  # noqa: S311


def _group(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _own(task: Task, folder: Path, manifest: Manifest) -> Iterator[_Row]:
    for name in (LABELS, GROUPS):
        if not (folder / name).is_file():
            raise UsageError(
                f"{folder} holds no generated corpus and no {name}: an audit needs {LABELS} (file, label) and "
                f"{GROUPS} (file, and a column for each variable)."
            )
    groups = _own_groups(folder)
    for row in read_label_rows(folder / LABELS, "fit" if task == "fit" else "level"):
        if row.label not in manifest.labels:
            raise UsageError(f"The label {row.label!r} is none of the model's: {', '.join(manifest.labels)}.")
        yield _Row(row.file, row.label, row.job, groups.get(str(row.file), {}))


def _own_groups(folder: Path) -> dict[str, dict[str, str]]:
    path = folder / GROUPS
    return {
        str(folder / value_of(row, ITEM, path, number)): {
            name: value for name, value in row.items() if name not in ITEM and value
        }
        for number, row in read_rows(path)
    }


def _variables(rows: Sequence[_Row]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row.groups))


def _chosen(wanted: Sequence[str] | None, known: Sequence[str]) -> tuple[str, ...]:
    if not known:
        raise UsageError("Nothing is known of the groups of these resumes.")
    for name in wanted or ():
        if name not in known:
            raise UsageError(f"There is no variable {name!r}; there are {', '.join(known)}.")
    return tuple(wanted) if wanted else tuple(known)


def _mined(
    rows: Sequence[_Row], as_of: str | None, settings: Settings, watch: Watch
) -> tuple[list[AuditedResume], int]:
    files = [row.file for row in rows]
    stream_of = mine_with_documents(files, as_of=as_of, settings=settings)
    found, unread = [], 0
    for row, mined in zip(rows, watched(stream_of, watch, "Reading resumes", len(files)), strict=True):
        if mined.is_failed or row.label is None:
            unread += 1
            continue
        given = resume_input(mined.document, mined.profile)
        found.append(AuditedResume(given, row.label, row.job, row.groups, mined.profile.total_months))
    return found, unread


def _job_texts(folder: Path, rows: Sequence[_Row], is_generated: bool, settings: Settings) -> dict[str, str]:
    names = sorted(Counter(row.job for row in rows if row.job is not None))
    return {
        name: level_text(name) if is_generated else read_job(folder / name, settings).text for name in names
    }


def _description(made: Mapping[str, Any], folder: Path, number: int) -> str:
    if not made:
        return f"{number} resumes of the folder {folder.name}, with the labels and groups beside them"
    return (
        f"{number} generated resumes (kind {made['kind']}, seed {made['seed']}, of {made['n']}), "
        "with the groups that they were generated with"
    )
