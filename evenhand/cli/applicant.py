"""`evenhand applicant` and `evenhand retention`: receipts, data exports, corrections, erasure, retention rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from evenhand.cli import options as opt
from evenhand.cli.options import command_group, session_from
from evenhand.cli.terminal import write_json, write_stderr, write_stdout
from evenhand.errors import UsageError
from evenhand.extras import require
from evenhand.records.conversion import to_json
from evenhand.rendering.cells import printable
from evenhand.text.wording import count

if TYPE_CHECKING:
    from evenhand.rendering.letter import Letter


app = command_group("The rights of applicants: find them, give them a receipt or all their data, correct, erase.")

Words = Annotated[str, opt.argument("TEXT", "A name, an e-mail address or a phone number.")]
Everything = Annotated[bool, opt.option("--all", "All applications of the same person, not only this one.")]
EveryResume = Annotated[bool, opt.option("--all", "All applications that the same person made with this file.")]
ProposedId = Annotated[str, opt.argument("CORRECTION", "The id that proposed-corrections prints.")]
ErasureReason = Annotated[str, opt.option("--reason WORDS", "Reason. It is kept after the erasure, so name nobody.")]
Ground = Annotated[str, opt.option("--ground NAME", "request, withdrawn, retention or unlawful.")]
Field = Annotated[str, opt.option("--field NAME", "Field to correct; an unknown NAME lists them.")]
Value = Annotated[str, opt.option("--value WORDS", "Correct value; empty if the resume does not state it.")]
Start = Annotated[str, opt.option("--start YYYY-MM", "For position.dates.")]
End = Annotated[str, opt.option("--end YYYY-MM", "For position.dates; or present.")]
Entry = Annotated[int | None, opt.option("--entry N", "Which job or study, counted from 1.", min=1)]
Shown = Annotated[str, opt.option("--words WORDS", "Words of the resume that show it, for a skill.")]
CorrectionId = Annotated[str, opt.argument("CORRECTION", "The id that the correction printed.")]
ErasureId = Annotated[str, opt.argument("CERTIFICATE", "The id that the erasure printed.")]


@app.command()
def find(text: Words, json: opt.AsJson = False, set_: opt.Set = None) -> None:
    """Find a person's applications, for any job: by name, e-mail address, phone, form or file name.

    Example: evenhand applicant find "Ada Brent"
    """
    from evenhand.applicants.rights import find_people
    from evenhand.store.applications import STATUS_NAMES

    with session_from(set_) as work:
        matches = find_people(work.service, text)
    for one in matches:
        if json:
            write_json(one.to_json())
            continue
        contact = f" <{printable(', '.join(one.emails))}>" if one.emails else ""
        write_stdout(
            f"{one.application}  {one.received:%Y-%m-%d}  {printable(one.name or 'without a name')}{contact}  "
            f"{printable(one.job_title or one.job)}, {STATUS_NAMES[one.status]} (by {one.where})\n"
        )
    if not matches:
        write_stderr("Nobody was found.")


@app.command()
def receipt(
    application: opt.ApplicationId,
    html: opt.HtmlFile = None,
    pdf: opt.PdfFile = None,
    json: opt.AsJson = False,
    by: opt.Actor = None,
    set_: opt.Set = None,
) -> None:
    """Everything held about one application, in plain words, for the person it is about.

    Example: evenhand applicant receipt ID --html receipt.html --pdf receipt.pdf
    """
    from evenhand.applicants.receipt_letter import receipt_letter
    from evenhand.applicants.rights import make_receipt

    forms = [name for name, wanted in (("html", html), ("pdf", pdf), ("json", json)) if wanted]
    if not forms:
        raise UsageError("Say what you want: --html F, --pdf F or --json.")
    with session_from(set_, by) as work:
        stored = work.application(application)
        made = make_receipt(work.service, work.recorder, work.viewer, stored, form=" and ".join(forms))
    if json:
        write_json(made.to_json())
    write_letter(receipt_letter(made), html=html, pdf=pdf)


@app.command()
def export(
    application: opt.ApplicationId,
    out: opt.OutFile,
    all: Everything = False,
    by: opt.Actor = None,
    set_: opt.Set = None,
) -> None:
    """All data of one application in an archive: file, text, facts, decisions, notes, the record of what happened.

    Example: evenhand applicant export ID --out ada.zip --all
    """
    from evenhand.applicants.rights import everything_of, make_archive
    from evenhand.web.rendering import letter_html

    with session_from(set_, by) as work:
        stored = work.application(application)
        wanted = everything_of(work.service, stored) if all else [stored]
        with out.open("xb") as file:
            make_archive(work.service, work.recorder, work.viewer, wanted, file, html=letter_html)
    out.chmod(0o600)
    write_stderr(f"Written: {out} ({count(len(wanted), 'application')})")


@app.command()
def correct(
    application: opt.ApplicationId,
    field: Field,
    value: Value = "",
    entry: Entry = None,
    start: Start = "",
    end: End = "",
    words: Shown = "",
    all: EveryResume = False,
    reason: opt.Reason = "",
    by: opt.Actor = None,
    set_: opt.Set = None,
) -> None:
    """Correct what was misread. Months, totals and the rank are computed again; both versions stay on record.

    Other applications of the same file stay as they are: for them the correction is proposed.

    Examples:

    - evenhand applicant correct ID --field name --value "Ada Brent"
    - evenhand applicant correct ID --field position.dates --entry 2 --start 2016-04 --end present
    - evenhand applicant correct ID --field skill.add --value Kubernetes --words "k8s clusters"
    """
    from evenhand.applicants import corrections
    from evenhand.mining.corrections import CorrectionInput

    given: Any = {"start": start, "end": end} if field == "position.dates" else value
    with session_from(set_, by) as work:
        wanted = CorrectionInput(field, given, entry - 1 if entry else None, words)
        stored = work.application(application)
        outcome = corrections.correct(work.service, stored, wanted, actor=work.actor, reason=reason, everywhere=all)
    write_ranks(outcome)
    write_stdout(f"To take it back: evenhand applicant undo-correction {application} {outcome.correction}\n")


@app.command("undo-correction")
@app.command("take-back", hidden=True)  # the former name, for one release
def undo_correction(
    application: opt.ApplicationId,
    correction: CorrectionId,
    reason: opt.Reason = "",
    by: opt.Actor = None,
    set_: opt.Set = None,
) -> None:
    """Undo a correction of this application; other corrections stay, and other applications keep it."""
    from evenhand.applicants import corrections

    with session_from(set_, by) as work:
        stored = work.application(application)
        write_ranks(corrections.revert_correction(work.service, stored, correction, actor=work.actor, reason=reason))


@app.command("proposed-corrections")
def proposed_corrections(application: opt.ApplicationId, json: opt.AsJson = False, set_: opt.Set = None) -> None:
    """Corrections of other applications of the same file that can be accepted or declined for this one."""
    from evenhand.applicants.corrections import list_proposed

    with session_from(set_) as work:
        proposed = list_proposed(work.service, work.viewer, work.application(application))
    for one in proposed:
        if json:
            write_json(to_json(one))
        else:
            write_stdout(f"{one.id}  {one.what}: {printable(one.old)} -> {printable(one.new)}\n")
    if not proposed:
        write_stderr("No correction is proposed.")


@app.command("accept-correction")
def accept_correction(
    application: opt.ApplicationId,
    correction: ProposedId,
    reason: opt.Reason = "",
    by: opt.Actor = None,
    set_: opt.Set = None,
) -> None:
    """Make a proposed correction to this application."""
    from evenhand.applicants import corrections

    with session_from(set_, by) as work:
        concerned = work.service, work.viewer, work.application(application)
        write_ranks(corrections.accept_correction(*concerned, correction, actor=work.actor, reason=reason))


@app.command("decline-correction")
def decline_correction(
    application: opt.ApplicationId,
    correction: ProposedId,
    reason: opt.Reason = "",
    by: opt.Actor = None,
    set_: opt.Set = None,
) -> None:
    """Leave this application as it is; the correction is not proposed for it again."""
    from evenhand.applicants import corrections

    with session_from(set_, by) as work:
        concerned = work.service, work.viewer, work.application(application)
        corrections.decline_correction(*concerned, correction, actor=work.actor, reason=reason)
    write_stderr("Declined.")


@app.command()
def erase(
    application: opt.ApplicationId,
    reason: ErasureReason,
    ground: Ground = "request",
    all: Everything = False,
    yes: opt.Confirmed = False,
    html: opt.HtmlFile = None,
    pdf: opt.PdfFile = None,
    by: opt.Actor = None,
    set_: opt.Set = None,
) -> None:
    """Erase an application wherever it is: database, files, index, and what lies behind the ledger's seals.

    Without --yes it only lists what would be erased. It cannot be undone. The certificate names nobody.

    Example: evenhand applicant erase ID --reason "asked by letter on 3 May" --yes --pdf certificate.pdf
    """
    from evenhand.applicants import erasure
    from evenhand.applicants.certificate import ROWS, certificate_letter, in_order

    with session_from(set_, by) as work:
        stored = work.application(application)
        ids = erasure.whole_person(work.service, stored) if all else [stored.id]
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
    html: opt.HtmlFile = None,
    pdf: opt.PdfFile = None,
    json: opt.AsJson = False,
    set_: opt.Set = None,
) -> None:
    """Print or write the certificate of an erasure again."""
    from evenhand.applicants.certificate import certificate_letter
    from evenhand.applicants.erasure import certificate_of

    with session_from(set_) as work:
        made = certificate_of(work.service.store.erasures.get(erasure))
    if json or not (html or pdf):
        write_json(made)
    write_letter(certificate_letter(made), html=html, pdf=pdf)


@app.command("verify-certificate")
def verify_certificate(
    file: Annotated[Path, opt.argument("FILE", "A certificate as JSON.")],
    key: Annotated[str | None, opt.option("--key HEX", "The public key it has to be signed with.")] = None,
) -> None:
    """Check the signature under a certificate of erasure, without a data folder.

    Without --key only its own key is checked: that it was not changed, not who signed it.

    Example: evenhand applicant verify-certificate certificate.json --key 3b6a27bc...
    """
    from json import loads

    from evenhand.applicants.erasure import is_genuine

    try:
        made = loads(file.read_bytes())
    except (OSError, ValueError) as error:
        raise UsageError(f"{file} cannot be read as a certificate in JSON: {error}") from error
    if not isinstance(made, dict) or not is_genuine(made, key=key):
        raise UsageError(f"{file} is not signed with {'this key' if key else 'the key that it names'}, or was changed.")
    write_stdout(f"The signature is right. Key: {made['key']}\n")


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
    for mention in plan.mentions:
        write_stderr(f"Also named in what was written about {mention.application} ({mention.kind}), which stays.")


# Retention. Nothing is erased but by a command, or a timer that runs it.

retention_app = command_group("How long applications are kept, by status; holds; erasing applications that are due.")

Status = Annotated[str, opt.argument("STATUS", "new, screened, shortlisted, rejected or offered.")]
Days = Annotated[
    int, opt.argument("DAYS", "Days after the decision that led to the status; 0 removes the rule.", min=0)
]


@retention_app.command("set")
def set_rule(status: Status, days: Days, job: opt.AnyJob = None, by: opt.Actor = None, set_: opt.Set = None) -> None:
    """Keep applications of a status for this many days; a job's own rule takes precedence.

    Example: evenhand retention set rejected 180
    """
    with session_from(set_, by) as work:
        work.service.store.retention.set_rule(status, days or None, job=job, actor=work.actor)
    where = f" for the job {job}" if job else ""
    write_stdout(f"{status}{where}: {count(days, 'day')}.\n" if days else f"{status}{where}: no rule any more.\n")


@retention_app.command("list")
def list_rules(set_: opt.Set = None) -> None:
    """The rules, and who is on hold."""
    with session_from(set_) as work:
        rules, holds = work.service.store.retention.rules(), work.service.store.retention.holds()
    for rule in rules:
        write_stdout(f"{rule.status:12} {rule.days:6,} days  {rule.job or 'every job'}\n")
    for hold in holds:
        write_stdout(f"on hold      {hold.application}  since {hold.time:%Y-%m-%d}: {printable(hold.reason)}\n")
    if not rules:
        write_stderr("There are no rules: nobody is ever due.")


@retention_app.command()
def run(job: opt.AnyJob = None, yes: opt.Confirmed = False, by: opt.Actor = None, set_: opt.Set = None) -> None:
    """List applications that are due; erase them with --yes. Run it from a timer to schedule it.

    Examples:

    - evenhand retention run
    - evenhand retention run --yes
    """
    from evenhand.applicants.retention import find_due, run_retention
    from evenhand.store.applications import STATUS_NAMES

    with session_from(set_, by) as work:
        periods = find_due(work.service, job=job)
        for period in periods.held:
            write_stderr(f"On hold, and kept: {period.application}, due since {period.until:%Y-%m-%d}.")
        if not yes:
            for period in periods.due:
                write_stdout(f"{period.application}  {STATUS_NAMES[period.status]} since {period.since:%Y-%m-%d}")
                write_stdout(f", due since {period.until:%Y-%m-%d}\n")
            write_stderr(f"{count(len(periods.due), 'application')} due. --yes erases; it cannot be undone.")
            return
        done = run_retention(work.service, actor=work.actor, job=job)
    write_stdout(f"Erased: {count(done.erased, 'application')}.\n")
    for erasure in done.erasures:
        write_stdout(f"Certificate {erasure.id}\n")


@retention_app.command()
def hold(application: opt.ApplicationId, reason: opt.Reason, by: opt.Actor = None, set_: opt.Set = None) -> None:
    """Keep an application whatever the rules say, such as while a court has to decide.

    Example: evenhand retention hold ID --reason "case 7 before the labour court"
    """
    with session_from(set_, by) as work:
        work.service.store.retention.hold(application, reason, actor=work.actor)
    write_stdout("On hold.\n")


@retention_app.command()
def release(application: opt.ApplicationId, by: opt.Actor = None, set_: opt.Set = None) -> None:
    """Lift a hold."""
    with session_from(set_, by) as work:
        work.service.store.retention.lift_hold(application, actor=work.actor)
    write_stdout("Released.\n")
