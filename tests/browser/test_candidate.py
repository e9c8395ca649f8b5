"""One candidate and several: facts with their words, comparison, blind mode, remarks, and the rights of applicants."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from pathlib import Path

import pypdfium2
from openpyxl import load_workbook
from playwright.sync_api import Page, expect

from evenhand.store.applications import Application
from tests.browser.counting import ranked
from tests.browser.served import Served
from tests.browser.visiting import Visits


def test_a_skill_leads_to_its_words(visits: Visits, served: Served) -> None:
    page = visits.page("robin", f"/jobs/{served.marketing}")
    page.locator("article.card a[data-open]").first.click()
    id = page.url.split("/applications/")[1].split("?")[0].split("#")[0]
    application = served.store.applications.get(id)
    text = served.store.documents.text(application.document)
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
        assert shown == served.store.documents.text(application.document)


def test_two_and_four_are_compared(visits: Visits, served: Served) -> None:
    page = visits.page("robin", f"/jobs/{served.marketing}")
    ids = ranked(page)
    for number in (2, 4):
        for _ in range(2):
            page.keyboard.press("j")
            page.keyboard.press("x")
        expect(page.locator("#selection")).to_contain_text(f"{number} selected")
        if number == 2:
            page.get_by_role("button", name="Compare ranks").click()
            expect(page.locator("dialog#why")).to_contain_text("ranks above")
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
        words |= set(re.findall(r"[^\W\d_]{3,}", profile.name.surface))
    form = served.store.applications.form(application.candidate)
    if form:
        words |= set(re.findall(r"[^\W\d_]{3,}", form.get("name", "")))
    return words


def told(words: set[str], text: str) -> set[str]:
    return {word for word in words if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE)}


def without_bar(page: Page) -> str:
    """All of a page, attributes included, but for the bar at the top, where the recruiter's own name stands."""
    return page.title() + str(page.locator("main").evaluate("main => main.outerHTML"))


def test_blind_mode_hides_who_they_are_everywhere(visits: Visits, served: Served) -> None:
    applications = served.applications(served.marketing)
    words = {each.id: telling(served, each) for each in applications}
    everyone = set().union(*words.values())
    assert len(everyone) > 80
    page = visits.page("pat", "/")
    served.store.jobs.grant_access(served.marketing, served.staff["pat"], actor=served.staff["admin"])
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


# --- remarks and rights ---


def test_notes_and_tags_come_and_go(visits: Visits, served: Served) -> None:
    application = served.applications(served.sales)[3]
    page = visits.page("robin", f"/applications/{application.id}")
    remarks = page.locator("#remarks")
    remarks.get_by_label("New tag").fill("speaks Welsh")
    remarks.get_by_role("button", name="Add tag").click()
    expect(remarks.locator(".chip")).to_have_text("speaks Welsh×")
    remarks.get_by_label("New note").fill("Called on Monday.\nWill send references.")
    remarks.get_by_role("button", name="Add note").click()
    expect(remarks.locator(".note .words")).to_have_text("Called on Monday.\nWill send references.")
    assert [note.text for note in served.store.notes.of_application(application.id)] == [
        "Called on Monday.\nWill send references."
    ]
    page.goto(f"/jobs/{served.sales}?size=50")
    expect(page.locator(f"#a-{application.id} .tag")).to_have_text("speaks Welsh")

    page.goto(f"/applications/{application.id}")
    remarks.get_by_role("button", name="Remove the tag speaks Welsh").click()
    expect(remarks.locator(".chip")).to_have_count(0)
    visits.agrees = True
    remarks.get_by_role("button", name="Remove", exact=True).click()
    expect(remarks.locator(".note")).to_have_count(0)
    assert visits.asked == ["Remove this note? The ledger still shows that there was one."]
    assert [event.kind for event in served.store.ledger.of_application(application.id)].count("note") == 4


def test_decisions_by_keys_and_on_to_the_next(visits: Visits, served: Served) -> None:
    page = visits.page("robin", f"/jobs/{served.sales}")
    first, second = ranked(page)[:2]
    page.keyboard.press("j")
    page.keyboard.press("o")
    page.wait_for_url("**/applications/**")  # and its scripts: keys pressed before go nowhere
    expect(page.locator("[data-status]")).to_have_text("New")
    page.keyboard.press("s")
    expect(page.locator("[data-status]")).to_have_text("Shortlisted for Interview")
    assert served.store.applications.get(first).status == "shortlisted"
    page.keyboard.press("u")
    expect(page.locator("[data-status]")).to_have_text("New")
    page.keyboard.press("r")  # asks for the reason
    expect(page.get_by_label("Reason").first).to_be_focused()
    page.keyboard.type("sruj: no licence")
    page.keyboard.press("Enter")
    expect(page.locator("[data-status]")).to_have_text("Rejected")
    assert served.store.decisions.of_application(first)[-1].reason == "sruj: no licence"
    page.keyboard.press("u")
    expect(page.locator("[data-status]")).to_have_text("New")
    page.keyboard.press("j")
    page.wait_for_url(re.compile(second))
    page.keyboard.press("k")
    page.wait_for_url(re.compile(first))


