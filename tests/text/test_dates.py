"""Dates in the styles resumes use; every expected value is read off the text by hand."""

from __future__ import annotations

import pytest

from evenhand.text.date_values import DateSpan, PartialDate
from evenhand.text.dates import find_dates


def said(text: str) -> list[tuple[str, str, str, str]]:
    """Surface, kind and both ends of every date found."""
    return [
        (text[span.start : span.end], span.kind, str(span.first), str(span.last))
        for span in find_dates(text)
        if span.kind != "duration"
    ]


RANGES = [
    ("Jan 2014 - Present", "2014-01", "present"),
    ("January, 2014 to March 2016", "2014-01", "2016-03"),
    ("Jan'14 – Feb’15", "2014-01", "2015-02"),
    ("Nov '19 - Feb '21", "2019-11", "2021-02"),
    ("01/2014 to 08/2015", "2014-01", "2015-08"),
    ("1/14-3/15", "2014-01", "2015-03"),
    ("2014-01 – 2015-03", "2014-01", "2015-03"),
    ("04.2014 – 05.2016", "2014-04", "2016-05"),
    ("03/15/2014 - 04/2015", "2014-03", "2015-04"),
    ("22nd  Mar 2021 – 25th May 2021", "2021-03", "2021-05"),
    ("Jan – Mar 2014", "2014-01", "2014-03"),
    ("Nov – Feb 2014", "2013-11", "2014-02"),
    ("July 2014 - Aug", "2014-07", "2014-08"),
    ("July 10 - August 20, 2015", "2015-07", "2015-08"),
    ("May/June 2014", "2014-05", "2014-06"),
    ("2010 - 2012", "2010", "2012"),
    ("2010-12", "2010", "2012"),
    ("2010/11", "2010", "2011"),
    ("1998-02", "1998", "2002"),
    ("2012/2013", "2012", "2013"),
    ("2018-04 - Present", "2018-04", "present"),
    ("2014- June 2017", "2014", "2017-06"),
    ("Jan 2014 to 2015", "2014-01", "2015"),
    ("2010 – till date", "2010", "present"),
    ("since 2010", "2010", "present"),
    ("from 2010", "2010", "present"),
    ("June 2013 onwards", "2013-06", "present"),
    ("2012 to date", "2012", "present"),
    ("Jan 2012 – Now", "2012-01", "present"),
    ("Jan 2012 - ongoing", "2012-01", "present"),
    ("Jan 2012 until today", "2012-01", "present"),
    ("Jan 2012 - present day", "2012-01", "present"),
    ("Jan 2012 Till Now", "2012-01", "present"),
    ("Jan 2012 to tilldate", "2012-01", "present"),
    ("Jan 2012—Current", "2012-01", "present"),
    ("March 2019 to till", "2019-03", "present"),
    ("Sep 2019-Till", "2019-09", "present"),
    ("June 2020 ti till date", "2020-06", "present"),
    ("June - 2016 to till date", "2016-06", "present"),
    ("Nov2014toPresent", "2014-11", "present"),
    ("Jan 2014 ~ Mar 2015", "2014-01", "2015-03"),
    ("2016 -> Present", "2016", "present"),
    ("Jan\xa02014\xa0–\xa0Mar\xa02015", "2014-01", "2015-03"),
    ("Nov 2014 -\nMarch 2015", "2014-11", "2015-03"),
    ("Nov 2014\nto\nMarch 2015", "2014-11", "2015-03"),
    ("Feb 2016 to Aug\n2019", "2016-02", "2019-08"),
    ("2015 March - 2016 April", "2015-03", "2016-04"),
    ("Mar. 2016 - Exp. Jun. 2017", "2016-03", "2017-06"),
    ("09/2008 - 06//2021", "2008-09", "2021-06"),
    ("June 2014  September 2015", "2014-06", "2015-09"),
    ("Mar 2017Aug 2018", "2017-03", "2018-08"),
    ("Febuary 2014 – Septmber 2015", "2014-02", "2015-09"),
    ("enero de 2014 - actualidad", "2014-01", "present"),
    ("März 2014 bis heute", "2014-03", "present"),
    ("févr. 2012 - août 2014", "2012-02", "2014-08"),
    ("março de 2012 até o momento", "2012-03", "present"),
    ("'10 - '12", "2010", "2012"),
    ("Apr 15 - Present", "2015-04", "present"),
]


