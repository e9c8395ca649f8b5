"""Resumes as token sequences. Each word of the fixture is one token: java 4, nurse 6, engine 7, ward 9."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.errors import UsageError
from evenhand.models.architectures import Architecture
from evenhand.models.inputs import ResumeInput, SectionKind, SectionText
from evenhand.models.sequences import PruningWords, TokenRules, chunks, cut_job, cut_resume, read_rules
from tests.models.encoder.tiny_bert import write_tiny_bert

FIRST, LAST, JAVA, NURSE, ENGINE, WARD = 2, 3, 4, 6, 7, 9
PROFILE, EDUCATION, SKILLS, OTHERS = 0, 1, 4, 5


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> TokenRules:
    folder: Path = write_tiny_bert(tmp_path_factory.mktemp("bert"))
    return read_rules(folder / "tokenizer.json", 16)


def resume(**sections: str) -> ResumeInput:
    kinds: dict[str, SectionKind] = {"profile": "Profile", "education": "Education", "skills": "Skills"}
    return ResumeInput(tuple(SectionText(kinds[name], text) for name, text in sections.items()))


def test_chunks_are_full_but_for_the_last_and_give_back_the_section() -> None:
    tokens = list(range(10))
    assert chunks(tokens, 4) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    assert chunks(tokens, 5) == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]
    assert chunks([], 4) == []


def test_no_chunk_spans_two_sections(rules: TokenRules) -> None:
    cut = cut_resume(
        resume(profile="java java java", skills="ward nurse"), Architecture("C", "chunked", chunk_tokens=2), rules
    )
    assert [list(row) for row in cut.sequences] == [
        [FIRST, JAVA, JAVA, LAST],
        [FIRST, JAVA, LAST],
        [FIRST, WARD, NURSE, LAST],
    ]
    assert cut.kinds == (PROFILE, PROFILE, SKILLS)


def test_a_whole_resume_is_one_trimmed_sequence(rules: TokenRules) -> None:
    architecture = Architecture("Wr", "whole", whole_tokens=3)
    cut = cut_resume(resume(profile="java java java java", skills="ward nurse"), architecture, rules)
    assert [list(row) for row in cut.sequences] == [[FIRST, JAVA, JAVA, WARD, LAST]]


def test_a_joined_job_is_trimmed_like_a_section_and_comes_last(rules: TokenRules) -> None:
    architecture = Architecture("Wr+b", "whole", job="joined", whole_tokens=4)
    cut = cut_resume(resume(profile="java java java java"), architecture, rules, job_text="nurse nurse nurse nurse")
    assert [list(row) for row in cut.sequences] == [[FIRST, JAVA, JAVA, NURSE, NURSE, LAST]]
    with pytest.raises(UsageError, match="needs the text of a job"):
        cut_resume(resume(profile="java"), architecture, rules)


def test_sections_are_pruned_one_by_one_and_cuts_are_counted(rules: TokenRules) -> None:
    architecture = Architecture("P", "pruned", whole_tokens=2)
    words = PruningWords(frozenset({"java"}), frozenset({"java"}))
    cut = cut_resume(
        resume(profile="java nurse java ward", education="ward the", skills="nurse nurse nurse"),
        architecture,
        rules,
        words=words,
    )
    sequences = [list(row) for row in cut.sequences]
    assert sequences[0] == [FIRST, NURSE, WARD, LAST]
    assert sequences[1][1] == WARD  # it fits: not even the stop word goes
    assert len(sequences[1]) == 4
    assert sequences[2] == [FIRST, NURSE, NURSE, LAST]
    assert cut.kinds == (PROFILE, EDUCATION, SKILLS)


def test_a_budget_beyond_the_encoder_is_the_encoders(rules: TokenRules) -> None:
    cut = cut_resume(resume(profile="java " * 20), Architecture("C", "chunked"), rules)
    assert [len(row) for row in cut.sequences] == [16, 8]


def test_an_empty_resume_is_an_empty_sequence(rules: TokenRules) -> None:
    for name, kind in (("Wr", "whole"), ("P", "pruned"), ("C", "chunked")):
        cut = cut_resume(ResumeInput(()), Architecture(name, kind), rules)  # type: ignore[arg-type]
        assert [list(row) for row in cut.sequences] == [[FIRST, LAST]]
        assert cut.kinds == (OTHERS,)


def test_a_long_job_keeps_its_first_tokens(rules: TokenRules) -> None:
    architecture = Architecture("C+I+J", "chunked", job="concat", whole_tokens=2)
    assert list(cut_job("engine ward nurse", architecture, rules)) == [FIRST, ENGINE, WARD, LAST]
