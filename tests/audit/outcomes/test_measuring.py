"""A sample from beginning to end: tables, sweeps, bands and drift, and what is said of them."""

from __future__ import annotations

import json
from datetime import date

import numpy as np
import pytest

from evenhand.audit.outcomes.counting import Counts, Sample, encode, only_larger
from evenhand.audit.outcomes.findings import find, impact_finding, severity_of
from evenhand.audit.outcomes.measuring import (
    Outcomes,
    first_of,
    measure,
    measure_drift,
    period_of,
    periods_between,
    weighted_slope,
)
from evenhand.audit.outcomes.rates import RateTable, against_enough, rate_table
from evenhand.audit.outcomes.report import outcome_report
from evenhand.records.report import Chart
from evenhand.rendering.charts import chart_svg


def table_of(*groups: tuple[str, int, int]) -> RateTable:
    names, n, selected = zip(*groups, strict=True)
    return rate_table(Counts("sex", names, n, selected), "selection")


@pytest.mark.parametrize(
    ("female", "male", "severity"),
    [
        ((2435, 157), (2435, 235), "concern"),  # 0.67, p 0.00005
        ((150, 45), (150, 60), "watch"),  # 0.75, three outcomes below, but p 0.09
        ((10_000, 4500), (10_000, 5000), "watch"),  # 0.9, but p far below 0.05
        ((10_000, 4950), (10_000, 5000), "clear"),  # 0.99, the interval from 0.96
        ((100, 15), (100, 20), "unknown"),  # 0.75, and chance would give as much in 46 of 100 cases
        ((47, 4), (453, 56), "unknown"),  # 0.69, but one more of 47 would undo it, and p is 0.64
        ((100, 38), (100, 40), "unknown"),  # 0.95, the interval from 0.67
        ((29, 10), (400, 200), "unknown"),  # 0.69, and too few
        ((29, 0), (400, 300), "concern"),  # few, but p below 0.00001
        ((29, 29), (29, 29), "unknown"),  # the same, and too few: never clear
    ],
)
def test_how_bad_it_is(female: tuple[int, int], male: tuple[int, int], severity: str) -> None:
    table = table_of(("female", *female), ("male", *male))
    [rate] = table.compared
    assert severity_of(rate, table.of(table.reference or "")) == severity
    assert impact_finding(table, "were selected").severity == severity


def test_what_two_outcomes_would_undo_is_no_concern() -> None:
    """39 of 50 against all of 50 is 0.78 with p 0.0005; one more makes it four fifths."""
    table = table_of(("female", 50, 39), ("male", 50, 50))
    assert table.of("female").changes == 1
    found = impact_finding(table, "were selected")
    assert found.severity == "watch"
    assert "one outcome more or less would undo it" in found.sentence


def test_the_correction_is_for_all_pairs() -> None:
    """Three groups have three pairs, of which two are tested: the smaller p counts threefold, the other twice."""
    table = table_of(("a", 100, 20), ("b", 100, 30), ("c", 100, 40))
    a, b = table.of("a"), table.of("b")
    assert a.p is not None
    assert b.p is not None
    assert a.p_corrected == pytest.approx(3 * a.p)
    assert b.p_corrected == pytest.approx(2 * b.p)


def test_an_unbiased_selection_is_rarely_a_concern() -> None:
    """Seven groups, 20% of each: of 100 draws at most 5 may be a concern, and most cannot be told."""
    draw, n = np.random.default_rng(1), (300, 120, 100, 60, 40, 35, 30)
    names = tuple(f"g{at}" for at in range(len(n)))
    found = [
        impact_finding(
            rate_table(Counts("g", names, n, tuple(map(int, draw.binomial(n, 0.2)))), "selection"), "x"
        ).severity
        for _ in range(100)
    ]
    assert found.count("concern") <= 5
    assert found.count("unknown") >= 80


def test_the_sentence_has_the_numbers() -> None:
    found = impact_finding(table_of(("afam", 2435, 157), ("cauc", 2435, 235)), "got a call")
    assert found.code == "impact.sex.selection"
    assert found.sentence == (
        "Of 2,435 people in the group afam, 157 got a call (6.45%); of 2,435 in the group cauc, 235 (9.65%). The "
        "impact ratio is 0.67 (95% interval 0.55 to 0.81; Fisher's exact test p < 0.0001). That is below four fifths, "
        "and chance alone would rarely do it."
    )
    assert found.figures["ratio"] == 157 / 235


def test_a_handful_of_people_is_no_measure_for_others() -> None:
    """The law's ratio is to the four who were all selected; what is judged is women beside men."""
    table = table_of(("female", 200, 40), ("male", 200, 80), ("x", 4, 4))
    assert table.reference == "x"
    assert table.of("female").ratio == 0.2
    sure = against_enough(table)
    assert sure.reference == "male"
    assert sure.of("female").ratio == 0.5
    found = impact_finding(table, "were selected")
    assert found.severity == "concern"
    assert found.figures["ratio"] == 0.5
    assert found.figures["ratio_to_highest"] == 0.2
    assert "Fewer than 30 people are in x" in found.sentence
    assert against_enough(table_of(("a", 4, 4), ("b", 5, 1))).reference == "a"


def test_nothing_to_compare() -> None:
    only = impact_finding(table_of(("female", 40, 10)), "were selected")
    nobody = impact_finding(table_of(("female", 40, 0), ("male", 50, 0)), "were selected")
    assert (only.severity, nobody.severity) == ("unknown", "unknown")
    assert only.sentence.startswith("All whose group is known are in one group, female")
    assert nobody.sentence == (
        "There is nobody yet among those who were selected whose group is known: there is no ratio to work out."
    )


