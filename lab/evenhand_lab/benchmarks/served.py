"""A server under load: the pool of the search bench behind real pages, and a bare route beside it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice, repeat
from pathlib import Path

from sqlalchemy import create_engine, insert, select, update

from evenhand.errors import EvenhandError
from evenhand.mining.pipeline import understand_text
from evenhand.screening.service import open_service
from evenhand.search.index.reader import IndexReader
from evenhand.settings import Settings
from evenhand.store.tables import applications, candidates, counters, documents, jobs
from evenhand_lab.benchmarks.candidates import PoolJob
from evenhand_lab.corpora.jobs import JobAd

HOST = "127.0.0.1"
LOGIN = "bench"
START_SECONDS = 60.0
STEP = 5_000  # rows written at once
BARE = """
import sys, uvicorn
from fastapi import FastAPI
from fastapi.responses import HTMLResponse
app, body = FastAPI(), "x" * int(sys.argv[2])
@app.get("/{path:path}")
def answer(path: str) -> HTMLResponse:
    return HTMLResponse(body)
if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", access_log=False)
"""
"""A page of the same size with nothing behind it: what framework, server and client cost by themselves."""


def fill_store(settings: Settings, openings: Sequence[PoolJob], ads: Sequence[JobAd]) -> str:
    """Rows for the applications that the index holds, and a session for someone who may see them all."""
    with open_service(settings) as service:
        user = service.store.accounts.by_login(LOGIN)
        if user is None:
            user = service.store.accounts.add(LOGIN, "Bench", "admin", actor="bench")
            _write_rows(settings, openings, ads, service.store.context.clock())
        return service.store.sessions.open(user.id)


def _write_rows(settings: Settings, openings: Sequence[PoolJob], ads: Sequence[JobAd], now: object) -> None:
    engine = create_engine(settings.database_url)
    snapshot = IndexReader(settings.data_path / "index").snapshot()
    jobs_of_rows = chain.from_iterable(repeat(opening.id, opening.applications) for opening in openings)
    with engine.begin() as connection:
        for opening, ad in zip(openings, ads, strict=False):
            understood = understand_text(ad.text, settings)
            about = {"id": opening.id, "title": understood.title, "text": ad.text, "created": now}
            connection.execute(insert(jobs).values(about | {"requirements": understood.to_json()}))
        rows = (_rows(number, job, now) for number, job in zip(range(snapshot.number), jobs_of_rows, strict=False))
        while some := list(islice(rows, STEP)):
            for table, records in zip((documents, candidates, applications), zip(*some, strict=True), strict=True):
                connection.execute(insert(table), list(records))
        revision = counters.c.name == "revision"
        connection.execute(update(counters).where(revision).values(value=snapshot.revision))
        assert connection.execute(select(counters.c.value).where(revision)).scalar_one() == snapshot.revision
    engine.dispose()


def _rows(number: int, job: str, now: object) -> tuple[dict[str, object], ...]:
    """Of a document, a candidate and an application."""
    sha256, id, revision = f"{number:064x}", f"a{number:08d}", number + 1
    return (
        {"sha256": sha256, "size_bytes": 1, "format": "pdf", "file": None, "received": now},
        {"id": id, "form": {}, "created": now},
        {"id": id, "job": job, "candidate": id, "document": sha256, "source": None, "status": "new", "file": None}
        | {"received": now, "revision": revision, "content": revision},
    )


@contextmanager
def serving(settings: Settings, *, processes: int) -> Iterator[int]:
    """Our server, as users start it; its port."""
    port = free_port()
    yield from _until_done(start_server(settings, port=port, processes=processes), port)


@contextmanager
def serving_bare(folder: Path, *, size_bytes: int) -> Iterator[int]:
    port, script = free_port(), folder / "bare.py"
    script.write_text(BARE)
    yield from _until_done(_start([sys.executable, str(script), str(port), str(size_bytes)], {}), port)


def _until_done(process: subprocess.Popen[bytes], port: int) -> Iterator[int]:
    try:
        wait_for(port, process)
        yield port
    finally:
        process.terminate()
        process.wait(timeout=30)


def start_server(settings: Settings, *, port: int, processes: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "evenhand", "serve", "--port", str(port), "--processes", str(processes)]
    return _start(command, {"EVENHAND_DATA": settings.data, "EVENHAND_WORKERS": str(settings.workers)})


def _start(command: Sequence[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """In a group of its own, so that it can be ended with all it starts."""
    whole = {**os.environ, "OMP_WAIT_POLICY": "PASSIVE", **environment}
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, env=whole, stdout=quiet, stderr=quiet, start_new_session=True)


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(f"http://{HOST}:{port}/sign-in", timeout=5).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise EvenhandError("The server did not start.")


def free_port() -> int:
    with socket.socket() as found:
        found.bind((HOST, 0))
        return int(found.getsockname()[1])
