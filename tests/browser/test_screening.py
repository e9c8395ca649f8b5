"""The screening page in a browser: refining with right numbers, keys, many at once with a way back, saved searches."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.counting import counted, having, on_page, people_of, ranked
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
    assert headline(page) == "22 candidates"
    assert len(people) == 22
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


def test_skill_with_months_and_typed_words(visits: Visits, served: Served) -> None:
    people = people_of(served, served.marketing)
    page = desk(visits, served.marketing)
    page.get_by_label("Skill", exact=True).fill("SEO")
    page.get_by_label("at least so many months").fill("24")
    page.get_by_role("button", name="Add", exact=True).click()
    long = having(people, lambda person: (person.months.get("seo") or 0) >= 24)
    assert 0 < len(long) < len(people)
    expect(page.locator("#list h2").first).to_have_text(f"{len(long)} of 22 candidates")
    expect(page.locator("ul.chips.active li.chip")).to_have_text(["Skill: seo at least 2 years×"])

    # Typed words only rank; with an operator they are conditions.
    page.locator("#q").press_sequentially("hubspot", delay=10)
    expect(page.locator("ul.chips.active li.chip")).to_have_count(2)
    assert headline(page) == f"{len(long)} of 22 candidates"
    page.locator("#q").fill("skill:hubspot")
    both = having(long, lambda person: "hubspot" in person.months)
    expect(page.locator("#list h2").first).to_have_text(f"{len(both)} of 22 candidates")
    same_counts(page, "degree", counted(both, "degree"))

    # All letters of a search are one step of the history.
    page.go_back()
    expect(page.locator("#list h2").first).to_have_text(f"{len(long)} of 22 candidates")
    expect(page.locator("#q")).to_have_value("")


def test_a_search_that_cannot_be_understood_says_where(visits: Visits, served: Served) -> None:
    page = desk(visits, served.marketing)
    page.locator("#q").fill('seo AND "campaign')
    expect(page.locator("#search-problem .problem")).to_be_visible()
    expect(page.locator("#search-problem mark.mistake")).to_have_text('"')
    assert headline(page) == "22 candidates"  # the list stays
    page.locator("#q").fill("seo")
    expect(page.locator("#search-problem .problem")).to_have_count(0)


def test_nobody_fits(visits: Visits, served: Served) -> None:
    page = desk(visits, served.marketing, "?q=%2Bzymurgy")
    expect(page.get_by_role("heading", name="No candidate matches all filters")).to_be_visible()
    assert headline(page) == "0 of 22 candidates"
    page.get_by_role("link", name="clear all", exact=True).click()
    expect(page.locator("article.card")).to_have_count(20)


def test_pages_of_the_list(visits: Visits, served: Served) -> None:
    page = desk(visits, served.marketing)
    expect(page.locator("nav.pages")).to_contain_text("1–20 of 22")
    page.get_by_role("link", name="Next ›").click()
    expect(page.locator("article.card")).to_have_count(2)
    expect(page.locator("nav.pages")).to_contain_text("21–22 of 22")
    page.get_by_label("Per page").select_option("50")
    expect(page.locator("article.card")).to_have_count(22)


def test_a_saved_search_comes_back(visits: Visits, served: Served) -> None:
    page = desk(visits, served.marketing, "?degree=bachelor&q=hubspot")
    before = headline(page)
    page.get_by_text("Saved searches", exact=True).click()
    page.get_by_label("Save this search as").fill("Hubspot <b>people</b>")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#say")).to_contain_text("saved")
    kept = served.store.searches.of_job(served.marketing, actor=served.staff["robin"])
    assert [(each.name, each.query) for each in kept] == [("Hubspot <b>people</b>", "q=hubspot&degree=bachelor")]

    page.goto(f"/jobs/{served.marketing}")
    page.get_by_text("Saved searches (1)").click()
    page.get_by_role("link", name="Hubspot <b>people</b>").click()
    expect(page.locator("#list h2").first).to_have_text(before)
    expect(page.locator("#q")).to_have_value("hubspot")
    page.get_by_text("Saved searches (1)").click()
    page.get_by_role("button", name="Remove the saved search").click()
    expect(page.get_by_text("Saved searches", exact=True)).to_be_visible()
    assert not list(served.store.searches.of_job(served.marketing, actor=served.staff["robin"]))


def current(page: Page) -> str | None:
    return page.locator("article.card.current").get_attribute("data-application")


def test_one_key_for_each_step(visits: Visits, served: Served) -> None:
    page = desk(visits, served.sales)
    ids = [card.get_attribute("data-application") for card in page.locator("article.card").all()]
    page.keyboard.press("j")
    assert current(page) == ids[0]
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert current(page) == ids[2]
    page.keyboard.press("k")
    assert current(page) == ids[1]
    expect(page.locator("article.card.current")).to_be_focused()

    page.keyboard.press("s")
    card = page.locator(f"#a-{ids[1]}")
    expect(card.locator("[data-badge]")).to_have_text("Shortlisted for Interview")
    expect(page.locator("[data-count-of=shortlisted] b")).to_have_text("1")
    expect(page.locator("[data-count-of=new] b")).to_have_text("20")
    assert current(page) == ids[2]  # on to the next
    assert served.statuses(served.sales) == {"new": 20, "shortlisted": 1, "offered": 1}

    page.keyboard.press("u")
    expect(card.locator("[data-badge]")).to_have_text("New")
    assert served.statuses(served.sales) == {"new": 21, "offered": 1}

    page.keyboard.press("x")
    expect(page.locator("#selection")).to_contain_text("1 selected")
    page.keyboard.press("x")
    expect(page.locator("#selection")).to_be_hidden()

    page.keyboard.press("?")
    expect(page.locator("dialog#keys")).to_be_visible()
    page.keyboard.press("s")  # a dialog is in front of the list
    page.keyboard.press("Escape")
    expect(page.locator("dialog#keys")).to_be_hidden()
    page.keyboard.press("w")
    expect(page.locator("article.card.current .why-body")).to_be_visible()
    assert served.statuses(served.sales) == {"new": 21, "offered": 1}


def test_undo_names_whom_it_concerns_and_asks_about_what_is_older(visits: Visits, served: Served) -> None:
    page = desk(visits, served.sales)
    [offered] = [each for each in served.applications(served.sales) if each.status == "offered"]
    name = served.profile(offered).name
    assert name
    visits.expected.add(409)
    visits.agrees = True
    page.keyboard.press("u")  # nothing was decided since signing in: the newest is the offer that was there
    expect(page.locator("#say")).to_contain_text(f"Undone: offer to {name.value}.")
    [question] = visits.asked
    assert question.startswith(f"The offer to {name.value} was made by you on ")
    assert question.endswith(", before you signed in. Do you want to undo it?")
    assert served.store.applications.get(offered.id).status == "shortlisted"
    page.keyboard.press("y")
    expect(page.locator("#say")).to_contain_text(f"Redone: offer to {name.value}.")
    page.locator("#say").get_by_role("button", name="Undo").click()
    expect(page.locator("#say")).to_contain_text(f"Undone: offer to {name.value}.")
    page.locator("#say").get_by_role("button", name="Redo").click()
    expect(page.locator("#say")).to_contain_text(f"Redone: offer to {name.value}.")
    assert served.statuses(served.sales) == {"new": 21, "offered": 1}
    assert visits.asked == [question]  # one's own since signing in are undone and redone without a question


def test_a_name_is_found_and_a_fragment_opens_the_resume_at_its_place(visits: Visits, served: Served) -> None:
    application = served.applications(served.marketing)[-1]
    name = served.profile(application).name
    assert name
    page = desk(visits, served.marketing)
    order = ranked(page)
    page.locator("#q").fill(f"{name.value} qwertyuiop")
    expect(page.locator(".people li")).to_have_count(1)
    expect(page.locator(".people li")).to_contain_text(name.value)
    expect(page.locator("[data-unmatched]")).to_have_text("No resume of this job mentions “qwertyuiop”.")
    assert ranked(page) == order
    page.locator("#q").fill("+hubspot")
    expect(page.locator("#list h2").first).not_to_have_text("22 candidates")
    hit = page.locator("mark", has_text=re.compile("hubspot", re.IGNORECASE))
    cards = page.locator("article.card")
    assert cards.count() == cards.filter(has=hit).count() > 0
    fragment = page.locator(".snippets a").filter(has=hit).first
    marked = fragment.locator("mark").first.inner_text()
    fragment.click()
    assert marked.casefold() == "hubspot"
    expect(page.locator("#resume-text .is-lit")).to_have_text(marked)
    expect(page.locator("#resume-text .is-lit")).to_be_in_viewport()


def test_a_rejection_asks_for_its_reason(visits: Visits, served: Served) -> None:
    page = desk(visits, served.sales)
    page.keyboard.press("j")
    id = current(page)
    assert id
    page.keyboard.press("r")
    dialog = page.locator("dialog#reject")
    expect(dialog.get_by_label("Reason")).to_be_focused()
    page.keyboard.press("Enter")  # nobody is rejected without one
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert served.store.applications.get(id).status == "new"

    page.keyboard.press("r")
    reason = "just skip: remarks, u? x/ & <i>k</i>"
    page.keyboard.type(reason)
    page.keyboard.press("Enter")
    expect(page.locator(f"#a-{id} [data-badge]")).to_have_text("Rejected")
    expect(page.locator("#say")).to_contain_text("rejected")
    decision = served.store.decisions.of_application(id)[-1]
    assert (decision.action, decision.reason, decision.actor) == ("reject", reason, served.staff["robin"])
    page.locator("#say").get_by_role("button", name="Undo").click()
    expect(page.locator(f"#a-{id} [data-badge]")).to_have_text("New")
    assert served.statuses(served.sales) == {"new": 21, "offered": 1}


def test_keys_do_nothing_while_somebody_types(visits: Visits, served: Served) -> None:
    page = desk(visits, served.sales)
    events = served.store.ledger.count(kinds=["decision", "undo"])
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type("jsrxu?k/")
    expect(page.locator("#q")).to_have_value("jsrxu?k/")
    expect(page.locator("article.card.current")).to_have_count(0)
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.get_by_label("at least so many months").focus()
    page.keyboard.type("12s")
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert served.store.ledger.count(kinds=["decision", "undo"]) == events


def test_the_rest_is_rejected_at_once_and_brought_back(visits: Visits, served: Served) -> None:
    page = desk(visits, served.marketing)
    before = {each.id: each.status for each in served.applications(served.marketing)}
    assert served.statuses(served.marketing) == {"new": 15, "shortlisted": 3, "rejected": 4}
    listed = ranked(page)
    page.get_by_role("link", name="Reject the rest…").click()
    dialog = page.locator("dialog#many")
    dialog.get_by_label("Keep the top").fill("10")
    spared = set(listed[:10]) | {id for id, status in before.items() if status in ("shortlisted", "rejected")}
    number = 22 - len(spared)
    expect(dialog.locator(".big")).to_have_text(f"{number} candidates would be rejected.")
    assert served.statuses(served.marketing) == {"new": 15, "shortlisted": 3, "rejected": 4}  # so far a preview

    expect(dialog.locator(".unopened")).to_contain_text(f"of {number} were never opened.")
    dialog.get_by_label("Reason").fill("The ten best go on.")
    dialog.get_by_role("button", name=f"Reject {number} candidates").click()
    expect(dialog).to_be_visible()  # until that is confirmed
    assert served.statuses(served.marketing) == {"new": 15, "shortlisted": 3, "rejected": 4}
    dialog.locator("[name=unopened]").check()
    dialog.get_by_role("button", name=f"Reject {number} candidates").click()
    expect(dialog).to_be_hidden()
    expect(page.locator("[data-count-of=rejected] b")).to_have_text(str(4 + number))
    expect(page.locator("[data-count-of=new] b")).to_have_text(str(15 - number))
    assert served.statuses(served.marketing) == {"new": 15 - number, "shortlisted": 3, "rejected": 4 + number}
    changed = {each.id for each in served.applications(served.marketing) if each.status != before[each.id]}
    assert changed == set(before) - spared
    assert {served.store.decisions.of_application(id)[-1].reason for id in changed} == {"The ten best go on."}

    banner = page.locator("#banner")
    expect(banner).to_contain_text(f"{number} candidates rejected at once.")
    expect(banner).to_contain_text("Reason: The ten best go on.")
    page.reload()  # the way back is still there
    banner.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-count-of=rejected] b")).to_have_text("4")
    expect(banner).not_to_contain_text("The ten best go on.")
    assert {each.id: each.status for each in served.applications(served.marketing)} == before
