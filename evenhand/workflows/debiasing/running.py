"""Concept removal from beginning to end: fit, apply, and measure again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from evenhand.debias.comparison import ERASERS, compare
from evenhand.debias.decomposition import METHODS, Method
from evenhand.debias.fitting import Fitted, Plan, fit_removal
from evenhand.debias.learned import Removal, load_removal, save_removal
from evenhand.debias.samples import UNKNOWN, Floats, Samples, divide, split_parts
from evenhand.debias.scoring import Score, final_bench, measure
from evenhand.debias.sweep import ORIGINAL, Grid
from evenhand.debias.texts.neutral import Neutraliser
from evenhand.errors import ModelUnfit, UsageError
from evenhand.models.concept_removal import identity
from evenhand.records.report import Report
from evenhand.settings import Settings
from evenhand.text.names import doubtful_names, first_names
from evenhand.workflows.debiasing.given import Given
from evenhand.workflows.debiasing.reporting import report_fit, report_removal
from evenhand.workflows.debiasing.text_rows import encode_texts, open_encoder
from evenhand.workflows.watching import Watch, unwatched

LEAST_ROWS, LEAST_OF_CLASS = 100, 10
METHODS_COMPARED = 8
NEUTRAL = "neutral texts"


@dataclass(frozen=True, slots=True)
class Wish:
    """What a user may choose; the rest is the plan's."""

    task: str
    sensitive: tuple[str, ...]
    rank: int = 20
    decomposition: str = "svd"
    thorough: bool = False
    residual: bool = False
    most_lost: float = 0.02
    neutral: bool = False
    seed: int = 0

    def plan(self) -> Plan:
        if self.decomposition not in METHODS:
            raise UsageError(
                f"There is no decomposition {self.decomposition!r}; there are {', '.join(METHODS)}."
            )
        method: Method = METHODS[METHODS.index(self.decomposition)]
        residuals = (False, True) if self.residual else (False,)
        plan = Plan(Grid((method,), (self.rank,), residuals), most_lost=self.most_lost, seed=self.seed)
        return plan.thorough() if self.thorough else plan


@dataclass(frozen=True, slots=True, eq=False)
class Debiased:
    fitted: Fitted
    scores: tuple[Score, ...]
    report: Report
    sha256: str | None  # of the folder's manifest, where one was written


def fit(
    given: Given,
    wish: Wish,
    *,
    out: Path | None = None,
    subject: str = "the rows given",
    plan: Plan | None = None,
    settings: Settings | None = None,
    watch: Watch = unwatched,
) -> Debiased:
    """Fits, compares with every other method, and writes the removal to `out`."""
    samples = _enough(given.samples(wish.task, wish.sensitive))
    plan = plan or wish.plan()
    with watch("removing concepts", _steps(plan)) as bar:
        fitted = fit_removal(samples, plan, source=given.source, told=lambda _: bar.advance())
        others = {NEUTRAL: _neutral_rows(given, wish.task, settings, watch)} if wish.neutral else None
        scores = compare(fitted, plan.probing, others=others, told=lambda _: bar.advance())
    report = report_fit(fitted, scores, subject=subject)
    return Debiased(fitted, scores, report, save_removal(out, fitted.removal) if out else None)


def apply(removal: Removal, given: Given) -> Floats:
    """ModelUnfit for rows of another encoder or model than the removal was fitted on."""
    if removal.source != given.source:
        raise ModelUnfit(f"The removal is for rows of {removal.source}, and these are of {given.source}.")
    return removal.apply(given.rows)


def report(
    removal: Removal,
    given: Given,
    *,
    task: str | None = None,
    sensitive: Sequence[str] = (),
    seed: int = 0,
    subject: str = "the rows given",
    plan: Plan | None = None,
) -> Report:
    """Measured on the rows of now, which need not be those it was fitted on."""
    apply(removal, replace(given, rows=given.rows[:1]))  # refused before the work
    samples = _enough(given.samples(task or removal.task, sensitive or removal.sensitive))
    divided = divide(samples, split_parts(samples, seed=seed))
    bench, probing = final_bench(divided), (plan or Plan()).probing
    changes = {ORIGINAL: identity(removal.dimension)}
    changes |= {name: eraser(divided.train) for name, eraser in ERASERS.items()}
    changes[removal.recipe.name] = removal.change
    scores = [score for name, change in changes.items() for score in measure(name, change, bench, probing)]
    return report_removal(removal, scores, divided.test, subject=subject)


def open_removal(folder: Path) -> Removal:
    return load_removal(folder)


def write_rows(path: Path, rows: Floats) -> None:
    """.npy, in single precision as encoders give them."""
    if path.suffix != ".npy":
        raise UsageError(f"{path} does not end in .npy; rows are written as a numpy array.")
    try:
        np.save(path, rows.astype(np.float32), allow_pickle=False)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}.") from error


def _enough(samples: Samples) -> Samples:
    """UsageError where a part of the rows could lack a class altogether, and a head could not learn it."""
    if len(samples.rows) < LEAST_ROWS:
        raise UsageError(f"{len(samples.rows)} labelled rows are too few; {LEAST_ROWS} are the least.")
    for each in (samples.task, *samples.sensitive):
        counts = np.bincount(each.codes[each.codes != UNKNOWN], minlength=len(each.classes))
        if counts.min() < LEAST_OF_CLASS:
            name = each.classes[int(counts.argmin())]
            raise UsageError(
                f"{each.name} has {counts.min()} rows of {name!r}; {LEAST_OF_CLASS} are the least. Join it with "
                "another class, or leave its label empty."
            )
    return samples


def _neutral_rows(given: Given, task: str, settings: Settings | None, watch: Watch) -> Floats:
    if given.texts is None or given.source.startswith("model "):
        raise UsageError("--neutral needs texts and the sentence encoder: a matrix cannot be written anew.")
    write = Neutraliser.of(first_names(), doubtful=doubtful_names())
    return encode_texts([write(text) for text in given.texts_of(task)], open_encoder(settings), watch=watch)


def _steps(plan: Plan) -> int:
    """About as many as will be told."""
    grid = plan.grid
    each = sum(
        min(rank, (grid.most or rank) + 1) * len(grid.joined) * len(grid.residuals) for rank in grid.ranks
    )
    return METHODS_COMPARED + plan.turns * len(grid.methods) * len(grid.ranks) + len(grid.methods) * each
