"""The rights of applicants from the command line: found, told, corrected, exported, erased; rules and backups."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest
from openpyxl import load_workbook
from typer.testing import CliRunner

from evenhand.cli.main import app
from tests.cli.test_service import JOB, RESUMES


def run(*arguments: str, code: int = 0) -> tuple[str, str]:
    result = CliRunner().invoke(app, list(arguments))
    if result.exception and not isinstance(result.exception, SystemExit):
        assert code, result.exception
        return "", str(result.exception)
    assert result.exit_code == code, result.output
    return result.stdout, result.stderr


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three applicants for a job; a test gets a copy."""
    folder = tmp_path_factory.mktemp("kept")
    inbox = folder / "inbox"
    inbox.mkdir()
    for name, text in RESUMES.items():
        (inbox / name).write_text(text)
    (folder / "job.txt").write_text(JOB)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("EVENHAND_DATA", str(folder / "data"))
        job = run("job", "add", str(folder / "job.txt"))[0].splitlines()[-1]
        run("ingest", str(inbox), "--job", job, "--as-of", "2026-01", "--workers", "1")
    (folder / "job").write_text(job)
    return folder


@pytest.fixture
def data(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(kept, tmp_path / "kept")
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path / "kept" / "data"))
    return tmp_path / "kept"


def id_of(name: str) -> str:
    return str(json.loads(run("applicant", "find", name, "--json")[0].splitlines()[0])["application"])


def test_finding(data: Path) -> None:
    line = run("applicant", "find", "ada brent")[0]
    assert "Ada Brent <ada@example.com>  Java Developer, New (by name)" in line
    assert run("applicant", "find", "Nobody At All") == ("", "Nobody was found.\n")
    run("applicant", "find", "x", code=2)


def test_a_receipt(data: Path, tmp_path: Path) -> None:
    html, pdf = tmp_path / "r.html", tmp_path / "r.pdf"
    ada = id_of("Ada Brent")
    run("applicant", "receipt", ada, "--html", str(html), "--pdf", str(pdf))
    assert "Your application for Java Developer" in html.read_text()
    assert pdf.read_bytes().startswith(b"%PDF")
    assert html.stat().st_mode & 0o077 == 0
    found = json.loads(run("applicant", "receipt", ada, "--json")[0])
    assert (found["name"], found["rank"]["rank"], found["rank"]["total"]) == ("Ada Brent", 1, 3)
    run("applicant", "receipt", ada, code=2)
    run("applicant", "receipt", "nobody", "--json", code=2)


