"""Job descriptions from files and from text, with the user's own names for skills."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.errors import UsageError
from evenhand.mining.lexicon.user_entries import add_entry
from evenhand.mining.pipeline import read_job
from evenhand.settings import Settings

TEXT = "Office Clerk\n\nRequirements\n- 3 years of Zorblax\n- Excel\n"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=str(tmp_path), workers=1)


def test_a_file_and_its_text_are_the_same_job(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "job.txt"
    path.write_text(TEXT, encoding="utf-8")
    job = read_job(path, settings)
    assert (job.title, [demand.skills for demand in job.demands]) == ("Office Clerk", [("excel",)])
    assert read_job(job.text, settings) == job
    assert read_job(str(path), settings) == job


def test_the_users_own_skills_are_known(settings: Settings) -> None:
    add_entry(settings.lexicon_path, "skill", "Zorblax", [])
    demands = read_job(TEXT, settings).demands
    assert [(demand.skills, demand.months) for demand in demands] == [(("zorblax",), 36), (("excel",), None)]


def test_a_file_that_cannot_be_read_is_named_with_the_reason(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "empty.txt"
    path.write_bytes(b"")
    with pytest.raises(UsageError, match=r"empty\.txt: The file contains no text"):
        read_job(path, settings)
    with pytest.raises(UsageError, match="cannot be opened"):
        read_job("missing.pdf", settings)


def test_a_few_words_are_a_job_too(settings: Settings) -> None:
    job = read_job("Senior Java developer in Leeds", settings)
    assert [demand.skills for demand in job.demands if demand.must] == [("java",)]
