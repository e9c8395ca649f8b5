"""Help: a page for each role, and what it says about the search language and the keys is so."""

from __future__ import annotations

import html
import re

import pytest

from evenhand.search.query_language import parse
from evenhand.search.rankers.best import NAMES, Weights
from tests.web.house import House

pytest_plugins = ["tests.web.house_fixtures"]

PAGES = ("recruiter", "auditor", "admin", "applicants")


@pytest.mark.parametrize(("who", "role"), [("bo", "recruiter"), ("di", "auditor"), ("ada", "admin")])
def test_help_begins_with_ones_own_role(house: House, who: str, role: str) -> None:
    assert house.browser(who).get("/help").headers["location"] == f"/help/{role}"


def test_everyone_reads_every_page(house: House) -> None:
    bo = house.browser("bo")
    for name in PAGES:
        assert bo.get(f"/help/{name}").status_code == 200
    assert bo.get("/help/wizard").status_code == 404
    assert house.visitor().get("/help/recruiter").status_code == 303


def test_every_example_of_the_search_language_is_understood(house: House) -> None:
    page = house.browser("bo").get("/help/recruiter").text
    table = page.split('id="search"')[1].split("</table>")[0]
    examples = [html.unescape(found) for found in re.findall(r"<td><code>(.+?)</code></td>", table)]
    assert len(examples) == 9
    for example in examples:
        parse(example)


def test_links_lead_somewhere(house: House) -> None:
    ada = house.browser("ada")
    found = {link for name in PAGES for link in re.findall(r'href="(/[^"#]*)', ada.get(f"/help/{name}").text)}
    for link in sorted(found):
        assert ada.get(html.unescape(link), follow_redirects=True).status_code == 200, link


def test_points_of_the_score_are_those_of_the_ranker(house: House) -> None:
    page = house.browser("bo").get("/help/recruiter").text
    rows = re.findall(r'<th scope="row">([\w -]+)</th><td class="number">(\d+)</td>', page)
    assert {name: int(points) for name, points in rows} == {
        NAMES[name]: weight for name, weight in Weights().to_json().items() if weight
    }
