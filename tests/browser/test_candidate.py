"""One candidate and several: facts with their words, comparison, blind mode, remarks, and the rights of applicants."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from pathlib import Path

import pypdfium2
from openpyxl import load_workbook
from playwright.sync_api import Page, expect

from evenhand.store import Application
from tests.browser.served import Served
from tests.browser.visiting import Visits


def ranked(page: Page) -> list[str]:
    return page.locator("article.card").evaluate_all("cards => cards.map(card => card.dataset.application)")


def test_a_skill_leads_to_its_words(visits: Visits, served: Served) -> None:
    page = visits.page("robin", f"/jobs/{served.marketing}")
    page.locator("article.card a[data-open]").first.click()
    id = page.url.split("/applications/")[1].split("?")[0].split("#")[0]
    application = served.store.application(id)
    text = served.store.document_text(application.document)
    assert text
    skill = next(each for each in served.profile(application).skills if len(each.evidence) > 1)
    link = page.locator(".facts-side a.fact", has_text=re.compile(f"^{re.escape(skill.name)}$")).first
    for evidence in skill.evidence[:2]:  # each further click leads to the next place
        link.click()
        lit = page.locator("#resume-text .is-lit")
        expect(lit.first).to_be_in_viewport()
        assert "".join(lit.all_text_contents()) == text[evidence.start : evidence.end]
    expect(page.locator("#evidence")).to_contain_text(f"Skill {skill.name}")
    expect(page.locator("#evidence")).to_contain_text("place 2 of")
    page.locator("#evidence").get_by_role("button", name="Back to the fact").click()
    expect(link).to_be_focused()


def test_the_resume_is_shown_to_the_letter(visits: Visits, served: Served) -> None:
    page = visits.page("robin", "/")
    for application in served.applications(served.sales)[:5]:
        page.goto(f"/applications/{application.id}")
        shown = page.locator("#resume-text").evaluate("sheets => sheets.textContent")
        assert shown == served.store.document_text(application.document)


def test_two_and_four_are_compared(visits: Visits, served: Served) -> None:
    page = visits.page("robin", f"/jobs/{served.marketing}")
    ids = ranked(page)
    for number in (2, 4):
        for _ in range(2):
            page.keyboard.press("j")
            page.keyboard.press("x")
        expect(page.locator("#selection")).to_contain_text(f"{number} selected")
        if number == 2:
            page.get_by_role("button", name="Why one above the other").click()
            expect(page.locator("dialog#why")).to_contain_text("stands above")
            page.keyboard.press("Escape")
    page.keyboard.press("c")
    expect(page.get_by_role("heading", level=1)).to_have_text("4 candidates side by side")
    links = page.locator(".compared thead a").evaluate_all("links => links.map(link => link.pathname)")
    assert links == [f"/applications/{id}" for id in ids[:4]]
    totals = [float(text) for text in page.locator(".compared tr.points b.big").all_inner_texts()]
    assert totals == sorted(totals, reverse=True)
    page.goto(f"/jobs/{served.marketing}/compare?a={ids[3]}&a={ids[0]}")
    expect(page.get_by_role("heading", level=1)).to_have_text("2 candidates side by side")
    links = page.locator(".compared thead a").evaluate_all("links => links.map(link => link.pathname)")
    assert links == [f"/applications/{ids[0]}", f"/applications/{ids[3]}"]


def test_a_fifth_cannot_be_compared(visits: Visits, served: Served) -> None:
    page = visits.page("robin", f"/jobs/{served.marketing}")
    for _ in range(5):
        page.keyboard.press("j")
        page.keyboard.press("x")
    expect(page.locator("#selection")).to_contain_text("5 selected")
    expect(page.get_by_role("button", name="Compare")).to_be_disabled()


# --- blind ---


def telling(served: Served, application: Application) -> set[str]:
    """What would tell who somebody is: parts of the name, addresses, numbers, as the resume has them."""
    profile = served.profile(application)
    words = {fact.surface for fact in (*profile.emails, *profile.phones)}
    if profile.name:
        words |= {part for part in re.findall(r"[^\W\d_]{3,}", profile.name.surface)}
    form = served.store.form(application.candidate)
    if form:
        words |= {part for part in re.findall(r"[^\W\d_]{3,}", form.get("name", ""))}
    return words


def told(words: set[str], text: str) -> set[str]:
    return {word for word in words if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE)}


def without_bar(page: Page) -> str:
    """All of a page, attributes included, but for the bar at the top, where the recruiter's own name stands."""
    return page.title() + page.locator("main").evaluate("main => main.outerHTML")


def test_blind_mode_hides_who_they_are_everywhere(visits: Visits, served: Served) -> None:
    applications = served.applications(served.marketing)
    words = {each.id: telling(served, each) for each in applications}
    everyone = set().union(*words.values())
    assert len(everyone) > 80
    page = visits.page("pat", "/")
    served.store.give_job(served.marketing, served.staff["pat"], actor=served.staff["admin"])
    page.goto(f"/jobs/{served.marketing}?size=50")
    assert len(told(everyone, without_bar(page))) > 40  # while it is off
    page.get_by_text("Blind mode: off").click()
    page.get_by_role("button", name="Mask for me").click()
    expect(page.get_by_text("Blind mode: on for you")).to_be_visible()

    leaks = {"the list": told(everyone, without_bar(page))}
    ids = ranked(page)
    assert len(ids) == 22
    page.goto(f"/jobs/{served.marketing}/compare?" + "&".join(f"a={id}" for id in ids[:4]))
    leaks["the comparison"] = told(everyone, without_bar(page))
    page.goto(f"/jobs/{served.marketing}/many?action=reject&keep=0")
    leaks["the preview"] = told(everyone, without_bar(page))
    for id in ids:
        page.goto(f"/applications/{id}")
        leaks[f"page of {id}"] = told(words[id], without_bar(page))
    get = page.context.request.get
    for id in ids[:8]:
        answer = get(f"/applications/{id}/masked-text")
        assert answer.status == 200
        leaks[f"text of {id}"] = told(words[id], answer.text() + str(answer.headers))
        assert get(f"/applications/{id}/original").status == 403
    exported = f"/jobs/{served.marketing}/export"
    assert get(f"{exported}.csv?contact=1").status == 403
    table = get(f"{exported}.csv")
    assert table.text().count("\n") == 23
    leaks["the table"] = told(everyone, table.text() + str(table.headers))
    book = load_workbook(BytesIO(get(f"{exported}.xlsx").body()))
    cells = " ".join(str(cell.value) for sheet in book for row in sheet.iter_rows() for cell in row)
    leaks["the spreadsheet"] = told(everyone, cells)
    assert {place: found for place, found in leaks.items() if found} == {}
