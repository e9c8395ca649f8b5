"""The resumes of a folder, read and mined on all processors, and apart from them the files that could not be."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from evenhand.records.profile import Profile
from evenhand.records.ranking import Unread
from evenhand.settings import Settings
from evenhand.workflows.mining import mine_with_documents
from evenhand.workflows.reading import PathLike, shown_name
from evenhand.workflows.watching import Watch, unwatched, watched


@dataclass(frozen=True, slots=True)
class Resume:
    """What a ranking keeps of a file: not its layout, which is most of it."""

    file: str
    text: str
    profile: Profile


@dataclass(frozen=True, slots=True)
class Pool:
    as_of: str  # the month that "present" means
    resumes: tuple[Resume, ...]
    errors: tuple[Unread, ...] = ()


def mine_pool(files: Iterable[PathLike], *, as_of: str, settings: Settings, watch: Watch = unwatched) -> Pool:
    """By name, each file once, whatever the order they were given in."""
    paths = [path for _, path in sorted({os.fsencode(path): path for path in files}.items())]
    mined = mine_with_documents(paths, as_of=as_of, settings=settings)
    resumes: list[Resume] = []
    errors: list[Unread] = []
    for path, one in zip(paths, watched(mined, watch, "Reading resumes", len(paths)), strict=True):
        file = shown_name(path)
        if one.failure:
            errors.append(Unread(file, one.failure))
        else:
            resumes.append(Resume(file, one.document.text, one.profile))
    return Pool(as_of, tuple(resumes), tuple(errors))
