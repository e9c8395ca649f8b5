"""What someone studied, in the order a life allows: school, a first degree, later ones after it or beside work."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.corpora import lexicon
from evenhand.corpora.career import Month, Study, year_of
from evenhand.corpora.people import Identity
from evenhand.corpora.rng import Stream, chance
from evenhand.corpora.schools import (
    Schooling,
    level_of,
    local_degree,
    rank,
    sample_school,
    sample_study,
    years_of,
)


@dataclass(frozen=True, slots=True)
class Path:
    """One way into an occupation: the degree people hold, its fields, and what they took before it."""

    degree: str
    fields: tuple[str, ...]
    before: str | None = None  # a degree that comes first ("Bachelor of Science" before a master's)


def sample_path(rng: random.Random, degrees: Sequence[Sequence[object]]) -> Path:
    """One of a lexicon's rows [degree, fields, weight], with a first degree before a higher one."""
    row = rng.choices(degrees, [float(str(entry[2])) for entry in degrees])[0]
    degree, fields = str(row[0]), tuple(str(field) for field in row[1])  # type: ignore[attr-defined]
    higher = rank(level_of(degree)) > rank("bachelor")
    first = lexicon.table("degrees.toml")["before"].get(degree, "Bachelor of Science")
    return Path(degree, fields, first if higher else None)


def sample_studies(
    stream: Stream, who: Identity, path: Path, *, leaving: int, as_of: Month
) -> list[Schooling]:
    """The studies of someone who left full-time study in the year `leaving`; oldest first."""
    rng = stream("studies")
    found: list[Schooling] = []
    field = rng.choice(path.fields) if path.fields else None
    country = who.home.country
    end = leaving
    is_higher = rank(level_of(local_degree(path.degree, country))) > rank("bachelor")
    if path.before is not None and is_higher:
        later = chance(rng, 0.35) and leaving + 5 <= year_of(as_of)
        if later:  # beside work, some years on
            last = rng.randint(leaving + 4, min(leaving + 12, year_of(as_of) - 1))
            found.append(_study(stream, rng, who, path.degree, field, last, "second"))
        else:
            found.append(_study(stream, rng, who, path.degree, field, leaving, "second"))
            end = leaving - years_of(local_degree(path.degree, country), country)
        found.append(_study(stream, rng, who, path.before, _first_field(rng, field), end, "first"))
    else:
        found.append(_study(stream, rng, who, path.degree, field, end, "first"))
    found += _school_years(stream, rng, who, found[-1].study)
    return sorted(found, key=lambda entry: entry.study.period.start)


def _study(
    stream: Stream, rng: random.Random, who: Identity, degree: str, field: str | None, end: int, which: str
) -> Schooling:
    level = level_of(local_degree(degree, who.home.country))
    school = sample_school(
        stream(f"school/{which}"), who.home, level=level, field=field, gender=who.gender, origin=who.origin
    )
    return sample_study(rng, school, degree=degree, field=field, end_year=end)


def _first_field(rng: random.Random, field: str | None) -> str | None:
    """Most people stay in their field; who goes on to law or business comes from elsewhere."""
    elsewhere = (
        "Law",
        "Finance",
        "Marketing",
        "General Management",
        "Strategy",
        "Taxation",
        "International Law",
    )
    broad = ("Economics", "History", "Political Science", "Mathematics", "English", "Psychology", "Biology")
    if field in elsewhere or chance(rng, 0.12):
        return rng.choice(broad)
    return field


def _school_years(stream: Stream, rng: random.Random, who: Identity, first: Study) -> list[Schooling]:
    """School itself, for those who write it down: many in India, few elsewhere."""
    if first.level == "highschool" or not chance(rng, 0.45 if who.home.country == "India" else 0.1):
        return []
    end = year_of(first.period.start)
    school = sample_school(stream("school/high"), who.home, level="highschool")
    found = [sample_study(rng, school, degree="High School Diploma", field=None, end_year=end, years=2)]
    if who.home.country == "India" and chance(rng, 0.7):
        lower = "Secondary School Leaving Certificate"
        found.append(sample_study(rng, school, degree=lower, field=None, end_year=end - 2, years=2))
    return found
