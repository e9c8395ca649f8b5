"""Everything that ranking needs to know of one resume, small and made once: no name and no contact details."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from evenhand.records.profile import DEGREE_LEVELS

VERSION = 3
MAGIC = b"EHDG"
DIMENSION = 128
"""Of the vectors that say what was done in a position and in a resume as a whole, see `rankers/roles.py`."""
MEANING = np.dtype(("i1", (DIMENSION,)))
NO_MEANING = np.zeros(DIMENSION, np.int8)
_HEADER = struct.Struct(f"<4sHHIIHHHIIIHhhbB{DIMENSION}s")
HEADER_BYTES = _HEADER.size
"""Magic, version, numbers of sections, terms, skills, roles, terms of titles and of fields, bytes of facts, size of a
vector, length, as_of, total and relevant months, degree, share of known words, meaning."""

SKILL = np.dtype(
    [
        ("id", "<u4"),  # term_id of the canonical name
        ("months", "<i2"),  # -1: unknown
        ("last_used", "<u2"),  # a month's number (see `month_number`); 0: nothing dated mentions it
        ("mentions", "u1"),  # 255: that many or more
        ("places", "u1"),  # IN_... flags
    ]
)
IN_POSITION, IN_PROJECT, IN_SKILLS, ELSEWHERE = 1, 2, 4, 8
UNKNOWN = -1

NOT_IN_USE, UNDATED_USE = 255, 254
"""Of `uses`: a term that no job or project mentions, and one that only jobs and projects without dates do."""
MAX_YEARS = 253

ROLE = np.dtype([("end", "<u2"), ("months", "<i2"), ("meaning", MEANING)])
"""Of a position: a month's number or 0, months or -1, and what was done there."""
ENTRY_TERM = np.dtype([("entry", "u1"), ("id", "<u4")])  # a term, and in which position or study it stands


def month_number(month: str) -> int:
    """YYYY-MM as months since year 0; a bare year is its December."""
    year, _, rest = month.partition("-")
    return int(year) * 12 + (int(rest[:2]) if rest else 12) - 1


@dataclass(frozen=True, slots=True)
class HeldPosition:
    """A position: what was done, where and how long. Months are those of `month_number`."""

    title: str | None
    employer: str | None
    start: int | None
    end: int | None
    months: int | None