@pytest.mark.parametrize(("text", "first", "last"), RANGES)
def test_ranges(text: str, first: str, last: str) -> None:
    assert said(text) == [(text, "range", first, last)]
    inside = f"Analyst ({text}), Example Ltd"
    if not text.startswith("from"):  # "from 2010" is open only at the end of what is said
        assert said(inside) == [(text, "range", first, last)]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("Jan-14", "2014-01", "2014-01"),
        ("2014.01", "2014-01", "2014-01"),
        ("15th May 2010", "2010-05", "2010-05"),
        ("10-Jun-2011", "2011-06", "2011-06"),
        ("June 5, 2012", "2012-06", "2012-06"),
        ("Oct’2017", "2017-10", "2017-10"),
        ("Summer 2012", "2012-06", "2012-08"),
        ("Fall 2010", "2010-09", "2010-11"),
        ("Q3 2014", "2014-07", "2014-09"),
        ("Spring: 2018", "2018-03", "2018-05"),
        ("2015 Q3", "2015-07", "2015-09"),
        ("31/12/2014", "2014-12", "2014-12"),
        ("2014", "2014", "2014"),
    ],
)
def test_points(text: str, first: str, last: str) -> None:
    assert said(text) == [(text, "point", first, last)]


@pytest.mark.parametrize(
    ("text", "surface", "months"),
    [
        ("2 years 3 months", "2 years 3 months", 27),
        ("2.5 yrs", "2.5 yrs", 30),
        ("4.11 years of experience", "4.11 years", 59),
        ("18 months", "18 months", 18),
        ("over 3+ years.", "3+ years", 36),
        ("one year", "one year", 12),
        ("two and a half years", "two and a half years", 30),
        ("6 weeks", "6 weeks", 1),
        ("Duration:4 months.", "4 months", 4),
        ("1 year and 2 months", "1 year and 2 months", 14),
    ],
)
def test_durations(text: str, surface: str, months: int) -> None:
    (span,) = find_dates(text)
    assert (text[span.start : span.end], span.kind, span.months) == (surface, "duration", months)


@pytest.mark.parametrize(
    "text",
    [
        "415-555-2010",
        "$2000",
        "Windows 2000",
        "Office 2010",
        "MS Project 2010",
        "SQL Server 2008, 2012, 2017 and SSIS",
        "SQL SERVER 2012/2016 databases",
        "Windows Server 2008R2/2012/2014",
        "Visual Studio 2010",
        "ISO 9001:2008",
        "Exchange 2003",
        "24/7",
        "2000%",
        "1000-2000 users",
        "2000 - 3500 users",
        "13/2014",
        "Tools 8.55.06 and 10.9 to 10.13",
        "Sydney NSW 2000",
        "25 years old",
        "http://example.com/2014/paper",
        "Windows 8/10",
        "May - be",
        "Project 2\nMonth of planning",
    ],
)
def test_not_dates(text: str) -> None:
    assert find_dates(text) == []


def test_a_year_and_month_style_elsewhere_decides_what_2010_12_means() -> None:
    assert said("2010-12\nand 2014-03") == [
        ("2010-12", "point", "2010-12", "2010-12"),
        ("2014-03", "point", "2014-03", "2014-03"),
    ]


def test_day_and_month_are_told_apart_by_the_other_dates() -> None:
    assert said("03/04/2014")[0][2] == "2014-03"
    assert said("03/04/2014 and 25/04/2014")[0][2] == "2014-04"
    assert said("03-04-2014")[0][2] == "2014-04"


@pytest.mark.parametrize("text", ["DOB: 12/03/1985", "Date of birth\t:\t12 March 1985", "Born on 12th March 1985"])
def test_births(text: str) -> None:
    assert [span.kind for span in find_dates(text)] == ["birth"]


def test_range_with_its_length() -> None:
    text = "May 2003 - Current (2 years)"
    first, second = find_dates(text)
    assert (text[first.start : first.end], text[second.start : second.end]) == ("May 2003 - Current", "2 years")


def test_an_end_before_its_start_is_kept_as_written() -> None:
    (span,) = find_dates("Feb 2022 – June 2021")
    assert span == DateSpan(0, 20, "range", PartialDate(2022, 2), PartialDate(2021, 6), reversed=True)


def test_what_follows_a_dash_may_be_a_title() -> None:
    assert said("Jan 2015 - Data Analyst") == [("Jan 2015", "point", "2015-01", "2015-01")]
    assert said("2010\n- 2012 award") == [("2010", "point", "2010", "2010"), ("2012", "point", "2012", "2012")]


def test_employers_named_like_products_keep_their_dates() -> None:
    assert said("Stock Exchange 2010 - 2014") == [("2010 - 2014", "range", "2010", "2014")]
    assert said("Windows\n2017 - 2019") == [("2017 - 2019", "range", "2017", "2019")]


def test_letters_that_grow_in_lower_case_do_not_move_places() -> None:
    text = "İİİ Jan 2014 - Present"
    assert said(text) == [("Jan 2014 - Present", "range", "2014-01", "present")]
