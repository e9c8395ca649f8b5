"""`evenhand rank` as a shell sees it: what is printed and written where, and how it ends."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evenhand.cli.main import exit_code
from evenhand.records import canonical_json

EVENHAND = [sys.executable, "-m", "evenhand"]
JOB = """\
Python Developer

Requirements:
- At least 4 years of experience with Python
- SQL
Nice to have: Docker
"""
MARIA = """\
Maria Gonzalez
maria@example.com | (404) 555-0125

Experience
Software Engineer, Fennick Tools Ltd.
March 2021 - Present
- Built reports in Python and SQL.

Education
Bachelor of Science in Mathematics, University of Oxford, 2016

Skills
Python, SQL, Git
"""
PETER = """\
Peter Holm
peter@example.com

Experience
Baker, Holm & Sons
May 2015 - June 2020
- Baked bread and cakes and trained two apprentices.

Skills
Baking, Customer service
"""
SCRIPT = "<script>alert(1)</script>"
BASE = ("--as-of", "2026-10", "--workers", "1", "--ranker", "tfidf")
Finished = subprocess.CompletedProcess[str]


def evenhand(*arguments: str | Path, cwd: Path, stdin: str = "", **variables: str) -> Finished:
    return subprocess.run(
        [*EVENHAND, *map(str, arguments)],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"COLUMNS": "80", "EVENHAND_DATA": "/nonexistent"} | variables,
        timeout=120,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "job.txt").write_text(JOB)
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    (inbox / "maria.txt").write_text(MARIA)
    (inbox / "peter.txt").write_text(PETER)
    (inbox / "empty.txt").write_text("")
    return tmp_path


def test_json_alone_on_stdout_and_the_same_bytes_for_any_order(folder: Path) -> None:
    files = ["inbox/peter.txt", "inbox/maria.txt", "inbox/empty.txt"]
    first = evenhand("rank", *BASE, "--json", "job.txt", *files, cwd=folder)
    second = evenhand("rank", *BASE, "--json", "job.txt", "inbox", cwd=folder)
    assert (first.returncode, first.stderr) == (1, "")
    assert first.stdout == second.stdout
    ranking = json.loads(first.stdout)
    assert canonical_json(ranking) + "\n" == first.stdout
    assert [(one["rank"], one["file"], one["candidate"]) for one in ranking["results"]] == [
        (1, "inbox/maria.txt", "Maria Gonzalez"),
        (2, "inbox/peter.txt", "Peter Holm"),
    ]
    assert ranking["total"] == 2
    assert ranking["job"]["title"] == "Python Developer"
    assert {(skill["name"], skill["must"], skill["months"]) for skill in ranking["job"]["skills"]} == {
        ("python", True, 48),
        ("sql", True, None),
        ("docker", False, None),
    }
    matched = {match["skill"]: match for match in ranking["results"][0]["matched"]}
    assert (matched["python"]["months"], matched["python"]["required_months"]) == (68, 48)
    place = matched["python"]["evidence"][0]
    assert MARIA[place["start"] : place["end"]] == "Python"
    assert ranking["results"][1]["missing"] == ["python", "sql"]
    assert ranking["errors"] == [
        {"file": "inbox/empty.txt", "code": "empty_document", "message": "The file contains no text."}
    ]


def test_what_stands_in_a_sentence_is_not_missing(tmp_path: Path) -> None:
    resume = (
        "Jane Miller\njane@example.com\n\nEXPERIENCE\n\nStaff Accountant, Blue Harbor Foods\nJan 2015 - Dec 2018\n"
        "- Shortened month end close from 12 to 6 days\n- Posted and reconciled 160 accounts payable invoices\n"
    )
    (tmp_path / "jane.txt").write_text(resume)
    (tmp_path / "job.txt").write_text("Accountant\n\nRequirements:\n- month end close\n- 3 years of accounts payable\n")
    result = evenhand("rank", "--json", "--as-of", "2026-10", "job.txt", "jane.txt", cwd=tmp_path)
    [found] = json.loads(result.stdout)["results"]
    assert found["missing"] == []
    shown = [
        (resume[place["start"] : place["end"]], match["months"])
        for match in found["matched"]
        for place in match["evidence"]
    ]
    assert shown == [("month end close", 48), ("accounts payable", 48)]
    reasons = {part["name"]: part["reason"] for part in found["parts"]}
    assert reasons["Requirements"].startswith("2 of 2 met: ")


def test_the_table_for_people(folder: Path) -> None:
    result = evenhand("rank", *BASE, "job.txt", "inbox", "--why", "maria.txt", "2", cwd=folder)
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert lines[2].split()[:3] == ["1", "Maria", "Gonzalez"]
    assert "2/2   5 y 8 m Software Engineer" in lines[2]
    assert "0/2       0 m Baker" in lines[3]
    assert lines[4] == "1 file could not be ranked:"
    assert lines[5] == "  inbox/empty.txt: The file contains no text. (empty_document)"
    assert lines[6] == "2 resumes ranked by tfidf, present is 2026-10."
    assert lines[7].startswith("Why 1 Maria Gonzalez stands above 2 Peter Holm: ")
    assert max(map(len, lines)) <= 80
    assert "Python Developer" in result.stderr
    assert "python (4 years or more), sql" in result.stderr
    assert "\x1b" not in result.stdout + result.stderr


def test_files_are_written_and_never_ranked(folder: Path) -> None:
    """Report, table and job lie in the folder that is ranked: they are no resumes, also the second time."""
    outs = ("--csv", "inbox/ranking.csv", "--html", "inbox/report.html")
    (folder / "inbox" / "job.txt").write_text(JOB)
    (folder / "inbox" / "empty.txt").unlink()
    runs = [evenhand("rank", *BASE, "--json", "inbox/job.txt", "inbox", *outs, cwd=folder) for _ in range(2)]
    assert [run.returncode for run in runs] == [0, 0]
    assert runs[0].stdout == runs[1].stdout
    assert json.loads(runs[0].stdout)["total"] == 2
    with (folder / "inbox" / "ranking.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["candidate"], row["missing"]) for row in rows] == [
        ("Maria Gonzalez", ""),
        ("Peter Holm", "python; sql"),
    ]
    assert "Software Engineer at Fennick Tools" in (folder / "inbox" / "report.html").read_text()


def test_what_was_understood_can_be_put_right(folder: Path) -> None:
    edits = ("--must", "baking:12", "--drop", "sql", "--nice", "python", "--years", "2.5", "--degree", "master")
    result = evenhand("rank", "--job-only", "--json", "job.txt", *edits, cwd=folder)
    assert (result.returncode, result.stderr) == (0, "")
    job = json.loads(result.stdout)
    assert [(skill["name"], skill["must"], skill["months"]) for skill in job["skills"]] == [
        *(("python", False, 48), ("docker", False, None), ("baking", True, 12))
    ]
    assert (job["years"], job["degree"]) == (2.5, "master")


def test_a_job_on_standard_input_and_a_condition(folder: Path) -> None:
    result = evenhand("rank", *BASE, "--json", "-", "inbox", "--skill", "baking", cwd=folder, stdin=JOB)
    assert [one["candidate"] for one in json.loads(result.stdout)["results"]] == ["Peter Holm"]


def test_strangers_write_no_markup_and_no_formula(folder: Path) -> None:
    inbox = folder / "inbox"
    (inbox / f"=1+1\n{SCRIPT.replace('/', '_')}.txt").write_text(MARIA.replace("Maria Gonzalez", SCRIPT))
    (inbox / os.fsdecode(b"caf\xe9.txt")).write_text(PETER.replace("Baker,", "=cmd|'calc'!A0,"))
    no_hire = folder / "no-hire.txt"
    no_hire.write_text("\ufeffFennick Tools\n\n")
    outs = ("--csv", "r.csv", "--html", "r.html", "--no-hire", "no-hire.txt")
    result = evenhand("rank", *BASE, "job.txt", "inbox", *outs, cwd=folder)
    assert result.returncode == 1
    html = (folder / "r.html").read_text()
    assert "<script>alert" not in html
    assert "alert(1)" in html
    assert "no_hire" in html
    rows = list(csv.reader((folder / "r.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert len(rows) == 5
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))]
    assert "\ufffd.txt" in (folder / "r.csv").read_text(encoding="utf-8-sig")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.txt", "inbox"], "The job missing.txt: The file cannot be opened: No such file or directory."),
        (["inbox/empty.txt", "inbox"], "The file contains no text."),
        (["job.txt"], "Name the resumes: files or folders."),
        (["job.txt", "bare"], "There are no files to rank."),
        (["job.txt", "job.txt"], "There are no files to rank."),
        (["job.txt", "-"], "only the job may come on standard input"),
        (["job.txt", "inbox", "--ranker", "bm52"], "There is no ranker 'bm52'; did you mean bm25?"),
        (["job.txt", "inbox", "--top", "0"], "'--top'"),
        (["job.txt", "inbox", "--as-of", "soon"], "'soon'"),
        (["job.txt", "inbox", "--skill", "java>36"], "java>=36"),
        (["job.txt", "inbox", "--must", "go:x:99999"], "longer than a working life"),
        (["job.txt", "inbox", "--degree", "masters"], "did you mean master?"),
        (["job.txt", "inbox", "--html", "nowhere/r.html"], "There is no folder nowhere to write r.html to."),
        (["job.txt", "inbox", "--csv", "inbox"], "inbox is a folder, not a file."),
        (["job.txt", "inbox", "--no-hire", "missing.txt"], "The list missing.txt cannot be read"),
        (["job.txt", "inbox", "--json", "--why", "1", "2"], "not both"),
    ],
)
def test_wrong_usage_is_said_before_the_work(
    folder: Path,
    arguments: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (folder / "bare").mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["evenhand", "rank", *BASE, *arguments])
    assert exit_code() == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert message in shown.err
