"""`evenhand audit`: does a name, a place, a school or a gap move the result, and do groups fare differently."""

from __future__ import annotations

import typer

from evenhand.cli.audit_kept import ReportFile, keep, list_audits, notice, pack, run, show_audit
from evenhand.cli.audit_model import model
from evenhand.cli.audit_options import AsJson, FailOn, Html, Pdf, finish
from evenhand.cli.audit_outcomes import groups, outcomes
from evenhand.cli.audit_swaps import swaps

app = typer.Typer(
    help="Bias audits: what moves a result, how groups fare, and reports that people can act on.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)


app.command()(swaps)
app.command()(outcomes)
app.command()(model)


@app.command()
def report(
    file: ReportFile, json: AsJson = False, html: Html = None, pdf: Pdf = None, fail_on: FailOn = None
) -> None:
    """Show a report that was printed as JSON, or write it as a page or a PDF.

    Examples:

    - evenhand audit report report.json
    - evenhand audit report report.json --html report.html --pdf report.pdf
    """
    from evenhand.workflows.auditing.writing import read_report

    finish(read_report(file), json=json, html=html, pdf=pdf, fail_on=fail_on)


app.command()(run)
app.command()(keep)
app.command("list")(list_audits)
app.command("show")(show_audit)
app.command()(notice)
app.command()(pack)
app.add_typer(groups, name="groups")
