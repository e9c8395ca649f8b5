"""The evidence pack of a job: what an authority or a court may ask for, in one archive with the hash of every file.

Nobody is named in it: reports are taken without quotations, and applicants are pseudonyms.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from evenhand.audit.notices import notices
from evenhand.audit.outcomes.run import audit_job_outcomes, job_ll144
from evenhand.audit.pseudonyms import Pseudonyms, pseudonyms_of
from evenhand.audit.run import kept_report
from evenhand.errors import EvenhandError, StoreError, UsageError
from evenhand.ledger.verify import verify_ledger
from evenhand.models.manifest import Manifest
from evenhand.models.registry import SHIPPED, described, models_in, own_models_folder
from evenhand.progress import Progress, no_progress
from evenhand.records import canonical_json
from evenhand.records.event import EventDraft
from evenhand.records.report import Report, ReportParagraph, ReportSection, ReportTable, TextPair
from evenhand.rendering.cells import csv_lines
from evenhand.rendering.html import resource, write_file
from evenhand.rendering.report_pdf import html_bytes
from evenhand.search.service import Service
from evenhand.store.audits import DONE
from evenhand.store.jobs import StoredJob
from evenhand.version import __version__

COLUMNS = ("Duty", "What it asks for", "What answers it here", "Where it is in the pack")
NO_ADVICE = (
    "This table is a reading for practitioners and no legal advice. It shows where the evidence is, not that a duty is "
    "met; dates of laws that were not in force in November 2026 may have moved."
)


@dataclass(frozen=True, slots=True)
class Duty:
    law: str
    asks: str
    feature: str
    files: tuple[str, ...]

    @property
    def row(self) -> tuple[str, str, str, str]:
        return self.law, self.asks, self.feature, ", ".join(self.files)


def _duties() -> tuple[Duty, ...]:
    """Which law asks for what, which part of Evenhand answers, and which files of the pack show it."""
    duties = tomllib.loads(resource(__package__, "duties.toml"))["duty"]
    return tuple(Duty(duty["law"], duty["asks"], duty["feature"], tuple(duty["files"])) for duty in duties)


DUTIES = _duties()


def duties_markdown() -> str:
    lines = [f"| {' | '.join(COLUMNS)} |", "|" + "---|" * len(COLUMNS)]
    for duty in DUTIES:
        files = ", ".join(f"`{file}`" for file in duty.files)
        lines.append(f"| {' | '.join((*duty.row[:3], files))} |")
    return "\n".join(lines) + "\n"


# Instructions for use of this installation, in the order in which the EU AI Act lists what they have to say.


def instructions(service: Service, job: StoredJob, models: list[Manifest]) -> str:
    """Markdown."""
    weights = service.weights.in_force()
    origin = f"version {weights.version}, learned from decisions" if weights.version else "the defaults"
    parts = ", ".join(f"{name} {value:g}" for name, value in weights.weights.to_json().items())
    settings = service.settings
    named = ", ".join(f"{model.name} {model.version}" for model in models) or "none"
    shown = service.store.job_settings.get(job.id)
    return resource(__package__, "instructions.md").format(
        version=__version__,
        job=job.title or job.id,
        weights=origin,
        parts=parts,
        models=named,
        pages=settings.page_models or "none",
        fit="no part in it" if not settings.fit_weight else f"{settings.fit_weight:g} points of 100 in folders only",
        blind="blind: names, contact data, photos, age, gender and addresses are masked" if shown.blind else "openly",
        contact=settings.rights_contact or "not set: the setting rights_contact names it",
    )


EPOCH = (1980, 1, 1, 0, 0, 0)  # the same files give the same archive
MAX_AUDITS = 12
WITHHELD = "The texts that were compared are in the report itself and not in this pack: they are people's resumes."
Files = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Pack:
    job: str
    content: bytes
    files: int
    missing: tuple[str, ...]  # what could not be put in, and why


def write_pack(service: Service, job: str, out: Path, *, actor: str, progress: Progress = no_progress) -> Pack:
    made = make_pack(service, job, actor=actor, progress=progress)
    write_file(out, made.content)
    return made


def make_pack(service: Service, job: str, *, actor: str, progress: Progress = no_progress) -> Pack:
    """That it was made, and its hash, go into the ledger."""
    stored = service.store.jobs.get(job)
    files, missing = _collect(service, stored, progress)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, EPOCH), files[name], zipfile.ZIP_DEFLATED)
    content = out.getvalue()
    body = {"action": "packed", "files": len(files), "sha256": hashlib.sha256(content).hexdigest()}
    service.store.ledger.append([EventDraft("audit", actor, job=stored.id, body=body)])
    return Pack(stored.id, content, len(files), tuple(missing))


def _collect(service: Service, job: StoredJob, progress: Progress) -> tuple[Files, list[str]]:
    """In the order of the table of duties. A part that cannot be made leaves a file that says why."""
    moment = datetime.now(UTC).isoformat(timespec="seconds")
    files: Files = {}
    missing: list[str] = []
    parts: dict[str, Callable[[], Files]] = {
        "ll144/MISSING.txt": lambda: _ll144(service, job, moment, progress),
        "adverse-impact/MISSING.txt": lambda: _impact(service, job, progress),
        "audits/MISSING.txt": lambda: _audits(service, job),
        "notices/MISSING.txt": lambda: _notices(service, job),
        "log/MISSING.txt": lambda: _log(service, job, progress),
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
    grid = ReportTable("Duties, features, evidence", COLUMNS, tuple(duty.row for duty in DUTIES))
    section = ReportSection("Which duty is answered where", (ReportParagraph(NO_ADVICE), grid))
    duties = Report("summary", "Duties and their evidence", "Evidence pack", moment, (), (section,))
    files["duties.html"] = html_bytes(duties)
    readme = README.format(
        job=job.title or job.id,
        id=job.id,
        made=moment,
        version=__version__,
        duties=duties_markdown(),
        missing="\n".join(f"- {line}" for line in missing) or "Nothing.",
        advice=NO_ADVICE,
    )
    files["README.md"] = readme.encode()
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}
    files["manifest.json"] = _json({"job": job.id, "made": moment, "version": __version__, "sha256": sums})
    return files, missing


def _ll144(service: Service, job: StoredJob, made: str, progress: Progress) -> Files:
    first = service.store.ledger.events(kinds=["ranking"], job=job.id, limit=1)  # the first that anybody was shown
    first_used = (first[0].moment if first else job.created).date().isoformat()
    summary = job_ll144(service, job.id, distributed=first_used, progress=progress)
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


def _impact(service: Service, job: StoredJob, progress: Progress) -> Files:
    report = audit_job_outcomes(service, job.id, progress=progress)
    return {
        "adverse-impact/table.html": html_bytes(report),
        "adverse-impact/tables.csv": "".join(csv_lines(_rows(report))).encode("utf-8"),
        "adverse-impact/report.json": _json(report.to_json()),
    }


def _rows(report: Report) -> Iterator[tuple[str, ...]]:
    for section in report.sections:
        for block in section.blocks:
            if isinstance(block, ReportTable):
                yield ("table", *block.columns)
                yield from ((block.title, *row) for row in block.rows)


def _audits(service: Service, job: StoredJob) -> Files:
    audits = service.store.audits.all(job=job.id, states=[DONE], limit=MAX_AUDITS)
    if not audits:
        raise UsageError("No audit of this job has been made. To make one: evenhand audit run --job ID")
    names = pseudonyms_of(service, job.id)
    files: Files = {}
    for audit in audits:
        report = unquoted(kept_report(service, audit.id), names)
        files[f"audits/{audit.asked:%Y-%m-%d}-{audit.id}.html"] = html_bytes(report)
        files[f"audits/{audit.asked:%Y-%m-%d}-{audit.id}.json"] = _json(report.to_json())
    files["audits/list.json"] = _json([names.hidden(audit.to_json()) for audit in audits])
    return files


def unquoted(report: Report, names: Pseudonyms) -> Report:
    """Without resumes, and with pseudonyms for those whom it names."""
    sections = tuple(
        replace(
            section,
            blocks=tuple(
                ReportParagraph(WITHHELD) if isinstance(block, TextPair) else block for block in section.blocks
            ),
        )
        for section in report.sections
    )
    return names.in_report(replace(report, sections=sections))


def _notices(service: Service, job: StoredJob) -> Files:
    given = notices(service.store, job.id)
    if not given:
        raise UsageError("No notices to applicants yet. To record one: evenhand audit notice")
    parts = [
        f"## {notice.given}, by {notice.channel}{'' if notice.job else ' (all jobs)'}\n\n"
        f"Event {notice.sequence} of the ledger, recorded {notice.recorded:%Y-%m-%d %H:%M} UTC, "
        f"SHA-256 {notice.sha256}.\n\n" + "\n".join(f"> {line}" for line in notice.text.splitlines())
        for notice in given
    ]
    text = "# Notices to applicants\n\n" + "\n\n".join(parts) + "\n"
    return {
        "notices/notices.json": _json([notice.to_json() for notice in given]),
        "notices/notices.md": text.encode("utf-8"),
    }


def _log(service: Service, job: StoredJob, progress: Progress) -> Files:
    """As it stands in the chain, so that its hashes can be taken again; people are seals there."""
    events = b"".join(
        (canonical_json(event.to_json()) + "\n").encode("utf-8", "backslashreplace")
        for event in service.store.ledger.walk(job=job.id)
    )
    verified = verify_ledger(service.store, service.settings, progress=progress)
    return {"log/events.jsonl": events, "log/verification.json": _json(verified.to_json())}


def _models(service: Service) -> Files:
    folders = {**models_in(own_models_folder(service.settings)), **models_in(SHIPPED)}
    files: Files = {}
    for name, folder in folders.items():
        card = folder / "card.md"
        if card.is_file():
            files[f"models/{re.sub(r'[^A-Za-z0-9_-]+', '-', name)}.md"] = card.read_bytes()
    return files


README = """# Evidence pack: {job}

Job {id}. Made {made} by Evenhand {version}.

Nobody who applied is named here: reports quote no resumes, the log knows people by seals. `manifest.json` has the
SHA-256 of every file; the ledger of the installation has that of this archive.

## What could not be put in

{missing}

## Which duty is answered where

{advice}

{duties}"""


def _json(value: object) -> bytes:
    text = json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return (text + "\n").encode("utf-8", "backslashreplace")
