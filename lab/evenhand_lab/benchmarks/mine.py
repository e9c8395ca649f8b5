"""`evenhand bench mine`: resumes mined per second on one core, and reading plus mining against reading alone.

All times are of the processor, those of the reading and mining processes included. Words once met cost the miner less,
so it is warmed up on other resumes and meets each of those measured for the first time, as in a batch.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import ClassVar

from evenhand.documents.reading import open_pool, read
from evenhand.documents.sandbox.pool import SandboxPool
from evenhand.errors import EvenhandError, UsageError
from evenhand.mining.in_process import is_failed, mine_document, miner_for, shortened
from evenhand.mining.miner import Miner
from evenhand.mining.process_pool import MiningPool
from evenhand.progress import Progress, ProgressBar, no_progress
from evenhand.records.document import Document, Line
from evenhand.settings import Settings
from evenhand_lab.benchmarks.inputs import request_in_turn, resume_files, spread_evenly
from evenhand_lab.benchmarks.kit import Measurement, cpu_seconds, pinned, quantile, timed
from evenhand_lab.corpora.generate import make

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


def run(data: Path | None = None, *, n: int = RESUMES, progress: Progress = no_progress) -> Mining:
    """Measure on `n` PDFs of `data`, or on as many generated resumes."""
    if not hasattr(os, "sched_setaffinity"):
        raise UsageError("This bench holds programs on one processor core, which needs Linux.")
    wanted = n + WARM_UP
    if data:
        paths = [path for path in resume_files(data, FOLDERS) if path.suffix.lower() == ".pdf"]
        files = [path.read_bytes() for path in spread_evenly(paths, wanted)]
    else:
        files = [make(request_in_turn(1, number, "pdf"), number).files[0].data for number in range(wanted)]
    settings, load_before = Settings(), os.getloadavg()[0]
    with progress("measuring", PARTS + 1 + len(TIMES)) as bar, pinned(sorted(os.sched_getaffinity(0))[:1]):
        warming, documents, floor, both = measure_both(files, settings, bar)
        miner = miner_for(settings)
        with quiet_memory():
            for document in warming:
                seconds_of(miner, document)
            seconds = [seconds_of(miner, document) for document in documents]
            bar.advance()
            by_length = measure_lengths(miner, documents, bar)
            long = joined(enough_for(documents, pages=LONG_PAGES))
            long_seconds = seconds_of(miner, long)
            bounded_seconds = seconds_of(miner, shortened(long, settings.mined_characters)[0])
    return Mining(
        resumes=len(documents),
        parts=len(floor),
        median_words=words_in(sorted(documents, key=words_in)[len(documents) // 2]),
        per_second=len(documents) / sum(seconds),
        median_milliseconds=1e3 * median(seconds),
        p95_milliseconds=1e3 * quantile(sorted(seconds), 0.95),
        read_milliseconds=1e3 * sum(floor) / len(documents),
        read_and_mined_milliseconds=1e3 * sum(both) / len(documents),
        ratio_to_reading=median(more / less for more, less in zip(both, floor, strict=True)),
        by_length=by_length,
        long_words=words_in(long),
        long_seconds=long_seconds,
        long_bounded_seconds=bounded_seconds,
        load_before=load_before,
    )


def measure_both(
    files: Sequence[bytes], settings: Settings, bar: ProgressBar
) -> tuple[list[Document], list[Document], list[float], list[float]]:
    """Resumes to warm up on and to measure; then per part the seconds of reading, and of reading and mining.

    Files are bytes, so that the disk is not measured.
    """
    floor, both = [], []
    with open_pool(settings, workers=1) as readers, MiningPool(settings) as miners:
        readable = [(data, document) for data in files if (document := read(data, pool=readers)).text.strip()]
        warming, measured = ([document for _, document in some] for some in (readable[:WARM_UP], readable[WARM_UP:]))
        if not measured:
            raise UsageError("There are not enough PDFs with text to measure on.")
        for document in warming:
            miners.mine(document, as_of=AS_OF)
        for place in range(min(PARTS, len(measured))):
            part = [data for data, _ in readable[WARM_UP + place :: PARTS]]
            floor.append(seconds_for(part, readers, None))
            both.append(seconds_for(part, readers, miners))
            bar.advance()
    return warming, measured, floor, both


def seconds_for(files: Sequence[bytes], readers: SandboxPool, miners: MiningPool | None) -> float:
    pools = [readers, miners] if miners else [readers]
    used = cpu_seconds(*pools)
    for data in files:
        document = read(data, pool=readers)
        if miners and is_failed(miners.mine(document, as_of=AS_OF)):  # giving up is quick: it must not count
            raise EvenhandError("A resume was not mined.")
    return cpu_seconds(*pools) - used


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
    profile, seconds = timed(lambda: mine_document(miner, document, as_of=AS_OF))
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
        for line in document.lines:
            start, end, page = line.start + characters, line.end + characters, line.page + pages
            table = (line.table[0] + tables, *line.table[1:]) if line.table else None
            lines.append(replace(line, start=start, end=end, page=page, table=table))
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
