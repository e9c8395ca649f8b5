"""Studies on paper: lines or a table, and what people add about courses, theses and honours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import CareerSkill, CareerStudy, year_of
from evenhand_lab.corpora.lexicon import chance
from evenhand_lab.corpora.manuscript import Block, ManuscriptLine, ManuscriptSection, ManuscriptTable, TextRun, Words
from evenhand_lab.corpora.writing.dates import degree_forms, forms_of, write_duration
from evenhand_lab.corpora.writing.pen import Pen, tokens
from evenhand_lab.corpora.writing.sentences import paragraph

MAX_LINES = 16
"""Further lines per study: beyond that a reader would laugh, although real sections are longer at times."""
HIGHER = frozenset({"bachelor", "master", "doctorate", "associate"})


def write_education(pen: Pen, heading: str, extra: list[Block]) -> ManuscriptSection:
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
    return ManuscriptSection("education", heading, (*blocks, *extra))


def degree_run(pen: Pen, study: CareerStudy, of: str) -> TextRun:
    short = degree_forms(study.degree)
    text = pen.rng.choice(short) if short and chance(pen.rng, pen.style.abbreviates) else study.degree
    return TextRun(text, "degree", study.degree, of=of)


def _when(pen: Pen, study: CareerStudy, of: str) -> Words:
    """A year of graduation mostly; a period sometimes; what is still going on is expected."""
    rng = pen.rng
    if study.period.end is None or study.period.end > pen.career.as_of:
        if study.period.end is not None:
            lead = rng.choice(("Expected ", "Anticipated ", "expected "))
            return (
                TextRun(lead),
                TextRun(str(year_of(study.period.end)), "year", str(year_of(study.period.end)), of=of),
            )
        return pen.period(study.period, of, dates=pen.style.other_dates)
    if chance(rng, 0.3):
        return pen.period(study.period, of, dates=pen.style.other_dates)
    year = str(year_of(study.period.end))
    return (TextRun(year, "year", year, of=of),)


def _field(pen: Pen, study: CareerStudy, of: str) -> Words:
    if not study.field or study.field in study.degree:
        return ()
    joint = pen.rng.choice((" in ", " in ", ", ", " - ", " ("))
    end = (TextRun(")"),) if joint == " (" else ()
    return (TextRun(joint), TextRun(study.field, "field", study.field, of=of), *end)


def _grade(study: CareerStudy, of: str) -> Words:
    return (TextRun(study.grade, "performance", study.grade, of=of),) if study.grade else ()


def _entry(pen: Pen, study: CareerStudy, of: str) -> list[Block]:
    degree: Words = (degree_run(pen, study, of), *_field(pen, study, of))
    school = TextRun(study.school, "university", study.school, of=of)
    # a school's name often ends in its city already
    shows_city = pen.style.places and study.city and study.city not in study.school
    place: Words = (TextRun(", "), TextRun(study.city, "location", study.city, of=of)) if shows_city else ()
    when = _when(pen, study, of)
    grade = _grade(study, of)
    match pen.style.education:
        case "two_lines":
            first = ManuscriptLine(
                (TextRun(school.text, school.label, school.value, bold=True, of=of), *place), aside=when, role="title"
            )
            second: Words = (*degree, *((TextRun(", "), *grade) if grade else ()))
            return [first, ManuscriptLine(second, role="subtitle")]
        case "sentences":
            done = pen.rng.choice(("from ", "at "))
            words: Words = (
                *degree,
                TextRun(f", {done}"),
                school,
                *place,
                TextRun(" ("),
                *when,
                TextRun(")"),
                *((TextRun(", "), *grade) if grade else ()),
            )
            return [ManuscriptLine((*words, TextRun(".")), role="text")]
    words = (*degree, TextRun(", "), school, *place, *((TextRun(", "), *grade) if grade else ()))
    return [ManuscriptLine(words, aside=when, role="title")]


def _table(pen: Pen) -> ManuscriptTable:
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
    rows: list[tuple[Words, ...]] = [tuple((TextRun(name, bold=True),) for name in names[:columns])]
    for place, study in enumerate(pen.career.studies):
        of = f"study {place}"
        last = study.period.last(pen.career.as_of)
        year = str(year_of(last))
        row: tuple[Words, ...] = (
            (degree_run(pen, study, of), *_field(pen, study, of)),
            (TextRun(study.school, "university", study.school, of=of),),
            (TextRun(year, "year", year, of=of),) if study.period.end is not None else (TextRun("pursuing"),),
        )
        rows.append((*row, _grade(study, of) or (TextRun("-"),)) if has_grades else row)
    return ManuscriptTable(tuple(rows))


@lru_cache(maxsize=256)
def _about(table: str, field: str) -> tuple[str, ...]:
    """The entries of the first word that the field contains; otherwise those for any field, if there are."""
    entries = lexicon.table("writing/studies.toml")[table]
    return tuple(next((entries[word] for word in entries if word in field.lower()), entries.get("*", ())))


def _additions(pen: Pen, study: CareerStudy, before: list[Block]) -> list[Block]:
    """Courses, thesis, honours and more, until the section has about the length it should have."""
    rng = pen.rng
    budget = pen.style.lengths["education"] / max(1, sum(item.level in HIGHER for item in pen.career.studies))
    length = sum(tokens(block.words) for block in before if isinstance(block, ManuscriptLine)) / max(1, len(before)) * 2
    makers = [_courses, _thesis, _honour, _courses_short]
    rng.shuffle(makers)
    blocks: list[Block] = []
    while length < budget and len(blocks) < MAX_LINES:
        words = (makers.pop() if makers else _more)(pen, study)
        if not words:
            if not makers:
                break
            continue
        length += tokens(words)
        blocks.append(ManuscriptLine(words, bullet=pen.style.body != "prose", role="item"))
    return blocks


def _subject(study: CareerStudy) -> str:
    return study.field or study.degree


def _names(pen: Pen, study: CareerStudy, least: int, most: int) -> list[str]:
    courses = _about("courses", _subject(study)) or (_subject(study),)
    return pen.rng.sample(courses, min(len(courses), pen.rng.randint(least, most)))


def _courses(pen: Pen, study: CareerStudy) -> Words:
    if not _about("courses", _subject(study)):
        return ()
    return (TextRun(f"{pen.pick('education', 'courses_labels')}: {', '.join(_names(pen, study, 4, 9))}"),)


def _courses_short(pen: Pen, study: CareerStudy) -> Words:
    if not _about("courses", _subject(study)):
        return ()
    return (TextRun(f"Focus on {' and '.join(_names(pen, study, 2, 2))}"),)


def _thesis(pen: Pen, study: CareerStudy) -> Words:
    label = pen.pick("education", "theses")
    subject = pen.expand(pen.rng.choice(_about("theses", _subject(study))))
    return (TextRun(f"{label}: {subject}" if chance(pen.rng, 0.5) else f'{label}: "{subject}"'),)


def _honour(pen: Pen, study: CareerStudy) -> Words:
    return (TextRun(pen.pick("education", "honours")),)


def _more(pen: Pen, study: CareerStudy) -> Words:
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
    return (TextRun(pen.expand(pattern).replace("{course}", course).replace("{other_course}", other)),)


# The skills section: a list, groups, a table or prose, with or without how long each skill was used.

MIN_STATED = 6
"""Months below which nobody boasts of a skill's length."""


