"""Jobs on paper: entries with their sentences, projects inside them, tables of employers, functional lists."""

from __future__ import annotations

from collections.abc import Sequence

from evenhand_lab.corpora.career import CareerJob, CareerPeriod, CareerProject, CareerSkill, Month, year_of
from evenhand_lab.corpora.lexicon import chance, weighted
from evenhand_lab.corpora.manuscript import Block, ManuscriptLine, ManuscriptSection, ManuscriptTable, TextRun, Words
from evenhand_lab.corpora.writing.dates import short_title, write_duration, write_month
from evenhand_lab.corpora.writing.dates import value_of as month_value
from evenhand_lab.corpora.writing.pen import Pen
from evenhand_lab.corpora.writing.sentences import Composer, SentenceScene, end_sentence, paragraph

# Projects on paper: inside the job they belong to, or in a section of their own.


def years_of(period: CareerPeriod, as_of: Month) -> tuple[int, int]:
    return year_of(period.start), year_of(period.last(as_of))


def project_scene(pen: Pen, project: CareerProject, of: str, voice: str) -> SentenceScene:
    years = years_of(project.period, pen.career.as_of)
    return SentenceScene(of, project.period.end is not None, project.uses, project.duties, voice, years)


def project_blocks(pen: Pen, project: CareerProject, of: str, *, nested: bool) -> list[Block]:
    """The head of a project: its name, client, role and time, as labelled lines, one line or a small table."""
    time = _time(pen, project, of, nested=nested)
    forms = {"lines": 3.0, "compact": 4.0, "table": 0.6}
    match weighted(pen.rng, forms):
        case "lines":
            return [
                ManuscriptLine((TextRun(f"{label}: ", bold=True), *words))
                for label, words in _facts(pen, project, of, time)
            ]
        case "table":
            rows = tuple(((TextRun(label, bold=True),), words) for label, words in _facts(pen, project, of, time))
            return [ManuscriptTable(rows, has_header=False)]
    return [_compact(pen, project, of, time)]


def _time(pen: Pen, project: CareerProject, of: str, *, nested: bool) -> Words:
    """Dates, or only how long, or nothing: then the job around it says when."""
    kinds = {"dates": 6.0, "duration": 1.5, "none": 2.5 if nested else 0.6}
    months = project.period.months(pen.career.as_of)
    match weighted(pen.rng, kinds):
        case "dates":
            return pen.period(project.period, of)
        case "duration":
            form = pen.style.durations if pen.style.durations != "none" else "months"
            return (TextRun(write_duration(months, form), "duration", str(months), of=of),)
    return ()


def _facts(pen: Pen, project: CareerProject, of: str, time: Words) -> list[tuple[str, Words]]:
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
        facts.append((rng.choice(("Role", "Position")), (TextRun(project.role, "title", project.role, of=of),)))
    if project.team and chance(rng, 0.6):
        facts.append(("Team Size", (TextRun(str(project.team)),)))
    return facts


def _compact(pen: Pen, project: CareerProject, of: str, time: Words) -> ManuscriptLine:
    words: list[TextRun] = [TextRun(project.name, "project", project.name, bold=True, of=of)]
    if chance(pen.rng, 0.4):
        words.insert(0, TextRun(pen.rng.choice(("Project: ", "Project - "))))
    if project.client:
        words += [TextRun(pen.rng.choice((" (Client: ", " (", " (for "))), _client(project, of), TextRun(")")]
    if project.role and chance(pen.rng, 0.4):
        words += [TextRun(", "), TextRun(project.role, "title", project.role, of=of)]
    return ManuscriptLine(tuple(words), aside=time, role="subtitle")


def _name(project: CareerProject, of: str) -> TextRun:
    return TextRun(project.name, "project", project.name, of=of)


def _client(project: CareerProject, of: str) -> TextRun:
    return TextRun(project.client or "", "client", project.client, of=of)


def write_experience(pen: Pen, heading: str) -> ManuscriptSection:
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
    return ManuscriptSection("experience", heading, tuple(blocks))


def write_employers(pen: Pen, heading: str) -> ManuscriptSection:
    """The bare list of a functional resume: who, what, when, and nothing more."""
    if chance(pen.rng, 0.4):
        return ManuscriptSection("experience", heading, (employer_table(pen),))
    blocks: list[Block] = []
    for place, job in enumerate(pen.career.jobs):
        blocks.extend(_entry(pen, job, f"job {place}"))
    return ManuscriptSection("experience", heading, tuple(blocks))


def draw_voice(pen: Pen) -> str:
    """Most write of ended jobs in the past; some always in the present or with "-ing"."""
    return weighted(pen.rng, {"past": 8.0, "present": 0.9, "gerund": 0.7})


def _shares(pen: Pen, jobs: Sequence[CareerJob]) -> list[float]:
    """The share of the words per job: by recency, length of stay and whether it matters for the occupation."""
    weights = []
    for place, job in enumerate(jobs):
        stay = min(60, job.period.months(pen.career.as_of))
        weights.append((12 + stay) / (1 + 0.45 * place) * (1.0 if job.is_relevant else 0.5))
    total = sum(weights) or 1.0
    return [weight / total for weight in weights]


def _job_blocks(pen: Pen, job: CareerJob, of: str, budget: float, voice: str) -> list[Block]:
    blocks: list[Block] = list(_entry(pen, job, of))
    inside = pen.style.projects == "inside" and bool(job.projects)
    years = years_of(job.period, pen.career.as_of)
    scene = SentenceScene(of, job.period.end is not None, job.uses, job.duties, voice, years, job.city)
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


