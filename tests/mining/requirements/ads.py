"""The vocabulary that ships, loaded once, and what an ad asks for in short form."""

from __future__ import annotations

from functools import cache

from evenhand.mining.requirements.reading import understand_job
from evenhand.mining.vocabulary import Vocabulary, load_vocabulary
from evenhand.records.job import Job


@cache
def vocabulary() -> Vocabulary:
    return load_vocabulary()


def understood(text: str) -> Job:
    return understand_job(text, vocabulary())


def asked(text: str) -> list[tuple[str, bool, int | None, int | None]]:
    """Skills (alternatives joined by a bar), whether a must, months, most months."""
    return [
        ("|".join(demand.skills), demand.must, demand.months, demand.most_months) for demand in understood(text).demands
    ]
