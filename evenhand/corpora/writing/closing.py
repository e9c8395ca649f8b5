"""What comes after work and studies: certificates, languages, activities, personal details, references."""

from __future__ import annotations

from collections.abc import Callable

from evenhand.corpora import lexicon
from evenhand.corpora.career import Certificate, iso, number_of, year_of
from evenhand.corpora.manuscript import Block, Line, Run, Section, Words
from evenhand.corpora.rng import chance
from evenhand.corpora.writing.dates import MONTHS
from evenhand.corpora.writing.grammar import capitalize
from evenhand.corpora.writing.pen import Pen, phrases, tokens

Heading = Callable[[str], str]


def certificate_line(pen: Pen, certificate: Certificate) -> Line:
    words: list[Run] = [Run(certificate.name, "certification", certificate.name)]
    if certificate.issuer and chance(pen.rng, 0.6):
        words += [Run(", "), Run(certificate.issuer)]
    if certificate.year and chance(pen.rng, 0.75):
        year = str(certificate.year)
        before, after = pen.rng.choice(((" (", ")"), (", ", ""), (" - ", "")))
        words += [Run(before), Run(year, "year", year), Run(after)]
    return Line(tuple(run for run in words if run.text), bullet=pen.style.body != "prose", role="item")


def write_certificates(pen: Pen, heading: str) -> Section:
    return Section(
        "certifications", heading, tuple(certificate_line(pen, item) for item in pen.career.certificates)
    )


def write_activities(pen: Pen, heading: str) -> Section:
    """The activities of the career; more of the same sort where the section is to be long."""
    lines: list[Block] = []
    for activity in pen.career.activities:
        words: list[Run] = [Run(capitalize(activity.text))]
        if activity.organisation and activity.organisation not in activity.text:
            words += [Run(", "), Run(activity.organisation)]
        aside = (
            pen.period(activity.period, "activity", dates=pen.style.other_dates) if activity.period else ()
        )
        lines.append(Line(tuple(words), bullet=pen.style.body != "prose", aside=aside, role="item"))
    length = sum(tokens(line.words) for line in lines if isinstance(line, Line))
    tries = 0
    while (length < pen.style.lengths["activities"] or not lines) and tries < 60 and len(lines) < 18:
        tries += 1
        text = _invented(pen)
        if text in pen.used:
            continue
        pen.used.add(text)
        words = [Run(text)]
        length += tokens(words)
        lines.append(Line(tuple(words), bullet=pen.style.body != "prose", role="item"))
    return Section("activities", heading, tuple(lines))


def _invented(pen: Pen) -> str:
    table = lexicon.table("writing/activities.toml")
    names = ["volunteering", "memberships", "honours"]
    if pen.career.kind == "crc":
        names.append("publications")
    pattern = pen.rng.choice(table[pen.rng.choice(names)])
    text = pen.expand(pattern.replace("{name}", pen.rng.choice(table["names"])))
    return text.replace("{year}", str(pen.rng.randint(*_grown_years(pen)))).replace(
        "{city}", pen.career.person.city
    )


def _grown_years(pen: Pen) -> tuple[int, int]:
    """Years in which the person was grown up: from the first job or the end of the first study to now."""
    career = pen.career
    starts = [job.period.start for job in career.jobs] + [
        study.period.last(career.as_of) for study in career.studies
    ]
    return year_of(min(starts, default=career.as_of)), year_of(career.as_of)


def write_languages(pen: Pen, heading: str) -> Section:
    runs: list[Words] = []
    for name, grade in pen.career.languages:
        word = Run(name, "language", name)
        runs.append((word, Run(f" ({grade})")) if grade and chance(pen.rng, 0.7) else (word,))
    words: list[Run] = []
    for place, item in enumerate(runs):
        words += [Run(", "), *item] if place else list(item)
    return Section("other", heading, (Line(tuple(words)),))


