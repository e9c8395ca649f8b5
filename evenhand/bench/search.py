"""`evenhand bench search`: refinements of a screener among a million candidates, beside bare tantivy in the same run.

Candidates are put together from the parts of generated resumes (heads, jobs, projects, sections), each part of a
resume from another person of the same occupation. Ours and bare take turns on the same index files.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, ClassVar

from rich.table import Table

from evenhand.bench.candidates.base import RESUMES
from evenhand.bench.candidates.building import About, build
from evenhand.bench.measurements import as_table
from evenhand.bench.refining import openings, sample_ads
from evenhand.bench.search_timing import Measured, Timing, measure
from evenhand.workflows.watching import Watch, unwatched

SIZES = (100_000, 1_000_000)
ADS, SMALL_JOBS = 40, 5
MOST_RATIO, MOST_SECONDS = 2.0, 0.5


@dataclass(frozen=True, slots=True)
class PoolResult:
    """One size of pool. Bytes of memory are those of the process that only searches."""

    candidates: int
    about: About
    tantivy_bytes: int
    digest_bytes: int
    measured: Measured

    def rows(self) -> list[tuple[str, str]]:
        about, measured = self.about, self.measured
        rate = f"{about.applications / about.seconds:.0f}/s, {about.seconds / 60:.1f} minutes"
        mean = about.terms / about.applications
        return [
            (f"{self.candidates:,} candidates: composed and indexed", rate),
            ("  index, digests", f"{self.tantivy_bytes / 1e9:.2f} GB, {self.digest_bytes / 1e9:.2f} GB"),
            ("  vocabulary, terms per resume", f"{about.vocabulary:,}, {mean:.0f}"),
            ("  memory to search, own and with the mapped files", _memory(measured)),
            *(_row(timing, f" (at most {MOST_RATIO:g})") for timing in measured.operations),
            *(_row(timing) for timing in (*measured.parts, *measured.steps)),
            _row(measured.refinement, f" (at most {MOST_RATIO:g}; p95 at most {MOST_SECONDS * 1e3:.0f} ms)"),
            _row(measured.small, " (p95 far below 1 s)"),
        ]


def _memory(measured: Measured) -> str:
    return f"{measured.own_bytes / 1e6:.0f} MB, {measured.resident_bytes / 1e6:.0f} MB"


def _row(timing: Timing, wanted: str = "") -> tuple[str, str]:
    ours, bare = timing.ours, timing.bare
    figures = f"{_milliseconds(ours.p50)} / {_milliseconds(ours.p95)}; bare {_milliseconds(bare.p50)} / "
    return f"  {timing.name}", f"{figures}{_milliseconds(bare.p95)} ms; {timing.ratio:.2f} times{wanted}"


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.0f}" if seconds >= 0.01 else f"{seconds * 1e3:.1f}"


@dataclass(frozen=True, slots=True)
class Search:
    title: ClassVar[str] = "refinements of a screener, p50 / p95, beside bare tantivy"
    ranker: str
    ads: int
    resumes: int  # that candidates are put together from
    pools: tuple[PoolResult, ...]
    load_before: float

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("job ads, ranker", f"{self.ads}, {self.ranker}"),
            ("generated resumes that candidates are put together from", f"{self.resumes:,}"),
            *(row for pool in self.pools for row in pool.rows()),
            ("load of the machine before the run", f"{self.load_before:.1f} (a quiet one is below 0.3)"),
        ]

    def table(self) -> Table:
        return as_table(self.title, self.rows())


def run(
    data: Path | None = None,
    *,
    n: int = max(SIZES),
    seed: int = 1,
    ads: int = ADS,
    resumes: int = RESUMES,
    ranker: str = "best",
    watch: Watch = unwatched,
) -> Search:
    """Measure with 100,000 and with `n` candidates, or with `n` where these are fewer.

    `data` keeps the indexes: a second run need not build them again.
    """
    load_before = os.getloadavg()[0]
    pools = []
    with _folder(data) as folder:
        for size in sorted({min(n, *SIZES), n}):
            pools.append(_measure_pool(folder / f"{size}", size, seed, ads, resumes, ranker, watch))
    return Search(ranker, ads, resumes, tuple(pools), load_before)


@contextmanager
def _folder(data: Path | None) -> Iterator[Path]:
    if data:
        yield data
        return
    with tempfile.TemporaryDirectory(prefix="evenhand-bench-") as folder:
        yield Path(folder)


def _measure_pool(
    folder: Path, size: int, seed: int, ads: int, resumes: int, ranker: str, watch: Watch
) -> PoolResult:
    asked = sample_ads(ads, seed=seed)
    jobs = openings(asked, everyone=size, small=SMALL_JOBS)
    about = build(folder, jobs, seed=seed, resumes=resumes, watch=watch)
    # A process of its own, so that its memory is that of searching.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        measured = pool.submit(measure, folder, asked, SMALL_JOBS, ranker).result()
    digests = (folder / "digests.bin").stat().st_size
    return PoolResult(size, about, _bytes(folder / "tantivy"), digests, measured)


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())
