"""The forms in which people write names of skills, degrees and titles: in full or short."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from evenhand.corpora import lexicon
from evenhand.corpora.skills import Skill, skills

PROPER = frozenset(
    {
        "Western",
        "Sarbanes-Oxley",
        "Sigma",
        "Six",
        "Java",
        "English",
        "Spanish",
        "French",
        "German",
        "Montessori",
    }
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
    found = {}
    for name, skill in skills().items():
        limit = max(map(len, skill.surfaces)) * 2 / 3
        short = tuple(form for form in skill.surfaces if len(form) <= limit)
        long = tuple(form for form in skill.surfaces if len(form) > limit)
        group = names.get(skill.group, skill.group.capitalize())
        found[name] = Forms(short, long, group, _is_tool(skill))
    return found


def _is_tool(skill: Skill) -> bool:
    if skill.name.endswith((" Testing", " Patterns", " Modeling", " Analysis")):
        return False
    return skill.group != "skill" and (skill.group != "method" or skill.domain == "research")


def forms_of(name: str) -> Forms:
    """A skill of no lexicon has one form, and is a tool if it is written like one."""
    return _forms().get(name) or Forms((), (name,), "Other", is_peculiar(name))


def is_peculiar(form: str) -> bool:
    """Written like no ordinary word ("REDCap", "C++", "SPSS"): it means the skill wherever it stands."""
    return len(form) > 3 and (
        any(c.isupper() for c in form[1:].replace(" ", "")) or any(c.isdigit() for c in form)
    )


@cache
def peculiar_forms() -> dict[str, str]:
    """Form -> skill, for the forms that cannot be mistaken."""
    found: dict[str, str] = {}
    for name, forms in _forms().items():
        for form in (name, *forms.short, *forms.long):
            if is_peculiar(form) and not form.istitle():
                found.setdefault(form, name)
    return found


def uncapitalize(form: str) -> str:
    """An activity inside a sentence: "Accounts Payable" -> "accounts payable", acronyms and names as they are."""
    return " ".join(
        word.lower() if word.istitle() and word not in PROPER else word for word in form.split(" ")
    )


@cache
def degree_forms(degree: str) -> tuple[str, ...]:
    """Short forms of a degree written in full, the commonest first."""
    return tuple(lexicon.table("degrees.toml")["forms"].get(degree, ()))


_TITLE_FORMS = (("Senior ", "Sr. "), ("Junior ", "Jr. "))


def short_title(title: str) -> str:
    for long, short in _TITLE_FORMS:
        title = re.sub(rf"\b{re.escape(long)}", short, title)
    return title
