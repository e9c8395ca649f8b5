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
from evenhand_lab.corpora.kinds.crc_applications import level_text, sample_applied
from evenhand_lab.corpora.lexicon import stream
from evenhand_lab.training.competence import crc_data

# Which label of the shipped occupation models the occupations of generated resumes have; some have none.


LABELS: dict[str, tuple[str, ...]] = {
    "Accountant": ("ACCOUNTANT",),
    "Agriculture Specialist": ("AGRICULTURE",),
    "Arts Coordinator": ("ARTS",),
    "Banking Associate": ("BANKING",),
    "Business Development Manager": ("BUSINESS-DEVELOPMENT",),
    "Chef": ("CHEF",),
    "Civil Engineer": ("ENGINEERING",),
    "Construction Manager": ("CONSTRUCTION",),
    "Customer Support Representative": ("BPO",),
    "Data Analyst": ("INFORMATION-TECHNOLOGY",),
    "Digital Media Producer": ("DIGITAL-MEDIA",),
    "Electrician": ("CONSTRUCTION",),
    "Fitness Trainer": ("FITNESS",),
    "Flight Attendant": ("AVIATION",),
    "Graphic Designer": ("DESIGNER",),
    "HR Specialist": ("HR",),
    "Lawyer": ("ADVOCATE",),
    "Mechanical Engineer": ("ENGINEERING",),
    "Paralegal": ("ADVOCATE",),
    "Pharmacist": ("HEALTHCARE",),
    "Public Relations Specialist": ("PUBLIC-RELATIONS",),
    "Registered Nurse": ("HEALTHCARE",),
    "Sales Manager": ("SALES",),
    "Software Developer": ("INFORMATION-TECHNOLOGY", "Software_Developer"),
    "Teacher": ("TEACHER",),
    # Roles in information technology
    ".NET Developer": ("Software_Developer",),
    "Database Administrator": ("Database_Administrator",),
    "Front-End Developer": ("Front_End_Developer",),
    "Java Developer": ("Java_Developer",),
    "Network Engineer": ("Network_Administrator",),
    "Project Manager": ("Project_manager",),
    "Python Developer": ("Python_Developer",),
    "Unix Administrator": ("Systems_Administrator",),
}


def label_of(occupation: str, labels: Sequence[str]) -> str | None:
    """The occupation itself where a model knows it by that name; None where no label of the model says the same."""
    if occupation in labels:
        return occupation
    return next((label for label in LABELS.get(occupation, ()) if label in labels), None)


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
    for truth, groups, files in zip(*(corpus_folder.read_lines(folder / name) for name in FILES), strict=True):
        known = {name: _group(groups[name]) for name in VARIABLES if name in groups}
        yield truth, known, folder / files["files"][0]["path"]


def _label(task: ModelTask, truth: Mapping[str, Any], job: str | None, labels: Sequence[str]) -> str | None:
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
    return random.Random(f"{seed}-{truth['number']}").choice(sample_applied(own, truth["level"]))


def _group(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


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
