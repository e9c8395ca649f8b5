"""`evenhand read` as a shell sees it: what is printed where, in which order, and how it ends."""

from __future__ import annotations

import hashlib
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evenhand.records import Document, canonical_json

EVENHAND = [sys.executable, "-m", "evenhand"]
ADA = "Ada Example\nEngineer\n\nBuilt engines at Example Works from 2015 to 2020.\n"
BO = "Bo Sample\nNurse\n\nCared for patients at Sample Hospital since 2018.\n"
Finished = subprocess.CompletedProcess[str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ada.txt").write_text(ADA)
    (tmp_path / "bo.txt").write_text(BO)
    (tmp_path / "empty.txt").write_text("")
    return tmp_path


def evenhand(*arguments: str | Path, cwd: Path | None = None, stdin: str = "", **variables: str) -> Finished:
    return subprocess.run(
        [*EVENHAND, *map(str, arguments)],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"COLUMNS": "100"} | variables,
        timeout=60,
        check=False,
    )


def test_text_is_the_visible_text_and_nothing_else(folder: Path) -> None:
    result = evenhand("read", "--text", "ada.txt", cwd=folder)
    assert (result.returncode, result.stdout, result.stderr) == (0, ADA, "")


def test_texts_of_several_files_are_parted_by_a_form_feed_line(folder: Path) -> None:
    result = evenhand("read", "--text", "ada.txt", "empty.txt", "bo.txt", cwd=folder)
    assert result.returncode == 1
    assert result.stdout.split("\f\n") == [ADA, "", BO]
    assert result.stderr == "empty.txt: The file contains no text. (empty_document)\n"


def test_json_is_one_canonical_document_per_line_in_input_order(folder: Path) -> None:
    names = ["bo.txt", "empty.txt", "missing.pdf", "ada.txt"]
    result = evenhand("read", "--json", "--workers", "2", *names, cwd=folder)
    assert (result.returncode, result.stderr) == (1, "")
    lines = result.stdout.splitlines()
    documents = [Document.from_json(json.loads(line)) for line in lines]
    assert [document.file for document in documents] == names
    assert [document.status for document in documents] == ["parsed", "error", "error", "parsed"]
    assert documents[3].sha256 == hashlib.sha256(ADA.encode()).hexdigest()
    assert [canonical_json(document.to_json()) for document in documents] == lines


def test_the_same_input_gives_the_same_bytes(folder: Path) -> None:
    runs = {evenhand("read", "--json", ".", "--workers", str(n), cwd=folder).stdout for n in (1, 2, 3)}
    assert len(runs) == 1


def test_a_card_shows_text_and_facts(folder: Path) -> None:
    result = evenhand("read", "ada.txt", "empty.txt", cwd=folder)
    assert (result.returncode, result.stderr) == (1, "")
    assert "ada.txt  parsed" in result.stdout
    assert "TXT, 1 page, 12 words" in result.stdout
    assert "Built engines at Example Works from 2015 to 2020." in result.stdout
    assert "empty.txt  error" in result.stdout
    assert "The file contains no text. (empty_document)" in result.stdout
    assert "\x1b" not in result.stdout  # no colours in a pipe


def test_folders_are_walked_in_order_without_the_systems_files(folder: Path) -> None:
    (folder / "b" / "deep").mkdir(parents=True)
    (folder / ".git").mkdir()
    for name in ("b/z.txt", "b/deep/a.txt", ".git/config", ".DS_Store", "b/~$z.docx"):
        (folder / name).write_text(BO)
    os.mkfifo(folder / "b" / "pipe")
    result = evenhand("read", "--json", ".", cwd=folder)
    found = [json.loads(line)["file"] for line in result.stdout.splitlines()]
    assert found == ["ada.txt", "b/deep/a.txt", "b/z.txt", "bo.txt", "empty.txt"]


def test_an_empty_folder_is_told_and_the_rest_is_read(folder: Path) -> None:
    (folder / "nothing").mkdir()
    result = evenhand("read", "--text", "nothing", "ada.txt", cwd=folder)
    assert (result.returncode, result.stdout) == (1, ADA)
    assert result.stderr == "nothing: the folder holds no files.\n"


def test_a_dash_is_standard_input(folder: Path) -> None:
    result = evenhand("read", "--json", "ada.txt", "-", "bo.txt", cwd=folder, stdin="Cy Stdin\nPilot\n")
    documents = [json.loads(line) for line in result.stdout.splitlines()]
    assert [document["file"] for document in documents] == ["ada.txt", "-", "bo.txt"]
    assert documents[1]["text"].startswith("Cy Stdin\nPilot")


def test_standard_input_has_the_same_size_limit(folder: Path) -> None:
    result = evenhand("read", "--json", "-", "--set", "file_bytes=10", stdin="x" * 11)
    assert json.loads(result.stdout)["error"]["code"] == "too_large"


