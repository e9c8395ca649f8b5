"""Landlock: the parser may read the interpreter and its libraries, and no other file; it writes nowhere.

Linux 5.13 and later; elsewhere `restrict` returns 0 and the other limits stand alone.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
import sys
from collections.abc import Iterable

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every architecture
ASK_VERSION = 1
RULE_PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIRECTORY = 1 << 0, 1 << 1, 1 << 2, 1 << 3
READ = EXECUTE | READ_FILE | READ_DIRECTORY
ON_FILES = EXECUTE | WRITE_FILE | READ_FILE
TCP_BIND_AND_CONNECT = 0b11  # handled from version 4
ABSTRACT_SOCKETS_AND_SIGNALS = 0b11  # scoped from version 6

SYSTEM_READABLE = (
    "/usr",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
    "/dev/urandom",
)
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
