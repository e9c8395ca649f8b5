"""A document in which marked places were replaced, with its lines where they belong; everything else stays."""

from __future__ import annotations

import random
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import NamedTuple, TypeVar

from evenhand.documents.reading import PathLike, shown_name
from evenhand.masking.masker import Masker
from evenhand.mining.pipeline import mine_with_documents, month_of
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.document import Document, Line
from evenhand.records.profile import Position, Profile
from evenhand.records.ranking import Unread
from evenhand.settings import Settings
from evenhand.store.store import Store

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces the characters from `start` to `end`; inserts where both are the same. A line break in `text` begins a
    new line that looks like the one it stands in."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class EditedDocument:
    """`places` are where the new words stand, in the order of the text."""

    document: Document
    places: tuple[Place, ...]


def apply_edits(document: Document, edits: Sequence[Edit]) -> EditedDocument:
    """ValueError for edits that overlap: two of them would each claim the same words."""
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    for one, next in pairwise(ordered):
        if next.start < one.end:
            raise ValueError(f"edits overlap at {next.start}")
    parts: list[str] = []
    places: list[Place] = []
    reached = length = 0
    for edit in ordered:
        parts += (document.text[reached : edit.start], edit.text)
        length += edit.start - reached + len(edit.text)
        places.append((length - len(edit.text), length))
        reached = edit.end
    text = "".join([*parts, document.text[reached:]])
    moved = _Moved(ordered)
    lines: list[Line] = []
    for line in document.lines:
        start, end = moved.start(line.start), moved.end(line.end)
        raw = line.raw if end - start == line.end - line.start else None
        for piece in text[start:end].split("\n"):
            lines.append(replace(line, start=start, end=start + len(piece), raw=raw))
            start += len(piece) + 1
    return EditedDocument(replace(document, text=text, lines=tuple(lines)), tuple(places))


class _Moved:
    """Where offsets of the old text stand in the new. An insertion belongs to the line that ends or begins there."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._starts = [edit.start for edit in edits]
        self._ends = [edit.end for edit in edits]
        self._shifts = [0, *accumulate(len(edit.text) - (edit.end - edit.start) for edit in edits)]

    def start(self, at: int) -> int:
        return at + self._shifts[bisect_left(self._starts, at)]

    def end(self, at: int) -> int:
        return at + self._shifts[bisect_right(self._ends, at)]


# A resume with the places that may be edited: what the miner found in it and what tells who its owner is.


class PersonalSpan(NamedTuple):
    """A stretch of the text that tells something of the person: name, contact, address, age, gender, school."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class MarkedResume:
    document: Document
    profile: Profile
    marks: tuple[PersonalSpan, ...]

    @property
    def text(self) -> str:
        return self.document.text

    def of(self, *kinds: str) -> list[PersonalSpan]:
        """Within one line each: an edit must not tie two lines together."""
        return [mark for mark in self.marks if mark.kind in kinds and "\n" not in self.text[mark.start : mark.end]]

    def jobs(self) -> list[Position]:
        """Those with a first month or year, the latest first."""
        dated = [job for job in self.profile.positions if job.period.start and job.period.evidence]
        return sorted(dated, key=lambda job: job.period.start or "", reverse=True)

    def line_below_head(self, text: str) -> Edit:
        """A line of its own below the first one, where people write how to reach them."""
        end = self.document.lines[0].end if self.document.lines else len(self.text)
        return Edit(end, end, f"\n{text}")

    def line_at_end(self, text: str) -> Edit:
        """Below the activities, or below everything."""
        ends = [section.end for section in self.profile.sections if section.type == "activities"]
        inside = [line.end for line in self.document.lines if line.end <= ends[0]] if ends else []
        end = inside[-1] if inside else len(self.text.rstrip())
        return Edit(end, end, f"\n{text}")


# The resumes that an audit edits: some of a folder of files, or some of those who applied for a job.

MAX_SUBJECTS = 500
"""Resumes that are edited unless somebody asks for more: enough to find a tenth of what scores vary by."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class AuditSubject:
    """A resume as it is; `key` names it in reports: a file or an application."""

    key: str
    document: Document
    profile: Profile

    @property
    def text(self) -> str:
        return self.document.text

    def marked(self) -> MarkedResume:
        masks = Masker(self.text, self.profile, file=self.document.file).masks
        marks = tuple(PersonalSpan(mask.start, mask.end, mask.kind) for mask in masks)
        return MarkedResume(self.document, self.profile, marks)


def read_subjects(
    files: Iterable[PathLike],
    *,
    as_of: str | None = None,
    settings: Settings | None = None,
    progress: Progress = no_progress,
) -> tuple[list[AuditSubject], list[Unread]]:
    """Of files, by name; and those that could not be read."""
    settings = settings or Settings()
    paths = sorted(set(files), key=str)
    mined = mine_with_documents(paths, as_of=month_of(as_of), settings=settings)
    read: list[AuditSubject] = []
    errors: list[Unread] = []
    for path, one in zip(paths, with_progress(mined, progress, "Reading resumes", len(paths)), strict=True):
        if one.failure:
            errors.append(Unread(shown_name(path), one.failure))
        else:
            read.append(AuditSubject(shown_name(path), one.document, one.profile))
    return read, errors


def open_subjects(
    store: Store, job: str, *, most: int | None = MAX_SUBJECTS, seed: int = 0, progress: Progress = no_progress
) -> list[AuditSubject]:
    """Some of those who applied, whatever became of them."""
    ids = [(application.id, application.document) for application in store.applications.of_job(job)]
    subjects: list[AuditSubject] = []
    chosen = draw(ids, most, seed)
    for id, document in with_progress(chosen, progress, "Opening resumes", len(chosen)):
        profile = store.applications.profile(id)
        if profile is not None:
            subjects.append(AuditSubject(id, store.documents.get(document), profile))
    return subjects


def draw(items: Sequence[Item], most: int | None, seed: int) -> list[Item]:
    """As many as that by chance, in their order; the same for the same seed."""
    if most is None or len(items) <= most:
        return list(items)
    chance = random.Random(f"{seed}:pool")  # noqa: S311 - not a secret
    return [items[place] for place in sorted(chance.sample(range(len(items)), most))]
