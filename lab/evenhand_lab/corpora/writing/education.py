"""Studies on paper: lines or a table, and what people add about courses, theses and honours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import CareerSkill, CareerStudy, year_of
from evenhand_lab.corpora.lexicon import chance
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
from evenhand_lab.corpora.writing.dates import degree_forms, forms_of, write_duration
from evenhand_lab.corpora.writing.pen import Pen, phrases, tokens
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
    end = study.period.end
    is_expected = end is not None and end > pen.career.as_of
    if end is None or (not is_expected and chance(pen.rng, 0.3)):
        return pen.period(study.period, of, dates=pen.style.other_dates)
    year = fact(str(year_of(end)), "year", of)
    return (TextRun(pen.rng.choice(("Expected ", "Anticipated ", "expected "))), year) if is_expected else (year,)


def _field(pen: Pen, study: CareerStudy, of: str) -> Words:
    if not study.field or study.field in study.degree:
        return ()
    joint = pen.rng.choice((" in ", " in ", ", ", " - ", " ("))
    return (TextRun(joint), fact(study.field, "field", of), *((TextRun(")"),) if joint == " (" else ()))


def _entry(pen: Pen, study: CareerStudy, of: str) -> list[Block]:
    degree: Words = (degree_run(pen, study, of), *_field(pen, study, of))
    school = fact(study.school, "university", of)
    # a school's name often ends in its city already
    shows_city = pen.style.places and study.city and study.city not in study.school
    place: Words = (TextRun(", "), fact(study.city, "location", of)) if shows_city else ()
    when = _when(pen, study, of)
    grade: Words = (TextRun(", "), fact(study.grade, "performance", of)) if study.grade else ()
    match pen.style.education:
        case "two_lines":
            first = ManuscriptLine((replace(school, bold=True), *place), aside=when, role="title")
            return [first, ManuscriptLine((*degree, *grade), role="subtitle")]
        case "sentences":
            at = TextRun(f", {pen.rng.choice(('from ', 'at '))}")
            words: Words = (*degree, at, school, *place, TextRun(" ("), *when, TextRun(")"), *grade, TextRun("."))
            return [ManuscriptLine(words, role="text")]
    return [ManuscriptLine((*degree, TextRun(", "), school, *place, *grade), aside=when, role="title")]


def _table(pen: Pen) -> ManuscriptTable:
    """Degree, school, year and performance as rows: the usual form in India."""
    heads = lexicon.table("writing/studies.toml")["table"].values()
    names = [pen.rng.choice(choices) for choices in heads]
    has_grades = any(study.grade for study in pen.career.studies)
    rows: list[tuple[Words, ...]] = [tuple((TextRun(name, bold=True),) for name in names[: 3 + has_grades])]
    for place, study in enumerate(pen.career.studies):
        of = f"study {place}"
        year = str(year_of(study.period.last(pen.career.as_of)))
        row: tuple[Words, ...] = (
            (degree_run(pen, study, of), *_field(pen, study, of)),
            (fact(study.school, "university", of),),
            (fact(year, "year", of) if study.period.end is not None else TextRun("pursuing"),),
        )
        grade = fact(study.grade, "performance", of) if study.grade else TextRun("-")
        rows.append((*row, (grade,)) if has_grades else row)
    return ManuscriptTable(tuple(rows))


@lru_cache(maxsize=256)
def _about(table: str, field: str) -> tuple[str, ...]:
    """The entries of the first word that the field contains; otherwise those for any field, if there are."""
    entries = lexicon.table("writing/studies.toml")[table]
    return tuple(next((entries[word] for word in entries if word in field.lower()), entries.get("*", ())))


def _additions(pen: Pen, study: CareerStudy, before: list[Block]) -> list[Block]:
    """Courses, thesis, honours and more, until the section has about the length it should have."""
    budget = pen.style.lengths["education"] / max(1, sum(item.level in HIGHER for item in pen.career.studies))
    length = sum(tokens(block.words) for block in before if isinstance(block, ManuscriptLine)) / max(1, len(before)) * 2
    sorts = ["courses", "thesis", "honour", "focus"]
    pen.rng.shuffle(sorts)
    blocks: list[Block] = []
    while length < budget and len(blocks) < MAX_LINES:
        text = _addition(pen, study, sorts.pop() if sorts else "more")
        if not text:
            if not sorts:
                break
            continue
        words = (TextRun(text),)
        length += tokens(words)
        blocks.append(ManuscriptLine(words, bullet=pen.style.body != "prose", role="item"))
    return blocks


def _addition(pen: Pen, study: CareerStudy, sort: str) -> str:
    """One more line about a study; nothing where there is nothing to say."""
    subject = study.field or study.degree
    courses = _about("courses", subject)

    def some_courses(least: int, most: int) -> list[str]:
        names = courses or (subject,)
        return pen.rng.sample(names, min(len(names), pen.rng.randint(least, most)))

    match sort:
        case "courses":
            return f"{pen.pick('education', 'courses_labels')}: {', '.join(some_courses(4, 9))}" if courses else ""
        case "focus":
            return f"Focus on {' and '.join(some_courses(2, 2))}" if courses else ""
        case "thesis":
            label = pen.pick("education", "theses")
            thesis = pen.expand(pen.rng.choice(_about("theses", subject)))
            return f"{label}: {thesis}" if chance(pen.rng, 0.5) else f'{label}: "{thesis}"'
        case "honour":
            return pen.pick("education", "honours")
    lines = lexicon.table("writing/studies.toml")["lines"]
    science = lines["science"] if study.tags & {"scientific", "medical"} else ()
    fresh = [pattern for pattern in (*lines["any"], *science, *science) if pattern not in pen.used]
    if not courses:
        fresh = [pattern for pattern in fresh if "{other_course}" not in pattern]
    if not fresh:
        return ""
    pattern = pen.rng.choice(fresh)
    pen.used.add(pattern)
    course, other = (some_courses(2, 2) * 2)[:2]
    return pen.expand(pattern).replace("{course}", course).replace("{other_course}", other)


# The skills section: a list, groups, a table or prose, with or without how long each skill was used.

MIN_STATED = 6
"""Months below which nobody boasts of a skill's length."""


