"""`evenhand bench mine`: resumes mined per second on one core, and reading plus mining against reading alone.

All times are of the processor, those of the reading and mining processes included. Words once met cost the miner less,
so it is warmed up on other resumes and meets each of those measured for the first time, as in a batch.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import ClassVar, NamedTuple

from evenhand.documents.reading import open_pool, read
from evenhand.documents.sandbox.pool import SandboxPool
from evenhand.errors import EvenhandError, UsageError
from evenhand.mining.in_process import is_failed, mine_document, miner_for, shortened
from evenhand.mining.miner import Miner
from evenhand.mining.process_pool import MiningPool
from evenhand.progress import Progress, ProgressBar, no_progress
from evenhand.records.document import Document, Line
from evenhand.settings import Settings
from evenhand_lab.benchmarks.inputs import resume_files
from evenhand_lab.benchmarks.kit import Measurement, cpu_seconds, pinned, quantile
from evenhand_lab.corpora.generate import CorpusRequest, make
from evenhand_lab.corpora.kinds.kinds import KINDS

FOLDERS = ("livecareer-pdf/pdf",)
RESUMES = 60
WARM_UP = 30  # more resumes, which are not measured
PARTS = 5
AS_OF = "2024-01"
TIMES = (1, 2, 4, 8, 16)
LONG_PAGES = 200
MIN_PER_SECOND = 60
MAX_TIMES_READING = 3.0


@dataclass(frozen=True, slots=True)
class Mining(Measurement):
    """Each resume is mined once; the ratio to reading is the median of those of the parts of the resumes."""

    title: ClassVar[str] = "resumes mined on one core; reading plus mining against reading alone"
    resumes: int
    parts: int
    median_words: int
    per_second: float
    median_milliseconds: float
    p95_milliseconds: float
    read_milliseconds: float  # the floor: reading alone, each file in a confined process
    read_and_mined_milliseconds: float
    ratio_to_reading: float
    by_length: dict[int, float]  # times the text is repeated -> milliseconds for 1,000 words
    long_words: int
    long_seconds: float  # all of a long document
    long_bounded_seconds: float  # as a user gets it, with the bound on mined characters
    load_before: float  # processes that wanted a core in the minute before

    def rows(self) -> list[tuple[str, str]]:
        lengths = list(self.by_length.values())
        return [
            ("resumes, words of the middle one", f"{self.resumes}, {self.median_words}"),
            ("mined from a read Document, one core", f"{self.per_second:.1f} resumes/s (at least {MIN_PER_SECOND})"),
            ("  each, median", f"{self.median_milliseconds:.1f} ms"),
            ("  each, 95 of 100 within", f"{self.p95_milliseconds:.1f} ms"),
            ("reading alone (the floor), isolated", f"{self.read_milliseconds:.1f} ms"),
            ("reading and mining, both isolated", f"{self.read_and_mined_milliseconds:.1f} ms"),
            ("  against reading alone", f"{self.ratio_to_reading:.2f} (at most {MAX_TIMES_READING:g})"),
            *(
                (f"1,000 words, resumes {times} times as long", f"{milliseconds:.1f} ms")
                for times, milliseconds in self.by_length.items()
            ),
            ("  longest against shortest", f"{lengths[-1] / lengths[0]:.2f} (1 is linear)"),
            (f"{LONG_PAGES} pages, {self.long_words:,} words, all of them", f"{self.long_seconds:.2f} s"),
            ("  1,000 words of them", f"{1e6 * self.long_seconds / self.long_words:.1f} ms"),
            (f"{LONG_PAGES} pages, as far as they are mined by default", f"{self.long_bounded_seconds:.2f} s"),
            ("load of the machine before the run", f"{self.load_before:.1f} (a quiet one is below 0.3)"),
        ]


class MiningSource(NamedTuple):
    """A file as bytes, so that the disk is not measured, and its Document."""

    data: bytes
    document: Document


def run(data: Path | None = None, *, n: int = RESUMES, progress: Progress = no_progress) -> Mining:
    """Measure on `n` PDFs of `data`, or on as many generated resumes."""
    if not hasattr(os, "sched_setaffinity"):
        raise UsageError("This bench holds programs on one processor core, which needs Linux.")
    files = real_files(data, n + WARM_UP) if data else generated_files(n + WARM_UP)
    settings, load_before = Settings(), os.getloadavg()[0]
    with progress("measuring", PARTS + 1 + len(TIMES)) as bar, pinned(sorted(os.sched_getaffinity(0))[:1]):
        warming, sources, floor, both = measure_both(files, settings, bar)
        documents = [source.document for source in sources]
        miner = miner_for(settings)
        with quiet_memory():
            each = measure_each(miner, warming, documents)
            bar.advance()
            by_length = measure_lengths(miner, documents, bar)
            long = joined(enough_for(documents, pages=LONG_PAGES))
            long_seconds = seconds_of(miner, long)
            bounded_seconds = seconds_of(miner, shortened(long, settings.mined_characters)[0])
    return Mining(
        resumes=len(documents),
        parts=len(floor),
        median_words=words_in(sorted(documents, key=words_in)[len(documents) // 2]),
        per_second=len(documents) / sum(each),
        median_milliseconds=1e3 * median(each),
        p95_milliseconds=1e3 * quantile(sorted(each), 0.95),
        read_milliseconds=1e3 * sum(floor) / len(documents),
        read_and_mined_milliseconds=1e3 * sum(both) / len(documents),
        ratio_to_reading=median(more / less for more, less in zip(both, floor, strict=True)),
        by_length=by_length,
        long_words=words_in(long),
        long_seconds=long_seconds,
        long_bounded_seconds=bounded_seconds,
        load_before=load_before,
    )


def real_files(data: Path, n: int) -> list[bytes]:
    paths = [path for path in resume_files(data, FOLDERS) if path.suffix.lower() == ".pdf"]
    return [path.read_bytes() for path in paths[:: max(1, len(paths) // n)][:n]]


def generated_files(n: int) -> list[bytes]:
    """PDFs of all kinds in turn."""
    kinds = sorted(KINDS)
    orders = [CorpusRequest(1, kinds[number % len(kinds)], ("pdf",)) for number in range(n)]
    return [make(order, number).files[0].data for number, order in enumerate(orders)]


def measure_both(
    files: Sequence[bytes], settings: Settings, bar: ProgressBar
) -> tuple[list[Document], list[MiningSource], list[float], list[float]]:
    """Resumes to warm up on and to measure; then per part the seconds of reading, and of reading and mining."""
    floor, both = [], []
    with open_pool(settings, workers=1) as readers, MiningPool(settings) as miners:
        found = [MiningSource(data, read(data, pool=readers)) for data in files]
        sources = [source for source in found if source.document.text.strip()]
        warming, measured = sources[:WARM_UP], sources[WARM_UP:]
        if not measured:
            raise UsageError("There are not enough PDFs with text to measure on.")
        for source in warming:
            miners.mine(source.document, as_of=AS_OF)
        for part in (measured[place::PARTS] for place in range(min(PARTS, len(measured)))):
            floor.append(seconds_for(part, readers, None))
            both.append(seconds_for(part, readers, miners))
            bar.advance()
    return [source.document for source in warming], measured, floor, both


def seconds_for(sources: Sequence[MiningSource], readers: SandboxPool, miners: MiningPool | None) -> float:
    pools = [readers, miners] if miners else [readers]
    used = cpu_seconds(*pools)
    for source in sources:
        document = read(source.data, pool=readers)
        if miners and is_failed(miners.mine(document, as_of=AS_OF)):  # giving up is quick: it must not count
            raise EvenhandError("A resume was not mined.")
    return cpu_seconds(*pools) - used


def measure_each(miner: Miner, warming: Sequence[Document], documents: Sequence[Document]) -> list[float]:
    for document in warming:
        seconds_of(miner, document)
    return [seconds_of(miner, document) for document in documents]


def measure_lengths(miner: Miner, documents: Sequence[Document], bar: ProgressBar) -> dict[int, float]:
    """Milliseconds for 1,000 words, of the same few resumes repeated; the better of two runs of each."""
    ordered = sorted(documents, key=words_in)
    few = [ordered[int(share * (len(ordered) - 1))] for share in (0.25, 0.5, 0.75)]
    found = {}
    for times in TIMES:
        longer = [joined([document] * times) for document in few]
        seconds = sum(min(seconds_of(miner, document) for _ in range(2)) for document in longer)
        found[times] = 1e3 * seconds / sum(map(words_in, longer)) * 1e3
        bar.advance()
    return found


def seconds_of(miner: Miner, document: Document) -> float:
    started = time.process_time()
    profile = mine_document(miner, document, as_of=AS_OF)
    seconds = time.process_time() - started
    if is_failed(profile):
        raise EvenhandError("A resume was not mined.")
    return seconds


def words_in(document: Document) -> int:
    return len(document.text.split())


def joined(documents: Sequence[Document]) -> Document:
    """These resumes in one document, page after page."""
    characters = pages = tables = 0
    lines: list[Line] = []
    for document in documents:
        lines += [_moved(line, characters, pages, tables) for line in document.lines]
        characters += len(document.text) + 2
        pages += document.pages
        tables += len(document.tables)
    return replace(
        documents[0],
        text="\n\n".join(document.text for document in documents),
        pages=pages,
        lines=tuple(lines),
        tables=tuple(table for document in documents for table in document.tables),
    )


def _moved(line: Line, characters: int, pages: int, tables: int) -> Line:
    table = (line.table[0] + tables, *line.table[1:]) if line.table else None
    return replace(line, start=line.start + characters, end=line.end + characters, page=line.page + pages, table=table)


def enough_for(documents: Sequence[Document], *, pages: int) -> list[Document]:
    """As many of them as have so many pages together, over and over if need be."""
    enough: list[Document] = []
    for document in cycle(documents):
        if pages <= 0:
            break
        enough.append(document)
        pages -= max(1, document.pages)
    return enough


@contextmanager
def quiet_memory() -> Iterator[None]:
    """Lexicons and models are not looked at by the collector again, as in the processes that mine batches."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
