"""What a parser that was taken over could do: nothing on the network, nothing to files, nothing to others."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from evenhand.documents.sandbox.pool import SandboxPool

OpenPool = Callable[..., SandboxPool]
ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the restrictions are Linux's")

READS_FOREVER = """
import sys
from evenhand.documents.sandbox.pool import SandboxPool
pool = SandboxPool(1, parser="tests.documents.sandbox.misbehaving", programs=True)
print(pool.read(b"fork_and_sleep").text, pool.pids()[0], flush=True)
pool.read(b"sleep_in_c")
"""


def outcome(pool: SandboxPool, order: str) -> str:
    return pool.read(order.encode()).text


def test_protections_are_reported(pool: SandboxPool) -> None:
    found = pool.protections()
    assert found["memory_bytes"] == 400_000_000
    assert found["no_file_writes"] is True
    assert found["dies_with_parent"] is True


@pytest.mark.parametrize("programs", [False, True])
def test_no_network(open_pool: OpenPool, tmp_path: Path, programs: bool) -> None:
    pool = open_pool(programs=programs)
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        local.bind(str(tmp_path / "socket"))
        local.listen()
        assert outcome(pool, f"connect {server.getsockname()[1]}") == "PermissionError"
        assert outcome(pool, "send_datagram") == "PermissionError"
        assert outcome(pool, f"connect_unix {tmp_path / 'socket'}") == "PermissionError"


@pytest.mark.parametrize("programs", [False, True])
def test_no_file_is_changed(open_pool: OpenPool, tmp_path: Path, programs: bool) -> None:
    pool = open_pool(programs=programs)
    kept, new = tmp_path / "kept", tmp_path / "new"
    kept.write_text("as it was")
    for order in ("write_file", "append_file", "truncate_file", "remove_file"):
        assert outcome(pool, f"{order} {kept}") in ("PermissionError", "OSError")
    assert outcome(pool, f"write_file {new}") == "PermissionError"
    assert kept.read_text() == "as it was"
    assert not new.exists()


def test_other_files_cannot_be_read(pool: SandboxPool, tmp_path: Path) -> None:
    if not pool.protections()["landlock"]:
        pytest.skip("this kernel has no Landlock")
    secret = tmp_path / "another-resume.txt"
    secret.write_text("secret")
    assert outcome(pool, f"read_file {secret}") == "PermissionError"
    assert outcome(pool, "read_file /etc/passwd") == "PermissionError"
    assert outcome(pool, f"read_file {os.__file__}") == "done"


def test_other_processes_are_out_of_reach(open_pool: OpenPool) -> None:
    pool = open_pool(programs=False)
    assert outcome(pool, f"signal_process {os.getpid()}") == "PermissionError"


def test_programs_run_only_where_they_are_needed(open_pool: OpenPool) -> None:
    assert outcome(open_pool(programs=True), "run_program /bin/true") == "done"
    assert outcome(open_pool(programs=False), "run_program /bin/true") == "PermissionError"
    error = open_pool(programs=False).read(b"fork_and_sleep").error
    assert error is not None
    assert error.code == "corrupt_document"


def test_threads_start_where_programs_may_not(open_pool: OpenPool) -> None:
    assert outcome(open_pool(programs=False), "use_thread") == "from a thread"


def test_secrets_of_the_parent_are_not_passed_on(pool: SandboxPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENHAND_DATABASE", "postgresql://user:password@host/db")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x")
    names = outcome(pool, "environment").split()
    assert "EVENHAND_DATABASE" not in names
    assert "AWS_SECRET_ACCESS_KEY" not in names


def _reader_in_a_sleep() -> tuple[subprocess.Popen[str], list[int]]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    program = subprocess.Popen(
        [sys.executable, "-c", READS_FOREVER], env=environment, stdout=subprocess.PIPE, text=True
    )
    assert program.stdout is not None
    pids = [int(word) for word in program.stdout.readline().split()]
    time.sleep(0.2)  # the child is now inside C code that never returns
    return program, pids


def _is_gone(pid: int) -> bool:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
        except FileNotFoundError:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_orphan_is_left_when_the_program_ends(end: signal.Signals) -> None:
    program, pids = _reader_in_a_sleep()
    assert len(pids) == 2
    assert all(Path(f"/proc/{pid}").exists() for pid in pids)
    program.send_signal(end)
    assert program.wait(5) != 0
    assert all(map(_is_gone, pids))
    if program.stdout is not None:
        program.stdout.close()
