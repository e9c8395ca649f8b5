"""How long sections are before and after pruning."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.models.sequences import PruningWords, read_rules
from evenhand_lab.reproduce.competence import (
    LengthRow,
    LengthStatistics,
    SectionLengths,
    measure_lengths,
    report_lengths,
)
from tests.models.encoder.tiny_bert import write_tiny_bert


def test_the_table_has_mean_deviation_longest_and_share_within_the_limit() -> None:
    before: list[SectionLengths] = [{"Profile": 10, "Skills": 4}, {"Profile": 20}, {"Profile": 60}]
    after: list[SectionLengths] = [{"Profile": 10, "Skills": 4}, {"Profile": 20}, {"Profile": 30}]
    # Profile before: mean 30, squares 400 + 100 + 900 over 2 degrees of freedom.
    assert measure_lengths(before, after, limit=30) == [
        LengthRow("Profile", 3, LengthStatistics(30, sqrt(700), 60, 2 / 3), LengthStatistics(20, 10, 30, 1)),
        LengthRow("Skills", 1, LengthStatistics(4, 0, 4, 1), LengthStatistics(4, 0, 4, 1)),
    ]


def test_lengths_before_and_after_pruning(tmp_path: Path) -> None:
    rules = read_rules(write_tiny_bert(tmp_path) / "tokenizer.json", 16)
    texts = ("the java the nurse", "ward ward ward")
    resumes = [ResumeInput((SectionText("Profile", text),)) for text in texts]
    (row,) = report_lengths(resumes, rules, PruningWords(), limit=3)
    assert (row.kind, row.count) == ("Profile", 2)
    assert (row.before.mean, row.before.longest, row.before.within) == (3.5, 4, 0.5)
    assert (row.after.mean, row.after.longest, row.after.within) == (2.5, 3, 1.0)
