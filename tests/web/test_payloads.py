"""Scripts and formulas in every field, file name and resume: none reaches a page as markup, none a cell as formula.

The fields come from the application itself, so a new one is tried as soon as it exists.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from fastapi.routing import APIRoute, iter_route_contexts
from fastapi.testclient import TestClient
from httpx2 import Response
from openpyxl import load_workbook
from pydantic import BaseModel
from selectolax.lexbor import LexborHTMLParser, LexborNode

from evenhand.applicants.corrections import correct
from evenhand.mining.corrections import CorrectionInput
from evenhand.screening.imports import keep_upload, run_import
from tests.web.payloads import FORMULAS, MARK, PAYLOADS, SCRIPTS
from tests.web.route_table import ROUTES, fill
from tests.web.test_what_is_masked import addresses
from tests.web.world import World, open_world

ADDRESSES = ("href", "src", "action", "formaction", "data", "poster", "xlink:href", "srcset")
NEVER = ("iframe", "object", "embed", "base", "math", "frame", "applet")
BAD_REQUEST = 400
ENDS = ("/sign-out", "/account/sessions/end", "/erase", "/erasure", "/disable", "/role", "/close")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("payloads")) as opened:
        yield opened


def check_harmless(answer: Response, about: str) -> None:
    """Parsed as a browser parses it: nothing of a payload has become an element, an attribute or an address."""
    assert answer.status_code < 500, f"{about}: {answer.status_code}"
    assert answer.headers["x-content-type-options"] == "nosniff", about
    kind = answer.headers.get("content-type", "")
    if not kind.startswith("text/html"):
        return
    assert "script-src 'self'" in answer.headers["content-security-policy"], about
    for node in LexborHTMLParser(answer.text).css("*"):
        assert (fault := _fault(node)) is None, f"{about}: {fault} in {(node.html or '')[:300]}"


def _fault(node: LexborNode) -> str | None:
    attributes = node.attributes
    if MARK in attributes or node.tag in NEVER:
        return "an element of a payload"
    if any(name.startswith("on") or name in ("srcdoc", "style") for name in attributes):
        return "an attribute that runs"
    if node.tag == "script" and not (attributes.get("src") or "").startswith("/static/"):
        return "a script that is not ours"
    if node.tag == "meta" and (attributes.get("http-equiv") or "").lower() == "refresh":
        return "a directive"
    spoken = ["".join((attributes.get(name) or "").split()).lower() for name in ADDRESSES]
    if any(each.startswith(("javascript:", "vbscript:", "data:text")) for each in spoken):
        return "an address that runs"
    return None


def test_the_check_finds_what_was_not_escaped() -> None:
    for payload in SCRIPTS:
        if "<" in payload and not payload.startswith(("javascript", '" ', "' ", "x ")):
            nodes = LexborHTMLParser(f"<p>{payload}</p><i title='x'>x</i>").css("*")
            assert any(_fault(node) for node in nodes), payload
    for quote, payload in (('"', '" evh onfocus=x() x="'), ("'", "' evh onclick=x() x='")):
        nodes = LexborHTMLParser(f"<input value={quote}{payload}{quote}>").css("input")
        assert any(_fault(node) for node in nodes)


def text_fields(route: APIRoute) -> list[str]:
    """Of the body and of the query."""
    found = []
    for parameter in (*route.dependant.body_params, *route.dependant.query_params):
        kind = parameter.field_info.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            found += [name for name, field in kind.model_fields.items() if "str" in str(field.annotation)]
        elif "str" in str(kind):
            found.append(parameter.alias)
    return found


def test_every_field_of_every_route(world: World) -> None:
    """As whoever may do most. What a field refuses is told in a page or answer that is as harmless."""
    client = world.client("admin")
    tried = 0
    for found in iter_route_contexts(world.app.routes):
        route = found.original_route
        if not isinstance(route, APIRoute):
            continue
        for method in found.methods or ():
            if not str(found.path).endswith(ENDS):
                tried += _try_fields(world, client, (method, str(found.path)), text_fields(route))
    assert tried > 5_000
    check_all_pages(world)


def _try_fields(world: World, client: TestClient, key: tuple[str, str], names: list[str]) -> int:
    """All at once; one by one where that is too long, and a single one would be kept."""
    tried = 0
    for name in names:
        kept = _send(world, client, key, name, " ".join(PAYLOADS)).status_code < BAD_REQUEST
        tried += len(PAYLOADS)
        if not kept and _send(world, client, key, name, SCRIPTS[0]).status_code < BAD_REQUEST:
            for payload in PAYLOADS:
                _send(world, client, key, name, payload)
    return tried


def _send(world: World, client: TestClient, key: tuple[str, str], name: str, payload: str) -> Response:
    method, path = key
    listed, place, role = ROUTES[key], world.own, "admin"
    address = fill(path, world, place, role)
    sent: dict[str, Any] = {}
    if listed.json:
        sent["json"] = {**listed.json(world, place, role), name: payload}
    elif method == "GET":
        asked = {**(listed.query(world, place, role) if listed.query else {}), name: payload}
        address += "?" + urlencode(asked, doseq=True)
    else:
        sent["data"] = {**(listed.form(world, place, role) if listed.form else {}), name: payload}
    answer: Response = client.request(method, address, **sent)
    check_harmless(answer, f"{method} {path} {name}")
    return answer


def check_all_pages(world: World) -> None:
    for role in ("admin", "owner", "auditor"):
        client = world.client(role)
        for address in dict.fromkeys(addresses(world, role, world.own)):
            check_harmless(client.get(address), f"{role} {address}")


def test_file_names_and_resumes(world: World) -> None:
    """One resume says them all, one bears each as its file's name; the good, the bad and the odd files alike."""
    place, service = world.own, world.context.service
    import_ = world.store.imports.begin(place.job, actor="test", source=SCRIPTS[12])
    lines = "\n".join(f"- Developed {payload} with Java" for payload in PAYLOADS)
    said = f"{SCRIPTS[0]}\n{SCRIPTS[12]}@example.com\n\nEXPERIENCE\n\n{SCRIPTS[16]}, {SCRIPTS[20]} Ltd\n"
    said += f"Jan 2020 - Apr 2023\n{lines}\n\nSKILLS\n\nJava, {', '.join(SCRIPTS)}\n"
    keep_upload(service, import_, "all.txt", said.encode())
    for number, payload in enumerate(PAYLOADS):
        kind = (".txt", ".pdf")[number % 2]  # the PDFs are none, and are told so by their names
        keep_upload(service, import_, f"{payload}{kind}", f"Person {number}\n\nSKILLS\n\nJava\n".encode())
    world.store.imports.seal(import_)
    run_import(service, import_)
    service.follow()
    client = world.client("owner")
    for address in (f"/jobs/{place.job}/imports/{import_}", f"/jobs/{place.job}?size=100"):
        check_harmless(client.get(address), address)
    for application in world.store.applications.of_job(place.job):
        if application.file == "all.txt":
            for view in ("", "/masked-text", "/receipt", "/receipt.html", "/correct", "/erase"):
                address = f"/applications/{application.id}{view}"
                answer = client.get(address)
                assert answer.status_code == 200
                check_harmless(answer, address)


def test_no_cell_is_a_formula(world: World) -> None:
    place = world.own
    applications = list(world.store.applications.of_job(place.job))
    for application, formula in zip(applications, FORMULAS, strict=False):
        world.store.notes.add_tag(application.id, formula, actor="test")
        correct(world.context.service, application, CorrectionInput("name", formula), actor="test")
    world.context.service.follow()
    client = world.client("owner")
    text = client.get(f"/jobs/{place.job}/export.csv").content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert len(rows) > len(applications)
    for cell in (cell for row in rows for cell in row):
        assert not _starts_formula(cell), cell
    book = load_workbook(io.BytesIO(client.get(f"/jobs/{place.job}/export.xlsx").content))
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
    assert [cell.value for cell in cells if cell.data_type == "f"] == []


def _starts_formula(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return cell.lstrip('\t\r\n \u00a0\ufeff"')[:1] in ("=", "+", "-", "@", "＝")
    return False
