"""A seccomp filter that takes network, file changes, tracing and foreign signals away from a parser.

Linux on x86_64 and aarch64 only; elsewhere `install` says that it did nothing.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys

# (x86_64, aarch64) system call numbers; None where the architecture lacks the call.
Numbers = dict[str, tuple[int | None, int | None]]

NETWORK: Numbers = {
    "socket": (41, 198),
    "connect": (42, 203),
    "accept": (43, 202),
    "sendto": (44, 206),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept4": (288, 242),
    "sendmmsg": (307, 269),
    "io_uring_setup": (425, 425),  # would open sockets and files past this filter
}
FILES: Numbers = {
    "truncate": (76, 45),
    "ftruncate": (77, 46),
    "rename": (82, None),
    "mkdir": (83, None),
    "rmdir": (84, None),
    "creat": (85, None),
    "link": (86, None),
    "unlink": (87, None),
    "symlink": (88, None),
    "chmod": (90, None),
    "fchmod": (91, 52),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "mknod": (133, None),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "utimensat": (280, 88),
    "mkdirat": (258, 34),
    "mknodat": (259, 33),
    "fchownat": (260, 54),
    "unlinkat": (263, 35),
    "renameat": (264, 38),
    "linkat": (265, 37),
    "symlinkat": (266, 36),
    "fchmodat": (268, 53),
    "renameat2": (316, 276),
    "fchmodat2": (452, 452),
    "mount": (165, 40),
    "umount2": (166, 39),
    "chroot": (161, 51),
    "pivot_root": (155, 41),
    "open_by_handle_at": (304, 265),
}
PROCESSES: Numbers = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "rt_sigqueueinfo": (129, 138),
    "tkill": (200, 130),
    "setpgid": (109, 154),  # leaving the group would survive the kill of the group
    "setsid": (112, 157),
    "unshare": (272, 97),
    "setns": (308, 268),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "kexec_load": (246, 104),
    "reboot": (169, 142),
}
PROGRAMS: Numbers = {  # taken away too unless the parser may start another program
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    "kill": (62, 129),
}
OPEN: Numbers = {"open": (2, None)}
OPENAT: Numbers = {"openat": (257, 56)}
# Their flags lie in memory that a filter cannot see; callers fall back to openat and clone.
OPAQUE: Numbers = {"openat2": (437, 437)}
CLONE3: Numbers = {"clone3": (435, 435)}
CLONE: Numbers = {"clone": (56, 220)}

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
    return _load(code, SECCOMP_CALL[machine])


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


def _load(code: bytes, call: int) -> bool:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    program = _Program(len(code) // 8, code)
    return bool(libc.syscall(call, SET_MODE_FILTER, ALL_THREADS, ctypes.byref(program)) == 0)
