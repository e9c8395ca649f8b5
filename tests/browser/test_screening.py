"""The screening page in a browser: refining with right numbers, keys, many at once with a way back, saved searches."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.counting import counted, having, on_page, people_of
from tests.browser.served import Served
from tests.browser.visiting import Visits

FACETS = ("degree", "total_years", "skill", "city", "source", "status")


def desk(visits: Visits, job: str, query: str = "") -> Page:
    return visits.page("robin", f"/jobs/{job}{query}")


def headline(page: Page) -> str:
    return page.locator("#list h2").first.inner_text()


def same_counts(page: Page, facet: str, right: dict[str, int]) -> None:
    """A page names the values that are most common; each has the number it should have."""
    shown = on_page(page, facet)
    assert shown == {value: right.get(value, 0) for value in shown}
    assert len(shown) >= min(len(right), 7)
    least = min(shown.values())
    assert all(number <= least for value, number in right.items() if value not in shown)


def test_numbers_are_those_of_the_profiles(visits: Visits, served: Served) -> None:
    people = people_of(served, served.marketing)
    page = desk(visits, served.marketing)
    expect(page.locator("article.card")).to_have_count(20)
    assert headline(page) == "22 candidates" and len(people) == 22
    for facet in FACETS:
        same_counts(page, facet, counted(people, facet))
    for status, number in served.statuses(served.marketing).items():
        expect(page.locator(f"[data-count-of={status}] b")).to_have_text(str(number))


def test_ticks_narrow_the_list_and_come_off_again(visits: Visits, served: Served) -> None:
    people = people_of(served, served.marketing)
    page = desk(visits, served.marketing)
    page.locator("#facets input[name=degree][value=bachelor]").check()
    bachelors = having(people, lambda person: person.degree == "bachelor")
    expect(page.locator("#list h2").first).to_have_text(f"{len(bachelors)} of 22 candidates")
    same_counts(page, "degree", counted(people, "degree"))  # its own choice does not limit its counts
    same_counts(page, "skill", counted(bachelors, "skill"))

    page.locator("#facets input[name=skill][value=seo]").check()
    both = having(bachelors, lambda person: "seo" in person.months)
    expect(page.locator("#list h2").first).to_have_text(f"{len(both)} of 22 candidates")
    same_counts(page, "degree", counted(having(people, lambda person: "seo" in person.months), "degree"))
    same_counts(page, "source", counted(both, "source"))
    names = {card.get_attribute("data-application") for card in page.locator("article.card").all()}
    assert names == {person.application for person in both}

    chips = page.locator("ul.chips.active")
    expect(chips.locator("li.chip")).to_have_text(["Highest degree: Bachelor's degree×", "Skills: seo×"])
    assert "degree=bachelor&skill=seo" in page.url
    page.go_back()
    expect(page.locator("#list h2").first).to_have_text(f"{len(bachelors)} of 22 candidates")
    expect(page.locator("#facets input[name=skill][value=seo]")).not_to_be_checked()
    page.go_back()
    expect(page.locator("#list h2").first).to_have_text("22 candidates")
    page.go_forward()
    expect(page.locator("#list h2").first).to_have_text(f"{len(bachelors)} of 22 candidates")
    chips.get_by_label("Remove Highest degree: Bachelor's degree").click()
    expect(page.locator("#list h2").first).to_have_text("22 candidates")
    expect(chips).to_have_count(0)