def write_skills(pen: Pen, heading: str, months: Mapping[str, int]) -> ManuscriptSection:
    """`months` is how long the dated text before says that a skill was used; only that is ever stated."""
    uses = _chosen(pen)
    match pen.style.skills:
        case "grouped":
            blocks = _grouped(pen, uses, months)
        case "table":
            blocks = _skillset_table(pen, uses, months)
        case "prose":
            blocks = _prose(pen, uses)
        case "bullets":
            blocks = [ManuscriptLine(_stated(pen, use, months), bullet=True, role="item") for use in uses]
        case _:
            blocks = _list(pen, uses, months)
    return ManuscriptSection("skills", heading, tuple(blocks))


def _chosen(pen: Pen) -> list[CareerSkill]:
    """Skills of the whole career, recent ones first, as many as the section has words for."""
    career = pen.career
    found: dict[str, CareerSkill] = {}
    for job in career.jobs:
        for uses in (job.uses, *(project.uses for project in job.projects)):
            for use in uses:
                found.setdefault(use.skill, use)
    for use in career.extra_skills:
        found.setdefault(use.skill, use)
    most = max(4, round(pen.style.lengths["skills"] / 2.6))
    chosen = [use for place, use in enumerate(found.values()) if place < most or use in career.extra_skills]
    if chance(pen.rng, 0.6):
        pen.rng.shuffle(chosen)
    return chosen[: most + 6]


