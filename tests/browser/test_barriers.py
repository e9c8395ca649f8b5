"""Barriers: axe on every page in both schemes and widths, keyboard alone, narrow windows, large letters, no motion."""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from tests.browser.counting import ranked
from tests.browser.served import Served
from tests.browser.visiting import Visits

WIDE, NARROW, NARROWEST = 1400, 390, 320
SERIOUS = ("serious", "critical")
COLOURS = ["color-contrast", "link-in-text-block", "target-size"]
LOOKS: tuple[tuple[int, Literal["light", "dark"], list[str]], ...] = (
    (WIDE, "light", []),
    (WIDE, "dark", COLOURS),
    (NARROW, "dark", []),
    (NARROW, "light", COLOURS),
)
"""All rules in each width, and in the other scheme those that colours and sizes can break."""


@pytest.fixture(scope="module")
def addresses(arrived: Visits, served: Served) -> dict[str, tuple[str | None, str]]:
    """Every page there is: who looks at it, and where."""
    store, job = served.store, served.marketing
    page = arrived.page("robin", f"/jobs/{job}?q=hubspot&degree=bachelor")
    seen = page.locator("#list").get_attribute("data-seen")
    page.goto(f"/jobs/{job}")
    first, second, third, fourth = ranked(page)[:4]
    page.context.close()
    invitation = store.make_link("invitation", store.add_user("guest", "Guest", "auditor", actor="test").id, 1)
    imported = store.begin_import(job, actor=served.staff["robin"], source="Fair")
    duplicate = next(
        (each.id, other.application)
        for each in served.applications(job)
        for alert in store.alerts([each.id])[each.id]
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
        "screening": ("robin", f"/jobs/{job}?size=10"),
        "screening, refined": ("robin", f"/jobs/{job}?q=hubspot&degree=bachelor&months=seo%3E%3D24&size=10"),
        "screening, nobody": ("robin", f"/jobs/{job}?q=%2Bzymurgy"),
        "screening, mistake": ("robin", f"/jobs/{job}?q=seo+AND+%22x"),
        "screening, by an auditor": ("auditor", f"/jobs/{job}?size=10"),
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
        "help": ("robin", "/help"),
        "help of recruiters": ("robin", "/help/recruiter"),
        "help of auditors": ("auditor", "/help/auditor"),
        "help of admins": ("admin", "/help/admin"),
        "help of applicants": ("robin", "/help/applicants"),
        "not found": ("robin", "/jobs/nowhere"),
    }


@pytest.fixture
def opened(visits: Visits) -> Visits:
    """Pages about mistakes are pages, too."""
    visits.expected = {404, 422}
    return visits


def barriers(page: Page, rules: list[str]) -> list[str]:
    """What axe finds, all its rules where none are named. It has to be in the page already."""
    run = """async rules => {
        const only = rules.length ? { runOnly: { type: "rule", values: rules } } : {};
        const found = await axe.run({ resultTypes: ["violations"], ...only });
        return found.violations.flatMap(each => each.nodes.slice(0, 3).map(node => [each.impact, each.id, node.html]));
    }"""
    found = page.evaluate(run, rules)
    return [f"{id}: {html[:200]}" for impact, id, html in found if impact in SERIOUS]


def test_axe_finds_no_barrier(opened: Visits, addresses: dict[str, tuple[str | None, str]]) -> None:
    found: dict[str, list[str]] = {}
    windows: dict[str | None, Page] = {}
    for name, (who, path) in addresses.items():
        if who not in windows:
            windows[who] = opened.page(who, "/help" if who else "/sign-in", bypass_csp=True)
        page = windows[who]
        page.goto(path)
        page.evaluate(AXE_SCRIPT)
        for width, scheme, rules in LOOKS:
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)
            if barred := barriers(page, rules):
                found[f"{name}, {width}, {scheme}"] = barred
    assert found == {}
