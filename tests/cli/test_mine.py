"""`evenhand mine` as a shell sees it: what is printed where, in which order, and how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evenhand.records import canonical_json

EVENHAND = [sys.executable, "-m", "evenhand"]
MARIA = """\
Maria Gonzalez
maria@example.com | (404) 555-0125

Experience
Software Engineer, Fennick Tools Ltd.
March 2021 - Present
- Built reports in Python and SQL.

Data Analyst, Northwind Bank
January 2017 - December 2018
- Wrote SQL for the monthly accounts.

Education
Bachelor of Science in Mathematics, University of Oxford, 2016

Skills
Python, SQL, Git
"""
AS_OF = ("--as-of", "2026-10")
Finished = subprocess.CompletedProcess[str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "maria.txt").write_text(MARIA)
    (tmp_path / "empty.txt").write_text("")
    return tmp_path


def evenhand(*arguments: str | Path, cwd: Path | None = None, stdin: str = "", **variables: str) -> Finished:
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


def test_json_is_one_canonical_profile_per_line_in_input_order(folder: Path) -> None:
    names = ["maria.txt", "empty.txt", "missing.pdf", "-", "maria.txt"]
    result = evenhand("mine", "--json", *AS_OF, *names, cwd=folder, stdin=MARIA)
    assert (result.returncode, result.stderr) == (1, "")
    lines = result.stdout.splitlines()
    profiles = [json.loads(line) for line in lines]
    assert [profile["document"]["file"] for profile in profiles] == names
    codes = [profile["document"]["error"] and profile["document"]["error"]["code"] for profile in profiles]
    assert codes == [None, "empty_document", "unreadable_file", None, None]
    assert [canonical_json(profile) for profile in profiles] == lines
    assert lines[0] == lines[4]
    assert profiles[3]["positions"] == profiles[0]["positions"]


def test_the_facts_of_a_plain_resume(folder: Path) -> None:
    profile = json.loads(evenhand("mine", "--json", *AS_OF, "maria.txt", cwd=folder).stdout)
    assert (profile["name"], profile["emails"]) == ("Maria Gonzalez", ["maria@example.com"])
    assert [(job["title"], job["start"], job["end"], job["months"]) for job in profile["positions"]] == [
        ("Software Engineer", "2021-03", "present", 68),
        ("Data Analyst", "2017-01", "2018-12", 24),
    ]
    months = {skill["name"]: skill["months"] for skill in profile["skills"]}
    assert [months[name] for name in ("python", "sql", "git")] == [68, 92, None]
    assert profile["total_months"] == 92
    assert profile["highest_degree"] == "bachelor"


@pytest.mark.parametrize("name", ["Ada Gonzalez", "Ruby Gonzalez", "Julia Gonzalez"])
def test_a_first_name_that_is_also_a_skill_is_a_name(folder: Path, name: str) -> None:
    text = MARIA.replace("Maria Gonzalez", name)
    profile = json.loads(evenhand("mine", "--json", *AS_OF, "-", cwd=folder, stdin=text).stdout)
    assert profile["name"] == name


def test_as_of_moves_the_present(folder: Path) -> None:
    earlier = json.loads(evenhand("mine", "--json", "--as-of", "2021-04", "maria.txt", cwd=folder).stdout)
    assert [job["months"] for job in earlier["positions"]] == [2, 24]


def test_the_same_input_gives_the_same_bytes(folder: Path) -> None:
    runs = {evenhand("mine", "--json", *AS_OF, ".", "--workers", n, cwd=folder).stdout for n in ("1", "2")}
    assert len(runs) == 1


def test_cards(folder: Path) -> None:
    result = evenhand("mine", *AS_OF, "maria.txt", "empty.txt", cwd=folder)
    assert (result.returncode, result.stderr) == (1, "")
    assert "maria.txt  parsed" in result.stdout
    assert "7 years 8 months in total" in result.stdout
    assert "2021-03 to present, 5 years 8 months" in result.stdout
    assert "no job stated, 2 y 2 m" in result.stdout
    assert "duration unknown: git" in result.stdout
    assert "The file contains no text. (empty_document)" in result.stdout
    assert "\x1b" not in result.stdout  # no colours in a pipe
    assert max(map(len, result.stdout.splitlines())) == 80


def test_evidence_quotes_the_resume(folder: Path) -> None:
    result = evenhand("mine", "--evidence", *AS_OF, "maria.txt", "empty.txt", cwd=folder, COLUMNS="120")
    quoted = [re.split(r"\s{2,}", line.strip())[:4] for line in result.stdout.splitlines()]
    assert ["name", "Maria Gonzalez", "1", "1"] in quoted
    assert ["job 1 dates", "March 2021 - Present → 2021-03 to present", "6", "1"] in quoted
    assert ["skill", "SQL", "7, 11, 17", "1"] in quoted
    assert result.stdout.count("Where it stands in the resume") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["mine"], "Missing argument"),
        (["mine", "--as-of", "2026-13", "x"], "is given like 2026-10, not '2026-13'."),
        (["mine", "--evidence", "--json", "x"], "Give --evidence or --json, not both"),
        (["mine", "--text", "x"], "No such option"),
        (["mine", "--set", "mined_characters=0", "x"], "a whole number of at least 1"),
    ],
)
def test_wrong_usage_is_exit_code_2_and_a_sentence(arguments: list[str], sentence: str) -> None:
    result = evenhand(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr


def test_an_empty_folder_is_told_and_the_rest_is_mined(folder: Path) -> None:
    (folder / "nothing").mkdir()
    result = evenhand("mine", "--json", *AS_OF, "nothing", "maria.txt", cwd=folder)
    assert (result.returncode, len(result.stdout.splitlines())) == (1, 1)
    assert result.stderr == "nothing: the folder holds no files.\n"


def test_a_reader_that_leaves_early_is_no_error(folder: Path) -> None:
    """As in `evenhand mine --json ... | head -1`."""
    process = subprocess.Popen(
        [*EVENHAND, "mine", "--json", *["maria.txt"] * 40], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    messages = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=60), messages) == (141, b"")


def test_ctrl_c_stops_at_once_and_leaves_no_processes(folder: Path) -> None:
    process = subprocess.Popen(
        [*EVENHAND, "mine", "--json", *["maria.txt"] * 400], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    started = [int(pid) for pid in children.read_text().split()] if children.exists() else []
    process.send_signal(signal.SIGINT)
    _, messages = process.communicate(timeout=30)
    assert (process.returncode, messages) == (130, b"Stopped.\n")
    deadline = time.monotonic() + 5  # a killed process needs a moment to be gone
    while any(Path(f"/proc/{pid}").exists() for pid in started) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(Path(f"/proc/{pid}").exists() for pid in started)
