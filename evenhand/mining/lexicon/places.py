"""Cities, states and countries. The largest city of a name is meant unless something beside it says otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from evenhand.mining.lexicon.files import blocks, lines, rows
from evenhand.mining.lexicon.phrases import Phrases, key_of

BIG = 50_000


@dataclass(frozen=True, slots=True)
class City:
    name: str
    country_code: str
    country: str
    population: int  # 0 when the list does not know the place
    region: str = ""  # code of the state in the United States


@cache
def city_rows() -> dict[str, list[str]]:
    """Lower-case form -> rows of cities.tsv, largest first; split only when asked for."""
    found: dict[str, list[str]] = {}
    for line in lines("cities.tsv"):
        form = line[: line.index("\t")].lower()
        if form in found:
            found[form].append(line)
        else:
            found[form] = [line]
    return found


def cities_named(name: str) -> list[City]:
    """All cities of a name, the largest first."""
    return [_city(row) for row in city_rows().get(name.lower(), ())]


def _city(row: str) -> City:
    form, code, region, population, name = row.split("\t")
    return City(name or form, code, country_name(code), int(population), region)


@cache
def _countries() -> dict[str, str]:
    return {code: name for name, code in rows("countries.tsv")}


def country_name(code: str) -> str:
    return _countries().get(code, code)


@cache
def countries() -> dict[str, str]:
    """Lower-case name -> code. Abbreviations of two letters are in countries_short."""
    found = {name.lower(): code for code, name in _countries().items()}
    for kind, forms in blocks("places.txt"):
        if kind == "country":
            code = found[forms[0].lower()]
            found.update({form.lower(): code for form in forms if len(form) > 2})
    return found


@cache
def regions() -> dict[str, tuple[str, str]]:
    """Lower-case name of a state or province -> (country code, code of the state or its name)."""
    return {
        forms[0].lower(): (kind, forms[1] if len(forms) > 1 else forms[0])
        for kind, forms in blocks("places.txt")
        if kind not in {"country", "word"}
    } | {
        form.lower(): (kind, forms[1])
        for kind, forms in blocks("places.txt")
        if kind not in {"country", "word"}
        for form in forms[1:]
        if len(form) > 3
    }


@cache
def short_names() -> dict[str, tuple[str, str]]:
    """Abbreviations as they must be written ("TX", "UK", "N.Y") -> (country code, region code or "")."""
    found: dict[str, tuple[str, str]] = {}
    for kind, forms in blocks("places.txt"):
        if kind == "word":
            continue
        for form in forms[1:]:
            if len(form) <= 3 or (form.isupper() and len(form) <= 5):
                home = (countries()[forms[0].lower()], "") if kind == "country" else (kind, forms[1])
                found.setdefault(form, home)
    return found


@cache
def common_words() -> frozenset[str]:
    """Words and first names that are cities only with a state or country beside them."""
    return frozenset(forms[0] for kind, forms in blocks("places.txt") if kind == "word")


@cache
def places() -> Phrases:
    """Big cities, states and countries -> "city", "state", "country"; what is also a common word is left out."""
    words = common_words()
    table = {
        key_of(form): "city"
        for form, found in city_rows().items()
        if form not in words and len(form) > 2 and int(found[0].split("\t")[3]) >= BIG
    }
    table |= {key_of(name): "state" for name in regions()}
    table |= {key_of(name): "country" for name in countries() if name not in words}
    return Phrases(table)
