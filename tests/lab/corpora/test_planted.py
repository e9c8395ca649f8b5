"""Planted cases: where they go, what they change, and what is recorded of them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pypdfium2
import pytest

import evenhand
from evenhand_lab.corpora.career import Person
from evenhand_lab.corpora.files.pdf.writer import write_pdf
from evenhand_lab.corpora.files.scans import scan
from evenhand_lab.corpora.generate import CorpusRequest, ResumeBundle, make
from evenhand_lab.corpora.planting import (
    CASES,
    PlantedCase,
    company_entry,
    doubled,
    lookalike_entry,
    new_phone,
    plan,
    renew_person,
    respell_company,
    school_entry,
    slip,
    unused_companies,
    without_accents,
)
from tests.lab.corpora.invented import resume

ORDER = CorpusRequest(seed=5, kind="mixed", formats=("docx", "html", "pdf"))


def test_plan_gives_each_resume_one_case() -> None:
    cases = plan({"hidden": 2, "duplicates": 3, "scans": 1}, n=9, seed=4)
    assert Counter(case.kind for case in cases.values()) == {"hidden": 2, "duplicates": 3, "scans": 1}
    originals = {case.original for case in cases.values() if case.kind == "duplicates"}
    assert len(originals) == 3
    assert not originals & set(cases)
    assert all(case.original is None for case in cases.values() if case.kind != "duplicates")
    assert cases == plan({"scans": 1, "duplicates": 3, "hidden": 2}, n=9, seed=4)


def test_plan_refuses_what_cannot_be() -> None:
    with pytest.raises(ValueError, match="6 resumes are needed for the planted cases, and there are 5"):
        plan({"duplicates": 3}, n=5, seed=0)
    with pytest.raises(ValueError, match="there is no planted case 'typos'"):
        plan({"typos": 1}, n=5, seed=0)


def test_spellings() -> None:
    assert (doubled("Phillips"), doubled("Nelson")) == ("Philips", "Nellson")
    assert without_accents("José Ñandú") == "Jose Nandu"
    assert {slip("abcd", Random(seed)) for seed in range(30)} == {"acbd", "acd", "abbcd"}


def test_company_is_never_written_as_it_is_listed() -> None:
    seen = set()
    for seed in range(200):
        written, way = respell_company("Norvane Pascoe Systems Inc.", "Inc.", ("Inc.", "Incorporated"), Random(seed))
        assert written != "Norvane Pascoe Systems Inc."
        seen.add(way)
        assert way != "initials" or written.startswith("NP Systems ")
    assert seen == {
        "initials", "legal_form", "no_legal_form", "abbreviated", "joined", "ampersand", "slip", "capitals",
    }  # fmt: skip


def test_lookalikes_are_on_no_list() -> None:
    listed = {company_entry(3, number, "India").listed for number in range(300)} | set(unused_companies(3))
    lookalikes = [lookalike_entry(3, number, "India") for number in range(300)]
    assert not {entry.written for entry in lookalikes} & (listed | {entry.listed for entry in lookalikes})
    assert all(entry.written.split()[0] == entry.listed.split()[0] for entry in lookalikes)


def test_phones_stay_in_their_range() -> None:
    assert {new_phone("(404) 555-0125", Random(seed))[:-2] for seed in range(50)} == {"(404) 555-01"}
    assert all(new_phone("(404) 555-0125", Random(seed)) != "(404) 555-0125" for seed in range(300))


def test_person_applies_again() -> None:
    person = Person("Philip Ashdown", "p@example.com", "+1 404 555 0125", "Grafton", None, "United States")
    again = renew_person(person, Random(1))
    assert again.name != person.name
    assert again.email != person.email
    assert again.email.split("@")[1] in {"example.com", "example.org", "example.net"}
    assert (again.city, again.country, again.links) == (person.city, person.country, person.links)


@pytest.fixture(scope="module")
def originals() -> dict[int, ResumeBundle]:
    return {number: make(ORDER, number) for number in range(12)}


def test_duplicate_keeps_the_career(originals: dict[int, ResumeBundle]) -> None:
    for number, original in originals.items():
        copy = make(ORDER, number + 100, PlantedCase(number + 100, "duplicates", number))
        assert copy.planted is not None
        facts = dict(copy.planted.facts)
        assert facts["original"] == number
        assert 0.02 <= facts["edited_words"] / facts["words"] <= 0.08
        assert (copy.truth.number, copy.groups.number) == (number + 100, number + 100)
        assert copy.truth.positions == original.truth.positions
        assert copy.truth.skills == original.truth.skills
        assert copy.truth.education == original.truth.education
        assert copy.truth.email not in original.plain.text
        assert original.truth.email not in copy.plain.text
        assert original.truth.phone not in copy.plain.text


def test_duplicate_shares_most_shingles(originals: dict[int, ResumeBundle]) -> None:
    copies = [make(ORDER, 50, PlantedCase(50, "duplicates", number)) for number in originals]
    for original, copy in zip(originals.values(), copies, strict=True):
        assert resemblance(original.plain.text, copy.plain.text) > 0.5
    texts = [made.plain.text for made in originals.values()]
    assert max(resemblance(one, other) for one in texts for other in texts if one is not other) < 0.3


def resemblance(one: str, other: str) -> float:
    def shingles(text: str) -> set[tuple[str, ...]]:
        words = text.lower().split()
        return {tuple(words[place : place + 4]) for place in range(len(words) - 3)}

    first, second = shingles(one), shingles(other)
    return len(first & second) / len(first | second)


@pytest.mark.parametrize("kind", ["no-hire", "lookalikes"])
def test_employer_stands_in_text_and_truth(kind: str) -> None:
    made = make(ORDER, 3, PlantedCase(3, kind))
    assert made.planted is not None
    facts = dict(made.planted.facts)
    assert facts["written"].casefold() in made.plain.text.casefold()
    assert facts["written"] in {position.employer for position in made.truth.positions}
    assert facts["listed"] != facts["written"]


def test_university_stands_in_text_and_truth() -> None:
    made = make(ORDER, 4, PlantedCase(4, "non-accredited"))
    assert made.planted is not None
    facts = dict(made.planted.facts)
    assert facts["listed"] == school_entry(5, 4).listed
    assert facts["written"] in {study["school"] for study in made.truth.education}


def test_hidden_words_are_in_the_file_and_not_in_the_text() -> None:
    for number in range(6):
        made = make(ORDER, number, PlantedCase(number, "hidden"))
        assert made.planted is not None
        facts = dict(made.planted.facts)
        (file,) = made.files
        assert file.format == facts["format"]
        document = evenhand.read(file.data)
        hidden = " ".join(" ".join(item.text for item in document.hidden).split())
        assert hidden == facts["text"]
        assert facts["text"] not in made.plain.text


def test_stuffing_is_plain_to_see() -> None:
    made = make(ORDER, 6, PlantedCase(6, "stuffing"))
    assert made.planted is not None
    text = dict(made.planted.facts)["text"]
    assert text in made.plain.text
    assert len(text.split(", ")) >= 24
    assert made.truth.skills == make(ORDER, 6).truth.skills


def test_scan_has_pages_and_no_text() -> None:
    pdf = write_pdf(resume(1), "classic", Random(0))
    scanned = scan(pdf, Random(2))
    assert scanned == scan(pdf, Random(2))
    document = pypdfium2.PdfDocument(scanned)
    assert [document[n].get_textpage().get_text_range() for n in range(len(document))] == [""] * len(document)
    assert document[0].get_size() == pypdfium2.PdfDocument(pdf)[0].get_size()


def test_every_case_has_its_maker() -> None:
    for number, kind in enumerate(CASES):
        made = make(ORDER, number, PlantedCase(number, kind, original=50 if kind == "duplicates" else None))
        assert made.planted is not None
        assert made.planted.to_json() | {"number": number, "kind": kind} == made.planted.to_json()
