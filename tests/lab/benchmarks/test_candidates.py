"""Features completed by the words of a drawn candidate are, byte for byte, those that its text and profile give."""

from __future__ import annotations

import pytest

from evenhand.search.feature_extraction import extract_features
from evenhand.search.features import ResumeFeatures
from evenhand_lab.benchmarks.candidates import Base, PoolJob, draw, make_base, make_entry


@pytest.fixture(scope="module")
def base() -> Base:
    return make_base(60, seed=3)


def test_features_are_those_of_the_text(base: Base) -> None:
    for number in range(60):
        candidate = draw(base, number, seed=5)
        merged = candidate.features.to_bytes()
        assert merged == extract_features(candidate.text, candidate.resume.profile).to_bytes()
        assert ResumeFeatures.from_bytes(merged).length > 20


def test_places_of_skills_are_where_the_text_names_them(base: Base) -> None:
    candidate = draw(base, 1, seed=5)
    entry = make_entry(candidate, seed=5, job=PoolJob("any", 1, frozenset()))
    assert len(entry.card.places) > 3
    for places in entry.card.places.values():
        for place in places:
            assert candidate.text[place.start : place.end] == candidate.resume.text[place.start : place.end]


def test_a_candidate_depends_on_its_number_only(base: Base) -> None:
    assert draw(base, 7, seed=5).text == draw(base, 7, seed=5).text
    assert len({draw(base, number, seed=5).text for number in range(200)}) == 200


def test_contacts_are_of_the_candidate_alone(base: Base) -> None:
    candidate = draw(base, 7, seed=5)
    resume = candidate.resume
    contacts = [*resume.profile.emails, *resume.profile.phones]
    assert contacts
    for fact in contacts:
        start, end = fact.evidence.start, fact.evidence.end
        assert candidate.text[start:end] != resume.text[start:end]