def test_the_first_of_a_ranking_with_those_who_are_equal() -> None:
    scores = np.array([5.0, 3, 3, 1])
    assert first_of(scores, 1).tolist() == [True, False, False, False]
    assert first_of(scores, 2).tolist() == [True, True, True, False]
    assert first_of(scores, 9).all()


def test_larger_groups_only() -> None:
    coded = encode("g", ["a", "b", "c", "a", None, "c"])
    assert only_larger(coded, 2).names == ("a", "c")
    assert only_larger(coded, 2).codes.tolist() == [0, -1, 1, 0, -1, 1]
    assert only_larger(coded, 3) is coded


SAMPLE = Sample(
    groups={"sex": ["female", "male"] * 40 + [None] * 25, "race": ["A"] * 60 + ["B"] * 45},
    selected=np.array([False, True] * 20 + [True, True] * 20 + [True] * 25),
    scores=np.array([*map(float, range(104)), np.nan]),
    bands=["junior"] * 40 + ["senior"] * 40 + [None] * 25,
    days=[date(2026, 1, 15)] * 40 + [date(2026, 5, 15)] * 65,
)
"""Of 40 women 20 selected, none of them junior; of 40 men all. Higher numbers score higher."""


@pytest.fixture(scope="module")
def found() -> Outcomes:
    return measure(SAMPLE)


def test_everything_of_a_sample(found: Outcomes) -> None:
    assert [(table.variable, table.measure) for table in found.tables] == [
        (variable, how) for variable in ("sex", "race", "sex x race") for how in ("selection", "scoring", "shortlist")
    ]
    sex = found.table("sex", "selection")
    assert sex is not None
    assert (sex.of("female").ratio, sex.unknown) == (0.5, 25)
    scoring = found.table("sex", "scoring")
    assert scoring is not None
    assert scoring.median == 51.5  # of 0 to 103; who has no score is not in the sample
    assert [rate.selected for rate in scoring.rates] == [14, 14]
    assert found.shortlist == 85  # as many as were selected
    [banded, _] = found.banded
    assert banded.bands == ("junior", "senior")
    assert [table.of("female").rate for table in banded.tables] == [0.0, 1.0]
    assert banded.unknown_band == 25
    # (0 * 20/40 + 20 * 20/40) / (20 * 20/40 + 20 * 20/40)
    assert banded.pooled[0].ratio == 0.5
    [drift, _] = found.drifts
    assert (drift.step, drift.periods) == ("quarter", ("2026-Q1", "2026-Q2"))
    assert found.table("age", "selection") is None


def test_the_report_of_a_sample(found: Outcomes) -> None:
    report = outcome_report(found, title="T", subject="S", made="2026-01-01", chosen="were hired")
    codes = {finding.code: finding.severity for finding in report.findings}
    assert codes["impact.sex.selection"] == "concern"
    assert codes["within.sex.selection"] == "concern"
    assert codes["groups.sex.unknown"] == "unknown"  # 25 of 105
    assert "groups.race.unknown" not in codes
    assert "the share of its people who were hired" in report.method[0]
    text = json.dumps(report.to_json(), allow_nan=False)
    assert json.loads(text)["data"]["tables"][0]["rates"][0]["ratio"] == 0.5
    charts = [block for section in report.sections for block in section.blocks if isinstance(block, Chart)]
    assert len(charts) == 16  # rates and ratios of six tables, two sweeps, two drifts
    for chart in (charts[0], charts[1], charts[-3], charts[-1]):
        assert chart_svg(chart).startswith("<svg")


def test_without_scores_decisions_or_answers() -> None:
    only_scores = measure(Sample(groups={"sex": ["f", "m"]}, scores=np.array([1.0, 2.0])))
    assert [table.measure for table in only_scores.tables] == ["scoring"]
    unknown = measure(Sample(groups={"sex": [None, None]}, selected=np.array([True, False])))
    assert [finding.severity for finding in find(unknown, chosen="were hired")] == ["unknown", "unknown"]
    assert (unknown.sweeps, unknown.banded, unknown.drifts, unknown.shortlist) == ((), (), (), None)


def test_periods() -> None:
    assert period_of(date(2026, 3, 31), "quarter") == "2026-Q1"
    assert periods_between(date(2025, 11, 30), date(2026, 2, 1), "month") == [
        "2025-11",
        "2025-12",
        "2026-01",
        "2026-02",
    ]
    assert periods_between(date(2025, 11, 30), date(2026, 5, 1), "quarter") == ["2025-Q4", "2026-Q1", "2026-Q2"]


def test_a_line_through_points() -> None:
    """y = 3 - x/2 exactly; with deviations of 1 at x = -1, 0, 1 the slope's own is 1/sqrt(2)."""
    slope, deviation = weighted_slope([(-1, 3.5, 1), (0, 3.0, 1), (1, 2.5, 1)])
    assert slope == pytest.approx(-0.5)
    assert deviation == pytest.approx(2**-0.5)


def test_a_ratio_that_falls_is_found_and_one_that_does_not_is_not() -> None:
    def months(*women: int) -> list[Counts]:
        return [Counts("sex", ("female", "male"), (1000, 1000), (each, 500)) for each in women]

    falling = measure_drift(["1", "2", "3", "4"], months(500, 400, 320, 256), "male", step="month")
    [trend] = falling.trends
    assert trend.factor == pytest.approx(0.8, rel=1e-3)
    assert trend.p is not None
    assert trend.p < 1e-6
    [steady] = measure_drift(["1", "2", "3"], months(400, 400, 400), "male", step="month").trends
    assert steady.factor == pytest.approx(1.0)
    assert steady.p == pytest.approx(1.0)
    [short] = measure_drift(["1", "2"], months(400, 100), "male", step="month").trends
    assert (short.factor, short.p, short.periods) == (None, None, 2)
