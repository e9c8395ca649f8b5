"""A job's ad in pieces, so that a page can mark each demand where it stands in the text."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from evenhand.records import Job

ASIDE = frozenset({"employer", "benefits", "legal"})
"""Passages that do not tell who is wanted; nothing is asked for because of them."""


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    demands: tuple[int, ...] = ()  # that stand here, by their number in the job
    first: int | None = None  # the demand of which this is the first place
    must: bool = False
    aside: bool = False


def pieces(job: Job) -> list[Piece]:
    """All of the text, in order; neighbours differ in what they stand for."""
    spans = [
        (place.start, min(place.end, len(job.text)), number)
        for number, demand in enumerate(job.demands)
        for place in demand.places
        if place.start < min(place.end, len(job.text))
    ]
    asides = [(passage.place.start, passage.place.end) for passage in job.passages if passage.type in ASIDE]
    cuts = {0, len(job.text), *(cut for start, end, _ in spans for cut in (start, end))}
    cuts |= {min(cut, len(job.text)) for span in asides for cut in span}
    edges = sorted(cuts)
    seen: set[int] = set()
    found = []
    for start, end in pairwise(edges):
        here = tuple(sorted({number for first, last, number in spans if first <= start < last}))
        new = [number for number in here if number not in seen]
        seen.update(here)
        found.append(
            Piece(
                text=job.text[start:end],
                demands=here,
                first=new[0] if new else None,
                must=any(job.demands[number].must for number in here),
                aside=any(first <= start < last for first, last in asides),
            )
        )
    return found
