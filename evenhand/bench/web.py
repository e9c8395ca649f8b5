"""`evenhand bench web`: fifty people refine at once among 100,000 candidates, beside a bare FastAPI route.

Each visitor walks through the refinements of a job ad of her own, looks at each list for five seconds on average, and
goes on. Every list that is shown is an event of the ledger, on the disk before the page is sent. The bare route
answers the same visitors, at the same pace, with a page of the same size.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from rich.table import Table

from evenhand.bench.candidates.base import RESUMES
from evenhand.bench.candidates.building import build
from evenhand.bench.measurements import as_table
from evenhand.bench.refining import EVERYONE, openings, refinements, sample_ads
from evenhand.bench.search_timing import most_cities
from evenhand.bench.served import HOST, fill_store, serving, serving_bare
from evenhand.bench.visitors import OK, PAUSE_SECONDS, Answer, visit
from evenhand.corpora.jobs import JobAd
from evenhand.search.index import IndexReader
from evenhand.settings import Settings
from evenhand.web.access import SESSION
from evenhand.web.rendering import FRAGMENT
from evenhand.workflows.desk_query import Search
from evenhand.workflows.opening import open_service
from evenhand.workflows.watching import Watch, unwatched

CANDIDATES, ADS, SMALL_JOBS = 100_000, 40, 5
VISITORS = 50
SECONDS, WARM_SECONDS = 60.0, 15.0
MOST_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Load:
    """What one server answered; seconds as visitors felt them."""

    requests: int
    errors: int
    p50: float
    p95: float
    worst: float
    page_bytes: int


@dataclass(frozen=True, slots=True)
class Web:
    title: ClassVar[str] = "fifty people refining at once, beside a bare FastAPI route"
    candidates: int
    visitors: int
    seconds: float
    pause_seconds: float
    processes: int
    ours: Load
    bare: Load
    recorded: int  # rankings in the ledger that these requests left
    load_before: float

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def rows(self) -> list[tuple[str, str]]:
        rate = self.ours.requests / self.seconds
        return [
            ("candidates, visitors at once", f"{self.candidates:,}, {self.visitors}"),
            ("a visitor looks at each list for, on average", f"{self.pause_seconds:g} s"),
            ("processes that serve", f"{self.processes}"),
            ("requests answered, per second", f"{self.ours.requests:,}, {rate:.1f}"),
            ("errors", f"{self.ours.errors} (none)"),
            (
                "a refinement: p50 / p95 / worst",
                f"{_times(self.ours)} (p95 at most {MOST_SECONDS * 1e3:.0f} ms)",
            ),
            ("  bytes of its answer, on average", f"{self.ours.page_bytes:,}"),
            ("a bare route, a page of the same size: p50 / p95 / worst", _times(self.bare)),
            ("  ours takes longer by, p50 and p95", _longer(self.ours, self.bare)),
            ("rankings recorded in the ledger meanwhile", f"{self.recorded:,}"),
            ("load of the machine before the run", f"{self.load_before:.1f} (a quiet one is below 0.3)"),
        ]

    def table(self) -> Table:
        return as_table(self.title, self.rows())


def _times(load: Load) -> str:
    return f"{load.p50 * 1e3:.0f} / {load.p95 * 1e3:.0f} / {load.worst * 1e3:.0f} ms"


def _longer(ours: Load, bare: Load) -> str:
    return f"{(ours.p50 - bare.p50) * 1e3:.0f}, {(ours.p95 - bare.p95) * 1e3:.0f} ms"


def run(
    data: Path | None = None,
    *,
    n: int = CANDIDATES,
    seed: int = 1,
    visitors: int = VISITORS,
    seconds: float = SECONDS,
    resumes: int = RESUMES,
    processes: int = 2,
    watch: Watch = unwatched,
) -> Web:
    """`data` keeps the pool: a second run need not build it again."""
    load_before = os.getloadavg()[0]
    with _folder(data) as folder:
        settings = Settings(data=str(folder))
        ads = sample_ads(ADS, seed=seed)
        jobs = openings(ads, everyone=n, small=SMALL_JOBS)
        build(folder / "index", jobs, seed=seed, resumes=resumes, watch=watch)
        session = fill_store(settings, jobs, ads)
        walks = make_walks(folder / "index", ads, visitors)
        before = rankings(settings)
        with serving(settings, processes=processes) as port:
            asked = (walks, session, seed)
            load(port, *asked, seconds=min(WARM_SECONDS, seconds))
            answers = load(port, *asked, seconds=seconds)
        recorded = rankings(settings) - before
        ours = summed(answers)
        with serving_bare(folder, size_bytes=max(ours.page_bytes, 1)) as port:
            bare = summed(load(port, *asked, seconds=seconds))
    return Web(n, visitors, seconds, PAUSE_SECONDS, processes, ours, bare, recorded, load_before)


@contextmanager
def _folder(data: Path | None) -> Iterator[Path]:
    if data:
        yield data
        return
    with tempfile.TemporaryDirectory(prefix="evenhand-bench-") as folder:
        yield Path(folder)


def make_walks(index: Path, ads: Sequence[JobAd], visitors: int) -> list[list[str]]:
    """By visitor, the addresses she goes through: the refinements of one ad, begun at different places."""
    cities = most_cities(IndexReader(index).snapshot(), EVERYONE)
    walks = []
    for at in range(visitors):
        steps = refinements(ads[at % len(ads)], EVERYONE, cities, "best")
        addresses = [f"/jobs/{EVERYONE}?{Search(step.criteria).query}" for step in steps]
        begin = at % len(addresses)
        walks.append(addresses[begin:] + addresses[:begin])
    return walks


def load(port: int, walks: list[list[str]], session: str, seed: int, *, seconds: float) -> list[Answer]:
    headers = (f"Cookie: {SESSION}={session}", f"{FRAGMENT}: 1", "Sec-Fetch-Site: same-origin")
    return asyncio.run(visit(HOST, port, walks, headers=headers, seconds=seconds, seed=seed))


def summed(answers: Sequence[Answer]) -> Load:
    seconds = [answer.seconds for answer in answers]
    p50, p95 = np.percentile(seconds, (50, 95))
    errors = sum(answer.status != OK for answer in answers)
    size = round(float(np.mean([answer.size_bytes for answer in answers])))
    return Load(len(answers), errors, float(p50), float(p95), max(seconds), size)


def rankings(settings: Settings) -> int:
    with open_service(settings) as service:
        return sum(1 for _ in service.store.walk_events(kinds=["ranking"]))
