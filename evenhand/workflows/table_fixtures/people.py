"""Tables about a person, and of those who would speak for them."""

from __future__ import annotations

from evenhand.corpora.career import year_of
from evenhand.corpora.manuscript import Run, Words
from evenhand.corpora.rng import chance, some
from evenhand.workflows.table_fixtures.making import MadeTable, Maker, Row, keys, plain
from evenhand.workflows.table_fixtures.wordings import PASTIMES


def personal_keys(maker: Maker) -> MadeTable:
    rng, person = maker.rng, maker.career.person
    born = maker.career.as_of - rng.randint(21 * 12, 60 * 12)
    options: list[tuple[str, Words]] = [
        ("name", (Run(person.name, "name"),)),
        (
            "birth",
            plain(
                f"{rng.randint(1, 28):02d}{rng.choice('-/.')}{born % 12 + 1:02d}{rng.choice('-/.')}{year_of(born)}"
            ),
        ),
        ("gender", plain(rng.choice(("Male", "Female")))),
        ("nationality", plain(rng.choice(("Indian", "British", "German", "American", person.country)))),
        ("marital", plain(rng.choice(("Single", "Married", "Unmarried")))),
        ("languages", plain(", ".join(name for name, _ in maker.career.languages) or "English")),
        ("address", plain(f"{rng.randint(1, 99)}, {person.street or 'Main Road'}, {person.city}")),
        ("phone", plain(person.phone)),
        ("email", plain(person.email)),
        ("parent", (Run(person.name.split()[-1], "name"),)),
        ("passport", plain(f"{rng.choice('ABKLMZ')}{rng.randint(1000000, 9999999)}")),
        ("hobbies", plain(", ".join(some(rng, PASTIMES, 1, 4)))),
        ("place", plain(person.city)),
    ]
    return keys(maker, "personal", some(rng, options, 2, 9))


def personal_line(maker: Maker) -> MadeTable:
    """Contact data side by side, as at the head of a page."""
    person = maker.career.person
    cells = some(maker.rng, [person.phone, person.email, person.city, person.name, *person.links[:1]], 2, 4)
    rows = (tuple(map(plain, cells)),) if chance(maker.rng, 0.6) else tuple((plain(cell),) for cell in cells)
    return MadeTable("personal", rows, False)


def references(maker: Maker) -> MadeTable:
    rng, person = maker.rng, maker.career.person
    rows: list[Row] = []
    for job in maker.career.jobs[:3]:
        name = (Run(rng.choice(("Mr. ", "Ms. ", "Dr. "))), Run(person.name.split()[-1], "name"))
        rows.append((name, plain(job.title), plain(job.employer), plain(person.phone)))
    rows.insert(0, maker.header(("name", "designation", "employer", "phone")))
    return MadeTable("other", tuple(rows), True)
