"""What a child process takes away from itself before it sees the first byte of a stranger's file."""

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
from collections.abc import Iterable
from dataclasses import asdict, dataclass
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


def restrict(readable: Iterable[str]) -> int:
    """Restrict this thread and what it starts; the kernel's Landlock version, 0 when not in force."""
    if sys.platform != "linux":
        return 0
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ASK_VERSION)
    if version < 1:
        return 0
    attributes = _ruleset(version)
    rules = libc.syscall(CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    if rules < 0:
        return 0
    try:
        for path in {*SYSTEM_READABLE, *readable}:
            _allow(libc, rules, path, READ)
        for path in WRITABLE:
            _allow(libc, rules, path, READ | WRITE_FILE)
        libc.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS, without which the kernel refuses
        return int(version) if libc.syscall(RESTRICT_SELF, rules, 0) == 0 else 0
    finally:
        os.close(rules)


def _ruleset(version: int) -> bytes:
    """struct landlock_ruleset_attr with every right this kernel knows how to take away."""
    rights = 13 + min(version - 1, 2) + (version >= 5)
    network = TCP_BIND_AND_CONNECT if version >= 4 else 0
    scope = ABSTRACT_SOCKETS_AND_SIGNALS if version >= 6 else 0
    return struct.pack("=QQQ", (1 << rights) - 1, network, scope)


def _allow(libc: ctypes.CDLL, rules: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # a path this machine does not have needs no permission
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= ON_FILES
        libc.syscall(ADD_RULE, rules, RULE_PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
    finally:
        os.close(place)


# A seccomp filter that takes network, file changes, tracing and foreign signals away from a parser.
#
# Linux on x86_64 and aarch64 only; elsewhere `install` says that it did nothing.


Numbers = dict[str, tuple[int | None, ...]]
"""System call numbers on x86_64 and on aarch64; None where the architecture lacks the call."""


def _calls(rows: str) -> Numbers:
    """From rows of name, number on x86_64 and number on aarch64 ("-" for none)."""
    calls = (row.split() for row in rows.split(","))
    return {name: tuple(None if number == "-" else int(number) for number in numbers) for name, *numbers in calls}


# io_uring_setup would open sockets and files past this filter.
NETWORK = _calls("""
    socket 41 198, connect 42 203, accept 43 202, sendto 44 206, bind 49 200, listen 50 201, accept4 288 242,
    sendmmsg 307 269, io_uring_setup 425 425
""")
FILES = _calls("""
    truncate 76 45, ftruncate 77 46, rename 82 -, mkdir 83 -, rmdir 84 -, creat 85 -, link 86 -, unlink 87 -,
    symlink 88 -, chmod 90 -, fchmod 91 52, chown 92 -, fchown 93 55, lchown 94 -, mknod 133 -, setxattr 188 5,
    lsetxattr 189 6, fsetxattr 190 7, utimensat 280 88, mkdirat 258 34, mknodat 259 33, fchownat 260 54,
    unlinkat 263 35, renameat 264 38, linkat 265 37, symlinkat 266 36, fchmodat 268 53, renameat2 316 276,
    fchmodat2 452 452, mount 165 40, umount2 166 39, chroot 161 51, pivot_root 155 41, open_by_handle_at 304 265
""")
# setpgid and setsid: leaving the group would survive the kill of the group.
PROCESSES = _calls("""
    ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, pidfd_getfd 438 438,
    pidfd_send_signal 424 424, rt_sigqueueinfo 129 138, tkill 200 130, setpgid 109 154, setsid 112 157,
    unshare 272 97, setns 308 268, bpf 321 280, perf_event_open 298 241, userfaultfd 323 282, add_key 248 217,
    request_key 249 218, keyctl 250 219, init_module 175 105, finit_module 313 273, kexec_load 246 104,
    reboot 169 142
""")
# Taken away too unless the parser may start another program.
PROGRAMS = _calls("""
    fork 57 -, vfork 58 -, execve 59 221, execveat 322 281, kill 62 129
""")
OPEN, OPENAT = _calls("open 2 -"), _calls("openat 257 56")
# Their flags lie in memory that a filter cannot see; callers fall back to openat and clone.
OPAQUE, CLONE3, CLONE = _calls("openat2 437 437"), _calls("clone3 435 435"), _calls("clone 56 220")

ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
SECCOMP_CALL = {"x86_64": 317, "aarch64": 277}

ALLOW = 0x7FFF0000
REFUSE = 0x00050000 | errno.EPERM
ABSENT = 0x00050000 | errno.ENOSYS
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER_AT, ARCHITECTURE_AT, ARGUMENT_AT = 0, 4, 16  # offsets in struct seccomp_data
X32_CALLS = 0x40000000
CLONE_THREAD = 0x00010000
CREATING = os.O_CREAT | os.O_TRUNC
PR_SET_NO_NEW_PRIVS, SET_MODE_FILTER, ALL_THREADS = 38, 1, 1


def install(*, programs: bool) -> bool:
    """Filter this process, all its threads and all its children from now on; False where impossible."""
    machine = platform.machine()
    if sys.platform != "linux" or machine not in ARCHITECTURES:
        return False
    code = assemble(machine, programs=programs)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    program = _Program(len(code) // 8, code)
    return bool(libc.syscall(SECCOMP_CALL[machine], SET_MODE_FILTER, ALL_THREADS, ctypes.byref(program)) == 0)


def assemble(machine: str, *, programs: bool) -> bytes:
    """The filter as BPF instructions: one refusal after another, then allow."""
    column, audit_name = ARCHITECTURES[machine]
    code = [
        _step(LOAD, ARCHITECTURE_AT),
        _step(JUMP_EQUAL, audit_name, yes=1),
        _step(RETURN, REFUSE),  # calls in the 32-bit tongue carry other numbers
        _step(LOAD, NUMBER_AT),
    ]
    if machine == "x86_64":
        code += [_step(JUMP_AT_LEAST, X32_CALLS, no=1), _step(RETURN, REFUSE)]
    refused = NETWORK | FILES | PROCESSES | ({} if programs else PROGRAMS)
    for number in _numbers(refused, column):
        code += [_step(JUMP_EQUAL, number, no=1), _step(RETURN, REFUSE)]
    for number in _numbers(OPAQUE if programs else OPAQUE | CLONE3, column):
        code += [_step(JUMP_EQUAL, number, no=1), _step(RETURN, ABSENT)]
    for number in _numbers(OPEN, column):
        code += _by_argument(number, 1, CREATING, refuse_when_set=True)
    for number in _numbers(OPENAT, column):
        code += _by_argument(number, 2, CREATING, refuse_when_set=True)
    for number in _numbers({} if programs else CLONE, column):
        code += _by_argument(number, 0, CLONE_THREAD, refuse_when_set=False)
    return b"".join([*code, _step(RETURN, ALLOW)])


def _by_argument(number: int, argument: int, bits: int, *, refuse_when_set: bool) -> list[bytes]:
    """Decide call `number` by whether any of `bits` is set in one argument's lower half."""
    decide = _step(JUMP_ANY_BIT, bits, no=1) if refuse_when_set else _step(JUMP_ANY_BIT, bits, yes=1)
    return [
        _step(JUMP_EQUAL, number, no=4),
        _step(LOAD, ARGUMENT_AT + 8 * argument),
        decide,
        _step(RETURN, REFUSE),
        _step(RETURN, ALLOW),
    ]


def _numbers(calls: Numbers, column: int) -> list[int]:
    return [pair[column] for pair in calls.values() if pair[column] is not None]  # type: ignore[misc]


def _step(code: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]


OPEN_FILES = 64
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Protections:
    """What is in force in a child; platforms and kernels differ, so it is reported and not assumed."""

    memory_bytes: int  # 0: this platform does not limit address space
    no_file_writes: bool
    dies_with_parent: bool
    seccomp: bool  # no network, no file changes, no tracing
    landlock: int  # version in force, 0: files outside the installation can be read
    programs: bool  # may start another program (Tesseract), under the same restrictions

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def confine(*, memory_bytes: int, programs: bool, readable: Iterable[str] = ()) -> Protections:
    """Apply every limit this platform offers; call it before any thread is started."""
    _default_signals()
    no_file_writes = _set_limit(resource.RLIMIT_FSIZE, 0)
    _set_limit(resource.RLIMIT_CORE, 0)
    _set_limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    limited = sys.platform == "linux" and _set_limit(resource.RLIMIT_AS, memory_bytes)
    os.register_at_fork(after_in_child=die_with_parent)  # `subprocess` needs it as preexec_fn instead
    return Protections(
        memory_bytes=memory_bytes if limited else 0,
        no_file_writes=no_file_writes,
        dies_with_parent=die_with_parent(),
        landlock=restrict([*installation(), *readable]),
        seccomp=install(programs=programs),
        programs=programs,
    )


def die_with_parent() -> bool:
    """Ask the kernel to kill this process when the thread that started it ends (Linux)."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0) == 0)


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
