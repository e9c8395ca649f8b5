"""`evenhand bench corpus`: how fast resumes with truth are generated on one core, and in how much memory.

Each run has a process of its own, so that its highest memory is its own too.
"""

from __future__ import annotations

import os
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import ClassVar, NamedTuple

from evenhand_lab.benchmarks.kit import Measurement, memory_bytes
from evenhand_lab.corpora.generate import generate
from evenhand_lab.corpora.kinds.kinds import KINDS

RESUMES = 1000
TEXT_LIMIT_SECONDS = 20.0  # for 1,000 resumes as truth and TXT
FILES_LIMIT_SECONDS = 180.0  # for 1,000 resumes as truth and PDF or DOCX
TIMES_MORE = 4


class GenerationPass(NamedTuple):
    seconds: float
    cpu_seconds: float
    peak_bytes: int


@dataclass(frozen=True, slots=True)
class Generation(Measurement):
    """Seconds of processor time by kind; memory of the slowest kind's text run."""

    title: ClassVar[str] = "resumes with truth, generated on one core"
    resumes: int
    text_seconds: dict[str, float]
    files_seconds: dict[str, float]
    peak_bytes: int
    peak_bytes_four_times: int

    def rows(self) -> list[tuple[str, str]]:
        share = self.resumes / RESUMES
        rows = [
            (f"{self.resumes} {kind}, truth and TXT", f"{seconds:.1f} s (at most {TEXT_LIMIT_SECONDS * share:g})")
            for kind, seconds in self.text_seconds.items()
        ]
        rows += [
            (f"{self.resumes} {kind}, PDF or DOCX", f"{seconds:.1f} s (at most {FILES_LIMIT_SECONDS * share:g})")
            for kind, seconds in self.files_seconds.items()
        ]
        return [
            *rows,
            (f"highest memory over {self.resumes}", f"{self.peak_bytes / 1e6:.0f} MB"),
            (f"highest memory over {self.resumes * TIMES_MORE}", f"{self.peak_bytes_four_times / 1e6:.0f} MB"),
        ]


def run(*, n: int = RESUMES) -> Generation:
    """Generate `n` resumes of every kind, as text and as files; then four times as many of one kind."""
    text = {kind: apart(kind, n, ("txt",)) for kind in KINDS}
    files = {kind: apart(kind, n, ("pdf", "docx")) for kind in KINDS}
    slowest = max(text, key=lambda kind: text[kind].cpu_seconds)
    return Generation(
        resumes=n,
        text_seconds={kind: measured.cpu_seconds for kind, measured in text.items()},
        files_seconds={kind: measured.cpu_seconds for kind, measured in files.items()},
        peak_bytes=text[slowest].peak_bytes,
        peak_bytes_four_times=apart(slowest, n * TIMES_MORE, ("txt",)).peak_bytes,
    )


def apart(kind: str, n: int, formats: tuple[str, ...]) -> GenerationPass:
    """One run in a fresh process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure, kind, n, formats).result()


def measure(kind: str, n: int, formats: tuple[str, ...]) -> GenerationPass:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
    with tempfile.TemporaryDirectory(prefix="evenhand-corpus-") as name:
        started, used = time.perf_counter(), time.process_time()
        generate(Path(name, "corpus"), n=n, seed=1, kind=kind, formats=formats)
        return GenerationPass(time.perf_counter() - started, time.process_time() - used, memory_bytes()[1])
