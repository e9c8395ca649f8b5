"""Features of resumes one behind the other in a file that only grows, read through a memory map.

Fetching 2,000 of them from tantivy's document store would unpack the text of 2,000 resumes; here it costs a slice.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import shutil
import struct
import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import TracebackType

import tantivy

from evenhand.search.analysis import register
from evenhand.search.features import FeatureTable, blank_features
from evenhand.search.index.schema import VERSION, analyzer_signature, build_schema

_HEADER = struct.Struct("<HI")  # bytes of the application's id, bytes of the features

FILE = "digests.bin"


class FeatureWriter:
    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._file = self._path.open("ab")
        self.size = self._file.tell()

    def begin_anew(self) -> None:
        self._file.close()
        self._path.unlink()
        self._file = self._path.open("ab")
        self.size = 0

    def append(self, application: str, features: bytes) -> int:
        """The place at which they can be read again once the file is synced."""
        place, name = self.size, application.encode()
        self.size += self._file.write(_HEADER.pack(len(name), len(features)) + name + features)
        return place

    def sync(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """What could not be written nobody refers to: the failed `sync` has told of it."""
        with contextlib.suppress(OSError):
            self._file.close()

    def __enter__(self) -> FeatureWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class FeatureReader:
    """A view of the file as long as it is now; what is appended later needs a new one."""

    def __init__(self, folder: Path) -> None:
        with (folder / FILE).open("rb") as file:
            self.size = os.fstat(file.fileno()).st_size
            # An empty file cannot be mapped.
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if self.size else b""

    def read(self, places: Iterable[int]) -> list[tuple[str, bytes]]:
        """Application and features of each place."""
        names, features = self._rows(places)
        return [(name, bytes(row)) for name, row in zip(names, features, strict=True)]

    def table(self, places: Iterable[int]) -> tuple[list[str], FeatureTable]:
        """Applications, and their features as columns: of the file only what is asked of these is ever read."""
        names, features = self._rows(places)
        return names, FeatureTable(features)

    def _rows(self, places: Iterable[int]) -> tuple[list[str], list[memoryview]]:
        data, header = memoryview(self._map), _HEADER.size
        names, features = [], []
        for place in places:
            name_size, size = _HEADER.unpack_from(data, place)
            start = place + header
            end = start + name_size
            names.append(str(data[start:end], "utf-8"))
            features.append(data[end : end + size])
        return names, features

    def everything(self) -> Iterator[bytes]:
        """All features in the order they were written, with those no longer in use."""
        place = 0
        while place < self.size:
            ((name, features),) = self.read([place])
            place += _HEADER.size + len(name.encode()) + len(features)
            yield features


def blank_feature_rows(folder: Path, applications: Collection[str]) -> int:
    """Writes over everything the file ever held of these applications; how many that were.

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
            name_size, size = _HEADER.unpack(file.read(_HEADER.size))
            if file.read(name_size).decode() in applications:
                file.seek(place + _HEADER.size)
                file.write(b"x" * name_size + blank_features(size))
                blanked += 1
            place += _HEADER.size + name_size + size
        file.flush()
        os.fsync(file.fileno())
    return blanked


def size_of(folder: Path) -> int:
    """0 where there is no file."""
    try:
        return (folder / FILE).stat().st_size
    except OSError:
        return 0


# The small file beside the index: which version made it and how far it has come. Written after each commit.

_FILE = "state.json"


@dataclass(frozen=True, slots=True)
class IndexState:
    version: int
    analyzer: str
    revision: int = 0
    digest_bytes: int = 0
    opstamp: int | None = None  # of tantivy's commit: the index may be a commit ahead of this file
    settled: bool = False  # all changes up to the revision are in it, and of none only a part

    @classmethod
    def first(cls) -> IndexState:
        return cls(VERSION, analyzer_signature())

    @property
    def current(self) -> bool:
        return self.version == VERSION and self.analyzer == analyzer_signature()

    def reached(self, revision: int, digest_bytes: int, *, opstamp: int, settled: bool) -> IndexState:
        return replace(self, revision=revision, digest_bytes=digest_bytes, opstamp=opstamp, settled=settled)


