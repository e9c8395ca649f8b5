"""`evenhand bench hostile`: every file ends in a status or in a named error."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from evenhand.documents.reading import in_order, open_pool, reading_limits
from evenhand.documents.sandbox.pool import ReadResult
from evenhand.errors import DOCUMENT_ERRORS, CorruptDocument
from evenhand.settings import Settings
from evenhand_lab.benchmarks.inputs import files_under, samples
from evenhand_lab.benchmarks.kit import Measurement, quantile

# `parse` adds the class of an exception that no reader foresaw to the sentence of corrupt_document.
SURPRISE = re.compile(re.escape(CorruptDocument.sentence) + r" \((\w+)\)$")


@dataclass(frozen=True, slots=True)
class Hostile(Measurement):
    """How files that mean harm, or came to harm, were read."""

    title: ClassVar[str] = "damaged and hostile files, each read in isolation"
    files: int
    outcomes: dict[str, int]  # by status, or code of the error
    unclassified: dict[str, list[str]]  # exception no reader foresaw -> names of the files
    median_seconds: float
    p99_seconds: float
    max_seconds: float
    peak_bytes: int
    limit_bytes: int

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("files", str(self.files)),
            *((outcome, str(count)) for outcome, count in self.outcomes.items()),
            ("unclassified", str(sum(map(len, self.unclassified.values())))),
            *((f"  {cause}", ", ".join(names[:5])) for cause, names in self.unclassified.items()),
            ("seconds, median", f"{self.median_seconds:.3f}"),
            ("seconds, 99th percentile", f"{self.p99_seconds:.2f} (at most 20)"),
            ("seconds, slowest", f"{self.max_seconds:.2f}"),
            ("memory of the largest child", f"{self.peak_bytes / 1e6:.0f} MB (limit {self.limit_bytes / 1e6:.0f} MB)"),
        ]


def run(data: Path | Sequence[Path] | None = None) -> Hostile:
    """Read every file under `data` (one folder or several), or the bundled samples."""
    folders = [] if data is None else [data] if isinstance(data, Path) else list(data)
    paths = [path for folder in folders for path in files_under(folder)] or samples()
    settings = Settings()
    limits = reading_limits(settings)
    with open_pool(settings) as pool:
        readings = in_order(
            lambda path: pool.examine(path.read_bytes(), file=path.name, limits=limits), paths, threads=pool.workers
        )
        return summary([path.name for path in paths], list(readings), limit_bytes=settings.memory_bytes)


def summary(names: Sequence[str], readings: Sequence[ReadResult], *, limit_bytes: int) -> Hostile:
    unclassified: dict[str, list[str]] = {}
    for name, reading in zip(names, readings, strict=True):
        if cause := surprise(reading):
            unclassified.setdefault(cause, []).append(name)
    seconds = sorted(reading.seconds for reading in readings)
    return Hostile(
        files=len(readings),
        outcomes=dict(Counter(map(outcome, readings)).most_common()),
        unclassified=unclassified,
        median_seconds=quantile(seconds, 0.5),
        p99_seconds=quantile(seconds, 0.99),
        max_seconds=seconds[-1],
        peak_bytes=max(reading.peak_bytes for reading in readings),
        limit_bytes=limit_bytes,
    )


def outcome(reading: ReadResult) -> str:
    error = reading.document.error
    return error.code if error else reading.document.status


def surprise(reading: ReadResult) -> str | None:
    """The exception that nobody translated, or the code that is in no list; None when all is well."""
    error = reading.document.error
    if error is None:
        return reading.cause
    if error.code not in DOCUMENT_ERRORS:
        return error.code
    named = SURPRISE.search(error.message)
    return named.group(1) if named else reading.cause
