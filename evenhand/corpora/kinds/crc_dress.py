"""From an outline to a career that can be written: employers, titles, duties, schools, and what else people tell."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from evenhand.corpora import lexicon
from evenhand.corpora.career import Activity, Job, Month, Study, Use
from evenhand.corpora.duties import uses_of
from evenhand.corpora.kinds.crc_guideline import hours_of
from evenhand.corpora.kinds.crc_outline import Outline
from evenhand.corpora.people import Identity
from evenhand.corpora.places import City, cities_near, sample_city
from evenhand.corpora.rng import chance, some, weighted
from evenhand.corpora.schools import School, Schooling, sample_grade, sample_school
from evenhand.corpora.skills import existed, mentions
from evenhand.corpora.slots import fill


def dress_studies(rng: random.Random, outline: Outline, identity: Identity) -> list[Schooling]:
    return [_dressed_study(rng, kind, study, identity) for kind, study in outline.studies]


def _dressed_study(rng: random.Random, kind: str, study: Study, identity: Identity) -> Schooling:
    if kind == "md_abroad":
        home = sample_city(rng, foreign_country(identity), rural=0.0)
        table = lexicon.table("crc/places.toml")
        name = fill(rng, rng.choice(table["medical_schools"]["patterns"]), _foreign_words(home))
        school = School(name, home, "state")
        study = replace(study, degree=table["foreign_degrees"].get(home.country, study.degree))
    else:
        school = sample_school(
            rng, identity.home, level=study.level, gender=identity.gender, origin=identity.origin
        )
    grade = sample_grade(rng, school.city.country) if study.level != "highschool" else None
    dressed = replace(study, school=school.name, city=school.city.name, grade=grade)
    return Schooling(dressed, school.type)


def foreign_country(identity: Identity) -> str:
    """Where a doctor trained; it goes by the name, and whether someone trained abroad does not."""
    return str(lexicon.table("crc/places.toml")["foreign"][identity.origin])


def _foreign_words(home: City) -> dict[str, Sequence[str]]:
    return {"foreign_stem": lexicon.table("crc/places.toml")["foreign_stems"][home.country]}


def dress_jobs(
    rng: random.Random, outline: Outline, identity: Identity, schoolings: Sequence[Schooling], as_of: Month
) -> list[Job]:
    """Oldest first. A job that follows at once on a similar one is a promotion at the same employer now and then."""
    home = identity.home
    abroad = sample_city(rng, foreign_country(identity), rural=0.0)
    told: set[str] = set()
    dressed: list[Job] = []
    previous: tuple[str, Job] | None = None
    for role, job in outline.jobs:
        stays = previous is not None and _is_promotion(rng, previous, (role, job))
        if stays and previous is not None:
            employer, city = previous[1].employer, previous[1].city
        else:
            base = abroad if "abroad" in job.tags else _base(job, home, schoolings)
            employer, city = _employer(rng, role, job, base, schoolings)
        titled = replace(
            job, employer=employer, city=city, title=_title(rng, role, _study_of(job, schoolings))
        )
        dressed.append(_with_duties(rng, role, titled, told, as_of))
        previous = role, dressed[-1]
    return dressed


def _is_promotion(rng: random.Random, before: tuple[str, Job], now: tuple[str, Job]) -> bool:
    follows = before[1].period.end is not None and 0 <= now[1].period.start - before[1].period.end <= 1
    similar = before[1].tags & now[1].tags and before[1].is_paid and "academic" not in before[1].tags
    return bool(follows and similar and chance(rng, 0.45))


def _title(rng: random.Random, role: str, study: Schooling | None) -> str:
    """One of the role's titles; only graduates are "graduate" assistants."""
    titles: dict[str, float] = lexicon.table("crc/roles.toml")[role]["titles"]
    level = study.study.level if study else "bachelor"
    wrong = "Undergraduate" if level in ("master", "doctorate") else "Graduate "
    return weighted(rng, {title: weight for title, weight in titles.items() if wrong not in title})


def _employer(
    rng: random.Random, role: str, job: Job, home: City, schoolings: Sequence[Schooling]
) -> tuple[str, str]:
    kind = rng.choice(lexicon.table("crc/roles.toml")[role]["places"])
    if kind == "school":
        study = _study_of(job, schoolings)
        if study is not None:
            return study.study.school, study.study.city
        kind = "university"
    table = lexicon.table("crc/places.toml")
    nearby = [city for city in cities_near(home) if city.region == home.region]
    city = home if chance(rng, 0.7) else rng.choice(nearby)
    words: dict[str, Sequence[str]] = {"stem": table["stems"], "city": [city.name], "dept": table["depts"]}
    if kind == "foreign_hospital":
        words |= _foreign_words(home)
    if kind == "university":
        school = sample_school(
            rng, home, level="master", type=rng.choice(["state", "state", "elite", "private"])
        )
        city = school.city
        words["school"] = [school.name]
    return fill(rng, rng.choice(table[kind]), words), city.name


