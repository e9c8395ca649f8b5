"""Everything that can be read, read by those who are not to see all of it: nothing masked is in any answer."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

import pytest
from httpx2 import Response

from evenhand.store.jobs import JobSettings
from evenhand.web.access import BLIND
from tests.web.route_table import ROUTES, fill
from tests.web.world import OTTOLINE, ZEBULON, Person, Place, World, open_world

OWN = (ZEBULON, OTTOLINE)  # of the owner's job alone
READ = [path for method, path in ROUTES if method == "GET"]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("world")) as opened:
        yield opened


def answers(world: World, role: str, place: Place, **cookies: str) -> Iterator[tuple[str, Response]]:
    """To every address that can be read, for every application of the place and every event of the ledger."""
    client = world.client(role)
    for name, value in cookies.items():
        client.cookies.set(name, value)
    for address in dict.fromkeys(addresses(world, role, place)):
        yield address, client.get(address)
    for fragment in (f"/jobs/{place.job}", f"/jobs/{place.job}/why", f"/jobs/{place.job}/many"):
        asked = {"above": place.application, "below": place.other, "q": "payroll java"}
        yield fragment, client.get(fragment, params=asked, headers={"x-evenhand-fragment": "1"})


def addresses(world: World, role: str, place: Place) -> Iterator[str]:
    applications = [each.id for each in world.store.applications.of_job(place.job)]
    for path in READ:
        listed = ROUTES["GET", path]
        if "{sequence}" in path:
            for sequence in range(1, world.events + 1):
                yield path.replace("{sequence}", str(sequence))
        elif "{application}" in path:
            for application in applications:
                yield fill(path.replace("{application}", application), world, place, role)
        elif "{id}" in path and "imports" in path:
            yield path.replace("{job}", place.job).replace("{id}", place.import_)
        elif listed.query:
            query = listed.query(world, place, role)
            pairs = [(name, value) for name, values in query.items() for value in as_list(values)]
            yield fill(path, world, place, role) + "?" + "&".join(f"{name}={value}" for name, value in pairs)
        else:
            yield fill(path, world, place, role)


def as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def said(answer: Response) -> str:
    """All of it: headers, text, and what is packed inside."""
    found = [repr(sorted(answer.headers.items())), answer.content.decode("utf-8", "replace")]
    if answer.content[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
            found += [packed.read(name).decode("utf-8", "replace") for name in packed.namelist()]
            found += packed.namelist()
    return "\n".join(found).lower()


def reach(person: Person) -> list[str]:
    """Ways to reach somebody, in the forms in which they may stand somewhere."""
    digits = person.phone.replace(" ", "")
    return [person.mail, person.phone, digits, person.street, person.link.partition("//")[2]]


def names(person: Person) -> list[str]:
    return [person.first, person.last]


def test_auditors_learn_how_to_reach_nobody(world: World) -> None:
    hidden = [word.lower() for person in OWN for word in reach(person)]
    count = 0
    for address, answer in answers(world, "auditor", world.own):
        assert answer.status_code < 500, address
        text = said(answer)
        assert [word for word in hidden if word in text] == [], address
        count += answer.status_code == 200
    assert count > len(READ)
    assert "zebulon quillfeather" in said(world.client("auditor").get(f"/jobs/{world.own.job}"))


@pytest.mark.parametrize(("role", "chosen_by"), [("owner", "job"), ("auditor", "job"), ("admin", "person")])
def test_who_screens_blind_learns_no_name(world: World, role: str, chosen_by: str) -> None:
    """Whether everyone screens the job blind, or somebody has chosen to in her browser."""
    cookies = {}
    if chosen_by == "job":
        world.store.job_settings.change(world.own.job, JobSettings(blind=True), actor="test")
    else:
        cookies = {BLIND: "1"}
    hidden = [word.lower() for person in OWN for word in (*names(person), *reach(person), "leeds")]
    try:
        for address, answer in answers(world, role, world.own, **cookies):
            assert answer.status_code < 500, address
            text = said(answer)
            assert [word for word in hidden if word in text] == [], address
    finally:
        world.store.job_settings.change(world.own.job, JobSettings(), actor="test")


@pytest.mark.parametrize(("role", "place"), [("owner", "own"), ("stranger", "foreign")])
def test_what_a_recruiter_reads_tells_nothing_of_another_job(world: World, role: str, place: str) -> None:
    """Though one person has applied for both."""
    mine, other = (world.own, world.foreign) if place == "own" else (world.foreign, world.own)
    hidden = [word.lower() for word in (*other.secrets, *other.ids)]
    for address, answer in answers(world, role, mine):
        text = said(answer)
        assert [word for word in hidden if word in text] == [], address