def write_skills(pen: Pen, heading: str, months: Mapping[str, int]) -> ManuscriptSection:
    """`months` is how long the dated text before says that a skill was used; only that is ever stated."""
    uses = _chosen(pen)
    blocks: list[Block]
    match pen.style.skills:
        case "grouped":
            bullet = chance(pen.rng, 0.4)
            blocks = []
            for name, members in _groups(uses).items():
                items = join([_stated(pen, use, months) for use in members], ", ")
                words = (TextRun(f"{name}: ", bold=True), *items)
                blocks.append(ManuscriptLine(words, bullet=bullet, role="item" if bullet else "text"))
        case "table":
            blocks = [_skillset_table(pen, uses, months)]
        case "prose":
            blocks = [_prose(pen, uses)]
        case "bullets":
            blocks = [ManuscriptLine(_stated(pen, use, months), bullet=True, role="item") for use in uses]
        case _:
            separator = pen.rng.choice((", ", ", ", " | ", "; ", " • ", ", "))
            stated = [_stated(pen, use, months) for use in uses]
            width = pen.rng.choice((len(stated), 6, 8))
            starts = range(0, len(stated), max(1, width))
            blocks = [ManuscriptLine(join(stated[start : start + width], separator)) for start in starts]
    return ManuscriptSection("skills", heading, tuple(blocks))


def _chosen(pen: Pen) -> list[CareerSkill]:
    """Skills of the whole career, recent ones first, as many as the section has words for."""
    most = max(4, round(pen.style.lengths["skills"] / 2.6))
    uses = pen.career.skill_uses()
    chosen = [use for place, use in enumerate(uses) if place < most or use in pen.career.extra_skills]
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
        length = 12 * years
        text = pen.rng.choice((f"{years} yrs", f"{years} years", f"{years}+ years")) if years > 1 else "1 year"
    else:
        text = write_duration(length, "months" if pen.style.stated == "months" else "y_m_long")
    return (run, TextRun(" ("), TextRun(text, "duration", str(length), of=f"skill {use.skill}"), TextRun(")"))


def _groups(uses: Sequence[CareerSkill]) -> dict[str, list[CareerSkill]]:
    groups: dict[str, list[CareerSkill]] = {}
    for use in uses:
        groups.setdefault(forms_of(use.skill).group, []).append(use)
    return groups


def _skillset_table(pen: Pen, uses: Sequence[CareerSkill], months: Mapping[str, int]) -> ManuscriptTable:
    """One row per group; or one per skill with its length where lengths are stated."""
    if pen.style.stated != "none" and any(months.get(use.skill, 0) >= MIN_STATED for use in uses):
        rows: list[tuple[Words, ...]] = [((TextRun("Skill", bold=True),), (TextRun("Experience", bold=True),))]
        for use in uses:
            stated = _stated(pen, use, months)
            rows.append((stated[:1], stated[2:3] or (TextRun("-"),)))
        return ManuscriptTable(tuple(rows))
    rows = [
        ((TextRun(name, bold=True),), join([(pen.skill(use, None),) for use in members], ", "))
        for name, members in _groups(uses).items()
    ]
    return ManuscriptTable(tuple(rows), has_header=False)


def _prose(pen: Pen, uses: Sequence[CareerSkill]) -> ManuscriptLine:
    rng = pen.rng
    leads = list(phrases()["skills"]["leads"])
    rng.shuffle(leads)
    sentences: list[Words] = []
    rest = list(uses)
    while rest and leads:
        count = rng.randint(2, 6) if len(leads) > 1 else len(rest)
        runs = [pen.skill(use, None, in_text=True) for use in rest[:count]]
        sentences.append((TextRun(leads.pop()), *pen.listing(runs)))
        rest = rest[count:]
    return ManuscriptLine(paragraph(sentences))
