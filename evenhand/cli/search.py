"""`evenhand search`: what the screening page shows, in the terminal or for scripts."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli.applicant import Actor, opened
from evenhand.cli.job import JobOption
from evenhand.cli.rank import RankerName, Skills, check_ranker, conditions_of
from evenhand.cli.read import Set, flags
from evenhand.cli.terminal import print_rich, write_stderr, write_stdout
from evenhand.errors import UsageError
from evenhand.settings import Settings, load_settings
from evenhand.text.wording import count

if TYPE_CHECKING:
    from evenhand.search.screener import SearchResults


ROWS = 20

SearchWords = Annotated[
    str,
    typer.Argument(
        metavar="[TEXT]",
        help='Words and "phrases" lift who mentions them; AND, OR, NOT, +, -, (), field:value and java>=36 filter.',
    ),
]
Facets = Annotated[
    list[str] | None,
    typer.Option(
        "--facet",
        metavar="NAME=VALUE",
        help="Only these: source, degree, total_years, relevant_years, city, status, skill. "
        "Again with the same name: either; with another: both.",
    ),
]
Strict = Annotated[
    bool,
    typer.Option("--strict-counts", help="Count every facet on the candidates listed, its own choice included."),
]
First = Annotated[int, typer.Option("--from", metavar="RANK", min=1, help="Begin at this rank.")]
Top = Annotated[int, typer.Option("--top", metavar="N", min=1, help="How many candidates.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the page as JSON: results, parts, snippets, facets.")]
Why = Annotated[
    tuple[str, str] | None,
    typer.Option("--why", metavar="A B", help="Why A stands above B; each a rank, a file or a name."),
]


def search(
    job: JobOption,
    text: SearchWords = "",
    facet: Facets = None,
    skill: Skills = None,
    ranker: RankerName = "best",
    first: First = 1,
    top: Top = ROWS,
    strict_counts: Strict = False,
    why: Why = None,
    json: AsJson = False,
    set_: Set = None,
) -> None:
    """Rank a job's applicants, filter them, and see how many there are of each kind.

    Examples:

    - evenhand search --job ID
    - evenhand search --job ID "kubernetes" --facet degree=master --skill "java>=36"
    - evenhand search --job ID 'title:architect AND NOT php' --facet city=Berlin --facet city=Paris
    - evenhand search --job ID --json | python -m json.tool
    """
    from evenhand.cli.ranking_table import RankingTable, facet_lines, ranked_from, why_table
    from evenhand.ledger.recording import RecordedScreener
    from evenhand.records import canonical_json
    from evenhand.screening.service import open_service
    from evenhand.search.criteria import Criteria

    if json and why:
        raise UsageError("Give --why or --json, not both: JSON holds the parts of every score anyway.")
    check_ranker(ranker)
    settings = load_settings(flags(None, set_)).settings
    criteria = Criteria(
        job=job,
        text=text,
        facets=chosen(facet or [], settings),
        skills=tuple(conditions_of(skill or (), settings)),
        ranker=ranker,
        strict_counts=strict_counts,
    )
    with open_service(settings) as service, service.screener(job, ranker=ranker) as screener:
        recorded = RecordedScreener.of(screener)
        screen: SearchResults = recorded.screener.screen(criteria, first=first - 1, size=top)
        draft = recorded.draft(screen, settings, actor=getpass.getuser(), first=first - 1, size=top)
        service.store.ledger.append([draft])
        screen = service.with_alerts(screen)
    if json:
        write_stdout(canonical_json(screen.to_json()) + "\n")
        return
    reasons = [why_table(screen.ranking, *why)] if why else []
    print_rich(RankingTable(ranked_from(screen), top=top), facet_lines(screen), *reasons)


def chosen(typed: list[str], settings: Settings) -> dict[str, tuple[str, ...]]:
    from evenhand.mining.pipeline import vocabulary_for
    from evenhand.screening.search_url import choose_facets

    # Lexicons take a moment to load, and most searches choose no skill.
    return choose_facets(typed, canonical=lambda name: vocabulary_for(settings).canonical_skill(name))


# `evenhand export`: the list of a job as a spreadsheet in which nothing is a formula.

CsvFile = Annotated[Path | None, typer.Option("--csv", metavar="F", help="Write CSV.")]
XlsxFile = Annotated[Path | None, typer.Option("--xlsx", metavar="F", help="Write XLSX.")]
Contact = Annotated[bool, typer.Option("--contact", help="With e-mail addresses and phones.")]


def export(
    job: JobOption,
    text: SearchWords = "",
    facet: Facets = None,
    skill: Skills = None,
    ranker: RankerName = "best",
    csv: CsvFile = None,
    xlsx: XlsxFile = None,
    contact: Contact = False,
    by: Actor = None,
    set_: Set = None,
) -> None:
    """Write the list that evenhand search shows, up to 10,000 candidates, to a spreadsheet. It is on record.

    Examples:

    - evenhand export --job ID --csv list.csv
    - evenhand export --job ID "kubernetes" --facet degree=master --xlsx list.xlsx --contact
    """
    from evenhand.screening.exports import csv_bytes, prepare_export, write_xlsx
    from evenhand.search.criteria import Criteria

    if (csv is None) == (xlsx is None):
        raise UsageError("Say where to: --csv F or --xlsx F.")
    check_ranker(ranker)
    with opened(set_, by) as work:
        settings = work.service.settings
        criteria = Criteria(
            job=job,
            text=text,
            facets=chosen(facet or [], settings),
            skills=tuple(conditions_of(skill or (), settings)),
            ranker=ranker,
        )
        made = prepare_export(
            work.service,
            work.recorder,
            work.viewer,
            criteria,
            form="csv" if csv else "xlsx",
            contact=contact,
        )
        path = csv or xlsx
        if path is None:
            raise AssertionError
        path.touch(mode=0o600)
        with path.open("wb") as file:
            if csv:
                file.writelines(csv_bytes(made))
            else:
                write_xlsx(made, file)
    write_stderr(f"Written: {path} ({count(made.count, 'candidate')} of {made.total:,})")
