"""A job description, from a file of any readable format or as text, to a Job."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from evenhand.errors import UsageError
from evenhand.records.job import Job
from evenhand.settings import Settings
from evenhand.workflows.own_lexicon import usable_lexicon
from evenhand.workflows.reading import PathLike, read, shown_name

if TYPE_CHECKING:
    from evenhand.mining.vocabulary import Vocabulary

WORDS_OF_TEXT = 3  # a string of so many words that names no file is the text itself


def read_job(source: PathLike, settings: Settings | None = None) -> Job:
    """`source` is a file, or a string that is the job's text.

    UsageError with the reason when the file cannot be read.
    """
    settings = settings or Settings()
    if isinstance(source, str) and _is_text(source):
        return understand_text(source, settings)
    try:
        document = read(source, settings=settings)
    except UsageError as error:
        raise UsageError(f"The job {shown_name(source)}: {error}") from error
    if document.error:
        raise UsageError(f"The job {document.file}: {document.error.message}")
    return understand_text(document.text, settings)


def understand_text(text: str, settings: Settings) -> Job:
    """With the names of the user's own lexicon."""
    from evenhand.mining.requirements import understand_job  # noqa: PLC0415 - lexicons are for those who need them

    return understand_job(text, vocabulary_for(settings))


def vocabulary_for(settings: Settings) -> Vocabulary:
    """Loaded once, and again when the user's lexicon has changed."""
    lexicon = usable_lexicon(settings)
    return _loaded(lexicon, lexicon.stat().st_mtime_ns if lexicon else None)


@lru_cache(maxsize=2)
def _loaded(lexicon: Path | None, changed: int | None) -> Vocabulary:
    from evenhand.mining.vocabulary import load_vocabulary  # noqa: PLC0415

    return load_vocabulary(lexicon)


def _is_text(source: str) -> bool:
    """A mistyped name of a file is no text: that has lines, or at least a few words."""
    if "\n" in source:
        return True
    return len(source.split()) >= WORDS_OF_TEXT and not os.path.lexists(source)
