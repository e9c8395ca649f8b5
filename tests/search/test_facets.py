"""Facet counts against counting by hand and by brute force."""

from __future__ import annotations

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.search.criteria import FACETS, NOT_STATED, Criteria, SkillCondition
from evenhand.search.facets import MAX_VALUES, Facet, FacetValue, count_facets
from evenhand.search.index.reader import IndexReader, Snapshot
from evenhand.search.index.schema import IndexEntry
from evenhand.search.index.writer import IndexWriter
from evenhand.search.query_language import parse
from tests.search.index.entries import entry, indexed, names

SKILLS = tuple(f"skill {at:02}" for at in range(70))
CHOICES: dict[str, tuple[str, ...]] = {
    "source": ("agency", "referral", "portal", NOT_STATED),
    "degree": ("bachelor", "master", "doctorate", NOT_STATED),
    "total_years": ("0-1", "1-3", "3-5", "5-10", "10+", NOT_STATED),
    "relevant_years": ("0-1", "10+", NOT_STATED),
    "city": ("Rome", "Paris", "Nowhere", NOT_STATED),
    "status": ("New", "Rejected"),
    "skill": (*SKILLS[:4], SKILLS[69], NOT_STATED),
}
BANDS = {"0-1": range(12), "1-3": range(12, 36), "3-5": range(36, 60), "5-10": range(60, 120)}


def make_entries(number: int) -> list[IndexEntry]:
    draw = random.Random(11)

    def months() -> int | None:
        return draw.choice([None, 0, 11, 12, 35, 36, 59, 60, 119, 120, 300])

    return [
        entry(
            f"{at:03}",
            draw.choice(["java perl", "perl", "lisp"]),
            job=draw.choice(["one", "two"]),
            source=draw.choice(["agency", "referral", "portal", None]),
            degree=draw.choice(["bachelor", "master", "doctorate", None]),
            city=draw.choice(["Rome", "Paris", "", None]),
            status=draw.choice(["New", "Rejected"]),
            total_months=months(),
            relevant_months=months(),
            skills=tuple(
                (name, months()) for name in draw.sample(SKILLS[: at % 70 + 1], min(at % 70 + 1, draw.randint(0, 6)))
            ),
        )
        for at in range(number)
    ]


ENTRIES = make_entries(150)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """Several segments with deleted documents, as an index in use has them."""
    folder = tmp_path_factory.mktemp("index")
    with IndexWriter(folder, memory_bytes=15_000_000) as writer:
        writer.apply(ENTRIES[:80], (), 1)
        writer.apply([*ENTRIES[60:], entry("gone", "java", city="Atlantis")], (), 2)
        writer.apply((), ["gone"], 3)
    return IndexReader(folder).snapshot()


def stated(months: int | None) -> str:
    if months is None:
        return NOT_STATED
    return next((band for band, within in BANDS.items() if months in within), "10+")


def values(each: IndexEntry, facet: str) -> set[str]:
    if facet == "skill":
        return {name for name, _ in each.skills} or {NOT_STATED}
    if facet == "total_years":
        return {stated(each.total_months)}
    if facet == "relevant_years":
        return {stated(each.relevant_months)}
    return {getattr(each, facet) or NOT_STATED}


def fulfils(each: IndexEntry, criteria: Criteria, *, without: str | SkillCondition | None = None) -> bool:
    if criteria.job not in (None, each.job) or ("+java" in criteria.text and "java" not in each.text):
        return False
    for condition in criteria.skills:
        months = dict(each.skills).get(condition.name, -1)
        if condition == without:
            continue
        if months == -1 or (months is None and (condition.at_least, condition.at_most) != (None, None)):
            return False
        if months is not None and not (condition.at_least or 0) <= months <= (condition.at_most or 9999):
            return False
    return all(
        not chosen or facet == without or values(each, facet) & set(chosen) for facet, chosen in criteria.facets.items()
    )


CRITERIA = st.builds(
    Criteria,
    job=st.sampled_from([None, "one", "two"]),
    text=st.sampled_from(["", "java", "+java"]),
    facets=st.dictionaries(st.sampled_from(FACETS), st.integers(0, 6), max_size=3).flatmap(
        lambda sizes: st.fixed_dictionaries(
            {
                facet: st.lists(st.sampled_from(CHOICES[facet]), max_size=size, unique=True).map(tuple)
                for facet, size in sizes.items()
            }
        )
    ),
    skills=st.lists(
        st.builds(
            SkillCondition,
            st.sampled_from(SKILLS[:2]),
            st.sampled_from([None, 12, 36]),
            st.sampled_from([None, 59, 60]),
        ),
        max_size=1,
    ).map(tuple),
    strict_counts=st.booleans(),
)


@given(CRITERIA)
@settings(max_examples=100, deadline=None)
def test_every_count_equals_brute_force(snapshot: Snapshot, criteria: Criteria) -> None:
    filter = snapshot.filter(criteria, parse(criteria.text))
    found = count_facets(snapshot, criteria, filter)
    kept = [each.application for each in ENTRIES if fulfils(each, criteria)]
    assert sorted(names(snapshot, snapshot.everyone(filter.query()))) == kept
    assert found.total == len(kept)
    assert tuple(facet.name for facet in found.facets) == FACETS
    for facet in found.facets:
        without = None if criteria.strict_counts else facet.name
        pool = [each for each in ENTRIES if fulfils(each, criteria, without=without)]
        expect(facet, pool, criteria.facets.get(facet.name, ()))


