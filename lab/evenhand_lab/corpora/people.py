"""Who the applicants are: name, address, contact; and, apart from that, which groups they belong to.

Gender and place are drawn apart from everything else, and origin by country only; no skill, job, date or degree
depends on them. Job ads ask for nothing that people of one country alone can have. So an audit by gender, place or
origin has a true zero, and a bias has to be planted by whoever wants to find one.

The other three attributes are facts of the career and have no true zero without conditioning. School type follows
the level of the degree (community colleges give no bachelor's) and is free only among equal degrees. Age goes with
years of experience. So do career gaps, for a longer career has more chances of one: people with a gap fit *more*
ads. Compare these among people of equal experience and degree.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import LEVELS, Career, CareerPeriod, CareerStudy, Month, Person, has_gap, month
from evenhand_lab.corpora.groups import Groups
from evenhand_lab.corpora.lexicon import Stream, chance, digits, fill, weighted

# Real cities with their region and country, and how addresses and phone numbers look there.


@dataclass(frozen=True, slots=True)
class CorpusCity:
    name: str
    region: str
    country: str
    place: str  # urban, rural
    weight: int


@cache
def cities(country: str) -> tuple[CorpusCity, ...]:
    return tuple(
        CorpusCity(row["name"], row["region"], row["country"], row["place"], int(row["weight"]))
        for row in lexicon.rows("cities.csv")
        if row["country"] == country
    )


def sample_city(rng: random.Random, country: str, *, rural: float = 0.15) -> CorpusCity:
    """A city of the country; `rural` is the share of people outside the cities."""
    place = "rural" if rng.random() < rural else "urban"
    chosen = [city for city in cities(country) if city.place == place] or cities(country)
    return rng.choices(chosen, [city.weight for city in chosen])[0]


@cache
def cities_near(city: CorpusCity) -> tuple[CorpusCity, ...]:
    """Cities of the same region and, so that nobody is stuck, the two largest of the country."""
    same = [other for other in cities(city.country) if other.region == city.region]
    large = sorted(cities(city.country), key=lambda other: -other.weight)[:2]
    return tuple(dict.fromkeys(same + large))


def sample_street(rng: random.Random, country: str) -> str:
    table = lexicon.table("places.toml")
    words = {name.removesuffix("s"): values for name, values in {**table["everywhere"], **table[country]}.items()}
    words["colony"] = words.get("colonie", [])
    return fill(rng, rng.choice(table[country]["streets"]), words)


# Schools that do not exist, degrees that do: where someone studied, what it is called there, with which
# grade.

_TECHNICAL = re.compile(r"Engineer|Comput|Techn|Software|Electr|Mathem|Physic|Statist|Information|Data|Construction")
_FACULTIES = (
    ("Engineering", _TECHNICAL),
    ("Technolog", _TECHNICAL),
    ("Mechanical College", _TECHNICAL),
    ("Management", re.compile(r"Manag|Business|Market|Financ|Account|Commerce|Econom|Strategy|Operations|Information")),
)
"""Words in names of schools that teach certain fields only."""


@dataclass(frozen=True, slots=True)
class School:
    name: str
    city: CorpusCity
    type: str  # elite, state, private, religious, community, women, historically_black, online, highschool


@dataclass(frozen=True, slots=True)
class Schooling:
    """A study with what only audits may know of its school."""

    study: CareerStudy
    school_type: str


def rank(level: str) -> int:
    return LEVELS.index(level)


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
    home: CorpusCity,
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
    wrong = [word for word, fits in _FACULTIES if field is not None and not fits.search(field)]
    fitting = [pattern for pattern in entry["patterns"] if not any(word in pattern for word in wrong)]
    words = {"stem": entry["stems"], "city": [city.name]}
    return School(fill(rng, rng.choice(fitting or entry["patterns"]), words), city, kind)


def _school_type(rng: random.Random, country: str, *, level: str, gender: str, origin: str) -> str:
    if level == "highschool":
        return "highschool"
    if level in ("diploma", "associate"):
        return "community"
    mix: dict[str, float] = dict(lexicon.table("schools.toml")["mix"][country])
    if gender != "female":
        mix["women"] = 0
    black = mix.get("historically_black", 0)
    mix["historically_black"] = black * 3 if origin == "african_american" else black / 10
    return weighted(rng, mix)


def sample_study(
    rng: random.Random, school: School, *, degree: str, field: str | None, end_year: int, years: int | None = None
) -> Schooling:
    """A study that ends in early summer of `end_year`; `degree` is named as the school's country does."""
    country = school.city.country
    local = local_degree(degree, country)
    level = level_of(local)
    length = years or years_of(local, country)
    start = month(end_year - length, rng.choice([8, 9, 9]) if country != "India" else rng.choice([6, 7, 8]))
    period = CareerPeriod(start, month(end_year, rng.choice([4, 5, 5, 6])))
    grade = sample_grade(rng, country, level)
    return Schooling(CareerStudy(school.name, school.city.name, local, level, field, period, grade), school.type)


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


