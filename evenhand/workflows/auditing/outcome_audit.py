"""Do groups fare differently: the audit of a job's decisions and ranking, and of any table that somebody has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from evenhand.audit.outcomes.ll144 import Ll144Summary, ll144_summary
from evenhand.audit.outcomes.measuring import LeftOut, measure
from evenhand.audit.outcomes.reporting import outcome_report
from evenhand.errors import UsageError
from evenhand.records.report import Paragraph, Report, Section
from evenhand.version import __version__
from evenhand.workflows.auditing.outcome_sample import JobSample, job_sample
from evenhand.workflows.auditing.outcome_table import TableColumns, meaning, table_sample
from evenhand.workflows.auditing.table_file import read_table
from evenhand.workflows.service import Service
from evenhand.workflows.watching import Watch, unwatched

JOB_TITLE = "Do groups fare differently?"


def audit_job_outcomes(
    service: Service,
    job: str | None,
    *,
    variables: Sequence[str] | None = None,
    shortlist: int | None = None,
    left_out: LeftOut | None = None,
    watch: Watch = unwatched,
) -> Report:
    """Of one job, or of all jobs together. `shortlist` is how many of the ranking to look at; as many as selected
    if not given."""
    found = job_sample(service, job, variables=variables, watch=watch)
    outcomes = measure(found.sample, shortlist=shortlist, left_out=left_out)
    return outcome_report(
        outcomes,
        title=JOB_TITLE,
        subject=_subject(found),
        made=_now(),
        chosen=found.sample.chosen,
        band_name=found.sample.band_name,
        first=(_what_was_counted(found, all_jobs=job is None),),
        facts=(
            ("jobs", f"{len(found.jobs):,}"),
            ("undecided", f"{found.undecided:,}"),
            ("ranker", found.ranker or "none"),
            ("Evenhand", __version__),
        ),
        data={"jobs": list(found.jobs), "undecided": found.undecided, "ranker": found.ranker},
    )


def audit_table_outcomes(
    file: Path,
    columns: TableColumns,
    *,
    shortlist: int | None = None,
    left_out: LeftOut | None = None,
) -> Report:
    """Of a table, without any store."""
    table = read_table(file)
    sample, skipped = table_sample(table, columns)
    outcomes = measure(sample, shortlist=shortlist, left_out=left_out)
    about = f"{len(table.rows):,} rows of {table.name}. {meaning(columns)}"
    if skipped:
        about += f" {skipped:,} rows without an outcome are left out."
    return outcome_report(
        outcomes,
        title=JOB_TITLE,
        subject=table.name,
        made=_now(),
        chosen=sample.chosen,
        band_name=sample.band_name,
        first=(Section("What was counted", (Paragraph(about),)),),
        facts=(("rows left out", f"{skipped:,}"), ("Evenhand", __version__)),
        data={"rows": len(table.rows), "rows_left_out": skipped},
    )


def job_ll144(
    service: Service,
    job: str | None,
    *,
    distributed: str,
    tool: str | None = None,
    left_out: LeftOut | None = None,
    watch: Watch = unwatched,
) -> Ll144Summary:
    """What the public page of Local Law 144 has to say; `distributed` is the day the tool was first used."""
    found = job_sample(service, job, variables=("sex", "race"), watch=watch)
    day = datetime.now(UTC).date().isoformat()
    return ll144_summary(
        found.sample,
        tool=tool or f"Evenhand {__version__}, ranker {found.ranker or 'none'}",
        audited=day,
        distributed=checked_day(distributed),
        data_statement=_data_statement(found),
        left_out=left_out,
    )


def checked_day(text: str) -> str:
    try:
        return datetime.fromisoformat(text).date().isoformat()
    except ValueError as error:
        raise UsageError(f"{text!r} is not a day; write it as 2026-01-31.") from error


def parse_left_out(wishes: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
    """From "race=Two or more races=why": the variable, the group, and the justification."""
    found: dict[str, dict[str, str]] = {}
    for wish in wishes:
        variable, _, rest = wish.partition("=")
        group, _, reason = rest.partition("=")
        if not (variable.strip() and group.strip() and reason.strip()):
            raise UsageError(f"{wish!r} should be VARIABLE=GROUP=WHY.")
        found.setdefault(variable.strip(), {})[group.strip()] = reason.strip()
    return found


def _subject(found: JobSample) -> str:
    return found.titles[0] if len(found.titles) == 1 else f"{len(found.titles):,} jobs together"


def _what_was_counted(found: JobSample, *, all_jobs: bool) -> Section:
    size = found.sample.size
    texts = [
        f"{size:,} applications. Selected are those that {found.sample.chosen}, also if they were rejected later; what "
        f"was decided and taken back does not count. On {found.undecided:,} nothing is decided yet: they count as "
        "not selected."
    ]
    if found.ranker:
        compared = (
            "each as the share of the job's applicants who score less" if all_jobs else "as they are now"
        )
        texts.append(f"Scores are those of the ranker {found.ranker}, {compared}.")
    return Section("What was counted", tuple(Paragraph(text) for text in texts))


def _data_statement(found: JobSample) -> str:
    came = f"received from {found.first} to {found.last}" if found.first else "none received yet"
    return (
        f"Historical data of this employer: {found.sample.size:,} applications for {len(found.jobs):,} "
        f"{'job' if len(found.jobs) == 1 else 'jobs'}, {came}. Sex and race are what applicants said of themselves "
        f"when asked; none was inferred. Selected are those that {found.sample.chosen}; on {found.undecided:,} nothing "
        "is decided yet."
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
