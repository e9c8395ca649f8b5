"""Where the facts of a card stand: the words of the resume, their line and page, what found them and how surely."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from evenhand.cli.terminal import printable
from evenhand.records import Document, Evidence, Fact, Profile

QUOTE = 60  # characters of the resume
PLACES = 5  # of one skill


class Row(NamedTuple):
    label: str
    value: str
    places: Sequence[Evidence]


def evidence_table(profile: Profile, document: Document) -> Table:
    table = Table(title="Where it stands in the resume", title_justify="left", box=SIMPLE_HEAD, expand=True)
    table.add_column("Fact", no_wrap=True)
    table.add_column("In the resume → taken for", ratio=1)
    table.add_column("Line", max_width=12)
    table.add_column("Page", justify="right", no_wrap=True)
    table.add_column("Found by", no_wrap=True)
    for row in _rows(profile):
        first = row.places[0]
        found_by = Text(f"{first.method} {first.confidence:.2f}", style="dim")
        table.add_row(
            row.label, _quote(row, document), _lines(row.places, document), str(first.page), found_by
        )
    return table


def _rows(profile: Profile) -> Iterator[Row]:
    for label, facts in _people(profile):
        yield from (Row(label, fact.value, [fact.evidence]) for fact in facts if fact)
    for number, position in enumerate(profile.positions, start=1):
        yield from _of(f"job {number}", title=position.title, employer=position.employer, city=position.city)
        if position.period.evidence:
            dates = f"{position.period.start or '?'} to {position.period.end or '?'}"
            yield Row(f"job {number} dates", dates, [position.period.evidence])
    for number, project in enumerate(profile.projects, start=1):
        yield from _of(f"project {number}", name=project.name, client=project.client, role=project.role)
        if project.period.evidence:
            dates = f"{project.period.start or '?'} to {project.period.end or '?'}"
            yield Row(f"project {number} dates", dates, [project.period.evidence])
    for number, entry in enumerate(profile.education, start=1):
        studied = {"degree": entry.degree, "field": entry.field, "university": entry.university}
        yield from _of(f"study {number}", **studied, year=entry.year, performance=entry.performance)
    for certification in profile.certifications:
        yield from _of("certification", name=certification.name, year=certification.year)
    for skill in profile.skills:
        if skill.evidence:
            yield Row("skill", skill.name, skill.evidence)


def _people(profile: Profile) -> Iterator[tuple[str, Sequence[Fact | None]]]:
    yield "name", [profile.name]
    yield "e-mail", profile.emails
    yield "phone", profile.phones
    yield "link", profile.links
    yield "city", [profile.city]
    yield "language", profile.languages


def _of(owner: str, **facts: Fact | None) -> Iterator[Row]:
    for label, fact in facts.items():
        if fact:
            yield Row(f"{owner} {label}", fact.value, [fact.evidence])


def _quote(row: Row, document: Document) -> Text:
    """The words at the first place; behind an arrow the value, where it is not these words."""
    place = row.places[0]
    words = " ".join(document.text[place.start : place.end].split())
    quote = Text(printable(words if len(words) <= QUOTE else words[:QUOTE].rstrip() + " ..."))
    if words.casefold() == row.value.casefold():
        return quote
    return Text.assemble(quote, (" → ", "dim"), (printable(row.value), "bold"))


def _lines(places: Sequence[Evidence], document: Document) -> str:
    """Numbers of lines, as an editor counts them in what `read --text` prints."""
    lines = [document.text.count("\n", 0, place.start) + 1 for place in places]
    numbers = [str(line) for line in dict.fromkeys(lines)]
    return ", ".join(numbers[:PLACES]) + (" ..." if len(numbers) > PLACES else "")
