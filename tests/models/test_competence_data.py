"""Examples of level and fit: what is accepted, which resumes are learned from and tested, and what is kept."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from evenhand.errors import UsageError
from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.models.labelled_resumes import LEVELS, CompetenceExample, fit_label, level_data
from evenhand.records.profile import Profile, Section, Source
from evenhand_lab.corpora.kinds import crc_guideline
from evenhand_lab.corpora.kinds.crc_applications import level_text
from evenhand_lab.training.competence import MinedApplicant, crc_data_of, mined_applicants

SOURCE = Source(None, "0" * 64, "txt", 1, "parsed", (), None)


def applicant(number: int, level: str, *applied: str, headings: int = 2) -> MinedApplicant:
    text = f"Work\nnurse number {number}\nSchool\ncollege\n"
    sections = (Section("experience", "Work", 0, 10), Section("education", "School", 20, len(text)))
    profile = Profile(SOURCE, "2026-10", sections=sections[:headings])
    return MinedApplicant(number, level, level, applied, text, profile)


@pytest.fixture
def applicants() -> list[MinedApplicant]:
    """400 people, of whom every second applies for two levels, one of them twice."""
    found = []
    for number in range(400):
        level = LEVELS[number % 5]
        applied = ("CRC1", "CRC1", "CRC2") if number % 2 else (("CRC1", "CRC2", "CRC3", "CRC4")[number % 4],)
        found.append(applicant(number, level, *applied))
    return found


def test_levels_are_those_of_the_guideline() -> None:
    """The guideline and the models' default are in packages of their own, so each says them."""
    assert LEVELS == crc_guideline.LEVELS


@pytest.mark.parametrize(
    ("applied", "annotated", "expected"),
    [
        ("CRC1", "CRC1", "accept"),
        ("CRC2", "CRC1", "reject"),
        ("CRC1", "CRC2", "reject"),  # over-qualified
        ("CRC1", "NQ", "reject"),
        ("CRC4", "CRC4", "accept"),
    ],
)
def test_accepted_at_ones_own_level_only(applied: str, annotated: str, expected: str) -> None:
    assert fit_label(applied, annotated) == expected


def test_stages_labels_and_parts(applicants: list[MinedApplicant]) -> None:
    data = crc_data_of(applicants, seed=3)
    assert len(data.stages.applications) == 200 + 3 * 200
    assert len(data.stages.within_level) == 200 + 2 * 200
    assert len(data.stages.across_levels) == 400
    level = data.level.split
    assert (len(level.train), len(level.dev), len(level.test)) == (300, 40, 60)
    assert Counter(example.label for example in level.test) == dict.fromkeys(LEVELS, 12)
    levels = {str(each.number): each.level for each in applicants}
    for part in (data.fit.split.train, data.fit.split.dev, data.fit.split.test):
        for example in part:
            assert example.job is not None
            assert example.label == fit_label(example.job, levels[example.applicant])
            assert data.fit.job_texts[example.job] == level_text(example.job)


def test_no_applicant_is_in_two_parts(applicants: list[MinedApplicant]) -> None:
    split = crc_data_of(applicants, seed=3).fit.split
    people = [{example.applicant for example in part} for part in (split.train, split.dev, split.test)]
    assert not people[0] & people[1]
    assert not people[0] & people[2]
    assert not people[1] & people[2]
    total = sum(map(len, (split.train, split.dev, split.test)))
    assert len(split.train) / total == pytest.approx(0.75, abs=0.02)


def test_resumes_without_titles_are_left_out(applicants: list[MinedApplicant]) -> None:
    data = crc_data_of([*applicants, applicant(400, "CRC1", "CRC1", headings=1)], seed=3)
    assert data.left_out == 1
    everybody = (*data.level.split.train, *data.level.split.dev, *data.level.split.test)
    assert "400" not in {example.applicant for example in everybody}


def test_a_resume_that_is_there_twice_is_refused() -> None:
    resume = ResumeInput((SectionText("Skills", "SQL"),))
    spaced = replace(resume, sections=(SectionText("Skills", " sql "),))
    with pytest.raises(UsageError, match="1 resumes stand in the data more than once"):
        level_data([CompetenceExample("a", resume, "NQ"), CompetenceExample("b", spaced, "NQ")], description="", seed=0)


def test_majority(applicants: list[MinedApplicant]) -> None:
    fit = crc_data_of(applicants, seed=3).fit
    rejected = sum(example.label == "reject" for example in fit.split.test)
    assert fit.majority == rejected / len(fit.split.test)


def test_what_was_made_is_kept_and_gone_on_with(tmp_path: Path) -> None:
    first = mined_applicants(2, 5, cache=tmp_path)
    file = next(tmp_path.iterdir())
    kept = file.read_bytes()
    file.write_bytes(kept + b'{"number": 2, "cut o')  # a run that was stopped while it wrote
    more = mined_applicants(3, 5, cache=tmp_path)
    assert more[:2] == first
    assert [each.number for each in more] == [0, 1, 2]
    assert [json.loads(line)["number"] for line in file.read_text().splitlines()] == [0, 1, 2]
    assert mined_applicants(3, 5, cache=tmp_path) == more
