"""One Profile as a card: who, how long, which jobs when, which skills for how many months, and what to doubt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from evenhand.mining.experience import MonthInterval, covered_months, gaps
from evenhand.records import Document, Evidence
from evenhand.records.profile import Education, Fact, Period, Position, Profile, Project, Skill
from evenhand.rendering.cells import printable
from evenhand.text.wording import NO_DATES, UNKNOWN_DURATION, count, duration, short_duration

# Skills by their months: bars for the longest, a list for the others, and apart from both those nobody dated.

NAMES = 27
BARS = 12
MONTHS = 9  # columns, for "12 y 11 m"
LAST = 15
BAR = "▆"


class SkillBars:
    """Rendered for the width there is."""

    def __init__(self, skills: Sequence[Skill]) -> None:
        dated = [(skill.months, skill) for skill in skills if skill.months is not None]
        self.dated = sorted(dated, key=lambda row: (-row[0], row[1].name))
        self.undated = sorted(skill.name for skill in skills if skill.months is None)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self._bars(max(options.max_width - NAMES - MONTHS - LAST - 3, 8))
        if others := self.dated[BARS:]:
            yield _listed("also", [f"{printable(skill.name)} {short_duration(months)}" for months, skill in others])
        if self.undated:
            yield _listed(UNKNOWN_DURATION, list(map(printable, self.undated)))

    def _bars(self, columns: int) -> Iterator[RenderableType]:
        longest = self.dated[:BARS]
        if not longest:
            return
        table = Table.grid(padding=(0, 1, 0, 0))
        for width in (NAMES, columns):
            table.add_column(width=width, no_wrap=True, overflow="ellipsis")
        table.add_column(width=MONTHS, justify="right", no_wrap=True)
        table.add_column(width=LAST, no_wrap=True)
        most = longest[0][0] or 1
        for months, skill in longest:
            bar = Text(BAR * max(round(columns * months / most), 1), style="green")
            last = Text(f"until {skill.last_used}", style="dim") if skill.last_used else Text()
            table.add_row(Text(printable(skill.name)), bar, short_duration(months), last)
        yield table


def _listed(label: str, items: list[str]) -> Text:
    return Text.assemble((f"{label}: ", "dim"), ", ".join(items))


# Jobs along one axis of years: a row for each job, a faint row where more than a few months have no job.

LABELS = 27  # columns for titles and employers
MIN_AXIS_WIDTH = 20
TIMELINE_BAR, GAP, TRACK = "▆", "░", "·"
STEPS = (1, 2, 5, 10, 20, 50)  # years
YEAR_WIDTH = 6  # columns a year needs on the axis, with room to the next


def dates(period: Period) -> str:
    """As stated, and how long that is: "2019-03 to present, 2 years"."""
    if period.start and period.end and period.start != period.end:
        words = [f"{period.start} to {period.end}"]
    else:
        words = [date for date in (period.start or period.end,) if date]
    words += [duration(period.months)] if period.months is not None else []
    return ", ".join(words) or NO_DATES


@dataclass(frozen=True, slots=True)
class Axis:
    """Years laid over columns."""

    first_index: int
    last_index: int
    columns: int

    @classmethod
    def over(cls, intervals: Sequence[MonthInterval], columns: int) -> Axis:
        """From the January before the first month to the last month, and over a year at least."""
        first = min(span.first_index for span in intervals) // 12 * 12
        last = max(span.last_index for span in intervals)
        return cls(first, max(last, first + 11), columns)

    def column(self, index: int) -> int:
        """Where a month begins."""
        return round((index - self.first_index) * self.columns / (self.last_index - self.first_index + 1))

    def bar(self, interval: MonthInterval, fill: str, style: str) -> Text:
        """At least one column: a job of a month is a job."""
        start = min(self.column(interval.first_index), self.columns - 1)
        end = max(self.column(interval.last_index + 1), start + 1)
        return Text.assemble(
            (TRACK * start, "dim"), (fill * (end - start), style), (TRACK * (self.columns - end), "dim")
        )

    def years(self) -> Text:
        """As many as fit, the same distance apart."""
        first, last = self.first_index // 12, self.last_index // 12
        needed = YEAR_WIDTH * (last - first + 1) / self.columns
        step = next((step for step in STEPS if step >= needed), STEPS[-1])
        line = ""
        for year in range(-(-first // step) * step, last + 1, step):
            line = line.ljust(self.column(year * 12)) + f"{year:04}"
            if len(line) > self.columns:
                line = line[:-4]
        return Text(line, style="dim")


class TerminalTimeline:
    """The newest job first, jobs without dates last. Rendered for the width there is."""

    def __init__(self, positions: Sequence[Position], as_of: str) -> None:
        covers = [(covered_months(position.period, as_of), position) for position in positions]
        self.dated = sorted(
            ((interval, position) for interval, position in covers if interval),
            key=lambda row: (-row[0].last_index, -row[0].first_index),
        )
        self.undated = [position for interval, position in covers if interval is None]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = max(options.max_width - LABELS - 1, MIN_AXIS_WIDTH)
        table = Table.grid(padding=(0, 1, 0, 0))
        table.add_column(width=LABELS)
        table.add_column(width=columns)
        for row in self._dated_rows(columns):
            table.add_row(*row)
        for position in self.undated:
            table.add_row(_label(position), Text(dates(position.period), style="dim"))
        yield table

    def _dated_rows(self, columns: int) -> Iterator[tuple[Text, Text]]:
        if not self.dated:
            return
        intervals = [interval for interval, _ in self.dated]
        axis = Axis.over(intervals, columns)
        yield Text(), axis.years()
        missing = gaps(intervals)
        for interval, position in self.dated:
            while missing and interval.last_index < missing[-1].first_index:
                gap = missing.pop()
                yield Text(f"no job stated, {short_duration(gap.months)}", style="dim"), axis.bar(gap, GAP, "dim")
            yield (
                _label(position),
                Text("\n").join([axis.bar(interval, TIMELINE_BAR, "cyan"), Text(dates(position.period))]),
            )


def _label(position: Position) -> Text:
    lines = [_words(position.title, "bold"), _words(position.employer, "")]
    return Text("\n").join([line for line in lines if line] or [Text("no title, no employer", style="dim")])


def _words(fact: Fact | None, style: str) -> Text:
    return Text(printable(fact.value), style=style) if fact else Text()


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
    if profile.name:
        yield Text(_value(profile.name), style="bold")
    else:
        yield Text("name not found", style="dim")
    place = [_value(profile.city)] if profile.city else []
    place += [printable(profile.country)] if profile.country else []
    contact = [*map(_value, profile.emails), *map(_value, profile.phones), *([", ".join(place)] if place else [])]
    if contact:
        yield Text(" · ".join(contact))
    if profile.links:
        yield Text(" · ".join(map(_value, profile.links)), style="dim")
    source = profile.document
    sections = list(dict.fromkeys(section.type for section in profile.sections))
    facts = [(source.format or "?").upper(), count(source.pages, "page")]
    yield Text(", ".join(facts) + (f"; sections: {', '.join(sections)}" if sections else ""), style="dim")
    if profile.total_months is None:
        total = "Length not stated" if profile.positions else "No jobs found"
    else:
        total = f"{duration(profile.total_months)} in total"
        if profile.relevant_months is not None and profile.relevant_months != profile.total_months:
            total += f", {duration(profile.relevant_months)} of it in work like the latest"
        total += f" (present: {profile.as_of})"
    lines: list[RenderableType] = [Text(total, style="" if profile.total_months is not None else "dim")]
    if profile.positions:
        lines.append(TerminalTimeline(profile.positions, profile.as_of))
    yield from _part("Experience", lines)
    yield from _part("Projects", map(_project, profile.projects))
    yield from _part("Education", map(_education, profile.education))
    spoken = {fact.value.casefold() for fact in profile.languages}
    if skills := [skill for skill in profile.skills if skill.name.casefold() not in spoken]:
        yield from _part("Skills", [SkillBars(skills)])
    certifications = ([entry.name, entry.year] if entry.year else [entry.name] for entry in profile.certifications)
    yield from _part("Certifications", (Text(", ".join(map(_value, facts))) for facts in certifications))
    if profile.languages:
        yield from _part("Languages", [Text(", ".join(map(_value, profile.languages)))])
    warnings = (*source.warnings, *profile.warnings)
    notes = (Text(f"! {printable(warning.message)} ({warning.code})", style="yellow") for warning in warnings)
    yield from _part("Please note", notes)


def _part(title: str, lines: Iterable[RenderableType]) -> Iterator[RenderableType]:
    rows = list(lines)
    if rows:
        yield Padding(Rule(Text(title, style="bold"), align="left", style="dim", characters="─"), (1, 0, 0, 0))
        yield from rows


def _project(project: Project) -> Text:
    words = [f"for {_value(project.client)}"] if project.client else []
    words += [f"as {_value(project.role)}"] if project.role else []
    named = Text(_value(project.name), style="bold") if project.name else Text("project without a name", style="dim")
    words += [dates(project.period)] if project.period.start or project.period.months is not None else []
    return Text(", ").join([named, *map(Text, words)])


def _education(entry: Education) -> Text:
    degree = Text(_value(entry.degree), style="bold") if entry.degree else Text("degree not stated", style="dim")
    if entry.level and entry.level != "other" and entry.level not in degree.plain.lower():
        degree.append_text(Text(f" ({entry.level})", style="dim"))
    facts = (entry.field, entry.university, entry.year, entry.performance)
    return Text(", ").join([degree, *(Text(_value(fact)) for fact in facts if fact)])


def _value(fact: Fact) -> str:
    return printable(fact.value)


# Below a card, where each fact stands in the resume, and what found it.

MAX_QUOTE = 60  # characters of the resume
MAX_PLACES = 5  # of one skill


class EvidenceRow(NamedTuple):
    label: str
    value: str
    places: Sequence[Evidence]


def evidence_table(profile: Profile, document: Document) -> Table:
    table = Table(title="Where it stands in the resume", title_justify="left", box=SIMPLE_HEAD, expand=True)
    table.add_column("Fact", no_wrap=True)
    table.add_column("In the resume → taken for", ratio=1)
    table.add_column("Line", max_width=12)
    table.add_column("Page", justify="right", no_wrap=True)
    table.add_column("Found by", no_wrap=True)
    for row in _evidence_rows(profile):
        first = row.places[0]
        found_by = Text(f"{first.method} {first.confidence:.2f}", style="dim")
        table.add_row(row.label, _quote(row, document), _lines(row.places, document), str(first.page), found_by)
    return table


def _evidence_rows(profile: Profile) -> Iterator[EvidenceRow]:
    lists: dict[str, Sequence[Fact | None]] = {
        "name": [profile.name],
        "e-mail": profile.emails,
        "phone": profile.phones,
        "link": profile.links,
        "city": [profile.city],
        "language": profile.languages,
    }
    for label, facts in lists.items():
        yield from (EvidenceRow(label, fact.value, [fact.evidence]) for fact in facts if fact)
    for number, position in enumerate(profile.positions, start=1):
        yield from _of(f"job {number}", title=position.title, employer=position.employer, city=position.city)
        yield from _dates_of(f"job {number}", position.period)
    for number, project in enumerate(profile.projects, start=1):
        yield from _of(f"project {number}", name=project.name, client=project.client, role=project.role)
        yield from _dates_of(f"project {number}", project.period)
    for number, entry in enumerate(profile.education, start=1):
        studied = {"degree": entry.degree, "field": entry.field, "university": entry.university}
        yield from _of(f"study {number}", **studied, year=entry.year, performance=entry.performance)
    for certification in profile.certifications:
        yield from _of("certification", name=certification.name, year=certification.year)
    for skill in profile.skills:
        if skill.evidence:
            yield EvidenceRow("skill", skill.name, skill.evidence)


def _of(owner: str, **facts: Fact | None) -> Iterator[EvidenceRow]:
    for label, fact in facts.items():
        if fact:
            yield EvidenceRow(f"{owner} {label}", fact.value, [fact.evidence])


def _dates_of(owner: str, period: Period) -> Iterator[EvidenceRow]:
    if period.evidence:
        yield EvidenceRow(f"{owner} dates", f"{period.start or '?'} to {period.end or '?'}", [period.evidence])


def _quote(row: EvidenceRow, document: Document) -> Text:
    """The words at the first place; behind an arrow the value, where it is not these words."""
    place = row.places[0]
    words = " ".join(document.text[place.start : place.end].split())
    quote = Text(printable(words if len(words) <= MAX_QUOTE else words[:MAX_QUOTE].rstrip() + " ..."))
    if words.casefold() == row.value.casefold():
        return quote
    return Text.assemble(quote, (" → ", "dim"), (printable(row.value), "bold"))


def _lines(places: Sequence[Evidence], document: Document) -> str:
    """Numbers of lines, as an editor counts them in what `read --text` prints."""
    lines = [document.text.count("\n", 0, place.start) + 1 for place in places]
    numbers = [str(line) for line in dict.fromkeys(lines)]
    return ", ".join(numbers[:MAX_PLACES]) + (" ..." if len(numbers) > MAX_PLACES else "")
