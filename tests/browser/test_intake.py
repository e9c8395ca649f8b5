"""What comes in: jobs from text and from files, their requirements, resumes by the dozen; nothing of it runs."""

from __future__ import annotations

import base64
import re
from importlib.resources import files

import pytest
from playwright.sync_api import Page, expect

from tests.browser.counting import ranked
from tests.browser.served import Served
from tests.browser.visiting import Visits

PAYLOAD = "<img src=x onerror=\"window.hit='image';alert(1)\"><script>window.hit='script'</script>"
LOADED_NAME = "<svg onload=\"window.hit='file'\">.txt"
AD = """Beekeeper

Requirements:
- At least 3 years of experience with SQL
- Excel, 2 years or more
- Bachelor's degree in biology
Nice to have: Power BI
"""
FIRST = [
    "Ada",
    "Bruno",
    "Chiara",
    "Dilan",
    "Edda",
    "Farid",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Kaja",
    "Liam",
    "Mara",
    "Nils",
    "Olga",
    "Pavel",
]
LAST = ["Abernethy", "Brightwater", "Cavendish", "Dunmore", "Ellersby", "Fairweather"]


def resume(number: int, *, more: str = "") -> str:
    first, last = FIRST[number % len(FIRST)], LAST[number % len(LAST)]
    start = 2008 + number % 12
    return f"""{first} {last}
{first.lower()}.{last.lower()}{number}@example.com
+1 212 555 01{number % 100:02d}

Experience
Analyst {number}, Hollowmere Apiaries, 01/{start} - 06/{start + 4}
- Kept the books of {number + 3} hives in Excel and SQL
{more}
Education
Bachelor of Science in Biology, University of Leeds, {start - 1}
"""


def upload() -> list[tuple[str, bytes]]:
    """Fifty files; three of them nobody can read, and one has a name and words that try to be a program."""
    samples = files("evenhand") / "samples"
    good = [(f"applicant {number:02d}.txt", resume(number).encode()) for number in range(46)]
    loaded = (LOADED_NAME, resume(46, more=f"- {PAYLOAD}\n- Power BI {PAYLOAD}").encode())
    bad = [
        ("locked.pdf", (samples / "password.pdf").read_bytes()),
        ("nothing.docx", b""),
        ("noise.pdf", b"%PDF-1.7\n" + bytes(range(256)) * 8),
    ]
    return [*good[:20], bad[0], *good[20:], loaded, *bad[1:]]


def drop(page: Page, chosen: list[tuple[str, bytes]]) -> None:
    """As a browser does it when files are dropped on its window."""
    page.evaluate(
        """chosen => {
            const transfer = new DataTransfer();
            for (const [name, data] of chosen) {
                const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0));
                transfer.items.add(new File([bytes], name));
            }
            const target = document.querySelector("[data-zone]");
            for (const type of ["dragenter", "dragover", "drop"]) {
                const event = new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true });
                target.dispatchEvent(event);
            }
        }""",
        [[name, base64.b64encode(data).decode()] for name, data in chosen],
    )


@pytest.fixture(scope="module")
def bees(arrived: Visits, served: Served) -> str:
    """A job that Robin makes from a pasted ad, with fifty files dropped on it; the tests below look at parts of it."""
    visits = arrived
    page = visits.page("robin", "/")
    page.get_by_role("link", name="New job").click()
    page.get_by_label("The ad, as it was published").fill(AD)
    page.get_by_role("button", name="Analyze ad").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Check the requirements")
    rows = page.locator("[data-row]")
    skills = [row.get_by_label(re.compile("^Skill")).input_value() for row in rows.all()]
    assert skills == ["sql", "excel", "power bi"]
    assert rows.nth(0).get_by_label("Months").input_value() == "36"
    assert page.get_by_label("Minimum degree").input_value() == "bachelor"
    # Two things to put right: one demand is longer, another is none.
    rows.nth(1).get_by_label("Months").fill("30")
    page.get_by_role("button", name="Add a skill").click()
    rows.nth(3).get_by_label(re.compile("^Skill")).fill("bookkeeping")
    page.get_by_role("button", name="Remove bookkeeping").or_(rows.nth(3).get_by_role("button")).first.click()
    expect(rows).to_have_count(3)
    page.get_by_role("button", name="Create job").click()
    page.wait_for_url(re.compile("/jobs/[^/]+/import$"))
    job = page.url.split("/")[-2]
    kept = served.store.jobs.get(job).requirements
    assert [(each.skills, each.must, each.months) for each in kept.demands] == [
        (("sql",), True, 36),
        (("excel",), True, 30),
        (("power bi",), False, None),
    ]
    page.context.close()
    assert visits.faults == []
    return job


