"""What the documentation shows is what happens: its code blocks run, its generated parts are current."""

from __future__ import annotations

import ast
import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import make_docs

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(python|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
BLOCKS = [
    pytest.param(kind, body, id=f"{page.relative_to(ROOT)}-{number}")
    for page in PAGES
    for number, (kind, body) in enumerate(FENCE.findall(page.read_text(encoding="utf-8")), start=1)
]


@pytest.fixture
def samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder the examples run in."""
    folder = tmp_path / "samples"
    shutil.copytree(ROOT / "evenhand" / "samples", folder)
    shutil.copy(ROOT / "evenhand" / "sample_jobs" / "data-engineer.txt", tmp_path / "job.txt")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("COLUMNS", "80")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "body"), BLOCKS)
def test_code_block(kind: str, body: str, samples: Path) -> None:
    if kind == "python":
        check_python(body)
    else:
        check_console(body)


def check_python(body: str) -> None:
    test = doctest.DocTestParser().get_doctest(body, {}, "block", None, None)
    runner = doctest.DocTestRunner()
    report: list[str] = []
    runner.run(test, out=report.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(report)


def check_console(body: str) -> None:
    """One shell for the block; stderr is shown where a terminal would show it."""
    commands = [
        command.removeprefix("$ ").replace("\n> ", "\n")
        for command in re.findall(r"^\$ .*(?:\n> .*)*", body, re.MULTILINE)
    ]
    # Showing a command must not change what `$?` was before it.
    steps = [f"last=$?\ncat <<'SHOWN'\n$ {command}\nSHOWN\n(exit $last)\n{command}" for command in commands]
    script = "\n".join(["exec 2>&1", *steps])
    result = subprocess.run(["bash", "-c", script], capture_output=True, encoding="utf-8", check=False)
    assert matches(body.replace("\n> ", "\n"), result.stdout), result.stdout


def matches(expected: str, actual: str) -> bool:
    """Equal, where a line of three dots stands for any lines."""
    pattern = re.escape(expected).replace(re.escape("\n...\n"), r"\n(?:.*\n)*?")
    return re.fullmatch(pattern, actual) is not None


def test_three_dots_stand_for_any_lines() -> None:
    assert matches("a\n...\nd\n", "a\nb\nc\nd\n")
    assert matches("a\n...\n", "a\n")
    assert not matches("a\n...\nd\n", "a\nb\nc\n")


@pytest.mark.parametrize("name", make_docs.PAGES)
def test_generated_parts_are_current(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == make_docs.PAGES[name](), "run: make docs"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_modules_that_are_named_exist(page: str) -> None:
    """A walk through the code that leads to a module which has moved leads nowhere."""
    named = re.findall(r"`((?:[a-z_]+/)*[a-z_]+\.py)`", (ROOT / page).read_text(encoding="utf-8"))
    assert len(named) >= 8
    folders = (
        ROOT,
        ROOT / "evenhand",
        ROOT / "evenhand" / "documents" / "office" / "docx",
        ROOT / "lab" / "evenhand_lab",
    )
    assert [name for name in named if not any((folder / name).exists() for folder in folders)] == []


def test_every_warning_is_documented() -> None:
    """Codes are what scripts rely on: one that is not listed does not exist for a user."""
    listed: set[str] = set()
    for name in ("document.md", "profile.md"):
        page = (ROOT / "docs" / "concepts" / name).read_text(encoding="utf-8")
        listed |= set(re.findall(r"^\| `(\w+)` \|", page.partition("## Warnings")[2], re.MULTILINE))
    assert {code for path in (ROOT / "evenhand").rglob("*.py") for code in warning_codes(path)} == listed


def warning_codes(path: Path) -> set[str]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    calls = [node for node in nodes if isinstance(node, ast.Call) and node.args]
    firsts = [call.args[0] for call in calls if ast.unparse(call.func).split(".")[-1] in {"Warning", "warn"}]
    return {first.value for first in firsts if isinstance(first, ast.Constant) and isinstance(first.value, str)}
