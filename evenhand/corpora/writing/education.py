"""Studies on paper: lines or a table, and what people add about courses, theses and honours."""

from __future__ import annotations

from functools import lru_cache

from evenhand.corpora import lexicon
from evenhand.corpora.career import Study, year_of
from evenhand.corpora.manuscript import Block, Line, Run, Section, Table, Words
from evenhand.corpora.rng import chance
from evenhand.corpora.writing.forms import degree_forms
from evenhand.corpora.writing.pen import Pen, tokens

MOST_LINES = 16
"""Further lines per study: beyond that a reader would laugh, although real sections are longer at times."""
HIGHER = frozenset({"bachelor", "master", "doctorate", "associate"})


def write_education(pen: Pen, heading: str, extra: list[Block]) -> Section:
    """Studies latest first; `extra` are certificates that have no section of their own."""
    studies = pen.career.studies
    if pen.style.education == "table" and len(studies) > 1:
        blocks: list[Block] = [_table(pen)]
    else:
        blocks = []
        for place, study in enumerate(studies):
            blocks.extend(_entry(pen, study, f"study {place}"))
            if study.level in HIGHER:
                blocks.extend(_additions(pen, study, blocks))
    return Section("education", heading, (*blocks, *extra))


def degree_run(pen: Pen, study: Study, of: str) -> Run:
    short = degree_forms(study.degree)
    text = pen.rng.choice(short) if short and chance(pen.rng, pen.style.abbreviates) else study.degree
    return Run(text, "degree", study.degree, of=of)


def _when(pen: Pen, study: Study, of: str) -> Words:
    """A year of graduation mostly; a period sometimes; what is still going on is expected."""
    rng = pen.rng
    if study.period.end is None or study.period.end > pen.career.as_of:
        if study.period.end is not None:
            lead = rng.choice(("Expected ", "Anticipated ", "expected "))
            return (
                Run(lead),
                Run(str(year_of(study.period.end)), "year", str(year_of(study.period.end)), of=of),
            )
        return pen.period(study.period, of, dates=pen.style.other_dates)
    if chance(rng, 0.3):
        return pen.period(study.period, of, dates=pen.style.other_dates)
    year = str(year_of(study.period.end))
    return (Run(year, "year", year, of=of),)


def _field(pen: Pen, study: Study, of: str) -> Words:
    if not study.field or study.field in study.degree:
        return ()
    joint = pen.rng.choice((" in ", " in ", ", ", " - ", " ("))
    end = (Run(")"),) if joint == " (" else ()
    return (Run(joint), Run(study.field, "field", study.field, of=of), *end)


def _grade(study: Study, of: str) -> Words:
    return (Run(study.grade, "performance", study.grade, of=of),) if study.grade else ()


def _entry(pen: Pen, study: Study, of: str) -> list[Block]:
    degree: Words = (degree_run(pen, study, of), *_field(pen, study, of))
    school = Run(study.school, "university", study.school, of=of)
    # a school's name often ends in its city already
    shows_city = pen.style.places and study.city and study.city not in study.school
    place: Words = (Run(", "), Run(study.city, "location", study.city, of=of)) if shows_city else ()
    when = _when(pen, study, of)
    grade = _grade(study, of)
    match pen.style.education:
        case "two_lines":
            first = Line(
                (Run(school.text, school.label, school.value, bold=True, of=of), *place),
                aside=when,
                role="title",
            )
            second: Words = (*degree, *((Run(", "), *grade) if grade else ()))
            return [first, Line(second, role="subtitle")]
        case "sentences":
            done = pen.rng.choice(("from ", "at "))
            words: Words = (
                *degree,
                Run(f", {done}"),
                school,
                *place,
                Run(" ("),
                *when,
                Run(")"),
                *((Run(", "), *grade) if grade else ()),
            )
            return [Line((*words, Run(".")), role="text")]
    words = (*degree, Run(", "), school, *place, *((Run(", "), *grade) if grade else ()))
    return [Line(words, aside=when, role="title")]


