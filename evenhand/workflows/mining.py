"""Resumes to Profiles: `mine` for one, `mine_many` for a batch on all processors."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from evenhand.errors import UsageError
from evenhand.records.document import Document, Failure
from evenhand.records.profile import Profile, Source
from evenhand.settings import Settings
from evenhand.workflows.mining_one import failure_of, mine_document, miner_for, shortened
from evenhand.workflows.mining_pool import MiningPool
from evenhand.workflows.order import in_order
from evenhand.workflows.reading import PathLike, open_pool, read, read_or_fail

MONTH = re.compile(r"(?:19|20)[0-9][0-9]-(?:0[1-9]|1[0-2])")
FilesOrDocuments = Iterable[PathLike | Document]


@dataclass(frozen=True, slots=True)
class Mined:
    """A Profile beside the Document its places refer to."""

    document: Document
    profile: Profile

    @property
    def failure(self) -> Failure | None:
        """Why there are no facts."""
        return self.document.error or failure_of(self.profile)

    @property
    def is_failed(self) -> bool:
        return self.failure is not None


def month_of(as_of: str | None) -> str:
    """The month that "present" means: the one given, or this one."""
    if as_of is None:
        return datetime.now(UTC).astimezone().strftime("%Y-%m")
    if not MONTH.fullmatch(as_of):
        raise UsageError(f'The month that "present" means is given like 2026-10, not {as_of!r}.')
    return as_of


def mine(
    source: Document | PathLike | bytes, *, as_of: str | None = None, settings: Settings | None = None
) -> Profile:
    """Mine one resume, from its Document, a path or bytes.

    A file that cannot be read gives a Profile without facts whose `document` says why. Only a path that cannot
    be opened, or a wrong `as_of`, raises (UsageError).
    """
    settings = settings or Settings()
    month = month_of(as_of)
    document = source if isinstance(source, Document) else read(source, settings=settings)

    def mine_here(part: Document) -> Profile:
        return mine_document(miner_for(settings), part, as_of=month)

    return _profile(document, month, settings, mine_here)


def mine_many(
    sources: FilesOrDocuments,
    *,
    as_of: str | None = None,
    workers: int | None = None,
    settings: Settings | None = None,
) -> Generator[Profile, None, None]:
    """Mine files (or Documents that were read before) in parallel; one Profile each, in the order of the input.

    A path that cannot be opened gives a Profile too, with the error unreadable_file in its `document`.
    """
    for mined in mine_with_documents(sources, as_of=as_of, workers=workers, settings=settings):
        yield mined.profile


def mine_with_documents(
    sources: FilesOrDocuments,
    *,
    as_of: str | None = None,
    workers: int | None = None,
    settings: Settings | None = None,
) -> Generator[Mined, None, None]:
    """As `mine_many`, for those who show the places."""
    settings = settings or Settings()
    month = month_of(as_of)
    with open_pool(settings, workers=workers) as readers, MiningPool(settings) as miners:
        miners.warm()

        def mine_there(part: Document) -> Profile:
            return miners.mine(part, as_of=month)

        def mine_one(source: PathLike | Document) -> Mined:
            document = (
                source
                if isinstance(source, Document)
                else read_or_fail(source, settings=settings, pool=readers)
            )
            return Mined(document, _profile(document, month, settings, mine_there))

        # One thread reads a file and then mines it, so as many processes are at work as there are threads.
        yield from in_order(mine_one, sources, threads=readers.workers)


def _profile(
    document: Document, month: str, settings: Settings, mine_part: Callable[[Document], Profile]
) -> Profile:
    if document.status == "error":
        return Profile(Source.of(document), month)
    part, warnings = shortened(document, settings.mined_characters)
    profile = mine_part(part)
    return replace(profile, warnings=(*warnings, *profile.warnings)) if warnings else profile
