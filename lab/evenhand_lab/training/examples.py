"""Documents with right answers to learn from and to measure on: annotated real resumes, and generated ones."""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, islice
from pathlib import Path

from evenhand.documents.reading import available_cores, open_pool, read, read_many
from evenhand.errors import UsageError
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.document import Document
from evenhand.settings import Settings
from evenhand.text.tokens import Tokens, tokenise
from evenhand_lab.corpora.generate import CorpusRequest, in_processes, make
from evenhand_lab.corpora.manuscript import TextMark
from evenhand_lab.corpora.sets.resumes import Annotated, find_files, read_annotated
from evenhand_lab.corpora.truth import Truth

# A document with its right answers: what the models learn from and are measured on.

ENTITY_LABELS = (
    *("certification", "client", "dates", "degree", "duration", "employer", "field", "heading", "location", "name"),
    *("performance", "project", "title", "university"),
)
SKILL = "skill"


@dataclass(frozen=True, slots=True)
class LabelledSpan:
    """Half-open code point offsets; `is_rest` marks the second part of something broken over two lines."""

    start: int
    end: int
    label: str
    is_rest: bool = False


@dataclass(frozen=True, slots=True)
class MiningExample:
    id: str
    document: Document
    line_labels: tuple[str, ...]  # one per line of the document: section type and role, such as "education.entry"
    spans: tuple[LabelledSpan, ...]
    is_generated: bool = False


# Truth about a generated resume, told of its plain text, carried over to the text that was read from its file.

# By the mark of a generated resume. A heading is no mark of words.
LABELS = {label: label for label in (*ENTITY_LABELS, SKILL) if label not in ("dates", "heading")} | {
    "city": "location",
    "date": "dates",
    "year": "dates",
    "language": SKILL,
}
OPENING = 3  # words that must agree before a whole part is compared
FOUND_SHARE = 0.97  # of the words: a resume of which less was found again is no example


def example_of(truth: Truth, text: str, document: Document, *, id: str) -> MiningExample | None:
    """The document with the truth's labels, or None where too little of the plain text is found in it."""
    places = _carried(truth, text, document)
    if places is None:
        return None
    spans = [
        LabelledSpan(*placed, LABELS[mark.label])
        for mark in truth.marks
        if mark.label in LABELS and _is_told(mark) and (placed := places.get((mark.start, mark.end)))
    ]
    return MiningExample(
        id, document, _line_labels(truth, document, places), tuple(sorted(spans, key=lambda span: span.start)), True
    )


def _is_told(mark: TextMark) -> bool:
    """Marks that an annotator of a resume would make: not the birth date, not titles and lengths in a summary."""
    if mark.label in ("title", "employer"):
        return mark.of is not None
    return not (mark.label in ("duration", "date") and (mark.of is None or not mark.of.startswith(("job", "study"))))


def _carried(truth: Truth, text: str, document: Document) -> dict[tuple[int, int], tuple[int, int]] | None:
    """For each mark, by its place in the plain text, its place in the document."""
    read = tokenise(document.text)
    index: dict[tuple[str, ...], list[int]] = {}
    for place in range(len(read)):
        index.setdefault(tuple(read.words[place : place + OPENING]), []).append(place)
    taken = bytearray(len(read))
    expected = 0
    total = found = 0
    moved: dict[tuple[int, int], tuple[int, int]] = {}
    marks = sorted(truth.marks, key=lambda mark: mark.start)
    starts = [mark.start for mark in marks]
    for start, end in _parts(truth, text):
        words = tokenise(text, start, end)
        if words.words and words.words[0] == "-":
            words = Tokens(words.words[1:], words.starts[1:], words.ends[1:])
        if not len(words):
            continue
        total += len(words)
        at = _find(words.words, read, index, taken, expected)
        if at is None:
            continue
        found += len(words)
        expected = at + len(words)
        taken[at:expected] = b"\1" * len(words)
        for mark in marks[bisect_right(starts, start - 1) : bisect_right(starts, end)]:
            if found_at := _moved(mark, words, read, at):
                moved[mark.start, mark.end] = found_at
    return moved if total and found >= FOUND_SHARE * total else None


def _parts(truth: Truth, text: str) -> Iterator[tuple[int, int]]:
    """Lines of the plain text, or the sides of a tab in them."""
    for _, _, start, end in truth.sections:
        at = start
        for line in text[start:end].split("\n"):
            for side in line.split("\t"):
                yield at, at + len(side)
                at += len(side) + 1


def _find(
    words: Sequence[str], read: Tokens, index: dict[tuple[str, ...], list[int]], taken: bytearray, expected: int
) -> int | None:
    """Where the words stand in the document: the nearest free place, ahead rather than behind."""
    size = len(words)
    if size >= OPENING:
        candidates: Sequence[int] = index.get(tuple(words[:OPENING]), ())
    else:
        candidates = [place for place in range(len(read)) if read.words[place] == words[0]]
    fitting = [
        place
        for place in candidates
        if read.words[place : place + size] == list(words) and not any(taken[place : place + size])
    ]
    if not fitting:
        return None
    return min(fitting, key=lambda place: place - expected if place >= expected else 2 * (expected - place) + 50)


