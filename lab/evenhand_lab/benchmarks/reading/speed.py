"""`evenhand bench read`: resumes per second with isolation on, against bare pypdfium2 text extraction.

Both run pinned to the same processor core, in turns, and both begin at the path of a file.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from statistics import fmean, median
from typing import ClassVar, NamedTuple

import pypdfium2

from evenhand.documents.reading import read_many
from evenhand.documents.sandbox.pool import SandboxPool
from evenhand.errors import EvenhandError, UsageError
from evenhand_lab.benchmarks.inputs import files_under, samples, spread_evenly
from evenhand_lab.benchmarks.kit import Measurement, cpu_seconds, pinned

ROUNDS = 5
FILES_PER_ROUND = 100
MEMORY_FILES = 2_000
SAMPLE_EVERY = 20
TEXT_CHARACTERS = 100  # a PDF with less is a scan: bare extraction has nothing to do there


@dataclass(frozen=True, slots=True)
class Speed(Measurement):
    """Rates are medians of the rounds, in files per second; ratios are medians of each round's ratio."""

    title: ClassVar[str] = "resumes per second, isolated, against bare pypdfium2 text extraction"
    files: int
    rounds: int
    bare_one_core: float
    ours_one_core: float
    ours_two_cores: float | None
    ratio_to_bare: float
    ratio_of_two_cores: float | None
    bare_cpu_seconds: float  # of processor time per file: says more than the rates on a busy machine,
    ours_cpu_seconds: float  # where two processes that take turns get a larger share of a core than one
    memory_files: int
    parent_bytes: tuple[float, float]  # mean of the first and of the last quarter
    children_bytes: tuple[float, float]
    children_peak_bytes: int
    load_before: float  # processes that wanted a core in the minute before; they spoil the figures

    def rows(self) -> list[tuple[str, str]]:
        rows = [
            ("bare pypdfium2, one core", f"{self.bare_one_core:.1f} files/s"),
            ("Evenhand, isolated, one core", f"{self.ours_one_core:.1f} files/s"),
            ("  against bare", f"{self.ratio_to_bare:.2f} (at least 0.50)"),
        ]
        if self.ours_two_cores is not None and self.ratio_of_two_cores is not None:
            rows += [
                ("Evenhand, isolated, two cores", f"{self.ours_two_cores:.1f} files/s"),
                ("  against one core", f"{self.ratio_of_two_cores:.2f} (at least 1.70)"),
            ]
        more = self.bare_cpu_seconds / self.ours_cpu_seconds
        return [
            *rows,
            ("processor time per file, bare", f"{self.bare_cpu_seconds * 1e3:.1f} ms"),
            ("processor time per file, parent and child", f"{self.ours_cpu_seconds * 1e3:.1f} ms"),
            ("  speed that this alone allows, against bare", f"{more:.2f}"),
            (f"memory over {self.memory_files} files, parent", _first_and_last(self.parent_bytes)),
            (f"memory over {self.memory_files} files, children", _first_and_last(self.children_bytes)),
            ("largest child", f"{self.children_peak_bytes / 1e6:.0f} MB"),
            ("rounds, files in each", f"{self.rounds}, {self.files}"),
            ("load of the machine before the run", f"{self.load_before:.1f} (a quiet one is below 0.3)"),
        ]


