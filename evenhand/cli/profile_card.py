"""One Profile as a card: who, how long, which jobs when, which skills for how many months, and what to doubt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.text import Text

from evenhand.cli.durations import long
from evenhand.cli.facts import count
from evenhand.cli.skill_bars import SkillBars
from evenhand.cli.terminal import printable
from evenhand.cli.timeline import Timeline, dates
from evenhand.records.profile import Certification, Education, Fact, Profile, Project

COLORS = {"parsed": "green", "partial": "yellow", "error": "red"}


def profile_card(profile: Profile) -> Panel:
    source = profile.document
    color = "yellow" if profile.warnings or source.warnings else COLORS[source.status]
    color = "red" if source.error else color
    file = printable(source.file or "(bytes)")
    title = Text.assemble((Path(file).name, "bold"), "  ", (source.status, color))
    return Panel(Group(*_rows(profile)), title=title, title_align="left", border_style=color, padding=(0, 1))


def _rows(profile: Profile) -> Iterator[RenderableType]:
    error = profile.document.error
    if error:
        yield Text(f"{printable(error.message)} ({error.code})", style="red")
        return
    yield from _person(profile)
    yield from _experience(profile)
    yield from _part("Projects", map(_project, profile.projects))
    yield from _part("Education", map(_education, profile.education))
    spoken = {fact.value.casefold() for fact in profile.languages}
    if skills := [skill for skill in profile.skills if skill.name.casefold() not in spoken]:
        yield from _part("Skills", [SkillBars(skills)])
    yield from _part("Certifications", map(_certification, profile.certifications))
    if profile.languages:
        yield from _part("Languages", [Text(", ".join(map(_value, profile.languages)))])
    yield from _part("Please note", _warnings(profile))


def _part(title: str, lines: Iterable[RenderableType]) -> Iterator[RenderableType]:
    shown = list(lines)
    if shown:
        yield Padding(
            Rule(Text(title, style="bold"), align="left", style="dim", characters="─"), (1, 0, 0, 0)
        )
        yield from shown


def _person(profile: Profile) -> Iterator[Text]:
    if profile.name:
        yield Text(_value(profile.name), style="bold")
    else:
        yield Text("name not found", style="dim")
    place = [_value(profile.city)] if profile.city else []
    place += [printable(profile.country)] if profile.country else []
    contact = [
        *map(_value, profile.emails),
        *map(_value, profile.phones),
        *([", ".join(place)] if place else []),
    ]
    if contact:
        yield Text(" · ".join(contact))
    if profile.links:
        yield Text(" · ".join(map(_value, profile.links)), style="dim")
    source = profile.document
    found = list(dict.fromkeys(section.type for section in profile.sections))
    facts = [(source.format or "?").upper(), count(source.pages, "page")]
    yield Text(", ".join(facts) + (f"; sections: {', '.join(found)}" if found else ""), style="dim")


def _experience(profile: Profile) -> Iterator[RenderableType]:
    if profile.total_months is None:
        total = "Length not stated" if profile.positions else "No jobs found"
    else:
        total = f"{long(profile.total_months)} in all"
        if profile.relevant_months is not None and profile.relevant_months != profile.total_months:
            total += f", {long(profile.relevant_months)} of it in work like the latest"
        total += f" (present: {profile.as_of})"
    lines: list[RenderableType] = [Text(total, style="" if profile.total_months is not None else "dim")]
    if profile.positions:
        lines.append(Timeline(profile.positions, profile.as_of))
    yield from _part("Experience", lines)


def _project(project: Project) -> Text:
    words = [f"for {_value(project.client)}"] if project.client else []
    words += [f"as {_value(project.role)}"] if project.role else []
    named = (
        Text(_value(project.name), style="bold")
        if project.name
        else Text("project without a name", style="dim")
    )
    words += [dates(project.period)] if project.period.start or project.period.months is not None else []
    return _joined([named, *map(Text, words)])


def _education(entry: Education) -> Text:
    degree = (
        Text(_value(entry.degree), style="bold") if entry.degree else Text("degree not stated", style="dim")
    )
    if entry.level and entry.level != "other" and entry.level not in degree.plain.lower():
        degree.append_text(Text(f" ({entry.level})", style="dim"))
    facts = (entry.field, entry.university, entry.year, entry.performance)
    return _joined([degree, *(Text(_value(fact)) for fact in facts if fact)])


def _certification(entry: Certification) -> Text:
    return _joined([Text(_value(entry.name)), *([Text(_value(entry.year))] if entry.year else [])])


def _joined(parts: list[Text]) -> Text:
    return Text(", ").join(parts)


def _warnings(profile: Profile) -> Iterator[Text]:
    for warning in (*profile.document.warnings, *profile.warnings):
        yield Text(f"! {printable(warning.message)} ({warning.code})", style="yellow")


def _value(fact: Fact) -> str:
    return printable(fact.value)
