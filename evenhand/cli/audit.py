"""`evenhand audit`: does a name, a place, a school or a gap move the result, and do groups fare differently."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli import options as opt
from evenhand.cli.audit_outcomes import groups, outcomes
from evenhand.cli.audit_records import ReportFile, keep, list_audits, notice, pack, run, show_audit
from evenhand.cli.inputs import check_writable, resume_files
from evenhand.cli.options import command_group, settings_from
from evenhand.cli.report.audit_report import finish
from evenhand.cli.terminal import SOME_FAILED, bar, write_stderr
from evenhand.errors import UsageError
from evenhand.extras import require
from evenhand.settings import Settings

if TYPE_CHECKING:
    from evenhand.audit.swaps.scoring import SwapAudit, SwapRequest


Folder = Annotated[
    Path,
    opt.argument(
        "FOLDER", "A generated corpus, or resumes with labels.csv (file, label) and groups.csv (file, variables)."
    ),
]
Variables = Annotated[
    list[str] | None, opt.option("--variable NAME", "Only these columns of the groups; repeat it. All if not given.")
]
ModelMaxResumes = Annotated[
    int | None, opt.option("--sample --most N", "Read at most N resumes, spread evenly.", min=1)
]
Card = Annotated[bool, opt.option("--card", "Write the figures by group into the model's card and manifest.")]


def model(
    task: opt.TaskName,
    folder: Folder,
    model: opt.ModelName = None,
    variable: Variables = None,
    most: ModelMaxResumes = None,
    seed: opt.Seed = 0,
    card: Card = False,
    json: opt.AsJson = False,
    html: opt.HtmlFile = None,
    pdf: opt.PdfFile = None,
    fail_on: opt.FailOn = None,
    set_: opt.Set = None,
) -> None:
    """Audit a model on resumes whose labels and groups are known: gaps, confidence, leakage, and where it errs.

    The model judges every resume without knowing its groups. Then groups are compared among resumes with the same true
    label, and probes try to tell the groups from what the model sees. A finding is never called clear where the test
    could not have found anything.

    Exit code: 0 audited, 2 wrong usage, 3 a finding is as bad as --fail-on.

    Examples:

    - evenhand audit model occupation corpus/
    - evenhand audit model level corpus/ --variable gender --html level.html --pdf level.pdf
    - evenhand audit model fit labelled/ --model my-fit --json > fit.json
    - evenhand audit model level corpus/ --model my-level --card
    """
    from evenhand.audit.models.run import audit_model

    settings = settings_from(set_)
    report = audit_model(
        task, folder, model=model, variables=variable, most=most, seed=seed, settings=settings, progress=bar
    )
    if card:
        from evenhand.audit.models.run import update_card

        manifest = update_card(report, task, model=model, settings=settings)
        write_stderr(f"The card of {manifest.name} {manifest.version} tells what was found by group.")
    finish(report, json=json, html=html, pdf=pdf, fail_on=fail_on)


Files = Annotated[
    list[str] | None, opt.argument("[JOB] [PATH]...", "A file with the job, then resumes or folders of them.")
]
KeptJob = Annotated[str | None, opt.option("--job ID", "A job of the store and its applicants, instead of files.")]
Rankers = Annotated[
    list[str] | None, opt.option("--ranker NAME", "Ranker to audit, again for more, or all; best if not given.")
]
Models = Annotated[
    list[str] | None, opt.option("--model TASK", "Model to audit as well: occupation, level, fit or TASK:NAME.")
]
Families = Annotated[
    list[str] | None, opt.option("--family NAME", "What to change, again for more; everything if not given.")
]
SwapMaxResumes = Annotated[
    int | None, opt.option("--sample --most N", "How many resumes to edit, drawn at random; 500 if not given.")
]
Shortlist = Annotated[
    int | None, opt.option("--shortlist N", "Places on the shortlist; a tenth of the pool if not given.")
]
Values = Annotated[Path | None, opt.option("--values FILE", "Your own families and words, in TOML as values.toml.")]
NoRanker = Annotated[bool, opt.option("--models-only", "Audit no ranker; then no job is needed.")]


def swaps(
    files: Files = None,
    job: KeptJob = None,
    ranker: Rankers = None,
    model: Models = None,
    models_only: NoRanker = False,
    family: Families = None,
    most: SwapMaxResumes = None,
    shortlist: Shortlist = None,
    seed: opt.Seed = 0,
    values: Values = None,
    json: opt.AsJson = False,
    html: opt.HtmlFile = None,
    pdf: opt.PdfFile = None,
    fail_on: opt.FailOn = None,
    as_of: opt.AsOf = None,
    set_: opt.Set = None,
) -> None:
    """Change a name, a place, a school or a career in every resume, and see whether the result changes.

    Families: name_gender, name_origin, gender_words, place_rural, place_country, work_abroad, school_type, career_gap,
    part_time, career_path, age, affiliation. Every change stands beside a placebo, a change within the same group, and
    counts only if it does more than that. An interrupted run continues where it stopped.

    Exit code: 0 audited, 1 some files could not be read, 2 wrong usage, 3 a finding as bad as --fail-on.

    Examples:

    - evenhand audit swaps job.txt resumes/
    - evenhand audit swaps job.txt resumes/ --ranker all --html audit.html
    - evenhand audit swaps job.txt resumes/ --family name_gender --family career_gap --fail-on concern
    - evenhand audit swaps resumes/ --models-only --model occupation --sample 100 --json > audit.json
    - evenhand audit swaps --job JOB_ID --pdf audit.pdf
    """
    from evenhand.audit.run import KEPT_RANKERS
    from evenhand.audit.swaps.editing import MAX_SUBJECTS
    from evenhand.audit.swaps.report import swap_report
    from evenhand.audit.swaps.scoring import SwapRequest
    from evenhand.search.rankers.registry import RANKERS

    settings = settings_from(set_)
    check_writable(html, pdf)
    every = RANKERS if job is None else KEPT_RANKERS
    rankers = () if models_only else tuple(every) if ranker == ["all"] else tuple(ranker or ("best",))
    request = SwapRequest(
        rankers=rankers,
        models=tuple(model or ()),
        families=tuple(family) if family else None,
        most=MAX_SUBJECTS if most is None else most,
        shortlist=shortlist,
        seed=seed,
        values=values,
    )
    if job is not None and files:
        raise UsageError("Either files or --job, not both.")
    if job is not None:
        from evenhand.audit.swaps.run import audit_job
        from evenhand.screening.service import open_service

        with open_service(settings) as service:
            audit = audit_job(service, job, request, progress=bar)
    else:
        audit = _of_files(files or [], request, as_of, settings, apart_from=(html, pdf))
    for error in audit.errors:
        write_stderr(f"{error.file}: {error.failure.message} ({error.failure.code})")
    finish(swap_report(audit), json=json, html=html, pdf=pdf, fail_on=fail_on)
    if audit.errors:
        raise typer.Exit(SOME_FAILED)


def _of_files(
    files: list[str],
    request: SwapRequest,
    as_of: str | None,
    settings: Settings,
    *,
    apart_from: tuple[Path | None, ...],
) -> SwapAudit:
    """The first file is the job, unless only models are audited that need none."""
    from evenhand.audit.swaps.run import audit_swaps
    from evenhand.mining.pipeline import read_job

    needs_job = bool(request.rankers) or any(model.startswith("fit") for model in request.models)
    if not files:
        raise UsageError("Name the job and the resumes, or a job of the store with --job.")
    job = read_job(files[0], settings) if needs_job else None
    paths = files[1:] if needs_job else files
    resumes, _ = resume_files(paths, apart_from=(*files[:1], *apart_from) if needs_job else apart_from)
    return audit_swaps(job, resumes, request, as_of=as_of, settings=settings, progress=bar)


app = command_group("Bias audits: what changes a result, how groups fare, and reports to act on.")

app.command()(swaps)
app.command()(outcomes)
app.command()(model)


@app.command()
def report(
    file: ReportFile,
    json: opt.AsJson = False,
    html: opt.HtmlFile = None,
    pdf: opt.PdfFile = None,
    fail_on: opt.FailOn = None,
) -> None:
    """Show a report that was printed as JSON, or write it as a page or a PDF.

    Examples:

    - evenhand audit report report.json
    - evenhand audit report report.json --html report.html --pdf report.pdf
    """
    require("audit")
    from evenhand.rendering.report_pdf import read_report

    finish(read_report(file), json=json, html=html, pdf=pdf, fail_on=fail_on)


app.command()(run)
app.command()(keep)
app.command("list")(list_audits)
app.command("show")(show_audit)
app.command()(notice)
app.command()(pack)
app.add_typer(groups, name="groups")
