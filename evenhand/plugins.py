"""What other distributions add to Evenhand: they register it as entry points, and nothing here imports them by name."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from evenhand.errors import UsageError

if TYPE_CHECKING:
    from evenhand.models.labelled_resumes import CompetenceData, Task
    from evenhand.models.manifest import Task as ModelTask
    from evenhand.progress import Progress

CORPORA, GENERATED = "evenhand.corpora", "generated"
CORPUS_FILE = "corpus.json"
"""By which a generated corpus is known even where nothing is installed that could read it."""
NOT_INSTALLED = "Generated resumes come with the package evenhand-lab, which is not installed: pip install evenhand-lab"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """One resume of a corpus; `label` is None where there is none for it, `job` a key of the job texts, `groups` by
    variable."""

    file: Path
    label: str | None
    job: str | None
    groups: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class LabelledCorpus:
    """A generated corpus with what is true of its resumes; `kind`, `seed` and `n` are what it was made with."""

    rows: tuple[LabelledRow, ...]
    job_texts: Mapping[str, str]
    as_of: str  # the month that "present" means
    kind: str
    seed: int
    n: int


class GeneratedResumes(Protocol):
    """What is registered as `generated` in the group `evenhand.corpora`."""

    def competence_data(
        self, task: Task, n: int, seed: int, *, cache: Path | None, progress: Progress
    ) -> CompetenceData:
        """`n` generated applicants to learn from; `cache` is a folder in which they are kept."""

    def labelled_rows(self, task: ModelTask, folder: Path, labels: Sequence[str], seed: int) -> LabelledCorpus:
        """Labels as a model that has `labels` would give them; UsageError where the folder holds no corpus."""

    def occupation_rows(self, folder: Path) -> LabelledCorpus:
        """Every label is the occupation that was generated; UsageError where the folder holds no corpus."""


def generated_resumes() -> GeneratedResumes:
    """UsageError where the package is not installed, or does not load."""
    entry = next(iter(entry_points(group=CORPORA, name=GENERATED)), None)
    if entry is None:
        raise UsageError(NOT_INSTALLED)
    found: GeneratedResumes = load_entry(entry)
    return found


def is_corpus(folder: Path) -> bool:
    return (folder / CORPUS_FILE).is_file()


def load_group(group: str) -> dict[str, Any]:
    """By name. What does not load is left out and warned of: commands that do without it go on working."""
    found: dict[str, Any] = {}
    for entry in entry_points(group=group):
        try:
            found.setdefault(entry.name, load_entry(entry))
        except UsageError as error:
            log.warning("%s", error)
    return found


def load_entry(entry: EntryPoint) -> Any:
    """UsageError where it does not load, whatever goes wrong: the code is not ours."""
    try:
        return entry.load()
    except Exception as error:
        owner = f" of the package {entry.dist.name} {entry.dist.version}" if entry.dist else ""
        raise UsageError(
            f"The plug-in {entry.name}{owner} cannot be loaded ({type(error).__name__}: {error}); "
            "install it again, in the version that goes with this Evenhand."
        ) from error
