"""`evenhand reproduce attribution`: a published example of integrated gradients beside ours, and every method and
baseline on real resumes: whether scores add up, whether they name what the model goes by, and how long they take."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean
from typing import ClassVar

from evenhand.audit.models.resumes import spread
from evenhand.audit.statistics import ConfidenceInterval
from evenhand.explain.paragraph import spoken
from evenhand.explain.run import mine_source, open_explainer
from evenhand.mining.pipeline import MinedResume
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.settings import Settings
from evenhand_lab.benchmarks.kit import Measurement, bootstrap_mean, in_brackets, share
from evenhand_lab.corpora.sets.occupations import read_livecareer
from evenhand_lab.reproduce.results import Check, check_rows
from evenhand_lab.training.occupation_data import AS_OF, LIVECAREER, labelled_folder, mine_without_first_line

SENTENCE = (  # the input of the published figure
    "Senior Java developer with 10+ years experience in backend systems, cloud, and microservices."
)
LABEL = "Java_Developer"
PUBLISHED = {"java": 0.61, "developer": 0.18, "senior": 0.02}  # probability, read off the bars
RESUMES = 200
WAYS = (
    ("ig", "pad", None),
    ("ig", "average", None),
    ("ig", "negatives", None),
    ("ig", "random", None),
    ("occlusion", "pad", "line"),
    ("occlusion", "pad", "word"),
)
MIN_CONVERGED, MIN_BETTER = 0.99, 0.95


@dataclass(frozen=True, slots=True)
class WordRow:
    """`score` in logits; `share` of all that the words say for the label."""

    word: str
    published: float | None
    score: float
    share: float


@dataclass(frozen=True, slots=True)
class WayRow:
    """One method from one baseline over all resumes: means, and shares of resumes."""

    method: str
    baseline: str
    unit: str | None
    resumes: int
    converged: int  # resumes
    largest_delta: float
    comprehensiveness: float
    sufficiency: float
    random: float
    better: int  # than random, of `measured`
    measured: int
    more: ConfidenceInterval | None  # of comprehensiveness less that of random words, drawing resumes
    seconds: float

    @property
    def name(self) -> str:
        return self.method if self.unit is None else f"{self.method}, {self.unit}"

    def __str__(self) -> str:
        return (
            f"converged {share(self.converged, self.resumes)}, largest delta {self.largest_delta:.1g}; "
            f"comprehensiveness {self.comprehensiveness:.2f}, of random words {self.random:.2f}, difference"
            f"{in_brackets(self.more, 2)}, better {share(self.better, self.measured)}; sufficiency "
            f"{self.sufficiency:.2f}; {self.seconds:.2f} s per resume"
        )


@dataclass(frozen=True, slots=True)
class Attributions(Measurement):
    title: ClassVar[str] = "a published example, and methods and baselines on real resumes"
    words: list[WordRow]
    probability: float
    ways: list[WayRow]
    checks: list[Check]
    seconds: float

    def rows(self) -> list[tuple[str, str]]:
        rows = []
        for row in self.words:
            published = "" if row.published is None else f"{row.published:.2f}; "
            value = f"{published}{row.score:+.2f}, {row.share:.0%}"
            rows.append((f"{row.word}: published (probability), ours (logits, share)", value))
        rows += [(f"{way.name}, {way.baseline}: {way.resumes} resumes", str(way)) for way in self.ways]
        rows += check_rows(self.checks, "holds", "does not hold")
        return [*rows, ("wall time", f"{self.seconds / 60:.1f} min")]


def run(
    data: Path | None = None, *, n: int | None = None, small: bool = False, progress: Progress = no_progress
) -> Attributions:
    """The example always; with `data`, `n` real resumes by every method and baseline."""
    started = time.perf_counter()
    words, probability = explain_example()
    ways: list[WayRow] = []
    if data is not None:
        rows = spread(list(read_livecareer(labelled_folder(data, LIVECAREER))), n or (3 if small else RESUMES))
        # Without their first lines, which name the occupation; files that cannot be read are left out.
        resumes = [mined for mined in mine_without_first_line(rows, progress) if not mined.is_failed]
        ways = [measure(resumes, *way, progress=progress) for way in (WAYS[:5] if small else WAYS)]
    return Attributions(words, probability, ways, check(words, ways), time.perf_counter() - started)


def explain_example() -> tuple[list[WordRow], float]:
    """The strongest words first."""
    explainer = open_explainer("occupation", model="it-roles")
    mined = mine_source(SENTENCE.encode(), as_of=AS_OF, settings=Settings())
    (found,) = explainer.explain(mined.document, mined.profile, target=LABEL)
    every = [*spoken(found.explanation.words, sign=1), *spoken(found.explanation.words, sign=-1)]
    total = sum(word.score for word in every if word.score > 0)
    rows = [
        WordRow(word.text, PUBLISHED.get(word.text.casefold()), word.score, max(word.score, 0) / total)
        for word in sorted(every, key=lambda word: -abs(word.score))
    ]
    silent = [name for name in PUBLISHED if name not in {row.word.casefold() for row in rows}]
    return [*rows, *(WordRow(name, PUBLISHED[name], 0.0, 0.0) for name in silent)], found.probability


def measure(
    resumes: Sequence[MinedResume], method: str, baseline: str, unit: str | None, *, progress: Progress
) -> WayRow:
    explainer = open_explainer("occupation", method=method, baseline=baseline, unit=unit)
    # What is made once, such as the resumes to compare with, is not the time of the first resume.
    explainer.explain(resumes[0].document, resumes[0].profile, faithful=False, changes=False)
    explanations = [
        replace(explained.explanation, words=())
        for mined in with_progress(resumes, progress, f"{method}, {baseline}", len(resumes))
        for explained in explainer.explain(mined.document, mined.profile, changes=False)
    ]
    faithful = [explanation.faithfulness for explanation in explanations if explanation.faithfulness is not None]
    return WayRow(
        method,
        baseline,
        unit,
        len(explanations),
        sum(explanation.converged for explanation in explanations),
        max(abs(explanation.delta) for explanation in explanations),
        mean(figures.comprehensiveness for figures in faithful),
        mean(figures.sufficiency for figures in faithful),
        mean(figures.random_comprehensiveness for figures in faithful),
        sum(figures.beats_random for figures in faithful),
        len(faithful),
        bootstrap_mean([one.comprehensiveness - one.random_comprehensiveness for one in faithful]),
        mean(explanation.seconds for explanation in explanations),
    )


def check(words: Sequence[WordRow], ways: Sequence[WayRow]) -> list[Check]:
    for_it = [row.word.casefold() for row in words if row.score > 0]
    found = [
        Check("java is the strongest word, as published", words[0].word.casefold() == "java"),
        Check("developer is the next that speaks for it, as published", for_it[1:2] == ["developer"]),
    ]
    for row in ways[:1]:
        found += [
            Check(f"{MIN_CONVERGED:.0%} of resumes converge", row.converged >= MIN_CONVERGED * row.resumes),
            Check(f"{MIN_BETTER:.0%} are better than random words", row.better >= MIN_BETTER * row.measured),
        ]
    return found