def _moved(mark: TextMark, words: Tokens, read: Tokens, at: int) -> tuple[int, int] | None:
    inside = [place for place in range(len(words)) if words.starts[place] < mark.end and words.ends[place] > mark.start]
    if not inside or words.starts[inside[0]] < mark.start or words.ends[inside[-1]] > mark.end:
        return None
    return read.starts[at + inside[0]], read.ends[at + inside[-1]]


def _line_labels(truth: Truth, document: Document, places: dict[tuple[int, int], tuple[int, int]]) -> tuple[str, ...]:
    """Section and role of every line of the document, from the marks that came to stand in it."""
    starts = [line.start for line in document.lines]
    types: list[str | None] = [None] * len(starts)
    roles = ["body"] * len(starts)
    opened: set[str] = set()
    sections = {start: type_ for type_, _, start, _ in truth.sections}
    section_starts = sorted(sections)
    for mark in sorted(truth.marks, key=lambda mark: places.get((mark.start, mark.end), (0, 0))):
        placed = places.get((mark.start, mark.end))
        if placed is None:
            continue
        line = bisect_right(starts, placed[0]) - 1
        type_ = sections[section_starts[bisect_right(section_starts, mark.start) - 1]]
        if mark.label == "heading":
            types[line], roles[line] = type_, "heading"
            continue
        types[line] = types[line] or type_
        is_entry = mark.of is not None and mark.of.startswith(("job", "study")) and mark.label != "skill"
        if is_entry and mark.of and roles[line] in ("body", "head", "about"):
            first, later = ("project", "about") if "project" in mark.of else ("entry", "head")
            roles[line] = later if mark.of in opened else first
            opened.add(mark.of)
    # Lines without a mark belong to the section of the line above.
    filled = accumulate(types, lambda above, type_: type_ or above, initial="personal")
    return tuple(f"{type_}.{role}" for type_, role in zip(islice(filled, 1, None), roles, strict=True))


BATCH = 20  # resumes that one process makes, reads and labels in one go
FORMATS = ("pdf", "docx", "odt", "rtf", "html", "txt")
ID_DIGITS = 12  # of the hash of a file: its name may tell whose it is


def annotated_examples(data: Path, *, progress: Progress = no_progress) -> list[MiningExample]:
    """The annotated real resumes whose files are under `data`; those that read differently now are left out."""
    rows = list(read_annotated())
    found = find_files(data, (row.sha256 for row in rows))
    if not found:
        raise UsageError("None of the annotated resumes is in the data folder.")
    there = [row for row in rows if row.sha256 in found]
    documents = with_progress(read_many([found[row.sha256] for row in there]), progress, "real resumes", len(there))
    pairs = zip(there, documents, strict=True)
    examples = [
        MiningExample(row.sha256[:ID_DIGITS], document, row.line_labels, spans_of(row))
        for row, document in pairs
        if row.fits(document.text)
    ]
    absent, changed = len(rows) - len(there), len(there) - len(examples)
    if absent or changed:
        warnings.warn(
            f"Of {len(rows)} annotated resumes {absent} are absent and {changed} read differently than when annotated.",
            stacklevel=2,
        )
    return examples


def spans_of(row: Annotated) -> tuple[LabelledSpan, ...]:
    return tuple(LabelledSpan(span.start, span.end, span.label, span.is_rest) for span in row.spans)


@dataclass(frozen=True, slots=True)
class GeneratedExample:
    """A resume that was made, and read again from its file; no example where text and file differ too much."""

    id: str
    document: Document
    truth: Truth
    example: MiningExample | None


def generated_examples(
    kind: str, n: int, seed: int = 0, formats: tuple[str, ...] = FORMATS, *, progress: Progress = no_progress
) -> list[MiningExample]:
    """Examples from `n` generated resumes, one file of one format each; the same for the same arguments.

    A resume of which too little is found again in its file is left out.
    """
    return [resume.example for resume in generated(kind, n, seed, formats, progress=progress) if resume.example]


def generated(
    kind: str, n: int, seed: int = 0, formats: tuple[str, ...] = FORMATS, *, progress: Progress = no_progress
) -> list[GeneratedExample]:
    """All `n` of them with what is true of each, whether or not they can serve as examples."""
    order = CorpusRequest(seed, kind, formats)
    batches = [range(first, min(first + BATCH, n)) for first in range(0, n, BATCH)]
    with progress(f"generated resumes: {kind}", n) as bar:
        result = []
        workers = min(available_cores(), len(batches))
        for made in in_processes(partial(_make_batch, order), batches, workers):
            result += made
            for _ in made:
                bar.advance()
    return result


def _make_batch(order: CorpusRequest, numbers: range) -> list[GeneratedExample]:
    settings = Settings()
    result = []
    with open_pool(settings, workers=1) as pool:
        for number in numbers:
            resume = make(order, number)
            document = read(resume.files[0].data, settings=settings, pool=pool)
            id = f"{order.kind}-{order.seed}-{number}"
            example = example_of(resume.truth, resume.plain.text, document, id=id)
            result.append(GeneratedExample(id, document, resume.truth, example))
    return result
