"""What a process takes away from itself before it sees the first byte of a stranger's file."""

from __future__ import annotations

import ctypes
import errno
import math
import os
import platform
import resource
import signal
import site
import stat
import struct
import sys
import sysconfig
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

# Landlock: the parser may read the interpreter and its libraries, and no other file; it writes nowhere.
#
# Linux 5.13 and later; elsewhere `restrict` returns 0 and the other limits stand alone.


CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every architecture
ASK_VERSION = 1
RULE_PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIRECTORY = 1 << 0, 1 << 1, 1 << 2, 1 << 3
READ = EXECUTE | READ_FILE | READ_DIRECTORY
ON_FILES = EXECUTE | WRITE_FILE | READ_FILE
TCP_BIND_AND_CONNECT = 0b11  # handled from version 4
ABSTRACT_SOCKETS_AND_SIGNALS = 0b11  # scoped from version 6

_SYSTEM_PATHS = """
    /usr /lib /lib64 /etc/ld.so.cache /etc/localtime /proc/self /proc/cpuinfo /proc/meminfo
    /sys/devices/system/cpu /dev/urandom
"""
SYSTEM_READABLE = tuple(_SYSTEM_PATHS.split())
WRITABLE = ("/dev/null",)
LIBC = ctypes.CDLL(None, use_errno=True)


def landlock_version() -> int:
    """What this kernel offers; 0: nothing."""
    if sys.platform != "linux":
        return 0
    return max(0, int(LIBC.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ASK_VERSION)))


def restrict(readable: Iterable[str]) -> int:
    """Restrict this thread and what it starts; the kernel's Landlock version, 0 when not in force."""
    if not (version := landlock_version()):
        return 0
    attributes = _ruleset(version)
    rules = LIBC.syscall(CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    if rules < 0:
        return 0
    try:
        for path in {*SYSTEM_READABLE, *readable}:
            _allow(rules, path, READ)
        for path in WRITABLE:
            _allow(rules, path, READ | WRITE_FILE)
        LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)  # without which the kernel refuses
        return version if LIBC.syscall(RESTRICT_SELF, rules, 0) == 0 else 0
    finally:
        os.close(rules)


