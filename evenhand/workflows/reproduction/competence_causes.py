"""Where the data carries its cause the published order must show: two planted tasks on the generated resumes.

In the first the sentence that decides stands behind token 512 of a resume, where a single sequence never reads. In the
second every resume has both sentences, and which of them stands in which section decides. Everything else is the
resumes' own text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.workflows.competence_data import CompetenceData, Example, level_data

RESUMES = 240
LABELS = ("shadowed", "supervised")
SENTENCES = {
    "shadowed": "Watched other coordinators at work and made coffee for the visitors of the department.",
    "supervised": "Supervised nine coordinators and signed the regulatory binder of every clinical trial.",
}
LONG_WORDS, SHORT_WORDS = 560, 60  # a word is a token at least
BEYOND, MEANING = "evidence behind token 512", "the same sentences in other sections"


@dataclass(frozen=True, slots=True)
class Cause:
    """A planted task: `better` reads what decides, `worse` cannot."""

    name: str
    better: str
    worse: str
    least: float  # points between them


CAUSES = (Cause(BEYOND, "C", "Wr", 10.0), Cause(MEANING, "C+I", "C", 0.0))


@dataclass(frozen=True, slots=True)
class CauseFigure:
    cause: str
    better: str
    worse: str
    better_accuracy: float  # per cent of the test part
    worse_accuracy: float
    least: float

    @property
    def holds(self) -> bool:
        return self.better_accuracy - self.worse_accuracy > self.least

    def to_json(self) -> dict[str, Any]:
        return {
            "cause": self.cause,
            self.better: self.better_accuracy,
            self.worse: self.worse_accuracy,
            "holds": self.holds,
        }


def planted_data(resumes: Sequence[ResumeInput], cause: str, *, seed: int) -> CompetenceData:
    """Half of the resumes with each label."""
    plant = _beyond if cause == BEYOND else _by_section
    examples = []
    for number, resume in enumerate(resumes):
        label, rng = LABELS[number % 2], np.random.default_rng([seed, number])
        examples.append(Example(str(number), plant(resume, label, rng), label))
    return level_data(examples, labels=LABELS, description=cause, seed=seed, is_generated=True)


def _beyond(resume: ResumeInput, label: str, rng: np.random.Generator) -> ResumeInput:
    """One long section: a sequence is trimmed at its end."""
    text = f"{_words(resume, LONG_WORDS, rng)} {SENTENCES[label]}"
    return ResumeInput((SectionText("Work Experience", text),))


def _by_section(resume: ResumeInput, label: str, rng: np.random.Generator) -> ResumeInput:
    other = LABELS[1 - LABELS.index(label)]
    work, activity = (f"{SENTENCES[which]} {_words(resume, SHORT_WORDS, rng)}" for which in (label, other))
    return ResumeInput((SectionText("Work Experience", work), SectionText("Activities", activity)))


def _words(resume: ResumeInput, number: int, rng: np.random.Generator) -> str:
    """So many of the resume's own, from anywhere in it; a short one is read again."""
    return " ".join(word for word, _ in zip(_again(resume.text.split(), rng), range(number), strict=False))


def _again(words: Sequence[str], rng: np.random.Generator) -> Iterator[str]:
    start = int(rng.integers(len(words)))
    while True:
        yield from words[start:]
        start = 0
