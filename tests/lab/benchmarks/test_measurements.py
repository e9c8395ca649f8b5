"""Every recorded figure says on what data it was measured, how many, what was chosen on them, and how sure it is."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from evenhand_lab.benchmarks.fact_scores import Count, f1_interval, macro_interval
from evenhand_lab.benchmarks.kit import bootstrap_mean, share
from evenhand_lab.benchmarks.measurements import MODULES, PROVENANCE, provenance
from evenhand_lab.reproduce.registry import REPRODUCTIONS
from evenhand_lab.training.tables import AnswerTally

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


def test_bootstrap_draws_whole_units() -> None:
    """Of two units, a quarter of the draws is twice the first and a quarter twice the second."""
    assert bootstrap_mean([0.0, 1.0]) == (0.0, 1.0)
    assert bootstrap_mean([0.3] * 20) == pytest.approx((0.3, 0.3))
    assert bootstrap_mean([0.3]) is None
    low, high = bootstrap_mean([0.0, 1.0] * 200) or (0, 0)
    assert (low, high) == pytest.approx((0.5 - 1.96 * 0.025, 0.5 + 1.96 * 0.025), abs=0.01)  # normal: 0.5 / sqrt(400)


def test_a_draw_without_the_figure_is_left_out() -> None:
    """One document has no phone: a draw of it alone has no F1."""
    assert f1_interval([Count(1, 1, 1), Count()]) == (1.0, 1.0)
    assert f1_interval([Count(), Count()]) is None
    assert macro_interval([Count(1, 2, 1), Count(2, 2, 2)]) == pytest.approx((2 / 3, 1.0))


def test_a_share_names_its_count_and_interval() -> None:
    assert share(17, 2_243) == "0.8%, 17 of 2,243 [0.5%, 1.2%]"
    assert share(0, 0) == "none to count"


def test_classes_of_tables_are_drawn_with_their_resumes() -> None:
    """Resume 0 has all of class b wrong, resume 1 all right: F1 of a and b from 0 and 2/3 to 1 and 1."""
    tally = AnswerTally(["a", "b", "a", "b"], ["a", "a", "a", "b"], [0, 0, 1, 1])
    assert tally.macro_f1_interval() == pytest.approx((1 / 3, 1.0))
