"""The main path: text to clauses, clauses to types, then what they ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evenhand.mining.lexicon import words as words_of_kind
from evenhand.mining.requirements.clauses import Clause, cut
from evenhand.mining.requirements.degrees import Study, find_studies, least_degree
from evenhand.mining.requirements.demands import Total, ask
from evenhand.mining.requirements.merging import merge
from evenhand.mining.requirements.passages import join_passages, type_clauses
from evenhand.mining.requirements.places import find_place
from evenhand.mining.requirements.titles import Title, find_title
from evenhand.mining.resolver.skills import find as find_skills
from evenhand.mining.resolver.skills import settle
from evenhand.mining.tokens import tokenise
from evenhand.mining.vocabulary import Vocabulary
from evenhand.records.job import Demand, Job, Place

LONGEST = 60_000
"""Characters that are understood; an ad has a few thousand, and what follows is kept as text."""
_BLANKS = dict.fromkeys(
    map(ord, "\xa0\u2002\u2003\u2007\u2009\u200b\u202f\ufeff"), " "
)  # places stay the same
TELLING = frozenset(("duties", "requirements", "wishes", "other"))
"""Types of passages that say who is wanted."""


def understand_job(text: str, vocabulary: Vocabulary) -> Job:
    """Never raises because of what the text contains; time grows with its length up to LONGEST."""
    plain = text[:LONGEST].translate(_BLANKS)
    clauses = cut(plain, len(plain), vocabulary)
    title = find_title(plain, clauses, vocabulary)
    types = type_clauses(clauses, title.place if title else None)
    where = find_place(clauses, types)
    taken = [found.place for found in (title, where) if found]
    demands, totals, studies = _asked(clauses, types, taken, vocabulary)
    total = _total(totals)
    level, fields = least_degree(studies)
    return Job(
        text=text,
        title=title.written if title else None,
        demands=_doubted(merge(_settled([*_in_title(title, vocabulary), *demands])), text, vocabulary),
        months=total.length.months if total else None,
        most_months=total.length.most_months if total else None,
        degree=level,
        fields=fields,
        city=where.city.name if where else None,
        country=where.city.country if where else None,
        passages=join_passages(clauses, types, len(plain), len(text)),
    )


def _asked(
    clauses: Sequence[Clause], types: Sequence[str], taken: list[Place], vocabulary: Vocabulary
) -> tuple[list[Demand], list[Total], list[Study]]:
    demands: list[Demand] = []
    totals: list[Total] = []
    studies: list[Study] = []
    for clause, kind in zip(clauses, types, strict=True):
        if kind not in TELLING or clause.heading:
            continue
        is_title = any(place.start == clause.start for place in taken)  # "High School Teacher"
        found = [] if is_title else find_studies(clause, kind, vocabulary)
        asked = ask(clause, kind, [*taken, *(study.place for study in found)], vocabulary)
        demands += asked.demands
        totals += asked.totals
        studies += found
    return demands, totals, studies


def _total(totals: Sequence[Total]) -> Total | None:
    """What an ad says of experience in general; else the longest time it asks for in one field of work."""
    asked = [total for total in totals if total.must]
    general = [total for total in asked if total.is_general]
    return max(general or asked, key=lambda total: total.length.months, default=None)


def _settled(demands: Sequence[Demand]) -> list[Demand]:
    """What is meant by a name that stands for two skills, seen among all skills of the ad."""
    meant = settle(name for demand in demands for name in demand.skills)
    return [
        replace(demand, skills=tuple(meant.get(name, name) for name in demand.skills)) for demand in demands
    ]


def _doubted(demands: Sequence[Demand], text: str, vocabulary: Vocabulary) -> tuple[Demand, ...]:
    """A skill told by one everyday word for it, once, is a wish at most.

    "A background investigation" asks for no criminal investigator. Names of techniques and acronyms are no such words.
    """
    return tuple(
        replace(demand, must=False) if demand.must and _is_doubtful(demand, text, vocabulary) else demand
        for demand in demands
    )


def _is_doubtful(demand: Demand, text: str, vocabulary: Vocabulary) -> bool:
    if len(demand.skills) != 1 or len(demand.places) != 1 or demand.months is not None:
        return False
    [name], [place] = demand.skills, demand.places
    word = text[place.start : place.end]
    if not word.isalpha() or word.isupper() or vocabulary.skills.kind(name) in ("technology", "language"):
        return False
    return word.lower() != name.lower() and not name.lower().startswith(f"{word.lower()}s")


def _in_title(title: Title | None, vocabulary: Vocabulary) -> list[Demand]:
    """Who is to be a "Java Developer" must know Java."""
    if title is None:
        return []
    tokens = tokenise(title.written)
    start = title.place.start
    heads = words_of_kind("title head")  # "Director, Finance" is no call for the program of that name
    return [
        Demand(
            (match.name,),
            must=True,
            places=(Place(start + tokens.starts[match.first], start + tokens.ends[match.last - 1]),),
        )
        for match in find_skills(tokens.words, lexicon=vocabulary.skills)
        if vocabulary.skills.kind(match.name) != "soft" and match.name not in heads
    ]
