"""Barriers: axe on every page in both schemes and widths, keyboard alone, narrow windows, large letters, no motion."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from tests.browser.barriers import NARROW, Tour
from tests.browser.counting import ranked
from tests.browser.served import Served
from tests.browser.visiting import Visits
from tests.rendering.reports import swaps


@pytest.fixture(scope="module")
def addresses(arrived: Visits, served: Served) -> dict[str, tuple[str | None, str]]:
    """Every page there is: who looks at it, and where."""
    store, job = served.store, served.marketing
    page = arrived.page("robin", f"/jobs/{job}?q=hubspot&degree=bachelor")
    seen = page.locator("#list").get_attribute("data-seen")
    page.goto(f"/jobs/{job}")
    first, second, third, fourth = ranked(page)[:4]
    page.context.close()
    invitation = store.links.make("invitation", store.accounts.add("guest", "Guest", "auditor", actor="test").id, 1)
    imported = store.imports.begin(job, actor=served.staff["robin"], source="Fair")
    duplicate = next(
        (each.id, other.application)
        for each in served.applications(job)
        for alert in store.duplicates.alerts([each.id])[each.id]
        for other in alert.related
        if other.link == "near_duplicate"
    )
    return {
        "sign-in": (None, "/sign-in"),
        "link": (None, served.link("lena").removeprefix(served.address)),
        "invitation": (None, f"/enter/{invitation}"),
        "jobs": ("robin", "/"),
        "no jobs": ("lena", "/"),
        "new job": ("robin", "/jobs/new"),
        "screening, refined": ("robin", f"/jobs/{job}?q=hubspot&degree=bachelor&months=seo%3E%3D60"),
        "screening, rejected": ("robin", f"/jobs/{job}?status=rejected"),
        "screening, shortlisted": ("robin", f"/jobs/{job}?status=shortlisted"),
        "screening, nobody": ("robin", f"/jobs/{job}?q=%2Bzymurgy"),
        "screening, mistake": ("robin", f"/jobs/{job}?q=seo+AND+%22x&status=shortlisted"),
        "many": ("robin", f"/jobs/{job}/many?action=reject&keep=5"),
        "why": ("robin", f"/jobs/{job}/why?above={first}&below={second}"),
        "candidate": ("robin", f"/applications/{first}"),
        "candidate, by an auditor": ("auditor", f"/applications/{first}"),
        "compare": ("robin", f"/jobs/{job}/compare?a={first}&a={second}&a={third}&a={fourth}"),
        "difference": ("robin", f"/applications/{duplicate[0]}/difference/{duplicate[1]}"),
        "requirements": ("robin", f"/jobs/{job}/requirements"),
        "import": ("robin", f"/jobs/{job}/import"),
        "progress": ("robin", f"/jobs/{job}/imports/{imported}"),
        "receipt": ("robin", f"/applications/{first}/receipt"),
        "correct": ("robin", f"/applications/{first}/correct"),
        "erase": ("admin", f"/applications/{first}/erase"),
        "erasures": ("admin", "/erasures"),
        "retention": ("admin", "/retention"),
        "watch lists": ("admin", "/watch-lists"),
        "users": ("admin", "/users"),
        "account": ("robin", "/account"),
        "ledger": ("auditor", "/ledger"),
        "event": ("auditor", f"/ledger/{seen}"),
        "verify": ("auditor", "/ledger/verify"),
        "audits": ("auditor", "/audits"),
        "new audit": ("auditor", f"/audits/new?job={job}"),
        "audit": ("auditor", f"/audits/{kept_audit(served)}"),
        "audit, failed": ("auditor", f"/audits/{failed_audit(served)}"),
        "notices": ("auditor", "/audits/notices"),
        "help": ("robin", "/help"),
        "help of recruiters": ("robin", "/help/recruiter"),
        "help of auditors": ("auditor", "/help/auditor"),
        "help of admins": ("admin", "/help/admin"),
        "help of applicants": ("robin", "/help/applicants"),
        "not found": ("robin", "/jobs/nowhere"),
    }


def kept_audit(served: Served) -> str:
    """With a finding of every severity, a table, a chart and a pair."""
    asked = {"kinds": ["swaps"], "job": served.marketing}
    id = served.store.audits.request("swaps", job=served.marketing, request=asked, actor="test", running=True)
    return served.store.audits.finish(id, swaps().to_json()).id


def failed_audit(served: Served) -> str:
    asked = {"kinds": ["outcomes"], "job": served.marketing}
    id = served.store.audits.request("outcomes", job=served.marketing, request=asked, actor="test", running=True)
    served.store.audits.fail(id, "Nobody was asked.")
    return id


@pytest.fixture
def opened(visits: Visits) -> Visits:
    """Pages about mistakes are pages, too."""
    visits.expected = {404, 422}
    return visits


@pytest.fixture(scope="module")
def tour(arrived: Visits, addresses: dict[str, tuple[str | None, str]]) -> Tour:
    tour, windows = Tour(), dict[str | None, Page]()
    visits = replace(arrived, expected={404, 422}, faults=[], contexts=[])
    for name, (who, path) in addresses.items():
        if who not in windows:
            windows[who] = visits.page(who, "/help" if who else "/sign-in", bypass_csp=True)
        windows[who].goto(path)
        tour.look(windows[who], name)
    visits.close()
    assert visits.faults == []
    return tour


def test_axe_finds_no_barrier(tour: Tour) -> None:
    assert tour.barriers == {}


def test_nothing_sticks_out_of_a_narrow_window(tour: Tour) -> None:
    assert tour.too_wide == {}


STEP = """() => {
    const at = document.activeElement;
    if (!at || at === document.body) return {};
    if (at.dataset.walked) return null;
    at.dataset.walked = "yes";
    const style = getComputedStyle(at), box = at.getBoundingClientRect();
    const bar = document.querySelector("header.bar");
    const shown = [at, at.closest("label")].filter(Boolean).some((each) => {
        const look = getComputedStyle(each);
        return (look.outlineStyle !== "none" && parseFloat(look.outlineWidth) >= 2) || look.boxShadow !== "none";
    });
    const below = !bar || bar.contains(at) || box.bottom > bar.getBoundingClientRect().bottom;
    const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    return { what: at.outerHTML.slice(0, 150), shown, seen: at.matches(".skip") || (below && inside) };
}"""
UNREACHED = """() => {
    const able = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
    return [...document.querySelectorAll(able)].filter((each) => {
        if (each.disabled || each.tabIndex < 0 || each.closest("dialog:not([open]), [inert]")) return false;
        if (each.closest("fieldset:disabled") || !each.checkVisibility({ visibilityProperty: true })) return false;
        if (each.closest("details:not([open])") && !each.matches("details > summary")) return false;
        if (each.matches("article.card")) return false; // j and k go from one to the next
        if (each.type === "radio" && document.querySelector(`input[name="${each.name}"][data-walked]`)) return false;
        return each.dataset.walked !== "yes";
    }).map((each) => each.outerHTML.slice(0, 150));
}"""


def walk(page: Page, *, most: int = 400) -> list[dict[str, object]]:
    """Tab by Tab, from wherever the page puts the focus at first, until it comes around."""
    steps: list[dict[str, object]] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        step = page.evaluate(STEP)
        if step is None:
            return steps
        if step:  # else the window itself, between its end and its beginning
            steps.append(step)
    raise AssertionError("Tab does not come to an end")


@pytest.mark.parametrize(
    "name", ["sign-in", "jobs", "new job", "screening, shortlisted", "candidate", "requirements", "users", "correct"]
)
def test_keys_alone_reach_everything(opened: Visits, addresses: dict[str, tuple[str | None, str]], name: str) -> None:
    who, path = addresses[name]
    page = opened.page(who, path)
    steps = walk(page)
    assert page.evaluate(UNREACHED) == []
    assert [step["what"] for step in steps if not step["shown"]] == []  # where one is can be seen
    assert [step["what"] for step in steps if not step["seen"]] == []  # and is in sight


def test_dialogs_keep_the_focus_and_give_it_back(opened: Visits, served: Served) -> None:
    page = opened.page("robin", f"/jobs/{served.marketing}")
    for opener, dialog in (
        (page.get_by_role("button", name="Keys"), page.locator("dialog#keys")),
        (page.get_by_role("link", name="Reject the rest…"), page.locator("dialog#many")),
        (page.locator("article.card summary", has_text="Reject").first, page.locator("dialog#reject")),
    ):
        opener.focus()
        page.keyboard.press("Enter")
        expect(dialog).to_be_visible()
        for _ in range(12):
            page.keyboard.press("Tab")
            assert page.evaluate(
                "document.activeElement.closest('dialog') !== null || document.activeElement === document.body"
            )
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        assert page.evaluate("document.activeElement !== document.body")
    menu = page.locator("details.blind")
    menu.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(menu.get_by_role("button", name="Mask for me")).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu.get_by_role("button", name="Mask for me")).to_be_hidden()
    expect(menu.locator("summary")).to_be_focused()


def test_filters_on_a_phone(opened: Visits, served: Served) -> None:
    page = opened.page("robin", f"/jobs/{served.marketing}", width=NARROW, height=844)
    expect(page.locator("#facets")).to_be_hidden()
    page.get_by_role("button", name="Filters").click()
    expect(page.get_by_role("button", name="Show the list")).to_be_focused()
    page.locator("#facets input[name=degree][value=bachelor]").check()
    page.get_by_role("button", name="Show the list").click()
    expect(page.get_by_role("button", name="Filters (1)")).to_be_focused()
    expect(page.locator("#facets")).to_be_hidden()
    expect(page.locator("ul.chips.active li.chip")).to_have_count(1)


def test_nothing_moves_for_those_who_do_not_want_it(opened: Visits, served: Served) -> None:
    moving = """() => [...document.querySelectorAll("*")].filter((each) => {
        const style = getComputedStyle(each);
        const long = (value) => value.split(",").some((part) => parseFloat(part) > 0);
        return long(style.transitionDuration) || long(style.animationDuration) || style.scrollBehavior === "smooth";
    }).map((each) => each.outerHTML.slice(0, 100))"""
    page = opened.page("robin", f"/jobs/{served.marketing}")
    assert page.evaluate(moving) == []
    page.goto(f"/jobs/{served.marketing}/import")
    assert page.evaluate(moving) == []
    page.locator("body").press("j")
    page = opened.page("robin", f"/jobs/{served.marketing}", calm=False)
    assert page.evaluate(moving) != []  # others do see it


def test_pages_work_without_script(opened: Visits, served: Served) -> None:
    page = opened.page("robin", f"/jobs/{served.sales}", java_script_enabled=False)
    page.locator("#facets input[name=degree][value=bachelor]").check()
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("ul.chips.active li.chip")).to_have_count(1)
    card = page.locator("article.card").first
    id = card.get_attribute("data-application")
    assert id
    card.get_by_role("button", name="Shortlist").click()
    expect(page.locator(f"#a-{id} [data-badge]")).to_have_text("Shortlisted for Interview")
    assert served.store.applications.get(id).status == "shortlisted"
    page.locator(f"#a-{id} summary", has_text="Reject").click()
    page.locator(f"#a-{id}").get_by_label("Reason").fill("On second thoughts.")
    page.locator(f"#a-{id}").get_by_role("button", name="Reject", exact=True).click()
    expect(page.locator(f"#a-{id} [data-badge]")).to_have_text("Rejected")
    page.get_by_role("link", name="Reject the rest…").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Reject the rest of the list")