def test_an_archive(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "ada.zip"
    run("applicant", "export", id_of("Ada Brent"), "--out", str(out), "--all")
    assert zipfile.ZipFile(out).read("original.txt").decode() == RESUMES["ada.txt"]
    assert out.stat().st_mode & 0o077 == 0
    run("applicant", "export", id_of("Ada Brent"), "--out", str(out), code=1)  # it is there already


def test_lists_as_spreadsheets(data: Path, tmp_path: Path) -> None:
    job = (data / "job").read_text()
    _, said = run("export", "--job", job, "--csv", str(tmp_path / "l.csv"))
    assert said == f"Written: {tmp_path / 'l.csv'} (3 candidates of 3)\n"
    assert (tmp_path / "l.csv").read_text(encoding="utf-8-sig").splitlines()[1].startswith('1,"Ada Brent"')
    run("export", "--job", job, "kubernetes", "--xlsx", str(tmp_path / "l.xlsx"), "--contact")
    rows = list(load_workbook(tmp_path / "l.xlsx")["Candidates"].values)
    assert "ada@example.com" in {cell for row in rows for cell in row}
    run("export", "--job", job, code=2)


def test_corrections(data: Path) -> None:
    bo = id_of("Bo Carden")
    said, _ = run(
        *("applicant", "correct", bo, "--field", "position.dates", "--entry", "1"),
        *("--start", "2016-01", "--end", "present", "--reason", "He wrote"),
    )
    before, _, rest = said.partition("\n")
    assert before.startswith("Rank 2 of 3 before, ")
    assert "points before" in before
    correction = rest.split()[-1]
    found = json.loads(run("applicant", "receipt", bo, "--json")[0])
    assert found["corrections"][0]["new"] == {"start": "2016-01", "end": "present"}
    run("applicant", "undo-correction", bo, correction)
    run("applicant", "undo-correction", bo, correction, code=2)
    run("applicant", "correct", bo, "--field", "shoe size", "--value", "44", code=2)


def test_a_correction_is_proposed_for_the_same_file_in_another_job(data: Path, tmp_path: Path) -> None:
    bo = id_of("Bo Carden")
    (tmp_path / "bo.txt").write_text(RESUMES["bo.txt"])
    (tmp_path / "ad.txt").write_text("We look for a developer with Java.\n")
    job = run("job", "add", str(tmp_path / "ad.txt"))[0].splitlines()[-1]
    run("ingest", str(tmp_path / "bo.txt"), "--job", job, "--as-of", "2026-01", "--workers", "1")
    ids = [line.split()[0] for line in run("applicant", "find", "Bo Carden")[0].splitlines()]
    [other] = [id for id in ids if id != bo]
    said, _ = run("applicant", "correct", bo, "--field", "name", "--value", "Bob Carden")
    correction = said.split()[-1]
    assert run("applicant", "proposed-corrections", other)[0] == f"{correction}  Name: Bo Carden -> Bob Carden\n"
    told = json.loads(run("applicant", "proposed-corrections", other, "--json")[0])
    assert (told["id"], told["new"]) == (correction, "Bob Carden")
    run("applicant", "accept-correction", other, correction)
    assert run("applicant", "proposed-corrections", other) == ("", "No correction is proposed.\n")
    said, _ = run("applicant", "correct", bo, "--field", "city", "--value", "Springfield")
    assert run("applicant", "decline-correction", other, said.split()[-1])[1] == "Declined.\n"
    run("applicant", "correct", bo, "--field", "highest_degree", "--value", "doctorate", "--all")
    receipts = [json.loads(run("applicant", "receipt", id, "--json")[0])["corrections"] for id in (bo, other)]
    assert [(line["field"], line["declined"]) for line in receipts[0]] == [
        *(("name", False), ("city", False), ("highest_degree", False))
    ]
    assert [(line["field"], line["declined"]) for line in receipts[1]] == [
        *(("name", False), ("city", True), ("highest_degree", False))
    ]
    run("ledger", "verify")
    run("check")


def test_erasure(data: Path, tmp_path: Path) -> None:
    bo = id_of("Bo Carden")
    backup = run("backup", "note", "tape 1", "--expires", "2090-01-31")[0].strip()
    shown, said = run("applicant", "erase", bo, "--reason", "asked by letter")
    assert "     1  original files\n" in shown
    assert "1 application would be erased; --yes does it." in said
    assert "Still in the backup tape 1" in said
    assert id_of("Bo Carden") == bo
    pdf = tmp_path / "c.pdf"
    done, _ = run("applicant", "erase", bo, "--reason", "asked by letter", "--yes", "--pdf", str(pdf))
    certificate = done.split()[-1]
    assert pdf.read_bytes().startswith(b"%PDF")
    assert run("applicant", "find", "Bo Carden")[0] == ""
    again = json.loads(run("applicant", "certificate", certificate)[0])
    assert (again["id"], again["backups"][0]["place"]) == (certificate, "tape 1")
    signed, forged = tmp_path / "signed.json", tmp_path / "forged.json"
    signed.write_text(json.dumps(again))
    forged.write_text(json.dumps({**again, "applications": 2}))
    assert run("applicant", "verify-certificate", str(signed))[0] == f"The signature is right. Key: {again['key']}\n"
    run("applicant", "verify-certificate", str(signed), "--key", again["key"])
    run("applicant", "verify-certificate", str(signed), "--key", "00" * 32, code=2)
    run("applicant", "verify-certificate", str(forged), code=2)
    run("applicant", "verify-certificate", str(pdf), code=2)
    run("applicant", "erase", bo, "--reason", "asked by letter", "--yes", code=2)
    assert "tape 1" in run("backup", "list")[0]
    run("backup", "done", backup)
    assert run("backup", "list") == ("", "No backup is known.\n")
    assert "gone" in run("backup", "list", "--all")[0]
    assert run("ledger", "verify")[0]
    run("check")


def test_retention(data: Path) -> None:
    assert "nobody is ever due" in run("retention", "list")[1]
    run("retention", "set", "rejected", "180")
    run("retention", "set", "new", "1", "--job", (data / "job").read_text())
    ada = id_of("Ada Brent")
    run("retention", "hold", ada, "--reason", "case 7")
    listed = run("retention", "list")[0]
    assert "rejected        180 days  every job" in listed
    assert "case 7" in listed
    assert run("retention", "run")[1] == "0 applications due. --yes erases; it cannot be undone.\n"
    assert run("retention", "run", "--yes")[0] == "Erased: 0 applications.\n"
    run("retention", "release", ada)
    run("retention", "set", "rejected", "0")
    assert "every job" not in run("retention", "list")[0]
    run("backup", "note", "tape", "--expires", "soon", code=2)