def _nested_project(pen: Pen, project: CareerProject, of: str, budget: float, voice: str) -> list[Block]:
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
        return [ManuscriptLine(paragraph(sentences))]
    blocks: list[Block] = []
    if body == "mixed":
        blocks.append(ManuscriptLine(paragraph(sentences[:1])))
        sentences = sentences[1:]
    for words in sentences:
        ended = end_sentence(words) if pen.style.full_stops else words
        blocks.append(ManuscriptLine(ended, bullet=True, role="item"))
    return blocks


def environment_line(pen: Pen, uses: Sequence[CareerSkill], of: str) -> ManuscriptLine | None:
    """ "Environment: Java 8, Oracle 11g, JUnit": all tools of a job, or most of them."""
    if pen.style.environment == "none" or not uses:
        return None
    named = [use for use in uses if chance(pen.rng, 0.93)] or list(uses[:1])
    runs = [pen.skill(use, of) for use in named]
    label = TextRun(f"{pen.style.environment}: ", bold=True)
    return ManuscriptLine((label, *pen.listing(runs, prose=False)))


def written_title(pen: Pen, job: CareerJob, of: str, *, bold: bool = False, italic: bool = False) -> TextRun:
    title = short_title(job.title) if pen.style.seniority == "short" else job.title
    return TextRun(title, "title", job.title, bold=bold, italic=italic, of=of)


def _entry(pen: Pen, job: CareerJob, of: str) -> list[ManuscriptLine]:
    """The head of a job: title, employer, place and dates in the person's own arrangement."""
    employer = TextRun(job.employer, "employer", job.employer, of=of)
    title = written_title(pen, job, of)
    dates = written_dates(pen, job, of)
    place = (TextRun(", "), TextRun(job.city, "location", job.city, of=of)) if pen.style.places and job.city else ()
    if job.hours_per_week < 35 and chance(pen.rng, 0.75):
        part = pen.rng.choice(
            (f" ({job.hours_per_week} hours/week)", " (part-time)", f" ({job.hours_per_week} hrs/wk)")
        )
        title_words: Words = (title, TextRun(part))
    else:
        title_words = (title,)
    match pen.style.entry:
        case "title_employer":
            words: Words = (*_bold(title_words), TextRun(", "), employer, *place)
            return [ManuscriptLine(words, aside=dates, role="title")]
        case "employer_title":
            words = (*_bold((employer,)), *place, TextRun(pen.rng.choice((" - ", " – "))), *title_words)
            return [ManuscriptLine(words, aside=dates, role="title")]
        case "two_lines":
            return [
                ManuscriptLine((*_bold((employer,)), *place), role="title", aside=dates),
                ManuscriptLine(title_words, role="subtitle"),
            ]
        case "dates_first":
            return [
                ManuscriptLine((*dates, TextRun("  "), *_bold(title_words)), role="title"),
                ManuscriptLine((employer, *place), role="subtitle"),
            ]
    words = (
        *_bold(title_words),
        TextRun(" | "),
        employer,
        *((TextRun(" | "), place[1]) if place else ()),
        TextRun(" | "),
        *dates,
    )
    return [ManuscriptLine(words, role="title")]


def _bold(words: Words) -> Words:
    return tuple(TextRun(run.text, run.label, run.value, bold=True, of=run.of) for run in words)


def written_dates(pen: Pen, job: CareerJob, of: str) -> Words:
    """Dates of a job, older jobs sometimes in another style; how long it was behind them where the style has it."""
    place = int(of.split(" ")[1])
    mixed = pen.style.other_dates if place >= 2 and pen.style.other_dates != "yyyy" else pen.style.dates
    words = pen.period(job.period, of, dates=mixed)
    if pen.style.durations == "none":
        return words
    months = job.period.months(pen.career.as_of)
    length = TextRun(write_duration(months, pen.style.durations), "duration", str(months), of=of)
    return (*words, TextRun(" ("), length, TextRun(")"))


def employer_table(pen: Pen) -> ManuscriptTable:
    """Past employers as rows: who, as what, from when to when."""
    rng, style = pen.rng, pen.style
    split = chance(rng, 0.35)
    names = rng.choice(
        (("Organization", "Designation"), ("Employer", "Position"), ("Company", "Role"), ("Employer", "Title"))
    )
    periods = (
        rng.choice((("From", "To"), ("Start", "End")))
        if split
        else (rng.choice(("Period", "Duration", "Dates", "Tenure")),)
    )
    rows: list[tuple[Words, ...]] = [tuple((TextRun(name, bold=True),) for name in (*names, *periods))]
    for place, job in enumerate(pen.career.jobs):
        of = f"job {place}"
        who: tuple[Words, ...] = (
            (TextRun(job.employer, "employer", job.employer, of=of),),
            (written_title(pen, job, of),),
        )
        when: tuple[Words, ...] = (pen.period(job.period, of),)
        if split:
            when = _split_dates(pen, job, of, style.dates)
        rows.append((*who, *when))
    return ManuscriptTable(tuple(rows))


def _split_dates(pen: Pen, job: CareerJob, of: str, style: str) -> tuple[Words, ...]:
    start = TextRun(write_month(job.period.start, style), "date", month_value(job.period.start, style), of=of)
    if job.period.end is None:
        return (start,), (TextRun(pen.style.present, "date", "present", of=of),)
    end = job.period.end
    return (start,), (TextRun(write_month(end, style, is_end=True), "date", month_value(end, style), of=of),)
