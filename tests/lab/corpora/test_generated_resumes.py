"""Generated resumes as the plug-in that Evenhand finds: what a folder holds, and what is said of one that is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evenhand.errors import UsageError
from evenhand.plugins import CORPUS_FILE, generated_resumes
from evenhand_lab.corpora import folder
from evenhand_lab.corpora.generate import generate
from evenhand_lab.corpora.plugin import GENERATED


def test_it_is_registered() -> None:
    assert generated_resumes() is GENERATED
    assert CORPUS_FILE == folder.ABOUT


def test_occupations_and_groups_are_those_that_were_made(tmp_path: Path) -> None:
    generate(tmp_path / "corpus", n=3, seed=5, kind="mixed", formats=("txt",), jobs=0)
    found = GENERATED.occupation_rows(tmp_path / "corpus")
    truth = [json.loads(line) for line in (tmp_path / "corpus" / "truth.jsonl").read_text().splitlines()]
    groups = [json.loads(line) for line in (tmp_path / "corpus" / "groups.jsonl").read_text().splitlines()]
    assert [row.label for row in found.rows] == [each["occupation"] for each in truth]
    assert [row.groups["origin"] for row in found.rows] == [each["origin"] for each in groups]
    assert all(row.file.is_file() and row.job is None for row in found.rows)
    assert (found.kind, found.seed, found.n) == ("mixed", 5, 3)
    unknown = GENERATED.labelled_rows("occupation", tmp_path / "corpus", ("NONE",), 0)
    assert [row.label for row in unknown.rows] == [None, None, None]


def test_a_folder_that_holds_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no generated corpus: evenhand corpus generate makes one"):
        GENERATED.occupation_rows(tmp_path)
    (tmp_path / CORPUS_FILE).write_text("{}")
    with pytest.raises(UsageError, match="is no generated corpus"):
        GENERATED.labelled_rows("level", tmp_path, ("NQ",), 0)
