"""Everything that can be read, read by those who are not to see all of it: nothing masked is in any answer."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest
from httpx2 import Response
from markupsafe import escape
from sqlalchemy import delete, select

from evenhand.ledger.replay import replay
from evenhand.masking import masker
from evenhand.masking.page import MaskingPage
from evenhand.masking.stored import MASKS_VERSION
from evenhand.search import masks
from evenhand.search.service import open_data_folder
from evenhand.store.jobs import JobSettings
from evenhand.store.mined import mined_masks
from evenhand.web.access import BLIND
from tests.web.route_table import ROUTES, V1, fill
from tests.web.world import MARIGOLD, OTTOLINE, ZEBULON, Person, Place, World, open_world

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


@pytest.fixture
def blind_job(world: World) -> Iterator[str]:
    world.store.job_settings.change(world.own.job, JobSettings(blind=True), actor="test")
    yield world.own.job
    world.store.job_settings.change(world.own.job, JobSettings(), actor="test")


SEARCHES = ("{0}", '"{0}"', "{0} payroll", "{1}*", "+{0}", "-{0}", "{0} OR java", "employer:{0}", "employer:{1}*")
MASKED = ("Quillfeather", "Ottoline", "Vandersnipe", "Leeds", "Marrowbone", "zebulon.quillfeather@example.com")
NOBODY = "Wobblethorpe"


def found_by(world: World, job: str, typed: str, role: str = "owner", **cookies: str) -> Iterator[Any]:
    """What every address that takes a search answers to it, without the words of the search itself."""
    client, place = world.client(role), world.own
    for name, value in cookies.items():
        client.cookies.set(name, value)
    two = {"above": place.application, "below": place.other}
    listed = client.get(f"{V1}/jobs/{job}/screen", params={"q": typed})
    assert listed.status_code == 200, listed.text
    value = listed.json()
    names = ("total", "facets", "skill_months")
    yield (
        [value[name] for name in names],
        [
            [result["application"], result["score"], result["snippets"], result["matched"]]
            for result in value["results"]
        ],
    )
    for path, asked in (
        (f"{V1}/jobs/{job}/why", two),
        (f"{V1}/jobs/{job}/compare", {"application": [place.application, place.other]}),
        (f"/jobs/{job}/export.csv", {}),
        (f"/jobs/{job}/many", {"action": "reject", "keep": "1"}),
    ):
        answer = client.get(path, params={**asked, "q": typed})
        assert answer.status_code == 200 or (role == "auditor" and answer.status_code == 403), (path, answer.text)
        yield path, without_search(answer.text, typed)
    for application in (place.application, place.other):
        value = client.get(f"{V1}/applications/{application}", params={"q": typed}).json()
        yield [value[name] for name in ("rank", "total", "before", "after", "score")]


def without_search(text: str, typed: str) -> str:
    """Events are numbered on, and the words of a search stand in links and headings."""
    text = re.sub(r"seen=\d+|name=\"seen\" value=\"\d+\"|\"(?:ranking|sequence)\":\d+|/ledger/\d+", "", text)
    text = re.sub(r"q=[^&\"]*|(?i:search terms?: [^\",<]*)|the words “[^”]*”", "", text)
    words = [word for word in re.findall(r"[\w.@]+", typed) if len(word) > 3 and not word.isdigit()]
    for word in sorted({typed, str(escape(typed)), *words}, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", "", text)
    return re.sub(r"value=\"[^\"]*\"", "", text)


@pytest.mark.parametrize("form", SEARCHES)
def test_a_blind_search_finds_nobody_by_what_is_masked(world: World, blind_job: str, form: str) -> None:
    expected = list(found_by(world, blind_job, form.format(NOBODY, NOBODY[:-2])))
    for word in MASKED:
        if "@" in word and form != '"{0}"':
            continue
        answers_ = found_by(world, blind_job, form.format(word, word[:-2]))
        for answer, other in zip(answers_, expected, strict=True):
            assert answer == other, word


VIEWERS = [
    *(("auditor", False, {}), ("auditor", True, {}), ("auditor", False, {BLIND: "1"})),
    *(("owner", True, {}), ("owner", False, {BLIND: "1"}), ("admin", True, {}), ("admin", False, {BLIND: "1"})),
]


@pytest.mark.parametrize(("role", "by_job", "cookies"), VIEWERS)
def test_nobody_who_may_not_see_contact_data_finds_them(
    world: World, role: str, by_job: bool, cookies: dict[str, str]
) -> None:
    """Neither in counts, ranks and scores nor in snippets, whoever it is that may not see them."""
    world.store.job_settings.change(world.own.job, JobSettings(blind=by_job), actor="test")
    mail = ZEBULON.mail.partition("@")[0]
    words = [ZEBULON.mail, f"{mail}@example", ZEBULON.street, ZEBULON.phone, ZEBULON.link]
    try:
        list(found_by(world, world.own.job, NOBODY, role, **cookies))  # opens them: how many never were is told
        for form in ('"{0}"', '+"{0}"', '-"{0}"', 'java OR "{0}"'):
            expected = list(found_by(world, world.own.job, form.format(NOBODY), role, **cookies))
            for word in words:
                found = found_by(world, world.own.job, form.format(word), role, **cookies)
                for answer, other in zip(found, expected, strict=True):
                    assert answer == other, (form, word)
    finally:
        world.store.job_settings.change(world.own.job, JobSettings(), actor="test")


def test_auditors_find_the_names_they_see(world: World) -> None:
    client = world.client("auditor")
    for typed in ("+Quillfeather", '+"Zebulon Quillfeather"', "+quillf*"):
        answer = client.get(f"{V1}/jobs/{world.own.job}/screen", params={"q": typed})
        assert answer.json()["total"] == 1, typed


def test_whoever_sees_names_finds_them(world: World) -> None:
    client = world.client("owner")
    for typed in ("+Quillfeather", '+"Zebulon Quillfeather"', "+quillf*", "employer:Quillfeather"):
        answer = client.get(f"{V1}/jobs/{world.own.job}/screen", params={"q": typed})
        assert answer.json()["total"] == 1, typed


@pytest.mark.parametrize("typed", ["city:Leeds", "java AND city:Leeds"])
def test_masked_fields_are_asked_for_on_no_address(world: World, blind_job: str, typed: str) -> None:
    client, place = world.client("owner"), world.own
    for path, asked in (
        (f"{V1}/jobs/{blind_job}/screen", {}),
        (f"{V1}/jobs/{blind_job}/why", {"above": place.application, "below": place.other}),
        (f"/jobs/{blind_job}/export.csv", {}),
        (f"/jobs/{blind_job}/many", {"action": "reject", "keep": "0"}),
    ):
        answer = client.get(path, params={**asked, "q": typed}, headers={"accept": "application/json"})
        assert answer.status_code in (400, 422), (path, answer.text)
        assert "masked here" in answer.text, path
    body = {"action": "reject", "keep": 0, "query": f"q={typed}"}
    assert "masked here" in client.post(f"{V1}/jobs/{blind_job}/decisions/many", json=body).text


def test_blind_lists_are_made_again_from_the_ledger(world: World, blind_job: str) -> None:
    client = world.client("owner")
    sequences = [
        client.get(f"{V1}/jobs/{blind_job}/screen", params={"q": typed}).json()["ranking"]
        for typed in ("Quillfeather payroll", '-"Zebulon Quillfeather"', "+ottol*", "java -employer:Vandersnipe")
    ]
    with world.store.context.database.writing() as connection:  # rules may change, and then other words are masked
        connection.execute(delete(mined_masks))
    for sequence in sequences:
        assert replay(world.context.service, sequence).identical


def test_the_server_runs_no_pattern_over_a_resume(world: World, blind_job: str, monkeypatch: Any) -> None:
    real = masker.Masker._find

    def forbidden(self: masker.Masker, page: MaskingPage) -> Iterator[Any]:
        assert not (page.is_resume and page.text), "a resume is masked in the server"
        assert len(page.text) < 2_000
        return real(self, page)

    monkeypatch.setattr(masker.Masker, "_find", forbidden)
    monkeypatch.setattr(masker, "identify", None)
    for address, answer in answers(world, "owner", world.own):
        assert answer.status_code < 500, address


def test_masks_that_are_missing_or_of_other_rules_are_found_again(
    world: World, blind_job: str, monkeypatch: Any
) -> None:
    """As after an upgrade from a version that kept none."""
    database, settings = world.store.context.database, world.context.service.settings
    page = f"/applications/{world.own.application}"

    def kept() -> dict[str, str]:
        with database.reading() as connection:
            query = select(mined_masks.c.application, mined_masks.c.version)
            return {row.application: row.version for row in connection.execute(query)}

    everyone = [one.id for place in (world.own, world.foreign) for one in world.store.applications.of_job(place.job)]
    with database.writing() as connection:
        connection.execute(delete(mined_masks))
    for _ in range(2):  # before anybody has found them again, and after
        shown = said(world.client("owner").get(page))
        assert "[name]" in shown
        assert [word for word in names(ZEBULON) if word.lower() in shown] == []
        with open_data_folder(settings) as opened:
            opened.follow()
        assert kept() == dict.fromkeys(everyone, MASKS_VERSION)
    monkeypatch.setattr(masks, "MASKS_VERSION", "other rules")
    with open_data_folder(settings) as opened:
        opened.follow()
    assert kept() == dict.fromkeys(everyone, "other rules")


def text_of(world: World, document: str) -> str:
    return world.store.documents.text(document)


def test_an_open_job_does_not_tell_whose_application_another_is(world: World, blind_job: str) -> None:
    """One person has applied for both, and an administrator sees both."""
    own, foreign = (
        next(
            one.id
            for one in world.store.applications.of_job(place.job)
            if MARIGOLD.name in text_of(world, one.document)
        )
        for place in (world.own, world.foreign)
    )
    client = world.client("admin")
    assert foreign not in client.get(f"/applications/{own}").text
    assert foreign not in client.get(f"{V1}/applications/{own}").text
    assert own in client.get(f"{V1}/applications/{foreign}").text
    for one, other in ((own, foreign), (foreign, own)):
        difference = client.get(f"/applications/{one}/difference/{other}")
        assert difference.status_code == 200
        assert [word for word in names(MARIGOLD) if word.lower() in said(difference)] == []


def test_a_search_of_who_saw_names_is_not_told_to_who_may_not(world: World) -> None:
    typed = {"q": "Quillfeather payroll"}
    sequence = world.client("owner").get(f"{V1}/jobs/{world.own.job}/screen", params=typed).json()["ranking"]
    auditor = world.client("auditor")
    assert "quillfeather" in said(auditor.get(f"/ledger/{sequence}"))
    auditor.cookies.set(BLIND, "1")
    assert "quillfeather" not in said(auditor.get(f"/ledger/{sequence}"))
    assert "quillfeather" not in said(auditor.get(f"{V1}/ledger/{sequence}"))
