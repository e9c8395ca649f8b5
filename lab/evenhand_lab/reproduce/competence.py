"""`evenhand reproduce competence`: the twelve networks on generated applicants, beside Tables 7 and 8."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, ClassVar

from evenhand.mining.in_process import miner_stamp
from evenhand.models.inputs import KINDS, ResumeInput, SectionKind, input_of_text
from evenhand.models.sequences import PruningWords, TokenRules, count_words, prune
from evenhand.progress import Progress, no_progress
from evenhand.records.conversion import to_json
from evenhand.settings import Settings
from evenhand_lab.benchmarks.kit import Measurement
from evenhand_lab.corpora.generate import CorpusRequest, draft_plain
from evenhand_lab.corpora.manuscript import to_plain
from evenhand_lab.reproduce.competence_runs import LEVEL_IDS, PLAIN, WITH_FEATURES, CauseFigure, Figure, Runner
from evenhand_lab.reproduce.competence_runs import RESUMES as PLANTED
from evenhand_lab.reproduce.results import PUBLISHED, Check, check_rows
from evenhand_lab.training import competence as training
from evenhand_lab.training.competence import CrcData, MinedApplicant, Sectioning, presence

_PUBLISHED = PUBLISHED["competence"]  # Li et al. 2020
ACCURACY, ORDER, MAJORITY, LENGTHS = (_PUBLISHED[name] for name in ("accuracy", "order", "majority", "lengths"))
STAGES, RESUMES = _PUBLISHED["stages"], _PUBLISHED["resumes"]

N, SEED, SEEDS = 1000, 1, 3
SMALL_N, SMALL_PLANTED, SMALL_EPOCHS, SMALL_SEEDS = 60, 20, 1, 1  # whether it runs, not what comes out
CHECKED = 200  # resumes whose sections are looked at, as published
EPOCHS, PATIENCE = 16, 4
RATE, HEAD_RATE, DROPOUT = 3e-4, 1e-3, 0.3  # chosen on the development part with C+I
SectionLengths = Mapping[SectionKind, int]  # in tokens, of one resume; a section that it lacks is absent


@dataclass(frozen=True, slots=True)
class LengthStatistics:
    mean: float
    deviation: float  # of a sample; 0 for a single section
    longest: int
    within: float  # share of sections that are not longer than the limit

    def __str__(self) -> str:
        return f"{self.mean:.2f}±{self.deviation:.2f}, {self.longest}, {100 * self.within:.2f}"


@dataclass(frozen=True, slots=True)
class LengthRow:
    """How long sections of a kind are before and after pruning: a row of the published Tables 10 and 11."""

    kind: SectionKind
    count: int
    before: LengthStatistics
    after: LengthStatistics


@dataclass(frozen=True, slots=True)
class Competence(Measurement):
    title: ClassVar[str] = "accuracy in per cent as published (their resumes are not public) and ours"
    resumes: int
    left_out: int
    stages: tuple[int, int, int]  # applications, unique within a level, unique across levels
    examples: dict[str, tuple[int, int, int]]
    majority: dict[str, float]
    ceiling: float  # how often an annotator says what the guideline says
    figures: list[Figure]
    causes: list[CauseFigure]  # planted tasks
    lengths: list[LengthRow]
    presence: dict[SectionKind, float]
    sectioning: Sectioning
    checks: list[Check]
    training_seconds: float
    training_cpu_seconds: float
    seconds: float  # of this run; less where parts of it were kept

    def to_json(self) -> dict[str, Any]:
        return to_json(self) | {"figures": [_figure_json(figure) for figure in self.figures]}

    def rows(self) -> list[tuple[str, str]]:
        stages, published_stages = (", ".join(f"{count:,}" for count in counts) for counts in (self.stages, STAGES))
        rows = [
            ("resumes", f"{self.resumes} generated, {self.left_out} of them left out; published {RESUMES:,}"),
            ("applications, unique within a level, unique across levels", f"{stages}; published {published_stages}"),
        ]
        for task, sizes in self.examples.items():
            rows += [
                (f"{task}: examples (train, dev, test)", ", ".join(f"{size:,}" for size in sizes)),
                (
                    f"{task}: always the commonest label, test",
                    f"{100 * self.majority[task]:.1f}; published {MAJORITY[task]}",
                ),
            ]
        rows += [
            ("encoder", "six-layer MiniLM, not BERT-base; LoRA in its last layer, none below attention"),
            ("level: how often an annotator says what the guideline says", f"{100 * self.ceiling:.1f}"),
            *((f"{figure.task}: {_short(figure)}", _beside(figure)) for figure in self.figures),
            *self._confusions(),
        ]
        for cause in self.causes:
            values = f"{cause.better} {cause.better_accuracy:.2f}, {cause.worse} {cause.worse_accuracy:.2f}"
            rows.append((f"planted: {cause.cause}", values))
        for row in self.lengths:
            sides = f"published {' | '.join(LENGTHS[row.kind])}; here {row.before} | {row.after}"
            rows.append((f"{row.kind}: tokens before and after pruning", f"{sides} (mean, longest, % within 510)"))
        sections = self.sectioning
        right_characters = 100 * sections.right_characters / max(1, sections.characters)
        rows.append(
            (
                f"sections of {sections.resumes} resumes that are right, characters that are in theirs",
                f"{100 * sections.right:.1f}, {right_characters:.1f}; "
                f"published {100 * _PUBLISHED['right_sections']:.0f} of 200 resumes",
            )
        )
        for kind in KINDS:
            published = 100 * _PUBLISHED["presence"][kind]
            rows.append(
                (f"{kind}: resumes that have it", f"{100 * self.presence[kind]:.1f}; published {published:.1f}")
            )
        times = f"{self.training_seconds / 60:.1f} min, {self.training_cpu_seconds / 60:.1f} min"
        return [*rows, *check_rows(self.checks), ("trainings on one thread: wall time, processor time", times)]

    def _confusions(self) -> Iterator[tuple[str, str]]:
        """Of the best network of each task; rows are what was predicted, columns what is true, per cent of all."""
        for task in ("level", "fit"):
            best = max((figure for figure in self.figures if figure.task == task), key=lambda figure: figure.dev)
            test = best.best_run.test
            shares = (" ".join(f"{share:.2f}" for share in row) for row in 100 * test.confusion / max(test.total, 1))
            rows = "; ".join(f"{label}: {row}" for label, row in zip(test.labels, shares, strict=True))
            names = f"(predicted: true {', '.join(test.labels)})"
            yield f"{task}: best run of {_short(best)}", f"{100 * test.accuracy:.2f} {names} {rows}"
            if test.ordered:
                near = f"{100 * test.within_one:.1f}, {100 * test.adjacent_share:.1f}"
                published = f"published {_PUBLISHED['within_one']}, {_PUBLISHED['adjacent']}"
                yield "level: within one level, errors between neighbours", f"{near}; {published}"


def run(
    data: Path | None = None,
    *,
    n: int | None = None,
    seed: int = SEED,
    seeds: int | None = None,
    small: bool = False,
    work: Path | None = None,
    progress: Progress = no_progress,
) -> Competence:
    """Twelve networks and their variants, `seeds` trainings of each; `small` only shows that all of it runs.

    What is done is kept in `work` and not done again. There is no public set to set `data` to: it is left alone.
    """
    started = time.perf_counter()
    n, seeds = n or (SMALL_N if small else N), seeds or (SMALL_SEEDS if small else SEEDS)
    folder = work or Settings().data_path / "reproduce" / "competence"
    applicants = training.mined_applicants(n, seed, cache=folder, progress=progress)
    crc = training.crc_data_of(applicants, seed=seed)
    runner = _runner(crc, folder, (n, seed, small), progress)
    figures = list(runner.figures(seeds))
    resumes = [
        input_of_text(applicant.text, applicant.profile)
        for applicant in applicants[: SMALL_PLANTED if small else PLANTED]
    ]
    causes = list(runner.causes(resumes))
    shutil.rmtree(folder / "states", ignore_errors=True)  # large, and made anew in minutes
    return _result(applicants, crc, (figures, causes), seed, time.perf_counter() - started)


def _runner(crc: CrcData, folder: Path, about: tuple[int, int, bool], progress: Progress) -> Runner:
    from evenhand.models.training.encoders import StateCache, Tuning, load_pretrained, tune  # noqa: PLC0415 - loads torch
    from evenhand.models.training.loop import Schedule  # noqa: PLC0415

    small = about[-1]
    tuning = Tuning()
    epochs = SMALL_EPOCHS if small else EPOCHS
    schedule = Schedule(epochs=epochs, patience=PATIENCE, rate=RATE, head_rate=HEAD_RATE, dropout=DROPOUT)
    readable = load_pretrained(None)
    tune(readable.encoder, tuning)
    # Runs of other settings or resumes are kept apart.
    settings = (about, tuning, schedule, miner_stamp(), readable.source.sha256)
    stamp = hashlib.sha256(repr(settings).encode()).hexdigest()[:12]
    states = StateCache(readable, folder=folder / "states")
    return Runner(crc, folder / stamp, schedule, tuning, states, progress)


def _result(
    applicants: Sequence[MinedApplicant],
    crc: CrcData,
    results: tuple[list[Figure], list[CauseFigure]],
    seed: int,
    seconds: float,
) -> Competence:
    from evenhand.models.training.encoders import load_pretrained  # noqa: PLC0415

    figures, causes = results
    runs = [run for figure in figures for run in figure.runs]
    tasks = {"level": crc.level, "fit": crc.fit}
    stages, split = crc.stages, crc.level.split
    resumes = [example.resume for example in (*split.train, *split.dev, *split.test)]
    words = count_words(resume.text for resume in resumes[: len(split.train)])  # of those that are learned from
    rules = load_pretrained(None).rules
    order = CorpusRequest(seed, training.KIND, training.FORMATS)
    sectionings = (  # against the texts as they were written, before they became files
        training.measure_sectioning(
            to_plain(draft_plain(order, applicant.number).manuscript), applicant.text, applicant.profile
        )
        for applicant in applicants[:CHECKED]
    )
    return Competence(
        resumes=len(applicants),
        left_out=crc.left_out,
        stages=(len(stages.applications), len(stages.within_level), len(stages.across_levels)),
        examples={
            task: (len(data.split.train), len(data.split.dev), len(data.split.test)) for task, data in tasks.items()
        },
        majority={task: data.majority for task, data in tasks.items()},
        ceiling=sum(applicant.level == applicant.true_level for applicant in applicants) / len(applicants),
        figures=figures,
        causes=causes,
        lengths=report_lengths(resumes, rules, words, limit=rules.budget(512)),
        presence=presence(applicant.profile for applicant in applicants),
        sectioning=training.total_of(sectionings),
        checks=[*_checks(figures), *(cause.check for cause in causes)],
        training_seconds=sum(run.seconds for run in runs),
        training_cpu_seconds=sum(run.cpu_seconds for run in runs),
        seconds=seconds,
    )


def report_lengths(
    resumes: Sequence[ResumeInput], rules: TokenRules, words: PruningWords, *, limit: int
) -> list[LengthRow]:
    """Tokens per section before and after pruning, before a section that is still too long is cut off."""
    before = [{section.kind: len(rules.content(section.text)) for section in resume.sections} for resume in resumes]
    after = [
        {section.kind: prune(section.text, words, rules.content, limit).length for section in resume.sections}
        for resume in resumes
    ]
    return measure_lengths(before, after, limit=limit)


def measure_lengths(
    before: Sequence[SectionLengths], after: Sequence[SectionLengths], *, limit: int
) -> list[LengthRow]:
    """One row per kind of section that any resume has, in the order of KINDS."""
    rows = []
    for kind in KINDS:
        old, new = ([lengths[kind] for lengths in side if kind in lengths] for side in (before, after))
        if old:
            rows.append(LengthRow(kind, len(old), _summary(old, limit), _summary(new, limit)))
    return rows


def _summary(lengths: Sequence[int], limit: int) -> LengthStatistics:
    spread = stdev(lengths) if len(lengths) > 1 else 0.0
    within = sum(length <= limit for length in lengths) / len(lengths)
    return LengthStatistics(fmean(lengths), spread, max(lengths), within)


def _checks(figures: Sequence[Figure]) -> list[Check]:
    """The published order, claim by claim, and whether mined features help the best network."""
    test = {(figure.design, figure.variant): figure.test for figure in figures}

    claims = [Check(f"{one} above {other}", test[one, PLAIN] > test[other, PLAIN]) for one, other in ORDER]
    for task in ("level", "fit"):
        own = [figure for figure in figures if figure.task == task]
        joined = max((figure for figure in own if figure.variant == WITH_FEATURES), key=lambda figure: figure.dev)
        best = max(figure.test for figure in own if figure.variant == PLAIN)
        claims.append(Check(f"{task}: {joined.design} with mined features above the best without", joined.test > best))
    with_ids = next(figure for figure in figures if figure.variant == LEVEL_IDS)
    claims.append(Check("fit: job texts above level ids", test[with_ids.design, PLAIN] > with_ids.test))
    return claims


def _figure_json(figure: Figure) -> dict[str, Any]:
    is_plain = figure.variant == PLAIN
    return {
        "task": figure.task,
        "design": figure.design,
        "variant": figure.variant,
        "dev": [figure.dev, figure.dev_deviation],
        "test": [figure.test, figure.test_deviation],
        "published_dev": list(ACCURACY[figure.design][0]) if is_plain else None,
        "published_test": list(ACCURACY[figure.design][1]) if is_plain else None,
        "runs": [run.to_json() for run in figure.runs],
    }


def _beside(figure: Figure) -> str:
    """DEV and TST, as published and here."""
    ours = ((figure.dev, figure.dev_deviation), (figure.test, figure.test_deviation))
    published, here = (
        ", ".join(f"{mean:.2f}±{deviation:.2f}" for mean, deviation in parts)
        for parts in (ACCURACY[figure.design], ours)
    )
    first = f"published {published}; " if figure.variant == PLAIN else ""
    return f"{first}here {here} (DEV, TST; n = {len(figure.runs)})"


def _short(figure: Figure) -> str:
    return figure.design if figure.variant == PLAIN else f"{figure.design}, {figure.variant}"
