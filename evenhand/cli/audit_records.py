"""`evenhand audit run`, `list`, `show`, `keep`, `notice` and `pack`: audits that are stored, and evidence."""

from __future__ import annotations

import getpass
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.table import Table
from rich.text import Text

from evenhand.cli import options as opt
from evenhand.cli.options import service_from
from evenhand.cli.report.audit_report import FAILED, finish, is_failed
from evenhand.cli.terminal import bar, print_rich, write_json, write_stderr, write_stdout
from evenhand.errors import UsageError
from evenhand.rendering.cells import printable

if TYPE_CHECKING:
    from evenhand.audit.run import AuditRequest
    from evenhand.search.service import Service

Kinds = Annotated[str, opt.option("--kinds LIST", "What to measure: swaps, outcomes, or both with a comma.")]
Families = Annotated[
    str | None, opt.option("--families LIST", "Of swaps, only these families, with commas; without, all.")
]
Most = Annotated[int | None, opt.option("--sample --most N", "How many resumes to edit, drawn at random.", min=1)]
Schedule = Annotated[
    Literal["daily", "weekly", "monthly", "off"] | None,
    opt.option("--schedule", "Do not run it now: have the server run it at this interval, or stop doing so."),
]
ReportFile = Annotated[Path, opt.argument("FILE", "A report as JSON, from --json of an audit.")]
ReportJob = Annotated[str | None, opt.option("--job ID", "The job that the report is about, if about one.")]
AuditId = Annotated[str, opt.argument("AUDIT", "Its id, as evenhand audit list shows it.")]
TextFile = Annotated[Path, opt.option("--text-file FILE", "The notice, word for word.")]
Channel = Annotated[str, opt.option("--channel WORDS", "How it was given: job advertisement, e-mail, ...")]
Given = Annotated[str | None, opt.option("--given DAY", "When, as 2026-11-17; today if not given.")]


def run(
    job: opt.AnyJob = None,
    kinds: Kinds = "swaps,outcomes",
    ranker: opt.RankerName = "best",
    families: Families = None,
    most: Most = None,
    seed: opt.Seed = 0,
    schedule: Schedule = None,
    json: opt.AsJson = False,
    html: opt.HtmlFile = None,
    pdf: opt.PdfFile = None,
    fail_on: opt.FailOn = None,
    set_: opt.Set = None,
) -> None:
    """Audit a job, or every open one, compare with the last time, and keep the report.

    With --schedule the server does it instead (evenhand serve), at night and with what is left of the processor.

    Exit code: 3 when a finding is as bad as --fail-on, else 0.

    Examples:

    - evenhand audit run --job ID --fail-on concern
    - evenhand audit run --job ID --kinds swaps --sample 200 --html report.html
    - evenhand audit run --schedule weekly
    - evenhand audit run --job ID --schedule off
    """
    wanted = {"kinds": listed(kinds), "ranker": ranker, "families": listed(families), "most": most, "seed": seed}
    with service_from(set_) as service:
        if schedule is not None:
            set_schedule(service, schedule, job, wanted)
            return
        requests = requests_for(service, job, wanted)
        if (html or pdf) and len(requests) > 1:
            raise UsageError("Name one job with --job to write its report to a file.")
        is_bad = [run_one(service, request, json=json, html=html, pdf=pdf, fail_on=fail_on) for request in requests]
    raise typer.Exit(FAILED if any(is_bad) else 0)


def listed(names: str | None) -> list[str] | None:
    return [name.strip() for name in names.split(",") if name.strip()] if names else None


def requests_for(service: Service, job: str | None, wanted: Mapping[str, object]) -> list[AuditRequest]:
    from evenhand.audit.run import AuditRequest

    if job is not None:
        return [AuditRequest.from_json({**wanted, "job": service.store.jobs.get(job).id})]
    jobs = [stored.id for stored in service.store.jobs.all()]
    counts = service.store.jobs.status_counts(jobs)
    requests = [AuditRequest.from_json({**wanted, "job": id}) for id in jobs if counts[id]]
    if not requests:
        raise UsageError("Nobody has applied to an open job yet, so there is nothing to audit.")
    return requests


def run_one(
    service: Service,
    request: AuditRequest,
    *,
    json: bool,
    html: Path | None,
    pdf: Path | None,
    fail_on: Literal["concern", "watch"] | None,
) -> bool:
    """Whether it is as bad as --fail-on."""
    from evenhand.audit.run import run_and_keep

    audit, report = run_and_keep(service, request, actor=getpass.getuser(), progress=bar)
    finish(report, json=json, html=html, pdf=pdf)
    write_stderr(f"Kept as audit {audit.id}. To see it again: evenhand audit show {audit.id}")
    return is_failed(report, fail_on)


