"""`evenhand subject`: what applicants have a right to - a receipt, all their data, corrections, erasure."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evenhand.cli.read import Set, flags
from evenhand.cli.terminal import write_stderr, write_stdout
from evenhand.errors import UsageError
from evenhand.extras import require
from evenhand.rendering.cells import printable
from evenhand.settings import load_settings
from evenhand.text.wording import count

if TYPE_CHECKING:
    from evenhand.ledger.recording import Recorder
    from evenhand.rendering.letter import Letter
    from evenhand.screening.candidate_list import Viewer
    from evenhand.search.service import Service
    from evenhand.store.applications import Application


app = typer.Typer(
    help="The rights of applicants: find them, give them a receipt or all their data, correct, erase.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)

ApplicationId = Annotated[str, typer.Argument(metavar="APPLICATION", help="Its id: evenhand subject find.")]
Words = Annotated[str, typer.Argument(metavar="TEXT", help="A name, an e-mail address or a phone number.")]
HtmlFile = Annotated[Path | None, typer.Option("--html", metavar="F", help="Write a page that stands alone.")]
PdfFile = Annotated[Path | None, typer.Option("--pdf", metavar="F", help="Write a PDF.")]
ZipFile = Annotated[Path, typer.Option("--out", metavar="F.zip", help="Where the archive is written.")]
Everything = Annotated[bool, typer.Option("--all", help="All applications of the same person, not only this one.")]
Reason = Annotated[str, typer.Option("--reason", metavar="WORDS", help="Why. It stays, so name nobody in it.")]
Why = Annotated[str, typer.Option("--reason", metavar="WORDS", help="Why; kept with the correction.")]
Ground = Annotated[str, typer.Option("--ground", metavar="NAME", help="request, withdrawn, retention or unlawful.")]
Sure = Annotated[bool, typer.Option("--yes", help="Do it; without, only tell what would be done.")]
Actor = Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who does it; your user name if not given.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Field = Annotated[str, typer.Option("--field", metavar="NAME", help="What was misread; no NAME that fits lists them.")]
Value = Annotated[str, typer.Option("--value", metavar="WORDS", help="What it should be; empty: not stated.")]
Start = Annotated[str, typer.Option("--start", metavar="YYYY-MM", help="For position.dates.")]
End = Annotated[str, typer.Option("--end", metavar="YYYY-MM", help="For position.dates; or present.")]
Entry = Annotated[int | None, typer.Option("--entry", metavar="N", min=1, help="Which job or study, counted from 1.")]
Shown = Annotated[str, typer.Option("--words", metavar="WORDS", help="Words of the resume that show it, for a skill.")]
CorrectionId = Annotated[str, typer.Argument(metavar="CORRECTION", help="The id that the correction printed.")]
ErasureId = Annotated[str, typer.Argument(metavar="CERTIFICATE", help="The id that the erasure printed.")]


@app.command()
def find(text: Words, json: AsJson = False, set_: Set = None) -> None:
    """Find a person's applications, for any job: by name, e-mail address, phone, form or file name.

    Example: evenhand subject find "Ada Brent"
    """
    from evenhand.applicants.rights import find_people
    from evenhand.records import canonical_json
    from evenhand.store.statuses import STATUS_NAMES

    with opened(set_, None) as work:
        found = find_people(work.service, text)
    for one in found:
        if json:
            write_stdout(canonical_json(one.to_json()) + "\n")
            continue
        contact = f" <{printable(', '.join(one.emails))}>" if one.emails else ""
        write_stdout(
            f"{one.application}  {one.received:%Y-%m-%d}  {printable(one.name or 'without a name')}{contact}  "
            f"{printable(one.job_title or one.job)}, {STATUS_NAMES[one.status]} (by {one.where})\n"
        )
    if not found:
        write_stderr("Nobody was found.")


@app.command()
def receipt(
    application: ApplicationId,
    html: HtmlFile = None,
    pdf: PdfFile = None,
    json: AsJson = False,
    by: Actor = None,
    set_: Set = None,
) -> None:
    """Everything held about one application, in plain words, for the person it is about.

    Example: evenhand subject receipt ID --html receipt.html --pdf receipt.pdf
    """
    from evenhand.applicants.receipt_letter import receipt_letter
    from evenhand.applicants.rights import make_receipt
    from evenhand.records import canonical_json

    forms = [name for name, wanted in (("html", html), ("pdf", pdf), ("json", json)) if wanted]
    if not forms:
        raise UsageError("Say what you want: --html F, --pdf F or --json.")
    with opened(set_, by) as work:
        kept = work.application(application)
        made = make_receipt(work.service, work.recorder, work.viewer, kept, form=" and ".join(forms))
    if json:
        write_stdout(canonical_json(made.to_json()) + "\n")
    write_letter(receipt_letter(made), html=html, pdf=pdf)


@app.command()
def export(
    application: ApplicationId, out: ZipFile, all: Everything = False, by: Actor = None, set_: Set = None
) -> None:
    """All data of one application in an archive: file, text, facts, decisions, notes, the record of what happened.

    Example: evenhand subject export ID --out ada.zip --all
    """
    from evenhand.applicants.rights import everything_of, make_archive
    from evenhand.web.rendering import letter_html

    with opened(set_, by) as work:
        kept = work.application(application)
        wanted = everything_of(work.service, kept) if all else [kept]
        with out.open("xb") as file:
            make_archive(work.service, work.recorder, work.viewer, wanted, file, html=letter_html)
    out.chmod(0o600)
    write_stderr(f"Written: {out} ({count(len(wanted), 'application')})")


@app.command()
def correct(
    application: ApplicationId,
    field: Field,
    value: Value = "",
    entry: Entry = None,
    start: Start = "",
    end: End = "",
    words: Shown = "",
    reason: Why = "",
    by: Actor = None,
    set_: Set = None,
) -> None:
    """Put right what was misread. Months, totals and the rank follow; both versions stay on record.

    Examples:

    - evenhand subject correct ID --field name --value "Ada Brent"
    - evenhand subject correct ID --field position.dates --entry 2 --start 2016-04 --end present
    - evenhand subject correct ID --field skill.add --value Kubernetes --words "k8s clusters"
    """
    from evenhand.applicants import corrections
    from evenhand.mining.corrections import CorrectionInput

    given: Any = {"start": start, "end": end} if field == "position.dates" else value
    with opened(set_, by) as work:
        wanted = CorrectionInput(field, given, entry - 1 if entry else None, words)
        kept = work.application(application)
        outcome = corrections.correct(work.service, kept, wanted, actor=work.actor, reason=reason)
    write_ranks(outcome)
    write_stdout(f"To take it back: evenhand subject take-back {application} {outcome.correction}\n")


@app.command("take-back")
def take_back(
    application: ApplicationId, correction: CorrectionId, reason: Why = "", by: Actor = None, set_: Set = None
) -> None:
    """Undo a correction; the others stand."""
    from evenhand.applicants import corrections

    with opened(set_, by) as work:
        kept = work.application(application)
        write_ranks(corrections.revert_correction(work.service, kept, correction, actor=work.actor, reason=reason))


@app.command()
def erase(
    application: ApplicationId,
    reason: Reason,
    ground: Ground = "request",
    all: Everything = False,
    yes: Sure = False,
    html: HtmlFile = None,
    pdf: PdfFile = None,
    by: Actor = None,
    set_: Set = None,
) -> None:
    """Erase an application wherever it is: database, files, index, and what lies behind the ledger's seals.

    Without --yes only what would be erased is told. It cannot be undone. The certificate names nobody.

    Example: evenhand subject erase ID --reason "asked by letter on 3 May" --yes --pdf certificate.pdf
    """
    from evenhand.applicants import erasure
    from evenhand.applicants.certificate import ROWS, certificate_letter, in_order

    with opened(set_, by) as work:
        kept = work.application(application)
        ids = erasure.whole_person(work.service, kept) if all else [kept.id]
        plan = erasure.plan_erasure(work.service, ids)
        if not yes:
            write_stderr(f"{count(len(ids), 'application')} would be erased; --yes does it. It cannot be undone.")
            for name, number in in_order(plan.counts):
                write_stdout(f"{number:6,}  {ROWS.get(name, name)}\n")
            write_remaining(plan)
            return
        done = erasure.erase(work.service, ids, actor=work.actor, reason=reason, ground=ground)
    certificate = erasure.certificate_of(done)
    write_stdout(f"Erased: {count(len(ids), 'application')}. Certificate {done.id}\n")
    write_remaining(plan)
    write_letter(certificate_letter(certificate), html=html, pdf=pdf)


@app.command()
def certificate(
    erasure: ErasureId,
    html: HtmlFile = None,
    pdf: PdfFile = None,
    json: AsJson = False,
    set_: Set = None,
) -> None:
    """The certificate of an erasure, once more."""
    from evenhand.applicants.certificate import certificate_letter
    from evenhand.applicants.erasure import certificate_of
    from evenhand.records import canonical_json

    with opened(set_, None) as work:
        made = certificate_of(work.service.store.erasures.get(erasure))
    if json or not (html or pdf):
        write_stdout(canonical_json(made) + "\n")
    write_letter(certificate_letter(made), html=html, pdf=pdf)


@dataclass(frozen=True)
class ApplicantCommand:
    """The service, and who works with it."""

    service: Service
    recorder: Recorder
    viewer: Viewer

    @property
    def actor(self) -> str:
        return self.viewer.user

    def application(self, id: str) -> Application:
        return self.service.store.applications.get(id)


@contextmanager
def opened(set_: list[str] | None, by: str | None) -> Iterator[ApplicantCommand]:
    """Who has the command line sees everything."""
    from evenhand.ledger.recording import Recorder
    from evenhand.screening.candidate_list import Viewer
    from evenhand.screening.service import open_service
    from evenhand.search.visibility import OPEN

    settings = load_settings(flags(None, set_)).settings
    with open_service(settings) as service:
        viewer = Viewer(by or getpass.getuser(), OPEN, lambda job: True)
        yield ApplicantCommand(service, Recorder(service.store, settings), viewer)


def write_letter(letter: Letter, *, html: Path | None, pdf: Path | None) -> None:
    """Readable by their owner only: they are about one person."""
    if html:
        from evenhand.web.rendering import letter_html

        write(html, letter_html(letter).encode("utf-8", "replace"))
    if pdf:
        require("audit")
        from evenhand.rendering.letter_pdf import letter_pdf

        write(pdf, letter_pdf(letter))


def write(path: Path, data: bytes) -> None:
    path.touch(mode=0o600)
    path.write_bytes(data)
    write_stderr(f"Written: {path}")


def write_ranks(outcome: Any) -> None:
    before, after = outcome.before, outcome.after
    write_stdout(f"Rank {before.rank or '-'} of {before.total:,} before, {after.rank or '-'} of {after.total:,} now")
    if before.score is not None and after.score is not None:
        write_stdout(f"; {before.score:.1f} points before, {after.score:.1f} now")
    write_stdout(".\n")


def write_remaining(plan: Any) -> None:
    for backup in plan.backups:
        until = f", gone by {backup.expires:%Y-%m-%d}" if backup.expires else ", no date is known"
        write_stderr(f"Still in the backup {backup.place} of {backup.made:%Y-%m-%d}{until}.")
    for other in plan.others:
        write_stderr(f"Perhaps the same person: {other.application}, {other.job_title or other.job} ({other.link}).")


# `evenhand retention`: how long applications are kept. Nothing is erased but by a command or a timer that
# gives it.

retention_app = typer.Typer(
    help="How long applications are kept, by status; who must be kept; erasing who was kept long enough.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)

Status = Annotated[str, typer.Argument(metavar="STATUS", help="new, screened, shortlisted, rejected or offered.")]
Days = Annotated[
    int,
    typer.Argument(metavar="DAYS", min=0, help="After the decision that led there; 0 takes the rule away."),
]
OneJob = Annotated[str | None, typer.Option("--job", metavar="ID", help="For this job only.")]
EraseDue = Annotated[bool, typer.Option("--yes", help="Erase; without, only tell who is due.")]
HoldReason = Annotated[str, typer.Option("--reason", metavar="WORDS", help="Why it must be kept.")]


@retention_app.command("set")
def set_rule(status: Status, days: Days, job: OneJob = None, by: Actor = None, set_: Set = None) -> None:
    """Keep applications of a status for so many days; a job's own rule goes before the general one.

    Example: evenhand retention set rejected 180
    """
    with opened(set_, by) as work:
        work.service.store.retention.set_rule(status, days or None, job=job, actor=work.actor)
    where = f" for the job {job}" if job else ""
    write_stdout(f"{status}{where}: {count(days, 'day')}.\n" if days else f"{status}{where}: no rule any more.\n")


@retention_app.command("list")
def list_rules(set_: Set = None) -> None:
    """The rules, and who is on hold."""
    with opened(set_, None) as work:
        rules, holds = work.service.store.retention.rules(), work.service.store.retention.holds()
    for rule in rules:
        write_stdout(f"{rule.status:12} {rule.days:6,} days  {rule.job or 'every job'}\n")
    for hold in holds:
        write_stdout(f"on hold      {hold.application}  since {hold.time:%Y-%m-%d}: {printable(hold.reason)}\n")
    if not rules:
        write_stderr("There are no rules: nobody is ever due.")


@retention_app.command()
def run(job: OneJob = None, yes: EraseDue = False, by: Actor = None, set_: Set = None) -> None:
    """Who has been kept long enough; erase them with --yes. In a timer, this is the schedule.

    Examples:

    - evenhand retention run
    - evenhand retention run --yes
    """
    from evenhand.applicants.retention import find_due, run_retention
    from evenhand.store.statuses import STATUS_NAMES

    with opened(set_, by) as work:
        found = find_due(work.service, job=job)
        for kept in found.held:
            write_stderr(f"On hold, and kept: {kept.application}, due since {kept.until:%Y-%m-%d}.")
        if not yes:
            for kept in found.due:
                write_stdout(f"{kept.application}  {STATUS_NAMES[kept.status]} since {kept.since:%Y-%m-%d}")
                write_stdout(f", due since {kept.until:%Y-%m-%d}\n")
            write_stderr(f"{count(len(found.due), 'application')} due. --yes erases; it cannot be undone.")
            return
        done = run_retention(work.service, actor=work.actor, job=job)
    write_stdout(f"Erased: {count(done.erased, 'application')}.\n")
    for erasure in done.erasures:
        write_stdout(f"Certificate {erasure.id}\n")


@retention_app.command()
def hold(application: ApplicationId, reason: HoldReason, by: Actor = None, set_: Set = None) -> None:
    """Keep an application whatever the rules say, such as while a court has to decide.

    Example: evenhand retention hold ID --reason "case 7 before the labour court"
    """
    with opened(set_, by) as work:
        work.service.store.retention.hold(application, reason, actor=work.actor)
    write_stdout("On hold.\n")


@retention_app.command()
def release(application: ApplicationId, by: Actor = None, set_: Set = None) -> None:
    """Lift a hold."""
    with opened(set_, by) as work:
        work.service.store.retention.lift_hold(application, actor=work.actor)
    write_stdout("Released.\n")