def almost(page: Page) -> tuple[str, str]:
    """An application, and the name of a must-have that the list says it lacks."""
    ids, scores = ranked(page), [float(text) for text in page.locator(".score b").all_inner_texts()]
    found = []
    for at in range(1, len(ids)):
        lacks = page.locator("article.card").nth(at).locator(".demand.missing:not(.wish) b").all_inner_texts()
        if lacks:
            found.append((scores[at - 1] - scores[at], ids[at], lacks[0].partition(" or ")[0]))
    _, id, missing = min(found)
    return id, missing


def test_a_misread_field_is_put_right_and_the_rank_follows(visits: Visits, served: Served) -> None:
    """Whoever lacks something that the job asks for, and is closest behind somebody, passes with one skill more."""
    page = visits.page("robin", f"/jobs/{served.sales}?size=50")
    id, missing = almost(page)
    place = ranked(page).index(id) + 1
    page.goto(f"/applications/{id}")
    page.get_by_role("link", name="Correct what was misread").click()
    expect(page.get_by_text(f"Rank {place} of 22,")).to_be_visible()
    skills = page.locator("section", has=page.locator("h2#skills"))
    words = (served.store.documents.text(served.store.applications.get(id).document) or "").split()[0]
    skills.get_by_label("Skill that was overlooked").fill(missing)
    skills.get_by_label("Words of the resume that show it").fill(words)
    skills.get_by_label("Reason").fill("It stands in the first line.")
    skills.get_by_role("button", name="Add the skill").click()
    done = page.locator(".said")
    expect(done).to_contain_text(missing)
    after = re.search(r"Rank (\d+) (?:to|→) (\d+)", done.inner_text())
    assert after, done.inner_text()
    assert int(after[1]) == place
    assert int(after[2]) < place
    page.goto(f"/jobs/{served.sales}?size=50")
    assert ranked(page).index(id) + 1 == int(after[2])
    page.goto(f"/applications/{id}/correct")
    page.get_by_role("button", name=re.compile("^Undo: ")).click()
    expect(done).to_contain_text("Undone: ")
    page.goto(f"/jobs/{served.sales}?size=50")
    assert ranked(page).index(id) + 1 == place


def test_a_receipt_to_read_and_to_take_away(visits: Visits, served: Served, tmp_path: Path) -> None:
    application = served.applications(served.sales)[2]
    name = served.profile(application).name
    assert name
    page = visits.page("robin", f"/applications/{application.id}")
    page.get_by_role("link", name="Receipt").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text(name.value)
    with page.expect_download() as started:
        page.get_by_role("link", name="PDF").click()
    started.value.save_as(tmp_path / "receipt.pdf")
    document = pypdfium2.PdfDocument(tmp_path / "receipt.pdf")
    assert len(document) >= 1
    text = " ".join(each.get_textpage().get_text_bounded() for each in document)
    assert "Area Sales Manager" in text
    document.close()
    with page.expect_download() as started:
        page.get_by_role("link", name="Page of its own").click()
    started.value.save_as(tmp_path / "receipt.html")
    alone = visits.browser.new_page()
    alone.goto((tmp_path / "receipt.html").as_uri())
    expect(alone.get_by_role("main")).to_contain_text(name.value)
    alone.close()
    with page.expect_download() as started:
        page.get_by_role("link", name="Archive with everything").click()
    started.value.save_as(tmp_path / "all.zip")
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        assert archive.testzip() is None
        assert any(name.endswith(".json") for name in archive.namelist())


def test_an_erasure_leaves_a_certificate_and_nothing_else(visits: Visits, served: Served) -> None:
    application = served.applications(served.sales)[-1]
    words = telling(served, application)
    kept = served.store.files.path(application.document)
    assert kept.exists()
    page = visits.page("robin", f"/applications/{application.id}/erase")
    expect(page.get_by_role("heading", name="Ask an administrator")).to_be_visible()
    page = visits.page("admin", f"/applications/{application.id}")
    page.get_by_role("link", name="Erase").click()
    page.get_by_label("Reason").fill("Requested by the applicant.")
    visits.expected = {422, 404}
    page.get_by_label("to confirm").fill("never mind")
    page.get_by_role("button", name="Erase for good").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("to confirm").fill(page.locator("label b").first.inner_text())
    page.get_by_role("button", name="Erase for good").click()
    page.wait_for_url(re.compile("/erasures/"))
    assert told(words, without_bar(page)) == set()
    expect(page.get_by_role("main")).to_contain_text("Requested by the applicant.")
    assert not kept.exists()
    assert served.store.applications.count(served.sales) == 21
    with page.expect_download() as started:
        page.get_by_role("link", name="PDF").click()
    assert len(pypdfium2.PdfDocument(started.value.path())) >= 1
    page.goto(f"/jobs/{served.sales}?size=50")
    expect(page.locator("article.card")).to_have_count(21)
    page.goto(f"/applications/{application.id}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Not found")
    page.goto("/ledger/verify")
    page.get_by_role("button", name=re.compile("^Verify")).click()
    expect(page.locator("[data-verdict]")).to_contain_text("Ledger intact")
