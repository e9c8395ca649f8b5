"""Schools that do not exist, degrees that do: where someone studied, what it is called there, with which grade."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from evenhand.corpora import lexicon
from evenhand.corpora.career import Month, Period, Study, month
from evenhand.corpora.places import City, cities_near
from evenhand.corpora.rng import chance, weighted
from evenhand.corpora.slots import fill

LEVELS = ("other", "highschool", "diploma", "associate", "bachelor", "master", "doctorate")
"""In rising order; a diploma stands below an associate degree only by convention."""


_TECHNICAL = re.compile(
    r"Engineer|Comput|Techn|Software|Electr|Mathem|Physic|Statist|Information|Data|Construction"
)
_FACULTIES = (
    ("Engineering", _TECHNICAL),
    ("Technolog", _TECHNICAL),
    ("Mechanical College", _TECHNICAL),
    (
        "Management",
        re.compile(r"Manag|Business|Market|Financ|Account|Commerce|Econom|Strategy|Operations|Information"),
    ),
)
"""Words in names of schools that teach certain fields only."""


@dataclass(frozen=True, slots=True)
class School:
    name: str
    city: City
    type: str  # elite, state, private, religious, community, women, historically_black, online, highschool


@dataclass(frozen=True, slots=True)
class Schooling:
    """A study with what only audits may know of its school."""

    study: Study
    school_type: str


def rank(level: str) -> int:
    return LEVELS.index(level)


def short_forms(degree: str) -> tuple[str, ...]:
    """How people shorten a degree ("Bachelor of Engineering" -> "B.E.", "BE"...); empty when they do not."""
    return tuple(lexicon.table("degrees.toml")["forms"].get(degree, ()))


def level_of(degree: str) -> str:
    named = lexicon.table("degrees.toml")["levels"]
    if degree in named:
        return str(named[degree])
    first = degree.split(maxsplit=1)[0].lower()
    return {"doctor": "doctorate"}.get(first, first if first in LEVELS else "other")


def local_degree(degree: str, country: str) -> str:
    """What the country calls a degree that lexicons name as in the United States."""
    equivalent = lexicon.table("degrees.toml")["equivalent"].get(country, {})
    return str(equivalent.get(degree, degree))


def years_of(degree: str, country: str) -> int:
    table = lexicon.table("degrees.toml")
    level = level_of(degree)
    shorter = table["three_year_bachelor"]
    if level == "bachelor" and country in shorter["countries"] and degree not in shorter["unless"]:
        return 3
    return int(table["years"].get(degree, table["years"].get(level, 2)))


def sample_school(
    rng: random.Random,
    home: City,
    *,
    level: str,
    field: str | None = None,
    gender: str = "",
    origin: str = "",
    type: str | None = None,
) -> School:
    """A school in the country of `home`. Only women's and historically black schools ask who someone is.

    With a `field`, nobody studies theatre at a college of engineering.
    """
    city = rng.choice(cities_near(home)) if chance(rng, 0.7) else home
    kind = type or _school_type(rng, city.country, level=level, gender=gender, origin=origin)
    entry = lexicon.table("schools.toml")[city.country][kind]
    words = {"stem": entry["stems"], "city": [city.name]}
    return School(fill(rng, rng.choice(_patterns(entry["patterns"], field)), words), city, kind)


def _patterns(patterns: list[str], field: str | None) -> list[str]:
    if field is None:
        return patterns
    wrong = [word for word, fits in _FACULTIES if not fits.search(field)]
    return [pattern for pattern in patterns if not any(word in pattern for word in wrong)] or patterns


def _school_type(rng: random.Random, country: str, *, level: str, gender: str, origin: str) -> str:
    if level == "highschool":
        return "highschool"
    if level in ("diploma", "associate"):
        return "community"
    mix: dict[str, float] = dict(lexicon.table("schools.toml")["mix"][country])
    if gender != "female":
        mix["women"] = 0
    if origin != "african_american":
        mix["historically_black"] = mix.get("historically_black", 0) / 10
    else:
        mix["historically_black"] = mix.get("historically_black", 0) * 3
    return weighted(rng, mix)


def sample_study(
    rng: random.Random,
    school: School,
    *,
    degree: str,
    field: str | None,
    end_year: int,
    years: int | None = None,
    tags: frozenset[str] = frozenset(),
) -> Schooling:
    """A study that ends in early summer of `end_year`; `degree` is named as the school's country does."""
    country = school.city.country
    local = local_degree(degree, country)
    length = years or years_of(local, country)
    start = month(end_year - length, rng.choice([8, 9, 9]) if country != "India" else rng.choice([6, 7, 8]))
    end = month(end_year, rng.choice([4, 5, 5, 6]))
    study = Study(
        school=school.name,
        city=school.city.name,
        degree=local,
        level=level_of(local),
        field=field,
        period=Period(start, end),
        grade=sample_grade(rng, country, level_of(local)),
        tags=tags,
    )
    return Schooling(study, school.type)


def sample_grade(rng: random.Random, country: str, level: str = "bachelor") -> str | None:
    """A grade as the country gives them; many people leave it out."""
    if chance(rng, 0.45):
        return None
    quality = min(1.0, max(0.0, rng.gauss(0.55, 0.2)))
    style = rng.choice(lexicon.table("degrees.toml")["grades"][country])
    if level in ("highschool", "diploma", "doctorate") and style in ("honours", "class"):
        return None
    match style:
        case "gpa":
            return f"GPA {2.7 + 1.3 * quality:.{rng.choice([1, 2])}f}" + rng.choice(["", "/4.0", "/4.00"])
        case "percent":
            return f"{55 + 38 * quality:.{rng.choice([0, 1, 2])}f}%"
        case "class":
            return ["Second Class", "First Class", "First Class with Distinction"][int(quality * 2.99)]
        case "cgpa":
            return f"CGPA {6 + 3.6 * quality:.{rng.choice([1, 2])}f}/10"
        case "cgpa5":
            return f"CGPA {2.8 + 2.1 * quality:.2f}/5.00"
        case "honours":
            if level == "master":
                return ["Pass", "Merit", "Distinction"][int(quality * 2.99)]
            return ["Third Class", "2:2", "2:1", "First Class Honours"][int(0.5 + quality * 3.49)]
        case "note":
            return f"{3.2 - 2.0 * quality:.1f}".replace(".", rng.choice([".", ","]))
    return f"{6.5 + 3.2 * quality:.1f}/10"


def end_month(schoolings: list[Schooling]) -> Month:
    """When the last study ended; studies of a finished person only."""
    return max(entry.study.period.end or 0 for entry in schoolings)
