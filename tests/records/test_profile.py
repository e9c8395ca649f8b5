"""A profile and its document come back from their JSON exactly: every fact, place and surface."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.documents.reading import read
from evenhand.mining.pipeline import mine
from evenhand.records import (
    Certification,
    Document,
    Education,
    Evidence,
    Fact,
    Failure,
    Period,
    Position,
    Profile,
    Project,
    Section,
    Skill,
    Source,
    Warning,
    canonical_json,
)
from evenhand_lab.corpora.generate import CorpusRequest, make

SAMPLES = sorted(Path(str(files("evenhand") / "samples")).iterdir())
AS_OF = "2026-10"


def returned(profile: Profile, text: str) -> Profile:
    return Profile.from_json(json.loads(canonical_json(profile.to_json())), text)


@pytest.mark.parametrize("path", [path for path in SAMPLES if "scan" not in path.name], ids=lambda path: path.name)
def test_a_sample_comes_back(path: Path) -> None:
    document = read(path)
    assert Document.from_json(json.loads(canonical_json(document.to_json()))) == document
    profile = mine(document, as_of=AS_OF)
    assert returned(profile, document.text) == profile


@pytest.mark.parametrize("kind", ["it", "mixed", "crc"])
@pytest.mark.parametrize("number", range(4))
def test_a_generated_resume_comes_back(kind: str, number: int) -> None:
    made = make(CorpusRequest(seed=5, kind=kind, formats=("txt",)), number)
    document = read(made.files[0].data)
    profile = mine(document, as_of=AS_OF)
    assert profile.skills or profile.positions
    assert returned(profile, document.text) == profile


TEXT = "Ada Lovelace, naïve 🎓 engineer\nof engines since 1842. " * 3


@st.composite
def evidences(draw: st.DrawFn) -> Evidence:
    start = draw(st.integers(0, len(TEXT)))
    method = draw(st.sampled_from(["crf", "lexicon", "rule", "table"]))
    confidence = draw(st.floats(0, 1))
    return Evidence(start, draw(st.integers(start, len(TEXT))), draw(st.integers(1, 9)), method, confidence)


@st.composite
def facts(draw: st.DrawFn) -> Fact:
    evidence = draw(evidences())
    return Fact(draw(st.text()), TEXT[evidence.start : evidence.end], evidence)


numbers = st.none() | st.integers(0, 999)
words = st.none() | st.text()
fact = st.none() | facts()
many = st.lists(facts(), max_size=2).map(tuple)
names = st.lists(st.text(), max_size=2).map(tuple)
warnings = st.lists(st.builds(Warning, st.text(), st.text()), max_size=2).map(tuple)
periods = st.builds(Period, words, words, numbers, st.none() | evidences())
failures = st.none() | st.builds(Failure, st.text(), st.text())
sources = st.builds(Source, words, st.text(), words, st.integers(0, 9), st.text(), warnings, failures)


def some(kind: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(kind, max_size=2).map(tuple)


profiles = st.builds(
    Profile,
    document=sources,
    as_of=st.text(),
    name=fact,
    emails=many,
    phones=many,
    links=many,
    city=fact,
    country=words,
    sections=some(st.builds(Section, st.text(), words, st.integers(), st.integers())),
    positions=some(st.builds(Position, fact, fact, fact, periods, names, evidences())),
    projects=some(st.builds(Project, fact, fact, fact, periods, names, numbers, evidences())),
    education=some(st.builds(Education, fact, fact, words, fact, fact, fact, evidences())),
    certifications=some(st.builds(Certification, facts(), fact)),
    skills=some(
        st.builds(Skill, st.text(), names, numbers, numbers, words, st.lists(evidences(), max_size=2).map(tuple))
    ),
    languages=many,
    total_months=numbers,
    relevant_months=numbers,
    highest_degree=words,
    warnings=warnings,
)


@settings(deadline=None, max_examples=40)
@given(profiles)
def test_any_profile_comes_back(profile: Profile) -> None:
    assert returned(profile, TEXT) == profile