def _ruleset(version: int) -> bytes:
    """struct landlock_ruleset_attr with every right this kernel knows how to take away."""
    rights = 13 + min(version - 1, 2) + (version >= 5)
    network = TCP_BIND_AND_CONNECT if version >= 4 else 0
    scope = ABSTRACT_SOCKETS_AND_SIGNALS if version >= 6 else 0
    return struct.pack("=QQQ", (1 << rights) - 1, network, scope)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # a path this machine does not have needs no permission
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= ON_FILES
        LIBC.syscall(ADD_RULE, rules, RULE_PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
    finally:
        os.close(place)


# A seccomp filter: only the system calls in system_calls.txt, and of some only those with harmless arguments.
#
# Linux on x86_64 and aarch64 only; elsewhere `install` says that it did nothing.


ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
SECCOMP_CALL = {"x86_64": 317, "aarch64": 277}

ALLOW = 0x7FFF0000
REFUSE = 0x00050000 | errno.EPERM
ABSENT = 0x00050000 | errno.ENOSYS
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER_AT, ARCHITECTURE_AT, ARGUMENT_AT = 0, 4, 16  # offsets in struct seccomp_data
X32_CALLS = 0x40000000
NEW_CALLS = 424  # from here on libraries try a call and fall back to an older one where the kernel has none
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
CLONE_THREAD = 0x00010000
CLONE_FOREIGN = 0x7E02A000  # namespaces, CLONE_PARENT and CLONE_PTRACE
PROT_WRITE, PROT_EXEC, MAP_ANONYMOUS = 2, 4, 0x20
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
HARMLESS_PRCTL = (15, 16, 23, 0x53564D41)  # PR_SET_NAME, PR_GET_NAME, PR_CAPBSET_READ, PR_SET_VMA
TERMINAL_QUERIES_AND_INHERITANCE = (0x5401, 0x5413, 0x5450, 0x5451)  # TCGETS, TIOCGWINSZ, FIONCLEX, FIOCLEX
DESCRIPTOR_FLAGS = (0, 1, 2, 3, 4, 1030)  # F_DUPFD to F_SETFL, F_DUPFD_CLOEXEC; no owner, no lease, no lock
SET_MODE_FILTER, ALL_THREADS = 1, 1


def install(*, programs: bool) -> bool:
    """Filter this process, all its threads and all its children from now on; False where impossible."""
    machine = platform.machine()
    if sys.platform != "linux" or machine not in ARCHITECTURES:
        return False
    code = assemble(machine, programs=programs, pid=os.getpid())
    if LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    program = _Program(len(code) // 8, code)
    return bool(LIBC.syscall(SECCOMP_CALL[machine], SET_MODE_FILTER, ALL_THREADS, ctypes.byref(program)) == 0)


def assemble(machine: str, *, programs: bool, pid: int) -> bytes:
    """The filter as BPF instructions for the process `pid`: one permission after another, then refuse."""
    column, audit_name = ARCHITECTURES[machine]
    code = [
        _step(LOAD, ARCHITECTURE_AT),
        _step(JUMP_EQUAL, audit_name, yes=1),
        _step(RETURN, REFUSE),  # calls in the 32-bit tongue carry other numbers
        _step(LOAD, NUMBER_AT),
    ]
    if machine == "x86_64":
        code += [_step(JUMP_AT_LEAST, X32_CALLS, no=1), _step(RETURN, REFUSE)]
    conditions = _conditions(programs, pid)
    for name, numbers, group in SYSTEM_CALLS:
        number = numbers[column]
        if (group == "all" or programs) and number is not None:
            steps = conditions.get(name, [])
            code += [_step(JUMP_EQUAL, number, no=len(steps) + 1), *steps, _step(RETURN, ALLOW)]
    code += [_step(JUMP_AT_LEAST, NEW_CALLS, no=1), _step(RETURN, ABSENT), _step(RETURN, REFUSE)]
    return b"".join(code)


def _conditions(programs: bool, pid: int) -> Mapping[str, list[bytes]]:
    """Steps that refuse a call for its arguments, by the name of the call."""
    return {
        "open": _none_of(1, WRITING),
        "openat": _none_of(2, WRITING),
        # Code comes from a file, and none can be written: what lies in memory that was written is never run.
        "mmap": [
            _load(2),
            _step(JUMP_ANY_BIT, PROT_EXEC, no=5),
            _step(JUMP_ANY_BIT, PROT_WRITE, no=1),
            _step(RETURN, REFUSE),
            *_none_of(3, MAP_ANONYMOUS),
        ],
        "mprotect": _none_of(2, PROT_EXEC),
        "clone": _none_of(0, CLONE_FOREIGN) if programs else _any_of(0, CLONE_THREAD),
        "prctl": _one_of(0, *HARMLESS_PRCTL, *((PR_SET_PDEATHSIG,) if programs else ())),
        "ioctl": _one_of(1, *TERMINAL_QUERIES_AND_INHERITANCE),
        "fcntl": _one_of(1, *DESCRIPTOR_FLAGS),
        # The limits of no other process. A new value (its pointer is not null) is for processor time alone, which is
        # granted file by file.
        "prlimit64": [
            *_one_of(0, 0),
            _load(1),
            _step(JUMP_EQUAL, resource.RLIMIT_CPU, yes=6),
            *_one_of(2, 0),
            *_one_of(2, 0, upper=4),
        ],
        "tgkill": _one_of(0, pid),
    }


def _one_of(argument: int, *values: int, upper: int = 0) -> list[bytes]:
    """Refuse unless an argument's lower half (`upper` 4: its upper half) is one of these."""
    last = len(values)
    jumps = [_step(JUMP_EQUAL, value, yes=last - place) for place, value in enumerate(values)]
    return [_load(argument, upper), *jumps, _step(RETURN, REFUSE)]


def _none_of(argument: int, bits: int) -> list[bytes]:
    return [_load(argument), _step(JUMP_ANY_BIT, bits, no=1), _step(RETURN, REFUSE)]


def _any_of(argument: int, bits: int) -> list[bytes]:
    return [_load(argument), _step(JUMP_ANY_BIT, bits, yes=1), _step(RETURN, REFUSE)]


def _load(argument: int, upper: int = 0) -> bytes:
    return _step(LOAD, ARGUMENT_AT + 8 * argument + upper)


def _step(code: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


def _read_calls(table: str) -> list[tuple[str, tuple[int | None, ...], str]]:
    rows = (line.split() for line in table.splitlines() if line and not line.startswith("#"))
    return [(name, tuple(None if n == "-" else int(n) for n in numbers), group) for name, *numbers, group in rows]


SYSTEM_CALLS = _read_calls(files(__package__).joinpath("system_calls.txt").read_text(encoding="ascii"))


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]


# Processes that read few files are forks of one that has loaded everything. Libraries of macOS do not survive a fork.
FORKS = sys.platform == "linux"
OPEN_FILES = 64
OWN_USER = 61_000  # for processes with files of strangers, where we run as root; systems give it to nobody
OWN_USER_PROCESSES = 1_000  # and threads, of all readers together


@dataclass(frozen=True, slots=True)
class Protections:
    """What is in force where a file is read; platforms and kernels differ, so it is reported and not assumed."""

    memory_bytes: int  # 0: this platform does not limit address space
    no_file_writes: bool
    dies_with_parent: bool
    seccomp: bool  # only the system calls that reading needs
    landlock: int  # version in force, 0: files outside the installation can be read
    programs: bool  # may start another program (Tesseract), under the same restrictions
    own_user: bool  # files are read as a user who owns nothing
    forks: bool  # a process ends after so many files as the settings say

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def confine(*, memory_bytes: int, programs: bool, readable: Iterable[str] = ()) -> Protections:
    """Apply every limit this platform offers, before any thread is started; `install` adds the filter in each child."""
    _default_signals()
    no_file_writes = _set_limit(resource.RLIMIT_FSIZE, 0)
    _set_limit(resource.RLIMIT_CORE, 0)
    _set_limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    if own_user := can_switch_user([*installation(), *readable]):
        switch_user()
    limited = sys.platform == "linux" and _set_limit(resource.RLIMIT_AS, memory_bytes)
    os.register_at_fork(after_in_child=die_with_parent)  # `subprocess` needs it as preexec_fn instead
    return Protections(
        memory_bytes=memory_bytes if limited else 0,
        no_file_writes=no_file_writes,
        dies_with_parent=die_with_parent(),
        landlock=restrict([*installation(), *readable]),
        seccomp=_tried(lambda: install(programs=programs)),
        programs=programs,
        own_user=own_user,
        forks=FORKS,
    )


def die_with_parent() -> bool:
    """Ask the kernel to kill this process when the thread that started it ends (Linux)."""
    if sys.platform != "linux":
        return False
    return bool(LIBC.prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0) == 0)


def allow_seconds(*, cpu_seconds: float, wall_seconds: float) -> None:
    """Grant time for one file: past it the kernel ends this process, even inside C code."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    soft = math.ceil(usage.ru_utime + usage.ru_stime + cpu_seconds)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if hard != resource.RLIM_INFINITY:
        soft = min(soft, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
    signal.setitimer(signal.ITIMER_REAL, wall_seconds)


def stop_clock() -> None:
    """The file is done: a child may be idle for as long as it likes."""
    signal.setitimer(signal.ITIMER_REAL, 0)


def installation() -> list[str]:
    """Folders that hold the interpreter, the libraries and this package."""
    places = {sys.prefix, sys.base_prefix, sys.exec_prefix, *sysconfig.get_paths().values()}
    if site.ENABLE_USER_SITE and site.USER_SITE:
        places.add(site.USER_SITE)
    return sorted(places | {str(Path(__file__).resolve().parents[2])})


def switch_user() -> None:
    resource.setrlimit(resource.RLIMIT_NPROC, (OWN_USER_PROCESSES, OWN_USER_PROCESSES))
    os.setgroups([])
    os.setresgid(OWN_USER, OWN_USER, OWN_USER)
    os.setresuid(OWN_USER, OWN_USER, OWN_USER)


def can_switch_user(needed: Iterable[str]) -> bool:
    """Whether we are root, may become another user, and that one can open what a reader needs: its modules, and the
    user's own lexicon, models and data of Tesseract."""
    if os.geteuid() != 0:
        return False
    places = [place for place in (*needed, *filter(None, sys.path)) if Path(place).exists()]

    def can_open() -> bool:
        switch_user()
        return all(os.access(place, os.R_OK | os.X_OK * Path(place).is_dir()) for place in places)

    return _tried(can_open)


def _tried(attempt: Callable[[], bool]) -> bool:
    """Whether this works, found out in a process that ends at once."""
    if not (pid := os.fork()):
        try:
            os._exit(not attempt())
        finally:
            os._exit(1)
    return os.waitpid(pid, 0)[1] == 0


def _default_signals() -> None:
    """A parent may have ignored or blocked them, which children inherit; the limits rely on them."""
    for deadly in (signal.SIGALRM, signal.SIGXCPU, signal.SIGTERM):
        signal.signal(deadly, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent alone decides on Ctrl-C
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def _set_limit(kind: int, value: int) -> bool:
    try:
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(kind, (value, value))
    except (ValueError, OSError):
        return False
    return True
