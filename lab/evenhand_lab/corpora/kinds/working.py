"""How people live whatever their trade: what they studied, on which rung and where they work, what they add."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evenhand_lab.corpora import lexicon, people
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
from evenhand_lab.corpora.occupations import existed, sample_duties, sample_employer, use_at, uses_of
from evenhand_lab.corpora.people import CorpusCity, PersonIdentity, Schooling

RUNG_YEARS = (0.0, 1.5, 5.5, 11.0)
"""Years of work after which most people stand on a rung."""


def sample_experience(rng: random.Random) -> int:
    """Months since full-time study: ten years on average, from fresh graduates to near retirement."""
    return min(38 * 12, max(3, round(rng.gammavariate(1.9, 5.2) * 12)))


def first_month(rng: random.Random, studies: Sequence[CareerStudy], *, leaving: int) -> Month:
    """Work begins soon after the last full-time study, in the year `leaving`; for one in twelve, not so soon."""
    end = max(study.period.last(0) for study in studies if year_of(study.period.last(0)) <= leaving)
    return end + 1 + (rng.randint(6, 14) if chance(rng, 0.08) else rng.randint(0, 4))


def sort_jobs(jobs: Sequence[CareerJob], as_of: Month) -> tuple[CareerJob, ...]:
    """Latest first, as resumes have them."""
    return tuple(sorted(jobs, key=lambda job: (job.period.last(as_of), job.period.start), reverse=True))


def first_rung(rng: random.Random, usual: int, level: str) -> int:
    """Where someone enters a trade: on the rung usual with a degree, or a step up, the more so the higher it is."""
    if level == "highschool":
        return 0
    step = 0.8 if level in ("master", "doctorate") else 0.45 if level == "bachelor" else 0.15
    return usual if usual else int(chance(rng, step))


def rung_at(rng: random.Random, years: float, *, least: int, top: int) -> int:
    """The rung of someone with so many years of work: never below the one they had, and not everybody rises."""
    felt = years * rng.uniform(0.55, 1.25)
    reached = max(rung for rung, needed in enumerate(RUNG_YEARS) if felt >= needed or rung == 0)
    return max(least, min(reached, top, least + (2 if years >= 8 else 1)))


def sample_job_city(rng: random.Random, home: CorpusCity, *, is_last: bool) -> CorpusCity:
    """People work near home, and more so in their last job; before it, some lived elsewhere."""
    draw = rng.random()
    if draw < (0.85 if is_last else 0.62):
        return home
    return rng.choice(people.cities_near(home)) if draw < 0.9 else rng.choice(people.cities(home.country))


def sample_side_jobs(
    stream: Stream,
    who: PersonIdentity,
    studies: Sequence[CareerStudy],
    jobs: Sequence[CareerJob],
    *,
    as_of: Month,
    months: int,
) -> list[CareerJob]:
    """Work beside studies, which young people name and older ones leave out; always one where there is no other."""
    rng = stream("side")
    often = 0.4 if months < 60 else 0.15 if months < 120 else 0.04
    above = [study for study in studies if study.level != "highschool"]
    if jobs and not (above and chance(rng, often)):
        return []
    frame = rng.choice(above or studies).period
    room = max(3, frame.months(as_of) - 3)
    length = rng.randint(3, max(3, min(30, room)))
    start = rng.randint(frame.start, max(frame.start, frame.last(as_of) - length + 1))
    table = lexicon.table("side_jobs.toml")
    entry = rng.choice(table["jobs"])
    duties = sample_duties(rng, entry["duties"], table["slots"], at=start, count=rng.randint(1, 3), avoid=set())
    job = CareerJob(
        employer=sample_employer(rng, entry["employers"], who.home),
        title=rng.choice(entry["titles"]),
        city=who.home.name,
        period=CareerPeriod(start, min(as_of, start + length - 1)),
        projects=(),
        uses=uses_of(rng, some(rng, entry["skills"], 1, 2), duties, start),
        duties=duties,
        hours_per_week=rng.choice([10, 12, 15, 16, 20, 20]),
        is_relevant=False,
    )
    return [job]


# What someone studied, in the order a life allows: school, a first degree, later ones after it or beside work.

CHANGED_FIELDS = ("Law", "Finance", "Marketing", "General Management", "Strategy", "Taxation", "International Law")
BROAD_FIELDS = ("Economics", "History", "Political Science", "Mathematics", "English", "Psychology", "Biology")


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
    higher = people.rank(people.level_of(degree)) > people.rank("bachelor")
    first = lexicon.table("degrees.toml")["before"].get(degree, "Bachelor of Science")
    return Path(degree, fields, first if higher else None)


def sample_studies(stream: Stream, who: PersonIdentity, path: Path, *, leaving: int, as_of: Month) -> list[Schooling]:
    """The studies of someone who left full-time study in the year `leaving`; oldest first."""
    rng = stream("studies")
    country = who.home.country

    def study(degree: str, field: str | None, end: int, which: str) -> Schooling:
        level = people.level_of(people.local_degree(degree, country))
        own = stream(f"school/{which}")
        school = people.sample_school(own, who.home, level=level, field=field, gender=who.gender, origin=who.origin)
        return people.sample_study(rng, school, degree=degree, field=field, end_year=end)

    field = rng.choice(path.fields) if path.fields else None
    if path.before is not None and people.rank(
        people.level_of(people.local_degree(path.degree, country))
    ) > people.rank("bachelor"):
        end = leaving
        if chance(rng, 0.35) and leaving + 5 <= year_of(as_of):  # beside work, some years on
            last = rng.randint(leaving + 4, min(leaving + 12, year_of(as_of) - 1))
            studies = [study(path.degree, field, last, "second")]
        else:
            studies = [study(path.degree, field, leaving, "second")]
            end -= people.years_of(people.local_degree(path.degree, country), country)
        # Most people stay in their field; who goes on to law or business comes from elsewhere.
        first_field = rng.choice(BROAD_FIELDS) if field in CHANGED_FIELDS or chance(rng, 0.12) else field
        studies.append(study(path.before, first_field, end, "first"))
    else:
        studies = [study(path.degree, field, leaving, "first")]
    studies += _school_years(stream, rng, who, studies[-1].study)
    return sorted(studies, key=lambda entry: entry.study.period.start)


def _school_years(stream: Stream, rng: random.Random, who: PersonIdentity, first: CareerStudy) -> list[Schooling]:
    """School itself, for those who write it down: many in India, few elsewhere."""
    if first.level == "highschool" or not chance(rng, 0.45 if who.home.country == "India" else 0.1):
        return []
    end = year_of(first.period.start)
    school = people.sample_school(stream("school/high"), who.home, level="highschool")
    chosen = [people.sample_study(rng, school, degree="High School Diploma", field=None, end_year=end, years=2)]
    if who.home.country == "India" and chance(rng, 0.7):
        lower = "Secondary School Leaving Certificate"
        chosen.append(people.sample_study(rng, school, degree=lower, field=None, end_year=end - 2, years=2))
    return chosen


# What stands at the end of a resume: certificates, languages, activities, skills claimed without a job.


def sample_certificates(
    rng: random.Random, rows: Sequence[Sequence[object]], *, since: int, as_of: Month
) -> tuple[Certificate, ...]:
    """Some of a lexicon's rows [name, issuer, how often], earned from the year `since` on; latest first."""
    chosen = []
    for name, issuer, often in rows:
        if chance(rng, float(str(often))):
            year = rng.randint(min(since, year_of(as_of)), year_of(as_of)) if chance(rng, 0.72) else None
            chosen.append(Certificate(str(name), year, str(issuer) if issuer and chance(rng, 0.6) else None))
    return tuple(sorted(chosen, key=lambda one: -(one.year or 0)))


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
    chosen = []
    for often, patterns in ((0.22, "volunteering"), (0.14, "memberships"), (0.2, "awards"), (0.14, "awards")):
        if chance(rng, often):
            text = fill(rng, rng.choice(table[patterns]), words)
            period = None
            if patterns != "awards" and not chance(rng, 0.5) and as_of - since >= 24:
                start = rng.randint(since, as_of - 12)
                period = CareerPeriod(start, None if chance(rng, 0.4) else rng.randint(start + 3, as_of))
            chosen.append(Activity(text, period=period))
    if chance(rng, 0.25):
        chosen.append(Activity(", ".join(some(rng, table["hobbies"], 2, 5)).capitalize()))
    return tuple({activity.text: activity for activity in chosen}.values())


def sample_extra_skills(
    rng: random.Random, names: Iterable[str], jobs: Iterable[CareerJob], *, as_of: Month, most: int = 6
) -> tuple[CareerSkill, ...]:
    """Skills someone claims though no job or project of theirs names them."""
    used = {use.skill for job in jobs for use in job.all_uses}
    free = [name for name in dict.fromkeys(names) if name not in used and existed(name, as_of)]
    return tuple(use_at(rng, name, as_of) for name in some(rng, free, 0, most))
