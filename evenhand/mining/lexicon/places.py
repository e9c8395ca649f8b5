"""Cities, states and countries. The largest city of a name is meant unless something beside it says otherwise."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from evenhand.mining.lexicon.phrases import Phrases, blocks, key_of, lines, rows

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
    result: dict[str, list[str]] = {}
    for line in lines("cities.tsv"):
        result.setdefault(line[: line.index("\t")].lower(), []).append(line)
    return result


def cities_named(name: str) -> list[City]:
    """All cities of a name, the largest first."""
    rows_of_name = (row.split("\t") for row in city_rows().get(name.lower(), ()))
    return [
        City(name or form, code, _countries().get(code, code), int(population), region)
        for form, code, region, population, name in rows_of_name
    ]


@cache
def _countries() -> dict[str, str]:
    return {code: name for name, code in rows("countries.tsv")}


@cache
def countries() -> dict[str, str]:
    """Lower-case name -> code. Abbreviations of two letters are in countries_short."""
    result = {name.lower(): code for code, name in _countries().items()}
    for kind, forms in blocks("places.txt"):
        if kind == "country":
            code = result[forms[0].lower()]
            result.update({form.lower(): code for form in forms if len(form) > 2})
    return result


@cache
def regions() -> dict[str, tuple[str, str]]:
    """Lower-case name of a state or province -> (country code, code of the state or its name)."""
    states = [(kind, forms) for kind, forms in blocks("places.txt") if kind not in {"country", "word"}]
    result = {forms[0].lower(): (kind, forms[1] if len(forms) > 1 else forms[0]) for kind, forms in states}
    return result | {form.lower(): (kind, forms[1]) for kind, forms in states for form in forms[1:] if len(form) > 3}


@cache
def short_names() -> dict[str, tuple[str, str]]:
    """Abbreviations as they must be written ("TX", "UK", "N.Y") -> (country code, region code or "")."""
    result: dict[str, tuple[str, str]] = {}
    for kind, forms in blocks("places.txt"):
        if kind == "word":
            continue
        for form in forms[1:]:
            if len(form) <= 3 or (form.isupper() and len(form) <= 5):
                home = (countries()[forms[0].lower()], "") if kind == "country" else (kind, forms[1])
                result.setdefault(form, home)
    return result


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
        for form, rows_of_form in city_rows().items()
        if form not in words and len(form) > 2 and int(rows_of_form[0].split("\t")[3]) >= BIG
    }
    table |= {key_of(name): "state" for name in regions()}
    table |= {key_of(name): "country" for name in countries() if name not in words}
    return Phrases(table)


# The city a text names: "Austin, TX", "Pune", "221 Some Road, Bangalore - 560037". Masks and common words are none.

_SEPARATORS = re.compile(
    r"(?:(?<!\s)\s++)?(?:[,;|•·()]|[-–—](?=\s*+\d))\s*+|(?:(?<!\s)[^\S\n\t]++)?[\n\t]\s*+|(?<!\s)\s++[-–—]\s++"
)
_NUMBERS = re.compile(r"\b\S{0,60}\d\S{0,60}\b")  # house numbers, zip codes, "NW1", dates
_MASKS = frozenset({"city", "state", "city state", "country", "town", "location", "address"})
_MIN_POPULATION = 40_000  # people a place has that is known without its country
Home = tuple[str, str]  # country code, region code or ""


def find_city(text: str) -> City | None:
    """The city named, with the state or country beside it deciding which; None when there is none."""
    pieces = [piece for piece in map(_plain, _SEPARATORS.split(text)) if piece]
    if any(piece.lower() in _MASKS for piece in pieces):
        return None
    guesses = []
    for at, piece in enumerate(pieces):
        name, home = _split_home(piece)
        # State or country in the next pieces: "Austin, TX", "San Francisco, CA, USA".
        home = home or next(filter(None, map(home_of, pieces[at + 1 : at + 3])), None)
        city = _choose(name, home)
        if city:
            guesses.append((home is not None, city))
    return max(guesses, key=lambda guess: (guess[0], guess[1].population))[1] if guesses else None


def _plain(piece: str) -> str:
    return " ".join(_NUMBERS.sub(" ", piece).split()).strip(" .:-–")


def _split_home(piece: str) -> tuple[str, Home | None]:
    """ "Austin TX" and "Austin Texas" hold both; "New York" is a city first."""
    if piece.lower() in city_rows():
        return piece, None
    words = piece.split()
    for size in (1, 2):
        home = home_of(" ".join(words[-size:])) if len(words) > size else None
        if home:
            return " ".join(words[:-size]), home
    return piece, None


def home_of(piece: str) -> Home | None:
    """Country, and region where it is one, of a state, province or country."""
    short = short_names().get(piece.rstrip("."))
    if short:
        return short
    lower = piece.lower()
    if lower in regions():
        return regions()[lower]
    if lower in countries():
        return countries()[lower], ""
    return None


def _choose(name: str, home: Home | None) -> City | None:
    words = name.split()
    for size in range(min(3, len(words)), 0, -1):  # "Marathahalli Bangalore": the city stands last
        tail = words[-size:]
        city = _known(" ".join(tail), home)
        if city and (size == len(words) or home or city.population >= 10 * _MIN_POPULATION):
            return city
    return _unknown(name, home)


def _known(name: str, home: Home | None) -> City | None:
    if not name[:1].isupper():
        return None
    cities = cities_named(name)
    if home is None:
        is_sure = name.lower() not in common_words() and cities and cities[0].population >= _MIN_POPULATION
        return cities[0] if is_sure else None
    country, region = home
    at_home = [city for city in cities if city.country_code == country]
    if country == "US" and region:
        at_home = [city for city in at_home if city.region == region]
    return at_home[0] if at_home else None


def _unknown(name: str, home: Home | None) -> City | None:
    """ "Smallplace, TX": too small for the list, yet surely a city."""
    words = name.split()
    if home is None or not home[1] or not 1 <= len(words) <= 3 or home[0] != "US":
        return None
    if not all(word[0].isupper() and word.isalpha() for word in words) or name.lower() in common_words():
        return None
    if home_of(name) or key_of(name) in places().table:
        return None
    return City(name, home[0], _countries().get(home[0], home[0]), 0, home[1])
