"""Finding, proposing and fetching; conditions are checked one by one against texts whose answer is plain."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tantivy import Query

from evenhand.errors import UsageError
from evenhand.search.criteria import NOT_STATED, Criteria, SkillCondition
from evenhand.search.index.reader import Snapshot
from evenhand.search.query_language import PhraseCondition, parse
from tests.search.index.entries import entry, indexed, names

PEOPLE = (
    entry(
        "ann",
        "Ann built search engines in Java and C++. Head of the sales team.",
        degree="master",
        city="San Francisco",
        source="agency",
        status="Shortlisted for Interview",
        total_months=0,
        skills=(("java", 40), ("c++", None)),
        titles=("Software Engineer", "Manager of Sales"),
        employers=("Acme Search Ltd",),
        universities=("University of Lodz",),
    ),
    entry(
        "bob",
        "Bob knows JavaScript and node.js, sales head.",
        degree="doctorate",
        city="Łódź",
        source="referral",
        status="New",
        total_months=61,
        relevant_months=12,
        skills=(("javascript", 30), ("java", 30)),
        titles=("Engineer Manager",),
        job="other",
    ),
    entry("cyd", "Search head of team. Programming programs, programmatic.", skills=(("Java  EE", 0),)),
)


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return indexed(tmp_path_factory.mktemp("index"), *PEOPLE)


def found(snapshot: Snapshot, text: str, **criteria: object) -> str:
    filter = snapshot.filter(Criteria(**criteria), parse(text))  # type: ignore[arg-type]
    return " ".join(sorted(names(snapshot, snapshot.everyone(filter.query()))))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "ann bob cyd"),
        ("wishes never filter", "ann bob cyd"),
        ("+java", "ann"),
        ("-java", "bob cyd"),
        ("+c++", "ann"),
        ("+node.js", "bob"),
        ("+search", "ann cyd"),
        ("java OR node.js", "ann bob"),
        ("search AND NOT java", "cyd"),
        ("-java -node.js", "cyd"),
        ('+"head of sales"', ""),  # "head of the sales": one word more
        ('+"head of the sales"', "ann"),
        ('+"sales head"', "bob"),
        ('+"search engine"', "ann"),
        ("+jav*", "ann bob"),
        ("+programming*", "cyd"),
        ("+zzz*", ""),
        ("+unheard", ""),
        ("title:engineer", "ann bob"),
        ('title:"engineer manager"', "bob"),  # not across Ann's two titles
        ("employer:acme", "ann"),
        ("school:lodz", "ann"),
        ("city:lodz", "bob"),
        ('city:"san francisco"', "ann"),
        ("status:shortlisted", "ann"),
        ("source:Referral", "bob"),
        ("degree:phd", "bob"),
        ("degree>=bachelor", "ann bob"),
        ("skill:java", "ann bob"),
        ("skill:JAVA", "ann bob"),
        ('skill:"java ee"', "cyd"),
        ("skill:c++", "ann"),
        ("java>=36", "ann"),
        ("java>=30", "ann bob"),
        ("java:24..35", "bob"),
        ("java<=40", "ann bob"),
        ("c++>=0", ""),  # nothing dated
        ('"java ee"<12', "cyd"),
        ("total>=0", "ann bob"),
        ("total<12", "ann"),
        ("total:61..61", "bob"),
        ("relevant>=12", "bob"),
    ],
)
def test_conditions(people: Snapshot, text: str, expected: str) -> None:
    assert found(people, text) == expected


def test_criteria(people: Snapshot) -> None:
    assert found(people, "", job="job") == "ann cyd"
    assert found(people, "", job="nobody's") == ""
    assert found(people, "", facets={"degree": ("master", "doctorate")}) == "ann bob"
    assert found(people, "", facets={"degree": ("master", "doctorate"), "city": ("Łódź",)}) == "bob"
    assert found(people, "", facets={"degree": (NOT_STATED,)}) == "cyd"
    assert found(people, "", facets={"total_years": ("0-1",)}) == "ann"
    assert found(people, "", facets={"total_years": (NOT_STATED, "5-10")}) == "bob cyd"
    assert found(people, "", facets={"city": ()}) == "ann bob cyd"
    assert found(people, "", skills=(SkillCondition("java", 36),)) == "ann"
    assert found(people, "", skills=(SkillCondition("java", 24, 36),)) == "bob"
    assert found(people, "", skills=(SkillCondition("java"), SkillCondition("javascript", 1))) == "bob"
    with pytest.raises(UsageError, match="There is no facet “colour”"):
        found(people, "", facets={"colour": ("red",)})


def test_proposals_are_ordered_by_boosted_terms_and_filled_up(people: Snapshot) -> None:
    everyone = Query.all_query()

    def proposed(
        *terms: tuple[str, float], depth: int = 9, wishes: tuple[tuple[PhraseCondition, float], ...] = ()
    ) -> str:
        return " ".join(names(people, people.propose(everyone, terms, depth=depth, wishes=wishes)))

    assert proposed(("java", 1.0), ("node.j", 9.0), depth=2) == "bob ann"
    assert proposed(("java", 9.0), ("node.j", 1.0), depth=2) == "ann bob"
    assert proposed(("java", 1.0), depth=1) == "ann"
    assert sorted(proposed(("java", 1.0)).split()) == ["ann", "bob", "cyd"]
    assert proposed(("java", 1.0)).startswith("ann")
    assert sorted(proposed().split()) == ["ann", "bob", "cyd"]
    (phrase,) = parse('"sales head"').wishes
    assert proposed(("java", 1.0), wishes=((phrase, 9.0),), depth=2) == "bob ann"


def test_proposals_keep_to_the_filter(people: Snapshot) -> None:
    only_job = people.filter(Criteria(job="job"), parse("")).query()
    assert sorted(names(people, people.propose(only_job, [("node.j", 1.0)]))) == ["ann", "cyd"]


def test_digests_come_in_the_order_asked(people: Snapshot) -> None:
    addresses = [address for who in ("cyd", "ann", "bob") if (address := people.find(who))]
    by_name = {each.application: each.digest for each in PEOPLE}
    assert people.digests(addresses) == [(who, by_name[who]) for who in ("cyd", "ann", "bob")]


def test_half_characters_do_not_stop_the_index(tmp_path: Path) -> None:
    given = replace(entry("a", "java perl"), text="java \ud800 perl", city="x\udfff")
    snapshot = indexed(tmp_path, given)
    assert found(snapshot, "+perl") == "a"
    address = snapshot.find("a")
    assert address is not None
    assert snapshot.entry(address).text == "java ? perl"
