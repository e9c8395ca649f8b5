"""Cities with the state or country beside them, and words that are no cities."""

from __future__ import annotations

import pytest

from evenhand.mining.lexicon.places import find_city
from evenhand.mining.vocabulary import load_vocabulary


@pytest.mark.parametrize(
    ("text", "name", "code"),
    [
        ("Pune", "Pune", "IN"),
        ("Austin, TX", "Austin", "US"),
        ("San Francisco, CA, USA", "San Francisco", "US"),
        ("Bangalore", "Bengaluru", "IN"),
        ("Bengaluru", "Bengaluru", "IN"),
        ("12 Some Road, Marathahalli, Bangalore - 560037", "Bengaluru", "IN"),
        ("London NW1 6XE", "London", "GB"),
        ("Paris, TX", "Paris", "US"),
        ("Paris", "Paris", "FR"),
        ("Reading, UK", "Reading", "GB"),
        ("Mobile, AL", "Mobile", "US"),
        ("Nice, France", "Nice", "FR"),
        ("LOS ANGELES, CA", "Los Angeles", "US"),
        ("Dallas TX", "Dallas", "US"),
        ("Cambridge, MA", "Cambridge", "US"),
        ("Nowhereville, TX", "Nowhereville", "US"),
        ("Krakow, Poland", "Kraków", "PL"),
    ],
)
def test_cities(text: str, name: str, code: str) -> None:
    city = find_city(text)
    assert city is not None
    assert (city.name, city.country_code) == (name, code)


def test_a_city_knows_its_country_and_people() -> None:
    city = find_city("Portland, Maine")
    assert city is not None
    assert (city.country, city.region) == ("United States", "ME")
    assert 50_000 < city.population < 100_000


@pytest.mark.parametrize(
    "text",
    [
        "City , State",
        "City, State",
        "Company Name, City",
        "Reading",
        "Mobile",
        "Of",
        "Nice",
        "Orange",
        "Enterprise",
        "",
        "42",
    ],
)
def test_masks_and_words_are_no_cities(text: str) -> None:
    assert find_city(text) is None


def test_places_as_written() -> None:
    find = dict(load_vocabulary().finders)["place"]

    def is_place(words: list[str]) -> bool:
        return find([word.lower() for word in words], words) == [(0, len(words))]

    assert is_place(["Texas"])
    assert is_place(["TX"])
    assert is_place(["San", "Francisco"])
    assert is_place(["India"])
    assert not is_place(["tx"])
    assert not is_place(["Spring"])
    assert not is_place(["in"])