def _stated(pen: Pen, use: CareerSkill, months: Mapping[str, int]) -> Words:
    """The skill, and in brackets how long: whole years rounded down, or months."""
    run = pen.skill(use, None)
    length = months.get(use.skill, 0)
    if pen.style.stated == "none" or length < MIN_STATED or not chance(pen.rng, 0.8):
        return (run,)
    if pen.style.stated == "years" and length >= 12:
        years = length // 12
        text = pen.rng.choice((f"{years} yrs", f"{years} years", f"{years}+ years")) if years > 1 else "1 year"
        return (run, TextRun(" ("), TextRun(text, "duration", str(12 * years), of=f"skill {use.skill}"), TextRun(")"))
    text = write_duration(length, "months" if pen.style.stated == "months" else "y_m_long")
    return (run, TextRun(" ("), TextRun(text, "duration", str(length), of=f"skill {use.skill}"), TextRun(")"))


def _flat(items: Sequence[Words], separator: str) -> Words:
    words: list[TextRun] = []
    for place, item in enumerate(items):
        if place:
            words.append(TextRun(separator))
        words.extend(item)
    return tuple(words)


def _list(pen: Pen, uses: Sequence[CareerSkill], months: Mapping[str, int]) -> list[Block]:
    separator = pen.rng.choice((", ", ", ", " | ", "; ", " • ", ", "))
    items = [_stated(pen, use, months) for use in uses]
    width = pen.rng.choice((len(items), 6, 8))
    return [
        ManuscriptLine(_flat(items[start : start + width], separator)) for start in range(0, len(items), max(1, width))
    ]


def _groups(uses: Sequence[CareerSkill]) -> dict[str, list[CareerSkill]]:
    groups: dict[str, list[CareerSkill]] = {}
    for use in uses:
        groups.setdefault(forms_of(use.skill).group, []).append(use)
    return groups


def _grouped(pen: Pen, uses: Sequence[CareerSkill], months: Mapping[str, int]) -> list[Block]:
    bullet = chance(pen.rng, 0.4)
    blocks: list[Block] = []
    for name, members in _groups(uses).items():
        items = _flat([_stated(pen, use, months) for use in members], ", ")
        blocks.append(
            ManuscriptLine((TextRun(f"{name}: ", bold=True), *items), bullet=bullet, role="item" if bullet else "text")
        )
    return blocks


def _skillset_table(pen: Pen, uses: Sequence[CareerSkill], months: Mapping[str, int]) -> list[Block]:
    """One row per group; or one per skill with its length where lengths are stated."""
    if pen.style.stated != "none" and any(months.get(use.skill, 0) >= MIN_STATED for use in uses):
        rows: list[tuple[Words, ...]] = [((TextRun("Skill", bold=True),), (TextRun("Experience", bold=True),))]
        for use in uses:
            stated = _stated(pen, use, months)
            rows.append((stated[:1], stated[2:3] or (TextRun("-"),)))
        return [ManuscriptTable(tuple(rows))]
    rows = [
        ((TextRun(name, bold=True),), _flat([(pen.skill(use, None),) for use in members], ", "))
        for name, members in _groups(uses).items()
    ]
    return [ManuscriptTable(tuple(rows), has_header=False)]


def _prose(pen: Pen, uses: Sequence[CareerSkill]) -> list[Block]:
    rng = pen.rng
    leads = ["I work with ", "Good knowledge of ", "Hands-on experience with ", "Familiar with ", "Comfortable using ",
             "Proficient in ", "Working knowledge of ", "Experienced in "]  # fmt: skip
    rng.shuffle(leads)
    sentences: list[Words] = []
    rest = list(uses)
    while rest and leads:
        count = rng.randint(2, 6) if len(leads) > 1 else len(rest)
        runs = [pen.skill(use, None, in_text=True) for use in rest[:count]]
        sentences.append((TextRun(leads.pop()), *pen.listing(runs)))
        rest = rest[count:]
    return [ManuscriptLine(paragraph(sentences))]
