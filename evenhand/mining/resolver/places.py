"""The city a text names: "Austin, TX", "Pune", "221 Some Road, Bangalore - 560037". Masks and common words are none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from evenhand.mining.lexicon.phrases import key_of
from evenhand.mining.lexicon.places import (
    City,
    cities_named,
    city_rows,
    common_words,
    countries,
    country_name,
    places,
    regions,
    short_names,
)

_SEPARATORS = re.compile(r"\s*(?:[,;|•·\n\t()]|\s[-–—]\s|\s*[-–—](?=\s*\d))\s*")
_NUMBERS = re.compile(r"\b\S*\d\S*\b")  # house numbers, zip codes, "NW1", dates
_MASKS = frozenset({"city", "state", "city state", "country", "town", "location", "address"})
_ENOUGH = 40_000  # people a place has that is known without its country
Home = tuple[str, str]  # country code, region code or ""


def find_city(text: str) -> City | None:
    """The city named, with the state or country beside it deciding which; None when there is none."""
    pieces = [piece for piece in map(_plain, _SEPARATORS.split(text)) if piece]
    if any(piece.lower() in _MASKS for piece in pieces):
        return None
    guesses = []
    for at, piece in enumerate(pieces):
        name, home = _split_home(piece)
        home = home or _home_behind(pieces, at)
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


def _home_behind(pieces: Sequence[str], at: int) -> Home | None:
    """State or country in the next pieces: "Austin, TX", "San Francisco, CA, USA"."""
    for piece in pieces[at + 1 : at + 3]:
        home = home_of(piece)
        if home:
            return home
    return None


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
        if city and (size == len(words) or home or city.population >= 10 * _ENOUGH):
            return city
    return _unknown(name, home)


def _known(name: str, home: Home | None) -> City | None:
    if not name[:1].isupper():
        return None
    found = cities_named(name)
    if home is None:
        is_sure = name.lower() not in common_words() and found and found[0].population >= _ENOUGH
        return found[0] if is_sure else None
    country, region = home
    at_home = [city for city in found if city.country_code == country]
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
    return City(name, home[0], country_name(home[0]), 0, home[1])


@cache
def _place_words() -> frozenset[str]:
    return frozenset(places().table)


def is_place(words: Sequence[str]) -> bool:
    """Whether these words, as written, are a big city, a state, its code, or a country."""
    phrase = " ".join(words)
    if phrase in short_names():
        return True
    return phrase[:1].isupper() and phrase.lower() in _place_words()
