"""`evenhand audit outcomes` and `evenhand audit groups`: do groups fare differently, and who said which is theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli import options as opt
from evenhand.cli.options import command_group, session_from
from evenhand.cli.report.audit_report import finish
from evenhand.cli.terminal import bar, write_json, write_stderr, write_stdout
from evenhand.errors import UsageError
from evenhand.rendering.cells import printable
from evenhand.rendering.html import write_file
from evenhand.text.wording import count

SOME_UNMATCHED = 1
SHOWN_ROWS = 20  # rows that are named

groups = command_group(
    "What applicants said of the groups they belong to: given by them, kept apart, seen as counts only."
)

Variables = Annotated[
    list[str] | None, opt.option("--variable NAME", "sex, race, ...; repeat it. Sex and race if not given.")
]
Columns = Annotated[list[str] | None, opt.option("--variable NAME", "Only these columns are groups; repeat it.")]
Shortlist = Annotated[
    int | None, opt.option("--shortlist N", "Look at the N ranked highest; as many as selected.", min=1)
]
LeaveOut = Annotated[
    list[str] | None,
    opt.option(
        "--leave-out VARIABLE=GROUP=WHY",
        "Do not compare a group of under 2%; the justification stands in the report. Repeat it.",
    ),
]
TableFile = Annotated[Path | None, opt.option("--table F", "A CSV file instead of a job; no store is needed.")]
Outcome = Annotated[str | None, opt.option("--outcome COL", "Column: who was selected.")]
Group = Annotated[list[str] | None, opt.option("--group COL", "Column with groups; repeat it.")]
Score = Annotated[str | None, opt.option("--score COL", "Column with a score.")]
Band = Annotated[str | None, opt.option("--band COL", "Column by which to compare like with like.")]
Time = Annotated[str | None, opt.option("--time COL", "Column with a day or month.")]
Selected = Annotated[
    list[str] | None, opt.option("--selected VALUE", "Values of the outcome that count as selected; repeat it.")
]
Ll144File = Annotated[Path | None, opt.option("--ll144 F", "Write the figures of Local Law 144; .csv or .json.")]
Distributed = Annotated[str | None, opt.option("--distributed DAY", "For --ll144: since when this tool is in use.")]
GroupFile = Annotated[Path, opt.argument("FILE", "CSV, or a JSON object per line.")]
OneApplication = Annotated[str | None, opt.option("--application ID", "Of this application only.")]


def outcomes(
    job: opt.AnyJob = None,
    variable: Variables = None,
    shortlist: Shortlist = None,
    leave_out: LeaveOut = None,
    table: TableFile = None,
    outcome: Outcome = None,
    group: Group = None,
    score: Score = None,
    band: Band = None,
    time: Time = None,
    selected: Selected = None,
    ll144: Ll144File = None,
    distributed: Distributed = None,
    json: opt.AsJson = False,
    html: opt.HtmlFile = None,
    pdf: opt.PdfFile = None,
    fail_on: opt.FailOn = None,
    set_: opt.Set = None,
) -> None:
    """Do groups fare differently? Rates, impact ratios, how sure they are; of a job, or of any table.

    Of a job it needs what applicants said of themselves: evenhand audit groups import. With --table it reads a CSV
    file and nothing else.

    Examples:

    - evenhand audit outcomes --job ID --html outcomes.html
    - evenhand audit outcomes --job ID --ll144 summary.csv --distributed 2026-01-31
    - evenhand audit outcomes --table hires.csv --outcome hired --group sex --group race
    - evenhand audit outcomes --table hires.csv --outcome stage --selected interview --group sex --time applied
    """
    from evenhand.audit.outcomes.ll144 import ll144_bytes
    from evenhand.audit.outcomes.run import audit_job_outcomes, audit_table_outcomes, job_ll144, parse_left_out
    from evenhand.audit.outcomes.tables import TableColumns

    left_out = parse_left_out(leave_out or ())
    if table is not None:
        if job or variable or ll144:
            raise UsageError("--table stands alone: it goes without --job, --variable and --ll144.")
        columns = TableColumns(outcome, tuple(group or ()), tuple(selected or ()), score, band, time)
        report = audit_table_outcomes(table, columns, shortlist=shortlist, left_out=left_out)
    else:
        if outcome or group or score or band or time or selected:
            raise UsageError("--outcome, --group, --score, --band, --time and --selected go with --table.")
        if (ll144 is None) != (distributed is None):
            raise UsageError("--ll144 and --distributed go together: both are on the page that has to be published.")
        with session_from(set_) as work:
            report = audit_job_outcomes(
                work.service, job, variables=variable, shortlist=shortlist, left_out=left_out, progress=bar
            )
            if ll144 is not None and distributed is not None:
                summary = job_ll144(work.service, job, distributed=distributed, left_out=left_out)
                write_file(ll144, ll144_bytes(summary, is_csv=ll144.suffix.lower() == ".csv"))
                write_stderr(f"The figures of Local Law 144 are in {ll144}.")
    finish(report, json=json, html=html, pdf=pdf, fail_on=fail_on)


@groups.command("import")
def import_(
    file: GroupFile,
    job: opt.AnyJob = None,
    variable: Columns = None,
    json: opt.AsJson = False,
    by: opt.Actor = None,
    set_: opt.Set = None,
) -> None:
    """Take in what applicants said: one column says who (application, e-mail, file...), the others are groups.

    "Prefer not to say" and empty cells are kept as unknown. Again with the same file changes nothing; of two answers
    the newest counts. Nothing that ranks or shows applicants can read this.

    Exit code: 0 every row was matched, 1 some rows fit no application (the others are in), 2 wrong usage.

    Examples:

    - evenhand audit groups import survey.csv
    - evenhand audit groups import survey.csv --job ID --variable sex --variable race
    - evenhand audit groups import corpus/groups.jsonl --job ID
    """
    from evenhand.audit.group_import import import_groups

    with session_from(set_, by) as work:
        imported = import_groups(work.service, file, actor=work.actor, job=job, variables=variable or (), progress=bar)
    if json:
        write_json(imported.to_json())
    else:
        saved = imported.saved
        write_stdout(
            f"{count(imported.applications, 'application')} matched by {imported.key}: {saved.new:,} answers new, "
        )
        write_stdout(f"{saved.changed:,} changed, {saved.same:,} known already.\n")
        for answers in imported.counts:
            write_stdout(f"  {printable(answers.variable)}: {answers.known:,} said, {answers.unknown:,} did not\n")
    if imported.contradicting:
        write_stderr(
            f"{count(len(imported.contradicting), 'row')} say otherwise than an earlier one; the last was taken."
        )
    if imported.unmatched:
        rows = ", ".join(map(str, imported.unmatched[:SHOWN_ROWS])) + (
            ", ..." if len(imported.unmatched) > SHOWN_ROWS else ""
        )
        write_stderr(f"Without an application: {count(len(imported.unmatched), 'row')} ({rows}).")
        raise typer.Exit(SOME_UNMATCHED)


@groups.command()
def show(job: opt.AnyJob = None, json: opt.AsJson = False, set_: opt.Set = None) -> None:
    """How many said what. Counts only; who said it is not shown to anybody.

    Example: evenhand audit groups show --job ID
    """
    from evenhand.audit.group_import import group_counts

    with session_from(set_) as work:
        variables = group_counts(work.service, job)
    if json:
        write_json([variable.to_json() for variable in variables])
        return
    for variable in variables:
        write_stdout(f"{printable(variable.variable)}\n")
        for name, many in variable.groups.items():
            write_stdout(f"  {many:8,}  {printable(name)}\n")
        write_stdout(f"  {variable.unknown:8,}  did not say\n")
    if not variables:
        write_stderr("Nobody's group is known.")


@groups.command()
def remove(
    job: opt.AnyJob = None,
    application: OneApplication = None,
    yes: opt.Confirmed = False,
    by: opt.Actor = None,
    set_: opt.Set = None,
) -> None:
    """Remove what applicants said: of one who took it back, of a job, or of all.

    Examples:

    - evenhand audit groups remove --application ID --yes
    - evenhand audit groups remove --job ID --yes
    """
    from evenhand.audit.group_import import remove_groups

    if not yes:
        what = f"the application {application}" if application else f"the job {job}" if job else "everybody"
        write_stderr(f"What {what} said of groups would be removed. --yes does it; it cannot be undone.")
        return
    with session_from(set_, by) as work:
        gone = remove_groups(work.service, actor=work.actor, job=job, application=application)
    write_stdout(f"Removed: what {count(gone, 'application')} had said.\n")