def test_fifty_files_are_dropped_and_three_refused(visits: Visits, served: Served, bees: str) -> None:
    page = visits.page("robin", f"/jobs/{bees}/import")
    page.get_by_label("Source (optional)").fill("Village fair")
    drop(page, upload())
    expect(page.get_by_role("heading", name="Importing")).to_be_visible()
    expect(page.locator("[data-read-words]")).to_have_text(re.compile(r"^[1-4]?\d of 50 files$"))  # on its way
    page.wait_for_url(re.compile(f"/jobs/{bees}/imports/"))
    expect(page.locator("[data-headline]")).to_have_text("47 new applications", timeout=90_000)
    expect(page.locator("[data-read-words]")).to_have_text("50 of 50 files")
    for state, number in (("added", "47"), ("known", "0"), ("refused", "3"), ("waiting", "0")):
        expect(page.locator(f"[data-count={state}]")).to_have_text(number)
    refused = page.locator("[data-refused] li")
    expect(refused).to_have_count(3)
    told = {item.locator("b").inner_text(): item.locator("code").inner_text() for item in refused.all()}
    assert told == {
        "locked.pdf": "encrypted_document",
        "nothing.docx": "empty_document",
        "noise.pdf": "corrupt_document",
    }
    for item in refused.all():  # in words, too
        assert re.search(r"[a-z]+ [a-z]+.*\.", item.inner_text())
    assert served.store.applications.count(bees) == 47
    assert {each.source for each in served.applications(bees)} == {"Village fair"}
    assert len(list(served.store.applications.refusals(bees))) == 3

    page.reload()
    expect(page.locator("[data-count=added]")).to_have_text("47")
    page.get_by_role("link", name="Screen the applications").click()
    expect(page.locator("#list h2").first).to_have_text("47 candidates")

    # The same ones once more: known, and not taken in twice.
    page.goto(f"/jobs/{bees}/import")
    drop(page, upload()[:3])
    expect(page.locator("[data-headline]")).to_have_text("Nothing new", timeout=60_000)
    expect(page.locator("[data-count=known]")).to_have_text("3")
    assert served.store.applications.count(bees) == 47
    page.goto(f"/jobs/{bees}/import")
    expect(page.get_by_role("heading", name="Earlier imports")).to_be_visible()


def test_nothing_that_came_from_outside_runs(visits: Visits, served: Served, bees: str) -> None:
    page = visits.page("robin", f"/jobs/{bees}/import")
    drop(page, [file for file in upload() if file[0] == LOADED_NAME])  # known, unless this test runs alone
    expect(page.locator("[data-headline]")).to_have_text(re.compile("new$"), timeout=60_000)
    application = next(each for each in served.applications(bees) if each.file == LOADED_NAME)
    page.goto(f"/applications/{application.id}")
    remarks = page.locator("#remarks")
    remarks.get_by_label("New tag").fill(PAYLOAD[:60])
    remarks.get_by_role("button", name="Add tag").click()
    remarks.get_by_label("New note").fill(PAYLOAD)
    remarks.get_by_role("button", name="Add note").click()
    expect(remarks.locator(".words")).to_have_text(PAYLOAD)
    expect(page.locator("#resume-text")).to_contain_text(PAYLOAD)
    expect(page.get_by_text(LOADED_NAME)).to_be_visible()
    page.get_by_label("Reason").first.fill(PAYLOAD)
    page.get_by_role("button", name="Reject").click()
    expect(page.locator("[data-status]")).to_have_text("Rejected")
    quiet(page)
    page.goto(f"/jobs/{bees}?size=50")
    expect(page.locator(f"#a-{application.id} .tag")).to_have_text(PAYLOAD[:60])
    page.locator("#q").fill(f"power {PAYLOAD}")
    expect(page.locator("#search-problem .typed, ul.chips.active").first).to_contain_text("<img")
    quiet(page)
    other = next(id for id in ranked(page) if id != application.id)
    for path in (
        f"/jobs/{bees}?q=%22power+bi%22+%3Cscript%3Ewindow.hit%3D1%3C%2Fscript%3E",
        f"/jobs/{bees}?skill=%3Cscript%3Ewindow.hit%3D1%3C%2Fscript%3E&city=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E",
        f"/jobs/{bees}/compare?a={application.id}&a={other}",
        f"/jobs/{bees}/import",
        f"/applications/{application.id}/receipt",
        f"/applications/{application.id}/correct",
        f"/applications/{application.id}/erase",
        "/sign-in?next=javascript:window.hit=1",
    ):
        page.goto(path)
        expect(page.locator("h1")).to_have_count(1)
        quiet(page)
    admin = visits.page("admin", f"/watch-lists?removed_name={PAYLOAD}")
    quiet(admin)
    admin.goto("/ledger?kind=note")
    quiet(admin)
    for event in served.store.ledger.of_application(application.id):
        admin.goto(f"/ledger/{event.sequence}")
        quiet(admin)


