"""Masks that overlap become one, and every place is found again in the masked text and back."""

from __future__ import annotations

import time
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.masking.masker import MAX_CHARACTERS, NOT_SHOWN, Masker
from evenhand.masking.masks import KINDS, TOKENS, Mask, MaskedText, apply, merge
from tests.masking.resumes import profile

TEXT = "Jane Doe, jane@example.com, bakes."


def test_tokens_replace_what_is_masked() -> None:
    masked = apply(TEXT, [Mask(10, 26, "contact", "[e-mail]"), Mask(0, 8, "name")])
    assert masked.text == "[name], [e-mail], bakes."
    assert masked.masks == (Mask(0, 8, "name"), Mask(10, 26, "contact", "[e-mail]"))
    assert masked.tokens == ((0, 6), (8, 16))


@pytest.mark.parametrize(
    ("place", "moved"),
    [
        ((28, 33), (18, 23)),  # bakes
        ((0, 8), (0, 6)),
        ((5, 8), (0, 6)),  # Doe: the whole token
        ((0, 10), (0, 8)),
        ((8, 10), (6, 8)),  # between two masks
        ((3, 12), (0, 16)),
        ((26, 26), (16, 16)),
        ((34, 34), (24, 24)),
    ],
)
def test_places_move_with_the_text(place: tuple[int, int], moved: tuple[int, int]) -> None:
    masked = apply(TEXT, [Mask(0, 8, "name"), Mask(10, 26, "contact", "[e-mail]")])
    assert masked.place(*place) == moved


def test_places_move_back() -> None:
    masked = apply(TEXT, [Mask(0, 8, "name"), Mask(10, 26, "contact", "[e-mail]")])
    assert masked.source(18, 23) == (28, 33)
    assert masked.source(1, 2) == (0, 8)  # a letter of a token: all that it hides
    assert masked.source(0, 24) == (0, 34)


def test_what_a_mask_hides() -> None:
    masked = apply(TEXT, [Mask(10, 26, "contact")])
    touched = [masked.hides(*place) for place in ((0, 10), (9, 11), (12, 14), (25, 30), (26, 30))]
    assert touched == [False, True, True, True, False]


@pytest.mark.parametrize(
    ("masks", "merged"),
    [
        ([Mask(0, 4, "name"), Mask(4, 8, "age")], (Mask(0, 4, "name"), Mask(4, 8, "age"))),
        ([Mask(2, 6, "age"), Mask(0, 4, "name")], (Mask(0, 6, "name"),)),
        ([Mask(0, 4, "name"), Mask(0, 9, "contact", "[e-mail]")], (Mask(0, 9, "contact", "[e-mail]"),)),
        ([Mask(0, 4, "gender"), Mask(0, 4, "name")], (Mask(0, 4, "name"),)),
        ([Mask(0, 3, "name"), Mask(2, 9, "age"), Mask(8, 10, "name")], (Mask(0, 10, "age"),)),
        ([Mask(3, 3, "name")], ()),
    ],
)
def test_overlaps_become_one_of_the_widest_kind(masks: list[Mask], merged: tuple[Mask, ...]) -> None:
    assert merge(masks) == merged


def test_nothing_masked_is_the_text_itself() -> None:
    masked = apply(TEXT, [])
    assert masked.text is TEXT
    assert masked == MaskedText(TEXT)
    assert (masked.place(3, 5), masked.source(3, 5), masked.hides(0, 9)) == ((3, 5), (3, 5), False)


def test_masks_beyond_the_text_are_cut() -> None:
    assert apply("Jane", [Mask(-3, 99, "name")]).text == "[name]"
    assert apply("Jane", [Mask(7, 99, "name")]).text == "Jane"


spots = st.tuples(st.integers(0, 60), st.integers(0, 60), st.sampled_from(KINDS))


@given(st.text("ab \nZé", max_size=60), st.lists(spots, max_size=8))
def test_what_is_not_masked_is_unchanged_and_found(text: str, found: list[tuple[int, int, str]]) -> None:
    masked = apply(text, [Mask(min(a, b), max(a, b), kind) for a, b, kind in found])
    hidden = {at for mask in masked.masks for at in range(mask.start, mask.end)}
    for at in range(len(text)):
        start, end = masked.place(at, at + 1)
        if at in hidden:
            assert masked.text[start:end] in TOKENS.values()
        else:
            assert masked.text[start:end] == text[at]
            assert masked.source(start, end) == (at, at + 1)
    rest = "".join(text[at] for at in range(len(text)) if at not in hidden)
    for start, end in reversed(masked.tokens):
        masked = MaskedText(masked.text[:start] + masked.text[end:])
    assert masked.text == rest


