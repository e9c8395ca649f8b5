"""The address of a search: criteria, page and size to a query string and back, so that every list can be linked to.

Strict: a condition that is not understood would, left out, widen the list, and a decision on many would then reach
people whom nobody meant. Whatever is unknown or malformed is refused, with what there is instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from urllib.parse import parse_qsl, urlencode

from evenhand.errors import FilterError, UnknownParameter
from evenhand.records.profile import DEGREE_LEVELS
from evenhand.search.criteria import FACETS, NOT_STATED, Criteria, SkillCondition, parse_skill
from evenhand.search.index.schema import BANDS
from evenhand.search.query_language import parse
from evenhand.search.rankers.registry import RANKERS
from evenhand.search.rankers.semantic import Semantic
from evenhand.search.screener import PAGE
from evenhand.store.applications import STATUS_NAMES
from evenhand.text.wording import degree_words, duration

# Facet values as they are typed: "degree=Master". What no application can have is named instead of finding
# nobody.

YEARS = (*(name for name, _, _ in BANDS), NOT_STATED)
CLOSED: Mapping[str, tuple[str, ...]] = {
    "degree": (*DEGREE_LEVELS, NOT_STATED),
    "total_years": YEARS,
    "relevant_years": YEARS,
    "status": tuple(STATUS_NAMES),
}
"""Facets whose values are known beforehand; towns and sources are as they were written."""


def choose_facets(typed: Iterable[str], *, canonical: Callable[[str], str]) -> dict[str, tuple[str, ...]]:
    """By facet, the values chosen. `canonical` gives a skill's name for any form of it."""
    chosen: dict[str, tuple[str, ...]] = {}
    for choice in typed:
        name, equals, value = (part.strip() for part in choice.partition("="))
        if not equals or not value:
            raise FilterError(f"A facet is chosen like degree=master, not {choice!r}.")
        if name not in FACETS:
            raise FilterError(f"There is no facet {name!r}; there are {', '.join(FACETS)}.")
        chosen[name] = (*chosen.get(name, ()), _value(name, value, canonical))
    return chosen


def _value(facet: str, typed: str, canonical: Callable[[str], str]) -> str:
    if facet == "skill":
        return canonical(typed)
    if facet not in CLOSED:
        return NOT_STATED if typed.casefold() == NOT_STATED else typed
    values = CLOSED[facet]
    meant = {value.casefold(): value for value in values}
    if facet == "status":
        meant |= {name.casefold(): status for status, name in STATUS_NAMES.items()}
    if typed.casefold() in meant:
        return meant[typed.casefold()]
    close = get_close_matches(typed.casefold(), meant, n=1)
    hint = f" (did you mean {meant[close[0]]}?)" if close else ""
    raise FilterError(f"The facet {facet} has no value {typed!r}{hint}; there are {', '.join(values)}.")


SIZES = (10, 20, 50, 100)
RANKED_BY = tuple(name for name in RANKERS if name != Semantic.name)  # no vectors of resumes are kept
TEXT_LENGTH = 1_000
MAX_VALUES = 200  # ticked at once
MAX_SKILLS = 20
FARTHEST = 20_000  # a rank nobody reads to; ordering so many would take seconds
MONTHS = "months"
ADDED = ("add_skill", "add_least", "add_most")  # the empty line in which another skill is typed
CRITERIA = ("q", *FACETS, MONTHS, "ranker", "strict")
PARAMETERS = (*CRITERIA, "size", "page", *ADDED)
"""All that an address of the list may have."""
REPEATED = (*FACETS, MONTHS)
EMPTY = ("q", *ADDED)  # boxes that a form sends empty
MAX_PAIRS = 500

Pairs = Iterable[tuple[str, str]]
Canonical = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class ParsedSearch:
    """What an address asks for."""

    criteria: Criteria
    page: int = 1
    size: int = PAGE

    @property
    def first(self) -> int:
        return (self.page - 1) * self.size

    @property
    def query(self) -> str:
        """Canonical: what is as by default is left out, and the same search has the same query."""
        return urlencode(list(_pairs(self)))

    def at(self, page: int) -> ParsedSearch:
        return replace(self, page=page)

    def with_(self, criteria: Criteria) -> ParsedSearch:
        """Other criteria begin at their first page."""
        return replace(self, criteria=criteria, page=1)


