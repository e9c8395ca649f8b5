"""`evenhand audit swaps`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli.audit_options import AsJson, FailOn, Html, Pdf, finish
from evenhand.cli.mine import AsOf
from evenhand.cli.rank import check_writable, resumes_of
from evenhand.cli.read import SOME_FAILED, Set, flags
from evenhand.cli.terminal import bar, tell
from evenhand.errors import UsageError
from evenhand.settings import Settings, load_settings

if TYPE_CHECKING:
    from evenhand.workflows.auditing.swap_record import SwapAudit, SwapRequest

Files = Annotated[
    list[str] | None,
    typer.Argument(metavar="[JOB] [PATH]...", help="A file with the job, then resumes or folders of them."),
]
KeptJob = Annotated[
    str | None,
    typer.Option("--job", metavar="ID", help="A job of the store and its applicants, instead of files."),
]
Rankers = Annotated[
    list[str] | None,
    typer.Option(
        "--ranker", metavar="NAME", help="Ranker to audit, again for more, or all; best if not given."
    ),
]
Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model", metavar="TASK", help="Model to audit as well: occupation, level, fit or TASK:NAME."
    ),
]
Families = Annotated[
    list[str] | None,
    typer.Option("--family", metavar="NAME", help="What to change, again for more; everything if not given."),
]
Most = Annotated[
    int | None,
    typer.Option("--most", metavar="N", help="Resumes to edit, drawn by chance; else 500."),
]
Shortlist = Annotated[
    int | None,
    typer.Option("--shortlist", metavar="N", help="Places on the shortlist; else a tenth of the pool."),
]
Seed = Annotated[int, typer.Option("--seed", metavar="S", help="Another seed draws other words and resumes.")]
Values = Annotated[
    Path | None,
    typer.Option("--values", metavar="FILE", help="Your own families and words, in TOML as values.toml."),
]
NoRanker = Annotated[bool, typer.Option("--models-only", help="Audit no ranker; then no job is needed.")]


def swaps(
    files: Files = None,
    job: KeptJob = None,
    ranker: Rankers = None,
    model: Models = None,
    models_only: NoRanker = False,
    family: Families = None,
    most: Most = None,
    shortlist: Shortlist = None,
    seed: Seed = 0,
    values: Values = None,
    json: AsJson = False,
    html: Html = None,
    pdf: Pdf = None,
    fail_on: FailOn = None,
    as_of: AsOf = None,
    set_: Set = None,
) -> None:
    """Change a name, a place, a school or a career in every resume, and see whether the result moves.

    Families: name_gender, name_origin, gender_words, place_rural, place_country, work_abroad, school_type, career_gap,
    part_time, career_path, age, affiliation. Every change stands beside a placebo, a change within the same group, and
    counts only if it does more than that. A run that is stopped goes on where it was.

    Exit code: 0 audited, 1 some files could not be read, 2 wrong usage, 3 a finding as bad as --fail-on.

    Examples:

    - evenhand audit swaps job.txt resumes/
    - evenhand audit swaps job.txt resumes/ --ranker all --html audit.html
    - evenhand audit swaps job.txt resumes/ --family name_gender --family career_gap --fail-on concern
    - evenhand audit swaps resumes/ --models-only --model occupation --most 100 --json > audit.json
    - evenhand audit swaps --job JOB_ID --pdf audit.pdf
    """
    from evenhand.search.rankers.registry import RANKERS
    from evenhand.workflows.auditing.requests import KEPT_RANKERS
    from evenhand.workflows.auditing.swap_pool import MOST
    from evenhand.workflows.auditing.swap_record import SwapRequest
    from evenhand.workflows.auditing.swap_report import swap_report

    settings = load_settings(flags(None, set_)).settings
    check_writable(html, pdf)
    every = RANKERS if job is None else KEPT_RANKERS
    rankers = () if models_only else tuple(every) if ranker == ["all"] else tuple(ranker or ("best",))
    request = SwapRequest(
        rankers=rankers,
        models=tuple(model or ()),
        families=tuple(family) if family else None,
        most=MOST if most is None else most,
        shortlist=shortlist,
        seed=seed,
        values=values,
    )
    if job is not None and files:
        raise UsageError("Either files or --job, not both.")
    found = (
        _of_job(job, request, settings)
        if job is not None
        else _of_files(files or [], request, as_of, settings, apart_from=(html, pdf))
    )
    for error in found.errors:
        tell(f"{error.file}: {error.failure.message} ({error.failure.code})")
    finish(swap_report(found), json=json, html=html, pdf=pdf, fail_on=fail_on)
    if found.errors:
        raise typer.Exit(SOME_FAILED)


def _of_job(job: str, request: SwapRequest, settings: Settings) -> SwapAudit:
    from evenhand.workflows.auditing.swap_audit import audit_job
    from evenhand.workflows.opening import open_service

    with open_service(settings) as service:
        return audit_job(service, job, request, watch=bar)


def _of_files(
    files: list[str],
    request: SwapRequest,
    as_of: str | None,
    settings: Settings,
    *,
    apart_from: tuple[Path | None, ...],
) -> SwapAudit:
    """The first file is the job, unless only models are audited that need none."""
    from evenhand.workflows.auditing.swap_audit import audit_swaps
    from evenhand.workflows.job_reading import read_job

    needs_job = bool(request.rankers) or any(model.startswith("fit") for model in request.models)
    if not files:
        raise UsageError("Name the job and the resumes, or a job of the store with --job.")
    job = read_job(files[0], settings) if needs_job else None
    paths = files[1:] if needs_job else files
    resumes, _ = resumes_of(paths, apart_from=(*files[:1], *apart_from) if needs_job else apart_from)
    return audit_swaps(job, resumes, request, as_of=as_of, settings=settings, watch=bar)
