"""The kernel's rules as we write them: the seccomp program run by hand, and Landlock's rights per version."""

from __future__ import annotations

import errno
import os
import struct

import pytest

from evenhand.documents.sandbox import confinement

X86_64, AARCH64 = 0xC000003E, 0xC00000B7
ALLOWED, EPERM, ENOSYS = 0, errno.EPERM, errno.ENOSYS
PID = 4321


def decide(machine: str, audit_name: int, number: int, *arguments: int, programs: bool = False) -> int:
    """What the kernel would do with a call: 0 for allow, else the error it would return."""
    call = struct.pack("=IIQ6Q", number, audit_name, 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    steps = list(struct.iter_unpack("=HBBI", confinement.assemble(machine, programs=programs, pid=PID)))
    at = loaded = 0
    while True:
        code, yes, no, value = steps[at]
        at += 1
        if code == 0x20:
            (loaded,) = struct.unpack_from("=I", call, value)
        elif code == 0x06:
            return value & 0xFFFF if value >> 16 == 5 else ALLOWED
        else:
            holds = {0x15: loaded == value, 0x35: loaded >= value, 0x45: bool(loaded & value)}[code]
            at += yes if holds else no


@pytest.mark.parametrize(
    ("machine", "audit_name", "numbers"),
    [
        ("x86_64", X86_64, {"socket": 41, "connect": 42, "ptrace": 101, "unlinkat": 263, "setsid": 112}),
        ("aarch64", AARCH64, {"socket": 198, "connect": 203, "ptrace": 117, "unlinkat": 35, "setsid": 157}),
    ],
)
def test_dangerous_calls_are_refused(machine: str, audit_name: int, numbers: dict[str, int]) -> None:
    for number in numbers.values():
        assert decide(machine, audit_name, number) == EPERM
        assert decide(machine, audit_name, number, programs=True) == EPERM


@pytest.mark.parametrize(
    ("machine", "audit_name", "read", "openat", "clone", "execve"),
    [("x86_64", X86_64, 0, 257, 56, 59), ("aarch64", AARCH64, 63, 56, 220, 221)],
)
def test_calls_are_decided_by_their_arguments(
    machine: str, audit_name: int, read: int, openat: int, clone: int, execve: int
) -> None:
    assert decide(machine, audit_name, read) == ALLOWED
    assert decide(machine, audit_name, openat, 0, 0, os.O_RDONLY | os.O_CLOEXEC) == ALLOWED
    assert decide(machine, audit_name, openat, 0, 0, os.O_WRONLY | os.O_CREAT) == EPERM
    assert decide(machine, audit_name, openat, 0, 0, os.O_RDWR | os.O_TRUNC) == EPERM
    assert decide(machine, audit_name, clone, 0x10000) == ALLOWED  # a thread
    assert decide(machine, audit_name, clone, 17) == EPERM  # a process
    assert decide(machine, audit_name, clone, 17, programs=True) == ALLOWED
    assert decide(machine, audit_name, execve) == EPERM
    assert decide(machine, audit_name, execve, programs=True) == ALLOWED
    assert decide(machine, audit_name, 435) == ENOSYS  # clone3, so that libraries fall back to clone
    assert decide(machine, audit_name, 435, programs=True) == ENOSYS  # its flags could name new namespaces
    assert decide(machine, audit_name, clone, 0x10000000 | 17, programs=True) == EPERM  # a namespace of users


@pytest.mark.parametrize(
    ("machine", "audit_name", "calls"),
    [
        ("x86_64", X86_64, {"openat": 257, "mmap": 9, "mprotect": 10, "prlimit64": 302, "tgkill": 234, "fcntl": 72}),
        (
            "aarch64",
            AARCH64,
            {"openat": 56, "mmap": 222, "mprotect": 226, "prlimit64": 261, "tgkill": 131, "fcntl": 25},
        ),
    ],
)
@pytest.mark.parametrize("programs", [False, True])
def test_harmful_arguments_are_refused(machine: str, audit_name: int, calls: dict[str, int], programs: bool) -> None:
    def outcome(name: str, *arguments: int) -> int:
        return decide(machine, audit_name, calls[name], *arguments, programs=programs)

    read, write, run, private, anonymous = 1, 2, 4, 2, 0x20
    assert outcome("openat", 0, 0, os.O_WRONLY) == outcome("openat", 0, 0, os.O_RDWR) == EPERM
    assert outcome("mmap", 0, 4096, read | write, private | anonymous) == ALLOWED
    assert outcome("mmap", 0, 4096, read | run, private) == ALLOWED  # a library
    assert outcome("mmap", 0, 4096, read | run, private | anonymous) == EPERM
    assert outcome("mmap", 0, 4096, read | write | run, private) == EPERM
    assert outcome("mprotect", 0, 4096, read | write) == ALLOWED
    assert outcome("mprotect", 0, 4096, read | run) == EPERM
    cpu, files, somewhere, high = 0, 7, 0x1000, 1 << 40
    assert outcome("prlimit64", 0, cpu, somewhere) == outcome("prlimit64", 0, files, 0) == ALLOWED
    assert outcome("prlimit64", 0, files, somewhere) == outcome("prlimit64", 0, files, high) == EPERM
    assert outcome("prlimit64", 1234, cpu, 0) == EPERM
    assert outcome("tgkill", PID, PID, 6) == ALLOWED
    assert outcome("tgkill", 1234, 1234, 6) == EPERM
    assert outcome("fcntl", 1, 4) == ALLOWED
    assert outcome("fcntl", 1, 8) == EPERM  # F_SETOWN: signals to others


@pytest.mark.parametrize(("machine", "audit_name"), [("x86_64", X86_64), ("aarch64", AARCH64)])
def test_calls_that_nobody_listed_are_refused(machine: str, audit_name: int) -> None:
    column = confinement.ARCHITECTURES[machine][0]
    listed = {numbers[column] for _, numbers, _ in confinement.SYSTEM_CALLS}
    assert len(listed) > 80
    for number in set(range(600)) - listed:
        assert decide(machine, audit_name, number, programs=True) == (EPERM if number < 424 else ENOSYS)


def test_other_tongues_of_the_processor_are_refused() -> None:
    assert decide("x86_64", 0x40000003, 3) == EPERM  # 32-bit calls have other numbers
    assert decide("x86_64", X86_64, 0x40000000 | 41) == EPERM  # x32


@pytest.mark.parametrize(
    ("version", "rights", "network", "scope"),
    [(1, 13, 0, 0), (2, 14, 0, 0), (3, 15, 0, 0), (4, 15, 3, 0), (5, 16, 3, 0), (6, 16, 3, 3), (7, 16, 3, 3)],
)
def test_landlock_takes_every_right_the_kernel_knows(version: int, rights: int, network: int, scope: int) -> None:
    assert struct.unpack("=QQQ", confinement._ruleset(version)) == (2**rights - 1, network, scope)
