"""The screening page: wishes only rank, conditions filter, counts follow, snippets show why."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evenhand.errors import QueryError, UsageError
from evenhand.search.criteria import FACETS, Criteria, SkillCondition
from evenhand.search.rankers.registry import RANKERS
from evenhand.search.screener import Screener, SearchResults
from evenhand.search.service import Service
from tests.screening.applicants import FIVE, Taken, take_in


@pytest.fixture
def taken(service: Service) -> Taken:
    return take_in(service, *FIVE)


@pytest.fixture
def screener(service: Service, taken: Taken) -> Iterator[Screener]:
    with service.screener(taken.job, ranker="tfidf+skills") as opened:
        yield opened


def names(screen: SearchResults, taken: Taken) -> list[str]:
    return taken.named(each.entry.application for each in screen.listed)


def counts(screen: SearchResults, facet: str) -> dict[str, int]:
    [found] = [each for each in screen.facets.facets if each.name == facet]
    return {each.value: each.count for each in found.values}


@pytest.mark.parametrize("ranker", [ranker for ranker in RANKERS if ranker != "semantic"])
def test_a_term_changes_the_order_and_never_the_number(service: Service, taken: Taken, ranker: str) -> None:
    """David alone writes of trading: he does not move down, and the others keep their order among themselves."""
    with service.screener(taken.job, ranker=ranker) as screener:
        before = names(screener.screen(Criteria(job=taken.job)), taken)
        after = screener.screen(Criteria(job=taken.job, text="trading"))
    assert (after.total, after.ordered, sorted(before)) == (5, 5, sorted(taken.ids))
    assert names(after, taken).index("David") <= before.index("David")
    assert [name for name in names(after, taken) if name != "David"] == [name for name in before if name != "David"]


def test_parts_of_a_score_sum_to_it(screener: Screener, taken: Taken) -> None:
    for listed in screener.screen(Criteria(job=taken.job, text="trading")).listed:
        score = listed.result.score
        assert sum(part.value for part in score.parts) == pytest.approx(score.value, abs=1e-9)


def test_a_degree_leaves_only_those_who_have_it(screener: Screener, taken: Taken) -> None:
    screen = screener.screen(Criteria(job=taken.job, facets={"degree": ("master",)}))
    assert sorted(names(screen, taken)) == ["Asha", "Clara"]
    assert {each.entry.degree for each in screen.listed} == {"master"}


def test_six_facets_and_their_counts(screener: Screener, taken: Taken) -> None:
    screen = screener.screen(Criteria(job=taken.job))
    assert [facet.name for facet in screen.facets.facets] == list(FACETS)
    assert counts(screen, "source") == {"web": 5}
    assert counts(screen, "degree") == {"bachelor": 3, "master": 2}
    years = {"0-1": 1, "1-3": 1, "3-5": 1, "5-10": 2, "10+": 0, "not stated": 0}
    assert counts(screen, "total_years") == years
    assert counts(screen, "relevant_years") == years
    assert counts(screen, "city") == {"Berlin": 2, "Chennai": 1, "Milan": 1, "Prague": 1}
    assert counts(screen, "status") == {"new": 5}
    assert counts(screen, "skill") == {"java": 3, "python": 2}
    single = [facet for facet in FACETS if facet != "skill"]
    assert [sum(counts(screen, facet).values()) for facet in single] == [5] * 6


def test_counts_follow_every_filter(screener: Screener, taken: Taken) -> None:
    criteria = Criteria(job=taken.job, facets={"city": ("Berlin",)}, strict_counts=True)
    screen = screener.screen(criteria)
    assert (screen.total, counts(screen, "degree")) == (2, {"bachelor": 1, "master": 1})
    assert [sum(counts(screen, facet).values()) for facet in FACETS if facet != "skill"] == [2] * 6
    # Not strict, the facet's own choice does not limit its counts: another city can be ticked as well.
    screen = screener.screen(Criteria(job=taken.job, facets={"city": ("Berlin",)}))
    assert counts(screen, "city") == {"Berlin": 2, "Chennai": 1, "Milan": 1, "Prague": 1}
    assert counts(screen, "degree") == {"bachelor": 1, "master": 1}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (SkillCondition("java", at_least=36), ["Asha", "David"]),
        (SkillCondition("java", at_least=24, at_most=60), ["Asha", "Boris"]),
        (SkillCondition("java", at_least=40, at_most=40), ["Asha"]),
        (SkillCondition("java"), ["Asha", "Boris", "David"]),
        (SkillCondition("python", at_most=6), ["Elena"]),
    ],
)
def test_months_of_a_skill(screener: Screener, taken: Taken, condition: SkillCondition, expected: list[str]) -> None:
    screen = screener.screen(Criteria(job=taken.job, skills=(condition,)))
    assert sorted(names(screen, taken)) == expected
    assert screen.total == len(expected)


def test_conditions_in_the_search_text(screener: Screener, taken: Taken) -> None:
    screen = screener.screen(Criteria(job=taken.job, text="java>=36 city:Berlin"))
    assert names(screen, taken) == ["David"]
    with pytest.raises(QueryError):
        screener.screen(Criteria(job=taken.job, text="(java"))
    with pytest.raises(UsageError):
        screener.screen(Criteria(job=taken.job, facets={"gender": ("f",)}))


def test_each_snippet_shows_a_term_of_the_job_or_the_search(screener: Screener, taken: Taken) -> None:
    screen = screener.screen(Criteria(job=taken.job, text="trading"))
    for listed in screen.listed:
        assert listed.result.snippets
        for snippet in listed.result.snippets:
            marked = [snippet.text[start:end].lower() for start, end in snippet.highlights]
            assert marked
            wanted = {"java", "python", "developer", "developed", "finance", "department", "trading"}
            assert set(marked) <= wanted, marked
    [david] = [each for each in screen.listed if each.entry.application == taken.ids["David"]]
    assert any(
        snippet.text[start:end] == "trading" for snippet in david.result.snippets for start, end in snippet.highlights
    )
    assert [(match.skill, match.months) for match in david.result.matched] == [("java", 84)]
    shown = (david.entry.card.title, david.entry.card.employer, david.entry.city)
    assert shown == ("Software Developer", "Initech Ltd", "Berlin")


def test_pages_follow_one_another(screener: Screener, taken: Taken) -> None:
    whole = screener.screen(Criteria(job=taken.job))
    pages = [screener.screen(Criteria(job=taken.job), first=first, size=2) for first in (0, 2, 4)]
    assert [each for page in pages for each in page.listed] == list(whole.listed)
    assert [listed.result.rank for listed in pages[1].listed] == [3, 4]
    assert screener.ids(Criteria(job=taken.job)) == [each.entry.application for each in whole.listed]


def test_beyond_the_depth_everyone_is_still_counted_and_decided_on(
    service: Service, taken: Taken, screener: Screener
) -> None:
    shallow = Screener(screener.snapshot, screener.job, screener.ranker, depth=2)
    screen = shallow.screen(Criteria(job=taken.job), size=2)
    assert (screen.total, screen.ordered, len(screen.listed)) == (5, 2, 2)
    ids = shallow.ids(Criteria(job=taken.job))
    assert (len(ids), set(ids)) == (5, set(taken.ids.values()))


def test_another_job_sees_nobody_of_this_one(service: Service, taken: Taken) -> None:
    other = take_in(service, FIVE[1])
    with service.screener(other.job, ranker="bm25") as screener:
        screen = screener.screen(Criteria(job=other.job))
    assert (screen.total, names(screen, other)) == (1, ["Boris"])