@dataclass(frozen=True, slots=True)
class PersonIdentity:
    """A person with the group attributes that go into Groups and nowhere else."""

    person: Person
    home: CorpusCity
    gender: str
    origin: str


def sample_identity(stream: Stream, countries: Mapping[str, float], *, rural: float = 0.15) -> PersonIdentity:
    """Who someone is; `countries` are the weights of where they live."""
    country = weighted(stream("country"), countries)
    home = sample_city(stream("city"), country, rural=rural)
    gender = stream("gender").choice(["female", "male"])
    origin = weighted(stream("origin"), lexicon.table("places.toml")[country]["origins"])
    names = lexicon.table("names.toml")
    rng = stream("name")
    first = last = ""
    while not first or f"{first} {last}" in names["avoid"]:
        first, last = rng.choice(names[origin][gender]), rng.choice(names[origin]["last"])
    return PersonIdentity(sample_person(stream("contact"), home, first, last), home, gender, origin)


def sample_person(rng: random.Random, home: CorpusCity, first: str, last: str) -> Person:
    table = lexicon.table("places.toml")[home.country]
    middle = f" {rng.choice('ABCDEGHJKLMNPRSTVW')}." if chance(rng, 0.12) else ""
    street = None
    if chance(rng, 0.55):
        code = digits(rng, rng.choice(table["codes"])) if table["codes"] else None
        street = sample_street(rng, home.country) + (f", {code}" if code and chance(rng, 0.3) else "")
    email = sample_email(rng, first, last)
    phone = digits(rng, rng.choice(table["phones"]))
    # Profiles live on reserved names, so that no link leads to a real person.
    handle = f"{ascii_letters(first)}-{ascii_letters(last)}" + (f"-{rng.randint(10, 9999)}" if chance(rng, 0.5) else "")
    links = [f"linkedin.example/in/{handle}"] if chance(rng, 0.35) else []
    if chance(rng, 0.08):
        links.append(rng.choice([f"www.{ascii_letters(last)}{ascii_letters(first)}.example", f"code.example/{handle}"]))
    region = home.region if home.region != home.name else None
    return Person(f"{first}{middle} {last}", email, phone, home.name, region, home.country, street, tuple(links))


def sample_email(rng: random.Random, first: str, last: str) -> str:
    one, two = ascii_letters(first), ascii_letters(last)
    dotted = f"{one}.{two}"
    forms = [dotted, dotted, f"{one}{two}", f"{one[0]}{two}", f"{one}_{two}", f"{two}.{one}", f"{one}.{two[0]}"]
    local = rng.choice(forms)
    if chance(rng, 0.4):
        local += str(rng.choice([rng.randint(1, 99), rng.randint(1, 99), rng.randint(101, 999)]))
    return f"{local}@example.{rng.choice(['com', 'com', 'com', 'org', 'net'])}"


def ascii_letters(name: str) -> str:
    """The name as it stands in addresses: plain lower-case letters."""
    plain = name.lower()
    for letter, written in (("ß", "ss"), ("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ł", "l")):
        plain = plain.replace(letter, written)
    return "".join(letter for letter in unicodedata.normalize("NFD", plain) if letter.isascii() and letter.isalpha())


def groups_of(identity: PersonIdentity, schoolings: Sequence[Schooling], career: Career, *, birth: Month) -> Groups:
    """Which groups the person of a career belongs to, when born in the month `birth`."""
    return Groups(
        number=career.number,
        gender=identity.gender,
        origin=identity.origin,
        age_band=age_band((career.as_of - birth) // 12),
        place=identity.home.place,
        school_type=school_type(schoolings),
        career_gap=has_gap(career.jobs, career.studies, career.as_of),
    )


def age_band(age: int) -> str:
    if age < 30:
        return "under_30"
    if age < 40:
        return "30_39"
    return "40_49" if age < 50 else "50_plus"


def school_type(schoolings: Sequence[Schooling]) -> str:
    """Of the highest degree above school; "foreign" where it was taken abroad (tag "foreign"), "none" without one."""
    above = [entry for entry in schoolings if rank(entry.study.level) > rank("highschool")]
    if not above:
        return "none"
    highest = max(above, key=lambda entry: (rank(entry.study.level), entry.study.period.start))
    return "foreign" if "foreign" in highest.study.tags else highest.school_type


def sample_birth(rng: random.Random, schoolings: Sequence[Schooling], first_job: Month) -> Month:
    """A month of birth that fits: about 18 at the first study above school, else 17 to 22 at the first job."""
    above = [entry.study for entry in schoolings if rank(entry.study.level) > rank("highschool")]
    if above:
        first = min(study.period.start for study in above)
        age = 18 if not chance(rng, 0.15) else rng.randint(19, 26)
    else:
        school = [entry.study.period.end or first_job for entry in schoolings]
        first = min([*school, first_job])
        age = 18 if school else rng.randint(17, 22)
    latest = first_job - 16 * 12  # nobody works before 16
    return min(first - age * 12 - rng.randint(0, 11), latest)
