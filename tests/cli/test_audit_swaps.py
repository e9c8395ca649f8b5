"""`evenhand audit swaps` as people type it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.screening.applicants import FIVE

CODES = {0: "audited", 1: "some unread", 2: "wrong usage", 3: "a finding"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for applicant in FIVE[:3]:
        applicant.write(tmp_path / "resumes")
    (tmp_path / "job.txt").write_text("Java Developer\nAt least 3 years of Java. Python is a plus.\n")
    return tmp_path


def run(capfdbinary: pytest.CaptureFixture[bytes], folder: Path, *arguments: str) -> tuple[int, str, str]:
    import sys
    from unittest.mock import patch

    from evenhand.cli.main import exit_code

    words = ["evenhand", "audit", "swaps", *arguments, "--set", f"data={folder / 'data'}"]
    with patch.object(sys, "argv", words):
        code = exit_code()
    out, err = capfdbinary.readouterr()
    return code, out.decode(), err.decode()


def test_json_and_files(folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    (folder / "resumes" / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    code, out, err = run(
        capfdbinary,
        folder,
        str(folder / "job.txt"),
        str(folder / "resumes"),
        "--family",
        "name_gender",
        "--json",
        "--html",
        str(folder / "report.html"),
    )
    report = json.loads(out)
    assert (code, report["kind"], report["worst"]) == (1, "swaps", "unknown")
    assert "broken.pdf" in err
    assert report["data"]["edited"] == 3
    assert "<script" not in (folder / "report.html").read_text()
    assert not list((folder / "data" / "audits").glob("*"))  # nothing is left to go on with


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Name the job and the resumes"),
        (["{job}", "{resumes}", "--family", "hair"], "no family 'hair'"),
        (["{job}", "{resumes}", "--job", "x"], "Either files or --job"),
        (["{resumes}", "--models-only"], "Name a ranker or a model"),
        (["{job}", "{resumes}", "--html", "/nowhere/at/all/x.html"], "There is no folder"),
    ],
)
def test_wrong_usage(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes], arguments: list[str], message: str
) -> None:
    places = {"job": str(folder / "job.txt"), "resumes": str(folder / "resumes")}
    code, out, err = run(capfdbinary, folder, *(each.format(**places) for each in arguments))
    assert (code, out) == (2, "")
    assert message in err
