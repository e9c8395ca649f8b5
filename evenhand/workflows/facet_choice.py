"""Facet values as they are typed: "degree=Master". What no application can have is named instead of finding nobody."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches

from evenhand.errors import UsageError
from evenhand.records.profile import DEGREE_LEVELS
from evenhand.search.criteria import FACETS, NOT_STATED
from evenhand.search.index.schema import BANDS
from evenhand.store import STATUS_NAMES

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
    found: dict[str, tuple[str, ...]] = {}
    for each in typed:
        name, equals, value = (part.strip() for part in each.partition("="))
        if not equals or not value:
            raise UsageError(f"A facet is chosen like degree=master, not {each!r}.")
        if name not in FACETS:
            raise UsageError(f"There is no facet {name!r}; there are {', '.join(FACETS)}.")
        found[name] = (*found.get(name, ()), _value(name, value, canonical))
    return found


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
    hint = f"did you mean {meant[close[0]]}?" if close else f"there are {', '.join(values)}."
    raise UsageError(f"The facet {facet} has no value {typed!r}; {hint}")
