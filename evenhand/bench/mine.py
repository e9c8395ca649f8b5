"""`evenhand bench mine`: resumes mined per second on one core, and reading plus mining against reading alone.

All times are of the processor, those of the reading and mining processes included.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any, ClassVar, NamedTuple

from rich.table import Table

from evenhand.bench.hostile import quantile
from evenhand.bench.inputs import resume_files
from evenhand.bench.measurements import as_table
from evenhand.bench.speed import cpu_seconds, pinned
from evenhand.bench.watching import Bar, Watch, unwatched
from evenhand.corpora.kinds import KINDS
from evenhand.corpora.making import Order, make
from evenhand.documents.sandbox.pool import Pool
from evenhand.errors import EvenhandError, UsageError
from evenhand.mining.miner import Miner
from evenhand.records.document import Document, Line
from evenhand.settings import Settings
from evenhand.workflows.mining_one import is_failed, mine_document, miner_for, shortened
from evenhand.workflows.mining_pool import MiningPool
from evenhand.workflows.reading import open_pool, read

FOLDERS = ("livecareer-pdf/pdf",)
RESUMES = 60
ROUNDS = 5
WARM_UP = 5
AS_OF = "2024-01"
TIMES = (1, 2, 4, 8, 16)
LONG_PAGES = 200
LEAST_PER_SECOND = 60
MOST_TIMES_READING = 3.0


@dataclass(frozen=True, slots=True)
class Mining:
    """Rates and times are medians of the rounds; of one resume, the median of its own rounds."""

    title: ClassVar[str] = "resumes mined on one core; reading plus mining against reading alone"
    resumes: int
    rounds: int
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

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def rows(self) -> list[tuple[str, str]]:
        lengths = list(self.by_length.values())
        return [
            (
                "resumes, rounds, words of the middle resume",
                f"{self.resumes}, {self.rounds}, {self.median_words}",
            ),
            (
                "mined from a read Document, one core",
                f"{self.per_second:.1f} resumes/s (at least {LEAST_PER_SECOND})",
            ),
            ("  each, median", f"{self.median_milliseconds:.1f} ms"),
            ("  each, 95 of 100 within", f"{self.p95_milliseconds:.1f} ms"),
            ("reading alone (the floor), isolated", f"{self.read_milliseconds:.1f} ms"),
            ("reading and mining, both isolated", f"{self.read_and_mined_milliseconds:.1f} ms"),
            ("  against reading alone", f"{self.ratio_to_reading:.2f} (at most {MOST_TIMES_READING:g})"),
            *(
                (f"1,000 words, resumes {times} times as long", f"{milliseconds:.1f} ms")
                for times, milliseconds in self.by_length.items()
            ),
            ("  longest against shortest", f"{lengths[-1] / lengths[0]:.2f} (1 is linear)"),
            (f"{LONG_PAGES} pages, {self.long_words:,} words, all of them", f"{self.long_seconds:.2f} s"),
            (
                f"{LONG_PAGES} pages, as far as they are mined by default",
                f"{self.long_bounded_seconds:.2f} s",
            ),
            ("load of the machine before the run", f"{self.load_before:.1f} (a quiet one is below 0.3)"),
        ]

    def table(self) -> Table:
        return as_table(self.title, self.rows())


class Source(NamedTuple):
    """A file as bytes, so that the disk is not measured, and its Document."""

    data: bytes
    document: Document


def run(data: Path | None = None, *, n: int = RESUMES, watch: Watch = unwatched) -> Mining:
    """Measure on `n` PDFs of `data`, or on as many generated resumes."""
    if not hasattr(os, "sched_setaffinity"):
        raise UsageError("This bench holds programs on one processor core, which needs Linux.")
    files = real_files(data, n) if data else generated_files(n)
    settings, load_before = Settings(), os.getloadavg()[0]
    miner = miner_for(settings)
    with watch("measuring", 2 * ROUNDS + len(TIMES) + 2) as bar, pinned(sorted(os.sched_getaffinity(0))[:1]):
        sources, floor, both = measure_both(files, settings, bar)
        documents = [source.document for source in sources]
        with quiet_memory():
            each = measure_each(miner, documents, bar)
            by_length = measure_lengths(miner, documents, bar)
            long = repeated_to(middle(documents), pages=LONG_PAGES)
            long_seconds = seconds_of(miner, long)
            bar.advance()
            bounded_seconds = seconds_of(miner, shortened(long, settings.mined_characters)[0])
            bar.advance()
    return Mining(
        resumes=len(documents),
        rounds=ROUNDS,
        median_words=words_in(middle(documents)),
        per_second=len(documents) / median(map(sum, zip(*each, strict=True))),
        median_milliseconds=1e3 * median(map(median, each)),
        p95_milliseconds=1e3 * quantile(sorted(map(median, each)), 0.95),
        read_milliseconds=1e3 * median(floor) / len(documents),
        read_and_mined_milliseconds=1e3 * median(both) / len(documents),
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
    orders = [Order(1, kinds[number % len(kinds)], ("pdf",)) for number in range(n)]
    return [make(order, number).files[0].data for number, order in enumerate(orders)]


def measure_both(
    files: Sequence[bytes], settings: Settings, bar: Bar
) -> tuple[list[Source], list[float], list[float]]:
    """Those that could be read; then per round the seconds of reading them, and of reading and mining them."""
    floor, both = [], []
    with open_pool(settings, workers=1) as readers, MiningPool(settings) as miners:
        sources = [
            Source(data, document) for data in files if (document := read(data, pool=readers)).text.strip()
        ]
        if not sources:
            raise UsageError("There is no PDF with text to measure on.")
        for source in sources[:WARM_UP]:
            miners.mine(source.document, as_of=AS_OF)
        for _ in range(ROUNDS):
            floor.append(seconds_for(sources, readers, None))
            both.append(seconds_for(sources, readers, miners))
            bar.advance()
    return sources, floor, both


def seconds_for(sources: Sequence[Source], readers: Pool, miners: MiningPool | None) -> float:
    pools = [readers, miners] if miners else [readers]
    used = cpu_seconds(*pools)
    for source in sources:
        document = read(source.data, pool=readers)
        if miners and is_failed(
            miners.mine(document, as_of=AS_OF)
        ):  # giving up is quick, and would count as speed
            raise EvenhandError("A resume was not mined.")
    return cpu_seconds(*pools) - used


def measure_each(miner: Miner, documents: Sequence[Document], bar: Bar) -> list[list[float]]:
    """Per document its seconds in each round."""
    for document in documents[:WARM_UP]:
        seconds_of(miner, document)
    seconds: list[list[float]] = [[] for _ in documents]
    for _ in range(ROUNDS):
        for place, document in enumerate(documents):
            seconds[place].append(seconds_of(miner, document))
        bar.advance()
    return seconds


def measure_lengths(miner: Miner, documents: Sequence[Document], bar: Bar) -> dict[int, float]:
    """Milliseconds for 1,000 words, of the same few resumes repeated; the better of two runs of each."""
    ordered = sorted(documents, key=words_in)
    few = [ordered[int(share * (len(ordered) - 1))] for share in (0.25, 0.5, 0.75)]
    found = {}
    for times in TIMES:
        longer = [repeated(document, times) for document in few]
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


def middle(documents: Sequence[Document]) -> Document:
    return sorted(documents, key=words_in)[len(documents) // 2]


def words_in(document: Document) -> int:
    return len(document.text.split())


def repeated(document: Document, times: int) -> Document:
    """The same resume so many times in one document, page after page."""
    step, tables = len(document.text) + 2, len(document.tables)
    lines = [
        _moved(line, number * step, number * document.pages, number * tables)
        for number in range(times)
        for line in document.lines
    ]
    return replace(
        document,
        text="\n\n".join([document.text] * times),
        pages=document.pages * times,
        lines=tuple(lines),
        tables=document.tables * times,
    )


def _moved(line: Line, characters: int, pages: int, tables: int) -> Line:
    table = (line.table[0] + tables, *line.table[1:]) if line.table else None
    return replace(
        line,
        start=line.start + characters,
        end=line.end + characters,
        page=line.page + pages,
        table=table,
    )


def repeated_to(document: Document, *, pages: int) -> Document:
    return repeated(document, -(-pages // max(1, document.pages)))


@contextmanager
def quiet_memory() -> Iterator[None]:
    """Lexicons and models are not looked at by the collector again, as in the processes that mine batches."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
