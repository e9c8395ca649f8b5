"""Periods in every style, with the values they state."""

from __future__ import annotations

import pytest

from evenhand_lab.corpora.career import CareerPeriod, month
from evenhand_lab.corpora.writing.dates import STYLES, write_duration, write_month, write_period

OPEN = CareerPeriod(month(2015, 1), None)
SHUT = CareerPeriod(month(2014, 3), month(2016, 5))


@pytest.mark.parametrize(
    ("style", "joint", "present", "open_text", "shut_text"),
    [
        ("mon'yy", " - ", "till date", "Jan'15 - till date", "Mar'14 - May'16"),
        ("mm/yyyy", "-", "Present", "01/2015-Present", "03/2014-05/2016"),
        ("iso", " to ", "now", "2015-01 to now", "2014-03 to 2016-05"),
        ("month_year", " – ", "Present", "January 2015 – Present", "March 2014 – May 2016"),
        ("since", " to ", "Present", "Since January 2015", "March 2014 to May 2016"),
        ("day", " to ", "till date", "01-Jan-2015 to till date", "01-Mar-2014 to 31-May-2016"),
        ("from_to", " to ", "date", "from January 2015 to date", "from March 2014 to May 2016"),
        ("m/yy", "-", "Present", "1/15-Present", "3/14-5/16"),
    ],
)
def test_styles_that_state_months(style: str, joint: str, present: str, open_text: str, shut_text: str) -> None:
    (run,) = write_period(OPEN, style, joint=joint, present=present, of="job 0")
    assert (run.text, run.label, run.value, run.of) == (open_text, "date", "2015-01/present", "job 0")
    (run,) = write_period(SHUT, style, joint=joint, present=present, of="job 0")
    assert (run.text, run.value) == (shut_text, "2014-03/2016-05")


def test_years_state_years_only() -> None:
    (run,) = write_period(SHUT, "yyyy", joint=" - ", present="now", of=None)
    assert (run.text, run.value) == ("2014 - 2016", "2014/2016")
    (run,) = write_period(CareerPeriod(month(2014, 2), month(2014, 9)), "yyyy", joint=" - ", present="now", of=None)
    assert (run.text, run.value) == ("2014", "2014/2014")


def test_every_style_can_be_written() -> None:
    assert all(write_month(month(2014, 9), style) for style in STYLES)
    with pytest.raises(ValueError, match="no date style"):
        write_month(month(2014, 9), "roman")


@pytest.mark.parametrize(
    ("months", "form", "text"),
    [
        (28, "y_m_mixed", "2 yrs 4 months"),
        (13, "y_m_long", "1 year 1 month"),
        (24, "y_m_short", "2 yrs"),
        (5, "y_m_tight", "5 months"),
        (30, "y_m_tight", "2y 6m"),
        (28, "months", "28 months"),
        (1, "months", "1 month"),
    ],
)
def test_durations(months: int, form: str, text: str) -> None:
    assert write_duration(months, form) == text
