"""`evenhand bench ingest`: resumes taken in per second, against plain mining of the same files in the same run.

What is kept, compared and indexed costs processor time on top of mining; that it grows in step is measured too.
"""

from __future__ import annotations

import os
import resource
import tempfile
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple

from evenhand.errors import EvenhandError
from evenhand.mining.pipeline import mine_with_documents
from evenhand.screening.ingest import ingest
from evenhand.screening.service import open_service
from evenhand.search.duplicates.stored import find_new_duplicates
from evenhand.settings import Settings
from evenhand_lab.benchmarks.inputs import JOB
from evenhand_lab.benchmarks.kit import Measurement
from evenhand_lab.corpora.folder import resume_path
from evenhand_lab.corpora.generate import generate

RESUMES = 500
SHARES = (0.25, 0.5, 1.0)
WORKERS = 2
AS_OF = "2026-01"


class Cost(NamedTuple):
    seconds: float
    cpu_seconds: float  # of this process and of those it started


@dataclass(frozen=True, slots=True)
class IngestTiming:
    """So many files: mined only, and taken in."""

    files: int
    mined: Cost
    saved: Cost  # mined, kept, digested and written
    compared: Cost  # with each other, for near duplicates
    indexed: Cost
    again: Cost  # the same files offered once more

    @property
    def taken_in(self) -> Cost:
        parts = (self.saved, self.compared, self.indexed)
        return Cost(sum(part.seconds for part in parts), sum(part.cpu_seconds for part in parts))

    @property
    def overhead(self) -> float:
        return self.taken_in.cpu_seconds / self.mined.cpu_seconds - 1


@dataclass(frozen=True, slots=True)
class IngestBenchmark(Measurement):
    title: ClassVar[str] = "resumes taken in per second, against plain mining of the same files"
    workers: int
    sizes: tuple[IngestTiming, ...]
    load_before: float  # processes that wanted a core in the minute before; they spoil the rates, not the times

    def rows(self) -> list[tuple[str, str]]:
        last = self.sizes[-1]
        per_file = 1000 / last.files
        rows = [
            (f"{last.files} PDF files, mined only", f"{last.files / last.mined.seconds:.1f} files/s"),
            ("  taken in, with duplicates and index", f"{last.files / last.taken_in.seconds:.1f} files/s"),
            ("processor time per file, mined only", f"{last.mined.cpu_seconds * per_file:.0f} ms"),
            ("  taken in", f"{last.taken_in.cpu_seconds * per_file:.0f} ms ({last.overhead:+.0%})"),
            ("  of it comparing", f"{last.compared.cpu_seconds * per_file:.1f} ms"),
            ("  of it indexing", f"{last.indexed.cpu_seconds * per_file:.1f} ms"),
            ("the same files offered again", f"{last.again.seconds * per_file:.2f} ms per file"),
        ]
        growth = ", ".join(
            f"{size.taken_in.cpu_seconds / size.files * 1000:.0f} ms at {size.files}" for size in self.sizes
        )
        return [*rows, ("processor time per file as they become more", growth), ("workers", f"{self.workers}")]


def run(*, n: int = RESUMES, seed: int = 1) -> IngestBenchmark:
    """Take in `n` generated PDF files, and before that fewer, each time into an empty store."""
    load_before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="evenhand-ingest-") as name:
        folder = Path(name)
        generate(folder / "corpus", n=n, seed=seed, formats=("pdf",), jobs=0, workers=WORKERS)
        paths = [folder / "corpus" / resume_path(number, "pdf") for number in range(n)]
        sizes = [measure(paths[: int(n * share)], folder / f"data-{share}") for share in SHARES]
    return IngestBenchmark(WORKERS, tuple(sizes), load_before)


def measure(paths: Sequence[Path], data: Path) -> IngestTiming:
    settings = Settings(data=str(data), workers=WORKERS)
    mined = cost(lambda: deque(mine_with_documents(paths, as_of=AS_OF, settings=settings), maxlen=0))
    with open_service(settings) as service:
        job = service.store.jobs.add(JOB)

        def ingest_batch() -> None:
            summary = ingest(paths, job, store=service.store, settings=settings, as_of=AS_OF)
            if summary.errors:  # a refusal is quick, and would count as speed
                raise EvenhandError(f"{summary.errors[0].file}: {summary.errors[0].failure.message}")

        saved = cost(ingest_batch)
        compared = cost(lambda: find_new_duplicates(service.store))
        indexed = cost(service.follow)
        return IngestTiming(len(paths), mined, saved, compared, indexed, cost(ingest_batch))


def cost(work: Callable[[], object]) -> Cost:
    started, used = time.perf_counter(), _cpu_seconds()
    work()
    return Cost(time.perf_counter() - started, _cpu_seconds() - used)


def _cpu_seconds() -> float:
    """Of this process and of all its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)
