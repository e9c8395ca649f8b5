"""Concept removal from beginning to end: fit, apply, and measure again."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from evenhand.audit.outcomes.tables import OutcomeTable, read_table
from evenhand.debias.decomposition import METHODS, Method
from evenhand.debias.fitting import ERASERS, FittedRemoval, FittingPlan, compare, fit_removal
from evenhand.debias.heads import Head
from evenhand.debias.learned_removal import ConceptRemoval, save_removal
from evenhand.debias.neutral_text import Neutraliser
from evenhand.debias.report import report_fit, report_removal
from evenhand.debias.samples import UNKNOWN, Floats, Samples, divide, make_samples, split_parts, variable
from evenhand.debias.scoring import ORIGINAL, RecipeGrid, RemovalScore, final_bench, measure
from evenhand.debias.weighing import fit_task_head
from evenhand.errors import ModelUnfit, UsageError
from evenhand.explain.run import mine_source
from evenhand.models.concept_removal import identity, represent
from evenhand.models.encoder.loading import Encoder, encoder_for, why_no_encoder
from evenhand.models.inputs import resume_input
from evenhand.models.predict import classifier_for
from evenhand.models.registry import find_any
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.report import Report
from evenhand.settings import Settings
from evenhand.text.names import doubtful_names, first_names

# Texts as rows of the sentence encoder, kept between runs where there is a folder for it.

TOGETHER = 64  # texts between two steps of the bar


def open_encoder(settings: Settings | None = None) -> Encoder:
    """UsageError where none is installed."""
    settings = settings or Settings()
    encoder = encoder_for(settings)
    if encoder is None:
        raise UsageError(why_no_encoder(settings))
    return encoder


def source_of(encoder: Encoder) -> str:
    """Which encoder gave the rows, so that nobody applies a map to those of another."""
    return f"{encoder.name} {encoder.version}"


def encode_texts(
    texts: Sequence[str], encoder: Encoder, *, cache: Path | None = None, progress: Progress = no_progress
) -> Floats:
    """A row per text. Long texts are read as far as the encoder reads."""
    total = hashlib.sha256(encoder.version.encode())
    for text in texts:
        total.update(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())
    file = None if cache is None else cache / f"rows-{total.hexdigest()[:24]}.npy"
    if file is not None and file.is_file():
        return np.asarray(np.load(file, allow_pickle=False), np.float64)
    blocks = []
    with progress("encoding texts", -(-len(texts) // TOGETHER)) as bar:
        for start in range(0, len(texts), TOGETHER):
            blocks.append(encoder.encode(texts[start : start + TOGETHER]))
            bar.advance()
    rows = np.vstack(blocks) if blocks else np.zeros((0, encoder.dimension), np.float32)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        np.save(file, rows, allow_pickle=False)
    return np.asarray(rows, np.float64)


# What people bring: a matrix with labels beside it, or texts, as rows of the sentence encoder or of a model.

MATRIX_ENDINGS = (".npy", ".npz")
MATRIX_NAME = "rows"


@dataclass(frozen=True, slots=True, eq=False)
class DebiasInput:
    """`texts` None where only a matrix was brought; `source` says what the rows are."""

    rows: Floats
    source: str
    table: OutcomeTable | None
    texts: tuple[str, ...] | None

    def samples(self, task: str, sensitive: Sequence[str]) -> Samples:
        if self.table is None:
            raise UsageError("A matrix needs its labels: --labels FILE, a table with one line per row.")
        return make_samples(
            self.rows,
            variable(task, self.table.column(task)),
            [variable(name, self.table.column(name)) for name in sensitive],
        )

    def texts_of(self, task: str) -> tuple[str, ...]:
        """Those that `samples` keeps, in its order: a text without the task's label is no sample."""
        if self.table is None or self.texts is None:
            raise UsageError("There are no texts beside the labels: a matrix cannot be read anew.")
        labels = self.table.column(task)
        return tuple(text for text, label in zip(self.texts, labels, strict=True) if label)


def load_input(
    path: Path,
    *,
    labels: Path | None = None,
    text: str = "text",
    model: str | None = None,
    settings: Settings | None = None,
    progress: Progress = no_progress,
) -> DebiasInput:
    """A .npy or .npz file is the rows themselves; a table has the texts in the column `text`."""
    settings = settings or Settings()
    if path.suffix in MATRIX_ENDINGS:
        if model is not None:
            raise UsageError("A matrix is already what a model gave; leave --model out, or bring texts.")
        return DebiasInput(read_matrix(path), "a matrix", read_table(labels) if labels else None, None)
    table = read_table(path)
    texts = tuple(table.column(text))
    table_of_labels = read_table(labels) if labels else table
    if model is None:
        encoder = open_encoder(settings)
        rows = encode_texts(texts, encoder, progress=progress)
        return DebiasInput(rows, source_of(encoder), table_of_labels, texts)
    classifier = classifier_for(find_any(model, settings), settings)
    source = f"model {classifier.manifest.name} {classifier.manifest.version}"
    vectors = []
    # Texts are mined as any resume: who somebody is does not reach the model here either.
    for resume in with_progress(texts, progress, "reading resumes", len(texts)):
        mined = mine_source(resume.encode(), settings=settings)
        vectors.append(represent(classifier, [resume_input(mined.document, mined.profile)])[0])
    return DebiasInput(np.array(vectors, np.float64), source, table_of_labels, texts)


