"""Examples for the two tasks of competence: which level an applicant has, and whether a resume fits a job.

No resume is in the first task twice; the second asks of every resume and job whether they go together, and its parts
share no applicant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from evenhand.corpora.splits import Split, resume_identity, split_by_applicant, split_stratified
from evenhand.errors import UsageError
from evenhand.models.inputs import ResumeInput

Task = Literal["level", "fit"]
ACCEPT, REJECT = "accept", "reject"
FIT_LABELS = (REJECT, ACCEPT)
LEVELS = ("NQ", "CRC1", "CRC2", "CRC3", "CRC4")  # of clinical research coordinators, the lowest first


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


def fit_label(applied: str, annotated: str) -> str:
    """Accepted at one's own level only: who is over-qualified is rejected too."""
    return ACCEPT if applied == annotated else REJECT


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