def expect(facet: Facet, pool: list[IndexEntry], chosen: tuple[str, ...]) -> None:
    counts = Counter(value for each in pool for value in values(each, facet.name))
    if facet.name.endswith("_years"):
        shown = [*BANDS, "10+", NOT_STATED]
    else:
        shown = sorted(counts, key=lambda value: (-counts[value], value))[:MAX_VALUES]
        shown += [value for value in sorted(chosen) if value not in shown]
    assert facet.values == tuple(FacetValue(value, counts[value], value in chosen) for value in shown)
    assert facet.others == counts.total() - sum(counts[value] for value in shown)
    assert facet.total == len(pool)
    if facet.name != "skill":
        assert sum(value.count for value in facet.values) + facet.others == facet.total


@given(CRITERIA.filter(lambda criteria: criteria.skills))
@settings(max_examples=40, deadline=None)
def test_months_of_each_skill_equal_brute_force(snapshot: Snapshot, criteria: Criteria) -> None:
    found = count_facets(snapshot, criteria, snapshot.filter(criteria, parse(criteria.text)))
    assert [months.skill for months in found.skill_months] == [each.name for each in criteria.skills]
    for condition, months in zip(criteria.skills, found.skill_months, strict=True):
        without = None if criteria.strict_counts else condition
        pool = [dict(each.skills) for each in ENTRIES if fulfils(each, criteria, without=without)]
        counts = Counter(stated(skills[condition.name]) for skills in pool if condition.name in skills)
        assert {band.value: band.count for band in months.bands if band.count} == dict(counts)
        assert [band.value for band in months.bands] == [*BANDS, "10+", NOT_STATED]


def test_threads_change_nothing(snapshot: Snapshot) -> None:
    criteria = Criteria(facets={"city": ("Rome",), "skill": (SKILLS[5], SKILLS[7])})
    filter = snapshot.filter(criteria, parse(""))
    with ThreadPoolExecutor(2) as executor:
        found = count_facets(snapshot, criteria, filter, executor=executor)
    assert found.total == sum(fulfils(each, criteria) for each in ENTRIES)
    for facet in found.facets:
        expect(
            facet,
            [each for each in ENTRIES if fulfils(each, criteria, without=facet.name)],
            criteria.facets.get(facet.name, ()),
        )


def test_wishes_and_order_of_choices_ask_for_no_new_count(snapshot: Snapshot) -> None:
    first = Criteria(text="lisp", facets={"city": ("Rome", "Paris")}, ranker="bm25")
    second = Criteria(text="perl", facets={"city": ("Paris", "Rome")})
    counted = count_facets(snapshot, first, snapshot.filter(first, parse(first.text)))
    assert count_facets(snapshot, second, snapshot.filter(second, parse(second.text))) is counted


def test_alternatives_stay_visible_unless_counts_are_strict(tmp_path: Path) -> None:
    people = indexed(tmp_path, *(entry(str(at), degree=level) for at, level in enumerate(["master"] * 2 + ["other"])))
    for strict, expected in ((False, [("master", 2, True), ("other", 1, False)]), (True, [("master", 2, True)])):
        criteria = Criteria(facets={"degree": ("master",)}, strict_counts=strict)
        degree = count_facets(people, criteria, people.filter(criteria, parse(""))).facets[1]
        assert [(value.value, value.count, value.chosen) for value in degree.values] == expected


def test_bands_a_condition_covers_are_ticked(tmp_path: Path) -> None:
    people = indexed(tmp_path, entry("a", skills=(("java", 40),)), entry("b", skills=(("java", None),)))
    for condition, ticked in (
        (SkillCondition("java", 36), ["3-5", "5-10", "10+"]),
        (SkillCondition("java", 24, 60), ["3-5"]),
        (SkillCondition("java"), ["0-1", "1-3", "3-5", "5-10", "10+", NOT_STATED]),
    ):
        criteria = Criteria(skills=(condition,))
        (months,) = count_facets(people, criteria, people.filter(criteria, parse(""))).skill_months
        assert [band.value for band in months.bands if band.chosen] == ticked
        assert [band.count for band in months.bands] == [0, 0, 1, 0, 0, 1]


def test_an_empty_index_counts_nothing(tmp_path: Path) -> None:
    people = indexed(tmp_path)
    found = count_facets(people, Criteria(), people.filter(Criteria(), parse("")))
    assert found.total == 0
    assert [(facet.others, facet.total) for facet in found.facets] == [(0, 0)] * 7


def test_equal_counts_at_the_cut_are_taken_alphabetically(tmp_path: Path) -> None:
    cities = [f"city {at:03}" for at in range(600)]
    random.Random(3).shuffle(cities)
    with IndexWriter(tmp_path, memory_bytes=15_000_000) as writer:
        for at in range(0, 600, 120):  # segments, each with other cities
            writer.apply([entry(city, city=city) for city in cities[at : at + 120]], (), at)
    people = IndexReader(tmp_path).snapshot()
    city = count_facets(people, Criteria(), people.filter(Criteria(), parse(""))).facets[FACETS.index("city")]
    assert people.searcher.num_segments == 5
    assert [value.value for value in city.values] == sorted(cities)[:MAX_VALUES]
    assert (city.others, city.total) == (550, 600)
