"""Examples for the two tasks of competence: which level an applicant has, and whether a resume fits a job.

As in the study: applications are made unique within a level, and for the first task across levels too, where the
highest application of a resume stays. The second asks of every resume and applied level whether both are the same; its
parts share no applicant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from evenhand.corpora.dedup import Application, Stages, dedup, resume_identity
from evenhand.corpora.kinds.crc_applications import APPLIED, is_accepted, level_text
from evenhand.corpora.kinds.crc_guideline import LEVELS
from evenhand.corpora.splits import Split, split_by_applicant, split_stratified
from evenhand.errors import UsageError
from evenhand.models.inputs import ResumeInput
from evenhand.workflows.competence_corpus import MinedApplicant, mined_applicants
from evenhand.workflows.model_inputs import input_of_text
from evenhand.workflows.watching import Watch, unwatched

Task = Literal["level", "fit"]
ACCEPT, REJECT = "accept", "reject"
FIT_LABELS = (REJECT, ACCEPT)


@dataclass(frozen=True, slots=True)
class Example:
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
    split: Split[Example]
    job_texts: Mapping[str, str]
    description: str
    is_generated: bool = False

    @property
    def majority(self) -> float:
        """Accuracy on the test part of whoever always says the commonest label of the training part."""
        counts = [example.label for example in self.split.train]
        commonest = max(self.labels, key=counts.count)
        return sum(example.label == commonest for example in self.split.test) / len(self.split.test)

    def job_text(self, example: Example) -> str | None:
        return None if example.job is None else self.job_texts[example.job]


@dataclass(frozen=True, slots=True)
class CrcData:
    """Both tasks of one generated corpus, and how many applications were left at each stage."""

    level: CompetenceData
    fit: CompetenceData
    stages: Stages
    left_out: int  # not clearly structured


def crc_data(n: int, seed: int, *, cache: Path | None = None, watch: Watch = unwatched) -> CrcData:
    """From `n` generated applicants, read from their files and mined."""
    return crc_data_of(mined_applicants(n, seed, cache=cache, watch=watch), seed=seed)


def crc_data_of(applicants: Sequence[MinedApplicant], *, seed: int) -> CrcData:
    selected = {str(each.number): each for each in applicants if each.is_selected}
    stages = dedup(Application(number, level) for number, each in selected.items() for level in each.applied)
    inputs = {number: input_of_text(each.text, each.profile) for number, each in selected.items()}
    origin = f"{len(selected)} generated applicants for clinical research posts (seed {seed})"
    return CrcData(
        level_data(
            [
                Example(kept.resume, inputs[kept.resume], selected[kept.resume].level)
                for kept in stages.across_levels
            ],
            description=f"{origin}, with the levels that a generated annotator gives them",
            seed=seed,
            is_generated=True,
        ),
        fit_data(
            [
                Example(
                    kept.resume,
                    inputs[kept.resume],
                    fit_label(kept.level, selected[kept.resume].level),
                    kept.level,
                )
                for kept in stages.within_level
            ],
            {level: level_text(level) for level in APPLIED},
            description=f"{len(stages.within_level)} applications of {origin}",
            seed=seed,
            is_generated=True,
        ),
        stages,
        len(applicants) - len(selected),
    )


def fit_label(applied: str, annotated: str) -> str:
    """Accepted at one's own level only: who is over-qualified is rejected too."""
    return ACCEPT if is_accepted(applied, annotated) else REJECT


def level_data(
    examples: Sequence[Example],
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
    split = split_stratified(examples, _label, seed=seed)
    return CompetenceData("level", labels, split, {}, description, is_generated)


def fit_data(
    examples: Sequence[Example],
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


def with_level_ids(data: CompetenceData) -> CompetenceData:
    """The same with each job's key in place of its text: what the text of a job adds to knowing which one it is."""
    return replace(data, job_texts={key: key for key in data.job_texts})


def mapped(data: CompetenceData, change: Callable[[ResumeInput], ResumeInput]) -> CompetenceData:
    """The same with every resume changed."""
    parts = (
        tuple(replace(example, resume=change(example.resume)) for example in part)
        for part in (data.split.train, data.split.dev, data.split.test)
    )
    return replace(data, split=Split(*parts))


def _label(example: Example) -> str:
    return example.label
