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
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenhand.corpora import lexicon
from evenhand.corpora.career import Career, Month, Person, year_of
from evenhand.corpora.groups import Groups
from evenhand.corpora.places import City, sample_city, sample_code, sample_phone, sample_street
from evenhand.corpora.rng import Stream, chance, weighted
from evenhand.corpora.schools import Schooling, rank
from evenhand.corpora.spells import has_gap


@dataclass(frozen=True, slots=True)
class Identity:
    """A person with the group attributes that go into Groups and nowhere else."""

    person: Person
    home: City
    gender: str
    origin: str


def sample_identity(stream: Stream, countries: Mapping[str, float], *, rural: float = 0.15) -> Identity:
    """Who someone is; `countries` are the weights of where they live."""
    country = weighted(stream("country"), countries)
    home = sample_city(stream("city"), country, rural=rural)
    gender = stream("gender").choice(["female", "male"])
    origin = weighted(stream("origin"), lexicon.table("places.toml")[country]["origins"])
    first, last = sample_name(stream("name"), gender, origin)
    return Identity(sample_person(stream("contact"), home, first, last), home, gender, origin)


def sample_name(rng: random.Random, gender: str, origin: str) -> tuple[str, str]:
    table = lexicon.table("names.toml")
    while True:
        first, last = rng.choice(table[origin][gender]), rng.choice(table[origin]["last"])
        if f"{first} {last}" not in table["avoid"]:
            return first, last


def sample_person(rng: random.Random, home: City, first: str, last: str) -> Person:
    middle = f" {rng.choice('ABCDEGHJKLMNPRSTVW')}." if chance(rng, 0.12) else ""
    street = None
    if chance(rng, 0.55):
        code = sample_code(rng, home.country)
        street = sample_street(rng, home.country) + (f", {code}" if code and chance(rng, 0.3) else "")
    return Person(
        name=f"{first}{middle} {last}",
        email=sample_email(rng, first, last),
        phone=sample_phone(rng, home.country),
        city=home.name,
        region=home.region if home.region != home.name else None,
        country=home.country,
        street=street,
        links=_links(rng, first, last),
    )


def sample_email(rng: random.Random, first: str, last: str) -> str:
    one, two = ascii_letters(first), ascii_letters(last)
    local = rng.choice(
        [
            f"{one}.{two}",
            f"{one}.{two}",
            f"{one}{two}",
            f"{one[0]}{two}",
            f"{one}_{two}",
            f"{two}.{one}",
            f"{one}.{two[0]}",
        ]
    )
    local += (
        str(rng.choice([rng.randint(1, 99), rng.randint(1, 99), rng.randint(101, 999)]))
        if chance(rng, 0.4)
        else ""
    )
    return f"{local}@example.{rng.choice(['com', 'com', 'com', 'org', 'net'])}"


def _links(rng: random.Random, first: str, last: str) -> tuple[str, ...]:
    """Profiles live on reserved names, so that no link leads to a real person."""
    handle = f"{ascii_letters(first)}-{ascii_letters(last)}" + (
        f"-{rng.randint(10, 9999)}" if chance(rng, 0.5) else ""
    )
    links = [f"linkedin.example/in/{handle}"] if chance(rng, 0.35) else []
    if chance(rng, 0.08):
        links.append(
            rng.choice([f"www.{ascii_letters(last)}{ascii_letters(first)}.example", f"code.example/{handle}"])
        )
    return tuple(links)


def ascii_letters(name: str) -> str:
    """The name as it stands in addresses: plain lower-case letters."""
    plain = name.lower()
    for letter, written in (("ß", "ss"), ("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ł", "l")):
        plain = plain.replace(letter, written)
    return "".join(
        letter for letter in unicodedata.normalize("NFD", plain) if letter.isascii() and letter.isalpha()
    )


def groups_of(identity: Identity, schoolings: Sequence[Schooling], career: Career, *, birth: Month) -> Groups:
    """Which groups the person of a career belongs to, when born in the month `birth`."""
    return Groups(
        number=career.number,
        gender=identity.gender,
        origin=identity.origin,
        age_band=age_band((career.as_of - birth) // 12),
        place=identity.home.place,
        school_type=school_type(schoolings, identity.home.country),
        career_gap=has_gap(career.jobs, career.studies, career.as_of),
    )


def age_band(age: int) -> str:
    if age < 30:
        return "under_30"
    if age < 40:
        return "30_39"
    return "40_49" if age < 50 else "50_plus"


def school_type(schoolings: Sequence[Schooling], country: str) -> str:
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


def graduation_year(as_of: Month, experience_months: int) -> int:
    """The year in which someone with that much experience left school."""
    return year_of(as_of - experience_months)
