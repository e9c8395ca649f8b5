"""What people bring: a matrix with labels beside it, or texts, as rows of the sentence encoder or of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from evenhand.debias.samples import Floats, Samples, make_samples, variable
from evenhand.errors import UsageError
from evenhand.models.concept_removal import represent
from evenhand.models.judging import Judge
from evenhand.settings import Settings
from evenhand.workflows.auditing.table_file import Table, read_table
from evenhand.workflows.debiasing.text_rows import encode_texts, open_encoder, source_of
from evenhand.workflows.explaining import mine_source
from evenhand.workflows.model_choice import find_any
from evenhand.workflows.model_inputs import resume_input
from evenhand.workflows.predicting import judge_for
from evenhand.workflows.watching import Watch, unwatched, watched

MATRIX_ENDINGS = (".npy", ".npz")
MATRIX_NAME = "rows"


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """`texts` None where only a matrix was brought; `source` says what the rows are."""

    rows: Floats
    source: str
    table: Table | None
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


def bring(
    path: Path,
    *,
    labels: Path | None = None,
    text: str = "text",
    model: str | None = None,
    settings: Settings | None = None,
    watch: Watch = unwatched,
) -> Given:
    """A .npy or .npz file is the rows themselves; a table has the texts in the column `text`."""
    settings = settings or Settings()
    if path.suffix in MATRIX_ENDINGS:
        if model is not None:
            raise UsageError("A matrix is already what a model gave; leave --model out, or bring texts.")
        return Given(read_matrix(path), "a matrix", read_table(labels) if labels else None, None)
    table = read_table(path)
    texts = tuple(table.column(text))
    rows, source = _rows_of(texts, model, settings, watch)
    return Given(rows, source, read_table(labels) if labels else table, texts)


def read_matrix(path: Path) -> Floats:
    """UsageError for what is no array, or would have to run code to be read."""
    try:
        found = np.load(path, allow_pickle=False)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (ValueError, EOFError, MemoryError, BadZipFile) as error:
        raise UsageError(f"{path} is no array of numbers: {error or 'it is empty'}.") from error
    if isinstance(found, np.ndarray):
        return _numbers(found, path)
    with found:
        names = list(found)
        name = MATRIX_NAME if MATRIX_NAME in names else names[0] if len(names) == 1 else None
        if name is None:
            raise UsageError(f"{path} holds {', '.join(names)}; call the array that is meant {MATRIX_NAME}.")
        try:
            rows = found[name]
        except (ValueError, EOFError, MemoryError, BadZipFile) as error:
            raise UsageError(f"{path} is no array of numbers: {error}.") from error
        return _numbers(rows, path)


def _numbers(found: np.ndarray, path: Path) -> Floats:
    if found.dtype.kind not in "fiu" or found.ndim != 2:
        raise UsageError(
            f"{path} holds no table of numbers: a row per text and a column per number are needed."
        )
    return np.asarray(found, np.float64)


def _rows_of(texts: Sequence[str], model: str | None, settings: Settings, watch: Watch) -> tuple[Floats, str]:
    if model is None:
        encoder = open_encoder(settings)
        return encode_texts(texts, encoder, watch=watch), source_of(encoder)
    judge = judge_for(find_any(model, settings), settings)
    return _model_rows(texts, judge, settings, watch), source_of_judge(judge)


def source_of_judge(judge: Judge) -> str:
    return f"model {judge.manifest.name} {judge.manifest.version}"


def _model_rows(texts: Sequence[str], judge: Judge, settings: Settings, watch: Watch) -> Floats:
    """Texts are mined as any resume: who somebody is does not reach the model here either."""
    rows = []
    for each in watched(texts, watch, "reading resumes", len(texts)):
        mined = mine_source(each.encode(), settings=settings)
        rows.append(represent(judge, [resume_input(mined.document, mined.profile)])[0])
    return np.array(rows, np.float64)
