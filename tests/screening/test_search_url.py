"""Addresses of searches: there and back, old and broken ones too."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest

from evenhand.errors import FilterError, UnknownParameter
from evenhand.screening.search_url import (
    ParsedSearch,
    choosing,
    condition_text,
    describe,
    instead_of,
    query_pairs,
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
    assert again == search
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
    assert search.criteria.skills == (condition,)
    assert read(search.query) == search


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownParameter) as refused:
        read("degre=master&gender=f&q=kafka")
    names = "q, source, degree, total_years, relevant_years, city, status, skill, months, ranker, strict, size, page"
    assert str(refused.value) == (
        "Unknown parameter 'degre', 'gender' (did you mean degree?); "
        f"accepted here: {names}, add_skill, add_least, add_most."
    )


LEVELS = "other, highschool, diploma, associate, bachelor, master, doctorate, not stated"


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("degree=mastr", f"The facet degree has no value 'mastr' (did you mean master?); there are {LEVELS}."),
        ("degree=q", f"The facet degree has no value 'q'; there are {LEVELS}."),
        ("degree=", "The parameter degree has no value."),
        ("strict=yes", "There is no strict 'yes'; there are 0, 1."),
        ("q=a&q=b", "The parameter q is given 2 times; it takes one value."),
        ("page=-1", "There is no page '-1'; pages are numbered from 1."),
        ("page=0", "There is no page '0'; pages are numbered from 1."),
        ("page=9" + "9" * 30, "There is no page '9" + "9" * 30 + "'; pages are numbered from 1."),
        ("page=201&size=100", "Ranks beyond 20,000 are not shown; narrow the search instead."),
        ("size=7", "There is no size '7'; there are 10, 20, 50, 100."),
        ("ranker=semantic", "There is no ranker 'semantic'; there are bm25, tfidf, kl, tfidf+skills, best."),
        ("months=java%3E36", "A skill is asked for like java, java>=36, java<=60 or java=24-60, not 'java>36'."),
        ("months=java%3E%3Dabc", "A skill is asked for like java, java>=36, java<=60 or java=24-60, not 'java>=abc'."),
        ("months=java%3D60-24", "In 'java=60-24' the range ends before it begins."),
        ("add_least=36", "Months alone say nothing: name the skill too."),
        ("add_skill=java&add_least=x", "Months are a whole number such as 36, not 'x'."),
        ("add_skill=java&add_least=-3", "Months are a whole number such as 36, not '-3'."),
        ("q=" + "x" * 1001, "A search has at most 1,000 characters."),
        ("&".join(f"city=c{n}" for n in range(201)), "At most 200 values can be ticked at once."),
        ("&".join(f"months=s{n}" for n in range(21)), "At most 20 skills can be asked for at once."),
    ],
)
def test_what_cannot_be_understood_is_refused(query: str, sentence: str) -> None:
    with pytest.raises(FilterError) as refused:
        read(query)
    assert str(refused.value) == sentence


def test_as_much_as_there_may_be() -> None:
    assert read("page=200&size=100").page == 200
    assert len(read("&".join(f"city=c{n}" for n in range(200))).criteria.facets["city"]) == 200
    assert len(read("&".join(f"months=s{n}" for n in range(20))).criteria.skills) == 20


@pytest.mark.parametrize("query", ["master", "degree=master&java", "&", "q=a&" * 501 + "q=a"])
def test_a_query_that_is_none_is_refused(query: str) -> None:
    with pytest.raises(FilterError, match="A search is written like the address of its list"):
        query_pairs(query)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", "no filter"),
        ("q=kafka", "no filter (the words “kafka” only order the list)"),
        ("q=%2Bkafka", "Search: +kafka"),
        ("degree=master&degree=doctorate", "Highest degree: Master's degree or Doctorate"),
        ("city=Rome&months=java%3E%3D36", "City: Rome; Skill: java at least 3 years"),
    ],
)
def test_criteria_in_words(query: str, words: str) -> None:
    assert describe(read(query).criteria) == words


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
