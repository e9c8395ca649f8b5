"""`evenhand mine`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from evenhand.cli.read import SOME_FAILED, Files, Set, Workers, flags
from evenhand.cli.terminal import STDIN, bar, expand, print_rich, write_stderr, write_stdout
from evenhand.errors import UsageError
from evenhand.records import Document, Evidence, Fact, Profile
from evenhand.rendering.cells import printable
from evenhand.settings import Settings, load_settings

if TYPE_CHECKING:
    from evenhand.mining.pipeline import MinedResume


# Where the facts of a card stand: the words of the resume, their line and page, what found them and how
# surely.

QUOTE = 60  # characters of the resume
PLACES = 5  # of one skill


class EvidenceRow(NamedTuple):
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
        table.add_row(row.label, _quote(row, document), _lines(row.places, document), str(first.page), found_by)
    return table


def _rows(profile: Profile) -> Iterator[EvidenceRow]:
    for label, facts in _people(profile):
        yield from (EvidenceRow(label, fact.value, [fact.evidence]) for fact in facts if fact)
    for number, position in enumerate(profile.positions, start=1):
        yield from _of(f"job {number}", title=position.title, employer=position.employer, city=position.city)
        if position.period.evidence:
            dates = f"{position.period.start or '?'} to {position.period.end or '?'}"
            yield EvidenceRow(f"job {number} dates", dates, [position.period.evidence])
    for number, project in enumerate(profile.projects, start=1):
        yield from _of(f"project {number}", name=project.name, client=project.client, role=project.role)
        if project.period.evidence:
            dates = f"{project.period.start or '?'} to {project.period.end or '?'}"
            yield EvidenceRow(f"project {number} dates", dates, [project.period.evidence])
    for number, entry in enumerate(profile.education, start=1):
        studied = {"degree": entry.degree, "field": entry.field, "university": entry.university}
        yield from _of(f"study {number}", **studied, year=entry.year, performance=entry.performance)
    for certification in profile.certifications:
        yield from _of("certification", name=certification.name, year=certification.year)
    for skill in profile.skills:
        if skill.evidence:
            yield EvidenceRow("skill", skill.name, skill.evidence)


def _people(profile: Profile) -> Iterator[tuple[str, Sequence[Fact | None]]]:
    yield "name", [profile.name]
    yield "e-mail", profile.emails
    yield "phone", profile.phones
    yield "link", profile.links
    yield "city", [profile.city]
    yield "language", profile.languages


def _of(owner: str, **facts: Fact | None) -> Iterator[EvidenceRow]:
    for label, fact in facts.items():
        if fact:
            yield EvidenceRow(f"{owner} {label}", fact.value, [fact.evidence])


def _quote(row: EvidenceRow, document: Document) -> Text:
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


AsJson = Annotated[bool, typer.Option("--json", help="Print one Profile per line, as JSON.")]
AsOf = Annotated[
    str | None,
    typer.Option("--as-of", metavar="YYYY-MM", help='The month that "present" means; this month if not given.'),
]
Places = Annotated[bool, typer.Option("--evidence", help="Show below each card where in the resume its facts stand.")]


def mine(
    paths: Files,
    json: AsJson = False,
    as_of: AsOf = None,
    evidence: Places = False,
    workers: Workers = None,
    set_: Set = None,
) -> None:
    """Mine resumes: who, which jobs when, which skills for how many months, each fact with its place.

    Without --json every file gets a card. Months that the resume does not tell are not dated, never zero.
    Lines that --evidence names are those of evenhand read --text.

    Exit code: 0 all were mined, 1 some could not be (the others are printed), 2 wrong usage.

    Examples:

    - evenhand mine resume.pdf
    - evenhand mine --evidence resume.pdf
    - evenhand mine --json --as-of 2026-10 inbox/ > profiles.jsonl
    """
    if json and evidence:
        raise UsageError("Give --evidence or --json, not both: JSON holds all evidence anyway.")
    settings = load_settings(flags(workers, set_)).settings
    inputs, barren = expand(paths)
    for folder in barren:
        write_stderr(f"{folder}: the folder holds no files.")
    present = write_json if json else show_card_with_evidence if evidence else show_card
    failed = present_all(inputs, settings, as_of, present)
    if failed or barren:
        raise typer.Exit(SOME_FAILED)


def present_all(
    inputs: list[str], settings: Settings, as_of: str | None, present: Callable[[MinedResume], None]
) -> int:
    """Mine and present in order; returns how many could not be mined."""
    from evenhand.mining.pipeline import mine_with_documents

    failed = 0
    with bar("Mining", len(inputs)) as progress:
        for mined in mine_with_documents(opened(inputs, settings), as_of=as_of, settings=settings):
            progress.advance()
            failed += mined.is_failed
            with progress.aside():
                present(mined)
    return failed


def opened(inputs: list[str], settings: Settings) -> Iterator[str | Document]:
    """Names of files, and what came on standard input as a Document."""
    from evenhand.documents.reading import read

    for name in inputs:
        if name == STDIN:
            data = sys.stdin.buffer.read(settings.file_bytes + 1)
            yield read(data, name=STDIN, settings=settings)
        else:
            yield name


def write_json(mined: MinedResume) -> None:
    from evenhand.records import canonical_json

    write_stdout(canonical_json(mined.profile.to_json()) + "\n")


def show_card(mined: MinedResume) -> None:
    from evenhand.cli.profile_card import profile_card

    print_rich(profile_card(mined.profile))


def show_card_with_evidence(mined: MinedResume) -> None:
    show_card(mined)
    if not mined.is_failed:
        print_rich(evidence_table(mined.profile, mined.document))