def read_search(pairs: Pairs, job: str, *, canonical: Canonical) -> ParsedSearch:
    """`canonical` gives a skill's name for any form of it. Raises UnknownParameter or FilterError, with all that is
    not understood."""
    given = _Given(pairs)
    criteria = Criteria(
        job=job,
        text=given.text(),
        facets=given.facets(canonical),
        skills=given.skills(canonical),
        ranker=given.one_of("ranker", RANKED_BY, "best"),
        strict_counts=given.one_of("strict", ("0", "1"), "0") == "1",
    )
    size = int(given.one_of("size", [str(size) for size in SIZES], str(PAGE)))
    page = given.page(size)
    if given.problems:
        raise FilterError(" ".join(given.problems))
    return ParsedSearch(criteria, page, size)


def query_pairs(query: str) -> list[tuple[str, str]]:
    """Of an address that was sent as a text. Raises FilterError for a part that is no pair."""
    try:
        return parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query), max_num_fields=MAX_PAIRS)
    except ValueError:
        raise FilterError(
            f"A search is written like the address of its list, as q=kafka&degree=master with at most {MAX_PAIRS} "
            f"parts, not {query[:200]!r}."
        ) from None


def check_names(names: Iterable[str], known: Sequence[str]) -> None:
    """Raises UnknownParameter for the names that are not among the known ones."""
    if unknown := [name for name in dict.fromkeys(names) if name not in known]:
        close = get_close_matches(unknown[0], known, n=1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        accepted = f"accepted here: {', '.join(known)}" if known else "none is accepted here"
        raise UnknownParameter(f"Unknown parameter {', '.join(map(repr, unknown))}{hint}; {accepted}.")


def condition_text(condition: SkillCondition) -> str:
    """As `parse_skill` reads it: java, java>=36, java<=60, java=24-60."""
    least, most = condition.at_least, condition.at_most
    if most is None:
        return condition.name if least is None else f"{condition.name}>={least}"
    return f"{condition.name}<={most}" if least is None else f"{condition.name}={least}-{most}"


def without_value(criteria: Criteria, facet: str, value: str) -> Criteria:
    left = tuple(chosen for chosen in criteria.facets.get(facet, ()) if chosen != value)
    return choosing(criteria, facet, left)


def without_skill(criteria: Criteria, condition: SkillCondition) -> Criteria:
    return replace(criteria, skills=tuple(skill for skill in criteria.skills if skill != condition))


def instead_of(criteria: Criteria, condition: SkillCondition, other: SkillCondition) -> Criteria:
    return replace(criteria, skills=tuple(other if skill == condition else skill for skill in criteria.skills))


def choosing(criteria: Criteria, facet: str, values: tuple[str, ...]) -> Criteria:
    chosen = {**criteria.facets, facet: values}
    return replace(criteria, facets={name: chosen[name] for name in FACETS if chosen.get(name)})


# The criteria in words: names that people read for facets and their values.

FACET_TITLES = {
    "degree": "Highest degree",
    "relevant_years": "Relevant experience",
    "total_years": "Experience",
    "skill": "Skills",
    "city": "City",
    "source": "Source",
    "status": "Status",
}
"""In the order in which they are shown."""

BAND_LABELS = {
    "0-1": "Under 1 year",
    "1-3": "1 to 3 years",
    "3-5": "3 to 5 years",
    "5-10": "5 to 10 years",
    "10+": "10 years or more",
}
UNSTATED = {"skill": "None found", "total_years": "Duration unknown", "relevant_years": "Duration unknown"}


def value_label(facet: str, value: str) -> str:
    if value == NOT_STATED:
        return UNSTATED.get(facet, "Not stated")
    if facet == "degree":
        words = degree_words(value)
        return words[:1].upper() + words[1:]
    if facet in ("total_years", "relevant_years"):
        return BAND_LABELS.get(value, value)
    if facet == "status":
        return STATUS_NAMES.get(value, value)
    return value


def condition_label(condition: SkillCondition) -> str:
    """ "at least 3 years", "2 years to 5 years", "at most 1 year"; nothing where months do not matter."""
    least, most = condition.at_least, condition.at_most
    if least is None and most is None:
        return ""
    if most is None:
        return f"at least {duration(least)}" if least else "dated"
    if not least:
        return f"at most {duration(most)}"
    return f"{duration(least)} to {duration(most)}"


def describe(criteria: Criteria) -> str:
    """Whom the criteria choose, as "Highest degree: Master's degree; Skill: java at least 3 years", or "no filter"."""
    parts = [
        f"{title}: {' or '.join(value_label(facet, value) for value in values)}"
        for facet, title in FACET_TITLES.items()
        if (values := criteria.facets.get(facet))
    ]
    parts += [f"Skill: {skill.name} {condition_label(skill)}".strip() for skill in criteria.skills]
    only_orders = bool(criteria.text) and not parse(criteria.text).conditions
    if criteria.text and not only_orders:
        parts.append(f"Search: {criteria.text}")
    words = "; ".join(parts) or "no filter"
    return f"{words} (the words “{criteria.text}” only order the list)" if only_orders else words


def _pairs(search: ParsedSearch) -> Iterator[tuple[str, str]]:
    criteria = search.criteria
    if criteria.text:
        yield "q", criteria.text
    for facet in FACETS:
        yield from ((facet, value) for value in criteria.facets.get(facet, ()))
    yield from ((MONTHS, condition_text(condition)) for condition in criteria.skills)
    if criteria.ranker != "best":
        yield "ranker", criteria.ranker
    if criteria.strict_counts:
        yield "strict", "1"
    if search.size != PAGE:
        yield "size", str(search.size)
    if search.page != 1:
        yield "page", str(search.page)


class _Given:
    """The parameters as they came, and what was wrong with them so far."""

    def __init__(self, pairs: Pairs) -> None:
        self._values: dict[str, list[str]] = {}
        self.problems: list[str] = []
        for name, value in pairs:
            if value.strip():
                self._values.setdefault(name, []).append(value.strip())
            elif name in PARAMETERS and name not in EMPTY:
                self.problems.append(f"The parameter {name} has no value.")
            else:
                self._values.setdefault(name, [])
        check_names(self._values, PARAMETERS)
        for name, values in self._values.items():
            if len(values) > 1 and name not in REPEATED:
                self.problems.append(f"The parameter {name} is given {len(values)} times; it takes one value.")

    def last(self, name: str) -> str:
        return (self._values.get(name) or [""])[-1]

    def text(self) -> str:
        typed = self.last("q")
        if len(typed) > TEXT_LENGTH:
            self.problems.append(f"A search has at most {TEXT_LENGTH:,} characters.")
        return typed

    def facets(self, canonical: Canonical) -> dict[str, tuple[str, ...]]:
        chosen: dict[str, tuple[str, ...]] = {}
        for facet in FACETS:
            values = self._values.get(facet, [])
            if len(values) > MAX_VALUES:
                self.problems.append(f"At most {MAX_VALUES} values can be ticked at once.")
            for value in values[:MAX_VALUES]:
                try:
                    values_by_facet = choose_facets([f"{facet}={value}"], canonical=canonical)
                except FilterError as error:
                    self.problems.append(str(error))
                    continue
                chosen[facet] = tuple(dict.fromkeys((*chosen.get(facet, ()), *values_by_facet[facet])))
        return chosen

    def skills(self, canonical: Canonical) -> tuple[SkillCondition, ...]:
        conditions: list[SkillCondition] = []
        for typed in [*self._values.get(MONTHS, []), *self._added()]:
            try:
                conditions.append(parse_skill(typed, canonical=canonical))
            except FilterError as error:
                self.problems.append(str(error))
        unique = tuple(dict.fromkeys(conditions))
        if len(unique) > MAX_SKILLS:
            self.problems.append(f"At most {MAX_SKILLS} skills can be asked for at once.")
        return unique

    def _added(self) -> Iterator[str]:
        skill, least, most = (self.last(name) for name in ADDED)
        if not skill:
            if least or most:
                self.problems.append("Months alone say nothing: name the skill too.")
            return
        for months in (least, most):
            if months and not (months.isdecimal() and len(months) <= 4):
                self.problems.append(f"Months are a whole number such as 36, not {months!r}.")
                return
        if least and most:
            yield f"{skill}={least}-{most}"
        else:
            yield skill + (f">={least}" if least else "") + (f"<={most}" if most else "")

    def one_of(self, name: str, known: Sequence[str], default: str) -> str:
        value = self.last(name) or default
        if value in known:
            return value
        self.problems.append(f"There is no {name} {value!r}; there are {', '.join(known)}.")
        return default

    def page(self, size: int) -> int:
        typed = self.last("page") or "1"
        number = int(typed) if typed.isdecimal() and len(typed) <= 9 else 0
        if number < 1:
            self.problems.append(f"There is no page {typed!r}; pages are numbered from 1.")
        elif number * size > FARTHEST:
            self.problems.append(f"Ranks beyond {FARTHEST:,} are not shown; narrow the search instead.")
        return number