def write_personal(pen: Pen, heading: str) -> Section:
    """Details as they are usual in India and elsewhere: birth, nationality, languages, address."""
    rng, person = pen.rng, pen.career.person
    facts: list[tuple[str, Words]] = []
    birth = _birth(pen)
    if birth:
        facts.append((rng.choice(("Date of Birth", "DOB", "Date of birth")), (birth,)))
    facts.append(("Nationality", (Run(nationality(person.country)),)))
    if pen.career.languages:
        names = [Run(name, "language", name) for name, _ in pen.career.languages]
        facts.append((rng.choice(("Languages Known", "Languages")), pen.listing(names)))
    if chance(rng, 0.4):
        facts.append(("Marital Status", (Run(rng.choice(("Single", "Married", "Unmarried"))),)))
    if chance(rng, 0.5):
        facts.append((rng.choice(("Hobbies", "Interests")), (Run(", ".join(_interests(pen))),)))
    if person.street and chance(rng, 0.5):
        facts.append(
            (
                rng.choice(("Permanent Address", "Address")),
                (Run(f"{person.street}, "), Run(person.city, "city", person.city)),
            )
        )
    separator = rng.choice((": ", " : ", ": "))
    lines = tuple(Line((Run(label), Run(separator), *words)) for label, words in facts)
    return Section("personal", heading, lines)


def _birth(pen: Pen) -> Run | None:
    """A day that fits the first known study; nothing where there is none."""
    if not pen.career.studies:
        return None
    first = pen.career.studies[-1]
    age = {"highschool": 15, "master": 22, "doctorate": 24}.get(first.level, 18)
    born = first.period.start - 12 * age - pen.rng.randint(0, 10)
    day = pen.rng.randint(1, 28)
    text = pen.rng.choice(
        (
            f"{day:02d}/{number_of(born):02d}/{year_of(born)}",
            f"{day} {MONTHS[number_of(born) - 1]} {year_of(born)}",
            f"{day:02d}-{MONTHS[number_of(born) - 1][:3]}-{year_of(born)}",
        )
    )
    return Run(text, "date", f"{iso(born)}-{day:02d}", of="birth")


def nationality(country: str) -> str:
    return {
        "India": "Indian", "United States": "American", "United Kingdom": "British", "Canada": "Canadian",
        "Germany": "German", "Nigeria": "Nigerian", "Brazil": "Brazilian", "China": "Chinese",
        "Australia": "Australian",
    }.get(country, country)  # fmt: skip


def _interests(pen: Pen) -> list[str]:
    return pen.rng.sample(phrases()["closing"]["interests"], pen.rng.randint(2, 5))


def write_interests(pen: Pen, heading: str) -> Section:
    return Section("other", heading, (Line((Run(capitalize(", ".join(_interests(pen)))),)),))


def write_references(pen: Pen, heading: str) -> Section:
    return Section("other", heading, (Line((Run(pen.pick("closing", "references")),)),))


def write_declaration(pen: Pen, heading: str) -> Section:
    person = pen.career.person
    lines = [Line((Run(f"{pen.pick('closing', 'declarations').strip()}."),))]
    lines.append(Line((Run("Place: "), Run(person.city, "city", person.city))))
    lines.append(Line((Run("("), Run(person.name, "name", person.name), Run(")"))))
    return Section("other", heading, tuple(lines))


def write_other(pen: Pen, heading: str) -> Section:
    """Odds and ends: notice period, driving licence and the like, about as long as such sections are."""
    lines: list[Block] = []
    patterns = list(phrases()["closing"]["other"])
    pen.rng.shuffle(patterns)
    length = 0
    while patterns and len(lines) < 9 and (not lines or length < 0.8 * pen.style.lengths["other"]):
        words = (Run(pen.expand(patterns.pop())),)
        length += tokens(words)
        lines.append(Line(words, bullet=pen.style.body != "prose", role="item"))
    return Section("other", heading, tuple(lines))
