"""Watch lists, and the ledger: verified, replayed, and found out when somebody has changed it."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import expect

from tests.browser.counting import ranked
from tests.browser.served import Served
from tests.browser.visiting import Visits


def test_a_watched_company_flags_and_stops_flagging(visits: Visits, served: Served) -> None:
    """A company at which exactly those worked whom the profiles say so."""
    employers: dict[str, set[str]] = {}
    for application in [*served.applications(served.marketing), *served.applications(served.sales)]:
        for position in served.profile(application).positions:
            if position.employer:
                employers.setdefault(position.employer.value, set()).add(application.id)
    listed = {entry.name for entry in served.store.watchlist.entries()}
    company = sorted(name for name, who in employers.items() if len(who) == 1 and name not in listed)[0]
    (flagged,) = employers[company]
    page = visits.page("admin", "/watch-lists")
    panel = page.locator("section", has=page.get_by_role("heading", name=re.compile("^Companies")))
    before = panel.locator("tbody tr").count()
    panel.get_by_label("Names, one a line").fill(f"{company}\nNobody's Employer Ltd\t<b>a note of its own</b>")
    panel.get_by_label("Note").fill("left a bill unpaid")
    panel.get_by_role("button", name="Add").click()
    expect(page.get_by_role("status").filter(has_text="2 names new.")).to_be_visible()
    row = panel.locator("tr", has=page.get_by_role("rowheader", name=company, exact=True))
    expect(row).to_contain_text("left a bill unpaid")
    expect(row.locator("td.number")).to_have_text("1")
    expect(panel.locator("tr", has_text="Nobody's Employer")).to_contain_text("<b>a note of its own</b>")

    job = served.store.applications.get(flagged).job
    recruiter = visits.page("robin", f"/jobs/{job}?size=50")
    expect(recruiter.locator(f"#a-{flagged} .flagline", has_text=company)).to_be_visible()
    recruiter.goto(f"/applications/{flagged}")
    flag = recruiter.locator("#flags .flag", has_text=company)
    flag.get_by_text("Dismiss").first.click()
    flag.get_by_label("Reason for dismissing").fill("Another company of that name.")
    flag.get_by_role("button", name="Dismiss").click()
    expect(recruiter.locator("#flags")).to_contain_text("1 flag dismissed")

    row.get_by_role("button", name=f"Remove {company}").click()
    expect(page.locator("#say")).to_contain_text(f"Removed {company}.")
    assert company not in {entry.name for entry in served.store.watchlist.entries()}
    page.locator("#say").get_by_role("button", name="Undo").click()
    expect(row).to_be_visible()
    entry = next(entry for entry in served.store.watchlist.entries() if entry.name == company)
    assert entry.note == "left a bill unpaid"
    for name in (company, "Nobody's Employer Ltd"):
        page.get_by_role("button", name=f"Remove {name}").click()
        expect(page.locator("#say")).to_contain_text(f"Removed {name}.")
    page.reload()
    expect(panel.locator("tbody tr")).to_have_count(before)
    recruiter.goto(f"/jobs/{job}?size=50")
    expect(recruiter.locator(".flagline", has_text=company)).to_have_count(0)


def test_a_ranking_is_made_again_after_decisions_and_corrections(visits: Visits, served: Served) -> None:
    page = visits.page("robin", f"/jobs/{served.marketing}?q=hubspot")
    seen = page.locator("#list").get_attribute("data-seen")
    first = ranked(page)[0]
    served.store.decisions.decide(
        [ranked(page)[5]], "reject", actor=served.staff["robin"], reason="So that something changes."
    )
    auditor = visits.page("auditor", "/ledger")
    expect(auditor.locator("table.events tbody tr").first).to_be_visible()
    auditor.get_by_label("Kind").select_option("ranking")
    auditor.get_by_role("button", name="Show").click()
    expect(auditor.locator("table.events .kind").first).to_have_text("ranking")
    auditor.locator("table.events").get_by_role("link", name=seen, exact=True).click()
    expect(auditor.get_by_role("heading", level=1)).to_have_text(f"Event {int(seen or 0):,}")
    expect(auditor.get_by_role("main")).to_contain_text("hubspot")  # a sealed value, opened for auditors
    auditor.get_by_role("button", name="Replay ranking").click()
    expect(auditor.locator("[data-replayed]")).to_have_text(
        "Identical: 20 candidates in the same order with the same parts."
    )
    assert first  # the list that was replayed was not empty


def test_the_chain_is_verified_and_a_change_is_found(visits: Visits, served: Served) -> None:
    page = visits.page("auditor", "/ledger")
    page.get_by_role("link", name="Verify ledger").click()
    button = page.get_by_role("button", name=re.compile(r"^Verify [\d,]+ events$"))
    button.click()
    verdict = page.locator("[data-verdict]")
    expect(verdict).to_contain_text(re.compile(r"Ledger intact: [\d,]+ events, \d+ checkpoints?\."))

    # Somebody with access to the database makes a rejection out of another decision.
    with closing(sqlite3.connect(served.service.settings.data_path / "evenhand.db")) as database:
        read = "SELECT sequence, body FROM ledger WHERE kind = 'decision' AND body LIKE '%shortlist%' LIMIT 1"
        sequence, body = database.execute(read).fetchone()
        with pytest.raises(sqlite3.IntegrityError, match="appended to, and nothing else"):
            database.execute("UPDATE ledger SET kind = kind")
        triggers = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'ledger'"
        guards = database.execute(triggers).fetchall()
        for name, _ in guards:  # as whoever has the database can
            database.execute(f"DROP TRIGGER {name}")
        put = "UPDATE ledger SET body = ? WHERE sequence = ?"
        database.execute(put, (str(body).replace("shortlist", "reject"), sequence))
        database.commit()
        button.click()
        expect(verdict).to_contain_text("Ledger not intact")
        expect(verdict.get_by_role("link", name=str(sequence), exact=True).first).to_be_visible()
        database.execute(put, (body, sequence))
        for _, made in guards:
            database.execute(made)
        database.commit()
    button.click()
    expect(verdict).to_contain_text("Ledger intact")