@dataclass(frozen=True, slots=True)
class ResumeTerms:
    """The part of a digest that is words. `skills` are canonical names in the order of the digest's `skills`."""

    skills: tuple[str, ...] = ()
    positions: tuple[HeldPosition, ...] = ()
    fields: tuple[str, ...] = ()  # of study
    degrees: tuple[str, ...] = ()
    universities: tuple[str, ...] = ()
    certifications: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    city: str | None = None
    country: str | None = None

    def to_json(self) -> dict[str, Any]:
        lists = ("skills", "fields", "degrees", "universities", "certifications", "languages")
        return {
            **{name: list(getattr(self, name)) for name in lists},
            "positions": [[p.title, p.employer, p.start, p.end, p.months] for p in self.positions],
            "city": self.city,
            "country": self.country,
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> ResumeTerms:
        return cls(
            tuple(value["skills"]),
            tuple(HeldPosition(*held) for held in value["positions"]),
            tuple(value["fields"]),
            tuple(value["degrees"]),
            tuple(value["universities"]),
            tuple(value["certifications"]),
            tuple(value["languages"]),
            value["city"],
            value["country"],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """Unit vectors of a resume's sections, and what each section is."""

    kinds: tuple[str, ...]
    values: NDArray[np.float16]  # sections x size


@dataclass(frozen=True, eq=False)
class ResumeFeatures:
    """Arrays are read-only views where the digest came from bytes. Equal digests have equal bytes."""

    terms: NDArray[np.uint32]  # sorted numbers of the distinct terms
    counts: NDArray[np.uint16]  # how often each occurs
    uses: NDArray[np.uint8]  # years from its last use in a job or project to the resume's last dated month
    length: int  # terms in all
    skills: NDArray[np.void]  # of dtype SKILL, sorted by id
    roles: NDArray[np.void]  # of dtype ROLE, one per position, in the order of the facts
    title_terms: NDArray[np.void]  # of dtype ENTRY_TERM: the titles of the roles
    field_terms: NDArray[np.void]  # of dtype ENTRY_TERM: the fields of study
    as_of: int  # the month that "present" means
    total_months: int | None
    relevant_months: int | None
    degree: str | None  # the highest, one of DEGREE_LEVELS
    packed_facts: bytes = field(repr=False)
    meaning: NDArray[np.int8] = field(default_factory=lambda: NO_MEANING, repr=False)
    known: int = 0  # percent of its words that English resumes and ads have
    kinds: tuple[str, ...] = ()
    vectors: NDArray[np.float16] | None = field(default=None, repr=False)

    @cached_property
    def facts(self) -> ResumeTerms:
        """Unpacked when first asked for: term scores of thousands of resumes do not need the words."""
        return ResumeTerms.from_json(json.loads(self.packed_facts)[0])

    def to_bytes(self) -> bytes:
        size = 0 if self.vectors is None else self.vectors.shape[1]
        header = _HEADER.pack(
            MAGIC,
            VERSION,
            len(self.kinds),
            len(self.terms),
            len(self.skills),
            len(self.roles),
            len(self.title_terms),
            len(self.field_terms),
            len(self.packed_facts),
            size,
            self.length,
            self.as_of,
            UNKNOWN if self.total_months is None else self.total_months,
            UNKNOWN if self.relevant_months is None else self.relevant_months,
            UNKNOWN if self.degree is None else DEGREE_LEVELS.index(self.degree),
            self.known,
            self.meaning.astype(np.int8).tobytes(),
        )
        columns = [getattr(self, name).astype(kind, copy=False).tobytes() for name, kind, _ in _COLUMNS]
        vectors = b"" if self.vectors is None else self.vectors.astype("<f2").tobytes()
        return b"".join((header, *columns, vectors, self.packed_facts))

    @classmethod
    def from_bytes(cls, data: bytes) -> ResumeFeatures:
        """Raises ValueError for bytes of another version, or that are no digest, or are cut short."""
        if len(data) < _HEADER.size or data[:4] != MAGIC:
            raise ValueError("not a digest")
        if (version := int.from_bytes(data[4:6], "little")) != VERSION:
            raise ValueError(f"digest of version {version}, not {VERSION}")
        _, _, sections, terms, skills, roles, titles, fields, words, size, *rest = _HEADER.unpack_from(data)
        length, as_of, total, relevant, degree, known, meaning = rest
        kinds = [*(kind for _, kind, _ in _COLUMNS), np.dtype("<f2")]
        numbers = [terms, terms, terms, skills, roles, titles, fields, sections * size]
        sizes = (kind.itemsize * number for kind, number in zip(kinds, numbers, strict=True))
        *starts, end = accumulate(sizes, initial=_HEADER.size)
        if len(data) != end + words:
            raise ValueError("digest cut short or too long")
        *arrays, vectors = (
            np.frombuffer(data, kind, number, start) for kind, number, start in zip(kinds, numbers, starts, strict=True)
        )
        return cls(
            **dict(zip((name for name, _, _ in _COLUMNS), arrays, strict=True)),
            length=length,
            as_of=as_of,
            total_months=None if total == UNKNOWN else total,
            relevant_months=None if relevant == UNKNOWN else relevant,
            degree=None if degree == UNKNOWN else DEGREE_LEVELS[degree],
            packed_facts=data[end:],
            meaning=np.frombuffer(meaning, np.int8),
            known=known,
            kinds=tuple(json.loads(data[end:])[1]) if sections else (),
            vectors=vectors.reshape(sections, size) if size else None,
        )


def pack_facts(facts: ResumeTerms, kinds: tuple[str, ...]) -> bytes:
    return json.dumps(
        [facts.to_json(), list(kinds)], ensure_ascii=False, separators=(",", ":"), sort_keys=True
    ).encode()


def blank_features(size_bytes: int) -> bytes:
    """A digest of exactly so many bytes that says nothing, to write over one that is to be forgotten."""
    facts = pack_facts(ResumeTerms(), ())
    words = size_bytes - HEADER_BYTES
    if words < len(facts):
        return bytes(size_bytes)
    header = _HEADER.pack(MAGIC, VERSION, *[0] * 6, words, 0, 0, 0, *[UNKNOWN] * 3, 0, b"")
    return header + facts.ljust(words)


# Many digests read as columns: ranking thousands of resumes must not make an object and eight arrays of each.

Numbers = NDArray[np.int64]

_TABLE_HEADER = np.dtype(
    [
        *(("magic", "S4"), ("version", "<u2"), ("sections", "<u2"), ("terms", "<u4"), ("skills", "<u4")),
        *(("roles", "<u2"), ("titles", "<u2"), ("fields", "<u2"), ("words", "<u4"), ("size", "<u4")),
        *(("length", "<u4"), ("as_of", "<u2"), ("total", "<i2"), ("relevant", "<i2"), ("degree", "i1")),
        *(("known", "u1"), ("meaning", MEANING)),
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


class FeatureTable(Sequence[ResumeFeatures]):
    """Digests in order. A column holds that of every digest end to end; `numbers` says how many are whose.

    Raises ValueError for bytes that are no digests of this version.
    """

    def __init__(self, data: Sequence[bytes | memoryview]) -> None:
        self._data = data
        self._opened: dict[int, ResumeFeatures] = {}
        headers = b"".join([resume[:HEADER_BYTES] for resume in data])
        if len(headers) != len(data) * HEADER_BYTES:
            raise ValueError("not digests: too short")
        self.headers = np.frombuffer(headers, _TABLE_HEADER)
        if ((self.headers["magic"] != MAGIC) | (self.headers["version"] != VERSION)).any():
            raise ValueError("not digests, or of another version")

    @classmethod
    def of(cls, pool: Sequence[ResumeFeatures]) -> FeatureTable:
        if isinstance(pool, FeatureTable):
            return pool
        table = cls([resume.to_bytes() for resume in pool])
        table._opened.update(enumerate(pool))
        return table

    def __len__(self) -> int:
        return len(self._data)

    @overload
    def __getitem__(self, at: int) -> ResumeFeatures: ...
    @overload
    def __getitem__(self, at: slice) -> list[ResumeFeatures]: ...
    def __getitem__(self, at: int | slice) -> ResumeFeatures | list[ResumeFeatures]:
        if isinstance(at, slice):
            return [self[row] for row in range(*at.indices(len(self)))]
        at = range(len(self))[at]
        if at not in self._opened:
            self._opened[at] = ResumeFeatures.from_bytes(bytes(self._data[at]))
        return self._opened[at]

    def __iter__(self) -> Iterator[ResumeFeatures]:
        return map(self.__getitem__, range(len(self)))

    def only(self, rows: Sequence[int]) -> FeatureTable:
        """Some of them, in the order asked for."""
        return FeatureTable([self._data[row] for row in rows])

    def numbers(self, column: str) -> Numbers:
        """How many of a column's rows are each digest's."""
        field = next(field for name, _, field in _COLUMNS if name == column)
        return self.headers[field].astype(np.int64)

    def rows(self, column: str) -> Numbers:
        """Of each of a column's rows, the digest it belongs to."""
        return np.repeat(np.arange(len(self)), self.numbers(column))

    terms: cached_property[NDArray[np.uint32]] = cached_property(lambda self: self._column("terms"))
    counts: cached_property[NDArray[np.uint16]] = cached_property(lambda self: self._column("counts"))
    uses: cached_property[NDArray[np.uint8]] = cached_property(lambda self: self._column("uses"))
    skills: cached_property[NDArray[np.void]] = cached_property(lambda self: self._column("skills"))
    roles: cached_property[NDArray[np.void]] = cached_property(lambda self: self._column("roles"))
    title_terms: cached_property[NDArray[np.void]] = cached_property(lambda self: self._column("title_terms"))
    field_terms: cached_property[NDArray[np.void]] = cached_property(lambda self: self._column("field_terms"))

    @cached_property
    def last_months(self) -> NDArray[np.float64]:
        """When each resume's latest position ended, or the month of reading where no position is dated."""
        last = np.zeros(len(self), np.float64)
        np.maximum.at(last, self.rows("roles"), self.roles["end"].astype(np.float64))
        return np.where(last > 0, last, self.headers["as_of"])

    def _column(self, wanted: str) -> NDArray[Any]:
        starts = np.full(len(self), HEADER_BYTES, np.int64)
        for name, kind, header in _COLUMNS:
            ends = starts + kind.itemsize * self.headers[header].astype(np.int64)
            if name == wanted:
                pieces = zip(self._data, starts.tolist(), ends.tolist(), strict=True)
                return np.frombuffer(b"".join([data[start:end] for data, start, end in pieces]), kind)
            starts = ends
        raise KeyError(wanted)
