"""Jobs on paper: entries with their sentences, projects inside them, tables of employers, functional lists."""

from __future__ import annotations

from collections.abc import Sequence

from evenhand.corpora.career import Job, Project, Use
from evenhand.corpora.manuscript import Block, Line, Run, Section, Table, Words
from evenhand.corpora.rng import chance, weighted
from evenhand.corpora.writing.dates import value_of as month_value
from evenhand.corpora.writing.dates import write_duration, write_month
from evenhand.corpora.writing.forms import short_title
from evenhand.corpora.writing.pen import Pen
from evenhand.corpora.writing.projects import project_blocks, project_scene, years_of
from evenhand.corpora.writing.sentences import Composer, Scene, end_sentence, paragraph


def write_experience(pen: Pen, heading: str) -> Section:
    """Every job, latest first; the latest get most of the words."""
    blocks: list[Block] = []
    jobs = pen.career.jobs
    shares = _shares(pen, jobs)
    if pen.style.employers == "table":
        blocks.append(employer_table(pen))
    voice = draw_voice(pen)
    for place, job in enumerate(jobs):
        budget = pen.style.lengths["experience"] * shares[place]
        blocks.extend(_job_blocks(pen, job, f"job {place}", budget, voice))
    return Section("experience", heading, tuple(blocks))


def write_employers(pen: Pen, heading: str) -> Section:
    """The bare list of a functional resume: who, what, when, and nothing more."""
    if chance(pen.rng, 0.4):
        return Section("experience", heading, (employer_table(pen),))
    blocks: list[Block] = []
    for place, job in enumerate(pen.career.jobs):
        blocks.extend(_entry(pen, job, f"job {place}"))
    return Section("experience", heading, tuple(blocks))


def draw_voice(pen: Pen) -> str:
    """Most write of ended jobs in the past; some always in the present or with "-ing"."""
    return weighted(pen.rng, {"past": 8.0, "present": 0.9, "gerund": 0.7})


def _shares(pen: Pen, jobs: Sequence[Job]) -> list[float]:
    """The share of the words per job: by recency, length of stay and whether it matters for the occupation."""
    weights = []
    for place, job in enumerate(jobs):
        stay = min(60, job.period.months(pen.career.as_of))
        weights.append((12 + stay) / (1 + 0.45 * place) * (1.0 if job.is_relevant else 0.5))
    total = sum(weights) or 1.0
    return [weight / total for weight in weights]


def _job_blocks(pen: Pen, job: Job, of: str, budget: float, voice: str) -> list[Block]:
    blocks: list[Block] = list(_entry(pen, job, of))
    inside = pen.style.projects == "inside" and bool(job.projects)
    years = years_of(job.period, pen.career.as_of)
    scene = Scene(of, job.period.end is not None, job.uses, job.duties, voice, years, job.city)
    composer = Composer(pen, scene)
    own = budget * (0.3 if inside else 1.0)
    if scene.duties or scene.uses:
        blocks.extend(lay_out(pen, composer.sentences(own, least=0 if inside else 1)))
    if inside:
        for place, project in enumerate(job.projects):
            share = budget * 0.7 / len(job.projects)
            blocks.extend(_nested_project(pen, project, f"{of} project {place}", share, voice))
    environment = environment_line(pen, scene.uses, of)
    if environment and not inside:
        blocks.append(environment)
    return blocks


def _nested_project(pen: Pen, project: Project, of: str, budget: float, voice: str) -> list[Block]:
    blocks = project_blocks(pen, project, of, nested=True)
    scene = project_scene(pen, project, of, voice)
    blocks.extend(lay_out(pen, Composer(pen, scene).sentences(budget)))
    environment = environment_line(pen, scene.uses, of)
    if environment:
        blocks.append(environment)
    return blocks


def lay_out(pen: Pen, sentences: Sequence[Words]) -> list[Block]:
    """Bullets, a paragraph, or a paragraph that opens bullets."""
    if not sentences:
        return []
    body = pen.style.body
    if body == "prose" or (body == "mixed" and len(sentences) < 3):
        return [Line(paragraph(sentences))]
    blocks: list[Block] = []
    if body == "mixed":
        blocks.append(Line(paragraph(sentences[:1])))
        sentences = sentences[1:]
    for words in sentences:
        ended = end_sentence(words) if pen.style.full_stops else words
        blocks.append(Line(ended, bullet=True, role="item"))
    return blocks


