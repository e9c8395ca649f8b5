"""What someone studied, in the order a life allows: school, a first degree, later ones after it or beside work."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import (
    Activity,
    CareerJob,
    CareerPeriod,
    CareerSkill,
    CareerStudy,
    Certificate,
    Month,
    year_of,
)
from evenhand_lab.corpora.lexicon import Stream, chance, fill, some
from evenhand_lab.corpora.occupations import existed, use_at
from evenhand_lab.corpora.people import (
    PersonIdentity,
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


def sample_studies(stream: Stream, who: PersonIdentity, path: Path, *, leaving: int, as_of: Month) -> list[Schooling]:
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
    stream: Stream, rng: random.Random, who: PersonIdentity, degree: str, field: str | None, end: int, which: str
) -> Schooling:
    level = level_of(local_degree(degree, who.home.country))
    school = sample_school(
        stream(f"school/{which}"), who.home, level=level, field=field, gender=who.gender, origin=who.origin
    )
    return sample_study(rng, school, degree=degree, field=field, end_year=end)


def _first_field(rng: random.Random, field: str | None) -> str | None:
    """Most people stay in their field; who goes on to law or business comes from elsewhere."""
    elsewhere = ("Law", "Finance", "Marketing", "General Management", "Strategy", "Taxation", "International Law")
    broad = ("Economics", "History", "Political Science", "Mathematics", "English", "Psychology", "Biology")
    if field in elsewhere or chance(rng, 0.12):
        return rng.choice(broad)
    return field


def _school_years(stream: Stream, rng: random.Random, who: PersonIdentity, first: CareerStudy) -> list[Schooling]:
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


# What stands at the end of a resume: certificates, languages, activities, skills claimed without a job.


def sample_certificates(
    rng: random.Random, rows: Sequence[Sequence[object]], *, since: int, as_of: Month
) -> tuple[Certificate, ...]:
    """Some of a lexicon's rows [name, issuer, how often], earned from the year `since` on; latest first."""
    found = []
    for name, issuer, often in rows:
        if chance(rng, float(str(often))):
            year = rng.randint(min(since, year_of(as_of)), year_of(as_of)) if chance(rng, 0.72) else None
            found.append(Certificate(str(name), year, str(issuer) if issuer and chance(rng, 0.6) else None))
    return tuple(sorted(found, key=lambda one: -(one.year or 0)))


def sample_languages(rng: random.Random, who: PersonIdentity, *, often: float = 0.35) -> tuple[tuple[str, str], ...]:
    if not chance(rng, often):
        return ()
    table = lexicon.table("activities.toml")
    speech = table["languages"]
    own = speech["origin"][who.origin]
    names = list(speech["country"][who.home.country])
    if own and chance(rng, 0.75):
        names.insert(0 if who.home.country in ("India", "Nigeria") else 1, rng.choice(own))
    if chance(rng, 0.3):
        names.append(rng.choice(speech["others"]))
    names = list(dict.fromkeys(names))
    levels = [rng.choice(speech["first"]), rng.choice(speech["second"])]
    levels += [rng.choice(speech["third"]) for _ in names[2:]]
    return tuple(zip(names, levels, strict=False))


def sample_activities(rng: random.Random, *, since: Month, as_of: Month) -> tuple[Activity, ...]:
    """Volunteering, memberships, awards and hobbies; many people name none."""
    table = lexicon.table("activities.toml")
    words = {name: values for name, values in table.items() if isinstance(values, list)}
    words["year"] = [str(year) for year in range(min(year_of(since) + 1, year_of(as_of)), year_of(as_of) + 1)]
    found = []
    for often, patterns in ((0.22, "volunteering"), (0.14, "memberships"), (0.2, "awards"), (0.14, "awards")):
        if chance(rng, often):
            text = fill(rng, rng.choice(table[patterns]), words)
            found.append(Activity(text, period=_span(rng, patterns, since, as_of)))
    if chance(rng, 0.25):
        found.append(Activity(", ".join(some(rng, table["hobbies"], 2, 5)).capitalize()))
    return tuple({activity.text: activity for activity in found}.values())


def _span(rng: random.Random, patterns: str, since: Month, as_of: Month) -> CareerPeriod | None:
    if patterns == "awards" or chance(rng, 0.5) or as_of - since < 24:
        return None
    start = rng.randint(since, as_of - 12)
    return CareerPeriod(start, None if chance(rng, 0.4) else rng.randint(start + 3, as_of))


def sample_extra_skills(
    rng: random.Random, names: Iterable[str], jobs: Iterable[CareerJob], *, as_of: Month, most: int = 6
) -> tuple[CareerSkill, ...]:
    """Skills someone claims though no job or project of theirs names them."""
    used: set[str] = set()
    for job in jobs:
        used.update(use.skill for use in job.uses)
        used.update(use.skill for project in job.projects for use in project.uses)
    free = [name for name in dict.fromkeys(names) if name not in used and existed(name, as_of)]
    return tuple(use_at(rng, name, as_of) for name in some(rng, free, 0, most))
