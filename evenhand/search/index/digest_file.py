"""Digests one behind the other in a file that only grows, read through a memory map.

Fetching 2,000 of them from tantivy's document store would unpack the text of 2,000 resumes; here it costs a slice.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import struct
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from types import TracebackType

from evenhand.search.digest import DigestTable
from evenhand.search.digest.record import blank_digest

_HEADER = struct.Struct("<HI")  # bytes of the application's id, bytes of the digest

FILE = "digests.bin"


class DigestWriter:
    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._file = self._path.open("ab")
        self.size = self._file.tell()

    def begin_anew(self) -> None:
        self._file.close()
        self._path.unlink()
        self._file = self._path.open("ab")
        self.size = 0

    def append(self, application: str, digest: bytes) -> int:
        """The place at which it can be read again once the file is synced."""
        place, name = self.size, application.encode()
        self.size += self._file.write(_HEADER.pack(len(name), len(digest)) + name + digest)
        return place

    def sync(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """What could not be written nobody refers to: the failed `sync` has told of it."""
        with contextlib.suppress(OSError):
            self._file.close()

    def __enter__(self) -> DigestWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class DigestReader:
    """A view of the file as long as it is now; what is appended later needs a new one."""

    def __init__(self, folder: Path) -> None:
        with (folder / FILE).open("rb") as file:
            self.size = os.fstat(file.fileno()).st_size
            # An empty file cannot be mapped.
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if self.size else b""

    def read(self, places: Iterable[int]) -> list[tuple[str, bytes]]:
        """Application and digest of each place."""
        data, header = self._map, _HEADER.size
        found = []
        for place in places:
            name, digest = _HEADER.unpack_from(data, place)
            start = place + header
            end = start + name
            found.append((data[start:end].decode(), data[end : end + digest]))
        return found

    def table(self, places: Iterable[int]) -> tuple[list[str], DigestTable]:
        """Applications, and their digests as columns: of the file only what is asked of these is ever read."""
        data, header = memoryview(self._map), _HEADER.size
        names, digests = [], []
        for place in places:
            name, digest = _HEADER.unpack_from(data, place)
            start = place + header
            end = start + name
            names.append(str(data[start:end], "utf-8"))
            digests.append(data[end : end + digest])
        return names, DigestTable(digests)

    def everything(self) -> Iterator[bytes]:
        """All digests in the order they were written, with those no longer in use."""
        place = 0
        while place < self.size:
            ((name, digest),) = self.read([place])
            place += _HEADER.size + len(name.encode()) + len(digest)
            yield digest


def blank_digests(folder: Path, applications: Collection[str]) -> int:
    """Writes over everything the file ever held of these applications; how many digests that were.

    Others keep their places. Who still reads an older state of the index finds a resume that says nothing.
    """
    path = folder / FILE
    if not applications or not size_of(folder):
        return 0
    blanked, place = 0, 0
    with path.open("r+b") as file:
        end = file.seek(0, os.SEEK_END)
        while place < end:
            file.seek(place)
            name, digest = _HEADER.unpack(file.read(_HEADER.size))
            if file.read(name).decode() in applications:
                file.seek(place + _HEADER.size)
                file.write(b"x" * name + blank_digest(digest))
                blanked += 1
            place += _HEADER.size + name + digest
        file.flush()
        os.fsync(file.fileno())
    return blanked


def size_of(folder: Path) -> int:
    """0 where there is no file."""
    try:
        return (folder / FILE).stat().st_size
    except OSError:
        return 0


def remove_digests(folder: Path) -> None:
    (folder / FILE).unlink(missing_ok=True)
