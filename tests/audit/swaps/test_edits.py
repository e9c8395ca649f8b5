"""What each edit changes, and that it changes nothing else."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as some

import evenhand
from evenhand.audit.swaps.editing import Edit, apply_edits
from evenhand.audit.swaps.edits import (
    HARMLESS,
    edit_affiliation,
    edit_birth,
    edit_first_job,
    edit_first_name,
    edit_full_name,
    edit_gap,
    edit_gender_words,
    edit_home,
    edit_hours,
    edit_school,
    edit_workplace,
    month_like,
    month_number,
    turn_gender,
)
from tests.audit.swaps.resumes import RESUME, changed, marked

TEXT = evenhand.read(RESUME.encode(), name="resume.txt").text


def differing(text: str) -> list[tuple[str, str]]:
    """Pairs of lines that differ."""
    before, after = TEXT.splitlines(), text.splitlines()
    found: list[tuple[str, str]] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            found.append(("\n".join(before[a:b]), "\n".join(after[c:d])))
    return found


def test_a_first_name_changes_in_the_head_and_in_the_address() -> None:
    text = changed(marked(), edit_first_name(marked(), "Dolores"))
    assert differing(text) == [
        (
            "Marta Quillfeather\nBoise, ID | marta.quillfeather@example.com | (208) 555-0142",
            "Dolores Quillfeather\nBoise, ID | dolores.quillfeather@example.com | (208) 555-0142",
        )
    ]


def test_a_full_name_changes_both_parts() -> None:
    text = changed(marked(), edit_full_name(marked(), "Imani Okafor"))
    assert text.startswith("Imani Okafor\n")
    assert "imani.okafor@example.com" in text
    assert "uillfeather" not in text


def test_capitals_stay() -> None:
    shouted = RESUME.replace("Marta Quillfeather\n", "MARTA QUILLFEATHER\n")
    assert changed(marked(shouted), edit_first_name(marked(shouted), "Anna")).startswith("ANNA QUILLFEATHER\n")


def test_a_resume_without_a_name_gets_one() -> None:
    nameless = "Accountant\n\nExperience\nAccountant, Tarvale Foods\nJune 2015 - February 2019\nTax filings in Excel.\n"
    text = changed(marked(nameless), edit_first_name(marked(nameless), "Anna"))
    assert text.startswith("Anna Carter\n")


@pytest.mark.parametrize(
    ("edit", "value", "before", "after"),
    [
        (edit_home, "Elko, NV", "Boise, ID |", "Elko, NV |"),
        (edit_workplace, "Lagos, Nigeria", "Denver, CO", "Lagos, Nigeria"),
        (edit_school, "Yale University", "Boise State University", "Yale University"),
        (edit_hours, "part-time", "Senior Accountant,", "Senior Accountant (part-time),"),
        (edit_first_job, "Bartender", "\nAccountant, Tarvale", "\nBartender, Tarvale"),
    ],
)
def test_one_place_changes(edit, value, before, after) -> None:  # type: ignore[no-untyped-def]
    assert changed(marked(), edit(marked(), value)) == TEXT.replace(before, after)


def test_a_gap_moves_all_that_was_before_the_latest_job() -> None:
    text = changed(marked(), edit_gap(marked(), "18"))
    expected = TEXT.replace("June 2015 - February 2019", "December 2013 - August 2017")
    assert text == expected.replace("University, 2015", "University, 2013")
    assert edit_gap(marked(), "0") == ()


def test_jobs_that_overlap_have_no_gap_to_widen() -> None:
    overlapping = RESUME.replace("February 2019", "August 2020")
    assert edit_gap(marked(overlapping), "18") is None


def test_months_keep_their_dress() -> None:
    assert [month_like(name, 9) for name in ("Jan", "JANUARY", "march", "sept")] == [
        "Sep",
        "SEPTEMBER",
        "september",
        "sep",
    ]
    assert [month_number(name) for name in ("Sept", "DECEMBER", "Mayor", "Decade", "jan")] == [9, 12, None, None, 1]


def test_words_for_a_woman_replace_those_for_a_man() -> None:
    his = RESUME.replace("Accountant with nine", "He is an accountant with nine")
    text = changed(marked(his), edit_gender_words(marked(his), "Pronouns: she/her"))
    assert "She is an accountant" in text
    assert text.splitlines()[1] == "Pronouns: she/her"


def test_an_age_is_told_or_changed() -> None:
    assert "Date of birth: 12 May 1966" in changed(marked(), edit_birth(marked(), "60"))
    told = RESUME.replace("Profile\n", "Date of birth: 3 April 1991\n\nProfile\n")
    assert "Date of birth: 3 April 1966" in changed(marked(told), edit_birth(marked(told), "60"))


def test_a_membership_is_a_line_of_its_own() -> None:
    text = changed(marked(), edit_affiliation(marked(), "Member, works council"))
    assert text == f"{TEXT.rstrip()}\nMember, works council"


def test_harmless_edits() -> None:
    found = {name: changed(marked(), edit(marked())) for name, edit in HARMLESS.items()}
    assert "In charge of monthly closing" in found["reworded"]
    assert found["closed"] == f"{TEXT.rstrip()}\nReferences available on request."
    assert "QuickBooks, Excel" in found["reordered"]
    assert "Feb 2019" in found["months_spelled"]


def test_lines_follow_the_text() -> None:
    edits = (Edit(0, 5, "Jo"), Edit(len(TEXT.rstrip()), len(TEXT.rstrip()), "\nMore\nand more"))
    edited = apply_edits(marked().document, edits)
    lines = [edited.document.text[line.start : line.end] for line in edited.document.lines]
    assert lines[0] == "Jo Quillfeather"
    assert lines[-2:] == ["More", "and more"]
    assert [edited.document.text[start:end] for start, end in edited.places] == ["Jo", "\nMore\nand more"]


def test_edits_must_not_overlap() -> None:
    with pytest.raises(ValueError, match="overlap at 3"):
        apply_edits(marked().document, (Edit(0, 5, "x"), Edit(3, 8, "y")))


@given(some.data())
def test_any_edits_within_lines_leave_every_other_line_alone(data: some.DataObject) -> None:
    document = marked().document
    chosen = data.draw(some.sets(some.integers(0, len(document.lines) - 1), max_size=5))
    edits = []
    for number in chosen:
        line = document.lines[number]
        start = data.draw(some.integers(line.start, line.end))
        end = data.draw(some.integers(start, line.end))
        edits.append(Edit(start, end, data.draw(some.text(some.characters(exclude_characters="\n\r"), max_size=5))))
    edited = apply_edits(document, edits).document
    assert len(edited.lines) == len(document.lines)
    for number, (before, after) in enumerate(zip(document.lines, edited.lines, strict=True)):
        if number not in chosen:
            assert edited.text[after.start : after.end] == document.text[before.start : before.end]


def test_a_running_text_is_turned_both_ways() -> None:
    told = "She leads her team, and many thank her. Ms. Vance is a mother of two."
    assert turn_gender(told, female=False) == "He leads his team, and many thank him. Mr. Vance is a father of two."
    assert turn_gender(told, female=True) == told
    assert turn_gender("He and his wife run it himself.", female=True) == "She and her wife run it herself."
    assert turn_gender("The chef heard a theme here.", female=True) == "The chef heard a theme here."
