"""Audits of real jobs, kept and compared; the pack made from them; and a server's own thread that runs them."""

from __future__ import annotations

import hashlib
import io
import json
import re
import subprocess
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import evenhand
from evenhand.audit.background import Auditor
from evenhand.audit.evidence_pack import DUTIES, duties_markdown, make_pack, write_pack
from evenhand.audit.history import DRIFT
from evenhand.audit.notices import give_notice, notices
from evenhand.audit.pseudonyms import only_changes, without_contact
from evenhand.audit.run import AuditRequest, kept_report, queue_audit, run_and_keep
from evenhand.errors import NotFound, UsageError
from evenhand.records.event import EventDraft
from evenhand.records.groups import SelfIdentification
from evenhand.records.report import MarkedText, Report, ReportSection, TextPair
from evenhand.screening.service import open_service
from evenhand.search.service import Service
from evenhand.settings import Settings
from evenhand.store.audits import DONE, FAILED, WAITING
from evenhand.store.self_identifications import SelfIdentificationStore
from tests.cli.judged import JOB, judge, likes_degrees

MANY = 60
SECONDS = 90.0


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(data=str(tmp_path_factory.mktemp("audited")))


@pytest.fixture(scope="module")
def service(filled: Settings) -> Iterator[Service]:
    with open_service(filled) as opened:
        yield opened


@pytest.fixture(scope="module")
def job(service: Service) -> str:
    """Whoever has a degree is shortlisted, and three of four men but one of four women have one."""
    id = service.store.jobs.add(JOB)
    people = judge(service.store, id, "ann", MANY, likes_degrees)
    said = []
    for at, application in enumerate(people.values()):
        has_degree, turn = at % 2 == 1, at // 2 % 4
        is_man = turn != 0 if has_degree else turn == 0
        groups = {"sex": "male" if is_man else "female", "race": "White" if turn < 2 else "Asian"}
        said.append(SelfIdentification(application, groups))
    SelfIdentificationStore(service.store.context).save(said, actor="ann", job=id)
    return id


def outcomes_of(job: str) -> AuditRequest:
    return AuditRequest(job, ("outcomes",))


def test_an_audit_is_kept_and_the_next_is_compared_with_it(service: Service, job: str) -> None:
    first, report = run_and_keep(service, outcomes_of(job), actor="ann")
    assert report.worst == "concern"
    assert kept_report(service, first.id).to_json() == json.loads(json.dumps(report.to_json()))
    assert DRIFT not in first.findings
    second, again = run_and_keep(service, outcomes_of(job), actor="ann")
    assert second.previous == first.id
    assert [each.severity for each in again.findings if each.code == DRIFT] == ["clear"]
    assert {code for code in second.findings if code != DRIFT} == set(first.findings)


def test_what_cannot_be_audited_is_on_record_as_failed(service: Service) -> None:
    empty = service.store.jobs.add(JOB)
    with pytest.raises(UsageError, match="nothing to audit"):
        queue_audit(service, outcomes_of(empty), actor="ann")
    with pytest.raises(UsageError):
        run_and_keep(service, outcomes_of(empty), actor="ann")
    assert [each.state for each in service.store.audits.all(job=empty)] == [FAILED]


def test_a_server_runs_what_was_asked_for_in_a_process_of_its_own(service: Service, job: str) -> None:
    id = queue_audit(service, outcomes_of(job), actor="ann")
    auditor = Auditor(service, look_seconds=0.2)
    auditor.start()
    deadline = time.monotonic() + SECONDS
    while service.store.audits.get(id).state != DONE and time.monotonic() < deadline:
        time.sleep(0.1)
    auditor.stop()
    assert service.store.audits.get(id).message is None
    assert service.store.audits.get(id).worst == "concern"


