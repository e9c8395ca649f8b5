"""Experience in all, degree, title and place of job ads; expected values are worked out by hand."""

from __future__ import annotations

import pytest

from tests.mining.requirements.ads import understood


@pytest.mark.parametrize(
    ("sentence", "months", "most_months"),
    [
        ("7+ years of hands-on bookkeeping experience", 84, None),
        ("Minimum 3-5 years landscape experience", 36, 60),
        ("6+ years of experience in the logistics field", 72, None),
        ("Overall 18 months of relevant experience", 18, None),
        ("Exp: 9 yrs", 108, None),
        ("Five (5) or more years of related experience required", 60, None),
        ("More than 4 years' experience in a similar role", 48, None),
        ("BA in Design or 12 years of studio experience in lieu of a degree", None, None),
        ("Bachelor's degree and 4 years of experience, or a diploma and 6 years of experience", 48, None),
        ("3 years of experience preferred", None, None),
        ("We have been in business for 45 years.", None, None),
        ("You must be 21 years of age.", None, None),
        ("This is a 6 month contract with possible extension.", None, None),
        ("Named best employer the last 4 years in a row.", None, None),
        ("Our recruiters have on average eleven years of experience.", None, None),
        ("8 years of Java", None, None),
    ],
)
def test_experience_in_all(sentence: str, months: int | None, most_months: int | None) -> None:
    job = understood(sentence)
    assert (job.months, job.most_months) == (months, most_months)


@pytest.mark.parametrize(
    ("sentence", "level", "fields"),
    [
        ("Bachelors Degree in Accounting or Finance Required", "bachelor", ("accounting", "finance")),
        ("High school diploma required; Bachelor's degree preferred", "highschool", ()),
        ("Master's degree in Statistics and 3 years with SAS", "master", ("statistics",)),
        ("BS OR MS degree in Civil Engineering", "bachelor", ("civil engineering",)),
        ("Education: B.E./B.Tech/MCA", "bachelor", ()),
        ("Degree in nursing required", "bachelor", ("nursing",)),
        ("An MBA is a plus", None, ()),
        ("Supervise store associates in the evening", None, ()),
        ("A high degree of accuracy is required", None, ()),
        ("Knowledge of MS-Office required", None, ()),
    ],
)
def test_least_degree(sentence: str, level: str | None, fields: tuple[str, ...]) -> None:
    job = understood(sentence)
    assert (job.degree, job.fields) == (level, fields)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Sr. Billing Analyst\n\nWe process invoices.", "Sr. Billing Analyst"),
        ("QUALITY ENGINEER - PERM - TAMPA, FL\nYou will inspect parts.", "QUALITY ENGINEER"),
        ("***Leasing Agent Job in Tulsa\nWe manage flats.", "Leasing Agent"),
        ("Company: Foxmoor Ltd\nPosition: .NET Developer\nLocation: Leeds", ".NET Developer"),
        ("Foxmoor is seeking a friendly Warehouse Supervisor for its night shift.", "Warehouse Supervisor"),
        ("We love plants and people who love plants.", None),
    ],
)
def test_title(text: str, title: str | None) -> None:
    assert understood(text).title == title


@pytest.mark.parametrize(
    ("text", "city", "country"),
    [
        ("Welder\nLocation: Leeds", "Leeds", "United Kingdom"),
        ("Foxmoor Ltd is seeking a Welder in Denver, CO.", "Denver", "United States"),
        ("Welder\nWe have an opening in our Lisle, IL office.", "Lisle", "United States"),
        ("Welder Job in Dublin\nReport to the plant (Dublin, OH).", "Dublin", "United States"),
        ("Requirements\n- Tableau, MongoDB or Cassandra\n- Security: PT, WAPT, VA", None, None),
        ("Welder\nOur firm was founded in Paris and has offices in Tokyo.", None, None),
    ],
)
def test_place_of_work(text: str, city: str | None, country: str | None) -> None:
    job = understood(text)
    assert (job.city, job.country) == (city, country)
