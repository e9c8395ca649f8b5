"""Labelled resumes as the models get them: what gives the label away is cut, near-duplicates stay together."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.audit.models.resumes import spread
from evenhand.documents.reading import read
from evenhand.errors import UsageError
from evenhand.models.inputs import ResumeInput
from evenhand.progress import no_progress
from evenhand_lab.reproduce.occupation import masked
from evenhand_lab.training.occupation import deal, divide, label_all
from evenhand_lab.training.occupation_data import (
    OccupationExample,
    grouped,
    one_section,
    read_florex_examples,
    read_livecareer_examples,
    without_beginning,
    without_first_line,
)
from tests.lab.training.occupation_sets import write_roles

WORDS = "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa"


def example(name: str, label: str, text: str = "") -> OccupationExample:
    return OccupationExample(name, one_section(text or f"resume of {name}"), (label,), name)


def test_a_document_without_its_first_line_is_whole() -> None:
    document = read(b"\n\nHEAD CHEF\nSummary\nCooks well.\n", name="chef.txt")
    rest = without_first_line(document)
    assert rest.text.startswith("Summary")
    assert [rest.line_text(line) for line in rest.lines] == ["Summary", "Cooks well."]


def test_marks_and_the_first_200_characters_go() -> None:
    text = '<span class="hl">Java</span> ' + "x" * 195 + "Developer  and &amp; more"
    assert without_beginning(text) == "Developer and & more"


def test_roles_are_read_with_known_labels_only(tmp_path: Path) -> None:
    found = read_florex_examples(write_roles(tmp_path, each=2), n=None, progress=no_progress)
    assert [each.labels for each in found[:2]] == [("Java_Developer",), ("Network_Administrator",)]
    assert found[3].labels == ("Java_Developer", "Network_Administrator")
    assert "hl" not in found[0].resume.text
    assert found[0].resume.titles == ()


def test_fewer_resumes_are_taken_from_everywhere() -> None:
    assert spread(list(range(10)), 4) == [0, 2, 5, 7]
    assert spread([1, 2], 5) == spread([1, 2], None) == [1, 2]


def test_too_few_resumes_are_told_so() -> None:
    with pytest.raises(UsageError, match="too few"):
        divide([example("a", "X"), example("b", "Y")], seed=0)


def test_a_folder_without_resumes_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="livecareer-pdf"):
        read_livecareer_examples(tmp_path, n=None, progress=no_progress)


def test_near_duplicates_are_one_group() -> None:
    longer = f"{WORDS} quebec romeo sierra tango uniform victor whiskey xray"
    other = " ".join(f"word{number}" for number in range(30))
    found = grouped([example("a", "X", longer), example("b", "X", f"{longer} zulu"), example("c", "X", other)])
    assert [each.group for each in found] == ["a", "a", "c"]


def test_groups_stay_together_and_labels_are_dealt_evenly() -> None:
    examples = [example(f"{label}{number}", label) for label in ("X", "Y") for number in range(20)]
    twins = [OccupationExample(f"twin{number}", ResumeInput(()), ("X",), "X3") for number in range(3)]
    parts = deal([*examples, *twins], range(43), 5, seed=1)
    assert sorted(at for part in parts for at in part) == list(range(43))
    home = next(part for part in parts if 3 in part)
    assert {40, 41, 42} <= set(home)
    assert [sum(20 <= at < 40 for at in part) for part in parts] == [4] * 5


def test_a_fifth_is_measured_on_and_never_learned_from() -> None:
    examples = [example(f"{label}{number}", label) for label in ("X", "Y") for number in range(25)]
    parts = divide(examples, seed=0)
    assert len(parts.test) == 10
    assert not set(parts.test) & set(parts.learned)
    assert len(parts.train) == 5
    assert sorted(at for part in parts.everything for at in part) == list(range(50))
    assert divide(examples, seed=0) == parts
    assert divide(examples, seed=1) != parts


def test_labels_become_columns() -> None:
    labelled = label_all([example("a", "Y"), example("b", "X")])
    assert labelled.labels == ("X", "Y")
    assert labelled.gold.tolist() == [[False, True], [True, False]]


def test_masked_titles_are_gone_wherever_they_stand() -> None:
    resume = ResumeInput(
        one_section("Head\nChef at a firm; the head chef cooks. Chefs rest. Sous Chef.").sections, ("Head Chef", "Chef")
    )
    shown = masked(resume)
    assert shown.titles == ()
    assert shown.text.split() == ["at", "a", "firm;", "the", "cooks.", "Chefs", "rest.", "Sous", "."]


def test_masked_also_means_what_stands_before_a_stretch_of_time() -> None:
    resume = one_section("Java Developer May 2010 to June 2012 wrote services")
    assert masked(resume, "stated").text.split()[0] == "May"
