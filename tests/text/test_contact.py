"""Contact data in the ways resumes write them. Numbers and names are made up."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.records.document import Line
from evenhand.text.contacts import find_contacts


def emails(text: str) -> list[str]:
    return [fact.value for fact in find_contacts(text, ()).emails]


def phones(text: str) -> list[str]:
    return [fact.value for fact in find_contacts(text, ()).phones]


def links(text: str) -> list[str]:
    return [fact.value for fact in find_contacts(text, ()).links]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("name@example.com.", ["name@example.com"]),
        ("mailto:name@example.com", ["name@example.com"]),
        ("a@b.co, c.d+e@f-g.org; x_y@z.ac.in", ["a@b.co", "c.d+e@f-g.org", "x_y@z.ac.in"]),
        ("one@example.com/two@example.org", ["one@example.com", "two@example.org"]),
        ("Name@Example.com name@example.COM", ["Name@Example.com"]),
        ("name@example.comMobile: 98", ["name@example.com"]),
        ("e-mail: name @ example.com", ["name@example.com"]),
        ("name@ gmail.com", ["name@gmail.com"]),
        ("name@gmail .com", ["name@gmail.com"]),
        ("name.x@gmail.\ncom", ["name.x@gmail.com"]),
        ("name.x@\ngmail.com", ["name.x@gmail.com"]),
        ("name (at) example dot com", ["name@example.com"]),
        ("name[at]example[dot]co[dot]in", ["name@example.co.in"]),
        ("name at example dot com", ["name@example.com"]),
        ("working at example.com", []),
        ("Engineer @ Example Works", []),
        ("Twitter: @handle", []),
    ],
)
def test_emails(text: str, found: list[str]) -> None:
    assert emails(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("98860 12345", ["98860 12345"]),
        ("(415) 555-0100", ["(415) 555-0100"]),
        ("(415)· 555 · 0100", ["(415)· 555 · 0100"]),
        ("+91-9876543210", ["+91-9876543210"]),
        ("(+91) 9876543210", ["(+91) 9876543210"]),
        ("080-12345678", ["080-12345678"]),
        ("040 2345 6789 / 9876543210", ["040 2345 6789", "9876543210"]),
        ("+91 98765 43210/98765 43211", ["+91 98765 43210", "98765 43211"]),
        ("Mobile: 9876543210, 9123456780", ["9876543210", "9123456780"]),
        ("Ph.9876543210", ["9876543210"]),
        ("020 7946 0958 London, United Kingdom", ["020 7946 0958"]),
        ("0491-570-006", ["0491-570-006"]),
        ("+61 4 9157 0006", ["+61 4 9157 0006"]),
        ("030/1234567 Berlin, Germany", ["030/1234567"]),
        ("Tel: 555-0100", ["555-0100"]),
        ("San Jose 95112 (408) 555-0100", ["(408) 555-0100"]),
        ("Fax: 415-555-0101\nPhone: 415-555-0100", ["415-555-0100", "415-555-0101"]),
        ("415-555-0100 or (415) 555 0100", ["415-555-0100"]),
        ("PIN: 560001 Passport No: 1234567890", []),
        ("2010 - 2014", []),
        ("05/2010 - 06/2014", []),
        ("12-05-1996", []),
        ("ISBN 9781234567897", []),
        ("Employee ID: 12345678", []),
        ("192.168.100.200", []),
        ("$1,500,000 and 10,000,000 rows", []),
        ("pages 1022-1027", []),
    ],
)
def test_phones(text: str, found: list[str]) -> None:
    assert phones(text) == found


def test_numbers_in_the_body_need_a_telling_shape_or_a_label() -> None:
    body = "Summary\n" * 20
    assert phones(body + "closed ticket 9876543210") == []
    assert phones(body + "Contact no: 9876543210") == ["9876543210"]


def test_references_are_other_people() -> None:
    text = (
        "Jane Doe, 415-555-0100, jane@example.com\n"
        + "Summary\n" * 20
        + "References\nJohn Roe, 415-555-0199, roe@example.com"
    )
    assert (phones(text), emails(text)) == (["415-555-0100"], ["jane@example.com"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("github.com/foo, linkedin.com/in/x-y", ["github.com/foo", "linkedin.com/in/x-y"]),
        ("(https://foo.example.org/~me).", ["https://foo.example.org/~me"]),
        ("linkedin.com/in/\njane-doe", ["linkedin.com/in/jane-doe"]),
        ("Website: janedoe.dev", ["janedoe.dev"]),
        ("www.example.com/ and http://example.com", ["www.example.com"]),
        ("jane.github.io", ["jane.github.io"]),
        ("node.js asp.net B.Tech ADO.NET socket.io", []),
        ("jane@example.com", []),
        ("e-mail: jane @ example.com", []),
    ],
)
def test_links(text: str, found: list[str]) -> None:
    assert links(text) == found


def test_a_fact_stands_where_it_says() -> None:
    text = "Jane Doe\nname.x@gmail.\ncom"
    rest = (None, None, None, False, False, None, None, None)
    lines = (Line(0, 8, 1, *rest), Line(9, 22, 2, *rest), Line(23, 26, 2, *rest))
    (fact,) = find_contacts(text, lines).emails
    assert (fact.value, fact.surface, fact.evidence.page) == ("name.x@gmail.com", "name.x@gmail.\ncom", 2)
    assert text[fact.evidence.start : fact.evidence.end] == fact.surface


PIECES = st.sampled_from(
    ["@", "a", ".com", "gmail", " ", "\n", "+91", "98765", "43210", "-", "(", ")", "/", "www.", "at", "(at)", " dot "]
)


@given(st.one_of(st.text(max_size=120), st.lists(PIECES, max_size=40).map("".join)))
@settings(max_examples=300, deadline=None)
def test_surfaces_are_the_text_at_their_place(text: str) -> None:
    contacts = find_contacts(text, ())
    for fact in (*contacts.emails, *contacts.phones, *contacts.links):
        assert fact.surface
        assert text[fact.evidence.start : fact.evidence.end] == fact.surface == fact.surface.strip()
