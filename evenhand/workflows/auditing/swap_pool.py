"""The resumes that an audit edits: some of a folder of files, or some of those who applied for a job."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from evenhand.audit.swaps.marked import Mark, Marked
from evenhand.masking import find_masks
from evenhand.records.document import Document
from evenhand.records.profile import Profile
from evenhand.records.ranking import Unread
from evenhand.settings import Settings
from evenhand.store import Store
from evenhand.workflows.mining import mine_with_documents, month_of
from evenhand.workflows.reading import PathLike, shown_name
from evenhand.workflows.watching import Watch, unwatched, watched

MOST = 500
"""Resumes that are edited unless somebody asks for more: enough to find a tenth of what scores vary by."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Subject:
    """A resume as it is; `key` names it in reports: a file or an application."""

    key: str
    document: Document
    profile: Profile

    @property
    def text(self) -> str:
        return self.document.text

    def marked(self) -> Marked:
        masks = find_masks(self.text, self.profile, file=self.document.file)
        marks = tuple(Mark(mask.start, mask.end, mask.kind) for mask in masks)
        return Marked(self.document, self.profile, marks)


def read_subjects(
    files: Iterable[PathLike],
    *,
    as_of: str | None = None,
    settings: Settings | None = None,
    watch: Watch = unwatched,
) -> tuple[list[Subject], list[Unread]]:
    """Of files, by name; and those that could not be read."""
    settings = settings or Settings()
    paths = sorted(set(files), key=str)
    mined = mine_with_documents(paths, as_of=month_of(as_of), settings=settings)
    read: list[Subject] = []
    errors: list[Unread] = []
    for path, one in zip(paths, watched(mined, watch, "Reading resumes", len(paths)), strict=True):
        if one.failure:
            errors.append(Unread(shown_name(path), one.failure))
        else:
            read.append(Subject(shown_name(path), one.document, one.profile))
    return read, errors


def open_subjects(
    store: Store, job: str, *, most: int | None = MOST, seed: int = 0, watch: Watch = unwatched
) -> list[Subject]:
    """Some of those who applied, whatever became of them."""
    ids = [(each.id, each.document) for each in store.applications_of(job)]
    found: list[Subject] = []
    chosen = draw(ids, most, seed)
    for id, document in watched(chosen, watch, "Opening resumes", len(chosen)):
        profile = store.profile(document)
        if profile is not None:
            found.append(Subject(id, store.document(document), profile))
    return found


def draw(items: Sequence[Item], most: int | None, seed: int) -> list[Item]:
    """As many as that by chance, in their order; the same for the same seed."""
    if most is None or len(items) <= most:
        return list(items)
    chance = random.Random(f"{seed}:pool")  # noqa: S311 - not a secret
    return [items[place] for place in sorted(chance.sample(range(len(items)), most))]
