"""Projects on paper: inside the job they belong to, or in a section of their own."""

from __future__ import annotations

from evenhand.corpora.career import Month, Period, Project, year_of
from evenhand.corpora.manuscript import Block, Line, Run, Table, Words
from evenhand.corpora.rng import chance, weighted
from evenhand.corpora.writing.dates import write_duration
from evenhand.corpora.writing.pen import Pen
from evenhand.corpora.writing.sentences import Scene


def years_of(period: Period, as_of: Month) -> tuple[int, int]:
    return year_of(period.start), year_of(period.last(as_of))


def project_scene(pen: Pen, project: Project, of: str, voice: str) -> Scene:
    years = years_of(project.period, pen.career.as_of)
    return Scene(of, project.period.end is not None, project.uses, project.duties, voice, years)


def project_blocks(pen: Pen, project: Project, of: str, *, nested: bool) -> list[Block]:
    """The head of a project: its name, client, role and time, as labelled lines, one line or a small table."""
    time = _time(pen, project, of, nested=nested)
    forms = {"lines": 3.0, "compact": 4.0, "table": 0.6}
    match weighted(pen.rng, forms):
        case "lines":
            return [
                Line((Run(f"{label}: ", bold=True), *words))
                for label, words in _facts(pen, project, of, time)
            ]
        case "table":
            rows = tuple(((Run(label, bold=True),), words) for label, words in _facts(pen, project, of, time))
            return [Table(rows, has_header=False)]
    return [_compact(pen, project, of, time)]


def _time(pen: Pen, project: Project, of: str, *, nested: bool) -> Words:
    """Dates, or only how long, or nothing: then the job around it says when."""
    kinds = {"dates": 6.0, "duration": 1.5, "none": 2.5 if nested else 0.6}
    months = project.period.months(pen.career.as_of)
    match weighted(pen.rng, kinds):
        case "dates":
            return pen.period(project.period, of)
        case "duration":
            form = pen.style.durations if pen.style.durations != "none" else "months"
            return (Run(write_duration(months, form), "duration", str(months), of=of),)
    return ()


def _facts(pen: Pen, project: Project, of: str, time: Words) -> list[tuple[str, Words]]:
    rng = pen.rng
    facts: list[tuple[str, Words]] = [
        (rng.choice(("Project", "Project Name", "Project Title", "Title")), (_name(project, of),))
    ]
    if project.client:
        facts.append((rng.choice(("Client", "Customer")), (_client(project, of),)))
    if time:
        label = "Duration" if time[0].label == "duration" else rng.choice(("Duration", "Period", "Dates"))
        facts.append((label, time))
    if project.role:
        facts.append((rng.choice(("Role", "Position")), (Run(project.role, "title", project.role, of=of),)))
    if project.team and chance(rng, 0.6):
        facts.append(("Team Size", (Run(str(project.team)),)))
    return facts


def _compact(pen: Pen, project: Project, of: str, time: Words) -> Line:
    words: list[Run] = [Run(project.name, "project", project.name, bold=True, of=of)]
    if chance(pen.rng, 0.4):
        words.insert(0, Run(pen.rng.choice(("Project: ", "Project - "))))
    if project.client:
        words += [Run(pen.rng.choice((" (Client: ", " (", " (for "))), _client(project, of), Run(")")]
    if project.role and chance(pen.rng, 0.4):
        words += [Run(", "), Run(project.role, "title", project.role, of=of)]
    return Line(tuple(words), aside=time, role="subtitle")


def _name(project: Project, of: str) -> Run:
    return Run(project.name, "project", project.name, of=of)


def _client(project: Project, of: str) -> Run:
    return Run(project.client or "", "client", project.client, of=of)