def test_a_masked_text_does_not_hold_what_it_hides() -> None:
    masker = Masker(TEXT, profile(TEXT, name="Jane Doe", email="jane@example.com"))
    assert "Jane" not in repr(masker.masked)
    assert "jane" not in repr(masker.masked)


def test_other_texts_about_the_same_person() -> None:
    masker = Masker(TEXT, profile(TEXT, name="Jane Doe", email="jane@example.com"))
    assert masker.clean("Jane is good; she said: call 404-555-0125.") == "[name] is good; [pronoun] said: call [phone]."
    assert masker.clean("Will be there in May.") == "Will be there in May."
    assert Masker(TEXT, kinds=frozenset()).clean("Jane, she") == "Jane, she"


HOSTILE = {
    "blanks behind a label": "Date of birth" + " " * 44 + "private",
    "tabbed forms": ("Date of birth" + " " * 25 + "Gender" + "\t" * 9 + "Marital status" + " " * 25 + "x\n") * 2_000,
    "at signs": "@" * 200_000,
    "letters": "a" * 200_000,
    "letters and dots": "a." * 100_000,
    "digits": "1" * 200_000,
    "digits and spaces": "1 2-3(4) " * 22_000,
    "pronouns in one line": "he HIS she/her Mr. mother of " * 7_000,
    "labels": "dob\n" * 50_000,
    "labels in one line": "gender: sex: address: place: age: " * 6_000,
    "names": "Jane Doe J. Doe " * 12_000,
    "name parts in one line": "Grant Will " * 18_000,
    "capitals": "Aaa Bbb " * 25_000,
    "schools": "University of College School " * 7_000,
    "links": "http://a.b/c www.x.y/z " * 9_000,
    "slashes": "/in/" * 50_000,
    "greek": "Alpha Beta Gamma " * 12_000,
    "streets": "12 a b c d Street " * 11_000,
    "single letters": "J a n e " * 25_000,
    "commas": "Aa, " * 50_000,
    "blank lines": "\n" * 200_000,
    "brackets": "[(<" * 66_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_takes_long(name: str) -> None:
    """The limit is generous, since the machine may be busy; a square of 200,000 would take minutes."""
    text = "Jane Grant\n" + HOSTILE[name]
    found = profile(text, name="Jane Grant")
    started = time.process_time()
    assert Masker(text, found, file="jane.pdf", form={"name": "Will Doe"}).masks is not None
    assert time.process_time() - started < 5.0


def test_what_is_too_long_to_be_masked_is_not_shown() -> None:
    text = "Jane Doe\n" + "Go and Rust. " * (MAX_CHARACTERS // 13 + 1) + "Jane Doe, born 12 March 1988"
    masker = Masker(text, profile(text, name="Jane Doe"))
    assert masker.masked.text == "[name]\n" + text[9:MAX_CHARACTERS] + NOT_SHOWN
    assert masker.masked.hides(MAX_CHARACTERS + 1, MAX_CHARACTERS + 2)
    assert masker.clean("x" * MAX_CHARACTERS + " Jane") == "x" * MAX_CHARACTERS + NOT_SHOWN
    assert Masker(text, kinds=frozenset()).masked.text == text


@pytest.mark.parametrize("unit", ["+1 555 0100 ", "a@b.c ", "he she his ", "photo.jpg ", "University of X College "])
def test_two_million_characters_of_any_kind_are_masked_in_time(unit: str) -> None:
    """Two seconds are promised; the limit is generous, since the machine may be busy."""
    text = "Jane Grant\n" + unit * (2_000_000 // len(unit))
    started = time.process_time()
    assert Masker(text, profile(text, name="Jane Grant")).masked.text.endswith(NOT_SHOWN)
    assert time.process_time() - started < 6.0


def test_the_same_input_gives_the_same_masks() -> None:
    rng = Random(4)
    words = [
        "Jane",
        "Doe",
        "she",
        "12",
        "Elm",
        "Street",
        "Harl",
        "University",
        "\n",
        "j@example.com",
        "Ms.",
        "born",
        "1988",
    ]
    text = "Jane Doe\n" + " ".join(rng.choices(words, k=400))
    found = profile(text, name="Jane Doe")
    assert Masker(text, found).masks == Masker(text, found).masks