def read_matrix(path: Path) -> Floats:
    """UsageError for what is no array, or would have to run code to be read."""
    try:
        loaded = np.load(path, allow_pickle=False)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (ValueError, EOFError, MemoryError, BadZipFile) as error:
        raise UsageError(f"{path} is no array of numbers: {error or 'it is empty'}.") from error
    if isinstance(loaded, np.ndarray):
        return _numbers(loaded, path)
    with loaded:
        names = list(loaded)
        name = MATRIX_NAME if MATRIX_NAME in names else names[0] if len(names) == 1 else None
        if name is None:
            raise UsageError(f"{path} holds {', '.join(names)}; call the array that is meant {MATRIX_NAME}.")
        try:
            rows = loaded[name]
        except (ValueError, EOFError, MemoryError, BadZipFile) as error:
            raise UsageError(f"{path} is no array of numbers: {error}.") from error
        return _numbers(rows, path)


def _numbers(array: np.ndarray, path: Path) -> Floats:
    if array.dtype.kind not in "fiu" or array.ndim != 2:
        raise UsageError(f"{path} holds no table of numbers: a row per text and a column per number are needed.")
    return np.asarray(array, np.float64)


MIN_ROWS, MIN_OF_CLASS = 100, 10
METHODS_COMPARED = 8
NEUTRAL = "neutral texts"


@dataclass(frozen=True, slots=True)
class DebiasOptions:
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

    def plan(self) -> FittingPlan:
        if self.decomposition not in METHODS:
            raise UsageError(f"There is no decomposition {self.decomposition!r}; there are {', '.join(METHODS)}.")
        method: Method = METHODS[METHODS.index(self.decomposition)]
        residuals = (False, True) if self.residual else (False,)
        plan = FittingPlan(RecipeGrid((method,), (self.rank,), residuals), most_lost=self.most_lost, seed=self.seed)
        return plan.thorough() if self.thorough else plan


@dataclass(frozen=True, slots=True, eq=False)
class DebiasResult:
    fitted: FittedRemoval
    scores: tuple[RemovalScore, ...]
    report: Report
    sha256: str | None  # of the folder's manifest, where one was written


def fit(
    given: DebiasInput,
    options: DebiasOptions,
    *,
    out: Path | None = None,
    subject: str = "the rows given",
    plan: FittingPlan | None = None,
    settings: Settings | None = None,
    progress: Progress = no_progress,
) -> DebiasResult:
    """Fits, compares with every other method, and writes the removal to `out`."""
    samples = _enough(given.samples(options.task, options.sensitive))
    plan = plan or options.plan()
    grid = plan.grid
    recipes = sum(min(rank, (grid.most or rank) + 1) * len(grid.joined) * len(grid.residuals) for rank in grid.ranks)
    # About as many as will be told.
    steps = METHODS_COMPARED + plan.turns * len(grid.methods) * len(grid.ranks) + len(grid.methods) * recipes
    with progress("removing concepts", steps) as bar:
        fitted = fit_removal(samples, plan, source=given.source, on_step=lambda _: bar.advance())
        others = None
        if options.neutral:
            if given.texts is None or given.source.startswith("model "):
                raise UsageError("--neutral needs texts and the sentence encoder: a matrix cannot be written anew.")
            write = Neutraliser.of(first_names(), doubtful=doubtful_names())
            texts = [write(text) for text in given.texts_of(options.task)]
            others = {NEUTRAL: encode_texts(texts, open_encoder(settings), progress=progress)}
        scores = compare(fitted, plan.probing, others=others, on_step=lambda _: bar.advance())
    report = report_fit(fitted, scores, subject=subject)
    return DebiasResult(fitted, scores, report, save_removal(out, fitted.removal) if out else None)


def apply(removal: ConceptRemoval, given: DebiasInput) -> Floats:
    """ModelUnfit for rows of another encoder or model than the removal was fitted on."""
    if removal.source != given.source:
        raise ModelUnfit(f"The removal is for rows of {removal.source}, and these are of {given.source}.")
    return removal.apply(given.rows)


def report(
    removal: ConceptRemoval,
    given: DebiasInput,
    *,
    task: str | None = None,
    sensitive: Sequence[str] = (),
    seed: int = 0,
    subject: str = "the rows given",
    plan: FittingPlan | None = None,
) -> Report:
    """Measured on the rows of now, which need not be those it was fitted on."""
    apply(removal, replace(given, rows=given.rows[:1]))  # refused before the work
    samples = _enough(given.samples(task or removal.task, sensitive or removal.sensitive))
    divided = divide(samples, split_parts(samples, seed=seed))
    bench, probing = final_bench(divided), (plan or FittingPlan()).probing
    changes = {ORIGINAL: identity(removal.dimension)}
    changes |= {name: eraser(divided.train) for name, eraser in ERASERS.items()}
    changes[removal.recipe.name] = removal.change
    scores = [score for name, change in changes.items() for score in measure(name, change, bench, probing)]
    return report_removal(removal, scores, divided.test, subject=subject)


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
    if len(samples.rows) < MIN_ROWS:
        raise UsageError(f"{len(samples.rows)} labelled rows are too few; {MIN_ROWS} are the least.")
    for labels in (samples.task, *samples.sensitive):
        counts = np.bincount(labels.codes[labels.codes != UNKNOWN], minlength=len(labels.classes))
        if counts.min() < MIN_OF_CLASS:
            name = labels.classes[int(counts.argmin())]
            raise UsageError(
                f"{labels.name} has {counts.min()} rows of {name!r}; {MIN_OF_CLASS} are the least. Join it with "
                "another class, or leave its label empty."
            )
    return samples


# The head of the task, learned afresh on what removal leaves of the training rows.


def retrain_head(fitted: FittedRemoval, *, seed: int = 0) -> Head:
    """As the heads of the fit were learned, so that the two differ by the removal alone."""
    change = fitted.removal.change
    train, validation = (
        replace(part, rows=change.apply(part.rows)) for part in (fitted.divided.train, fitted.divided.validation)
    )
    return fit_task_head(train, validation, seed=seed, protocol=fitted.plan.probing.protocol)
