"""What applicants said of their groups, from a table to the store: each row to the applications it is about.

A row names an application, a candidate, an e-mail address or a file. A groups file of a generated corpus, which
numbers its resumes, is a table like any other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from evenhand.audit.outcomes.ll144 import group_named, is_unknown, letters, variable_named
from evenhand.audit.outcomes.tables import OutcomeTable, read_table
from evenhand.errors import UsageError
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.groups import GroupCounts, SavedGroups, SelfIdentification
from evenhand.search.matching import form_rows
from evenhand.search.service import Service
from evenhand.store.applications import Application
from evenhand.store.self_identifications import SelfIdentificationStore
from evenhand.store.store import Store

KEYS = {
    "application": ("application", "applicationid", "id", "appid"),
    "candidate": ("candidate", "candidateid", "applicant", "applicantid", "personid"),
    "email": ("email", "emailaddress", "mail", "mailaddress"),
    "file": ("file", "filename", "resume", "resumefile", "cv", "document", "path"),
    "number": ("number",),  # of a generated corpus
}
MAX_GROUPS = 60  # of one variable: a column with more is a name, an address or a remark
MAX_VARIABLES = 20


@dataclass(frozen=True, slots=True)
class GroupImport:
    """What became of a table. `unmatched` are the numbers of its rows, the heads being row 1."""

    rows: int
    applications: int
    key: str  # how rows were matched
    counts: tuple[GroupCounts, ...]  # of those that were saved
    saved: SavedGroups
    unmatched: tuple[int, ...]
    contradicting: tuple[int, ...]  # rows that say otherwise of somebody than an earlier row

    def to_json(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "applications": self.applications,
            "matched_by": self.key,
            "counts": [count.to_json() for count in self.counts],
            **self.saved.to_json(),
            "unmatched_rows": list(self.unmatched),
            "contradicting_rows": list(self.contradicting),
        }


def import_groups(
    service: Service,
    file: Path,
    *,
    actor: str,
    job: str | None = None,
    variables: Sequence[str] = (),
    progress: Progress = no_progress,
) -> GroupImport:
    """Again with the same table changes nothing. Raises UsageError for a table that names nobody."""
    table = read_table(file)
    key, at = _key(table)
    columns = _columns(table, at, variables)
    people = _People.of(service.store, key, job, progress)
    groups_of: dict[str, dict[str, str | None]] = {}
    unmatched, contradicting = [], []
    for number, row in enumerate(table.rows, start=2):
        cells = {name: " ".join(row[place].split()) for name, place in columns.items()}
        groups = {name: None if is_unknown(cell) else group_named(name, cell) for name, cell in cells.items()}
        ids = people.find(row[at])
        if not ids:
            unmatched.append(number)
        for id in ids:
            if id in groups_of and groups_of[id] != groups:
                contradicting.append(number)
            groups_of[id] = groups
    given = [SelfIdentification(id, groups) for id, groups in groups_of.items()]
    saved = SelfIdentificationStore(service.store.context).save(given, actor=actor, job=job)
    return GroupImport(
        rows=len(table.rows),
        applications=len(groups_of),
        key=key,
        counts=tuple(_counted(given, columns)),
        saved=saved,
        unmatched=tuple(unmatched),
        contradicting=tuple(dict.fromkeys(contradicting)),
    )


def group_counts(service: Service, job: str | None = None) -> list[GroupCounts]:
    """Counts only: who said what is for nobody to look up."""
    return SelfIdentificationStore(service.store.context).counts(job)


def remove_groups(service: Service, *, actor: str, job: str | None = None, application: str | None = None) -> int:
    """Of how many applications what was said is gone."""
    if application is not None:
        service.store.applications.get(application)  # or it is not found
    ids = None if application is None else [application]
    return SelfIdentificationStore(service.store.context).remove(actor=actor, job=job, ids=ids)


@dataclass(frozen=True, slots=True)
class _People:
    """Applications by what a row may call them."""

    key: str
    known: dict[str, list[str]]

    @classmethod
    def of(cls, store: Store, key: str, job: str | None, progress: Progress) -> _People:
        jobs = [store.jobs.get(job).id] if job else [stored.id for stored in store.jobs.all(closed=True)]
        total = sum(store.applications.count(id) for id in jobs)
        known: dict[str, list[str]] = defaultdict(list)
        applications = (application for id in jobs for application in store.applications.of_job(id))
        for application in with_progress(applications, progress, "Looking up applicants", total):
            for name in set(_names(store, application, key)):
                known[name].append(application.id)
        return cls(key, dict(known))

    def find(self, cell: str) -> list[str]:
        return self.known.get(_normal(self.key, cell), [])


def _names(store: Store, application: Application, key: str) -> Iterator[str]:
    if key == "application":
        yield application.id
    elif key == "candidate":
        yield application.candidate
    elif key == "email":
        profile = store.applications.profile(application.id)
        yield from (_normal(key, fact.value) for fact in (profile.emails if profile else ()))
        form = form_rows(store.applications.form(application.candidate))
        yield from (_normal(key, value) for _, value in form if "@" in value)
    elif application.file:
        yield _normal(key, application.file)


def _normal(key: str, cell: str) -> str:
    cell = cell.strip()
    if key == "email":
        return cell.casefold().removeprefix("mailto:").strip("<>")
    if key == "file":
        return PurePath(cell.replace("\\", "/")).name.casefold()
    if key == "number":
        return PurePath(cell.replace("\\", "/")).stem.lstrip("0") or "0"
    return cell


def _key(table: OutcomeTable) -> tuple[str, int]:
    """The first column that names people, an application's id before all else."""
    plain = [letters(head) for head in table.heads]
    for key, spellings in KEYS.items():
        for at, head in enumerate(plain):
            if head in spellings:
                return key, at
    raise UsageError(
        f"{table.name} does not say who is who: it needs a column application, candidate, e-mail or file. "
        f"It has {', '.join(table.heads)}."
    )


def _columns(table: OutcomeTable, key: int, wanted: Sequence[str]) -> dict[str, int]:
    """By variable, the column; of two that would have the same name the second keeps its own."""
    keys = {spelling for spellings in KEYS.values() for spelling in spellings}
    wanted_names = {variable_named(name) for name in wanted}
    columns: dict[str, int] = {}
    for at, head in enumerate(table.heads):
        name = variable_named(head)
        if at == key or letters(head) in keys or (wanted_names and name not in wanted_names):
            continue
        columns["_".join(head.lower().split()) if name in columns else name] = at
    if missing := sorted(wanted_names - set(columns)):
        raise UsageError(f"{table.name} has no column {missing[0]!r}; it has {', '.join(table.heads)}.")
    if not 1 <= len(columns) <= MAX_VARIABLES:
        raise UsageError(f"{table.name} needs 1 to {MAX_VARIABLES} columns with groups beside who it is about.")
    for at in columns.values():
        different = {row[at].strip().casefold() for row in table.rows}
        if len(different) > MAX_GROUPS:  # a column of names must not be kept as if it were groups
            raise UsageError(
                f"The column {table.heads[at]!r} has {len(different):,} different values, which are no groups. "
                f"Name the columns that are with --variable."
            )
    return columns


def _counted(given: Sequence[SelfIdentification], columns: dict[str, int]) -> Iterator[GroupCounts]:
    for variable in sorted(columns):
        counts = Counter(answer.groups[variable] for answer in given)
        unknown = counts.pop(None, 0)
        known = {group: count for group, count in counts.items() if group is not None}
        yield GroupCounts(variable, dict(sorted(known.items(), key=lambda pair: (-pair[1], pair[0]))), unknown)
