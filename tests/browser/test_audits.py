"""An audit as an auditor makes it: started, left alone, and read when it is done, with a real server behind it."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from evenhand.store.audits import DONE
from tests.browser.served import Served
from tests.browser.visiting import Visits

DONE_MS = 300_000  # it runs at low priority


def test_an_audit_goes_on_while_nobody_looks(visits: Visits, served: Served) -> None:
    page = visits.page("auditor", f"/audits/new?job={served.marketing}")
    page.get_by_role("checkbox", name="Outcomes").uncheck()
    page.get_by_text("Ranker, families of changes").click()
    page.get_by_label("Maximum number of resumes").fill("5")
    page.get_by_role("checkbox", name=re.compile("about 60")).check()
    page.get_by_role("button", name="Start the audit").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    place = page.url
    page.goto("/ledger")
    page.goto(place)
    expect(page.locator(".report .verdict")).to_be_visible(timeout=DONE_MS)
    kept = served.store.audits.get(place.rpartition("/")[2])
    assert (kept.state, kept.job, dict(kept.request)["families"]) == (DONE, served.marketing, ["age"])
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    picture = page.locator(".report img").first
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("image => image.naturalWidth") > 100
