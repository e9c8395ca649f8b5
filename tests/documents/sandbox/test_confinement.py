"""What a parser that was taken over could do: nothing on the network, nothing to files, nothing to others."""

from __future__ import annotations

import os
import platform
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from evenhand.documents.sandbox import confinement
from evenhand.documents.sandbox.pool import SandboxPool

OpenPool = Callable[..., SandboxPool]
ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the restrictions are Linux's")

READS_FOREVER = """
import sys
from evenhand.documents.sandbox import confinement
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


# By name: numbers on x86_64 and aarch64, and arguments that would work outside ({parent}: a process of the same user).
ATTACKS = {
    "kill": (62, 129, "{parent} 0"),
    "tgkill": (234, 131, "{parent} {parent} 0"),
    "tkill": (200, 130, "{parent} 0"),
    "rt_tgsigqueueinfo": (297, 240, "{parent} {parent} 0 0"),
    "pidfd_open": (434, 434, "{parent} 0"),
    "prlimit64": (302, 261, "{parent} 7 0 0"),
    "ptrace": (101, 117, "16 {parent} 0 0"),
    "process_vm_writev": (311, 271, "{parent} 0 0 0 0 0"),
    "process_vm_readv": (310, 270, "{parent} 0 0 0 0 0"),
    "setpriority": (141, 140, "0 {parent} 19"),
    "sched_setaffinity": (203, 122, "{parent} 0 0"),
    "ioprio_set": (251, 30, "1 {parent} 0"),
    "kcmp": (312, 272, "{parent} {parent} 1 0 0"),
    "shmget": (29, 194, "0 4096 950"),
    "shmat": (30, 196, "0 0 0"),
    "shmdt": (67, 197, "0"),
    "shmctl": (31, 195, "0 0 0"),
    "mq_open": (240, 180, "0 0 0 0"),
    "utimensat": (280, 88, "-100 0 0 0"),
    "semget": (64, 190, "0 1 950"),
    "msgget": (68, 186, "0 950"),
    "memfd_create": (319, 279, "0 0"),
    "socket": (41, 198, "1 1 0"),
    "socketpair": (53, 199, "1 1 0 0"),
    "io_uring_setup": (425, 425, "1 0"),
    "keyctl": (250, 219, "0 -3 0"),
    "add_key": (248, 217, "0 0 0 0 0"),
    "bpf": (321, 280, "0 0 0"),
    "perf_event_open": (298, 241, "0 0 -1 -1 0"),
    "userfaultfd": (323, 282, "1"),
    "unshare": (272, 97, "268435456"),
    "inotify_init1": (294, 26, "0"),
    "setsid": (112, 157, ""),
    "setpgid": (109, 154, "0 0"),
    "mount": (165, 40, "0 0 0 0 0"),
    "personality": (135, 92, "4294967295"),
    "seccomp": (317, 277, "2 0 0"),
}


@pytest.mark.parametrize("programs", [False, True])
def test_no_call_reaches_beyond_the_process(open_pool: OpenPool, programs: bool) -> None:
    pool = open_pool(programs=programs)
    column = {"x86_64": 0, "aarch64": 1}.get(platform.machine())
    if column is None or not pool.protections()["seccomp"]:
        pytest.skip("no system call filter on this machine")
    outcomes = {}
    for victim in (os.getpid(), *pool.pids()):  # this process, and the one that forks the readers
        for name, (*numbers, arguments) in ATTACKS.items():
            call = f"{numbers[column]} {arguments.format(parent=victim)}"
            outcomes[name, victim] = outcome(pool, f"system_call {call}")
    # Of the newest calls libraries believe that the kernel has none. Nothing else: EFAULT would mean that it looked.
    assert {name: said for name, said in outcomes.items() if said not in ("EPERM", "ENOSYS")} == {}


@pytest.mark.parametrize("programs", [False, True])
def test_attacks_through_the_library_fail_too(open_pool: OpenPool, tmp_path: Path, programs: bool) -> None:
    pool = open_pool(programs=programs)
    if not pool.protections()["seccomp"]:
        pytest.skip("no system call filter on this machine")
    existing = tmp_path / "existing"
    existing.write_text("as it was")
    changed = existing.stat().st_mtime_ns
    parent = os.getpid()
    assert outcome(pool, f"raise_limit {parent}") == "PermissionError"
    assert outcome(pool, "raise_limit 0") == "PermissionError"
    assert outcome(pool, f"set_times {existing}") == "PermissionError"
    assert outcome(pool, f"open_for_writing {existing}") == "PermissionError"
    assert outcome(pool, "open_for_writing /dev/null") == "PermissionError"
    assert outcome(pool, f"open_for_writing /proc/{parent}/mem") == "PermissionError"
    assert outcome(pool, f"open_for_writing /proc/{parent}/oom_score_adj") == "PermissionError"
    assert outcome(pool, "open_for_writing /proc/self/mem") == "PermissionError"
    assert outcome(pool, "run_written_code") == "EPERM"
    assert existing.stat().st_mtime_ns == changed


def test_memory_of_the_parent_cannot_be_read(pool: SandboxPool) -> None:
    if not pool.protections()["landlock"]:
        pytest.skip("this kernel has no Landlock")
    for name in ("mem", "environ", "maps", "cmdline"):
        assert outcome(pool, f"read_file /proc/{os.getpid()}/{name}") == "PermissionError"


def test_root_reads_as_another_user_where_that_one_can_open_the_installation(pool: SandboxPool) -> None:
    """Otherwise, and for everybody else, as the user who started it."""
    own = str(confinement.OWN_USER)
    unchanged = f"{os.getuid()} {os.getgid()} {os.getgroups()}"
    places = [*confinement.installation(), str(ROOT), *filter(None, sys.path)]
    can_switch = os.geteuid() == 0 and all(map(_is_public, places))
    assert pool.protections()["own_user"] is can_switch
    assert outcome(pool, "user") == (f"{own} {own} []" if can_switch else unchanged)


def _is_public(place: str) -> bool:
    path = Path(place)
    return not path.exists() or all(folder.stat().st_mode & 1 for folder in path.absolute().parents)


def test_a_reader_holds_its_own_pipes_and_nothing_else(pool: SandboxPool) -> None:
    """Not the socket through which its forking process is told of the next file."""
    assert [outcome(pool, "descriptors") for _ in range(3)] == ["ppp"] * 3


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
