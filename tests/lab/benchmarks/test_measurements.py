"""Every recorded figure says on what data it was measured, how many, what was chosen on them, and how sure it is."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from evenhand_lab.benchmarks.measurements import MODULES, PROVENANCE, provenance
from evenhand_lab.reproduce.registry import REPRODUCTIONS

RECORDED = Path(__file__).parents[3] / "docs" / "measurements.md"
SECTION = re.compile(r"<!-- bench:([\w-]+) -->\n(.*?)<!-- /bench:\1 -->", re.DOTALL)
FIELDS = ("Data", "n", "Chosen on it", "95% interval")


def lacking(text: str) -> list[str]:
    """Which field of which section is missing or says nothing."""
    return [
        f"{name}: {field}"
        for name, section in SECTION.findall(text)
        for field in FIELDS
        if not re.search(rf"^- {field}: \S", section, re.MULTILINE)
    ]


def test_every_section_says_what_its_figures_rest_on() -> None:
    text = RECORDED.read_text("utf-8")
    assert len(SECTION.findall(text)) == text.count("\n## ") >= 30
    assert lacking(text) == []
    without = re.sub(r"(?m)^- Chosen on it: .*\n", "", text, count=1).replace("- n: files compared: 2180", "- n: ")
    assert lacking(without) == ["recall: n", "recall: Chosen on it"]


def test_every_bench_and_experiment_can_be_recorded() -> None:
    stated = tomllib.loads(PROVENANCE.read_text("utf-8"))
    assert stated.keys() == {*MODULES, *REPRODUCTIONS}
    for name, one in stated.items():
        assert {"data", "n", "chosen_on"} <= one.keys(), name
        assert one.get("interval") or one.get("shares"), name
    assert "development set" in stated["gold"]["chosen_on"]
    with pytest.raises(KeyError, match="none of"):
        provenance("recall", [("other files", "3")])


def test_intervals_of_shares_are_worked_out() -> None:
    """Wilson: 17 of 2243 is 0.47 to 1.21%, and none of 385 at most 0.99%."""
    figures = [
        ("controls with a false alarm", "0 of 385"),
        ("real resumes with hidden text", "17 of 2,243, 0.76% (at most 1%)"),
    ]
    assert provenance("hidden", figures).splitlines()[1:] == [
        "- n: controls with a false alarm: 0 of 385; real resumes with hidden text: 17 of 2,243, 0.76% (at most 1%)",
        "- Chosen on it: the kinds were built together with what finds them: they are the development set",
        "- 95% interval: controls with a false alarm 0.0 to 1.0%; real resumes with hidden text 0.5 to 1.2%",
    ]


def test_a_number_is_taken_out_of_a_row_that_says_more() -> None:
    figures = [("fixtures: tables", "published 0.958; here 0.988 (n = 2114; education 0.99)")]
    assert "- n: fixtures: tables: 2114\n" in provenance("tables", figures)
    assert "- n: 500 PDF files, mined only\n" in provenance("ingest", [("500 PDF files, mined only", "25.6 files/s")])