def run(data: Path | None = None, *, n: int = FILES_PER_ROUND, memory_files: int = MEMORY_FILES) -> Speed:
    """Measure on the PDFs under `data`, or on the samples; `n` files per round."""
    if not hasattr(os, "sched_setaffinity"):
        raise UsageError("This bench holds programs on one processor core, which needs Linux.")
    pdfs = [path for path in (files_under(data) if data else samples()) if path.suffix.lower() == ".pdf"]
    chosen = [path for path in spread_evenly(pdfs, n) if has_text(path)]
    if not chosen:
        raise UsageError("There is no PDF with text to measure on.")
    paths = list(islice(cycle(chosen), n))
    load_before = os.getloadavg()[0]
    cores = sorted(os.sched_getaffinity(0))[:2]
    rounds = measure_rounds(paths, cores)
    parent, children, peak = measure_memory(pdfs if data else paths, memory_files, workers=len(cores))
    both = len(cores) == 2
    return Speed(
        files=len(paths),
        rounds=ROUNDS,
        bare_one_core=median(bare.rate for bare, _, _ in rounds),
        ours_one_core=median(one.rate for _, one, _ in rounds),
        ours_two_cores=median(two.rate for _, _, two in rounds) if both else None,
        ratio_to_bare=median(one.rate / bare.rate for bare, one, _ in rounds),
        ratio_of_two_cores=median(two.rate / one.rate for _, one, two in rounds) if both else None,
        bare_cpu_seconds=median(bare.cpu_seconds for bare, _, _ in rounds),
        ours_cpu_seconds=median(one.cpu_seconds for _, one, _ in rounds),
        memory_files=memory_files,
        parent_bytes=quarters(parent),
        children_bytes=quarters(children),
        children_peak_bytes=peak,
        load_before=load_before,
    )


def has_text(path: Path) -> bool:
    try:
        return bare_characters(path) >= TEXT_CHARACTERS
    except pypdfium2.PdfiumError:
        return False


class Pace(NamedTuple):
    """How fast a number of files was read."""

    rate: float  # files per second
    cpu_seconds: float  # per file


def measure_rounds(paths: Sequence[Path], cores: Sequence[int]) -> list[tuple[Pace, Pace, Pace]]:
    """In turns: bare on one core, ours on one, ours on all of `cores`."""
    rounds = []
    with SandboxPool(1) as single, SandboxPool(len(cores)) as double:
        with pinned(cores[:1]):
            _drain(single, paths[:10])  # starts the child, which inherits the core
        with pinned(cores):
            _drain(double, paths[:10])
        for _ in range(ROUNDS):
            with pinned(cores[:1]):
                bare = _pace(lambda: deque(map(bare_characters, paths), maxlen=0), len(paths))
                one = _pace(lambda: _drain(single, paths), len(paths), single)
            with pinned(cores):
                rounds.append((bare, one, _pace(lambda: _drain(double, paths), len(paths), double)))
    return rounds


def bare_characters(path: Path) -> int:
    """The floor: all text of all pages by pdfium itself, without layout and without protection."""
    document = pypdfium2.PdfDocument(path.read_bytes())
    try:
        characters = 0
        for number in range(len(document)):
            page = document[number]
            textpage = page.get_textpage()
            characters += len(textpage.get_text_range())
            textpage.close()
            page.close()
        return characters
    finally:
        document.close()


def _drain(pool: SandboxPool, paths: Sequence[Path]) -> None:
    for document in read_many(paths, pool=pool):
        if document.error:  # a refusal is quick, and would count as speed
            raise EvenhandError(f"{document.file} was not read: {document.error.message}")


def _pace(work: Callable[[], object], count: int, pool: SandboxPool | None = None) -> Pace:
    pools = [pool] if pool else []
    started, used = time.perf_counter(), cpu_seconds(*pools)
    work()
    return Pace(count / (time.perf_counter() - started), (cpu_seconds(*pools) - used) / count)


def measure_memory(paths: Sequence[Path], count: int, *, workers: int) -> tuple[list[int], list[int], int]:
    """Resident bytes of the parent and of the children together, sampled while `count` files are read."""
    parent, children, peak = [], [], 0
    with SandboxPool(workers) as pool:
        for number, _ in enumerate(read_many(islice(cycle(paths), count), pool=pool)):
            if number % SAMPLE_EVERY == SAMPLE_EVERY - 1:
                sizes = [resident_bytes(pid) for worker in pool.pids() for pid in (worker, *children_of(worker))]
                parent.append(resident_bytes(os.getpid()))
                children.append(sum(sizes))
                peak = max([peak, *sizes])
    return parent, children, peak


def children_of(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def resident_bytes(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def quarters(samples: Sequence[int]) -> tuple[float, float]:
    size = max(1, len(samples) // 4)
    return fmean(samples[:size]), fmean(samples[-size:])


def _first_and_last(means: tuple[float, float]) -> str:
    return f"{means[0] / 1e6:.0f} MB in the first quarter, {means[1] / 1e6:.0f} MB in the last"
