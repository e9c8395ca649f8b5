"""Files to Documents, each read in a process of its own: `read` for one, `read_many` for a batch."""

from __future__ import annotations

import glob
import hashlib
import os
import queue
import stat
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import nullcontext
from functools import partial
from io import BytesIO
from itertools import islice, takewhile
from pathlib import Path
from typing import BinaryIO, TypeVar

from evenhand.documents.draft import ReadLimits
from evenhand.documents.parse import failed
from evenhand.documents.sandbox.pool import SandboxPool, confinement_gap
from evenhand.errors import SymbolicLink, TooLarge, UnreadableFile, UsageError
from evenhand.records.document import Document
from evenhand.settings import Settings

# Work done by several threads whose results come back in the order of the input.


Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 4  # results per thread that may wait for a slow one before them


def in_order(function: Callable[[Item], Result], items: Iterable[Item], *, threads: int) -> Iterator[Result]:
    """`map` over threads: at most a few items are taken ahead, so memory stays flat over any number."""
    orders: queue.SimpleQueue[tuple[Item, Future[Result]] | None] = queue.SimpleQueue()
    for _ in range(threads):
        # Daemons: after Ctrl-C the program must not wait for a file that nobody wants any more.
        threading.Thread(target=_work, args=(function, orders), name="evenhand-reader", daemon=True).start()
    waiting: deque[Future[Result]] = deque()
    source = iter(items)
    try:
        while True:
            for item in islice(source, threads * AHEAD - len(waiting)):
                waiting.append(Future())
                orders.put((item, waiting[-1]))
            if not waiting:
                return
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
        for _ in range(threads):
            orders.put(None)


def _work(function: Callable[[Item], Result], orders: queue.SimpleQueue[tuple[Item, Future[Result]] | None]) -> None:
    while (order := orders.get()) is not None:
        item, future = order
        if not future.set_running_or_notify_cancel():
            continue
        try:
            future.set_result(function(item))
        except BaseException as error:
            future.set_exception(error)
        del order, item, future  # or the last file of a finished batch would stay in memory


PathLike = str | os.PathLike[str]

HASHED_BYTES = 1_000_000_000  # a file too large to read is still identified, up to here
CHUNK_BYTES = 1 << 20
READER_SHARE = 0.8  # of the time for a file: then a reader stops by itself and keeps what it has


def read(
    source: PathLike | bytes,
    *,
    name: str | None = None,
    settings: Settings | None = None,
    pool: SandboxPool | None = None,
) -> Document:
    """Read one resume, from a path or from its bytes.

    A file that cannot be understood gives a Document of status "error". Only a path that cannot be opened
    raises (UsageError), and what is no path at all (TypeError). `name` is what the Document calls the file, instead of
    the path.
    """
    if not isinstance(source, str | bytes | os.PathLike):
        raise TypeError(f"A resume is given as a path or as its bytes, not as {type(source).__name__}.")
    settings = settings or Settings()
    if pool is None:
        with _shared_lock:  # the shared pool is started at the first call, and closed when the program ends
            if settings not in _shared_pools:
                _shared_pools[settings] = open_pool(settings)
            pool = _shared_pools[settings]
    try:
        return _read(source, name=name, settings=settings, pool=pool)
    except UnreadableFile as error:
        raise UsageError(f"{shown_name(source)}: {error}") from error


def read_many(
    paths: PathLike | Iterable[PathLike],
    *,
    workers: int | None = None,
    settings: Settings | None = None,
    pool: SandboxPool | None = None,
) -> Generator[Document, None, None]:
    """Read files in parallel; one Document per file, in the order of the paths, whatever the files contain. A path may
    be a folder or a pattern.

    A path that cannot be opened gives a Document of status "error" too, with the code unreadable_file.
    """
    settings = settings or Settings()
    with nullcontext(pool) if pool is not None else open_pool(settings, workers=workers) as used:
        read_one = partial(read_or_fail, settings=settings, pool=used)
        yield from in_order(read_one, source_files(paths), threads=used.workers)


def open_pool(settings: Settings, *, workers: int | None = None) -> SandboxPool:
    """A pool with the limits of `settings`."""
    count = settings.workers if workers is None else workers
    if count < 0:
        raise UsageError("The number of workers cannot be negative.")
    return SandboxPool(
        count or available_cores(),
        memory_bytes=settings.memory_bytes,
        cpu_seconds=settings.cpu_seconds,
        wall_seconds=settings.wall_seconds,
        programs=None if settings.ocr in ("auto", "tesseract") else False,
        files_per_process=settings.files_per_process,
        sandbox=settings.sandbox,
    )


def find_confinement_gap(settings: Settings) -> str:
    """What this system lacks to confine the processes that read files, found out by starting one; it is logged too.

    SandboxUnavailable where the settings forbid it.
    """
    with open_pool(settings, workers=1) as pool:
        return confinement_gap(pool.protections())