def read_state(folder: Path) -> IndexState | None:
    """None where there is none, or where it cannot be understood."""
    try:
        state = IndexState(**json.loads((folder / _FILE).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None
    numbers = (state.version, state.revision, state.digest_bytes)
    return state if all(isinstance(number, int) for number in numbers) else None


def write_state(folder: Path, state: IndexState) -> None:
    """All of it or nothing, whenever the power fails."""
    temporary = folder / f"{_FILE}.new"
    with temporary.open("w") as file:
        json.dump(asdict(state), file)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(folder / _FILE)
    directory = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def state_stamp(folder: Path) -> tuple[int, int]:
    """Changes whenever the state was written; (0, 0) where there is none."""
    try:
        status = (folder / _FILE).stat()
    except OSError:
        return 0, 0
    return status.st_ino, status.st_mtime_ns


# Where the parts of the index lie, and whether they can be used.

_TANTIVY = "tantivy"
_FOOTER = struct.Struct("<II")


def usable_state(folder: Path) -> IndexState | None:
    """None where the index is missing, of another version, or lacks what it says it has."""
    state = read_state(folder)
    if state is None or not state.current or size_of(folder) < state.digest_bytes:
        return None
    # Opening would quietly begin an empty index where tantivy's own list of segments is lost.
    return state if (folder / _TANTIVY / "meta.json").exists() else None


def committed_opstamp(folder: Path) -> int | None:
    """Of the newest commit, as tantivy itself has written it down."""
    try:
        opstamp = json.loads((folder / _TANTIVY / "meta.json").read_bytes()).get("opstamp")
    except (OSError, ValueError, AttributeError):
        return None
    return opstamp if isinstance(opstamp, int) else None


def open_tantivy(folder: Path) -> tantivy.Index:
    """With the shared analyzer. Raises ValueError or OSError where tantivy finds its files damaged."""
    index = tantivy.Index(build_schema(), str(folder / _TANTIVY), reuse=True)
    register(index)
    index.config_reader(reload_policy="manual")
    index.reload()
    # Some files are opened only when something is looked for.
    index.searcher().search(tantivy.Query.term_query(index.schema, "application", ""), limit=1, count=False)
    return index


def damaged_segments(folder: Path) -> list[str]:
    """Files of live segments that do not match the checksum tantivy wrote at their end. It looks at none by itself."""
    try:
        meta = json.loads((folder / _TANTIVY / "meta.json").read_bytes())
        live = {segment["segment_id"].replace("-", "") for segment in meta["segments"]}
    except FileNotFoundError:
        return []  # no index yet, or one that is begun anew
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ["meta.json"]
    files = sorted(path for path in (folder / _TANTIVY).iterdir() if path.name.partition(".")[0] in live)
    return [path.name for path in files if not _matches_checksum(path)]


def _matches_checksum(path: Path) -> bool:
    """The end of a file: JSON with the CRC-32 of all before it, the length of that JSON, and a fixed number."""
    try:
        data = path.read_bytes()
        length, _ = _FOOTER.unpack(data[-_FOOTER.size :])
        end = len(data) - _FOOTER.size - length
        crc = json.loads(data[end : end + length])["crc"]
    except FileNotFoundError:
        return True  # merged away meanwhile
    except (OSError, ValueError, KeyError, TypeError, struct.error):
        return False
    return bool(end >= 0 and zlib.crc32(memoryview(data)[:end]) == crc)


def begin_files(folder: Path) -> tantivy.Index:
    """Empty ones in place of all that is there."""
    (folder / _FILE).unlink(missing_ok=True)  # first: without it, whatever a crash leaves here is begun anew
    shutil.rmtree(folder / _TANTIVY, ignore_errors=True)
    (folder / FILE).unlink(missing_ok=True)
    (folder / _TANTIVY).mkdir()
    index = open_tantivy(folder)
    FeatureWriter(folder).close()
    return index


def has_deletions(folder: Path) -> bool:
    """Whether any segment still holds entries that were removed or replaced."""
    meta = json.loads((folder / _TANTIVY / "meta.json").read_bytes())
    return any(segment["deletes"] for segment in meta["segments"])
