"""`evenhand bench web`: fifty people refine at once among 100,000 candidates, beside a bare FastAPI route.

Each visitor walks through the refinements of a job ad of their own, looks at each list for five seconds on average, and
goes on. Every list that is shown is an event of the ledger, on the disk before the page is sent. The bare route
answers the same visitors, at the same pace, with a page of the same size.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random
from typing import ClassVar

import numpy as np

from evenhand.progress import Progress, no_progress
from evenhand.screening.search_url import ParsedSearch
from evenhand.screening.service import open_service
from evenhand.search.index.reader import IndexReader
from evenhand.settings import Settings
from evenhand.web.access import SESSION
from evenhand.web.rendering import FRAGMENT
from evenhand_lab.benchmarks.candidates import EVERYONE, build, openings, refinements, resumes_for, sample_ads
from evenhand_lab.benchmarks.kit import Measurement, working_folder
from evenhand_lab.benchmarks.search import most_cities
from evenhand_lab.benchmarks.served import HOST, fill_store, serving, serving_bare
from evenhand_lab.corpora.jobs import JobAd

# People at their browsers, as far as a server notices: each asks, reads for a while, and asks again.


PAUSE_SECONDS = 5.0  # that somebody looks at a list before the next condition, on average
WAIT_SECONDS = 30.0  # for one answer
OK = 200


@dataclass(frozen=True, slots=True)
class TimedResponse:
    """`status` 0: there was none."""

    seconds: float
    status: int
    size_bytes: int


async def visit(
    host: str, port: int, walks: Sequence[Sequence[str]], *, headers: Sequence[str], seconds: float, seed: int
) -> list[TimedResponse]:
    """One visitor per walk, all at once, each going round its addresses until the time is over."""
    until = time.perf_counter() + seconds
    visitors = [
        _Visitor(host, port, headers, Random(seed * 1_000 + at)).walk(addresses, until)
        for at, addresses in enumerate(walks)
    ]
    return [answer for answers in await asyncio.gather(*visitors) for answer in answers]


class _Visitor:
    """Speaks plain HTTP/1.1 over one connection: a client library would take the processor from the server."""

    def __init__(self, host: str, port: int, headers: Sequence[str], random: Random) -> None:
        self._host, self._port = host, port
        self._headers = "".join(f"{line}\r\n" for line in (f"Host: {host}:{port}", *headers))
        self._random = random
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def walk(self, addresses: Sequence[str], until: float) -> list[TimedResponse]:
        answers: list[TimedResponse] = []
        await asyncio.sleep(self._random.uniform(0, PAUSE_SECONDS))  # nobody comes at the same moment
        for address in cycle(addresses):
            if time.perf_counter() >= until:
                break
            began = time.perf_counter()
            try:
                status, size_bytes = await asyncio.wait_for(self._exchange(address), WAIT_SECONDS)
            except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError):
                self._streams = None
                status, size_bytes = 0, 0
            answers.append(TimedResponse(time.perf_counter() - began, status, size_bytes))
            await asyncio.sleep(self._random.expovariate(1 / PAUSE_SECONDS))
        if self._streams:
            self._streams[1].close()
        return answers

    async def _exchange(self, address: str) -> tuple[int, int]:
        if self._streams and self._streams[0].at_eof():  # closed by the server after a long look: as browsers do
            self._streams = None
        reader, writer = self._streams or await asyncio.open_connection(self._host, self._port)
        self._streams = reader, writer
        writer.write(f"GET {address} HTTP/1.1\r\n{self._headers}\r\n".encode())
        await writer.drain()
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        status = int(head.split(" ", 2)[1])
        length = next(int(line[15:]) for line in head.split("\r\n") if line.startswith("content-length:"))
        await reader.readexactly(length)
        return status, length


CANDIDATES, ADS, SMALL_JOBS = 100_000, 40, 5
VISITORS = 50
SECONDS, WARM_SECONDS = 60.0, 15.0
MAX_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Load:
    """What one server answered; seconds as visitors felt them."""

    requests: int
    errors: int
    p50: float
    p95: float
    worst: float
    page_bytes: int

    def __str__(self) -> str:
        return f"{self.p50 * 1e3:.0f} / {self.p95 * 1e3:.0f} / {self.worst * 1e3:.0f} ms"


@dataclass(frozen=True, slots=True)
class Web(Measurement):
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

    def rows(self) -> list[tuple[str, str]]:
        ours, bare = self.ours, self.bare
        longer = f"{(ours.p50 - bare.p50) * 1e3:.0f}, {(ours.p95 - bare.p95) * 1e3:.0f} ms"
        return [
            ("candidates, visitors at once", f"{self.candidates:,}, {self.visitors}"),
            ("a visitor looks at each list for, on average", f"{self.pause_seconds:g} s"),
            ("processes that serve", f"{self.processes}"),
            ("requests answered, per second", f"{ours.requests:,}, {ours.requests / self.seconds:.1f}"),
            ("errors", f"{ours.errors} (none)"),
            ("a refinement: p50 / p95 / worst", f"{ours} (p95 at most {MAX_SECONDS * 1e3:.0f} ms)"),
            ("  bytes of its answer, on average", f"{ours.page_bytes:,}"),
            ("a bare route, a page of the same size: p50 / p95 / worst", str(bare)),
            ("  ours takes longer by, p50 and p95", longer),
            ("rankings recorded in the ledger meanwhile", f"{self.recorded:,}"),
            ("load of the machine before the run", f"{self.load_before:.1f} (a quiet one is below 0.3)"),
        ]


def run(
    data: Path | None = None,
    *,
    n: int = CANDIDATES,
    seed: int = 1,
    visitors: int = VISITORS,
    seconds: float = SECONDS,
    resumes: int | None = None,
    processes: int = 2,
    progress: Progress = no_progress,
) -> Web:
    """`data` keeps the pool: a second run need not build it again."""
    load_before = os.getloadavg()[0]
    with working_folder(data) as folder:
        settings = Settings(data=str(folder))
        ads = sample_ads(ADS, seed=seed)
        jobs = openings(ads, everyone=n, small=SMALL_JOBS)
        build(folder / "index", jobs, seed=seed, resumes=resumes or resumes_for(n), progress=progress)
        session = fill_store(settings, jobs, ads)
        walks = make_walks(folder / "index", ads, visitors)
        before = rankings(settings)
        with serving(settings, processes=processes) as port:
            load(port, walks, session, seed, seconds=min(WARM_SECONDS, seconds))
            ours = summed(load(port, walks, session, seed, seconds=seconds))
        recorded = rankings(settings) - before
        with serving_bare(folder, size_bytes=max(ours.page_bytes, 1)) as port:
            bare = summed(load(port, walks, session, seed, seconds=seconds))
    return Web(n, visitors, seconds, PAUSE_SECONDS, processes, ours, bare, recorded, load_before)


def make_walks(index: Path, ads: Sequence[JobAd], visitors: int) -> list[list[str]]:
    """By visitor, the addresses they go through: the refinements of one ad, begun at different places."""
    cities = most_cities(IndexReader(index).snapshot(), EVERYONE)
    walks = []
    for at in range(visitors):
        steps = refinements(ads[at % len(ads)], EVERYONE, cities, "best")
        addresses = [f"/jobs/{EVERYONE}?{ParsedSearch(step.criteria).query}" for step in steps]
        begin = at % len(addresses)
        walks.append(addresses[begin:] + addresses[:begin])
    return walks


def load(port: int, walks: list[list[str]], session: str, seed: int, *, seconds: float) -> list[TimedResponse]:
    headers = (f"Cookie: {SESSION}={session}", f"{FRAGMENT}: 1", "Sec-Fetch-Site: same-origin")
    return asyncio.run(visit(HOST, port, walks, headers=headers, seconds=seconds, seed=seed))


def summed(answers: Sequence[TimedResponse]) -> Load:
    seconds = [answer.seconds for answer in answers]
    p50, p95 = np.percentile(seconds, (50, 95))
    errors = sum(answer.status != OK for answer in answers)
    size = round(float(np.mean([answer.size_bytes for answer in answers])))
    return Load(len(answers), errors, float(p50), float(p95), max(seconds), size)


def rankings(settings: Settings) -> int:
    with open_service(settings) as service:
        return sum(1 for _ in service.store.ledger.walk(kinds=["ranking"]))
