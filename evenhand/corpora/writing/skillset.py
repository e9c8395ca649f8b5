"""The skills section: a list, groups, a table or prose, with or without how long each skill was used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evenhand.corpora.career import Use
from evenhand.corpora.manuscript import Block, Line, Run, Section, Table, Words
from evenhand.corpora.rng import chance
from evenhand.corpora.writing.dates import write_duration
from evenhand.corpora.writing.forms import forms_of
from evenhand.corpora.writing.pen import Pen
from evenhand.corpora.writing.sentences import paragraph

STATED_LEAST = 6
"""Months below which nobody boasts of a skill's length."""


def write_skills(pen: Pen, heading: str, months: Mapping[str, int]) -> Section:
    """`months` is how long the dated text before says that a skill was used; only that is ever stated."""
    uses = _chosen(pen)
    match pen.style.skills:
        case "grouped":
            blocks = _grouped(pen, uses, months)
        case "table":
            blocks = _table(pen, uses, months)
        case "prose":
            blocks = _prose(pen, uses)
        case "bullets":
            blocks = [Line(_stated(pen, use, months), bullet=True, role="item") for use in uses]
        case _:
            blocks = _list(pen, uses, months)
    return Section("skills", heading, tuple(blocks))


def _chosen(pen: Pen) -> list[Use]:
    """Skills of the whole career, recent ones first, as many as the section has words for."""
    career = pen.career
    found: dict[str, Use] = {}
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


def _stated(pen: Pen, use: Use, months: Mapping[str, int]) -> Words:
    """The skill, and in brackets how long: whole years rounded down, or months."""
    run = pen.skill(use, None)
    length = months.get(use.skill, 0)
    if pen.style.stated == "none" or length < STATED_LEAST or not chance(pen.rng, 0.8):
        return (run,)
    if pen.style.stated == "years" and length >= 12:
        years = length // 12
        text = (
            pen.rng.choice((f"{years} yrs", f"{years} years", f"{years}+ years")) if years > 1 else "1 year"
        )
        return (run, Run(" ("), Run(text, "duration", str(12 * years), of=f"skill {use.skill}"), Run(")"))
    text = write_duration(length, "months" if pen.style.stated == "months" else "y_m_long")
    return (run, Run(" ("), Run(text, "duration", str(length), of=f"skill {use.skill}"), Run(")"))


def _flat(items: Sequence[Words], separator: str) -> Words:
    words: list[Run] = []
    for place, item in enumerate(items):
        if place:
            words.append(Run(separator))
        words.extend(item)
    return tuple(words)


def _list(pen: Pen, uses: Sequence[Use], months: Mapping[str, int]) -> list[Block]:
    separator = pen.rng.choice((", ", ", ", " | ", "; ", " • ", ", "))
    items = [_stated(pen, use, months) for use in uses]
    width = pen.rng.choice((len(items), 6, 8))
    return [
        Line(_flat(items[start : start + width], separator)) for start in range(0, len(items), max(1, width))
    ]


def _groups(uses: Sequence[Use]) -> dict[str, list[Use]]:
    groups: dict[str, list[Use]] = {}
    for use in uses:
        groups.setdefault(forms_of(use.skill).group, []).append(use)
    return groups


def _grouped(pen: Pen, uses: Sequence[Use], months: Mapping[str, int]) -> list[Block]:
    bullet = chance(pen.rng, 0.4)
    blocks: list[Block] = []
    for name, members in _groups(uses).items():
        items = _flat([_stated(pen, use, months) for use in members], ", ")
        blocks.append(
            Line((Run(f"{name}: ", bold=True), *items), bullet=bullet, role="item" if bullet else "text")
        )
    return blocks


def _table(pen: Pen, uses: Sequence[Use], months: Mapping[str, int]) -> list[Block]:
    """One row per group; or one per skill with its length where lengths are stated."""
    if pen.style.stated != "none" and any(months.get(use.skill, 0) >= STATED_LEAST for use in uses):
        rows: list[tuple[Words, ...]] = [((Run("Skill", bold=True),), (Run("Experience", bold=True),))]
        for use in uses:
            stated = _stated(pen, use, months)
            rows.append((stated[:1], stated[2:3] or (Run("-"),)))
        return [Table(tuple(rows))]
    rows = [
        ((Run(name, bold=True),), _flat([(pen.skill(use, None),) for use in members], ", "))
        for name, members in _groups(uses).items()
    ]
    return [Table(tuple(rows), has_header=False)]


def _prose(pen: Pen, uses: Sequence[Use]) -> list[Block]:
    rng = pen.rng
    leads = ["I work with ", "Good knowledge of ", "Hands-on experience with ", "Familiar with ", "Comfortable using ",
             "Proficient in ", "Working knowledge of ", "Experienced in "]  # fmt: skip
    rng.shuffle(leads)
    sentences: list[Words] = []
    rest = list(uses)
    while rest and leads:
        count = rng.randint(2, 6) if len(leads) > 1 else len(rest)
        runs = [pen.skill(use, None, in_text=True) for use in rest[:count]]
        sentences.append((Run(leads.pop()), *pen.listing(runs)))
        rest = rest[count:]
    return [Line(paragraph(sentences))]
