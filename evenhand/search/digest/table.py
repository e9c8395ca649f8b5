"""Many digests read as columns: ranking thousands of resumes must not make an object and eight arrays of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from evenhand.search.digest.record import ENTRY_TERM, HEADER_BYTES, MAGIC, ROLE, SKILL, VERSION, Digest

Numbers = NDArray[np.int64]

_HEADER = np.dtype(
    [
        *(("magic", "S4"), ("version", "<u2"), ("sections", "<u2"), ("terms", "<u4"), ("skills", "<u4")),
        *(("roles", "<u2"), ("titles", "<u2"), ("fields", "<u2"), ("words", "<u4"), ("size", "<u4")),
        *(("length", "<u4"), ("as_of", "<u2"), ("total", "<i2"), ("relevant", "<i2"), ("degree", "i1")),
        ("", "u1"),
    ]
)
_COLUMNS: tuple[tuple[str, np.dtype[Any], str], ...] = (
    ("terms", np.dtype("<u4"), "terms"),
    ("counts", np.dtype("<u2"), "terms"),
    ("uses", np.dtype("u1"), "terms"),
    ("skills", SKILL, "skills"),
    ("roles", ROLE, "roles"),
    ("title_terms", ENTRY_TERM, "titles"),
    ("field_terms", ENTRY_TERM, "fields"),
)
"""In the order of a digest's bytes: name, type, and the field of the header that says how many there are."""


class DigestTable(Sequence[Digest]):
    """Digests in order. A column holds that of every digest end to end; `numbers` says how many are whose.

    Raises ValueError for bytes that are no digests of this version.
    """

    def __init__(self, data: Sequence[bytes | memoryview]) -> None:
        self._data = data
        self._opened: dict[int, Digest] = {}
        headers = b"".join([each[:HEADER_BYTES] for each in data])
        if len(headers) != len(data) * HEADER_BYTES:
            raise ValueError("not digests: too short")
        self.headers = np.frombuffer(headers, _HEADER)
        if ((self.headers["magic"] != MAGIC) | (self.headers["version"] != VERSION)).any():
            raise ValueError("not digests, or of another version")

    @classmethod
    def of(cls, digests: Sequence[Digest]) -> DigestTable:
        if isinstance(digests, DigestTable):
            return digests
        table = cls([digest.to_bytes() for digest in digests])
        table._opened.update(enumerate(digests))
        return table

    def __len__(self) -> int:
        return len(self._data)

    @overload
    def __getitem__(self, at: int) -> Digest: ...
    @overload
    def __getitem__(self, at: slice) -> list[Digest]: ...
    def __getitem__(self, at: int | slice) -> Digest | list[Digest]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        at = range(len(self))[at]
        if at not in self._opened:
            self._opened[at] = Digest.from_bytes(bytes(self._data[at]))
        return self._opened[at]

    def __iter__(self) -> Iterator[Digest]:
        return map(self.__getitem__, range(len(self)))

    def only(self, rows: Sequence[int]) -> DigestTable:
        """Some of them, in the order asked for."""
        return DigestTable([self._data[row] for row in rows])

    def numbers(self, column: str) -> Numbers:
        """How many of a column's rows are each digest's."""
        field = next(field for name, _, field in _COLUMNS if name == column)
        return self.headers[field].astype(np.int64)

    def rows(self, column: str) -> Numbers:
        """Of each of a column's rows, the digest it belongs to."""
        return np.repeat(np.arange(len(self)), self.numbers(column))

    @cached_property
    def terms(self) -> NDArray[np.uint32]:
        return self._column("terms")

    @cached_property
    def counts(self) -> NDArray[np.uint16]:
        return self._column("counts")

    @cached_property
    def uses(self) -> NDArray[np.uint8]:
        return self._column("uses")

    @cached_property
    def skills(self) -> NDArray[np.void]:
        return self._column("skills")

    @cached_property
    def roles(self) -> NDArray[np.void]:
        return self._column("roles")

    @cached_property
    def title_terms(self) -> NDArray[np.void]:
        return self._column("title_terms")

    @cached_property
    def field_terms(self) -> NDArray[np.void]:
        return self._column("field_terms")

    @cached_property
    def last_months(self) -> NDArray[np.float64]:
        """When each resume's latest position ended, or the month of reading where no position is dated."""
        last = np.zeros(len(self), np.float64)
        np.maximum.at(last, self.rows("roles"), self.roles["end"].astype(np.float64))
        return np.where(last > 0, last, self.headers["as_of"])

    def _column(self, wanted: str) -> NDArray[Any]:
        starts = np.full(len(self), HEADER_BYTES, np.int64)
        for name, kind, field in _COLUMNS:
            ends = starts + kind.itemsize * self.headers[field].astype(np.int64)
            if name == wanted:
                pieces = zip(self._data, starts.tolist(), ends.tolist(), strict=True)
                return np.frombuffer(b"".join([data[start:end] for data, start, end in pieces]), kind)
            starts = ends
        raise KeyError(wanted)
