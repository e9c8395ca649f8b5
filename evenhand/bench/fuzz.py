"""`evenhand bench fuzz`: files damaged by the thousand, none of which may end in anything without a name."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from rich.table import Table

from evenhand.bench.hostile import outcome, quantile, surprise
from evenhand.bench.inputs import files_under, samples
from evenhand.bench.measurements import as_table
from evenhand.bench.mutations import mutate
from evenhand.documents.sandbox.pool import Reading
from evenhand.settings import Settings
from evenhand.workflows.order import in_order
from evenhand.workflows.reading import open_pool, reading_limits

CASES = 20_000
SEED_BYTES = 1_000_000  # larger files would only make the run longer
KEPT_PER_FINDING = 10
LATE_SECONDS = 2.0  # past the wall limit: a pool that needs longer to give up is at fault itself


@dataclass(slots=True)
class Fuzz:
    """What damaged files did. `findings` must stay empty; its lists name the case numbers."""

    title: ClassVar[str] = "files damaged on purpose, each read in isolation"
    cases: int
    seed: int
    seed_files: int
    limit_bytes: int
    outcomes: Counter[str] = field(default_factory=Counter)
    findings: dict[str, list[int]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    peak_bytes: int = 0
    kept_in: str | None = None

    def to_json(self) -> dict[str, Any]:
        figures = asdict(self)
        seconds = sorted(figures.pop("seconds"))
        return figures | {"p99_seconds": quantile(seconds, 0.99), "max_seconds": seconds[-1]}

    def rows(self) -> list[tuple[str, str]]:
        found = sum(map(len, self.findings.values()))
        return [
            ("damaged files, of originals", f"{self.cases}, {self.seed_files} (seed {self.seed})"),
            *((outcome, str(count)) for outcome, count in self.outcomes.most_common()),
            ("unclassified, late or over the memory limit", str(found)),
            *((f"  {what}", _shortened(cases)) for what, cases in self.findings.items()),
            ("seconds, 99th percentile", f"{quantile(sorted(self.seconds), 0.99):.2f}"),
            ("seconds, slowest", f"{max(self.seconds):.2f}"),
            ("memory of the largest child", f"{self.peak_bytes / 1e6:.0f} MB"),
        ]

    def table(self) -> Table:
        return as_table(self.title, self.rows())


def run(data: Path | None = None, *, n: int = CASES, seed: int = 1, out: Path | None = None) -> Fuzz:
    """Damage the files under `data`, or the samples, `n` times; keep what exposes a fault in `out`."""
    originals = load(files_under(data) if data else samples())
    settings = Settings()
    # Recognising the text of a picture takes seconds, and its engine sees pixels and not the file.
    limits = replace(reading_limits(settings), ocr_pages=0)
    result = Fuzz(cases=n, seed=seed, seed_files=len(originals), limit_bytes=settings.memory_bytes)
    with open_pool(settings) as pool:

        def read_case(number: int) -> Reading:
            return pool.examine(case(originals, seed, number), limits=limits)

        for number, reading in enumerate(in_order(read_case, range(n), threads=pool.workers)):
            for finding in note(result, number, reading, latest=settings.wall_seconds + LATE_SECONDS):
                keep(result, finding, number, case(originals, seed, number), out)
    return result


def load(paths: Sequence[Path]) -> list[bytes]:
    return [path.read_bytes() for path in paths if 0 < path.stat().st_size <= SEED_BYTES]


def case(originals: Sequence[bytes], seed: int, number: int) -> bytes:
    """The damaged file of this number: any one can be made again without the others."""
    random = Random(f"{seed}:{number}")
    return mutate(random.choice(originals), random.choice(originals), random)


def note(result: Fuzz, number: int, reading: Reading, *, latest: float) -> list[str]:
    """Count one reading; what it exposes."""
    result.outcomes[outcome(reading)] += 1
    result.seconds.append(reading.seconds)
    result.peak_bytes = max(result.peak_bytes, reading.peak_bytes)
    found = []
    if cause := surprise(reading):
        found.append(cause)
    if reading.seconds > latest:
        found.append("late")
    if reading.peak_bytes > result.limit_bytes:
        found.append("memory")
    for finding in found:
        result.findings.setdefault(finding, []).append(number)
    return found


def keep(result: Fuzz, finding: str, number: int, data: bytes, out: Path | None) -> None:
    if len(result.findings[finding]) > KEPT_PER_FINDING:
        return
    folder = out or Path(tempfile.gettempdir(), "evenhand-fuzz")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{finding}-{result.seed}-{number}").write_bytes(data)
    result.kept_in = str(folder)


def _shortened(cases: Sequence[int]) -> str:
    shown = ", ".join(map(str, cases[:8]))
    return f"{len(cases)}: {shown}{', ...' if len(cases) > 8 else ''}"
