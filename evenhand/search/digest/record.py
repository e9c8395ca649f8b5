"""Everything that ranking needs to know of one resume, small and made once: no name and no contact details."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.records.profile import DEGREE_LEVELS

VERSION = 2
MAGIC = b"EHDG"
_HEADER = struct.Struct("<4sHHIIHHHIIIHhhbx")
HEADER_BYTES = _HEADER.size
"""Magic, version, numbers of sections, terms, skills, roles, terms of titles and of fields, bytes of facts, size of a
vector, length, as_of, total and relevant months, degree."""

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
MOST_YEARS = 253

ROLE = np.dtype([("end", "<u2"), ("months", "<i2")])  # of a position; a month's number or 0, months or -1
ENTRY_TERM = np.dtype([("entry", "u1"), ("id", "<u4")])  # a term, and in which position or study it stands


def month_number(month: str) -> int:
    """YYYY-MM as months since year 0; a bare year is its December."""
    year, _, rest = month.partition("-")
    return int(year) * 12 + (int(rest[:2]) if rest else 12) - 1


@dataclass(frozen=True, slots=True)
class Held:
    """A position: what was done, where and how long. Months are those of `month_number`."""

    title: str | None
    employer: str | None
    start: int | None
    end: int | None
    months: int | None


@dataclass(frozen=True, slots=True)
class Facts:
    """The part of a digest that is words. `skills` are canonical names in the order of the digest's `skills`."""

    skills: tuple[str, ...] = ()
    positions: tuple[Held, ...] = ()
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
    def from_json(cls, value: dict[str, Any]) -> Facts:
        return cls(
            tuple(value["skills"]),
            tuple(Held(*held) for held in value["positions"]),
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
class Digest:
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
    kinds: tuple[str, ...] = ()
    vectors: NDArray[np.float16] | None = field(default=None, repr=False)

    @cached_property
    def facts(self) -> Facts:
        """Unpacked when first asked for: term scores of thousands of resumes do not need the words."""
        return Facts.from_json(json.loads(self.packed_facts)[0])

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
        )
        vectors = b"" if self.vectors is None else self.vectors.astype("<f2").tobytes()
        arrays = (self.terms.astype("<u4"), self.counts.astype("<u2"), self.uses)
        rows = (self.skills, self.roles, self.title_terms, self.field_terms)
        return b"".join((header, *(array.tobytes() for array in arrays + rows), vectors, self.packed_facts))

    @classmethod
    def from_bytes(cls, data: bytes) -> Digest:
        """Raises ValueError for bytes of another version, or that are no digest, or are cut short."""
        if len(data) < _HEADER.size or data[:4] != MAGIC:
            raise ValueError("not a digest")
        if (found := int.from_bytes(data[4:6], "little")) != VERSION:
            raise ValueError(f"digest of version {found}, not {VERSION}")
        _, _, sections, terms, skills, roles, titles, fields, words, size, *numbers = _HEADER.unpack_from(
            data
        )
        length, as_of, total, relevant, degree = numbers
        kinds: tuple[tuple[np.dtype[Any], int], ...] = (
            (np.dtype("<u4"), terms),
            (np.dtype("<u2"), terms),
            (np.dtype("u1"), terms),
            (SKILL, skills),
            (ROLE, roles),
            (ENTRY_TERM, titles),
            (ENTRY_TERM, fields),
            (np.dtype("<f2"), sections * size),
        )
        starts = list(accumulate((kind.itemsize * number for kind, number in kinds), initial=_HEADER.size))
        if len(data) != starts[-1] + words:
            raise ValueError("digest cut short or too long")
        arrays = [
            np.frombuffer(data, kind, number, start)
            for (kind, number), start in zip(kinds, starts[:-1], strict=True)
        ]
        packed = data[starts[-1] :]
        return cls(
            arrays[0],
            arrays[1],
            arrays[2],
            length,
            arrays[3],
            arrays[4],
            arrays[5],
            arrays[6],
            as_of,
            None if total == UNKNOWN else total,
            None if relevant == UNKNOWN else relevant,
            None if degree == UNKNOWN else DEGREE_LEVELS[degree],
            packed,
            tuple(json.loads(packed)[1]) if sections else (),
            arrays[7].reshape(sections, size) if size else None,
        )


def pack_facts(facts: Facts, kinds: tuple[str, ...]) -> bytes:
    return json.dumps(
        [facts.to_json(), list(kinds)], ensure_ascii=False, separators=(",", ":"), sort_keys=True
    ).encode()


def blank_digest(size_bytes: int) -> bytes:
    """A digest of exactly so many bytes that says nothing, to write over one that is to be forgotten."""
    facts = pack_facts(Facts((), (), (), (), (), (), (), None, None), ())
    words = size_bytes - HEADER_BYTES
    if words < len(facts):
        return bytes(size_bytes)
    header = _HEADER.pack(MAGIC, VERSION, *[0] * 6, words, 0, 0, 0, UNKNOWN, UNKNOWN, UNKNOWN)
    return header + facts.ljust(words)
