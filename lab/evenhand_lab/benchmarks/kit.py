"""What benchmarks share: results that print themselves, intervals, clocks, quantiles, processor cores, a folder."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np
from rich.table import Table

from evenhand.audit.statistics import DRAWS, ConfidenceInterval, Floats, around, wilson
from evenhand.records.conversion import JsonRecord, to_json

Outcome = TypeVar("Outcome")


class Figures(JsonRecord):
    """Base of dataclasses whose JSON form has, after the fields, the properties that the class lists as `derived`."""

    __slots__ = ()
    derived: ClassVar[tuple[str, ...]] = ()

    def to_json(self) -> dict[str, Any]:
        return to_json(self) | {name: getattr(self, name) for name in self.derived}


class Measurement(Figures):
    """Base of the dataclasses that benchmarks and reproductions return."""

    __slots__ = ()
    title: ClassVar[str]

    def rows(self) -> list[tuple[str, str]]:
        """Figures and their values, in words."""
        raise NotImplementedError

    def table(self) -> Table:
        """For a terminal."""
        table = Table("Figure", "Value", title=self.title)
        for figure, value in self.rows():
            table.add_row(figure, value)
        return table


def bootstrap(units: Sequence[Sequence[float]], figure: Callable[[Floats], Floats]) -> ConfidenceInterval | None:
    """Middle 95% of a figure over 2,000 draws of as many units, with replacement; None of fewer than two units.

    A unit is what varies as a whole (a resume, a job, a file) and gives one row of addends. `figure` gets the sums of
    each draw, one row per draw, and returns a number for each; NaN where a draw has none.
    """
    if len(units) < 2:
        return None
    rows = np.asarray(units, np.float64)
    drawn = np.random.default_rng(1).integers(len(rows), size=(DRAWS, len(rows)))
    with np.errstate(divide="ignore", invalid="ignore"):
        figures = figure(np.stack([rows[places].sum(axis=0) for places in drawn]))
    if np.isnan(figures).all():
        return None
    interval = around(0.0, figures)
    return ConfidenceInterval(interval.low or 0.0, interval.high or 0.0)


def bootstrap_mean(values: Sequence[float]) -> ConfidenceInterval | None:
    """Of the mean of one value per unit."""
    return bootstrap([(value, 1.0) for value in values], lambda sums: sums[:, 0] / sums[:, 1])


def in_brackets(interval: ConfidenceInterval | None, digits: int = 3) -> str:
    """Behind a figure: " [0.912, 0.945]"; empty without an interval."""
    return f" [{interval.low:.{digits}f}, {interval.high:.{digits}f}]" if interval else ""


def share(part: int, whole: int) -> str:
    """A rate of cases that are independent of one another, with its count and Wilson's interval."""
    if not whole:
        return "none to count"
    low, high = wilson(part, whole)
    return f"{part / whole:.1%}, {part:,} of {whole:,} [{low:.1%}, {high:.1%}]"


def timed(work: Callable[[], Outcome], clock: Callable[[], float] = time.process_time) -> tuple[Outcome, float]:
    """What the work returned, and the seconds it took, by default of processor time."""
    started = clock()
    outcome = work()
    return outcome, clock() - started


def quantile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of the values do not exceed."""
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def memory_bytes() -> tuple[int, int]:
    """Of this process: its own now, and the most it had resident with the files it maps; 0 where nothing tells."""
    status = Path("/proc/self/status")
    lines = status.read_text() if status.exists() else ""
    sizes = {name: int(size) * 1024 for name, size in re.findall(r"(\w+):\s+(\d+) kB", lines)}
    return sizes.get("RssAnon", 0), sizes.get("VmHWM", 0)


@contextmanager
def pinned(cores: Sequence[int]) -> Iterator[None]:
    """Hold this thread, and what it starts meanwhile, on `cores`."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


class WithChildren(Protocol):
    """A pool of processes."""

    def pids(self) -> list[int]: ...


def cpu_seconds(*pools: WithChildren) -> float:
    """Processor time used so far by this process, the workers of `pools` and the children that these have reaped."""
    ticks = 0
    for pid in (pid for pool in pools for pid in pool.pids()):
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += sum(map(int, fields[11:15]))  # in user and in system mode, its own and its children's
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def working_folder(data: Path | None) -> Iterator[Path]:
    """The folder the user named, or one that is removed afterwards."""
    if data:
        yield data
        return
    with tempfile.TemporaryDirectory(prefix="evenhand-bench-") as folder:
        yield Path(folder)