def test_a_file_name_cannot_write_to_the_terminal(folder: Path) -> None:
    name = "\x1b]0;owned\x07[red]x.txt"
    (folder / name).write_text("")
    for option in ((), ("--text",)):
        result = evenhand("read", *option, name, cwd=folder)
        assert result.returncode == 1
        assert r"\x1b]0;owned\x07[red]x.txt" in result.stdout + result.stderr
        assert "\x1b" not in result.stdout + result.stderr
        assert "\x07" not in result.stdout + result.stderr


def test_a_file_name_that_is_no_utf_8_stays_valid_json(folder: Path) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    (folder / name).write_text(ADA)
    result = evenhand("read", "--json", name, cwd=folder)
    assert result.returncode == 0
    assert json.loads(result.stdout)["text"].startswith("Ada Example")


def test_output_is_utf_8_in_any_locale(folder: Path) -> None:
    (folder / "zoe.txt").write_text("Zoë Ångström\nBäckerin\n", encoding="utf-8")
    result = evenhand("read", "--text", "zoe.txt", cwd=folder, LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="")
    assert result.stdout == "Zoë Ångström\nBäckerin\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["read"], "Missing argument"),
        (["read", "--text", "--json", "x"], "Give --text or --json, not both."),
        (["read", "--nonsense", "x"], "No such option"),
        (["read", "--workers", "many", "x"], "workers"),
        (["read", "--workers", "-1", "x"], "Setting workers (flag) is -1"),
        (["read", "--set", "ocr", "x"], "--set takes NAME=VALUE, not 'ocr'."),
        (["read", "--set", "ocr=maybe", "x"], "one of auto, tesseract, rapidocr, off"),
        (["read", "--set", "orc=off", "x"], "did you mean ocr?"),
        (["raed", "x"], "No such command"),
        (["bench", "nothing"], "There is no benchmark 'nothing'"),
        (["--\x1b[31m"], r"\x1b[31m"),
    ],
)
def test_wrong_usage_is_exit_code_2_and_a_sentence(arguments: list[str], sentence: str) -> None:
    result = evenhand(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr
    assert "\x1b" not in result.stderr


def test_a_wrong_variable_is_wrong_usage(folder: Path) -> None:
    result = evenhand("read", "ada.txt", cwd=folder, EVENHAND_PAGES="all")
    assert result.returncode == 2
    assert result.stderr == (
        "Error: Setting pages (EVENHAND_PAGES) is 'all', but it must be a whole number of at least 1.\n"
    )


def test_a_reader_that_leaves_early_is_no_error(folder: Path) -> None:
    """As in `evenhand read --json ... | head -1`."""
    many = ["ada.txt"] * 40
    process = subprocess.Popen(
        [*EVENHAND, "read", "--json", *many], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    messages = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=30), messages) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has /dev/full")
def test_a_full_disk_is_told_in_a_sentence(folder: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [*EVENHAND, "read", "--text", str(folder / "ada.txt")], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (result.returncode, result.stderr) == (1, b"Error: No space left on device.\n")


def test_ctrl_c_ends_with_130_and_no_trace(folder: Path) -> None:
    process = subprocess.Popen(
        [*EVENHAND, "read", "--json", "ada.txt", "-"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    first = process.stdout.readline()  # now it waits for standard input
    process.send_signal(signal.SIGINT)
    _, messages = process.communicate(timeout=30)
    assert json.loads(first)["file"] == "ada.txt"
    assert (process.returncode, messages) == (130, b"Stopped.\n")


def on_a_terminal(arguments: list[str], *, wait_seconds: float) -> tuple[bytes, bytes]:
    """What stands on a terminal's stderr before standard input comes, and all of it at the end."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([*EVENHAND, *arguments], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    shown, before, told = b"", b"", False
    started = time.monotonic()
    while True:
        if not told and time.monotonic() - started > wait_seconds:
            before, told = shown, True
            process.communicate(ADA.encode())
        if select.select([ours], [], [], 0.05)[0]:
            try:
                shown += os.read(ours, 65536)
            except OSError:  # the other side is closed
                break
    os.close(ours)
    assert process.returncode == 0
    return before, shown


def test_a_progress_bar_appears_after_two_seconds_on_a_terminal() -> None:
    before, shown = on_a_terminal(["read", "--json", "-"], wait_seconds=4.5)
    assert b"Reading" in before
    assert shown.endswith(b"\x1b[2K")  # and is wiped away


def test_short_work_shows_no_progress_bar() -> None:
    _, shown = on_a_terminal(["read", "--json", "-"], wait_seconds=0.2)
    assert b"Reading" not in shown
