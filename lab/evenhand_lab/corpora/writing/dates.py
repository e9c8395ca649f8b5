"""Periods as people write them: "Jan'15 - till date", "03/2014-Present", "2 yrs 4 months"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from random import Random

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import CareerPeriod, Month, iso, number_of, year_of
from evenhand_lab.corpora.manuscript import TextRun, Words
from evenhand_lab.corpora.occupations import skills

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
SHORT = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
DOTTED = ("Jan.", "Feb.", "Mar.", "Apr.", "May", "June", "July", "Aug.", "Sept.", "Oct.", "Nov.", "Dec.")
LAST_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

STYLES = lexicon.table("writing/dates.toml")


def write_month(value: Month, style: str, *, is_end: bool = False) -> str:
    """One month in a style; an end may name the last day of its month."""
    if style not in STYLES:
        raise ValueError(f"no date style {style!r}")
    year, number = year_of(value), number_of(value)
    pattern: str = STYLES[style]["month"]
    return pattern.format(
        month=MONTHS[number - 1],
        mon=SHORT[number - 1],
        dotted=DOTTED[number - 1],
        mm=number,
        yyyy=year,
        yy=year % 100,
        dd=LAST_DAYS[number - 1] if is_end else 1,
    )


def value_of(value: Month, style: str) -> str:
    """What a written month states: years only where the style has years only."""
    return str(year_of(value)) if style == "yyyy" else iso(value)


def write_period(period: CareerPeriod, style: str, *, joint: str, present: str, of: str | None) -> Words:
    """The period as one labelled run; its value is start/end."""
    start = write_month(period.start, style)
    if period.end is None:
        end = "present"
        text = f"Since {start}" if style == "since" else f"{start}{joint}{present}"
    else:
        end = value_of(period.end, style)
        written = write_month(period.end, style, is_end=True)
        text = start if written == start else f"{start}{joint}{written}"
    value = f"{value_of(period.start, style)}/{end}"
    return (TextRun(f"from {text}" if style == "from_to" else text, "date", value, of=of),)


DURATION_FORMS = ("y_m_short", "y_m_long", "y_m_mixed", "months", "y_m_tight")


def write_duration(months: int, form: str) -> str:
    years, rest = divmod(months, 12)
    if form == "months" or not years:
        return f"{months} month" if months == 1 else f"{months} months"
    names = {
        "y_m_short": (" yr", " yrs", " mos", " mo"),
        "y_m_long": (" year", " years", " months", " month"),
        "y_m_mixed": (" yr", " yrs", " months", " month"),
        "y_m_tight": ("y", "y", "m", "m"),
    }[form]
    text = f"{years}{names[0] if years == 1 else names[1]}"
    return text if not rest else f"{text} {rest}{names[3] if rest == 1 else names[2]}"


def draw_date_style(rng: Random, *, in_india: bool) -> tuple[str, str, str]:
    """Style, joint and word for an open end; abbreviated years and "till date" are commoner in India."""
    names = list(STYLES)
    favoured = {"mon'yy": 4.0, "mon_year": 1.6, "day": 2.0} if in_india else {}
    style = rng.choices(names, [STYLES[name]["weight"] * favoured.get(name, 1.0) for name in names])[0]
    joints, presents = STYLES[style]["joints"], STYLES[style]["presents"]
    if in_india and rng.random() < 0.5:
        presents = [word for word in presents if "till" in word.lower() or word == "to date"] or presents
    joint = rng.choice(joints)
    fitting = [word for word in presents if not (word == "to date" and joint == " to ")]
    return style, joint, rng.choice(fitting or ["Present"])


# The forms in which people write names of skills, degrees and titles: in full or short.

PROPER = frozenset(
    {"Western", "Sarbanes-Oxley", "Sigma", "Six", "Java", "English", "Spanish", "French", "German", "Montessori"}
)


@dataclass(frozen=True, slots=True)
class Forms:
    short: tuple[str, ...]
    long: tuple[str, ...]
    group: str  # the heading under which a grouped list has the skill
    is_tool: bool  # something one works with, rather than something one does


@cache
def _forms() -> dict[str, Forms]:
    """Of the forms of a skill those count as short that have no more than two thirds of the longest one's letters."""
    names = lexicon.table("writing/skill_groups.toml")["names"]
    forms = {}
    for name, skill in skills().items():
        limit = max(map(len, skill.surfaces)) * 2 / 3
        short = tuple(form for form in skill.surfaces if len(form) <= limit)
        long = tuple(form for form in skill.surfaces if len(form) > limit)
        group = names.get(skill.group, skill.group.capitalize())
        is_activity = name.endswith((" Testing", " Patterns", " Modeling", " Analysis")) or skill.group == "skill"
        is_tool = not is_activity and (skill.group != "method" or skill.domain == "research")
        forms[name] = Forms(short, long, group, is_tool)
    return forms


def forms_of(name: str) -> Forms:
    """A skill of no lexicon has one form, and is a tool if it is written like one."""
    return _forms().get(name) or Forms((), (name,), "Other", is_peculiar(name))


def is_peculiar(form: str) -> bool:
    """Written like no ordinary word ("REDCap", "C++", "SPSS"): it means the skill wherever it stands."""
    return len(form) > 3 and (any(c.isupper() for c in form[1:].replace(" ", "")) or any(c.isdigit() for c in form))


@cache
def peculiar_forms() -> dict[str, str]:
    """Form -> skill, for the forms that cannot be mistaken."""
    skills_by_form: dict[str, str] = {}
    for name, forms in _forms().items():
        for form in (name, *forms.short, *forms.long):
            if is_peculiar(form) and not form.istitle():
                skills_by_form.setdefault(form, name)
    return skills_by_form


def uncapitalize(form: str) -> str:
    """An activity inside a sentence: "Accounts Payable" -> "accounts payable", acronyms and names as they are."""
    return " ".join(word.lower() if word.istitle() and word not in PROPER else word for word in form.split(" "))


@cache
def degree_forms(degree: str) -> tuple[str, ...]:
    """Short forms of a degree written in full, the commonest first."""
    return tuple(lexicon.table("degrees.toml")["forms"].get(degree, ()))


def short_title(title: str) -> str:
    return re.sub(r"\bJunior ", "Jr. ", re.sub(r"\bSenior ", "Sr. ", title))
