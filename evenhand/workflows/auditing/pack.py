"""The evidence pack of a job: what an authority or a court may ask for, in one archive with the hash of every file.

Nobody is named in it: reports are taken without quotations, and applicants are pseudonyms.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from evenhand.errors import EvenhandError, StoreError, UsageError
from evenhand.models.shelf import SHIPPED, described, models_in
from evenhand.records import canonical_json
from evenhand.records.event import Draft
from evenhand.records.report import Grid, Pair, Paragraph, Report
from evenhand.store import KeptJob
from evenhand.store.audit_rows import DONE
from evenhand.version import __version__
from evenhand.workflows.auditing.duties import NO_ADVICE, duties_markdown, duties_report
from evenhand.workflows.auditing.instructions import instructions
from evenhand.workflows.auditing.notices import Notice, notices
from evenhand.workflows.auditing.outcome_audit import audit_job_outcomes, job_ll144
from evenhand.workflows.auditing.pseudonyms import Pseudonyms, pseudonyms_of
from evenhand.workflows.auditing.running import kept_report
from evenhand.workflows.auditing.writing import html_bytes
from evenhand.workflows.cells import csv_lines
from evenhand.workflows.ledger import verify_ledger
from evenhand.workflows.model_choice import own_models_folder
from evenhand.workflows.service import Service
from evenhand.workflows.watching import Watch, unwatched

EPOCH = (1980, 1, 1, 0, 0, 0)  # the same files give the same archive
MOST_AUDITS = 12
WITHHELD = (
    "The texts that were compared are in the report itself and not in this pack: they are people's resumes."
)
Files = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Pack:
    job: str
    content: bytes
    files: int
    missing: tuple[str, ...]  # what could not be put in, and why


def write_pack(service: Service, job: str, out: Path, *, actor: str, watch: Watch = unwatched) -> Pack:
    made = make_pack(service, job, actor=actor, watch=watch)
    try:
        out.write_bytes(made.content)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}.") from error
    return made


def make_pack(service: Service, job: str, *, actor: str, watch: Watch = unwatched) -> Pack:
    """That it was made, and its hash, go into the ledger."""
    found = service.store.job(job)
    files, missing = _collect(service, found, watch)
    content = _zipped(files)
    body = {"action": "packed", "files": len(files), "sha256": hashlib.sha256(content).hexdigest()}
    service.store.record([Draft("audit", actor, job=found.id, body=body)])
    return Pack(found.id, content, len(files), tuple(missing))


def _collect(service: Service, job: KeptJob, watch: Watch) -> tuple[Files, list[str]]:
    """In the order of the table of duties. A part that cannot be made leaves a file that says why."""
    made = datetime.now(UTC).isoformat(timespec="seconds")
    files: Files = {}
    missing: list[str] = []
    parts: dict[str, Callable[[], Files]] = {
        "ll144/MISSING.txt": lambda: _ll144(service, job, made, watch),
        "adverse-impact/MISSING.txt": lambda: _impact(service, job, watch),
        "audits/MISSING.txt": lambda: _audits(service, job),
        "notices/MISSING.txt": lambda: _notices(service, job),
        "log/MISSING.txt": lambda: _log(service, job, watch),
    }
    for name, part in parts.items():
        try:
            files |= part()
        except StoreError:
            raise
        except EvenhandError as error:
            files[name] = f"{error}\n".encode()
            missing.append(f"{name.partition('/')[0]}: {error}")
    models = [*described(SHIPPED), *described(own_models_folder(service.settings))]
    files |= _models(service)
    files["instructions/instructions-for-use.md"] = instructions(service, job, models).encode()
    files["duties.html"] = html_bytes(duties_report(made))
    files["README.md"] = _readme(job, made, files, missing).encode()
    files["manifest.json"] = _manifest(job, made, files)
    return files, missing


def _ll144(service: Service, job: KeptJob, made: str, watch: Watch) -> Files:
    summary = job_ll144(service, job.id, distributed=_first_used(service, job), watch=watch)
    report = Report(
        "summary",
        "Summary of the results of a bias audit",
        f"{job.title or job.id} · Local Law 144 of New York City",
        made,
        (),
        summary.sections(),
    )
    return {
        "ll144/summary.html": html_bytes(report),
        "ll144/summary.json": _json(summary.to_json()),
        "ll144/summary.csv": "".join(csv_lines(summary.rows())).encode("utf-8"),
    }


def _first_used(service: Service, job: KeptJob) -> str:
    """The day of the first ranking that anybody was shown."""
    first = service.store.events(kinds=["ranking"], job=job.id, limit=1)
    return (first[0].moment if first else job.created).date().isoformat()


def _impact(service: Service, job: KeptJob, watch: Watch) -> Files:
    report = audit_job_outcomes(service, job.id, watch=watch)
    return {
        "adverse-impact/table.html": html_bytes(report),
        "adverse-impact/tables.csv": "".join(csv_lines(_rows(report))).encode("utf-8"),
        "adverse-impact/report.json": _json(report.to_json()),
    }


def _rows(report: Report) -> Iterator[tuple[str, ...]]:
    for section in report.sections:
        for block in section.blocks:
            if isinstance(block, Grid):
                yield ("table", *block.columns)
                yield from ((block.title, *row) for row in block.rows)


def _audits(service: Service, job: KeptJob) -> Files:
    kept = service.store.audits(job=job.id, states=[DONE], limit=MOST_AUDITS)
    if not kept:
        raise UsageError("No audit of this job has been made. To make one: evenhand audit run --job ID")
    names = pseudonyms_of(service, job.id)
    files: Files = {}
    for each in kept:
        report = unquoted(kept_report(service, each.id), names)
        files[f"audits/{each.asked:%Y-%m-%d}-{each.id}.html"] = html_bytes(report)
        files[f"audits/{each.asked:%Y-%m-%d}-{each.id}.json"] = _json(report.to_json())
    files["audits/list.json"] = _json([names.hidden(each.to_json()) for each in kept])
    return files


def unquoted(report: Report, names: Pseudonyms) -> Report:
    """Without resumes, and with pseudonyms for those whom it names."""
    sections = tuple(
        replace(
            section,
            blocks=tuple(
                Paragraph(WITHHELD) if isinstance(block, Pair) else block for block in section.blocks
            ),
        )
        for section in report.sections
    )
    return names.in_report(replace(report, sections=sections))


def _notices(service: Service, job: KeptJob) -> Files:
    found = notices(service.store, job.id)
    if not found:
        raise UsageError("No notice to applicants is on record. To record one: evenhand audit notice")
    return {
        "notices/notices.json": _json([each.to_json() for each in found]),
        "notices/notices.md": _notices_text(found).encode("utf-8"),
    }


def _notices_text(found: list[Notice]) -> str:
    parts = [
        f"## {each.given}, by {each.channel}{'' if each.job else ' (all jobs)'}\n\n"
        f"Event {each.sequence} of the ledger, recorded {each.recorded:%Y-%m-%d %H:%M} UTC, SHA-256 {each.sha256}.\n\n"
        + "\n".join(f"> {line}" for line in each.text.splitlines())
        for each in found
    ]
    return "# Notices to applicants\n\n" + "\n\n".join(parts) + "\n"


def _log(service: Service, job: KeptJob, watch: Watch) -> Files:
    """As it stands in the chain, so that its hashes can be taken again; people are seals there."""
    events = b"".join(
        (canonical_json(event.to_json()) + "\n").encode("utf-8", "backslashreplace")
        for event in service.store.walk_events(job=job.id)
    )
    verified = verify_ledger(service.store, service.settings, watch=watch)
    return {"log/events.jsonl": events, "log/verification.json": _json(verified.to_json())}


def _models(service: Service) -> Files:
    folders = {**models_in(own_models_folder(service.settings)), **models_in(SHIPPED)}
    files: Files = {}
    for name, folder in folders.items():
        card = folder / "card.md"
        if card.is_file():
            files[f"models/{_plain(name)}.md"] = card.read_bytes()
    return files


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name)


def _readme(job: KeptJob, made: str, files: Files, missing: list[str]) -> str:
    lacking = "\n".join(f"- {line}" for line in missing) or "Nothing."
    return README.format(
        job=job.title or job.id,
        id=job.id,
        made=made,
        version=__version__,
        duties=duties_markdown(),
        missing=lacking,
        advice=NO_ADVICE,
    )


README = """# Evidence pack: {job}

Job {id}. Made {made} by Evenhand {version}.

Nobody who applied is named here: reports quote no resumes, the log knows people by seals. `manifest.json` has the
SHA-256 of every file; the ledger of the installation has that of this archive.

## What could not be put in

{missing}

## Which duty is answered where

{advice}

{duties}"""


def _manifest(job: KeptJob, made: str, files: Files) -> bytes:
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}
    return _json({"job": job.id, "made": made, "version": __version__, "sha256": sums})


def _json(value: object) -> bytes:
    text = json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return (text + "\n").encode("utf-8", "backslashreplace")


def _zipped(files: Files) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, EPOCH), files[name], zipfile.ZIP_DEFLATED)
    return out.getvalue()