def set_schedule(service: Service, every: str, job: str | None, wanted: Mapping[str, object]) -> None:
    from evenhand.audit.run import AuditRequest

    what = "every open job" if job is None else f"the job {service.store.jobs.get(job).title or job}"
    if every == "off":
        was = service.store.audits.unschedule(job, actor=getpass.getuser())
        write_stdout(f"No audits of {what} are scheduled{' any more' if was else ''}.\n")
        return
    request = AuditRequest.from_json({**wanted, "job": job or ""}).to_json()
    made = service.store.audits.schedule(every, job=job, request=request, actor=getpass.getuser())
    write_stdout(
        f"{printable(what)} is audited {every}, first on {made.due:%Y-%m-%d at %H:%M} UTC, by evenhand serve.\n"
    )


def list_audits(job: opt.AnyJob = None, json: opt.AsJson = False, set_: opt.Set = None) -> None:
    """Show the audits that are kept, waiting or under way, and when the next ones are due."""
    with service_from(set_) as service:
        audits, schedules = service.store.audits.all(job=job), service.store.audits.schedules()
        titles = {stored.id: stored.title or stored.id for stored in service.store.jobs.all(closed=True)}
    if json:
        lists = {"audits": [audit.to_json() for audit in audits]}
        write_json(lists | {"schedules": [schedule.to_json() for schedule in schedules]})
        return
    if audits:
        from evenhand.rendering.report_page import SYMBOLS, WORDS

        table = Table("Audit", "Job", "What", "When", "State", "Worst finding")
        for audit in audits:
            title, when = Text(printable(titles.get(audit.job or "", ""))), f"{audit.asked:%Y-%m-%d %H:%M}"
            worst = next((f"{SYMBOLS[name]} {words}" for name, words in WORDS.items() if name == audit.worst), "")
            table.add_row(audit.id, title, audit.kind, when, audit.state, worst)
        print_rich(table)
    else:
        write_stderr("There are no audits yet. To make one: evenhand audit run --job ID")
    for schedule in schedules:
        what = "every open job" if schedule.job is None else printable(titles.get(schedule.job, schedule.job))
        write_stdout(f"Scheduled {schedule.every}: {what}, next on {schedule.due:%Y-%m-%d at %H:%M} UTC." + "\n")


def show_audit(
    audit: AuditId,
    json: opt.AsJson = False,
    html: opt.HtmlFile = None,
    pdf: opt.PdfFile = None,
    fail_on: opt.FailOn = None,
    set_: opt.Set = None,
) -> None:
    """Show the report of an audit that was kept, or write it as a page or a PDF."""
    from evenhand.audit.run import kept_report

    with service_from(set_) as service:
        report = kept_report(service, audit)
    finish(report, json=json, html=html, pdf=pdf, fail_on=fail_on)


def keep(file: ReportFile, job: ReportJob = None, set_: opt.Set = None) -> None:
    """Keep a report that was printed as JSON among the audits, for the Audit pages and the record.

    For reports on models and on concept removal, and for audits that another machine made.

    Examples:

    - evenhand audit model occupation people --json > model.json && evenhand audit keep model.json
    - evenhand debias report removal rows.npy --labels people.csv --json > gone.json && evenhand audit keep gone.json
    """
    from evenhand.audit.run import keep_report
    from evenhand.rendering.report_pdf import read_report

    report = read_report(file)
    with service_from(set_) as service:
        audit = keep_report(service, report, actor=getpass.getuser(), job=job)
    write_stdout(f"Kept as {audit.id}. To see it again: evenhand audit show {audit.id}\n")


def notice(
    text_file: TextFile, channel: Channel, job: opt.AnyJob = None, given: Given = None, set_: opt.Set = None
) -> None:
    """Record what applicants were told about automated tools, when and how. It cannot be undone.

    Examples:

    - evenhand audit notice --job ID --text-file notice.txt --channel "job advertisement"
    """
    from evenhand.audit.notices import give_notice

    try:
        text = text_file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{text_file} cannot be read as text.") from error
    with service_from(set_) as service:
        made = give_notice(service.store, text, job=job, channel=channel, given=given, actor=getpass.getuser())
    write_stdout(f"On record as event {made.sequence} of the ledger.\n")


def pack(job: opt.OneJob, out: opt.OutFile, set_: opt.Set = None) -> None:
    """Write the evidence pack of a job: what an authority or a court may ask for, with the hash of every file.

    It holds no names or contact data of applicants.

    Examples:

    - evenhand audit pack --job ID --out evidence.zip
    """
    from evenhand.audit.evidence_pack import write_pack

    with service_from(set_) as service:
        made = write_pack(service, job, out, actor=getpass.getuser(), progress=bar)
    write_stdout(f"{made.files} files in {out}.\n")
    for line in made.missing:
        write_stderr(line)