def _base(job: Job, home: City, schoolings: Sequence[Schooling]) -> City:
    """Where someone lived then: where they studied during a study, else at home."""
    study = _study_of(job, schoolings)
    if study is None or (study.study.period.end is not None and job.period.start > study.study.period.end):
        return home
    return next((city for city in cities_near(home) if city.name == study.study.city), home)


def _study_of(job: Job, schoolings: Sequence[Schooling]) -> Schooling | None:
    """The study during which someone had a student's job: the latest that had begun."""
    begun = [entry for entry in schoolings if entry.study.period.start <= job.period.start]
    above = [
        entry for entry in begun if entry.study.level != "highschool" and "foreign" not in entry.study.tags
    ]
    return above[-1] if above else None


def _with_duties(rng: random.Random, role: str, job: Job, told: set[str], as_of: Month) -> Job:
    """Duties from the role's pools and the skills they name; a long career may say a thing again, in other numbers."""
    entry = lexicon.table("crc/roles.toml")[role]
    table = lexicon.table("crc/duties.toml")
    count = rng.randint(3, 7) + min(4, job.period.months(as_of) // 14)
    duties = list(_hours(rng, job, as_of))
    for pool in (pool for pool in entry.get("must", ()) for _ in range(2)):
        duties.append(fill(rng, rng.choice(table["pools"][pool]), table["slots"]))
    for tries in range(5 * count):
        if len(duties) >= count:
            break
        pattern = rng.choice(table["pools"][weighted(rng, entry["duties"])])
        duty = fill(rng, pattern, table["slots"])
        if (pattern not in told or tries > 3 * count) and all(
            existed(name, job.period.start) for name in mentions(duty)
        ):
            told.add(pattern)
            duties.append(duty)
    known = [name for name in some(rng, entry["skills"], 1, 5) if existed(name, job.period.start)]
    return replace(
        job, duties=tuple(dict.fromkeys(duties)), uses=uses_of(rng, known, duties, job.period.start)
    )


def _hours(rng: random.Random, job: Job, as_of: Month) -> tuple[str, ...]:
    """Students and volunteers say how much they worked; the guideline asks for it."""
    if job.hours_per_week >= 35 or not ({"academic"} & job.tags or not job.is_paid or chance(rng, 0.4)):
        return ()
    total = round(hours_of(job, as_of), -1)
    week = job.hours_per_week
    if "academic" in job.tags or not job.is_paid:
        choices = [
            f"work {week} hours per week during the semester",
            f"contribute {week} hours a week alongside classes",
            f"complete about {total:,.0f} hours in total",
        ]
        return (
            rng.choice(choices if "academic" in job.tags else [f"volunteer {week} hours a week", choices[2]]),
        )
    return (f"work part-time, {week} hours per week",)


def occupation_of(jobs: Sequence[Job]) -> str:
    """What someone applies as: the title of the latest relevant job, else of the latest."""
    relevant = [job for job in jobs if job.is_relevant] or list(jobs)
    return relevant[-1].title if relevant else "Clinical Research Coordinator"


def sample_extras(
    rng: random.Random, identity: Identity, jobs: Sequence[Job]
) -> tuple[tuple[tuple[str, str], ...], tuple[Activity, ...], tuple[Use, ...]]:
    """Languages by the name's origin, memberships and volunteering, and skills claimed without a job to show for."""
    table = lexicon.table("crc/extras.toml")
    languages: list[tuple[str, str]] = []
    if chance(rng, 0.45):
        known = [*table["languages"].get(identity.origin, []), *table["languages"]["anyone"]]
        chosen = list(dict.fromkeys(some(rng, known, 1, 2)))
        languages = [
            (
                "English",
                "fluent" if any("abroad" in job.tags for job in jobs) else rng.choice(["fluent", "native"]),
            )
        ]
        languages += [(name, rng.choice(table["degrees_of_language"])) for name in chosen]
    activities = tuple(Activity(text) for text in some(rng, table["activities"], 0, 4))
    used = {use.skill for job in jobs for use in job.uses}
    extra = [name for name in some(rng, table["claimed"], 0, 6) if name not in used]
    return tuple(languages), activities, tuple(Use(name) for name in extra)
