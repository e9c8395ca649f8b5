"""What a facet would do to groups: worked out by hand, for auditors' pages and nobody else's."""

from __future__ import annotations

import pytest

from evenhand.audit import facet_impact
from evenhand.audit.facet_impact import FacetImpact, Impacts, _impact, _rounded, facet_impacts
from evenhand.records.groups import SelfIdentification
from evenhand.search.criteria import Criteria
from evenhand.search.facets import Facets
from evenhand.store.self_identifications import SelfIdentificationStore
from tests.web.house import House

pytest_plugins = ["tests.web.house_fixtures"]

SAID: dict[str, dict[str, str | None]] = {
    "Asha": {"sex": "female", "race": "Asian"},
    "Boris": {"sex": "male", "race": None},
    "Clara": {"sex": "female", "race": None},
    "David": {"sex": "male", "race": "White"},
    "Elena": {"sex": None, "race": "White"},
}
"""Berlin: Clara and David. Java: Asha, Boris and David. A master's degree: Asha and Clara."""


@pytest.fixture
def answered(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """Two people are enough here, or a hundred resumes would have to be read."""
    monkeypatch.setattr(facet_impact, "MINIMUM", 2)
    monkeypatch.setattr(facet_impact, "MIN_COUNT", 1)
    given = [SelfIdentification(house.ids[name], groups) for name, groups in SAID.items()]
    SelfIdentificationStore(house.store.context).save(given, actor="test")
    return house


def impacts_of(house: House, **facets: tuple[str, ...]) -> Impacts:
    criteria = Criteria(job=house.job, facets=facets)
    with house.context.service.screener(house.job, ranker=criteria.ranker) as screener:
        counted = screener.screen(criteria).facets
    return facet_impacts(house.context.service, criteria, counted)


def test_ratios_by_hand(answered: House) -> None:
    found = impacts_of(answered)
    # Of two women and two men: one each in Berlin; one woman and two men know Java; both women have a master's.
    assert found["city", "Berlin"].ratio == 1.0
    assert found["skill", "java"].ratio == 0.5
    assert found["degree", "master"].ratio == 0.0
    assert found["city", "Chennai"].ratio is None  # one is left, which says nothing and would tell who
    assert found["skill", "java"].words == (
        "Who would be left of all who applied. sex: about 50% of female and about 100% of male, impact ratio about "
        "0.50; race: too few to tell."
    )


def test_counts_are_those_beside_the_value(answered: House) -> None:
    """With Java ticked: of the three left, Asha has a master's; Boris and David, both men, a bachelor's."""
    found = impacts_of(answered, skill=("java",))
    assert found["degree", "bachelor"].ratio == 0.0
    assert "about 0% of female" in found["degree", "bachelor"].words
    assert found["skill", "python"].ratio is None  # Clara and Elena, of whom one said nothing
    assert found["skill", "java"].ratio == 0.5  # a facet's own choice does not limit its counts


def test_rare_values_are_counted_one_by_one(answered: House, monkeypatch: pytest.MonkeyPatch) -> None:
    from evenhand.search import facets

    everything = impacts_of(answered)
    SelfIdentificationStore(answered.store.context).save(
        [SelfIdentification(answered.ids["Elena"], {"age": "old"})], actor="test"
    )  # another state: nothing is remembered
    with answered.context.service.screener(answered.job, ranker="best") as screener:
        counted = screener.screen(Criteria(job=answered.job)).facets
    monkeypatch.setattr(facets, "MAX_VALUES", 1)
    found = facet_impacts(answered.context.service, Criteria(job=answered.job), counted)
    cut = [key for key in found if key[0] in ("city", "degree", "skill")]
    assert len(cut) == 8
    assert [found[key] for key in cut] == [everything[key] for key in cut]


def test_nobody_can_be_singled_out(answered: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by a cell of few people, left or left out, nor by words that only one of them has."""
    assert facet_impacts(answered.context.service, Criteria(job=answered.job, text="-trading"), _facets(answered)) == {}
    monkeypatch.setattr(facet_impact, "MIN_COUNT", 5)
    found = impacts_of(answered)
    assert found["city", "Berlin"].ratio is None  # one woman and one man
    assert "too few" in found["skill", "java"].words


def _facets(house: House) -> Facets:
    with house.context.service.screener(house.job, ranker="best") as screener:
        return screener.screen(Criteria(job=house.job)).facets


def test_figures_are_rounded_so_that_one_person_more_seldom_shows() -> None:
    assert [_rounded(each) for each in (20 / 35, 19 / 35, 0.77, 0.0)] == [0.55, 0.55, 0.75, 0.0]


def test_groups_that_are_too_small_say_nothing(answered: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facet_impact, "MINIMUM", 3)
    assert {each.ratio for each in impacts_of(answered).values()} == {None}


def test_nothing_where_nobody_was_asked(house: House) -> None:
    assert impacts_of(house) == {}


def test_new_answers_count_at_once(answered: House) -> None:
    assert impacts_of(answered)["skill", "java"].ratio == 0.5
    SelfIdentificationStore(answered.store.context).save(
        [SelfIdentification(answered.ids["Boris"], {"sex": "female"})], actor="test"
    )
    assert impacts_of(answered)["skill", "java"].ratio is None  # there is one man now


def test_words() -> None:
    assert FacetImpact(0.738, "").label == "impact .74"
    assert FacetImpact(1.0, "").label == "impact 1.00"
    assert FacetImpact(None, "").label == "impact: too few"
    assert [FacetImpact(ratio, "", True).is_low for ratio in (0.75, 0.85, None)] == [True, False, False]
    assert not FacetImpact(0.5, "", False).is_low


def test_what_is_sure_is_not_hidden_by_what_may_be_chance() -> None:
    sex, race = FacetImpact(0.70, "sex", is_sure=False), FacetImpact(0.75, "race", is_sure=True)
    assert [_impact(told).label for told in ([sex, race], [race, sex])] == ["impact .75"] * 2
    assert _impact([sex, race]).is_low
    above = FacetImpact(0.85, "race", is_sure=True)
    assert (_impact([sex, above]).ratio, _impact([sex, above]).is_low) == (0.70, False)
    lower = FacetImpact(0.60, "sex", is_sure=True)
    assert _impact([race, lower, FacetImpact(None, "age")]).ratio == 0.60


def test_what_may_be_chance_has_no_mark(answered: House) -> None:
    found = impacts_of(answered)
    assert (found["skill", "java"].ratio, found["skill", "java"].is_low) == (0.5, False)


@pytest.mark.parametrize(("who", "sees"), [("di", True), ("bo", False), ("ada", False)])
def test_only_auditors_see_it(answered: House, who: str, sees: bool) -> None:
    client = answered.browser(who)
    for address in (f"/jobs/{answered.job}", f"/jobs/{answered.job}?skill=java"):
        for headers in ({}, {"x-evenhand-fragment": "list"}):
            answer = client.get(address, headers=headers)
            assert answer.status_code == 200
            assert ("impact" in answer.text) is sees
            assert ("impact .50" in answer.text) is sees
    told = client.get(f"/api/v1/jobs/{answered.job}/screen")
    assert told.status_code == 200
    assert "impact" not in told.text
    assert "female" not in told.text