def environment_line(pen: Pen, uses: Sequence[Use], of: str) -> Line | None:
    """ "Environment: Java 8, Oracle 11g, JUnit": all tools of a job, or most of them."""
    if pen.style.environment == "none" or not uses:
        return None
    named = [use for use in uses if chance(pen.rng, 0.93)] or list(uses[:1])
    runs = [pen.skill(use, of) for use in named]
    label = Run(f"{pen.style.environment}: ", bold=True)
    return Line((label, *pen.listing(runs, prose=False)))


def written_title(pen: Pen, job: Job, of: str, *, bold: bool = False, italic: bool = False) -> Run:
    title = short_title(job.title) if pen.style.seniority == "short" else job.title
    return Run(title, "title", job.title, bold=bold, italic=italic, of=of)


def _entry(pen: Pen, job: Job, of: str) -> list[Line]:
    """The head of a job: title, employer, place and dates in the person's own arrangement."""
    employer = Run(job.employer, "employer", job.employer, of=of)
    title = written_title(pen, job, of)
    dates = written_dates(pen, job, of)
    place = (Run(", "), Run(job.city, "location", job.city, of=of)) if pen.style.places and job.city else ()
    if job.hours_per_week < 35 and chance(pen.rng, 0.75):
        part = pen.rng.choice(
            (f" ({job.hours_per_week} hours/week)", " (part-time)", f" ({job.hours_per_week} hrs/wk)")
        )
        title_words: Words = (title, Run(part))
    else:
        title_words = (title,)
    match pen.style.entry:
        case "title_employer":
            words: Words = (*_bold(title_words), Run(", "), employer, *place)
            return [Line(words, aside=dates, role="title")]
        case "employer_title":
            words = (*_bold((employer,)), *place, Run(pen.rng.choice((" - ", " – "))), *title_words)
            return [Line(words, aside=dates, role="title")]
        case "two_lines":
            return [
                Line((*_bold((employer,)), *place), role="title", aside=dates),
                Line(title_words, role="subtitle"),
            ]
        case "dates_first":
            return [
                Line((*dates, Run("  "), *_bold(title_words)), role="title"),
                Line((employer, *place), role="subtitle"),
            ]
    words = (
        *_bold(title_words),
        Run(" | "),
        employer,
        *((Run(" | "), place[1]) if place else ()),
        Run(" | "),
        *dates,
    )
    return [Line(words, role="title")]


def _bold(words: Words) -> Words:
    return tuple(Run(run.text, run.label, run.value, bold=True, of=run.of) for run in words)


def written_dates(pen: Pen, job: Job, of: str) -> Words:
    """Dates of a job, older jobs sometimes in another style; how long it was behind them where the style has it."""
    place = int(of.split(" ")[1])
    mixed = pen.style.other_dates if place >= 2 and pen.style.other_dates != "yyyy" else pen.style.dates
    words = pen.period(job.period, of, dates=mixed)
    if pen.style.durations == "none":
        return words
    months = job.period.months(pen.career.as_of)
    length = Run(write_duration(months, pen.style.durations), "duration", str(months), of=of)
    return (*words, Run(" ("), length, Run(")"))


def employer_table(pen: Pen) -> Table:
    """Past employers as rows: who, as what, from when to when."""
    rng, style = pen.rng, pen.style
    split = chance(rng, 0.35)
    names = rng.choice(
        (
            ("Organization", "Designation"),
            ("Employer", "Position"),
            ("Company", "Role"),
            ("Employer", "Title"),
        )
    )
    periods = (
        rng.choice((("From", "To"), ("Start", "End")))
        if split
        else (rng.choice(("Period", "Duration", "Dates", "Tenure")),)
    )
    rows: list[tuple[Words, ...]] = [tuple((Run(name, bold=True),) for name in (*names, *periods))]
    for place, job in enumerate(pen.career.jobs):
        of = f"job {place}"
        who: tuple[Words, ...] = (
            (Run(job.employer, "employer", job.employer, of=of),),
            (written_title(pen, job, of),),
        )
        when: tuple[Words, ...] = (pen.period(job.period, of),)
        if split:
            when = _split_dates(pen, job, of, style.dates)
        rows.append((*who, *when))
    return Table(tuple(rows))


def _split_dates(pen: Pen, job: Job, of: str, style: str) -> tuple[Words, ...]:
    start = Run(write_month(job.period.start, style), "date", month_value(job.period.start, style), of=of)
    if job.period.end is None:
        return (start,), (Run(pen.style.present, "date", "present", of=of),)
    end = job.period.end
    return (start,), (Run(write_month(end, style, is_end=True), "date", month_value(end, style), of=of),)