@pytest.fixture
def trapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with modules of names that Evenhand imports; each leaves a trace when it is."""
    trace = tmp_path / "trace"
    for name in ("evenhand", "json", "numpy", "sqlalchemy", "multiprocessing"):
        (tmp_path / f"{name}.py").write_text(f"open({str(trace)!r}, 'a').write({name!r})\nraise SystemExit(7)\n")
    monkeypatch.chdir(tmp_path)
    return trace


def test_an_audit_runs_no_code_of_the_working_folder_and_gets_no_secrets(
    service: Service, job: str, trapped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_SECRET", "s3cret")
    seen: list[dict[str, Any]] = []
    start = subprocess.Popen

    def watched(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        seen.append(options)
        return start(command, **options)

    monkeypatch.setattr("evenhand.audit.background.subprocess.Popen", watched)
    test_a_server_runs_what_was_asked_for_in_a_process_of_its_own(service, job)
    assert not trapped.exists()
    assert [options["cwd"] for options in seen] == ["/"]
    assert "SOME_SECRET" not in seen[0]["env"]


def test_every_process_of_ours_is_started_by_the_same_rules() -> None:
    """`own_command` has -P; without it `python -m` imports what lies in the working folder."""
    package = Path(evenhand.__file__).parent
    calls = re.compile(
        r"sys\.executable|subprocess\.(?:Popen|run|call|check_\w+)\(|os\.(?:system|popen|exec|spawn)\w*\("
    )
    found = {
        (str(path.relative_to(package)), call)
        for path in package.rglob("*.py")
        for call in calls.findall(path.read_text(encoding="utf-8"))
    }
    assert found == {
        ("documents/sandbox/child.py", "sys.executable"),
        ("documents/sandbox/child.py", "subprocess.Popen("),
        ("audit/background.py", "subprocess.Popen("),
        ("documents/ocr/engines.py", "subprocess.run("),  # Tesseract, inside the sandbox
        ("ledger/checkpoints.py", "subprocess.run("),  # the command that whoever runs Evenhand has set
    }


def test_a_server_that_stops_lays_back_what_it_has_begun(service: Service, job: str) -> None:
    id = queue_audit(service, outcomes_of(job), actor="ann")
    auditor = Auditor(service, look_seconds=0.2)
    auditor.start()
    while service.store.audits.get(id).state == WAITING:
        time.sleep(0.01)
    auditor.stop()
    assert service.store.audits.get(id).state in (WAITING, DONE)
    service.store.audits.fail(id, "not needed any more")


def test_notices_are_events_that_cannot_be_changed(service: Service, job: str) -> None:
    text = "A tool orders applications.\nA person decides."
    made = give_notice(service.store, text, job=job, channel=" job  advertisement ", given="2026-11-01", actor="ann")
    everywhere = give_notice(service.store, "To all.", job=None, channel="careers page", given=None, actor="ann")
    assert (made.channel, made.sha256) == ("job advertisement", hashlib.sha256(text.encode()).hexdigest())
    assert [each.sequence for each in notices(service.store, job)] == [made.sequence, everywhere.sequence]
    assert service.store.ledger.get(made.sequence).body["text"] == text
    for wrong in ({"text": " "}, {"channel": ""}, {"given": "yesterday"}):
        given = {"text": "x", "channel": "e-mail", "given": None, **wrong}
        with pytest.raises(UsageError):
            give_notice(service.store, job=job, actor="ann", **given)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        give_notice(service.store, "x", job="none", channel="e-mail", given=None, actor="ann")


def test_the_pack_has_every_file_of_the_table_and_the_hash_of_each(service: Service, job: str, tmp_path: Path) -> None:
    made = write_pack(service, job, tmp_path / "pack.zip", actor="ann")
    assert made.missing == ()
    with zipfile.ZipFile(tmp_path / "pack.zip") as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(files["manifest.json"])
    assert manifest["sha256"] == {
        name: hashlib.sha256(content).hexdigest() for name, content in files.items() if name != "manifest.json"
    }
    for duty in DUTIES:
        for wanted in duty.files:
            assert any(name == wanted or (wanted.endswith("/") and name.startswith(wanted)) for name in files), wanted
    assert json.loads(files["log/verification.json"])["sound"] is True
    event = service.store.ledger.get(service.store.ledger.head()[0])
    assert event.body["sha256"] == hashlib.sha256(made.content).hexdigest()
    check_ll144(json.loads(files["ll144/summary.json"]))


def check_ll144(summary: dict[str, object]) -> None:
    """Of 30 with a degree 22 are men, of 30 without 8: 22 of 30 men and 8 of 30 women are shortlisted."""
    [by_sex] = [
        table
        for table in summary["tables"]  # type: ignore[attr-defined]
        if (table["variable"], table["measure"]) == ("sex", "selection")
    ]
    found = {each["category"]: each for each in by_sex["categories"]}
    assert (found["male"]["applicants"], found["male"]["selected"]) == (30, 22)
    assert (found["female"]["applicants"], found["female"]["selected"]) == (30, 8)
    assert found["female"]["impact_ratio"] == pytest.approx(8 / 22)


def test_nobody_is_named_in_the_pack(service: Service, job: str) -> None:
    named = service.store.applications.of_job(job)
    report = kept_report(service, service.store.audits.all(job=job, states=[DONE])[0].id).to_json()
    who = next(iter(named))
    stretch = {"text": "Zebulon Quillfeather, zq@example.com", "marks": []}
    pair = {"type": "pair", "title": who.id, "left": stretch, "right": stretch, "left_outcome": "", "right_outcome": ""}
    report["sections"].append({"title": f"Of {who.file}", "blocks": [pair]})
    report["data"] = {who.id: 1, "document": who.document}
    id = service.store.audits.request("swaps", job=job, request=outcomes_of(job).to_json(), actor="ann", running=True)
    service.store.audits.finish(id, report)
    with zipfile.ZipFile(io.BytesIO(make_pack(service, job, actor="ann").content)) as archive:
        everything = b"\n".join(archive.read(name) for name in archive.namelist()).decode()
    for secret in ("Quillfeather", "zq@example.com", who.id, who.document, who.file or "no file"):
        assert secret not in everything


def test_a_part_that_cannot_be_made_says_why(service: Service) -> None:
    bare = service.store.jobs.add(JOB)
    service.store.ledger.append([EventDraft("note", "ann", job=bare, body={"what": "added"})])
    made = make_pack(service, bare, actor="ann")
    with zipfile.ZipFile(io.BytesIO(made.content)) as archive:
        assert "No audit of this job" in archive.read("audits/MISSING.txt").decode()
    assert {line.partition(":")[0] for line in made.missing} >= {"ll144", "adverse-impact", "audits"}


def test_resumes_are_quoted_without_contact_data() -> None:
    text = "Ada Brent\nada@example.com | +44 20 7946 0101\nLeeds"
    at = text.index("Leeds")
    pair = TextPair("", MarkedText(text, ((0, 9), (at, at + 5))), MarkedText(text), "", "")
    found = without_contact(Report("swaps", "", "", "", (), (ReportSection("", (pair,)),)))
    [quoted] = found.sections[0].blocks
    assert isinstance(quoted, TextPair)
    for side in (quoted.left, quoted.right):
        assert "ada@example.com" not in side.text
        assert "7946" not in side.text
    assert [quoted.left.text[start:end] for start, end in quoted.left.marks] == ["Ada Brent", "Leeds"]


def test_a_change_inside_a_link_does_not_show_the_rest_of_it() -> None:
    text = "Ada Brent\nlinkedin.com/in/ada-brent-7731 | github.com/ada-brent7731\nLeeds"
    marks = [(match.start(), match.end()) for match in re.finditer("ada", text)]
    pair = TextPair("", MarkedText(text, tuple(marks)), MarkedText(text), "", "")
    [quoted] = without_contact(Report("swaps", "", "", "", (), (ReportSection("", (pair,)),))).sections[0].blocks
    assert isinstance(quoted, TextPair)
    assert quoted.left.text == quoted.right.text == "Ada Brent\n[link] | [link]\nLeeds"
    assert [quoted.left.text[start:end] for start, end in quoted.left.marks] == ["[link]", "[link]"]


def test_the_documentation_has_the_table_of_duties() -> None:
    page = Path(__file__).parents[2] / "docs" / "concepts" / "duties.md"
    assert duties_markdown() in page.read_text(encoding="utf-8")


def test_who_sees_a_job_blind_sees_what_was_changed_and_no_more() -> None:
    text = "Zebulon Quillfeather\nLives in Pikeville, KY since 2012"
    at = text.index("Pikeville")
    pair = TextPair("", MarkedText(text, ((at, at + 13),)), MarkedText(text), "", "")
    [seen] = only_changes(Report("swaps", "", "", "", (), (ReportSection("", (pair,)),))).sections[0].blocks
    assert isinstance(seen, TextPair)
    assert (seen.left.text, seen.right.text) == (" […] Pikeville, KY […] ", " […] ")
    assert [seen.left.text[start:end] for start, end in seen.left.marks] == ["Pikeville, KY"]
