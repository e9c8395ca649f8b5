"""E-mail addresses, telephone numbers, links and street lines are masked wherever they recur; numbers of work stay."""

from __future__ import annotations

import pytest

from evenhand.masking.masker import Masker
from tests.masking.resumes import masked, profile

HEAD = "Jane Doe\n\nSUMMARY\n"


def contact(body: str, **facts: object) -> str:
    """What is left of a text below the head when contact data are masked."""
    text = f"{HEAD}{body}"
    found = profile(text, name="Jane Doe", sections=(("profile", "SUMMARY"),), **facts)  # type: ignore[arg-type]
    return masked(text, found, "contact").removeprefix(HEAD)


def head(lines: str, **facts: object) -> str:
    text = f"{lines}\n\nSUMMARY\nWork."
    found = profile(text, sections=(("profile", "SUMMARY"),), **facts)  # type: ignore[arg-type]
    return masked(text, found, "contact").removesuffix("\n\nSUMMARY\nWork.")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Write to jane@example.com.", "Write to [e-mail]."),
        ("jane.doe+jobs@mail.example.co.uk, please", "[e-mail], please"),
        ("jane @ example.com", "[e-mail]"),
        ("jane (at) example (dot) com", "[e-mail]"),
        ("jane[at]example[dot]com", "[e-mail]"),
        ("Call +44 20 7946 0958 today", "Call [phone] today"),
        ("(404) 555-0125 or 404.555.0126", "[phone] or [phone]"),
        ("Tel: 030 5550 1234", "Tel: [phone]"),
        ("Mobile - 9855501234", "Mobile - [phone]"),
        ("See https://example.com/jane?x=1.", "See [link]."),
        ("www.example.org/jane", "[link]"),
        ("github.com/jane and gitlab.com/jane/x", "[link] and [link]"),
        ("jane.github.io", "[link]"),
        ("linkedin.com/in/jane-\ndoe-77 ", "[link] "),
        ("Skype: live.jane", "Skype: [link]"),
        ("Passport No: K1234567", "Passport No: [id]"),
        ("SSN: 123-45-6789", "SSN: [id]"),
        ("Permanent Address: 12 Mill Lane, Leeds", "Permanent Address: [address]"),
    ],
)
def test_contact_data_anywhere(body: str, expected: str) -> None:
    assert contact(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "2010 - 2014, 01/2015 - 12/2016",
        "Saved $1,200,000 and 1 200 300 units",
        "12.05.2010 - 13.06.2011",
        "ISBN 978-3-16-148410-0",
        "Certificate No: 12345678",
        "ASP.NET/C#, Node.js/Express, and/or, TCP/IP, 24/7, CI/CD",
        "@Override and @Autowired in Java",
        "meet at 5 dot com prices",
        "LinkedIn: recruiting and branding work",
        "E-mail marketing; e-mail address lists; IP address: 4 blocks",
        "version 1.2.3.4.5.6.7",
        "Led 25 people in 3 courts and 5 star hotels",
    ],
)
def test_numbers_and_words_of_work_stay(body: str) -> None:
    assert contact(body) == body


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("6823 Magnolia Court #15, 29138, Austin, TX", "[address]"),
        ("Schillerstraße 58a, 16611 Cham", "[address]"),
        ("Rua São Bento, 45 - Apto 12", "[address] - [address]"),
        ("Flat No. 12, Sai Apartments, Shanti Nagar", "[address]"),
        ("H.No. 4-55, Vidya Nagar", "[address]"),
        ("P.O. Box 44, Nairobi", "[address]"),
        ("12/4 Park Street | jane@example.com", "[address] | [e-mail]"),
        ("9 Park Lane, Leeds, Phone: 020 7946 0958", "[address], Phone: [phone]"),
        ("Austin, TX 78701", "Austin, [address]"),
        ("Leeds LS1 4AP", "Leeds [address]"),
        ("jane.example.com", "[link]"),
        ("@janedoe", "[link]"),
        ("05550137424", "[phone]"),
        ("Java Developer, 12 years", "Java Developer, 12 years"),
    ],
)
def test_contact_data_of_the_head(lines: str, expected: str) -> None:
    assert head(lines) == expected


def test_a_known_number_is_masked_however_it_is_written() -> None:
    assert contact("Ph: 404 555 0125\nId 14045550125 / 555-0125x", phone="404 555 0125") == ("Ph: [phone]\nId [phone]x")


def test_a_number_typed_into_the_form_is_known() -> None:
    above = HEAD + "Work.\n" * 15  # a bare number is believed at the top, and no longer here
    text = f"{above}Reach me under 4045550125 at night"
    found = profile(text, sections=(("profile", "SUMMARY"),))
    assert masked(text, found, "contact") == text
    shown = masked(text, found, "contact", form={"mobile_phone": "(404) 555-0125"})
    assert shown == f"{above}Reach me under [phone] at night"


def test_the_street_of_a_resume_is_masked_in_what_others_wrote() -> None:
    text = "Jane Doe\nMagnolia Court, House 5\n12 rue Lepic\njane@example.com\n\nSUMMARY\nBaker"
    masker = Masker(text, profile(text, name="Jane Doe"), kinds={"contact"})
    assert masker.clean("lives at HOUSE 5, or 12  rue Lepic 3") == "lives at [address], or 12  rue Lepic 3"
    assert masker.clean("moved to 7b Old Mill Lane.") == "moved to [address]."
    same = "5 years on the road, 3 engineers of Main Street Bank"
    assert masker.clean(same) == same


def test_contact_data_in_a_side_bar() -> None:
    text = (
        "Jane Doe\n\nEXPERIENCE\nBaked bread for the whole town every morning of the year, in all weathers, for years."
        "\n\njane@example.com\n9 Park Lane\n05550137424\n\nEDUCATION\nSchool"
    )
    found = profile(
        text,
        name="Jane Doe",
        email="jane@example.com",
        sections=(("experience", "EXPERIENCE"), ("education", "EDUCATION")),
    )
    assert "\n\n[e-mail]\n[address]\n[phone]\n\nEDUCATION" in masked(text, found, "contact")


def test_only_what_is_asked_for_is_masked() -> None:
    text = "Jane Doe\njane.doe@example.com\n\nSUMMARY\nShe bakes."
    found = profile(text, name="Jane Doe", email="jane.doe@example.com", sections=(("profile", "SUMMARY"),))
    assert masked(text, found, "contact") == "Jane Doe\n[e-mail]\n\nSUMMARY\nShe bakes."
    assert masked(text, found, "gender") == "Jane Doe\njane.doe@example.com\n\nSUMMARY\n[pronoun] bakes."