def available_cores() -> int:
    """Cores this process may use, which a container may have made fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def reading_limits(settings: Settings) -> ReadLimits:
    return ReadLimits(
        unpacked_bytes=settings.unpacked_bytes,
        pages=settings.pages,
        ocr=settings.ocr,
        ocr_pages=settings.ocr_pages,
        seconds=settings.wall_seconds * READER_SHARE,
    )


class FolderFile(str):
    """A file found in a folder that somebody named. No symbolic link below that folder is followed to it: whoever can
    put files there could otherwise have any file that the program may read, such as a key, taken for a resume.
    """

    folder: str

    def __new__(cls, folder: str, path: str) -> FolderFile:
        file = super().__new__(cls, path)
        file.folder = folder
        return file


def files_in_folder(folder: str) -> list[FolderFile]:
    """Regular files and symbolic links at any depth, sorted; opening a link gives a SymbolicLink error.

    Names that begin with "." or "~$" are a system's, not a person's.
    """
    files = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in (*names, *folders):
            path = Path(parent, name)
            if not name.startswith((".", "~$")) and (path.is_symlink() or path.is_file()):
                files.append(FolderFile(folder, str(path)))
    return sorted(files)


def source_files(sources: object) -> Iterator[PathLike]:
    """Every file that is named by its path, its folder (all files inside) or a pattern such as `inbox/*.pdf`, or by
    several of these. What is not there stays as it was named, to become an error with that name.

    TypeError for anything else: the characters of a text, or the numbers that bytes are, name no files.
    """
    if isinstance(sources, FolderFile):  # found below a folder: one that is a link to another folder is not opened
        yield sources
    elif isinstance(sources, str | os.PathLike):
        path = os.fspath(sources)
        if not isinstance(path, str):
            raise _wrong_source(path)
        if Path(path).is_dir():
            yield from files_in_folder(path)
        elif glob.has_magic(path) and not os.path.lexists(path):
            matches = glob.glob(path, recursive=True)  # noqa: PTH207 - Path.glob takes no absolute pattern
            # Nobody named what a pattern matches: links below the folder before it are not followed either.
            folder = str(Path(*takewhile(lambda part: not glob.has_magic(part), Path(path).parts)))
            yield from (FolderFile(folder, match) for match in sorted(matches)) if matches else [path]
        else:
            yield sources
    elif isinstance(sources, Iterable) and not isinstance(sources, bytes | bytearray | Mapping):
        for source in sources:
            if not isinstance(source, str | os.PathLike):
                raise _wrong_source(source)
            yield from source_files(source)
    else:
        raise _wrong_source(sources)


def _wrong_source(source: object) -> TypeError:
    kind = "None" if source is None else type(source).__name__
    return TypeError(f"Resumes are given as paths, folders or patterns, or a list of these, not as {kind}.")


def read_or_fail(path: PathLike, *, settings: Settings, pool: SandboxPool) -> Document:
    """As `read`, but a path that cannot be opened gives a Document of status "error" too."""
    try:
        return _read(path, name=None, settings=settings, pool=pool)
    except UnreadableFile as error:
        return failed(error, file=shown_name(path), sha256="")


def read_bytes(path: PathLike, settings: Settings) -> bytes:
    """The file's bytes; UnreadableFile or TooLarge instead."""
    with _opened(path) as stream:
        data = stream.read(settings.file_bytes + 1)
    if len(data) > settings.file_bytes:
        raise too_large(settings)
    return data


def too_large(settings: Settings) -> TooLarge:
    return TooLarge(f"The file is larger than the limit of {settings.file_bytes / 1_000_000:g} MB.")


def _read(source: PathLike | bytes, *, name: str | None, settings: Settings, pool: SandboxPool) -> Document:
    if isinstance(source, bytes):
        return _read_stream(BytesIO(source), name, settings=settings, pool=pool)
    with _opened(source) as stream:
        return _read_stream(stream, name or shown_name(source), settings=settings, pool=pool)


def _read_stream(stream: BinaryIO, file: str | None, *, settings: Settings, pool: SandboxPool) -> Document:
    size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    # A file may grow between the two looks, so what was read is measured as well.
    data = stream.read(settings.file_bytes + 1) if size <= settings.file_bytes else None
    if data is None or len(data) > settings.file_bytes:
        # Of a file so large that hashing it would hold up the batch, the hash stays empty.
        is_hashed = stream.seek(0, os.SEEK_END) <= HASHED_BYTES
        stream.seek(0)
        sha256 = hashlib.sha256()
        while is_hashed and (chunk := stream.read(CHUNK_BYTES)):
            sha256.update(chunk)
        return failed(too_large(settings), file=file, sha256=sha256.hexdigest() if is_hashed else "")
    return pool.read(data, file=file, limits=reading_limits(settings))


def _opened(path: PathLike) -> BinaryIO:
    """The file at `path` if it is a regular one: a pipe or device could keep a reader for ever."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = _open_below(path, flags) if isinstance(path, FolderFile) else os.open(path, flags)
    except (OSError, ValueError) as error:  # a null byte in the name is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise UnreadableFile(f"The file cannot be opened: {reason}.") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UnreadableFile("This is a folder or a device, not a file.")
    return os.fdopen(descriptor, "rb")


def _open_below(file: FolderFile, flags: int) -> int:
    """From the folder downwards, name by name: a link may have taken any place since the folder was listed."""
    *parents, name = Path(file).relative_to(file.folder).parts
    at = os.open(file.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for parent in parents:
            inner = _open_unlinked(parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, at)
            os.close(at)
            at = inner
        return _open_unlinked(name, flags, at)
    finally:
        os.close(at)


def _open_unlinked(name: str, flags: int, folder: int) -> int:
    try:
        return os.open(name, flags | os.O_NOFOLLOW, dir_fd=folder)
    except OSError as error:
        if stat.S_ISLNK(os.lstat(name, dir_fd=folder).st_mode):
            raise SymbolicLink from error
        raise


def shown_name(path: PathLike | bytes) -> str:
    """A file name that can be printed: bytes that are no UTF-8 become replacement characters."""
    return os.fsencode(path).decode("utf-8", "replace")


_shared_pools: dict[Settings, SandboxPool] = {}
_shared_lock = threading.Lock()


def _forget_shared_pools() -> None:
    """In a forked copy of the program: the children belong to the original, which may hold the lock."""
    global _shared_pools, _shared_lock
    _shared_pools, _shared_lock = {}, threading.Lock()


os.register_at_fork(after_in_child=_forget_shared_pools)
