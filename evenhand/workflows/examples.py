"""Documents with right answers to learn from and to measure on: annotated real resumes, and generated ones."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from evenhand.corpora.making import Order, make
from evenhand.corpora.sets.annotated import Annotated, find_files, read_annotated
from evenhand.corpora.truth import Truth
from evenhand.errors import UsageError
from evenhand.mining.examples import Example, Span
from evenhand.records.document import Document
from evenhand.settings import Settings
from evenhand.workflows.aligning import example_of
from evenhand.workflows.order import in_order
from evenhand.workflows.reading import available_cores, open_pool, read, read_many
from evenhand.workflows.watching import Watch, unwatched, watched

BATCH = 20  # resumes that one process makes, reads and labels in one go
FORMATS = ("pdf", "docx", "odt", "rtf", "html", "txt")
ID_DIGITS = 12  # of the hash of a file: its name may tell whose it is


def annotated_examples(data: Path, *, watch: Watch = unwatched) -> list[Example]:
    """The annotated real resumes whose files are under `data`; those that read differently now are left out."""
    rows = list(read_annotated())
    found = find_files(data, (row.sha256 for row in rows))
    if not found:
        raise UsageError("None of the annotated resumes is in the data folder.")
    there = [row for row in rows if row.sha256 in found]
    documents = watched(read_many([found[row.sha256] for row in there]), watch, "real resumes", len(there))
    pairs = zip(there, documents, strict=True)
    examples = [_annotated_example(row, document) for row, document in pairs if row.fits(document.text)]
    absent, changed = len(rows) - len(there), len(there) - len(examples)
    if absent or changed:
        warnings.warn(
            f"Of {len(rows)} annotated resumes {absent} are absent and {changed} read differently than when annotated.",
            stacklevel=2,
        )
    return examples


def _annotated_example(row: Annotated, document: Document) -> Example:
    spans = tuple(Span(span.start, span.end, span.label, span.is_rest) for span in row.spans)
    return Example(row.sha256[:ID_DIGITS], document, row.line_labels, spans)


@dataclass(frozen=True, slots=True)
class Generated:
    """A resume that was made, and read again from its file; no example where text and file differ too much."""

    id: str
    document: Document
    truth: Truth
    example: Example | None


def generated_examples(
    kind: str, n: int, seed: int = 0, formats: tuple[str, ...] = FORMATS, *, watch: Watch = unwatched
) -> list[Example]:
    """Examples from `n` generated resumes, one file of one format each; the same for the same arguments.

    A resume of which too little is found again in its file is left out.
    """
    return [each.example for each in generated(kind, n, seed, formats, watch=watch) if each.example]


def generated(
    kind: str, n: int, seed: int = 0, formats: tuple[str, ...] = FORMATS, *, watch: Watch = unwatched
) -> list[Generated]:
    """All `n` of them with what is true of each, whether or not they can serve as examples."""
    order = Order(seed, kind, formats)
    batches = [range(first, min(first + BATCH, n)) for first in range(0, n, BATCH)]
    with watch(f"generated resumes: {kind}", n) as bar:
        result = []
        for made in _made(order, batches):
            result += made
            for _ in made:
                bar.advance()
    return result


def _made(order: Order, batches: Sequence[range]) -> Iterator[list[Generated]]:
    workers = min(available_cores(), len(batches))
    if workers <= 1:
        yield from (_make_batch(order, numbers) for numbers in batches)
        return
    # Spawned, not forked: this process has threads, and a copy of their locks could never be opened.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from in_order(
            lambda numbers: pool.submit(_make_batch, order, numbers).result(), batches, threads=workers
        )


def _make_batch(order: Order, numbers: range) -> list[Generated]:
    settings = Settings()
    result = []
    with open_pool(settings, workers=1) as pool:
        for number in numbers:
            resume = make(order, number)
            document = read(resume.files[0].data, settings=settings, pool=pool)
            id = f"{order.kind}-{order.seed}-{number}"
            example = example_of(resume.truth, resume.plain.text, document, id=id)
            result.append(Generated(id, document, resume.truth, example))
    return result
