"""Cases planted on request: which resumes they become, and the truth about each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evenhand.corpora.rng import stream

CASES = {
    "duplicates": "the same career again, under another spelling of the name and with new contact data",
    "no-hire": "an employer of the no-hire list, spelt differently",
    "lookalikes": "an employer that only resembles one of the no-hire list",
    "non-accredited": "a university of the non-accredited list, spelt differently",
    "hidden": "words that a file holds and a reader does not see",
    "stuffing": "skills repeated in plain sight",
    "scans": "pages that are pictures",
}


@dataclass(frozen=True, slots=True)
class Case:
    """What is planted in the resume `number`; `original` is the resume that a duplicate repeats."""

    number: int
    kind: str
    original: int | None = None


@dataclass(frozen=True, slots=True)
class Planted:
    """The truth about a planted case."""

    number: int
    kind: str
    facts: tuple[tuple[str, Any], ...]

    def to_json(self) -> dict[str, Any]:
        return {"number": self.number, "kind": self.kind} | dict(self.facts)


def plan(counts: Mapping[str, int], *, n: int, seed: int) -> dict[int, Case]:
    """Cases by the number of their resume: no resume has two, and originals of duplicates have none."""
    unknown = [kind for kind in counts if kind not in CASES]
    if unknown:
        raise ValueError(f"there is no planted case {unknown[0]!r}; there are {', '.join(CASES)}")
    duplicates = counts.get("duplicates", 0)
    needed = sum(counts.values()) + duplicates
    if needed > n:
        raise ValueError(f"{needed} resumes are needed for the planted cases, and there are {n}")
    numbers = iter(stream(seed, 0, "planted").sample(range(n), needed))
    cases: dict[int, Case] = {}
    for kind in CASES:  # in the order of the table, whatever the order of the request
        for _ in range(counts.get(kind, 0)):
            number = next(numbers)
            cases[number] = Case(number, kind, next(numbers) if kind == "duplicates" else None)
    return cases
