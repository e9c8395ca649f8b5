"""Where the kernel offers no confinement: said on every surface, or no file is read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from evenhand.documents.reading import read
from evenhand.documents.sandbox.pool import confinement_gap
from evenhand.errors import SandboxUnavailable
from evenhand.settings import Settings

pytest_plugins = ["tests.unconfined"]
ROOT = Path(__file__).resolve().parents[3]
SAMPLE = ROOT / "evenhand" / "samples" / "ksiegowa.txt"
SENTENCE = (
    "This system does not confine the processes that read files (Landlock and seccomp): a harmful file could open "
    "other files and use the network and reach other processes."
)


def evenhand(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "evenhand", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd="/", check=False)


@pytest.mark.usefixtures("unconfined")
@pytest.mark.parametrize("command", [("read", str(SAMPLE), str(SAMPLE)), ("mine", str(SAMPLE)), ("check",)])
def test_a_command_says_once_that_files_are_not_confined(command: tuple[str, ...]) -> None:
    done = evenhand(*command)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count(SENTENCE) == 1


@pytest.mark.usefixtures("unconfined")
@pytest.mark.parametrize("command", [("read", str(SAMPLE)), ("mine", str(SAMPLE)), ("check",), ("serve",)])
def test_no_file_is_read_where_confinement_is_required(command: tuple[str, ...]) -> None:
    done = evenhand(*command, "--set", "sandbox=require")
    assert done.returncode == 2
    assert f"{SENTENCE} The setting sandbox forbids that: no file is read." in done.stderr
    assert done.stdout == ""


@pytest.mark.usefixtures("unconfined")
def test_the_library_raises_a_stable_code() -> None:
    with pytest.raises(SandboxUnavailable) as caught:
        read(SAMPLE.read_bytes(), settings=Settings(sandbox="require"))
    assert caught.value.code == "sandbox_unavailable"


def test_only_what_is_missing_is_named() -> None:
    assert confinement_gap({"landlock": 1, "seccomp": True}) == ""
    assert "(Landlock): a harmful file could open other files." in confinement_gap({"landlock": 0, "seccomp": True})
    assert "(seccomp): a harmful file could use the network" in confinement_gap({"landlock": 6, "seccomp": False})
