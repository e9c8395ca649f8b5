"""What a user names on the command line - files, folders, standard input, jobs, filters - as the work takes it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from evenhand.cli.terminal import write_stderr
from evenhand.errors import UsageError
from evenhand.records import Document

if TYPE_CHECKING:
    from evenhand.records import Job
    from evenhand.search.criteria import Criteria, SkillCondition
    from evenhand.settings import Settings

STDIN = "-"


def expand(arguments: Iterable[str]) -> tuple[list[str], list[str]]:
    """Folders become the files inside, sorted; also returns the folders that hold none, which stderr names."""
    from evenhand.documents.reading import files_in_folder

    inputs: list[str] = []
    empty: list[str] = []
    for argument in arguments:
        if argument != STDIN and Path(argument).is_dir():
            files = files_in_folder(argument)
            inputs += files
            empty += [] if files else [argument]
        else:
            inputs.append(argument)
    for folder in empty:
        write_stderr(f"{folder}: the folder holds no files.")
    return inputs, empty


def read_stdin(settings: Settings) -> Document:
    from evenhand.documents.reading import read

    # One byte more than allowed, so that reading notices what is too large.
    return read(sys.stdin.buffer.read(settings.file_bytes + 1), name=STDIN, settings=settings)


def read_inputs(inputs: Sequence[str], settings: Settings) -> Iterator[Document]:
    """Documents in the order of the inputs."""
    from evenhand.documents.reading import read_many

    for is_stdin, group in groupby(inputs, lambda item: item == STDIN):
        if is_stdin:
            yield from (read_stdin(settings) for _ in group)
        else:
            yield from read_many(list(group), settings=settings)


def open_inputs(inputs: Iterable[str], settings: Settings) -> Iterator[str | Document]:
    """Names of files, and what came on standard input as a Document."""
    for name in inputs:
        yield read_stdin(settings) if name == STDIN else name


def resume_files(paths: Iterable[str], *, apart_from: Iterable[str | Path | None]) -> tuple[list[str], list[str]]:
    """Files, and folders without any. The job, lists and what is written here are no resumes, wherever they lie."""
    if not paths:
        raise UsageError("Name the resumes: files or folders.")
    inputs, empty = expand(paths)
    if STDIN in inputs:
        raise UsageError("Resumes are ranked from files or folders; only the job may come on standard input.")
    others = {os.path.realpath(path) for path in apart_from if path}
    inputs = [name for name in inputs if os.path.realpath(name) not in others]
    if not inputs:
        raise UsageError("There are no files to rank.")
    return inputs, empty


def check_writable(*outs: Path | None) -> None:
    """What would fail after the work is said before it."""
    for out in filter(None, outs):
        if not out.absolute().parent.is_dir():
            raise UsageError(f"There is no folder {out.parent} to write {out.name} to.")
        if out.is_dir():
            raise UsageError(f"{out} is a folder, not a file.")


def read_names(path: Path | None) -> list[str]:
    """One per line."""
    if path is None:
        return []
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(f"The list {path} cannot be read: {reason}.") from error
    return [line.strip() for line in lines if line.strip()]


class JobOverrides(NamedTuple):
    """What was typed to correct the requirements that were read."""

    musts: list[str] | None
    wishes: list[str] | None
    dropped: list[str] | None
    years: float | None
    degree: str | None


def read_job_file(job: str, overrides: JobOverrides, settings: Settings) -> Job:
    """The job as it was read, with the overrides."""
    from evenhand.mining.pipeline import read_job, understand_document

    if job == STDIN:
        document = read_stdin(settings)
        if document.error:
            raise UsageError(f"The job on standard input: {document.error.message}")
        understood = understand_document(document, settings)
    else:
        understood = read_job(Path(job), settings)
    return override(understood, overrides, settings)


def override(job: Job, overrides: JobOverrides, settings: Settings) -> Job:
    from evenhand.mining.pipeline import vocabulary_for
    from evenhand.screening.jobs import Edits, edit_job

    musts, wishes, dropped = (tuple(skills or ()) for skills in overrides[:3])
    edits = Edits(musts, wishes, dropped, overrides.years, overrides.degree)
    return edit_job(job, edits, canonical=vocabulary_for(settings).canonical_skill)


def check_ranker(name: str) -> None:
    from evenhand.search.rankers.registry import RANKERS

    if name not in RANKERS:
        close = get_close_matches(name, RANKERS, n=1)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(RANKERS)}."
        raise UsageError(f"There is no ranker {name!r}; {hint}")


def skill_conditions(typed: Iterable[str] | None, settings: Settings) -> list[SkillCondition]:
    from evenhand.mining.pipeline import vocabulary_for
    from evenhand.search.criteria import parse_skill

    return [parse_skill(skill, canonical=vocabulary_for(settings).canonical_skill) for skill in typed or ()]


def search_criteria(
    job: str, text: str, facets: list[str] | None, skills: list[str] | None, settings: Settings, **others: Any
) -> Criteria:
    from evenhand.mining.pipeline import vocabulary_for
    from evenhand.screening.search_url import choose_facets
    from evenhand.search.criteria import Criteria

    # Lexicons take a moment to load, and most searches choose no skill.
    chosen = choose_facets(facets or [], canonical=lambda name: vocabulary_for(settings).canonical_skill(name))
    return Criteria(job=job, text=text, facets=chosen, skills=tuple(skill_conditions(skills, settings)), **others)
