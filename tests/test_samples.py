"""The bundled samples: rebuilt byte for byte, and read word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

import evenhand
import make_samples
from evenhand.records import Document
from samples import people
from samples.people import Person

FOLDER = Path(evenhand.__file__).parent / "samples"
READABLE = {
    "data-engineer.pdf": people.ILSE,
    "designer-side-bar.pdf": people.TOMAS,
    "project-manager.docx": people.MINA,
    "research-coordinator.odt": people.JONAS,
    "accountant.rtf": people.PRIYA,
    "web-developer.html": people.LEO,
    "ksiegowa.txt": people.AGNIESZKA,
    "support-hidden-keywords.pdf": people.VICTOR,
}


def read(name: str) -> Document:
    return evenhand.read(FOLDER / name, name=name)


def story(person: Person) -> list[str]:
    """Passages that stand in this order in every layout."""
    passages = [person.profile]
    for job in person.jobs:
        passages += [job.title, *job.duties]
    return passages


def test_the_samples_are_what_the_script_makes() -> None:
    made = make_samples.samples()
    assert sorted(made) == sorted(path.name for path in FOLDER.iterdir())
    assert {name: (FOLDER / name).read_bytes() for name in made} == made


@pytest.mark.parametrize("name", READABLE)
def test_all_of_a_person_is_read_in_order(name: str) -> None:
    document, person = read(name), READABLE[name]
    assert (document.status, document.error) == ("parsed", None)
    text = " ".join(document.text.split())
    place = 0
    for passage in story(person):
        assert passage in text[place:], passage
        place = text.index(passage, place) + len(passage)
    listed = (*person.certificates, *(skills for _, skills in person.skills))
    parts = [part for line in listed for part in line.split(", ")]
    for words in (*person.name.split(), person.title, *person.contact, *parts):
        assert words in text


@pytest.mark.parametrize("name", [name for name in READABLE if "hidden" not in name])
def test_honest_samples_raise_no_alarm(name: str) -> None:
    document = read(name)
    assert document.hidden == ()
    assert document.warnings == ()


@pytest.mark.parametrize("name", READABLE)
def test_duties_are_list_items(name: str) -> None:
    person = READABLE[name]
    duties = sum(len(job.duties) for job in person.jobs)
    assert sum(line.list in {"•", "-"} for line in read(name).lines) >= duties


def test_hidden_keywords_are_set_apart() -> None:
    document = read("support-hidden-keywords.pdf")
    assert {item.reason for item in document.hidden} == {"background_color"}
    assert " ".join(item.text for item in document.hidden).split() == make_samples.KEYWORDS.split()
    assert [warning.code for warning in document.warnings] == ["hidden_text"]
    assert "kubernetes" not in document.text


def test_tables_are_tables() -> None:
    sizes = [(table.rows, table.columns, table.ruled) for table in read("project-manager.docx").tables]
    assert sizes == [(3, 2, True), (4, 2, True)]
    assert [(table.rows, table.columns) for table in read("research-coordinator.odt").tables] == [(3, 2)]


def test_a_scan_is_recognised_and_marked() -> None:
    document = read("warehouse-scan.pdf")
    assert document.status in {"parsed", "partial"}
    assert "Hanna Brandt-Osei" in document.text
    assert "Orrin Distribution" in document.text
    assert all(line.confidence is not None for line in document.lines)


def test_unreadable_samples_say_why() -> None:
    protected, torn = read("password.pdf"), read("half-downloaded.docx")
    assert protected.error is not None
    assert protected.error.code == "encrypted_document"
    assert torn.status == "partial"
    assert [warning.code for warning in torn.warnings] == ["damaged"]
