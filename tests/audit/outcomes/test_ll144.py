"""What the public page says, category by category, and how spellings become the categories of the rules."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.audit.outcomes.counting import Sample
from evenhand.audit.outcomes.ll144 import (
    HEADS,
    RACES,
    Ll144Summary,
    group_named,
    is_unknown,
    ll144_summary,
    variable_named,
)
from evenhand.errors import UsageError
from evenhand.records.report import ReportTable

SAMPLE = Sample(
    groups={
        "sex": ["female"] * 4 + ["male"] * 4 + [None],
        "race": ["Asian", "White", "White", None, "Asian", "White", "White", "White", "White"],
    },
    selected=np.array([True, False, True, True, True, True, True, False, False]),
    scores=np.array([1.0, 2, 3, 3, 3, 3, 4, 5, 3]),
)


def summary_of(sample: Sample) -> Ll144Summary:
    return ll144_summary(
        sample, tool="T", audited="2026-11-17", distributed="2026-01-31", data_statement="Nine people."
    )


def test_the_figures_by_hand() -> None:
    """The median of 1 2 3 3 3 3 3 4 5 is 3: above it are two men, both White."""
    found = summary_of(SAMPLE).to_json()
    assert found["unknown"] == {"sex": 1, "race": 1, "sex x race": 2}
    by_key = {(table["variable"], table["measure"]): table for table in found["tables"]}
    sex = by_key["sex", "selection"]
    assert [(each["rate"], each["impact_ratio"]) for each in sex["categories"]] == [(0.75, 1.0), (0.75, 1.0)]
    scores = by_key["sex", "scoring"]
    assert scores["median"] == 3.0
    assert [(each["rate"], each["impact_ratio"]) for each in scores["categories"]] == [(0.0, 0.0), (0.5, 1.0)]
    race = {each["category"]: each for each in by_key["race", "selection"]["categories"]}
    assert list(race) == list(RACES)
    assert (race["Asian"]["applicants"], race["Asian"]["impact_ratio"]) == (2, 1.0)
    assert race["White"]["rate"] == 0.5  # 3 of 6
    assert (race["Hispanic or Latino"]["rate"], race["Hispanic or Latino"]["impact_ratio"]) == (None, None)
    both = {each["category"]: each for each in by_key["sex x race", "selection"]["categories"]}
    assert len(both) == 14
    assert (both["female / White"]["selected"], both["female / White"]["applicants"]) == (1, 2)
    assert both["male / White"]["impact_ratio"] == 2 / 3


def test_rows_and_sections_hold_the_same() -> None:
    summary = summary_of(SAMPLE)
    rows = summary.rows()
    assert rows[0] == HEADS
    assert len(rows) == 1 + 2 * (2 + 7 + 14)
    assert rows[1] == ("sex", "female", 4, 3, 0.75, 1.0, "selection", None)
    about, first, *_ = summary.sections()
    assert "In use since: 2026-01-31" in about.blocks[0].to_json()["text"]
    grid = first.blocks[0]
    assert isinstance(grid, ReportTable)
    assert grid.rows[0] == ("female", "4", "3", "75.0%", "1.000")


def test_both_have_to_be_known() -> None:
    with pytest.raises(UsageError, match="nobody was asked for race"):
        summary_of(Sample(groups={"sex": ["female"]}, selected=np.array([True])))


@pytest.mark.parametrize(
    ("variable", "written", "name"),
    [
        ("sex", "F", "female"),
        ("sex", " Woman ", "female"),
        ("sex", "Agender", "Agender"),
        ("sex", "X", "non-binary"),
        ("sex", "Other", "Other"),
        ("race", "Black / African-American", "Black or African American"),
        ("race", "American Indian or Alaska Native", "Native American or Alaska Native"),
        ("race", "TWO OR MORE", "Two or more races"),
        ("age_band", "F", "F"),
    ],
)
def test_spellings(variable: str, written: str, name: str) -> None:
    assert group_named(variable, written) == name


def test_unknown_is_what_somebody_would_rather_not_say() -> None:
    unknown = ["", " - ", "?", "N/A", "Prefer not to say", "I don't wish to answer", "Decline to self-identify", "null"]
    assert [is_unknown(each) for each in unknown] == [True] * len(unknown)
    assert [is_unknown(each) for each in ("none", "no", "Nana", "other", "0")] == [False] * 5


def test_names_of_variables() -> None:
    heads = ["Gender", "Race / Ethnicity", "Age band", "Disability-status"]
    assert [variable_named(head) for head in heads] == ["sex", "race", "age_band", "disability_status"]
