"""The trainings of `evenhand reproduce competence`, each kept as soon as it is done, so that a stopped run goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, cycle, islice
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

import numpy as np

from evenhand.mining.clinical_research import FEATURES
from evenhand.models.architectures import FIT_ARCHITECTURES, LEVEL_ARCHITECTURES
from evenhand.models.competence import BEST_ARCHITECTURES, train_competence
from evenhand.models.evaluation import Evaluation
from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.models.labelled_resumes import CompetenceData, CompetenceExample, Task, level_data
from evenhand.progress import Progress
from evenhand.records import canonical_json
from evenhand.records.conversion import JsonRecord, to_json
from evenhand_lab.reproduce.results import Check
from evenhand_lab.training.competence import CrcData

if TYPE_CHECKING:
    from evenhand.models.training.encoders import StateCache, Tuning
    from evenhand.models.training.loop import Schedule


# Where the data carries its cause the published order must show: two planted tasks on the generated resumes. In the
# first the sentence that decides stands behind token 512 of a resume, where a single sequence never reads. In the
# second every resume has both sentences, and which of them stands in which section decides. Everything else is the
# resumes' own text.

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

    @property
    def check(self) -> Check:
        more = f" by {self.least:g} points" if self.least else ""
        return Check(f"{self.cause}: {self.better} above {self.worse}{more}", self.holds)

    def to_json(self) -> dict[str, Any]:
        return {
            "cause": self.cause,
            self.better: self.better_accuracy,
            self.worse: self.worse_accuracy,
            "holds": self.holds,
        }


def planted_data(resumes: Sequence[ResumeInput], cause: str, *, seed: int) -> CompetenceData:
    """Half of the resumes with each label."""
    examples = []
    for number, resume in enumerate(resumes):
        label, other = LABELS[number % 2], LABELS[1 - number % 2]
        rng = np.random.default_rng([seed, number])
        if cause == BEYOND:  # one long section: a sequence is trimmed at its end
            sections = [SectionText("Work Experience", f"{_words(resume, LONG_WORDS, rng)} {SENTENCES[label]}")]
        else:
            work, activity = (f"{SENTENCES[which]} {_words(resume, SHORT_WORDS, rng)}" for which in (label, other))
            sections = [SectionText("Work Experience", work), SectionText("Activities", activity)]
        examples.append(CompetenceExample(str(number), ResumeInput(tuple(sections)), label))
    return level_data(examples, labels=LABELS, description=cause, seed=seed, is_generated=True)


def _words(resume: ResumeInput, number: int, rng: np.random.Generator) -> str:
    """So many of the resume's own, from anywhere in it; a short one is read again."""
    words = resume.text.split()
    start = int(rng.integers(len(words)))
    return " ".join(islice(chain(words[start:], cycle(words)), number))


PLAIN, WITH_FEATURES, LEVEL_IDS = "as published", "with mined features", "level ids for job texts"


@dataclass(frozen=True, slots=True)
class RunRequest:
    """One training that is wanted."""

    task: Task
    design: str
    variant: str
    seed: int

    @property
    def file(self) -> str:
        return f"{self.task} {self.design} {self.variant} {self.seed}.json".replace(" ", "_")


@dataclass(frozen=True, slots=True)
class CompetenceRun(JsonRecord):
    """What came of it. `confusion` has rows for what was predicted and columns for what is true."""

    task: Task
    design: str
    variant: str
    seed: int
    dev_accuracy: float
    labels: tuple[str, ...]
    confusion: tuple[tuple[int, ...], ...]
    majority: float
    ece: float
    epochs: int
    seconds: float
    cpu_seconds: float

    @property
    def test(self) -> Evaluation:
        return Evaluation(self.labels, np.array(self.confusion, np.int64), ordered=self.task == "level")

    def to_json(self) -> dict[str, Any]:
        return to_json(self) | {"test_accuracy": self.test.accuracy}


