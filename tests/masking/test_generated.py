"""Of invented people, whose data are known, nothing is left: over resumes of all kinds."""

from __future__ import annotations

import re
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.documents.parse import parse
from evenhand.masking.masker import Masker
from evenhand.mining.pipeline import mine
from evenhand.records import Document, Profile
from evenhand.text.folding import words
from evenhand_lab.corpora.generate import CorpusRequest, ResumeBundle, make
from evenhand_lab.corpora.kinds.kinds import KINDS as CORPORA

PRONOUNS = re.compile(r"\b[Hh](?:e|er|im|is|ers|imself|erself)\b|\b[Ss]he\b")


@cache
def resume(kind: str, number: int) -> tuple[ResumeBundle, Document, Profile]:
    made = make(CorpusRequest(11, kind, ("txt", "html", "rtf")), number)
    document = parse(made.files[0].data)
    return made, document, mine(document, as_of="2026-01")


def work_words(made: ResumeBundle) -> set[str]:
    """Words that the resume uses for work: a name that is one of them may stay there."""
    truth = made.truth
    told = [text for job in truth.positions for text in (job.employer, job.title, job.city)]
    told += [form for skill in truth.skills for form in skill.surfaces]
    told += [study["school"] for study in truth.education if study.get("school")]
    told += [project.name for project in truth.projects]
    return {word.key for text in told for word in words(text)}


@settings(derandomize=True, max_examples=60, deadline=None)
@given(kind=st.sampled_from(sorted(CORPORA)), number=st.integers(0, 59))
def test_nothing_of_the_person_is_left(kind: str, number: int) -> None:
    made, document, profile = resume(kind, number)
    masked = Masker(document.text, profile).masked
    person = made.career.person
    left = {word.key for word in words(masked.text) if masked.text[word.start].isupper()}
    parts = {word.key for word in words(person.name) if len(word.key) >= 3}
    assert not (parts & left) - work_words(made)
    assert person.email not in masked.text
    assert re.sub(r"\D", "", person.phone) not in re.sub(r"\D", "", masked.text)
    assert person.street is None or person.street not in masked.text
    assert not any(link in masked.text for link in person.links)
    assert not any(study["school"] in masked.text for study in made.truth.education if study.get("school"))
    assert not PRONOUNS.search(masked.text)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(kind=st.sampled_from(sorted(CORPORA)), number=st.integers(0, 59))
def test_the_rest_is_unchanged_and_every_place_is_found(kind: str, number: int) -> None:
    _, document, profile = resume(kind, number)
    text, masked = document.text, Masker(document.text, profile).masked
    reached, shown = 0, 0
    for mask, token in zip(masked.masks, masked.tokens, strict=True):
        assert text[reached : mask.start] == masked.text[shown : token[0]]
        assert masked.text[slice(*token)] == mask.shown
        reached, shown = mask.end, token[1]
    assert text[reached:] == masked.text[shown:]
    for skill in profile.skills:
        for at in skill.evidence:
            if not masked.hides(at.start, at.end):
                moved = masked.place(at.start, at.end)
                assert masked.text[slice(*moved)] == text[at.start : at.end]
                assert masked.source(*moved) == (at.start, at.end)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(kind=st.sampled_from(sorted(CORPORA)), number=st.integers(0, 59))
def test_work_stays(kind: str, number: int) -> None:
    """All but one in a hundred of the facts that truth knows are still to be read."""
    made, document, profile = resume(kind, number)
    kinds = frozenset(("name", "contact", "address", "age", "gender", "photo"))
    shown = Masker(document.text, profile, kinds=kinds).masked.text
    facts = [text for job in made.truth.positions for text in (job.employer, job.title)]
    facts += [form for skill in made.truth.skills for form in skill.surfaces]
    readable = [text for text in facts if text in document.text]
    gendered = re.compile(r"\b(?:Host|Hostess|Waiter|Waitress|Foreman)\b", re.IGNORECASE)
    lost = [text for text in readable if text not in shown and not gendered.search(text)]
    assert len(lost) <= len(readable) / 100, lost
