"""What the page's pieces say: pages near the open one, honest words about long lists, what is masked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenhand.errors import QueryError
from evenhand.screening.candidate_list import ListPage
from evenhand.screening.search_url import ParsedSearch, condition_label, value_label
from evenhand.search.criteria import Criteria, SkillCondition
from evenhand.search.facets import Facet, Facets, FacetValue
from evenhand.search.query_language import parse
from evenhand.search.screener import SearchResults
from evenhand.search.visibility import blind
from evenhand.web.views.cards import masked_words
from evenhand.web.views.facets import facet_views
from evenhand.web.views.screening import Blind, Mistake, ScreeningContext, ScreeningView, paging, screening_view
from tests.screening.applicants import JAVA_JOB

ADDRESS = "/jobs/j1"
CRITERIA = Criteria(job="j1")


def facet(name: str, *values: FacetValue, others: int = 0) -> Facet:
    return Facet(name, values, others, sum(value.count for value in values) + others)


def view(screen: SearchResults, search: ParsedSearch | None = None, **statuses: int) -> ScreeningView:
    around = ScreeningContext(statuses=statuses, saved=(), reasons=(), blind=Blind(False, False, False))
    return screening_view(ListPage(screen, (), 7), search or ParsedSearch(screen.criteria), around, ADDRESS)


EMPTY = SearchResults(JAVA_JOB, CRITERIA, 0, 0, (), Facets(0, (facet("skill"),)))


@pytest.mark.parametrize(
    ("page", "total", "labels"),
    [
        (1, 15, []),
        (1, 45, ["[1]", "2", "3"]),
        (1, 400, ["[1]", "2", "3", "…", "20"]),
        (9, 400, ["1", "…", "7", "8", "[9]", "10", "11", "…", "20"]),
        (20, 400, ["1", "…", "18", "19", "[20]"]),
        (4, 100_000, ["1", "2", "3", "[4]", "5", "6", "…", "1,000"]),  # ranks end at 20,000
    ],
)
def test_pages_near_the_open_one(page: int, total: int, labels: list[str]) -> None:
    made = paging(ParsedSearch(CRITERIA, page=page), total, 20, ADDRESS)
    assert [f"[{link.label}]" if link.current else link.label for link in made.links] == labels
    assert made.before == (None if page == 1 else f"{ADDRESS}?page={page - 1}" if page > 2 else ADDRESS)
    assert (made.after is None) == (page * 20 >= total)


def test_a_list_that_is_not_ordered_whole_says_so() -> None:
    assert view(replace(EMPTY, total=2_000, ordered=2_000), new=2_000).unordered == ""
    long = view(replace(EMPTY, total=12_345, ordered=2_000), new=20_000)
    assert long.unordered.startswith("12,345 candidates fit. The 2,000 that the index proposes as the best")
    assert long.headline == "12,345 of 20,000 candidates"


def test_a_facet_shows_few_values_and_keeps_the_ticked_ones_in_sight() -> None:
    values = [FacetValue(f"City {number:02}", 40 - number, number == 11) for number in range(20)]
    screen = replace(EMPTY, facets=Facets(9, (facet("city", *values, others=12), facet("skill"))))
    [city, _] = sorted(facet_views(screen), key=lambda each: each.name)
    assert [value.value for value in city.first] == [*(f"City {number:02}" for number in range(7)), "City 11"]
    assert (len(city.more), city.others, city.chosen, city.open) == (12, 12, 1, True)
    assert [each.open for each in facet_views(replace(EMPTY, facets=Facets(0, (facet("status"),))))] == [False]


def test_masked_facets_are_told() -> None:
    assert view(replace(EMPTY, facets=Facets(0, (facet("city"), facet("skill"))))).hidden_facets == ""
    assert view(EMPTY).hidden_facets == "Cities are masked, so they cannot be ticked."


def test_what_a_lens_hides_in_words() -> None:
    assert masked_words(()) == ""
    assert masked_words({"contact"}) == "Masked here: contact data."
    assert masked_words(blind(schools=True).kinds) == (
        "Masked here: names, contact data, photos, places, age, gender and schools."
    )


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (SkillCondition("java"), ""),
        (SkillCondition("java", 36), "at least 3 years"),
        (SkillCondition("java", 0), "dated"),
        (SkillCondition("java", None, 6), "at most 6 months"),
        (SkillCondition("java", 24, 60), "2 years to 5 years"),
    ],
)
def test_months_in_words(condition: SkillCondition, words: str) -> None:
    assert condition_label(condition) == words


def test_values_in_words() -> None:
    assert value_label("degree", "master") == "Master's degree"
    assert value_label("degree", "not stated") == "Not stated"
    assert value_label("relevant_years", "10+") == "10 years or more"
    assert value_label("status", "shortlisted") == "Shortlisted for Interview"
    assert value_label("skill", "not stated") == "None found"
    assert value_label("city", "São Paulo") == "São Paulo"


def test_the_place_of_a_mistake() -> None:
    typed = "kafka titel:engineer"
    with pytest.raises(QueryError) as raised:
        parse(typed)
    mistake = Mistake.of(typed, raised.value)
    assert (mistake.before, mistake.wrong, mistake.after) == ("kafka ", "titel:", "engineer")


def test_addresses_of_the_counters_and_of_many_at_once() -> None:
    search = ParsedSearch(replace(CRITERIA, facets={"city": ("Berlin",), "status": ("new",)}), page=3)
    made = view(replace(EMPTY, total=9, ordered=9), search, new=5, shortlisted=1)
    assert {each.status: each.address for each in made.counters}["new"] == f"{ADDRESS}?city=Berlin"
    assert {each.status: each.address for each in made.counters}["rejected"] == f"{ADDRESS}?city=Berlin&status=rejected"
    # With a shortlist the rest is everyone who is not on it.
    assert made.many_reject == "action=reject&keep=0&seen=7&city=Berlin&status=new"
    assert made.many_shortlist == "action=shortlist&keep=9&seen=7&city=Berlin&status=new"
    assert made.candidate_query == "?city=Berlin&status=new&page=3"  # and back to the same page
