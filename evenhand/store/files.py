"""Original files, named by the SHA-256 of their bytes. A file is whole and on the disk before anything refers to it."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from evenhand.errors import NotFound, StoreError

SHA256 = re.compile(r"[0-9a-f]{64}")
INCOMING = "incoming"  # inside the folder: a rename out of it does not copy
QUARANTINE = "quarantine"  # damaged files: out of the way, so that a good copy can take their place
OUTGOING = "outgoing"  # empty files with the names of those that are to be erased
STALE_SECONDS = 24 * 3600  # no writer takes that long; younger ones may still be at work


class FileStore:
    """files/ab/abcdef...: 256 folders, so that none grows too large at a million files."""

    def __init__(self, folder: Path, *, is_read_only: bool = False) -> None:
        self.folder = folder
        self._incoming = folder / INCOMING
        self._outgoing = folder / OUTGOING
        self._quarantine = folder / QUARANTINE
        if is_read_only:
            return
        try:
            self._incoming.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._outgoing.mkdir(mode=0o700, exist_ok=True)
            folder.chmod(0o700)
        except OSError as error:
            raise StoreError(f"The folder {folder} cannot be made: {error.strerror}.") from error

    def path(self, sha256: str) -> Path:
        if not SHA256.fullmatch(sha256):
            raise NotFound(f"{sha256!r} is not a SHA-256.")
        return self.folder / sha256[:2] / sha256

    def save(self, data: bytes) -> str:
        """The SHA-256 under which the bytes are now kept; saving again changes nothing."""
        return self.save_all([data])[0]

    def save_all(self, contents: Iterable[bytes]) -> list[str]:
        """As `save`; each folder is brought to the disk once, not once per file."""
        names = []
        try:
            for data in contents:
                sha256 = hashlib.sha256(data).hexdigest()
                names.append(sha256)
                # A file of the right length is whole: it got its name only after all of it was on the disk.
                if self.size_bytes(sha256) != len(data):
                    self._write(sha256, data)
            # Also where nothing was written: another process may have renamed a file and not come to this yet.
            for folder in sorted({self.path(name).parent for name in names}):
                _sync_folder(folder)
            _sync_folder(self.folder)
        except OSError as error:
            raise StoreError(f"A file cannot be kept in {self.folder}: {error.strerror}.") from error
        return names

    def size_bytes(self, sha256: str) -> int | None:
        """None when there is no such file."""
        try:
            return self.path(sha256).stat().st_size
        except FileNotFoundError:
            return None

    def read(self, sha256: str) -> bytes:
        """The original bytes, or an error if they are no longer what they were."""
        try:
            data = self.path(sha256).read_bytes()
        except FileNotFoundError as error:
            raise NotFound(f"There is no file {sha256}.") from error
        except OSError as error:
            raise StoreError(f"The file {sha256} cannot be read: {error.strerror}.") from error
        if hashlib.sha256(data).hexdigest() != sha256:
            raise StoreError(f"The file {sha256} is damaged: its bytes are not those that were kept.")
        return data

    def remove(self, sha256: str) -> None:
        """With what is in quarantine under this name: the person it is about is erased from there too."""
        path = self.path(sha256)
        try:
            path.unlink(missing_ok=True)
            (self._quarantine / path.name).unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"The file {sha256} cannot be removed: {error.strerror}.") from error

    def quarantine(self, sha256: str) -> None:
        """Moves a damaged file aside. `save` would take one of the right length for whole, and not replace it."""
        try:
            self._quarantine.mkdir(mode=0o700, exist_ok=True)
            self.path(sha256).replace(self._quarantine / sha256)
            _sync_folder(self._quarantine)
        except OSError as error:
            raise StoreError(f"The file {sha256} cannot be moved to quarantine: {error.strerror}.") from error

    def note_leaving(self, sha256: str) -> None:
        """On the disk before the rows go: a removal that is cut off can be finished, or found not to have happened."""
        try:
            (self._outgoing / self.path(sha256).name).touch(mode=0o600)
            _sync_folder(self._outgoing)
        except OSError as error:
            raise StoreError(f"A file in {self.folder} cannot be removed: {error.strerror}.") from error

    def leaving(self) -> Iterator[str]:
        yield from sorted(path.name for path in self._outgoing.iterdir() if SHA256.fullmatch(path.name))

    def forget_leaving(self, sha256: str) -> None:
        (self._outgoing / self.path(sha256).name).unlink(missing_ok=True)

    def sweep(self, *, older_than_seconds: float = STALE_SECONDS) -> int:
        """Removes what writers that died have left; how many."""
        limit = time.time() - older_than_seconds
        removed = 0
        for path in self._incoming.iterdir():
            with suppress(FileNotFoundError):  # its writer has just finished
                if path.stat().st_mtime <= limit:
                    path.unlink()
                    removed += 1
        return removed

    def kept(self) -> Iterator[str]:
        """Every SHA-256 that has a file, in order."""
        yield from (path.name for path in self._walk() if self._is_kept(path))

    def alien(self) -> Iterator[str]:
        """Paths inside the folder that the store did not write."""
        for path in self._walk():
            if not self._is_kept(path) and path.parent not in (self._incoming, self._outgoing, self._quarantine):
                yield str(path.relative_to(self.folder))

    def is_sound(self, sha256: str) -> bool:
        try:
            with self.path(sha256).open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest() == sha256
        except OSError:
            return False

    def _is_kept(self, path: Path) -> bool:
        return bool(SHA256.fullmatch(path.name)) and path == self.path(path.name)

    def _walk(self) -> Iterator[Path]:
        for folder, folders, names in os.walk(self.folder):
            folders.sort()
            yield from (Path(folder, name) for name in sorted(names))

    def _write(self, sha256: str, data: bytes) -> None:
        path = self.path(sha256)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=self._incoming)  # readable by its owner only
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
        Path(temporary).replace(path)


def _sync_folder(folder: Path) -> None:
    """A rename is durable only once the folder is on the disk too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
