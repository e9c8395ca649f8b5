"""`evenhand export`: the list of a job as a spreadsheet in which nothing is a formula."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.facts import count
from evenhand.cli.ingest import JobOption
from evenhand.cli.rank import RankerName, Skills, check_ranker, conditions_of
from evenhand.cli.read import Set
from evenhand.cli.search import Facets, SearchWords, chosen
from evenhand.cli.subject import Actor, opened
from evenhand.cli.terminal import tell
from evenhand.errors import UsageError

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
    from evenhand.search.criteria import Criteria
    from evenhand.workflows.exporting import csv_bytes, prepare_export, write_xlsx

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
    tell(f"Written: {path} ({count(made.count, 'candidate')} of {made.total:,})")