def _table(pen: Pen) -> Table:
    """Degree, school, year and performance as rows: the usual form in India."""
    rng = pen.rng
    names = (
        rng.choice(("Degree", "Qualification", "Course", "Examination")),
        rng.choice(("University", "Institute", "School/College", "Board / University", "Institution")),
        rng.choice(("Year", "Year of Passing", "Passing Year")),
        rng.choice(("Performance", "Percentage/CGPA", "Grade", "Marks", "Result")),
    )
    has_grades = any(study.grade for study in pen.career.studies)
    columns = 4 if has_grades else 3
    rows: list[tuple[Words, ...]] = [tuple((Run(name, bold=True),) for name in names[:columns])]
    for place, study in enumerate(pen.career.studies):
        of = f"study {place}"
        last = study.period.last(pen.career.as_of)
        year = str(year_of(last))
        row: tuple[Words, ...] = (
            (degree_run(pen, study, of), *_field(pen, study, of)),
            (Run(study.school, "university", study.school, of=of),),
            (Run(year, "year", year, of=of),) if study.period.end is not None else (Run("pursuing"),),
        )
        rows.append((*row, _grade(study, of) or (Run("-"),)) if has_grades else row)
    return Table(tuple(rows))


@lru_cache(maxsize=256)
def _about(table: str, field: str) -> tuple[str, ...]:
    """The entries of the first word that the field contains; otherwise those for any field, if there are."""
    entries = lexicon.table("writing/studies.toml")[table]
    return tuple(next((entries[word] for word in entries if word in field.lower()), entries.get("*", ())))


def _additions(pen: Pen, study: Study, before: list[Block]) -> list[Block]:
    """Courses, thesis, honours and more, until the section has about the length it should have."""
    rng = pen.rng
    budget = pen.style.lengths["education"] / max(1, sum(item.level in HIGHER for item in pen.career.studies))
    length = sum(tokens(block.words) for block in before if isinstance(block, Line)) / max(1, len(before)) * 2
    makers = [_courses, _thesis, _honour, _courses_short]
    rng.shuffle(makers)
    blocks: list[Block] = []
    while length < budget and len(blocks) < MOST_LINES:
        words = (makers.pop() if makers else _more)(pen, study)
        if not words:
            if not makers:
                break
            continue
        length += tokens(words)
        blocks.append(Line(words, bullet=pen.style.body != "prose", role="item"))
    return blocks


def _subject(study: Study) -> str:
    return study.field or study.degree


def _names(pen: Pen, study: Study, least: int, most: int) -> list[str]:
    courses = _about("courses", _subject(study)) or (_subject(study),)
    return pen.rng.sample(courses, min(len(courses), pen.rng.randint(least, most)))


def _courses(pen: Pen, study: Study) -> Words:
    if not _about("courses", _subject(study)):
        return ()
    return (Run(f"{pen.pick('education', 'courses_labels')}: {', '.join(_names(pen, study, 4, 9))}"),)


def _courses_short(pen: Pen, study: Study) -> Words:
    if not _about("courses", _subject(study)):
        return ()
    return (Run(f"Focus on {' and '.join(_names(pen, study, 2, 2))}"),)


def _thesis(pen: Pen, study: Study) -> Words:
    label = pen.pick("education", "theses")
    subject = pen.expand(pen.rng.choice(_about("theses", _subject(study))))
    return (Run(f"{label}: {subject}" if chance(pen.rng, 0.5) else f'{label}: "{subject}"'),)


def _honour(pen: Pen, study: Study) -> Words:
    return (Run(pen.pick("education", "honours")),)


def _more(pen: Pen, study: Study) -> Words:
    """One of the further lines that this resume does not have yet; nothing when it has them all."""
    lines = lexicon.table("writing/studies.toml")["lines"]
    science = lines["science"] if study.tags & {"scientific", "medical"} else ()
    fresh = [pattern for pattern in (*lines["any"], *science, *science) if pattern not in pen.used]
    if not _about("courses", _subject(study)):
        fresh = [pattern for pattern in fresh if "{other_course}" not in pattern]
    if not fresh:
        return ()
    pattern = pen.rng.choice(fresh)
    pen.used.add(pattern)
    course, other = (_names(pen, study, 2, 2) * 2)[:2]
    return (Run(pen.expand(pattern).replace("{course}", course).replace("{other_course}", other)),)