@dataclass(frozen=True, slots=True)
class Figure:
    """One network over its seeds, in per cent; a single seed has no deviation."""

    task: Task
    design: str
    variant: str
    dev: float
    dev_deviation: float
    test: float
    test_deviation: float
    runs: tuple[CompetenceRun, ...]

    @property
    def best_run(self) -> CompetenceRun:
        """As published, the single run that does best on the test part."""
        return max(self.runs, key=lambda run: run.test.accuracy)


def figure_of(runs: Sequence[CompetenceRun]) -> Figure:
    dev = [100 * run.dev_accuracy for run in runs]
    test = [100 * run.test.accuracy for run in runs]
    spreads = [stdev(values) if len(values) > 1 else 0.0 for values in (dev, test)]
    names = (runs[0].task, runs[0].design, runs[0].variant)
    return Figure(*names, fmean(dev), spreads[0], fmean(test), spreads[1], tuple(runs))


@dataclass(eq=False)
class Runner:
    """Does a training unless the work folder has it; all of them share what the frozen layers read."""

    data: CrcData
    work: Path
    schedule: Schedule
    tuning: Tuning
    states: StateCache
    progress: Progress
    encoder: str | Path | None = None
    features: Sequence[str] = FEATURES

    def figures(self, seeds: int) -> Iterator[Figure]:
        """The twelve networks; then, on the best of each task by its development part, what else is asked."""
        tasks: dict[Task, tuple[str, ...]] = {"level": LEVEL_ARCHITECTURES, "fit": FIT_ARCHITECTURES}
        for task, designs in tasks.items():
            plain = [self._figure(task, design, PLAIN, seeds) for design in designs]
            yield from plain
            best = max(plain, key=lambda figure: figure.dev).design
            # Also under the network that ships: below attention the encoder is frozen.
            for design in dict.fromkeys((best, BEST_ARCHITECTURES[task])):
                yield self._figure(task, design, WITH_FEATURES, seeds)
        yield self._figure("fit", best, LEVEL_IDS, seeds)

    def causes(self, resumes: Sequence[ResumeInput]) -> Iterator[CauseFigure]:
        """Both networks of each planted task; one seed, for these differences are large or a fault."""
        for cause in CAUSES:
            data = planted_data(resumes, cause.name, seed=0)
            better, worse = (
                100 * self.run(RunRequest("level", design, cause.name, 0), data).test.accuracy
                for design in (cause.better, cause.worse)
            )
            yield CauseFigure(cause.name, cause.better, cause.worse, better, worse, cause.least)

    def _figure(self, task: Task, design: str, variant: str, seeds: int) -> Figure:
        return figure_of([self.run(RunRequest(task, design, variant, seed)) for seed in range(seeds)])

    def run(self, order: RunRequest, data: CompetenceData | None = None) -> CompetenceRun:
        path = self.work / order.file
        if path.is_file():
            return CompetenceRun.from_json(json.loads(path.read_text(encoding="utf-8")))
        if data is None:
            data = self.data.level if order.task == "level" else self.data.fit
            if order.variant == LEVEL_IDS:  # what the text of a job adds to knowing which job it is
                data = replace(data, job_texts={key: key for key in data.job_texts})
        report = train_competence(
            order.task,
            data=data,
            architecture=order.design,
            seed=order.seed,
            features=self.features if order.variant == WITH_FEATURES else (),
            encoder=self.encoder,
            schedule=self.schedule,
            tuning=self.tuning,
            states=self.states,
            progress=self.progress,
        ).report
        run = CompetenceRun(
            order.task,
            order.design,
            order.variant,
            order.seed,
            report.dev_accuracy,
            report.test.labels,
            tuple(tuple(map(int, row)) for row in report.test.confusion),
            report.majority,
            report.ece,
            report.epochs,
            report.seconds,
            report.cpu_seconds,
        )
        # Whole or not at all: half a file would be taken for a run.
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(canonical_json(run.to_json()) + "\n", encoding="utf-8")
        part.replace(path)
        return run
