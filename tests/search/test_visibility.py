"""Everything that is shown is redacted for its viewer: names, files, texts, snippets, flags, facets."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.errors import QueryError
from evenhand.masking.stored import FAILED, UNMASKED, ResumeMasks, find_all
from evenhand.records import Evidence, Flag, Match, Part, Result, Score, Snippet
from evenhand.search.criteria import Criteria
from evenhand.search.facets import Facet, Facets
from evenhand.search.index.schema import EntryCard, IndexEntry
from evenhand.search.screener import SearchHit, check_fields
from evenhand.search.service import Service
from evenhand.search.visibility import CONTACT_ONLY, OPEN, Visibility, blind, pseudonym, visibility_for
from evenhand.text.folding import words
from evenhand_lab.corpora.kinds.kinds import KINDS as CORPORA
from tests.masking.resumes import profile
from tests.masking.test_generated import resume, work_words
from tests.screening.applicants import FIVE, take_in

ID = "7f3kq2m4n5p6r8s9"
NAME = "Candidate 7F3KQ2"
TEXT = (
    "Jane Doe\nElko, NV | jane.doe@example.com | 404-555-0125\n\nSUMMARY\nShe wrote Java for Doe and Sons.\n"
    "EXPERIENCE\nWaitress, Acme\nJane moved to Java.\nEDUCATION\nHarl University"
)
SECTIONS = (("profile", "SUMMARY"), ("experience", "EXPERIENCE"), ("education", "EDUCATION"))
PROFILE = profile(
    TEXT,
    name="Jane Doe",
    email="jane.doe@example.com",
    phone="404-555-0125",
    city="Elko",
    skills=("Java",),
    jobs=(("Waitress", "Acme"),),
    schools=("Harl University",),
    sections=SECTIONS,
)


def at(words_: str) -> int:
    return TEXT.index(words_)


def snippet(start: int, end: int, *marked: str) -> Snippet:
    text = TEXT[start:end]
    return Snippet(text, tuple((text.index(word), text.index(word) + len(word)) for word in marked), start)


def listed(*snippets: Snippet, flags: tuple[Flag, ...] = (), **card: Any) -> SearchHit:
    java = at("Java")
    result = Result(
        rank=1,
        file="Jane_Doe.pdf",
        candidate="Jane Doe",
        score=Score((Part("title", 2.0, "Waitress: 20% like Java Developer"), Part("words", 1.0))),
        matched=(Match("java", None, None, True, (Evidence(java, java + 4, 1, "rule", 1.0),)),),
        flags=flags,
        snippets=snippets,
    )
    entry = IndexEntry(
        application=ID,
        job="j",
        revision=1,
        text=TEXT,
        digest=b"words",
        city="Elko",
        titles=("Waitress",),
        employers=("Acme",),
        universities=("Harl University",),
        card=replace(
            EntryCard(
                document="d",
                name="Jane Doe",
                file="Jane_Doe.pdf",
                title="Waitress",
                employer="Acme",
                form={"phone": "404-555-0125"},
                places={"java": (Evidence(java, java + 4, 1, "rule", 1.0),)},
            ),
            **card,
        ),
    )
    return SearchHit(result, entry)


FOUND = find_all(TEXT, PROFILE, form={"phone": "404-555-0125"}, file="Jane_Doe.pdf")


def masks(application: str, content: int) -> ResumeMasks:
    assert (application, content) == (ID, 0)
    return FOUND


def test_an_open_lens_returns_what_it_is_given() -> None:
    one = listed(snippet(at("She"), at("\nEXPERIENCE"), "Java"))
    facets = Facets(1, (Facet("city", (), 0, 1),))
    masker = OPEN.masker(TEXT, FOUND)
    assert OPEN.listed(one, masks) is one
    assert OPEN.result(one.result, one.entry, masker) is one.result
    assert OPEN.facets(facets) is facets
    assert masker.masked.text is TEXT
    assert masker.clean("Jane Doe") == "Jane Doe"
    assert (OPEN.name(ID, "Jane Doe"), OPEN.name(ID, None), OPEN.file(ID, "Jane.pdf")) == ("Jane Doe", None, "Jane.pdf")


@pytest.mark.parametrize(
    ("file", "shown"),
    [
        ("Jane_Doe.pdf", f"{NAME}.pdf"),
        ("CV.DOCX", f"{NAME}.docx"),
        ("cv.Doe", NAME),
        ("cv.tar.gz", NAME),
        ("Jane Doe", NAME),
        ("jane.doe.resume", NAME),
        ("Jane.D oe", NAME),
        (None, None),
    ],
)
def test_files_are_named_after_the_pseudonym(file: str | None, shown: str | None) -> None:
    assert blind().file(ID, file) == shown


def test_names_are_pseudonyms_that_stay() -> None:
    assert blind().name(ID, "Jane Doe") == blind(schools=True).name(ID, None) == pseudonym(ID) == NAME
    assert CONTACT_ONLY.name(ID, "Jane Doe") == "Jane Doe"


@pytest.mark.parametrize(
    ("visibility", "kinds"),
    [
        (visibility_for(role="recruiter", blind=False), set()),
        (visibility_for(role="auditor", blind=False), {"contact"}),
        (visibility_for(role="recruiter", blind=True), {"name", "contact", "photo", "age", "gender", "address"}),
        (visibility_for(role="auditor", blind=True, schools=True),
         {"name", "contact", "photo", "age", "gender", "address", "school"}),
        (OPEN, set()), (CONTACT_ONLY, {"contact"}), (blind(schools=True), set(blind().kinds) | {"school"}),
    ],
)  # fmt: skip
def test_who_sees_through_which_lens(visibility: Visibility, kinds: set[str]) -> None:
    assert visibility.kinds == kinds


def test_a_line_of_the_list_seen_blind() -> None:
    seen = blind(schools=True).listed(listed(snippet(at("She"), at("\nEXPERIENCE"), "Java")), masks)
    assert seen.entry.text == (
        "[name]\n[place] | [e-mail] | [phone]\n\nSUMMARY\n[pronoun] wrote Java for [name] and Sons.\n"
        "EXPERIENCE\n[server], Acme\n[name] moved to Java.\nEDUCATION\n[school]"
    )
    assert seen.result.snippets == (Snippet("[pronoun] wrote Java for [name] and Sons.", ((16, 20),), 45),)
    [match] = seen.result.matched
    assert seen.entry.text[match.evidence[0].start : match.evidence[0].end] == "Java"
    assert seen.entry.card.places == {"java": (Evidence(61, 65, 1, "rule", 1.0),)}
    assert (seen.entry.card.form, seen.entry.digest, seen.entry.city) == ({}, b"", None)
    assert (seen.entry.titles, seen.entry.employers, seen.entry.universities) == (("[server]",), ("Acme",), ())
    assert seen.result.score.value == 3.0
    assert [part.reason for part in seen.result.score.parts] == ["[server]: 20% like Java Developer", None]
    shown = json.dumps(seen.to_json())
    assert not re.search("jane|doe|elko|waitress|harl|404", shown, re.IGNORECASE)
    assert (seen.result.candidate, seen.result.file) == (NAME, f"{NAME}.pdf")


def test_an_auditor_sees_all_but_contact_data() -> None:
    seen = CONTACT_ONLY.listed(listed(file="jane.doe@example.com.pdf"), masks)
    assert seen.entry.text == TEXT.replace("jane.doe@example.com", "[e-mail]").replace("404-555-0125", "[phone]")
    assert (seen.result.candidate, seen.entry.city, seen.entry.titles) == ("Jane Doe", "Elko", ("Waitress",))
    assert seen.entry.card.file == "[e-mail]"
    assert seen.entry.universities == ("Harl University",)


def test_a_highlight_never_tells_what_is_behind_a_token() -> None:
    """Who searches for Jane is not shown that a token is she."""
    line = snippet(at("Jane moved"), at("\nEDUCATION"), "Jane", "Java")
    only = snippet(at("Jane moved"), at("\nEDUCATION"), "Jane")
    seen = blind().listed(listed(line, only), masks)
    assert [(each.text, each.highlights) for each in seen.result.snippets] == [("[name] moved to Java.", ((16, 20),))]


def test_a_snippet_cut_inside_a_name_takes_the_whole_token() -> None:
    cut = snippet(at("oe and Sons"), at("\nEXPERIENCE"), "Sons")
    [seen] = blind().listed(listed(cut), masks).result.snippets
    assert (seen.text, seen.highlights) == ("[name] and Sons.", ((11, 15),))


def test_a_snippet_that_is_not_in_the_text_is_dropped() -> None:
    assert blind().listed(listed(Snippet("Jane ... Java", ((9, 13),), 3)), masks).result.snippets == ()


def test_flags_do_not_name_people_or_schools() -> None:
    flags = (
        Flag("duplicate", "Shares much of its text, contact lines apart, with Ann Lee in ann.pdf (90% in common)."),
        Flag(
            "not_accredited", 'University "Harl University" matches "Harl Univ." on the list of those not accredited.'
        ),
        Flag("no_hire", 'Employer "Acme" matches "Acme" on the no-hire list (the same name, similarity 1.00).'),
        Flag("badly_read", "Jane's file was read in part."),
    )
    seen = blind(schools=True).listed(listed(flags=flags), masks).result.flags
    assert [flag.code for flag in seen] == [flag.code for flag in flags]
    assert [flag.message for flag in seen] == [
        "Shares much of its text, contact lines apart, with another resume.",
        'University "[school]" matches "[school]" on the list of those not accredited.',
        flags[2].message,
        "[name]'s file was read in part.",
    ]
    assert CONTACT_ONLY.listed(listed(flags=flags), masks).result.flags == flags


def test_facets_and_fields_that_tell_what_is_masked_go() -> None:
    facets = Facets(1, tuple(Facet(name, (), 0, 1) for name in ("source", "city", "skill")))
    assert [facet.name for facet in blind().facets(facets).facets] == ["source", "skill"]
    assert CONTACT_ONLY.facets(facets) == facets
    with pytest.raises(QueryError, match="“city” is masked"):
        check_fields(blind().criteria(Criteria(text="java AND city:Elko")))
    with pytest.raises(QueryError, match="“city” is masked"):
        check_fields(blind().criteria(Criteria(facets={"city": ("Elko",)})))
    with pytest.raises(QueryError, match="“school” is masked"):
        check_fields(blind(schools=True).criteria(Criteria(text="school:Harl")))
    for visibility in (OPEN, CONTACT_ONLY, blind()):
        check_fields(visibility.criteria(Criteria(text="java school:Harl title:cook")))
    check_fields(OPEN.criteria(Criteria(text="city:Elko", facets={"city": ("Elko",)})))


def test_a_text_about_nobody_in_particular() -> None:
    text = "Asked jane@example.com at 404-555-0125; 12345 of Smith, Jones in Elko, NV said he may."
    assert OPEN.clean(text) is text
    assert CONTACT_ONLY.clean(text) == "Asked [e-mail] at [phone]; 12345 of Smith, Jones in Elko, NV said he may."
    assert blind().clean(text) == "Asked [e-mail] at [phone]; 12345 of Smith, Jones in Elko, NV said [pronoun] may."


def test_many_texts_are_cleaned_as_one_by_one() -> None:
    masker = blind().masker(TEXT, FOUND)
    texts = ["Jane", "Doe", "", "gender:", "male", "three\n\n\nlines", "Date of birth", "1988", "lives in Elko", "Elko"]
    assert masker.clean_all(texts) == [masker.clean(text) for text in texts]
    assert masker.clean_all(["lives in Elko", "Elko Motors", "Elko"]) == ["lives in [place]", "Elko Motors", "[place]"]


def test_of_what_could_not_be_masked_nothing_is_shown() -> None:
    seen = blind().listed(listed(snippet(at("She"), at("\nEXPERIENCE"), "Java")), lambda application, content: FAILED)
    assert (seen.entry.text, seen.result.snippets) == (UNMASKED, ())
    assert (seen.entry.titles, seen.entry.employers) == ((UNMASKED,), (UNMASKED,))
    assert CONTACT_ONLY.masker(TEXT, FAILED).clean_hidden(["Jane"]) == [UNMASKED]


def test_a_whole_page_through_the_lens(service: Service) -> None:
    taken = take_in(service, *FIVE)
    with service.screener(taken.job, ranker="best") as screener:
        shown = screener.screen(Criteria(job=taken.job, text="trading"))
    visibility = blind(schools=True)
    hits = tuple(visibility.listed(hit, service.masks.of) for hit in shown.listed)
    seen = replace(shown, listed=hits, facets=visibility.facets(shown.facets))
    assert [each.result.score.value for each in seen.listed] == [each.result.score.value for each in shown.listed]
    assert [each.entry.application for each in seen.listed] == [each.entry.application for each in shown.listed]
    for each in seen.listed:
        assert each.result.candidate == pseudonym(each.entry.application)
        for piece in each.result.snippets:
            marked = [piece.text[start:end].lower() for start, end in piece.highlights]
            assert set(marked) <= {"java", "python", "developer", "developed", "finance", "department", "trading"}
            assert each.entry.text[piece.start : piece.start + len(piece.text)] == piece.text
    told = json.dumps([seen.to_json(), [[each.entry.facts(), each.entry.text] for each in seen.listed]])
    for applicant in FIVE:
        assert not any(part in told for part in (*applicant.name.split(), applicant.city, "Anna University", "@"))
    assert "city" not in [facet.name for facet in seen.facets.facets]


@settings(derandomize=True, max_examples=30, deadline=None)
@given(kind=st.sampled_from(sorted(CORPORA)), number=st.integers(0, 59))
def test_nothing_of_an_invented_person_passes(kind: str, number: int) -> None:
    made, document, found = resume(kind, number)
    person, text = made.career.person, document.text
    places = {skill.name: [(at.start, at.end) for at in skill.evidence] for skill in found.skills}
    card = EntryCard(
        document="d",
        name=person.name,
        file=f"{person.name}.pdf",
        form={"mail": person.email},
        places={skill.name: skill.evidence for skill in found.skills},
    )
    entry = IndexEntry(ID, "j", 1, text, b"", city=person.city, card=card)
    known = find_all(text, found, form=card.form, file=card.file)
    windows = [(max(0, spot[0] - 90), spot) for spots in places.values() for spot in spots[:1]]
    pieces = tuple(
        Snippet(text[begin : spot[1] + 90], ((spot[0] - begin, spot[1] - begin),), begin) for begin, spot in windows
    )
    flag = Flag("x", f"The file of {person.name} ({person.email}, {person.phone}) is damaged.")
    result = Result(1, f"{person.name}.pdf", person.name, Score(()), flags=(flag,), snippets=pieces)
    seen = blind(schools=True).listed(SearchHit(result, entry), lambda *_: known)
    shown = [piece.text for piece in seen.result.snippets] + [seen.result.flags[0].message, str(seen.to_json())]
    told = "\n".join(shown) + seen.entry.text + seen.entry.facts()
    left = {word.key for word in words(told) if told[word.start].isupper()}
    assert not ({word.key for word in words(person.name) if len(word.key) >= 3} & left) - work_words(made)
    assert person.email not in told
    assert re.sub(r"\D", "", person.phone) not in re.sub(r"\D", "", "".join(shown[:-1]))
    assert not any(study["school"] in told for study in made.truth.education if study.get("school"))
    for piece in seen.result.snippets:
        assert seen.entry.text[piece.start : piece.start + len(piece.text)] == piece.text
