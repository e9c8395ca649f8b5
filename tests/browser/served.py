"""A served copy of the small demo pool: a real server in a process of its own, and its store beside it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from evenhand.accounts.sign_in import SIGN_IN, add_with_password, link_address
from evenhand.records import Profile
from evenhand.screening.service import open_service
from evenhand.search.service import Service
from evenhand.settings import Settings
from evenhand.store.applications import Application
from evenhand.store.store import Store

PASSWORD = "violet kettle march otter"
WITH_PASSWORD = "pat"
"""The one recruiter of the pool who has a password; the others come by one-time links."""

HOST = "127.0.0.1"
START_SECONDS = 60


@dataclass(frozen=True)
class Served:
    """`marketing` and `sales` are ids of jobs, both Robin's; Lena has none."""

    address: str
    service: Service
    staff: Mapping[str, str]
    marketing: str
    sales: str

    @property
    def store(self) -> Store:
        return self.service.store

    def link(self, login: str) -> str:
        """A one-time link that lets somebody in."""
        token = self.store.links.make(SIGN_IN, self.staff[login], 1)
        return link_address(self.service.settings, token)

    def applications(self, job: str) -> list[Application]:
        return list(self.store.applications.of_job(job))

    def profile(self, application: Application) -> Profile:
        found = self.store.applications.profile(application.id)
        assert found, "every application of the pool has been read"
        return found

    def statuses(self, job: str) -> dict[str, int]:
        """Counted from the applications themselves, not from any counter."""
        found: dict[str, int] = {}
        for application in self.applications(job):
            found[application.status] = found.get(application.status, 0) + 1
        return found


@contextmanager
def serving(folder: Path, jobs: list[str], staff: Mapping[str, str]) -> Iterator[Served]:
    """The pool in `folder`, at an address of its own until it is left."""
    port = _free_port()
    settings = Settings(data=str(folder), address=f"http://{HOST}:{port}")
    with open_service(settings) as service:
        people = dict(staff)
        pat = add_with_password(service.store, WITH_PASSWORD, "recruiter", PASSWORD, name="Pat Lindqvist", actor="test")
        people[WITH_PASSWORD] = pat.id
        with _server(folder, port):
            by_title = {service.store.jobs.get(job).title: job for job in jobs}
            yield Served(
                settings.address,
                service,
                people,
                marketing=by_title["Marketing Manager"],
                sales=by_title["Area Sales Manager"],
            )


@contextmanager
def _server(folder: Path, port: int) -> Iterator[None]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("EVENHAND_")}
    environment |= {"EVENHAND_DATA": str(folder), "EVENHAND_CONFIG": os.devnull}
    command = [sys.executable, "-m", "evenhand", "serve", "--host", HOST, "--port", str(port)]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log)
    try:
        _wait(process, port, folder / "server.log")
        yield
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=20)
        process.kill()
        process.wait()


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with urlopen(f"http://{HOST}:{port}/sign-in", timeout=5):
                return
        except (URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    raise AssertionError(f"the server did not start: {log.read_text(errors='replace')}")


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        port: int = taken.getsockname()[1]
        return port
