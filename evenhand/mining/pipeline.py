"""The way from files to records: resumes to Profiles, one at a time or many in parallel, and a job's text to a Job."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from evenhand.documents.reading import PathLike, in_order, open_pool, read, read_or_fail, source_files
from evenhand.errors import UsageError
from evenhand.mining.in_process import failure_of, mine_document, miner_for, shortened, user_lexicon
from evenhand.mining.process_pool import MiningPool
from evenhand.records.document import Document, Failure
from evenhand.records.job import Job
from evenhand.records.profile import Profile, Source
from evenhand.settings import Settings

if TYPE_CHECKING:
    from evenhand.mining.vocabulary import Vocabulary


MIN_TEXT_WORDS = 3  # a string of so many words that names no file is a job's text itself
MONTH = re.compile(r"(?:19|20)[0-9][0-9]-(?:0[1-9]|1[0-2])")
FilesOrDocuments = Iterable[PathLike | Document]


@dataclass(frozen=True, slots=True)
class MinedResume:
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


def mine(source: Document | PathLike | bytes, *, as_of: str | None = None, settings: Settings | None = None) -> Profile:
    """Mine one resume, from its Document, a path or bytes.

    A file that cannot be read gives a Profile without facts whose `document` says why. Only a path that cannot
    be opened, or a wrong `as_of`, raises (UsageError).
    """
    settings = settings or Settings()
    month = month_of(as_of)
    document = source if isinstance(source, Document) else read(source, settings=settings)
    return _profile(document, month, settings, lambda part: mine_document(miner_for(settings), part, as_of=month))


def mine_many(
    sources: PathLike | FilesOrDocuments,
    *,
    as_of: str | None = None,
    workers: int | None = None,
    settings: Settings | None = None,
) -> Generator[Profile, None, None]:
    """Mine files (or Documents that were read before) in parallel; one Profile each, in the order of the input. A path
    may be a folder or a pattern.

    A path that cannot be opened gives a Profile too, with the error unreadable_file in its `document`.
    """
    for mined in mine_with_documents(_each_source(sources), as_of=as_of, workers=workers, settings=settings):
        yield mined.profile


def _each_source(sources: PathLike | FilesOrDocuments) -> Iterator[PathLike | Document]:
    if isinstance(sources, str | os.PathLike) or not isinstance(sources, Iterable):
        yield from source_files(sources)
        return
    for source in sources:
        if isinstance(source, Document):
            yield source
        else:
            yield from source_files(source)


def mine_with_documents(
    sources: FilesOrDocuments, *, as_of: str | None = None, workers: int | None = None, settings: Settings | None = None
) -> Generator[MinedResume, None, None]:
    """As `mine_many`, with the Documents to which the places in the Profiles refer."""
    settings = settings or Settings()
    month = month_of(as_of)
    with open_pool(settings, workers=workers) as readers, MiningPool(settings) as miners:
        miners.warm()

        def mine_one(source: PathLike | Document) -> MinedResume:
            document = source if isinstance(source, Document) else read_or_fail(source, settings=settings, pool=readers)
            profile = _profile(document, month, settings, lambda part: miners.mine(part, as_of=month))
            return MinedResume(document, profile)

        # One thread reads a file and then mines it, so as many processes are at work as there are threads.
        yield from in_order(mine_one, sources, threads=readers.workers)


def _profile(document: Document, month: str, settings: Settings, mine_part: Callable[[Document], Profile]) -> Profile:
    """What `mine_part` makes of the Document, as far as the settings let a long one be mined."""
    if document.status == "error":
        return Profile(Source.of(document), month)
    part, warnings = shortened(document, settings.mined_characters)
    profile = mine_part(part)
    return replace(profile, warnings=(*warnings, *profile.warnings)) if warnings else profile


def read_job(source: PathLike, settings: Settings | None = None) -> Job:
    """The Job of a file, or of a string that is the job's text; UsageError when the file cannot be read."""
    settings = settings or Settings()
    if isinstance(source, str) and not source.strip():
        raise UsageError("The job is empty: give its text, or a file that holds it.")
    if isinstance(source, str) and _is_text(source):
        return understand_text(source, settings)
    try:
        document = read(source, settings=settings)
    except UsageError as error:
        raise UsageError(f"The job {error}") from error
    if document.error:
        raise UsageError(f"The job {document.file}: {document.error.message}")
    return understand_document(document, settings)


def understand_document(document: Document, settings: Settings) -> Job:
    """As `understand_text`, for what was read from a file; what reading had to leave out is among the warnings."""
    job = understand_text(document.text, settings)
    cut = tuple(warning for warning in document.warnings if warning.code == "truncated")
    return replace(job, warnings=(*cut, *job.warnings)) if cut else job


def understand_text(text: str, settings: Settings) -> Job:
    """The Job that a text describes, with the names of the user's own lexicon."""
    from evenhand.mining.requirements.reading import understand_job  # noqa: PLC0415 - lexicons are for those who need them

    return understand_job(text, vocabulary_for(settings))


def vocabulary_for(settings: Settings) -> Vocabulary:
    """Loaded once, and again when the user's lexicon has changed."""
    lexicon = user_lexicon(settings)
    return _load_vocabulary(lexicon, lexicon.stat().st_mtime_ns if lexicon else None)


@lru_cache(maxsize=2)
def _load_vocabulary(lexicon: Path | None, changed: int | None) -> Vocabulary:
    from evenhand.mining.vocabulary import load_vocabulary  # noqa: PLC0415

    return load_vocabulary(lexicon)


def _is_text(source: str) -> bool:
    """A mistyped name of a file is no text: that has lines, or at least a few words."""
    if "\n" in source:
        return True
    return len(source.split()) >= MIN_TEXT_WORDS and not os.path.lexists(source)
