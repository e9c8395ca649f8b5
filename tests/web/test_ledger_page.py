"""The ledger as auditors and admins read it: in words, without contact data; verified; replayed."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable

import pytest

from evenhand.records.event import EventDraft
from evenhand.store.ledger_append import forget_subject
from tests.web.house import House
from tests.web.test_jobs import words

pytest_plugins = ["tests.web.house_fixtures"]


def alter(house: House, sequence: int, change: Callable[[str], str]) -> None:
    """What somebody with the database could do, guards taken away."""
    database = sqlite3.connect(house.context.settings.data_path / "evenhand.db")
    with database:
        guards = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (name,) in guards:
            database.execute(f'DROP TRIGGER "{name}"')
        [(body,)] = database.execute("SELECT body FROM ledger WHERE sequence = ?", (sequence,))
        assert change(body) != body
        database.execute("UPDATE ledger SET body = ? WHERE sequence = ?", (change(body), sequence))
    database.close()


def decided(house: House) -> int:
    """The number of the event."""
    house.store.decisions.decide(
        [house.ids["Asha"]], "reject", actor=house.people["bo"].id, reason="call asha.rao@example.org, +1 202 555 0143"
    )
    return house.store.ledger.head()[0]


def test_events_are_told_in_words_the_newest_first(house: House) -> None:
    number = decided(house)
    page = words(house.browser("di").get("/ledger").text)
    assert f"{number} " in page
    assert "decision reject: 1 application; 1 never opened Bo Carden Java Developer" in page
    assert "account added to a job, of Bo Carden test Java Developer" in page
    assert page.index("reject: 1 application") < page.index("added to a job")
    assert "account created, as admin, of Ada Brent" in page
    assert "5 applications imported from web the system" in page


def test_events_are_chosen_by_kind_and_job_and_leafed_through(house: House) -> None:
    decided(house)
    di = house.browser("di")
    page = di.get("/ledger?kind=decision").text
    assert "1 event" in words(page)
    assert "account" not in re.findall(r'class="kind kind-(\w+)"', page)
    mine = di.get(f"/ledger?job={house.job}").text
    assert set(re.findall(r'class="kind kind-(\w+)"', mine)) == {"job", "ingest", "account", "decision"}
    assert di.get("/ledger?kind=nonsense").status_code == 422
    assert di.get("/ledger?before=-1").status_code == 422
    assert "No such event" in di.get("/ledger?kind=export").text
    house.store.ledger.append(
        [EventDraft("view", "x", job=house.job, subjects=(house.ids["Asha"],), body={"what": "file"})] * 60
    )
    first = di.get("/ledger?kind=view")
    older = re.search(r'href="(/ledger\?[^"]*before=[^"]*)"', first.text)
    assert older
    rest = di.get(older[1].replace("&amp;", "&")).text
    assert (len(re.findall('class="when"', first.text)), len(re.findall('class="when"', rest))) == (50, 10)


def test_an_event_shows_what_is_sealed_but_no_contact_data(house: House) -> None:
    number = decided(house)
    page = house.browser("di").get(f"/ledger/{number}").text
    assert "call " in page
    assert "asha.rao" not in page
    assert "555" not in re.sub(r"\b[0-9a-z]{16,}\b", "", page)  # a hash may hold any digits
    assert house.store.ledger.get(number).hash in page
    assert f"/applications/{house.ids['Asha']}" in page
    with house.store.context.database.writing() as connection:
        forget_subject(connection, house.ids["Asha"])
    page = house.browser("di").get(f"/ledger/{number}").text
    assert "1 application erased since" in words(page)
    assert "reason erased" in words(page)
    assert house.ids["Asha"] not in page


def test_only_reviewers_read_it(house: House) -> None:
    bo = house.browser("bo")
    for address in ("/ledger", "/ledger/1", "/ledger/verify"):
        assert bo.get(address).status_code == 403
    for address in ("/ledger/verify", "/ledger/1/replay"):
        assert bo.post(address).status_code == 403
    assert house.browser("ada").get("/ledger/1").status_code == 200
    assert house.browser("di").get("/ledger/999999").status_code == 404
    assert house.browser("di").get("/ledger/nonsense").status_code == 422


def test_a_whole_chain_is_found_whole(house: House) -> None:
    decided(house)
    house.context.recorder.checkpoint()
    page = words(house.browser("di").post("/ledger/verify").text)
    number = house.store.ledger.head()[0]
    assert f"Ledger intact: {number} events, 2 checkpoints." in page  # setting it up was signed as well
    assert "No copy of the checkpoints is kept on another machine" in page


def test_an_altered_event_is_found_and_the_pages_go_on(house: House) -> None:
    number = decided(house)
    alter(house, number, lambda body: body.replace('"rejected"', '"offered"'))
    di = house.browser("di")
    page = words(di.post("/ledger/verify").text)
    assert "Ledger not intact: 2 findings." in page
    assert f"{number} Event {number} has been altered" in page
    assert f"Event {number} and the table of decisions differ in 1 of its applications." in page
    assert di.get("/ledger").status_code == 200


def test_verification_tells_our_script_how_far_it_is(house: House) -> None:
    decided(house)
    answer = house.browser("di").post("/ledger/verify", headers={"accept": "application/x-ndjson"})
    told = [json.loads(line) for line in answer.text.splitlines()]
    assert told[-1]["result"]["sound"] is True
    assert told[-1]["result"]["events"] == house.store.ledger.head()[0]


def test_a_ranking_is_made_again(house: House) -> None:
    assert house.browser("bo").get(f"/jobs/{house.job}").status_code == 200
    [event] = house.store.ledger.events(kinds=["ranking"])
    di = house.browser("di")
    assert "Replay ranking" in di.get(f"/ledger/{event.sequence}").text
    assert "Identical: 5 candidates in the same order" in di.post(f"/ledger/{event.sequence}/replay").text
    answer = di.post(f"/ledger/{event.sequence}/replay", headers={"accept": "application/json"}).json()
    assert (answer["identical"], answer["listed"], answer["differences"]) == (True, 5, [])
    assert di.post("/ledger/1/replay").status_code == 422


def test_a_ranking_that_was_tampered_with_comes_out_differently(house: House) -> None:
    """Two seals change places in the record."""
    house.browser("bo").get(f"/jobs/{house.job}")
    [event] = house.store.ledger.events(kinds=["ranking"])
    (one, _), (two, _) = event.body["listed"][:2]
    alter(house, event.sequence, lambda body: body.replace(one, "-").replace(two, one).replace('"-"', f'"{two}"'))
    page = house.browser("di").post(f"/ledger/{event.sequence}/replay").text
    assert "The replay differs." in page
    assert f"Number 1 of the list is {two[:12]} by the record and {one[:12]} made again." in page


@pytest.mark.parametrize("body", [{}, {"moves": 3}, {"action": None}])
def test_an_event_that_makes_no_sense_is_shown_all_the_same(house: House, body: dict[str, object]) -> None:
    house.store.ledger.append([EventDraft("decision", "x", job=house.job, body=body)])
    page = house.browser("di").get("/ledger").text
    assert "an event that cannot be read: verify the chain" in page
