"""The word lists: large enough, consistent with each other, and without words that nothing can fill."""

from __future__ import annotations

import re
from typing import Any

import pytest

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import month
from evenhand_lab.corpora.lexicon import fill, stream
from evenhand_lab.corpora.occupations import existed, occupations, roles, skills, surfaces
from evenhand_lab.corpora.people import cities, level_of, local_degree, years_of

LEXICONS = [f"mixed/{name}.toml" for name in occupations()] + [f"it/{name}.toml" for name in roles()]
ENGAGEMENT = {"module", "other_module", "entity", "user", "rule", "system_short", "currency"}
COUNTRIES = tuple(lexicon.table("schools.toml")["mix"])


def test_names_are_many_and_of_ten_origins() -> None:
    table = lexicon.table("names.toml")
    origins = [name for name in table if name != "avoid"]
    assert len(origins) == 10
    for origin in origins:
        for gender in ("female", "male"):
            assert len(set(table[origin][gender])) == len(table[origin][gender]) >= 40
        assert len(set(table[origin]["last"])) == len(table[origin]["last"]) >= 60


def test_skills_are_many_and_a_form_means_one_skill() -> None:
    assert len(skills()) >= 350
    owners: dict[str, set[str]] = {}
    for skill in skills().values():
        for form in skill.surfaces:
            owners.setdefault(form.lower(), set()).add(skill.name)
    shared = {form: names for form, names in owners.items() if len(names) > 1}
    assert shared == {"gcp": {"Google Cloud", "Good Clinical Practice"}}  # as in life


def test_forms_of_a_skill() -> None:
    assert surfaces("JSP") == ("JSP", "Java Server Pages", "JavaServer Pages")
    assert {"J2EE", "Java EE"} <= set(surfaces("Java EE"))
    assert {"MS Office", "Microsoft Office"} <= set(surfaces("MS Office"))
    assert surfaces("Basket Weaving") == ("Basket Weaving",)


def test_skills_have_their_time() -> None:
    assert not existed("Kubernetes", month(2009, 1))
    assert existed("Kubernetes", month(2018, 1))
    assert existed("Struts", month(2008, 1))
    assert not existed("Struts", month(2020, 1))


def test_versions_come_out_after_their_skill_and_in_order() -> None:
    for skill in skills().values():
        years = [year for _, year in skill.versions]
        assert years == sorted(years)
        assert all(year >= skill.year for year in years)
        assert set(skill.together) <= set(skills())


def test_cities_are_many_in_town_and_country() -> None:
    found = [city for country in COUNTRIES for city in cities(country)]
    assert len(found) >= 150
    assert {city.place for city in found} == {"urban", "rural"}


@pytest.mark.parametrize("country", COUNTRIES)
def test_every_country_has_what_addresses_and_schools_need(country: str) -> None:
    place, schools = lexicon.table("places.toml")[country], lexicon.table("schools.toml")
    assert {"origins", "phones", "streets", "currency"} <= set(place)
    assert {"community", "highschool", *schools["mix"][country]} <= set(schools[country])
    assert country in lexicon.table("employers.toml")["mix"]
    assert country in lexicon.table("degrees.toml")["grades"]


def test_a_school_name_tells_one_type() -> None:
    table = lexicon.table("schools.toml")
    for country in COUNTRIES:
        types: dict[str, str] = {}
        for kind, entry in table[country].items():
            for pattern in entry["patterns"]:
                for stem in entry["stems"]:
                    name = pattern.replace("{stem}", stem)
                    assert types.setdefault(name, kind) == kind


def test_degrees_by_country() -> None:
    assert local_degree("High School Diploma", "India") == "Higher Secondary Certificate"
    assert local_degree("Juris Doctor", "United Kingdom") == "Bachelor of Laws"
    assert local_degree("Bachelor of Science", "Canada") == "Bachelor of Science"
    assert level_of("Bachelor of Engineering") == "bachelor"
    assert level_of("Doctor of Philosophy") == "doctorate"
    assert level_of("Higher National Diploma") == "diploma"
    assert years_of("Bachelor of Science", "United Kingdom") == 3
    assert years_of("Bachelor of Technology", "India") == 4


def texts_of(entry: dict[str, Any]) -> list[str]:
    words = [word for words in entry.get("slots", {}).values() for word in words]
    titles = [title for titles in entry["ladder"] for title in titles]
    return [*entry["duties"], *entry.get("lead", []), *words, *titles]


@pytest.mark.parametrize("name", LEXICONS)
def test_every_slot_can_be_filled_and_every_skill_is_known(name: str) -> None:
    entry, shared = lexicon.table(name), lexicon.table("it/_shared.toml")
    slots = {"n", "d", "money", "software", "skill", *entry.get("slots", {}), *entry.get("groups", {})}
    if name.startswith("it/"):
        slots |= ENGAGEMENT | set(shared["slots"]) | set(shared["groups"])
    for text in texts_of(entry):
        for slot in re.findall(r"\{([^{}:]+)(?::[^{}]*)?\}", text):
            assert slot in slots or slot in skills(), f"{slot} in {text}"
    listed = [*entry.get("skills", []), *entry.get("software", []), *entry.get("core", [])]
    listed += [skill for names in entry.get("groups", {}).values() for skill in names]
    listed += [skill for _, _, names in entry.get("picks", []) for skill in names]
    assert set(listed) <= set(skills())


@pytest.mark.parametrize("name", LEXICONS)
def test_duties_are_many(name: str) -> None:
    entry = lexicon.table(name)
    assert len(set(entry["duties"])) == len(entry["duties"]) >= (20 if name.startswith("it/") else 12)
    assert len(entry["ladder"]) == 4


def test_slots_are_filled_with_numbers_money_and_words() -> None:
    rng = stream(1, 1, "slots")
    assert fill(rng, "{n:7-7} {thing}", {"thing": ["{colour} trees"], "colour": ["green"]}) == "7 green trees"
    assert fill(rng, "{n:1500-1500}", {}) == "1,500"
    assert fill(rng, "{d:1500-1500}", {}) == "1500"
    assert fill(rng, "{money:3-3k}", {"currency": ["£"]}) in ("£3K", "£3,000", "£3k")
    assert fill(rng, "in {Java} and {C#}", {}) == "in {Java} and {C#}"
