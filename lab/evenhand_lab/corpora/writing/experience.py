"""Jobs on paper: entries with their sentences, projects inside them, tables of employers, functional lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evenhand_lab.corpora.career import CareerJob, CareerPeriod, CareerProject, CareerSkill, Month, year_of
from evenhand_lab.corpora.lexicon import chance, weighted
from evenhand_lab.corpora.manuscript import (
    Block,
    ManuscriptLine,
    ManuscriptSection,
    ManuscriptTable,
    TextRun,
    Words,
    fact,
    join,
)
from evenhand_lab.corpora.writing.dates import short_title, write_duration, write_month
from evenhand_lab.corpora.writing.dates import value_of as month_value
from evenhand_lab.corpora.writing.pen import Pen
from evenhand_lab.corpora.writing.sentences import Composer, SentenceScene, end_sentence, paragraph

# Projects on paper: inside the job they belong to, or in a section of their own.


def years_of(period: CareerPeriod, as_of: Month) -> tuple[int, int]:
    return year_of(period.start), year_of(period.last(as_of))


def write_project(pen: Pen, project: CareerProject, of: str, budget: float, voice: str, *, nested: bool) -> list[Block]:
    """A project inside its job or in a section of its own: head, sentences, tools."""
    years = years_of(project.period, pen.career.as_of)
    blocks = _project_head(pen, project, of, nested=nested)
    scene = SentenceScene(of, project.period.end is not None, project.uses, project.duties, voice, years)
    blocks.extend(lay_out(pen, Composer(pen, scene).sentences(budget)))
    environment = _environment_line(pen, project.uses, of)
    return [*blocks, environment] if environment else blocks


def _project_head(pen: Pen, project: CareerProject, of: str, *, nested: bool) -> list[Block]:
    """Its name, client, role and time, as labelled lines, one line or a small table."""
    rng = pen.rng
    time: Words = ()  # where nothing is said, the job around it says when
    match weighted(rng, {"dates": 6.0, "duration": 1.5, "none": 2.5 if nested else 0.6}):
        case "dates":
            time = pen.period(project.period, of)
        case "duration":
            form = pen.style.durations if pen.style.durations != "none" else "months"
            time = (duration(project.period.months(pen.career.as_of), form, of),)
    role = fact(project.role, "title", of) if project.role else None
    client = fact(project.client, "client", of) if project.client else None
    form = weighted(rng, {"lines": 3.0, "compact": 4.0, "table": 0.6})
    if form == "compact":
        words: list[TextRun] = [fact(project.name, "project", of, bold=True)]
        if chance(rng, 0.4):
            words.insert(0, TextRun(rng.choice(("Project: ", "Project - "))))
        if client:
            words += [TextRun(rng.choice((" (Client: ", " (", " (for "))), client, TextRun(")")]
        if role and chance(rng, 0.4):
            words += [TextRun(", "), role]
        return [ManuscriptLine(tuple(words), aside=time, role="subtitle")]
    facts: list[tuple[str, Words]] = [
        (rng.choice(("Project", "Project Name", "Project Title", "Title")), (fact(project.name, "project", of),))
    ]
    if client:
        facts.append((rng.choice(("Client", "Customer")), (client,)))
    if time:
        label = "Duration" if time[0].label == "duration" else rng.choice(("Duration", "Period", "Dates"))
        facts.append((label, time))
    if role:
        facts.append((rng.choice(("Role", "Position")), (role,)))
    if project.team and chance(rng, 0.6):
        facts.append(("Team Size", (TextRun(str(project.team)),)))
    if form == "lines":
        return [ManuscriptLine((TextRun(f"{label}: ", bold=True), *words)) for label, words in facts]
    return [ManuscriptTable(tuple(((TextRun(label, bold=True),), words) for label, words in facts), has_header=False)]


def duration(months: int, form: str, of: str) -> TextRun:
    return TextRun(write_duration(months, form), "duration", str(months), of=of)


def write_experience(pen: Pen, heading: str) -> ManuscriptSection:
    """Every job, latest first; the words are shared by recency, length of stay and weight for the occupation."""
    jobs = pen.career.jobs
    weights = []
    for place, job in enumerate(jobs):
        stay = min(60, job.period.months(pen.career.as_of))
        weights.append((12 + stay) / (1 + 0.45 * place) * (1.0 if job.is_relevant else 0.5))
    total = sum(weights) or 1.0
    blocks: list[Block] = [_employer_table(pen)] if pen.style.employers == "table" else []
    voice = draw_voice(pen)
    for place, job in enumerate(jobs):
        budget = pen.style.lengths["experience"] * (weights[place] / total)
        blocks.extend(_job_blocks(pen, job, f"job {place}", budget, voice))
    return ManuscriptSection("experience", heading, tuple(blocks))


def write_employers(pen: Pen, heading: str) -> ManuscriptSection:
    """The bare list of a functional resume: who, what, when, and nothing more."""
    if chance(pen.rng, 0.4):
        return ManuscriptSection("experience", heading, (_employer_table(pen),))
    entries = [line for place, job in enumerate(pen.career.jobs) for line in _entry(pen, job, f"job {place}")]
    return ManuscriptSection("experience", heading, tuple(entries))


def draw_voice(pen: Pen) -> str:
    """Most write of ended jobs in the past; some always in the present or with "-ing"."""
    return weighted(pen.rng, {"past": 8.0, "present": 0.9, "gerund": 0.7})


def _job_blocks(pen: Pen, job: CareerJob, of: str, budget: float, voice: str) -> list[Block]:
    blocks: list[Block] = list(_entry(pen, job, of))
    inside = pen.style.projects == "inside" and bool(job.projects)
    years = years_of(job.period, pen.career.as_of)
    scene = SentenceScene(of, job.period.end is not None, job.uses, job.duties, voice, years, job.city)
    composer = Composer(pen, scene)
    if job.duties or job.uses:
        blocks.extend(lay_out(pen, composer.sentences(budget * (0.3 if inside else 1.0), least=0 if inside else 1)))
    if inside:
        share = budget * 0.7 / len(job.projects)
        for place, project in enumerate(job.projects):
            blocks.extend(write_project(pen, project, f"{of} project {place}", share, voice, nested=True))
    environment = _environment_line(pen, job.uses, of)
    return [*blocks, environment] if environment and not inside else blocks


def lay_out(pen: Pen, sentences: Sequence[Words]) -> list[Block]:
    """Bullets, a paragraph, or a paragraph that opens bullets."""
    if not sentences:
        return []
    body = pen.style.body
    if body == "prose" or (body == "mixed" and len(sentences) < 3):
        return [ManuscriptLine(paragraph(sentences))]
    opening = 1 if body == "mixed" else 0
    blocks: list[Block] = [ManuscriptLine(paragraph(sentences[:opening]))] if opening else []
    items = map(end_sentence, sentences[opening:]) if pen.style.full_stops else sentences[opening:]
    return [*blocks, *(ManuscriptLine(words, bullet=True, role="item") for words in items)]


def _environment_line(pen: Pen, uses: Sequence[CareerSkill], of: str) -> ManuscriptLine | None:
    """ "Environment: Java 8, Oracle 11g, JUnit": all tools of a job, or most of them."""
    if pen.style.environment == "none" or not uses:
        return None
    named = [use for use in uses if chance(pen.rng, 0.93)] or list(uses[:1])
    runs = [pen.skill(use, of) for use in named]
    label = TextRun(f"{pen.style.environment}: ", bold=True)
    return ManuscriptLine((label, *pen.listing(runs, prose=False)))


def written_title(pen: Pen, job: CareerJob, of: str | None) -> TextRun:
    return TextRun(short_title(job.title) if pen.style.seniority == "short" else job.title, "title", job.title, of=of)


def _entry(pen: Pen, job: CareerJob, of: str) -> list[ManuscriptLine]:
    """The head of a job: title, employer, place and dates in the person's own arrangement."""
    rng, hours = pen.rng, job.hours_per_week
    employer = fact(job.employer, "employer", of)
    title: Words = (written_title(pen, job, of),)
    dates = _written_dates(pen, job, of)
    city: Words = (fact(job.city, "location", of),) if pen.style.places and job.city else ()
    place: Words = (TextRun(", "), *city) if city else ()
    if hours < 35 and chance(rng, 0.75):
        title += (TextRun(rng.choice((f" ({hours} hours/week)", " (part-time)", f" ({hours} hrs/wk)"))),)
    bold_title: Words = tuple(replace(run, bold=True) for run in title)
    bold_employer = replace(employer, bold=True)
    match pen.style.entry:
        case "title_employer":
            return [ManuscriptLine((*bold_title, TextRun(", "), employer, *place), aside=dates, role="title")]
        case "employer_title":
            joint = TextRun(rng.choice((" - ", " – ")))
            return [ManuscriptLine((bold_employer, *place, joint, *title), aside=dates, role="title")]
        case "two_lines":
            first = ManuscriptLine((bold_employer, *place), role="title", aside=dates)
            return [first, ManuscriptLine(title, role="subtitle")]
        case "dates_first":
            first = ManuscriptLine((*dates, TextRun("  "), *bold_title), role="title")
            return [first, ManuscriptLine((employer, *place), role="subtitle")]
    parts = [bold_title, (employer,), city, dates]
    return [ManuscriptLine(join([part for part in parts if part], " | "), role="title")]


