"""What a date expression says: months, stretches between months, and lengths of time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Present = Literal["present"]
PRESENT: Present = "present"
Kind = Literal["range", "point", "duration", "birth"]

FIRST_YEAR, LAST_YEAR = 1940, 2035


@dataclass(frozen=True, slots=True)
class Moment:
    """A month, or a year whose month is not stated."""

    year: int
    month: int | None = None

    @property
    def index(self) -> int:
        """Months since year 0; a year alone stands for its January."""
        return self.year * 12 + (self.month or 1) - 1

    @classmethod
    def parse(cls, text: str) -> Moment:
        """From YYYY-MM or YYYY."""
        year, _, month = text.partition("-")
        return cls(int(year), int(month) if month else None)

    def __str__(self) -> str:
        return f"{self.year:04}" if self.month is None else f"{self.year:04}-{self.month:02}"


@dataclass(frozen=True, slots=True)
class DateSpan:
    """An expression of time at text[start:end].

    A range has both ends. A point has the same moment twice, except a season or quarter, which has its first and last
    month. A birth is a point that is somebody's birth date. A duration has months and no moments.
    """

    start: int
    end: int
    kind: Kind
    first: Moment | None = None
    last: Moment | Present | None = None
    months: int | None = None
    reversed: bool = False  # the end lies before the start: as written, not put right


def is_reversed(first: Moment, last: Moment | Present) -> bool:
    if not isinstance(last, Moment):
        return False
    if first.month is None or last.month is None:
        return last.year < first.year
    return last.index < first.index


def full_year(digits: str) -> int | None:
    """The year meant by two or four digits; None where no resume would speak of it."""
    year = int(digits)
    if len(digits) == 2:
        year += 2000 if year <= LAST_YEAR - 2000 else 1900
    return year if FIRST_YEAR <= year <= LAST_YEAR else None
