"""What is said of figures worked out by hand: the sentence and the severity, of one group and of several."""

from __future__ import annotations

import html
import re

import pypdfium2 as pdfium
import pytest
from scipy.stats import fisher_exact  # type: ignore[import-untyped]

from evenhand.audit.methods import method_texts
from evenhand.audit.outcomes.counting import Counts
from evenhand.audit.outcomes.findings import band_finding, drift_findings, impact_finding
from evenhand.audit.outcomes.measuring import BandComparison, compare_within, measure_drift
from evenhand.audit.outcomes.rates import rate_table
from evenhand.records.report import Finding, Report
from evenhand.rendering.report_page import page_html
from evenhand.rendering.report_pdf import pdf_bytes


def found_of(*groups: tuple[str, int, int]) -> Finding:
    names, n, selected = zip(*groups, strict=True)
    return impact_finding(rate_table(Counts("sex", names, n, selected), "selection"), "were selected")


@pytest.mark.parametrize(
    ("female", "male", "severity", "said"),
    [
        # 0.75, p 0.46
        ((100, 15), (100, 20), "unknown", "That is below four fifths, but chance would often give as much."),
        # 0.75, p 0.14; 29 of 60 are 0.81
        ((60, 27), (60, 36), "unknown", "That is below four fifths, but two outcomes more or less would undo it."),
        # 0.95, the interval from 0.67
        (
            (100, 38),
            (100, 40),
            "unknown",
            "That is not below four fifths, but the interval reaches below: a real gap could be missed here.",
        ),
        # 0.75, p 0.09
        ((150, 45), (150, 60), "watch", "That is below four fifths, but it may be chance."),
    ],
)
def test_the_sentence_fits_the_ratio(female: tuple[int, int], male: tuple[int, int], severity: str, said: str) -> None:
    found = found_of(("female", *female), ("male", *male))
    assert found.severity == severity
    assert found.sentence.endswith(f"). {said}")


def test_the_same_is_said_only_of_groups_with_the_same_reason() -> None:
    """Against 200 of 1,000: a has 0.75 by chance, b as well, and c is at 0.95 with a wide interval."""
    found = found_of(("a", 100, 15), ("b", 100, 15), ("c", 100, 19), ("d", 1000, 200))
    assert found.severity == "unknown"
    assert "The same is to be said of b (0.75)." in found.sentence
    assert "0.95" not in found.sentence


def banded(*bands: tuple[tuple[int, ...], tuple[int, ...]]) -> BandComparison:
    """Each with the people and the selected of the groups; the last group is the reference."""
    names = ("few", "female", "male")[-len(bands[0][0]) :]
    counts = [Counts("sex", names, n, selected) for n, selected in bands]
    return compare_within([str(at) for at in range(len(bands))], counts, "male")


def test_nobody_selected_within_bands_is_a_concern() -> None:
    found = band_finding(banded(((250, 250), (0, 100)), ((250, 250), (0, 150))))
    assert (found.severity, found.figures["ratio"], found.figures["ratio_low"]) == ("concern", 0.0, None)
    assert found.sentence.endswith("So people who are alike in this still fare differently.")


def test_nobody_of_few_within_bands_is_not_told() -> None:
    """None of 3 where half of 500 were selected has p 0.08 and tells nothing; none of 10 has p 0.002, which does."""
    assert band_finding(banded(((3, 500), (0, 250)))).severity == "unknown"
    found = band_finding(banded(((10, 500), (0, 250))))
    assert found.severity == "concern"
    assert "is 0.00 (only 10 people in the group female; 95% interval" in found.sentence


def test_a_handful_does_not_hide_a_large_group_within_bands() -> None:
    """None of 4 is the lower ratio; 120 of 500 against 250 of 500 is 0.48, and sure."""
    found = band_finding(banded(((4, 500, 500), (0, 120, 250))))
    assert (found.severity, found.figures["group"]) == ("concern", "female")
    assert found.figures["ratio"] == pytest.approx(0.48)


def test_every_group_that_drifts_has_a_code_of_its_own() -> None:
    names = ("Hispanic or Latino", "Asian", "White")
    months = [
        Counts("race", names, (1000, 1000, 1000), (falling, rising, 500))
        for falling, rising in ((500, 256), (400, 320), (320, 400), (256, 500))
    ]
    found = list(drift_findings(measure_drift(["1", "2", "3", "4"], months, "White", step="month")))
    assert [each.code for each in found] == ["drift.race.Hispanic_or_Latino.selection", "drift.race.Asian.selection"]


def test_the_method_says_what_becomes_of_small_groups() -> None:
    """29 of whom none was selected, beside 300 of 400, are a concern, and how few they are is said."""
    assert found_of(("female", 29, 0), ("male", 400, 300)).severity == "concern"
    assert (
        "Groups of fewer than 30 people are never clear; where they are a concern, how few they are stands"
        in " ".join(method_texts("outcomes", "method", chosen="were selected", minimum=30))
    )


def words_of(*findings: Finding) -> tuple[str, str]:
    """What a reader sees on the page, and in the PDF."""
    report = Report("outcomes", "Outcomes", "a table", "2026-11-18T10:00:00+00:00", findings, (), (), (), (), {})
    page = html.unescape(re.sub(r"<[^>]+>", " ", page_html(report)))
    with pdfium.PdfDocument(pdf_bytes(report)) as document:
        printed = " ".join(document[at].get_textpage().get_text_range() for at in range(len(document)))
    return " ".join(page.split()), " ".join(printed.split())


def test_a_ratio_of_few_people_that_is_no_chance_is_a_concern_with_their_number_beside_it() -> None:
    """7 of 29 are 24.1%, 205 of 400 are 51.2%: 0.4710. Fisher's p, by an independent computation, is 0.0064."""
    finding = found_of(("female", 29, 7), ("male", 400, 205))
    assert finding.severity == "concern"
    assert finding.figures["p"] == pytest.approx(fisher_exact([[7, 22], [205, 195]]).pvalue)
    sentence = "The impact ratio is 0.47 (only 29 people in the group female; 95% interval 0.25 to 0.90; Fisher's exact"
    for shown in words_of(finding):
        assert sentence in shown
        assert "Act on this" in shown


def test_a_ratio_goes_one_way_also_where_the_few_fare_better() -> None:
    """24 of 29 (82.8%) beside 128 of 400 (32%) is 2.59 one way and 0.39 the other, which is what is always given."""
    finding = found_of(("female", 29, 24), ("male", 400, 128))
    assert (finding.severity, finding.figures["group"], finding.figures["reference"]) == ("concern", "male", "female")
    assert finding.figures["ratio"] == pytest.approx(128 * 29 / (400 * 24))
    for shown in words_of(finding):
        assert "The impact ratio is 0.39 (only 29 people in the group female;" in shown
        assert "2.59" not in shown
    pooled = compare_within(["all"], [Counts("sex", ("female", "male"), (100, 100), (60, 30))], "male").pooled
    [one] = pooled
    assert (one.group, one.reference) == ("male", "female")
    assert one.ratio == pytest.approx(0.5)


def test_one_person_is_a_person() -> None:
    finding = found_of(("female", 1, 0), ("male", 100, 40))
    assert "Of 1 person in the group female, 0 were selected" in finding.sentence
    assert "There is only 1 person in the group female, fewer than 30." in finding.sentence
