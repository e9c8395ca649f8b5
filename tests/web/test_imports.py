"""Files come in through the pages: one by one or in a form, with what became of each, whatever they are called."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from evenhand.screening.imports import plain_name
from tests.screening.applicants import ASHA, BACHELOR, Applicant
from tests.web.house import House

pytest_plugins = ["tests.web.house_fixtures"]

FAY = Applicant("Fay Lindqvist", "Oslo", BACHELOR, "Java", "Jan 2018", "Dec 2020").text.encode()
GUS = Applicant("Gus Marlowe", "Leeds", BACHELOR, "Python", "Feb 2019", "Dec 2022").text.encode()
EMPTY = b""
NOISE = bytes(range(256)) * 8


@pytest.fixture
def house_settings() -> dict[str, object]:
    return {"file_bytes": 20_000, "upload_bytes": 1_000_000}


def begun(client: TestClient, house: House, source: str = "fair") -> str:
    answer = client.post(f"/jobs/{house.job}/imports", data={"source": source})
    assert answer.status_code == 201
    assert answer.json()["address"] == f"/jobs/{house.job}/imports/{answer.json()['id']}"
    return str(answer.json()["id"])


def sent(client: TestClient, house: House, id: str, name: str, data: Any, **more: object) -> dict[str, Any]:
    answer = client.post(f"/jobs/{house.job}/imports/{id}/files", params={"name": name, **more}, content=data)  # type: ignore[dict-item]
    assert answer.status_code == 201
    found: dict[str, Any] = answer.json()
    return found


def finished(client: TestClient, address: str) -> dict[str, Any]:
    for _ in range(200):
        state: dict[str, Any] = client.get(f"{address}/state").json()
        if state["finished"]:
            return state
        time.sleep(0.05)
    raise AssertionError("the import does not end")


def test_files_come_one_by_one_and_each_is_told_of(house: House) -> None:
    client = house.browser("bo")
    id = begun(client, house)
    assert sent(client, house, id, "fay.txt", FAY) == {"number": 1, "refused": False}
    assert sent(client, house, id, "gus.txt", GUS) == {"number": 2, "refused": False}
    assert sent(client, house, id, "asha again.txt", ASHA.text.encode())["number"] == 3
    assert sent(client, house, id, "nothing.docx", EMPTY)["number"] == 4
    assert sent(client, house, id, "noise.pdf", NOISE)["number"] == 5
    address = f"/jobs/{house.job}/imports/{id}"
    assert client.post(f"{address}/seal").status_code == 303
    state = finished(client, address)
    assert state["counts"] == {"waiting": 0, "added": 2, "known": 1, "refused": 2}
    assert state["states"] == "aakrr"
    assert [(each["file"], each["code"]) for each in state["refused"]] == [
        ("nothing.docx", "empty_document"),
        ("noise.pdf", "unsupported_format"),
    ]
    page = client.get(address).text
    assert "2 new applications" in page
    assert "The file contains no text." in page
    assert f'href="/jobs/{house.job}"' in page
    assert {each.source for each in house.store.applications.of_job(house.job)} == {"web", "fair"}
    assert house.store.applications.count(house.job) == 7
    assert house.store.ledger.events(kinds=["import"])[0].body["files"] == {"added": 2, "known": 1, "refused": 2}
    assert "fair" in client.get(f"/jobs/{house.job}/import").text  # suggested as a source from now on


def test_an_import_that_was_left_can_be_gone_on_with(house: House) -> None:
    """What has come is taken in; the page asks whether that was all."""
    client = house.browser("bo")
    id = begun(client, house)
    sent(client, house, id, "fay.txt", FAY)
    address = f"/jobs/{house.job}/imports/{id}"
    assert "Is this import complete?" in client.get(address).text
    sent(client, house, id, "gus.txt", GUS)
    client.post(f"{address}/seal")
    assert finished(client, address)["counts"]["added"] == 2
    assert "Is this import complete?" not in client.get(address).text
    late = client.post(f"{address}/files", params={"name": "late.txt"}, content=FAY)
    assert late.status_code == 422


def test_a_form_without_script_takes_all_files_at_once(house: House) -> None:
    client = house.browser("bo")
    files = [("files", ("fay.txt", FAY)), ("files", ("huge.txt", b"x" * 20_001)), ("files", ("void", EMPTY))]
    answer = client.post(f"/jobs/{house.job}/import/files", files=files, data={"source": "  by   mail "})
    assert answer.status_code == 303
    state = finished(client, answer.headers["location"])
    assert state["states"] == "arr"
    assert [each["code"] for each in state["refused"]] == ["too_large", "empty_document"]
    assert "from by mail" in client.get(answer.headers["location"]).text
    nothing = client.post(f"/jobs/{house.job}/import/files", files={"source": (None, "x")})
    assert nothing.status_code == 422
    assert "Choose at least one file." in nothing.text


def chunks(total: int) -> Iterator[bytes]:
    for _ in range(total // 1_000):
        yield b"x" * 1_000


def test_a_file_beyond_the_limit_is_refused_while_it_comes_in(house: House) -> None:
    """Without a length in front, by its bytes; with one, before the first byte; or by what the browser says."""
    client = house.browser("bo")
    id = begun(client, house)
    assert sent(client, house, id, "streamed.pdf", chunks(30_000)) == {"number": 1, "refused": True}
    assert sent(client, house, id, "declared.pdf", b"x" * 20_001) == {"number": 2, "refused": True}
    assert sent(client, house, id, "claimed.pdf", b"", claimed=10**12) == {"number": 3, "refused": True}
    assert sent(client, house, id, "endless.pdf", chunks(1_200_000)) == {"number": 4, "refused": True}
    client.post(f"/jobs/{house.job}/imports/{id}/seal")
    state = finished(client, f"/jobs/{house.job}/imports/{id}")
    assert state["states"] == "rrrr"
    assert {each["code"] for each in state["refused"]} == {"too_large"}
    assert house.store.applications.count(house.job) == 5


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../../etc/passwd", "etc/passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("/absolute/cv.pdf", "absolute/cv.pdf"),
        ("cv\0.pdf", "cv .pdf"),
        ("a\r\nSet-Cookie: x.pdf", "a Set-Cookie: x.pdf"),
        ("\u202efdp.exe", "fdp.exe"),
        ("<img src=x onerror=alert(1)>.txt", "<img src=x onerror=alert(1)>.txt"),
        ("", "without a name"),
        ("....//", "...."),
        ("./.", "without a name"),
        ("Zoe\u0308.pdf", "Zoë.pdf"),
    ],
)
def test_names_are_labels_and_nothing_more(name: str, shown: str) -> None:
    assert plain_name(name) == shown


def test_a_very_long_name_keeps_its_beginning_and_its_end() -> None:
    found = plain_name("résumé " * 100 + "final.pdf")
    assert len(found) == 200
    assert found.startswith("résumé résumé")
    assert found.endswith("final.pdf")


def test_names_do_no_harm_on_the_way_through(house: House) -> None:
    client = house.browser("bo")
    id = begun(client, house)
    for name in ("../../evil.sh", "nul\0.txt", "x" * 5_000, "<script>alert(1)</script>.txt"):
        sent(client, house, id, name, FAY + name[:2].encode("utf-8", "replace"))
    client.post(f"/jobs/{house.job}/imports/{id}/seal")
    address = f"/jobs/{house.job}/imports/{id}"
    assert finished(client, address)["total"] == 4
    page = client.get(address).text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;.txt" in page
    kept = [path.name for path in house.context.settings.data_path.joinpath("files").rglob("*") if path.is_file()]
    assert hashlib.sha256(FAY + b"..").hexdigest() in kept
    assert all(len(name) == 64 for name in kept)


def test_an_import_belongs_to_its_job(house: House) -> None:
    """Nobody reaches an import by way of another job."""
    bo, cy = house.browser("bo"), house.browser("cy")
    id = begun(bo, house)
    assert cy.get(f"/jobs/{house.job}/imports/{id}").status_code == 404
    made = house.store.jobs.add(house.store.jobs.get(house.job).requirements, actor="test")
    house.store.jobs.grant_access(made, house.people["cy"].id, actor="test")
    assert cy.get(f"/jobs/{made}/imports/{id}").status_code == 404
    assert cy.get(f"/jobs/{made}/imports/{id}/state").status_code == 404
    assert cy.post(f"/jobs/{made}/imports/{id}/files?name=x", content=FAY).status_code == 404
    assert cy.post(f"/jobs/{made}/imports/{id}/seal").status_code == 404
    assert house.store.imports.get(id).files == ()


def test_who_is_not_signed_in_sends_nothing(house: House) -> None:
    client = house.visitor()
    assert client.post(f"/jobs/{house.job}/import/files", files={"files": ("a", FAY)}).status_code == 401
    assert client.post(f"/jobs/{house.job}/imports/x/files?name=a", content=FAY).status_code == 401
    assert house.store.imports.of_job(house.job) == []


def test_a_closed_job_takes_no_import(house: House) -> None:
    house.store.jobs.close(house.job)
    answer = house.browser("bo").post(f"/jobs/{house.job}/imports", data={}, headers={"accept": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["error"]["message"] == f"The job {house.job} is closed and takes no more applications."
