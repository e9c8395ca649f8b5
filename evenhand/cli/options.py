"""Arguments and options that several commands share, and what they stand for: settings, the service, an actor.

An option that only one command has is declared beside that command.
"""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from evenhand.errors import UsageError
from evenhand.settings import LoadedSettings, Settings, load_settings

if TYPE_CHECKING:
    from evenhand.ledger.recording import Recorder
    from evenhand.screening.candidate_list import Viewer
    from evenhand.search.service import Service
    from evenhand.store.applications import Application


def option(usage: str, help: str, **limits: Any) -> Any:
    """An option as its help shows it: "--limit --top N"."""
    flags = [word for word in usage.split() if word.startswith("--")]
    return typer.Option(*flags, metavar=usage.removeprefix(" ".join(flags)).strip() or None, help=help, **limits)


def argument(metavar: str, help: str, **limits: Any) -> Any:
    return typer.Argument(metavar=metavar, help=help, **limits)


# Input
Files = Annotated[
    list[str], argument("FILE", "Files or folders (all files inside, sorted by name); - is standard input.")
]
JobFile = Annotated[str, argument("JOB", "File with the job's text, in any format that resumes may have; - is stdin.")]
JobText = Annotated[str | None, option("--job JOB", "For fit: a file with the job's text, or the text itself.")]
ApplicationId = Annotated[str, argument("APPLICATION", "Application id: evenhand applicant find, evenhand search.")]
_JOB_ID = "Job id, as evenhand job list shows it"
JobId = Annotated[str, argument("JOB", f"{_JOB_ID}.")]
OneJob = Annotated[str, option("--job ID", f"{_JOB_ID}.")]
AnyJob = Annotated[str | None, option("--job ID", f"{_JOB_ID}; all jobs if not given.")]

# Requirements of a job
Musts = Annotated[list[str] | None, option("--must SKILL[:MONTHS]", "Required skill, whatever the job's text says.")]
Wishes = Annotated[list[str] | None, option("--nice SKILL[:MONTHS]", "Preferred skill, whatever the text says.")]
Dropped = Annotated[list[str] | None, option("--drop SKILL", "Not a requirement, whatever the text says.")]
Years = Annotated[float | None, option("--years N", "Years of experience required; 0 for none.")]
Degree = Annotated[str | None, option("--degree LEVEL", "Minimum degree: highschool, ..., doctorate, or none.")]

# Ranking and search
RankerName = Annotated[str, option("--ranker NAME", "bm25, tfidf, kl, tfidf+skills, semantic or best.")]
Skills = Annotated[
    list[str] | None, option("--skill NAME>=MONTHS", "Only resumes with this skill; also <=MONTHS, =FIRST-LAST.")
]
Why = Annotated[tuple[str, str] | None, option("--why A B", "Why A is ranked above B; each a rank, a file or a name.")]
SearchWords = Annotated[
    str, argument("[TEXT]", 'Plain words and "phrases" boost; AND, OR, NOT, +, -, (), field:value and java>=36 filter.')
]
Facets = Annotated[
    list[str] | None,
    option(
        "--facet NAME=VALUE",
        "Filter by source, degree, total_years, relevant_years, city, status or skill. "
        "Repeat a name for either value, another name for both.",
    ),
]

# Models
TaskName = Annotated[str, argument("TASK", "occupation, level or fit.")]
ModelName = Annotated[str | None, option("--model NAME", "A model's name or folder; without it, the one that ships.")]
_SEED = option("--seed S", "Random seed.")
Seed = Annotated[int, _SEED]
OptionalSeed = Annotated[int | None, _SEED]
GeneratedCount = Annotated[int, option("--n N", "How many resumes are generated.")]
WorkFolder = Annotated[Path | None, option("--work DIR", "Folder in which an interrupted run can continue.")]

# Output
AsJson = Annotated[bool, option("--json", "Print JSON: one object, or one per line where there are several.")]
HtmlFile = Annotated[Path | None, option("--html FILE", "Write a self-contained HTML page.")]
PdfFile = Annotated[Path | None, option("--pdf FILE", "Write a PDF.")]
CsvFile = Annotated[Path | None, option("--csv FILE", "Write a CSV file for spreadsheets.")]
OutFile = Annotated[Path, option("--out FILE", "File to write.")]
OutFolder = Annotated[Path, option("--out DIR", "Folder to write to.")]
Contact = Annotated[bool, option("--contact", "Include e-mail addresses and phone numbers.")]
FailOn = Annotated[
    Literal["concern", "watch"] | None,
    option(
        "--fail-on", "End with exit code 3 when a finding is a concern; with watch, also when one is to be watched."
    ),
]

# How to do it
Port = Annotated[int, option("--port PORT", "Port to listen on.", min=1, max=65_535)]
AsOf = Annotated[str | None, option("--as-of YYYY-MM", 'The month that "present" means; this month if not given.')]
Workers = Annotated[int | None, option("--workers N", "Files read at once; 0 means one per processor.")]
Set = Annotated[list[str] | None, option("--set NAME=VALUE", "Any setting, as listed by evenhand settings.")]
Actor = Annotated[str | None, option("--by NAME", "Who does it; your user name if not given.")]
Reason = Annotated[str, option("--reason WORDS", "Reason (recorded).")]
Confirmed = Annotated[bool, option("--yes", "Do it; without --yes, only show what would be done.")]


def command_group(help: str) -> typer.Typer:
    return typer.Typer(help=help, no_args_is_help=True, rich_markup_mode="markdown")


def load(assignments: list[str] | None, workers: int | None = None) -> LoadedSettings:
    """Settings as --set and --workers change them; values stay text until the table has checked them."""
    given: dict[str, object] = {}
    for assignment in assignments or ():
        name, equals, value = assignment.partition("=")
        if not equals:
            raise UsageError(f"--set takes NAME=VALUE, not {assignment!r}.")
        given[name.strip()] = value
    return load_settings(given if workers is None else given | {"workers": workers})


def settings_from(assignments: list[str] | None, workers: int | None = None) -> Settings:
    return load(assignments, workers).settings


@contextmanager
def service_from(assignments: list[str] | None, workers: int | None = None) -> Iterator[Service]:
    """The service on the store that the settings name."""
    from evenhand.screening.service import open_service

    with open_service(settings_from(assignments, workers)) as service:
        yield service


def actor_from(by: str | None) -> str:
    return by or getpass.getuser()


@dataclass(frozen=True)
class CommandSession:
    """The service, and who works with it."""

    service: Service
    recorder: Recorder
    viewer: Viewer

    @property
    def actor(self) -> str:
        return self.viewer.user

    def application(self, id: str) -> Application:
        return self.service.store.applications.get(id)


@contextmanager
def session_from(assignments: list[str] | None, by: str | None = None) -> Iterator[CommandSession]:
    """Whoever has the command line sees everything."""
    from evenhand.ledger.recording import Recorder
    from evenhand.screening.candidate_list import Viewer
    from evenhand.search.visibility import OPEN

    with service_from(assignments) as service:
        viewer = Viewer(actor_from(by), OPEN, lambda job: True)
        yield CommandSession(service, Recorder(service.store, service.settings), viewer)
