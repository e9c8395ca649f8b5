"""The head of a resume: who it is and how to reach them."""

from __future__ import annotations

from evenhand.corpora.manuscript import Line, Run, Section, Words
from evenhand.corpora.rng import chance, weighted
from evenhand.corpora.writing.experience import written_title
from evenhand.corpora.writing.pen import Pen


def write_head(pen: Pen) -> Section:
    """Name, perhaps a tag line, then contact data on one line or several."""
    rng, person = pen.rng, pen.career.person
    lines: list[Line] = []
    if chance(rng, 0.14 if pen.style.is_indian else 0.04):
        lines.append(
            Line(
                (Run(rng.choice(("CURRICULUM VITAE", "RESUME", "Curriculum Vitae", "Resume"))),),
                role="tagline",
            )
        )
    name = person.name.upper() if chance(rng, 0.25) else person.name
    lines.append(Line((Run(name, "name", person.name, bold=True),), role="name"))
    if pen.career.jobs and chance(rng, 0.22):
        lines.append(Line((_tagline(pen),), role="tagline"))
    parts = _contact_parts(pen)
    if chance(rng, 0.55):
        separator = rng.choice((" | ", " • ", ", ", " · ", "  |  ", " / "))
        lines.append(Line(_joined(parts, separator), role="contact"))
    else:
        lines.extend(Line(words, role="contact") for words in parts)
    return Section("personal", None, tuple(lines))


def _tagline(pen: Pen) -> Run:
    run = written_title(pen, pen.career.jobs[0], "job 0")
    return Run(run.text, "title", run.value)  # of the person, not of the job: it carries no dates


def _contact_parts(pen: Pen) -> list[Words]:
    rng, person = pen.rng, pen.career.person
    names = chance(rng, 0.35)
    email_label = rng.choice(("E-mail: ", "Email: ", "Email ID: ", "e-mail: ", "Mail: ")) if names else ""
    phone_label = (
        rng.choice(("Phone: ", "Mobile: ", "Tel: ", "Ph: ", "Cell: ", "Contact No: ", "M: ")) if names else ""
    )
    email: Words = (Run(email_label), Run(person.email, "email", person.email))
    phone: Words = (Run(phone_label), Run(person.phone, "phone", person.phone))
    parts: list[Words] = [email, phone] if chance(rng, 0.5) else [phone, email]
    if chance(rng, 0.88):
        address = _address(pen)
        parts.insert(0 if chance(rng, 0.6) else len(parts), address)
    for link in person.links:
        if chance(rng, 0.8):
            parts.append((Run(link, "link", link),))
    return [tuple(run for run in words if run.text) for words in parts]


def _address(pen: Pen) -> Words:
    """From the street to the country, or just the city."""
    rng, person = pen.rng, pen.career.person
    words: list[Run] = []
    form = weighted(rng, {"full": 3.0, "city_region": 4.0, "city": 2.0, "city_country": 2.0})
    if form == "full" and person.street:
        words += [Run(person.street), Run(", ")]
    words.append(Run(person.city, "city", person.city))
    if form in {"full", "city_region"} and person.region:
        words += [Run(", "), Run(person.region)]
    if form == "city_country" or (form == "full" and chance(rng, 0.4)):
        words += [Run(", "), Run(person.country)]
    return tuple(words)


def _joined(parts: list[Words], separator: str) -> Words:
    words: list[Run] = []
    for place, part in enumerate(parts):
        if place:
            words.append(Run(separator))
        words.extend(part)
    return tuple(words)
