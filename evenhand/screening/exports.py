"""The list of a job taken away as a spreadsheet: as the viewer may see it, in the order of the page, on record."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePath
from typing import IO

import xlsxwriter

from evenhand.errors import Forbidden, NotFound
from evenhand.ledger.recording import Recorder, denial_draft, export_drafts
from evenhand.records import Flag, Job, Match, Part, Result, Score
from evenhand.records.event import EventDraft
from evenhand.rendering.cells import BYTE_ORDER_MARK, Cell, csv_lines
from evenhand.screening.candidate_history import flag_rows
from evenhand.screening.candidate_list import Viewer
from evenhand.screening.redaction import redact_application
from evenhand.search.criteria import Criteria
from evenhand.search.matching import count_musts, match_skills
from evenhand.search.screener import OrderedCandidates, Screener, SearchHit, SearchRequest, skills_of
from evenhand.search.service import Service
from evenhand.store.applications import STATUS_NAMES, Application
from evenhand.text.wording import ONLY_IN_NAMES, UNKNOWN_DURATION

MAX_ROWS = 10_000  # rows
STEP = 50  # rows asked for at once; what others of them sent is compared pair by pair
MAX_PARTS = 12  # columns; rankers that count every word of the job have hundreds
MAX_CELL_LENGTH = 32_767  # characters that XLSX can hold
HEADS = (
    "rank",
    "candidate",
    "application",
    "status",
    "source",
    "received",
    "file",
    "score",
    "must-haves met",
    "must-haves asked",
    "matched (months)",
    "missing",
    "flags",
    "tags",
    "latest job",
    "employer",
    "city",
    "degree",
    "relevant months",
    "total months",
    "stated by the applicant",  # of the columns before, what only a form says
)
STATED_WORDS = {"degree": "degree", "city": "city", "total_months": "total months"}
CONTACT_HEADS = ("e-mail", "phone")


@dataclass(frozen=True)
class Export:
    """Rows are made when they are asked for, so that the first ones are on their way at once."""

    heads: tuple[str, ...]
    rows: Iterator[tuple[Cell, ...]]
    count: int
    total: int  # in the list, of which `count` are here
    name: str  # of the file, without its ending


def prepare_export(
    service: Service, recorder: Recorder, viewer: Viewer, criteria: Criteria, *, form: str, contact: bool = False
) -> Export:
    """On record before the first row leaves. `contact` adds addresses and phones, for those who may see them."""
    if contact and "contact" in viewer.visibility.kinds:
        raise Forbidden("Contact data are masked for you and cannot be exported.")
    criteria = viewer.visibility.criteria(criteria)
    job = criteria.job or ""
    with service.screener(job, ranker=criteria.ranker) as screener:
        request = screener.ask(criteria)
        total = screener.snapshot.count(request.filter.query())
        ordered, rows = _ordered(screener, request, total)
    ids = [ordered.keys[row] for row in rows]
    recorder.record(list(_drafts(viewer.user, criteria, ids, form=form, contact=contact)))
    parts = ordered.table.names if len(ordered.table.names) <= MAX_PARTS else ()
    maker = _Rows(service, viewer, screener, ordered, parts, contact)
    heads = (*HEADS, *(CONTACT_HEADS if contact else ()), *(f"part: {name}" for name in parts))
    title = service.store.jobs.get(job).title or "job"
    plain = re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-").lower()[:60] or "job"
    return Export(heads, maker.make(rows), len(rows), total, f"{plain}-{datetime.now(UTC):%Y-%m-%d}")


def csv_bytes(export: Export) -> Iterator[bytes]:
    yield BYTE_ORDER_MARK.encode()
    for line in csv_lines([export.heads]):
        yield line.encode()
    for line in csv_lines(export.rows):
        yield line.encode("utf-8", "replace")


def write_xlsx(export: Export, file: IO[bytes]) -> None:
    """Every text is written as text: nothing is a formula, a link or a number because of how it looks."""
    options = {
        "constant_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    with xlsxwriter.Workbook(file, options) as book:
        sheet = book.add_worksheet("Candidates")
        sheet.freeze_panes(1, 2)
        sheet.set_column(1, 1, 28)
        bold = book.add_format({"bold": True})
        for column, head in enumerate(export.heads):
            sheet.write_string(0, column, head, bold)
        for number, row in enumerate(export.rows, start=1):
            for column, cell in enumerate(row):
                if isinstance(cell, int | float):
                    sheet.write_number(number, column, cell)
                elif cell:
                    # Half of a surrogate pair cannot be written, and a cell has a limit.
                    sheet.write_string(number, column, cell.encode("utf-8", "replace").decode()[:MAX_CELL_LENGTH])


def _ordered(screener: Screener, request: SearchRequest, total: int) -> tuple[OrderedCandidates, list[int]]:
    """First as on the page, which looks at some thousand at most; behind them the others, by their score."""
    ordered = screener.order(request, depth=screener.depth)
    if total <= len(ordered.rows) or len(ordered.rows) >= MAX_ROWS:
        return ordered, ordered.rows[:MAX_ROWS]
    more = screener.order(request, depth=min(total, MAX_ROWS))
    first = [ordered.keys[row] for row in ordered.rows]
    place = {key: row for row, key in enumerate(more.keys)}
    seen = set(first)
    rows = [place[key] for key in first if key in place]
    rows += [row for row in more.rows if more.keys[row] not in seen]
    return more, rows[:MAX_ROWS]


@dataclass(frozen=True)
class _Rows:
    service: Service
    viewer: Viewer
    screener: Screener
    ordered: OrderedCandidates
    parts: tuple[str, ...]
    contact: bool

    def make(self, rows: Sequence[int]) -> Iterator[tuple[Cell, ...]]:
        for start in range(0, len(rows), STEP):
            step = enumerate(rows[start : start + STEP], start=start + 1)
            yield from self._seen([self._listed(rank, row) for rank, row in step])

    def _listed(self, rank: int, row: int) -> SearchHit:
        """Without the snippets, which take the longest and are not exported."""
        screener = self.screener
        entry = screener.snapshot.entry(self.ordered.addresses[row])
        names = frozenset(name for demand in screener.job.demands for name in demand.skills)
        matching = match_skills(screener.job, skills_of(entry, names))
        flags = [Flag(**flag) for flag in entry.flags]
        flags += screener.lists.flags_of(entry.employers, entry.universities, entry.card.form)
        # Parts of the score without their reasons, which are made for reading.
        table = self.ordered.table
        score = Score(tuple(map(Part, table.names, table.values[row].tolist())))
        result = Result(rank, entry.card.file, entry.card.name, score, matching.matched, matching.missing, tuple(flags))
        return SearchHit(result, entry)

    def _seen(self, listed: Sequence[SearchHit]) -> Iterator[tuple[Cell, ...]]:
        store, viewer = self.service.store, self.viewer
        ids = [hit.entry.application for hit in listed]
        applications = {
            application.id: application
            for application in store.applications.get_many(sorted(store.erasures.present(ids)))
        }
        there = [hit for hit in listed if hit.entry.application in applications]  # others were erased meanwhile
        ids = list(applications)
        alerts = store.duplicates.alerts(ids, may_see=viewer.may_see)
        tags, aside = store.notes.tags(ids), store.notes.dismissed_flags(ids)
        for hit in there:
            id = hit.entry.application
            rows = flag_rows(alerts[id], hit.result.flags, aside.get(id, {}))
            flags = [f"{row.title}: {row.message}" for row in rows if row.set_aside is None]
            yield self._row(hit, applications[id].received, flags, tags.get(id, ()))

    def _row(
        self, listed: SearchHit, received: datetime, flags: Sequence[str], tags: Sequence[str]
    ) -> tuple[Cell, ...]:
        visibility, id = self.viewer.visibility, listed.entry.application
        seen = listed
        if not visibility.is_open:
            masker = visibility.masker_of(listed.entry, self.service.masks.of)
            seen = visibility.seen(listed, masker)
            flags, tags = masker.clean_all(flags), masker.clean_all(tags)
        result, entry = seen.result, seen.entry
        addresses: tuple[Cell, ...] = ()
        if self.contact:
            profile = self.service.store.applications.profile(id)
            facts = (profile.emails, profile.phones) if profile else ((), ())
            addresses = tuple(", ".join(fact.value for fact in values) for values in facts)
        values = {part.name: part.value for part in result.score.parts}
        musts = count_musts(self.screener.job, result.matched)
        return (
            result.rank,
            result.candidate,
            entry.application,
            STATUS_NAMES.get(entry.status or "", entry.status),
            entry.source,
            f"{received.astimezone(UTC):%Y-%m-%d}",
            PurePath(result.file).name if result.file else None,
            round(result.score.value, 6),
            musts.met,
            musts.asked,
            "; ".join(map(matched_words, result.matched)),
            "; ".join(missing_names(result, self.screener.job)),
            "; ".join(flags),
            "; ".join(tags),
            entry.card.title,
            entry.card.employer,
            entry.city,
            entry.degree,
            entry.relevant_months,
            entry.total_months,
            "; ".join(STATED_WORDS[name] for name in entry.stated),
            *addresses,
            *(round(values.get(name, 0.0), 6) for name in self.parts),
        )


def _drafts(actor: str, criteria: Criteria, ids: Sequence[str], *, form: str, contact: bool) -> Iterator[EventDraft]:
    """The search is kept once, with the first: its words may name somebody."""
    for number, draft in enumerate(export_drafts(actor, criteria.job or "", ids, what=form)):
        sealed = {} if number else {"criteria": criteria.to_json()}
        yield replace(draft, body={**draft.body, "contact": contact}, sealed=sealed)


def matched_words(match: Match) -> str:
    months = UNKNOWN_DURATION if match.months is None else match.months
    return f"{match.skill} ({months}{f', {ONLY_IN_NAMES}' if match.only_in_names else ''})"


def missing_names(result: Result, job: Job) -> Iterator[str]:
    """With the alternatives the job allows: "java or .net"."""
    alternatives = {demand.skills[0]: demand.skills for demand in job.demands if demand.must}
    return (" or ".join(alternatives.get(name, (name,))) for name in result.missing)


# A resume leaves the house: the file as it came for who sees all of it, the masked text for everybody else.

ENDINGS = ("pdf", "docx", "doc", "odt", "rtf", "html", "txt")
ORIGINAL = "original file"
MASKED = "masked text"


@dataclass(frozen=True, slots=True)
class Download:
    """`name` is made here: that of the file itself was chosen by a stranger, and mostly holds a name."""

    name: str
    media_type: str
    data: bytes


def original(service: Service, recorder: Recorder, viewer: Viewer, application: Application) -> Download:
    if not viewer.visibility.is_open:
        path = f"/applications/{application.id}/original"
        recorder.record([denial_draft(viewer.user, what=ORIGINAL, status=403, path=path, job=application.job)])
        raise Forbidden("The original shows what is masked for you. Its text can be downloaded masked.")
    data = service.store.files.read(application.document)
    documents = service.store.documents.info([application.document])
    format = documents[0].format if documents else None
    ending = format if format in ENDINGS else "bin"
    _record(recorder, viewer, application, ORIGINAL)
    return Download(f"resume-{application.id}.{ending}", "application/octet-stream", data)


def masked_text(service: Service, recorder: Recorder, viewer: Viewer, application: Application) -> Download:
    """The text as the viewer sees it; whole for who sees all of it."""
    seen = redact_application(service, application, viewer.visibility)
    if seen is None:
        raise NotFound("This resume has not been read yet.")
    _record(recorder, viewer, application, MASKED)
    text = seen.document.text + "\n"
    data = text.encode("utf-8", "replace")
    return Download(f"resume-{application.id}-masked.txt", "text/plain; charset=utf-8", data)


def _record(recorder: Recorder, viewer: Viewer, application: Application, what: str) -> None:
    recorder.record(list(export_drafts(viewer.user, application.job, [application.id], what=what)))