def quiet(page: Page) -> None:
    assert page.evaluate("window.hit") is None
    assert page.locator("main img, main script").count() == 0
    assert page.locator("main svg[onload]").count() == 0


def test_a_job_from_a_file_and_its_requirements_put_right(visits: Visits, served: Served) -> None:
    ad = files("evenhand") / "sample_jobs" / "accountant.txt"
    page = visits.page("robin", "/jobs/new")
    page.get_by_label("Or a file with it").set_input_files(
        {"name": "ad.txt", "mimeType": "text/plain", "buffer": ad.read_bytes()}
    )
    page.get_by_role("button", name="Analyze ad").click()
    expect(page.locator(".ad")).to_contain_text(ad.read_text().splitlines()[0])
    assert page.locator("[data-row]").count() >= 3
    page.get_by_label("Title").fill("")
    page.get_by_role("button", name="Create job").click()  # the browser asks for the title
    expect(page.get_by_role("heading", level=1)).to_have_text("Check the requirements")
    page.get_by_label("Title").fill("Accountant <i>for</i> hives")
    page.get_by_role("button", name="Create job").click()
    page.wait_for_url(re.compile("/jobs/[^/]+/import$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Accountant <i>for</i> hives")
    page.goto("/")
    expect(page.get_by_role("link", name="Accountant <i>for</i> hives")).to_be_visible()


def test_changed_requirements_do_to_the_ranking_what_was_announced(visits: Visits, served: Served) -> None:
    page = visits.page("robin", f"/jobs/{served.marketing}")
    before = ranked(page)
    page.get_by_role("navigation", name="This job").get_by_role("link", name="Requirements").click()
    rows = page.locator("#requirements [data-row]")
    number = rows.count()
    chip = page.locator("[data-skill]").first
    skill = chip.get_attribute("data-skill")
    chip.click()
    expect(rows).to_have_count(number + 1)
    assert rows.last.get_by_label(re.compile("^Skill")).input_value() == skill
    assert rows.last.get_by_label("Importance").input_value() == "nice"
    rows.last.get_by_label("Importance").select_option("must")
    rows.last.get_by_label("Months").fill("48")
    page.get_by_role("button", name="Remove google analytics").click()
    expect(page.locator("#say")).to_contain_text("Removed skill google analytics.")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.get_by_role("button", name="Remove email marketing").click()
    preview = page.locator("#preview:not(.busy)")
    expect(preview.locator("tbody tr")).not_to_have_count(0)
    then = {
        row.locator("a").get_attribute("href"): row.locator("b").inner_text()
        for row in preview.locator("tbody tr").all()
    }
    assert ranked(visits.page("robin", f"/jobs/{served.marketing}")) == before  # nothing is saved yet
    page.get_by_role("button", name="Save", exact=True).first.click()
    expect(page.get_by_text("Saved. Applications are now ranked by these requirements.")).to_be_visible()
    page.get_by_role("navigation", name="This job").get_by_role("link", name="Screening").click()
    expect(page.locator("article.card").first).to_contain_text(f"{skill}")
    after = ranked(page)
    assert after != before
    for address, place in then.items():
        if place.isdecimal():
            assert after[int(place) - 1] == (address or "").rpartition("/")[2]


LICENCES = """Registered Nurse

Requirements
- Current Registered Nurse (RN) license
- BLS certification required
- 2 years of patient care
"""


@pytest.mark.parametrize("width", [390, 1440])
def test_a_licence_is_one_row_as_every_other_requirement(visits: Visits, width: int) -> None:
    page = visits.page("robin", "/jobs/new", width=width)
    page.get_by_label("The ad, as it was published").fill(LICENCES)
    page.get_by_role("button", name="Analyze ad").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Check the requirements")
    rows = page.locator("[data-row]")
    badges = [row.locator(".badge").all_inner_texts() for row in rows.all()]
    assert ["Licence"] in badges
    assert [] in badges
    heights = {round(box["height"]) for row in rows.all() if (box := row.bounding_box())}
    assert len(heights) == 1, "the button to remove a licence fell into a line of its own"
