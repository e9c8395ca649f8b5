"""Addresses of searches: there and back, old and broken ones too."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest

from evenhand.screening.search_url import (
    ParsedSearch,
    choosing,
    condition_text,
    instead_of,
    read_search,
    without_skill,
    without_value,
)
from evenhand.search.criteria import Criteria, SkillCondition

JOB = "job1"


def read(query: str) -> ParsedSearch:
    return read_search(parse_qsl(query, keep_blank_values=True), JOB, canonical=str.lower)


FULL = Criteria(
    job=JOB,
    text='kafka "machine learning" java>=36 & more=1',
    facets={
        "source": ("agency", "career portal"),
        "degree": ("master", "not stated"),
        "total_years": ("10+",),
        "city": ("São Paulo", "a=b&c"),
        "skill": ("c++", "c#"),
    },
    skills=(
        SkillCondition("java", 36),
        SkillCondition("c#", None, 12),
        SkillCondition("sql", 24, 60),
        SkillCondition("r"),
    ),
    ranker="tfidf+skills",
    strict_counts=True,
)


@pytest.mark.parametrize(
    "search",
    [
        ParsedSearch(Criteria(job=JOB)),
        ParsedSearch(Criteria(job=JOB, text="kafka"), page=3),
        ParsedSearch(FULL),
        ParsedSearch(FULL, page=2, size=50),
    ],
)
def test_there_and_back(search: ParsedSearch) -> None:
    again = read(search.query)
    assert (again, again.problems) == (search, ())
    assert again.query == search.query


def test_the_default_has_an_empty_query() -> None:
    assert ParsedSearch(Criteria(job=JOB)).query == ""
    assert read("q=++&ranker=best&size=20&page=1&strict=0&add_skill=&add_least=").query == ""


def test_the_address_of_a_search() -> None:
    criteria = Criteria(job=JOB, text="kafka", facets={"degree": ("master",)}, skills=(SkillCondition("java", 36),))
    assert ParsedSearch(criteria, page=2).query == "q=kafka&degree=master&months=java%3E%3D36&page=2"


@pytest.mark.parametrize(
    ("query", "condition"),
    [
        ("add_skill=Java", SkillCondition("java")),
        ("add_skill=Java&add_least=36", SkillCondition("java", 36)),
        ("add_skill=Java&add_most=60", SkillCondition("java", None, 60)),
        ("add_skill=Java&add_least=24&add_most=60", SkillCondition("java", 24, 60)),
    ],
)
def test_a_skill_typed_into_the_empty_line(query: str, condition: SkillCondition) -> None:
    search = read(query)
    assert (search.criteria.skills, search.problems) == ((condition,), ())
    assert read(search.query) == search


def test_what_nobody_knows_is_passed_over() -> None:
    assert read("utm_source=mail&gender=f&fbclid=1&q=kafka") == ParsedSearch(Criteria(job=JOB, text="kafka"))
    assert read("utm_source=mail&gender=f").problems == ()


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("degree=mastr", "The facet degree has no value 'mastr'; did you mean master?"),
        ("page=-1", "There is no page '-1'; this is the first one."),
        ("page=0", "There is no page '0'; this is the first one."),
        ("page=9" + "9" * 30, "There is no page '9" + "9" * 30 + "'; this is the first one."),
        ("size=7", "There is no size '7'; there are 10, 20, 50, 100."),
        ("ranker=semantic", "There is no ranker 'semantic'; there are bm25, tfidf, kl, tfidf+skills, best."),
        ("months=java%3E36", "A skill is asked for like java, java>=36, java<=60 or java=24-60, not 'java>36'."),
        ("months=java%3D60-24", "In 'java=60-24' the range ends before it begins."),
        ("add_least=36", "Months alone say nothing: name the skill too."),
        ("add_skill=java&add_least=x", "Months are a whole number such as 36, not 'x'."),
        ("add_skill=java&add_least=-3", "Months are a whole number such as 36, not '-3'."),
        ("q=" + "x" * 1001, "A search has at most 1,000 characters; the rest is left out."),
    ],
)
def test_what_cannot_be_understood_is_said_and_left_out(query: str, sentence: str) -> None:
    search = read(query + "&city=Berlin")
    assert search.problems == (sentence,)
    assert search.criteria.facets == {"city": ("Berlin",)}
    assert read(search.query).problems == ()


def test_far_pages_are_not_ordered() -> None:
    assert read("page=200&size=100").page == 200
    search = read("page=201&size=100")
    assert (search.page, len(search.problems)) == (1, 1)


def test_too_many_conditions_are_cut() -> None:
    search = read("&".join(f"city=c{n}" for n in range(300)))
    assert (len(search.criteria.facets["city"]), len(search.problems)) == (200, 1)
    search = read("&".join(f"months=s{n}" for n in range(30)))
    assert (len(search.criteria.skills), len(search.problems)) == (20, 1)


def test_the_same_twice_is_once() -> None:
    search = read("city=Berlin&city=Berlin&months=java&months=JAVA")
    assert search.criteria.facets == {"city": ("Berlin",)}
    assert search.criteria.skills == (SkillCondition("java"),)


def test_taking_conditions_away_and_adding_them() -> None:
    criteria = Criteria(job=JOB, facets={"city": ("Berlin", "Paris")}, skills=(SkillCondition("java", 36),))
    assert without_value(criteria, "city", "Paris").facets == {"city": ("Berlin",)}
    assert without_value(without_value(criteria, "city", "Paris"), "city", "Berlin").facets == {}
    assert choosing(criteria, "city", ("Rome",)).facets == {"city": ("Rome",)}
    assert choosing(criteria, "city", ()).facets == {}
    assert without_skill(criteria, SkillCondition("java", 36)).skills == ()
    other = SkillCondition("java", 12, 35)
    assert instead_of(criteria, SkillCondition("java", 36), other).skills == (other,)
    assert ParsedSearch(criteria, page=4).with_(criteria).page == 1
    assert ParsedSearch(criteria, page=4).at(5).page == 5


def test_conditions_as_they_are_typed() -> None:
    conditions = [SkillCondition("r"), SkillCondition("r", 0), SkillCondition("r", None, 3), SkillCondition("r", 1, 2)]
    assert [condition_text(condition) for condition in conditions] == ["r", "r>=0", "r<=3", "r=1-2"]
