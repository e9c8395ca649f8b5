"""What mining takes for contact data is masked: both read the same strings, with and without a profile."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.masking.masker import Masker
from evenhand.text.contacts import ContactText, email_spans, find_contacts, link_spans, phone_spans

TEXTS = [
    "name@example.com, x_y@z.ac.in",
    "name@example.comMobile: 98",
    "e-mail: name @ example.com",
    "name@gmail .com and name.x@gmail.\ncom",
    "name (at) example dot com",
    "name[at]example[dot]co[dot]in",
    "name\tat\texample dot com",
    "name (at) example.com",
    "2nd (at) 3com . net",
    "98860 12345",
    "(415)· 555 · 0100",
    "(+91) 9876543210",
    "080-12345678",
    "040 2345 6789 / 9876543210",
    "Ph.9876543210",
    "020 7946 0958 London, United Kingdom",
    "030/1234567 Berlin, Germany",
    "Office: 555 0100",
    "Contact details: 555 0100",
    "Phone -- -- -- -- -- -- -- -- 555 0100",
    "Work 5550100",
    "github.com/foo, linkedin.com/in/x-y",
    "(https://foo.example.org/~me).",
    "linkedin.com/in/\njane-doe",
    "Website: janedoe.dev",
    "jane.github.io, jane.medium.com and jane.tumblr.com",
    "Portfolio jane.doe.site",
]
BELOW = "Worked with people.\n" * 20
PIECES = st.sampled_from(
    ["@", "a", ".com", "gmail", " ", "\n", "+91", "98765", "43210", "-", "(", ")", "/", "www.", "(at)", " dot ", "Tel "]
)


def hidden(masker: Masker, start: int, end: int) -> bool:
    """Whether masks cover all of it; they are merged, so one of them must."""
    return any(mask.start <= start and end <= mask.end for mask in masker.masks)


def assert_masked(text: str) -> None:
    masker = Masker(text, kinds={"contact"})
    contacts = find_contacts(text, ())
    for fact in (*contacts.emails, *contacts.links, *contacts.phones):
        assert hidden(masker, fact.evidence.start, fact.evidence.end), (text, fact)


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_mined_is_masked(text: str) -> None:
    contacts = find_contacts(text, ())
    assert contacts.emails or contacts.links or contacts.phones
    assert_masked(text)
    assert_masked(BELOW + text)


@pytest.mark.parametrize("text", TEXTS)
def test_every_occurrence_is_masked_in_what_others_wrote(text: str) -> None:
    note = f"{BELOW}{text}\nand again {text}"
    page = ContactText(note, is_resume=False)
    cleaned = Masker("Jane Doe", kinds={"contact"}).clean(note)
    for span in (*email_spans(note), *link_spans(page), *phone_spans(page)):
        assert note[span.start : span.end] not in cleaned


def test_a_bare_site_in_a_note_is_no_contact_data() -> None:
    note = "Knows draw.io, and worked for acme.com"
    assert Masker("Jane Doe", kinds={"contact"}).clean(note) == note


@given(st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=30).map("".join)))
@settings(derandomize=True, max_examples=200, deadline=None)
def test_whatever_is_mined_of_a_random_text_is_masked(text: str) -> None:
    assert_masked(text)
