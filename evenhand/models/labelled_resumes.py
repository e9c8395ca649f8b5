"""An employer's own labels to learn from: a CSV or JSON Lines file that names resume files and what they are."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from evenhand.errors import UsageError
from evenhand.mining.pipeline import mine_with_documents, read_job
from evenhand.models.inputs import ResumeInput, resume_input
from evenhand.models.splits import Split, resume_identity, split_by_applicant, split_stratified
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.settings import Settings

# Examples for the two tasks of competence: which level an applicant has, and whether a resume fits a job.
#
# No resume is in the first task twice; the second asks of every resume and job whether they go together, and
# its parts share no applicant.


Task = Literal["level", "fit"]
ACCEPT, REJECT = "accept", "reject"
FIT_LABELS = (REJECT, ACCEPT)
LEVELS = ("NQ", "CRC1", "CRC2", "CRC3", "CRC4")  # of clinical research coordinators, the lowest first


@dataclass(frozen=True, slots=True)
class CompetenceExample:
    """`job` is a key of the job texts, None where the task has no job; `applicant` whose resume it is."""

    applicant: str
    resume: ResumeInput
    label: str
    job: str | None = None


@dataclass(frozen=True, slots=True)
class CompetenceData:
    """What one task learns from, in three parts; `labels` in ascending order where they have one."""

    task: Task
    labels: tuple[str, ...]
    split: Split[CompetenceExample]
    job_texts: Mapping[str, str]
    description: str
    is_generated: bool = False

    @property
    def majority(self) -> float:
        """Accuracy on the test part of whoever always says the commonest label of the training part."""
        counts = [example.label for example in self.split.train]
        commonest = max(self.labels, key=counts.count)
        return sum(example.label == commonest for example in self.split.test) / len(self.split.test)


def fit_label(applied: str, annotated: str) -> str:
    """Accepted at one's own level only: who is over-qualified is rejected too."""
    return ACCEPT if applied == annotated else REJECT


def level_data(
    examples: Sequence[CompetenceExample],
    *,
    labels: tuple[str, ...] = LEVELS,
    description: str,
    seed: int,
    is_generated: bool = False,
) -> CompetenceData:
    """75 : 10 : 15 of every level. A resume that is there twice would be learned and then tested."""
    identities = {resume_identity(example.resume.text) for example in examples}
    if len(identities) < len(examples):
        raise UsageError(f"{len(examples) - len(identities)} resumes stand in the data more than once.")
    split = split_stratified(examples, lambda example: example.label, seed=seed)
    return CompetenceData("level", labels, split, {}, description, is_generated)


def fit_data(
    examples: Sequence[CompetenceExample],
    job_texts: Mapping[str, str],
    *,
    description: str,
    seed: int,
    is_generated: bool = False,
) -> CompetenceData:
    """No applicant in two parts; every applied job keeps its share of accepted and rejected in each."""
    split = split_by_applicant(
        examples,
        applicant=lambda example: example.applicant,
        stratum=lambda example: (example.job, example.label),
        seed=seed,
    )
    return CompetenceData("fit", FIT_LABELS, split, job_texts, description, is_generated)


# Rows of tables in files of people's own, such as labels of resumes: CSV with a head, or JSON Lines.

ITEM = ("item", "file", "id", "resume")
LABEL = ("label", "level")
JSON_ENDINGS = (".jsonl", ".ndjson", ".json")
Row = Mapping[str, str]


def read_rows(path: Path) -> Iterator[tuple[int, Row]]:
    """With their numbers, as a person would count them."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text.") from error
    if path.suffix.lower() in JSON_ENDINGS:
        yield from _json_rows(path, text)
        return
    for number, row in enumerate(csv.DictReader(text.splitlines()), start=2):
        yield number, {(name or "").strip().lower(): _plain(value) for name, value in row.items() if name}


def _json_rows(path: Path, text: str) -> Iterator[tuple[int, Row]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise UsageError(f"{path}, row {number} is not JSON.") from error
        if not isinstance(row, dict):
            raise UsageError(f"{path}, row {number} is not a JSON object.")
        yield number, {str(name).lower(): "" if value is None else str(value) for name, value in row.items()}


def _plain(value: str | None) -> str:
    """Without the apostrophe that keeps a spreadsheet from computing what we wrote into a cell."""
    text = (value or "").strip()
    return text[1:] if text[:1] == "'" and text[1:2] in ("=", "+", "-", "@") else text


def value_of(row: Row, names: Sequence[str], path: Path, number: int, *, optional: bool = False) -> str:
    for name in names:
        if value := row.get(name.lower(), "").strip():
            return value
    if optional:
        return ""
    raise UsageError(f"{path}, row {number} has nothing in a column {' or '.join(names)}.")


MIN_EXAMPLES = 20  # examples: fewer cannot be divided into three parts that say anything
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
    progress: Progress = no_progress,
) -> OwnData:
    """Columns file and label; for fit also job, a file with its text, and label is accept or reject.

    Names of files are relative to the folder of the labels. Two rows with the same text have the same applicant, as
    have those with the same value in a column applicant. `labels` give levels their order, the lowest first.
    """
    rows = read_label_rows(labels_file, task)
    known = _labels(task, rows, labels)
    inputs, unread = _inputs(rows, as_of, settings or Settings(), progress)
    examples = [
        CompetenceExample(row.applicant or resume_identity(inputs[row.file].text), inputs[row.file], row.label, row.job)
        for row in rows
        if row.file in inputs
    ]
    if len(examples) < MIN_EXAMPLES:
        raise UsageError(
            f"There are {len(examples)} labelled resumes that can be read; {MIN_EXAMPLES} are needed at least."
        )
    about = f"{len(examples)} labelled resumes of {labels_file.name}"
    if task == "level":
        return OwnData(level_data(examples, labels=known, description=about, seed=seed), unread)
    names = dict.fromkeys(row.job for row in rows if row.job is not None)
    texts = {name: read_job(labels_file.parent / name, settings or Settings()).text for name in names}
    return OwnData(fit_data(examples, texts, description=about, seed=seed), unread)


def read_label_rows(labels_file: Path, task: Task) -> list[LabelRow]:
    rows = []
    for number, row in read_rows(labels_file):
        label = value_of(row, LABEL, labels_file, number)
        job = value_of(row, JOB, labels_file, number) if task == "fit" else None
        applicant = value_of(row, APPLICANT, labels_file, number, optional=True) or None
        file = labels_file.parent / value_of(row, ITEM, labels_file, number)
        rows.append(LabelRow(file, label, job, applicant))
    return rows


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
    rows: Sequence[LabelRow], as_of: str | None, settings: Settings, progress: Progress
) -> tuple[dict[Path, ResumeInput], tuple[tuple[str, str], ...]]:
    files = list(dict.fromkeys(row.file for row in rows))
    stream = with_progress(mine_with_documents(files, as_of=as_of, settings=settings), progress, "resumes", len(files))
    inputs: dict[Path, ResumeInput] = {}
    unread = []
    for file, mined in zip(files, stream, strict=True):
        if mined.failure is not None:
            unread.append((str(file), mined.failure.message))
        else:
            inputs[file] = resume_input(mined.document, mined.profile)
    return inputs, tuple(unread)
