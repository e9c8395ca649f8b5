"""Job ads whose demands are known: which skills, for how long, which degree, where; written as such ads are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from evenhand.corpora.career import Month
from evenhand.corpora.job_texts import write_ad
from evenhand.corpora.kinds import AS_OF
from evenhand.corpora.manuscript import Mark
from evenhand.corpora.rng import Stream, streams
from evenhand.corpora.vacancies import Demand, Vacancy, sample_crc, sample_it, sample_mixed

VACANCIES: dict[str, Callable[[Stream, Month], Vacancy]] = {
    "it": sample_it,
    "crc": sample_crc,
    "mixed": sample_mixed,
}


@dataclass(frozen=True, slots=True)
class JobAd:
    number: int
    kind: str
    occupation: str
    title: str
    employer: str
    city: str
    country: str
    demands: tuple[Demand, ...]
    total_months: int | None  # of relevant experience
    degree: str | None  # the least level
    level: str | None  # competence level, of kind crc
    text: str
    marks: tuple[Mark, ...]  # places in the text: title, employer, city, skill, months, total_months, degree

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def sample_job(kind: str, *, seed: int, number: int, as_of: Month = AS_OF) -> JobAd:
    """The ad with that number; always the same for the same seed."""
    if kind not in VACANCIES:
        raise ValueError(f"there is no kind {kind!r}; there are {', '.join(VACANCIES)}")
    source = streams(seed, number)

    def stream(purpose: str) -> Random:
        return source(f"{kind} job/{purpose}")  # apart from the career that has the same number

    vacancy = VACANCIES[kind](stream, as_of)
    text, marks = write_ad(stream("text"), kind, vacancy)
    return JobAd(
        number=number,
        kind=kind,
        occupation=vacancy.occupation,
        title=vacancy.title,
        employer=vacancy.employer,
        city=vacancy.place.name,
        country=vacancy.place.country,
        demands=vacancy.demands,
        total_months=vacancy.total_months,
        degree=vacancy.degree,
        level=vacancy.level,
        text=text,
        marks=marks,
    )
