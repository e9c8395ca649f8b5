"""Where a person lives and comes from is masked; where employers and schools are is not."""

from __future__ import annotations

import pytest

from tests.masking.resumes import masked, profile

BODY = "\n\nSUMMARY\nWorked in Austin, Texas.\nEXPERIENCE\nBaker, Austin, TX"


def head(lines: str, **facts: object) -> str:
    text = f"{lines}{BODY}"
    sections = (("profile", "SUMMARY"), ("experience", "EXPERIENCE"))
    found = profile(text, name="Jane Doe", sections=sections, **facts)  # type: ignore[arg-type]
    shown = masked(text, found, "address")
    assert shown.endswith("EXPERIENCE\nBaker, Austin, TX")
    return shown.partition("\n\nSUMMARY")[0]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("Jane Doe\nElko, NV", "Jane Doe\n[place]"),
        ("Jane Doe\nBaker\nElko, NV 89801", "Jane Doe\nBaker\n[place]"),
        ("Jane Doe\njane@example.com | Elko, NV", "Jane Doe\njane@example.com | [place]"),
        ("Jane Doe\nE-mail: j@example.com, M: 555-0199, Elko, NV",
         "Jane Doe\nE-mail: j@example.com, M: 555-0199, [place]"),
        ("Jane Doe\nPikeville\nj@example.com", "Jane Doe\n[place]\nj@example.com"),
        ("Jane Doe\nLocation: Pune", "Jane Doe\nLocation: [place]"),
        ("Jane Doe\nbased in Berlin, Germany", "Jane Doe\nbased in [place]"),
        ("Jane Doe\nNationality: Indian", "Jane Doe\nNationality: [origin]"),
        ("Jane Doe\nPlace of birth: Lagos", "Jane Doe\nPlace of birth: [place]"),
        ("Jane Doe\nReligion: none", "Jane Doe\nReligion: [origin]"),
        ("Jane Doe\nClinical Research Nurse\nj@example.com", "Jane Doe\nClinical Research Nurse\nj@example.com"),
        ("Jane Doe\nSystem Engineer, Acme, India", "Jane Doe\nSystem Engineer, Acme, India"),
    ],
)  # fmt: skip
def test_residence_in_the_head(lines: str, expected: str) -> None:
    assert head(lines) == expected


def test_the_mined_city_is_masked_with_its_state_and_in_the_summary() -> None:
    text = f"Jane Doe\nAustin, Texas | 555-0199{BODY}"
    sections = (("profile", "SUMMARY"), ("experience", "EXPERIENCE"))
    found = profile(text, name="Jane Doe", city="Austin", country="United States", sections=sections)
    assert masked(text, found, "address") == (
        "Jane Doe\n[place] | 555-0199\n\nSUMMARY\nWorked in [place], Texas.\nEXPERIENCE\nBaker, Austin, TX"
    )


def test_the_place_below_a_declaration() -> None:
    text = "Jane Doe\n\nEXPERIENCE\nPlace: Austin\nDECLARATION\nAll is true.\nPlace: Kolkata   Date: 1 May 2020"
    found = profile(text, name="Jane Doe", sections=(("experience", "EXPERIENCE"), ("other", "DECLARATION")))
    assert masked(text, found, "address").endswith(
        "Place: Austin\nDECLARATION\nAll is true.\nPlace: [place]   Date: 1 May 2020"
    )


def test_details_in_one_line_end_where_the_next_begins() -> None:
    text = "Jane Doe\nNationality: Indian Marital Status: Single Religion: none\n\nSUMMARY\nWork."
    found = profile(text, name="Jane Doe", sections=(("profile", "SUMMARY"),))
    assert masked(text, found, "address", "gender").splitlines()[1] == (
        "Nationality: [origin] Marital Status: [personal] Religion: [origin]"
    )
