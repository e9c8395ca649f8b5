"""A digest merged from blocks is, byte for byte, the one that the composed text and its profile give."""

from __future__ import annotations

import pytest

from evenhand.records.profile import (
    PRESENT,
    Certification,
    Education,
    Evidence,
    Fact,
    Period,
    Position,
    Profile,
    Project,
    Section,
    Skill,
    Source,
)
from evenhand.search.feature_extraction import extract_features
from evenhand.search.features import ResumeFeatures
from evenhand_lab.benchmarks.candidates.blocks import Base, make_base
from evenhand_lab.benchmarks.candidates.composing import (
    CandidateTruth,
    ComposedCandidate,
    collect_truth,
    compose,
    digest,
)


@pytest.fixture(scope="module")
def base() -> Base:
    return make_base(90, seed=3)


def _place(start: int, end: int) -> Evidence:
    return Evidence(start, end, 1, "rule", 1.0)


def _fact(value: str | None) -> Fact | None:
    """Where it stands does not matter to a digest, unless it is a person's own."""
    return Fact(value, value, _place(0, 0)) if value else None


def _facts(values: list[str]) -> tuple[Fact, ...]:
    return tuple(Fact(value, value, _place(0, 0)) for value in values)


def _month(number: int | None) -> str | None:
    return None if number is None else f"{number // 12:04d}-{number % 12 + 1:02d}"


def profile_of(candidate: ComposedCandidate, known: CandidateTruth) -> Profile:
    def own(label: str) -> tuple[Fact, ...]:
        places = [place for place in candidate.identity_places if place[0] == label]
        return tuple(
            Fact(candidate.text[start:end], candidate.text[start:end], _place(start, end)) for _, start, end in places
        )

    def entries(type: str) -> list[tuple[Evidence, Period, tuple[str, ...], str | None, str | None]]:
        found = []
        for each in candidate.entries(type):
            work = each.block.work
            assert work
            period = Period(_month(work.start), PRESENT if work.present else _month(work.end), work.months, None)
            names = tuple(name for name, _ in each.block.skills)
            evidence = _place(each.start, each.start + len(each.block.text))
            found.append((evidence, period, names, work.title, work.employer))
        return found

    return Profile(
        document=Source(None, "0" * 64, "txt", 1, "ok", (), None),
        as_of=candidate.as_of,
        name=next(iter(own("name")), None),
        emails=own("email"),
        phones=own("phone"),
        links=own("link"),
        city=_fact(candidate.head.city),
        country=candidate.head.country,
        sections=tuple(Section(type, None, start, end) for type, start, end in candidate.sections),
        positions=tuple(
            Position(_fact(employer), _fact(title), None, period, names, evidence)
            for evidence, period, names, title, employer in entries("experience")
        ),
        projects=tuple(
            Project(None, None, None, period, names, None, evidence)
            for evidence, period, names, _, _ in entries("projects")
        ),
        education=tuple(
            Education(
                _fact(study.university), _fact(study.degree), study.level, _fact(study.field), None, None, _place(0, 0)
            )
            for study in known.studies
        ),
        certifications=tuple(
            Certification(fact, None) for each in candidate.placed for fact in _facts(list(each.block.certifications))
        ),
        languages=tuple(fact for each in candidate.placed for fact in _facts(list(each.block.languages))),
        skills=tuple(
            Skill(
                name,
                (),
                skill.months,
                None,
                _month(skill.last_used),
                tuple(_place(start, end) for start, end in skill.places),
            )
            for name, skill in known.skills.items()
        ),
        total_months=known.total_months,
        highest_degree=known.degree,
    )


def test_merged_digests_are_those_of_the_text(base: Base) -> None:
    for number in range(60):
        candidate = compose(base, number, seed=5)
        known = collect_truth(candidate)
        merged = digest(candidate, known).to_bytes()
        assert merged == extract_features(candidate.text, profile_of(candidate, known)).to_bytes()
        assert ResumeFeatures.from_bytes(merged).length > 20


def test_places_of_skills_are_where_the_text_names_them(base: Base) -> None:
    candidate = compose(base, 1, seed=5)
    for name, skill in collect_truth(candidate).skills.items():
        for start, end in skill.places:
            assert candidate.text[start:end].strip(), name


def test_a_candidate_depends_on_its_number_only(base: Base) -> None:
    assert compose(base, 7, seed=5).text == compose(base, 7, seed=5).text
    assert len({compose(base, number, seed=5).text for number in range(200)}) == 200