def _written_dates(pen: Pen, job: CareerJob, of: str) -> Words:
    """Dates of a job, older jobs sometimes in another style; how long it was behind them where the style has it."""
    place = int(of.split(" ")[1])
    mixed = pen.style.other_dates if place >= 2 and pen.style.other_dates != "yyyy" else pen.style.dates
    words = pen.period(job.period, of, dates=mixed)
    if pen.style.durations == "none":
        return words
    length = duration(job.period.months(pen.career.as_of), pen.style.durations, of)
    return (*words, TextRun(" ("), length, TextRun(")"))


def _employer_table(pen: Pen) -> ManuscriptTable:
    """Past employers as rows: who, as what, from when to when."""
    rng, dates = pen.rng, pen.style.dates
    split = chance(rng, 0.35)
    names: tuple[str, ...] = rng.choice(
        (("Organization", "Designation"), ("Employer", "Position"), ("Company", "Role"), ("Employer", "Title"))
    )
    if split:
        names += rng.choice((("From", "To"), ("Start", "End")))
    else:
        names += (rng.choice(("Period", "Duration", "Dates", "Tenure")),)
    rows: list[tuple[Words, ...]] = [tuple((TextRun(name, bold=True),) for name in names)]
    for place, job in enumerate(pen.career.jobs):
        of = f"job {place}"
        who: tuple[Words, ...] = ((fact(job.employer, "employer", of),), (written_title(pen, job, of),))
        start, end = job.period.start, job.period.end
        if not split:
            rows.append((*who, pen.period(job.period, of)))
        else:
            first = TextRun(write_month(start, dates), "date", month_value(start, dates), of=of)
            last = TextRun(pen.style.present, "date", "present", of=of)
            if end is not None:
                last = TextRun(write_month(end, dates, is_end=True), "date", month_value(end, dates), of=of)
            rows.append((*who, (first,), (last,)))
    return ManuscriptTable(tuple(rows))
