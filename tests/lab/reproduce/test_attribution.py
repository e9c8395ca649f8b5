"""The published example beside ours, and methods and baselines over resumes in the form of the public set."""

from __future__ import annotations

import json
import shutil
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from evenhand.errors import UsageError
from evenhand.explain import baselines
from evenhand_lab.reproduce import attribution
from evenhand_lab.reproduce.attribution import run

SAMPLES = Path(__file__).parents[3] / "evenhand" / "samples"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "livecareer-pdf"
    rows = []
    for name, category in (("designer-side-bar", "DESIGNER"), ("data-engineer", "INFORMATION-TECHNOLOGY")):
        (folder / "pdf" / category).mkdir(parents=True)
        shutil.copy(SAMPLES / f"{name}.pdf", folder / "pdf" / category)
        rows.append({"id": name, "category": category, "text": "TITLE\nwords"})
    (folder / "text.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(baselines, "NUMBERS", {"mixed": 3})
    baselines._generated.cache_clear()
    return tmp_path


def printed(result: attribution.Attributions) -> str:
    console = Console(width=140, file=StringIO())
    with console.capture() as capture:
        console.print(result.table())
    return capture.get()


def test_the_example_sentence_has_java_first_and_then_developer() -> None:
    result = run()
    assert [row.word.casefold() for row in result.words if row.score > 0] == ["java", "developer"]
    assert result.words[0].published == 0.61
    assert result.words[0].share == pytest.approx(0.86, abs=0.01)
    assert all(check.holds for check in result.checks)
    assert "java: published (probability)" in printed(result).lower()
    assert json.loads(json.dumps(result.to_json()))["ways"] == []


def test_methods_and_baselines_on_resumes(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        attribution, "WAYS", (("ig", "pad", None), ("ig", "random", None), ("occlusion", "pad", "line"))
    )
    result = run(data, small=True)
    assert [(row.name, row.baseline, row.resumes) for row in result.ways] == [
        ("ig", "pad", 2),
        ("ig", "random", 2),
        ("occlusion, line", "pad", 2),
    ]
    exact = result.ways[0]
    assert (exact.converged, exact.better) == (exact.resumes, exact.measured)
    assert exact.largest_delta < 1e-9
    assert exact.comprehensiveness > exact.random
    assert "occlusion, line" in printed(result)
    assert ("wall time", f"{result.seconds / 60:.1f} min") in result.rows()


def test_a_folder_without_resumes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There are no labelled resumes"):
        run(tmp_path)
