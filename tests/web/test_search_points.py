"""A search adds points to who mentions its words: the page says how many, so that nobody reads them as the job's."""

from __future__ import annotations

import re

from tests.web.house import House

pytest_plugins = ["tests.web.house_fixtures"]

SCORE = re.compile(r'<p class="(?:score|points)"[^>]*><b>([\d.]+)</b>\s*<span class="soft">([^<]*)</span>')


def test_points_of_a_search_are_named_apart(house: House) -> None:
    ada, id = house.browser("ada"), house.ids["Asha"]
    for page in (f"/jobs/{house.job}", f"/applications/{id}"):
        assert {words for _, words in SCORE.findall(ada.get(page).text)} == {" of 100"}
    [(own, _)] = SCORE.findall(ada.get(f"/applications/{id}").text)
    [(value, words)] = SCORE.findall(ada.get(f"/applications/{id}?q=payroll").text)
    added = re.fullmatch(r" including ([\d.]+) for search terms", words)
    assert added
    assert 0 < float(added[1]) <= 5
    assert abs(float(value) - float(added[1]) - float(own)) < 0.11  # each is rounded by itself
    listed = SCORE.findall(ada.get(f"/jobs/{house.job}?q=payroll").text)
    assert len(listed) == 5
    assert (value, words) in listed
    assert {words for _, words in listed} <= {words, " of 100"}  # who mentions none of it has the job's points alone
