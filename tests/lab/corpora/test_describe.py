"""Descriptions and comparisons of small corpora whose figures can be counted by eye."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from evenhand_lab.corpora.description import (
    DescribedResume,
    compare,
    describe,
    discriminate,
    pieces,
    read_resumes,
    read_texts,
)
from evenhand_lab.corpora.manuscript import to_plain
from evenhand_lab.corpora.truth import build_truth, truth_to_dict
from evenhand_lab.corpora.writing.writer import write
from tests.lab.corpora.careers import hand_made

HEAD = "Asha Rao\n"
WORK = "WORK HISTORY\nKept the books of four branches.\n"
SKILLS = "Skills\nJava, SQL\n"
TEXT = f"{HEAD}\n{WORK}\n{SKILLS}"
SECTIONS = (
    ("personal", None, 0, len(HEAD)),
    ("experience", "WORK HISTORY", len(HEAD) + 1, len(HEAD) + 1 + len(WORK)),
    ("skills", "Skills", len(HEAD) + len(WORK) + 2, len(TEXT)),
)


def small(looks: tuple[str, ...] = ()) -> DescribedResume:
    return DescribedResume("crc", TEXT, SECTIONS, {"dates": "iso", "body": "prose"}, looks)


def test_counts_of_two_equal_resumes() -> None:
    found = describe([small(("pdf plain",)), small(("docx",))])
    assert (found.resumes, dict(found.orders), dict(found.designs)) == (
        2,
        {"experience skills": 2},
        {"pdf plain": 1, "docx": 1},
    )
    assert found.headings["experience"] == {"work history": 2}
    assert found.choices == {"dates": {"iso": 2}, "body": {"prose": 2}}
    assert dict(found.presence) == {"experience": 2, "skills": 2}
    assert found.lengths["experience"].values == [9, 9]  # two of the heading, six words, a full stop
    assert (found.sentences, found.repeated, found.to_json()["duplicate_sentences"]) == (2, 2, 1.0)
    assert len(found.vocabulary) == 13
    assert found.bigrams["the", "books"] == 2
    assert found.beyond == 0
    values = found.to_json()
    assert values["sections"]["experience"]["presence_wanted"] == 0.98
    assert values["sections"]["activities"] == {
        "presence": 0.0,
        "presence_wanted": 0.425,
        "length": None,
        "length_wanted": {"mean": 168.09, "sd": 289.4},
        "under_512": None,
    }
    json.dumps(values)


def test_a_folder_is_read_with_the_designs_of_its_files(tmp_path: Path) -> None:
    career = hand_made()
    manuscript = write(career, seed=1)
    plain = to_plain(manuscript)
    truth = build_truth(career, manuscript, plain)
    (tmp_path / "truth.jsonl").write_text(json.dumps(truth_to_dict(truth) | {"text": plain.text}) + "\n")
    (tmp_path / "files.jsonl").write_text(json.dumps({"files": [{"format": "pdf", "look": "side bar"}]}) + "\n")
    assert list(read_resumes(tmp_path)) == [
        DescribedResume(truth.kind, plain.text, truth.sections, truth.style, ("pdf side bar",))
    ]
    assert describe(tmp_path).designs == {"pdf side bar": 1}


def test_comparison_of_two_vocabularies() -> None:
    found = compare(["kept the books"] * 5, ["kept the pigs Company Name City , State"] * 5).to_json()
    assert found["vocabulary"] == [3, 3]
    assert found["common_overlap"] == 0.5
    assert found["real_unknown_to_generated"] == {"running": 0.3333, "different": 0.3333}


def test_telling_apart() -> None:
    ours, theirs = ["book " * 100] * 4, ["pig " * 100] * 4
    assert discriminate(ours, theirs) == 1.0
    assert discriminate(ours, ours) == 0.5
    assert discriminate(["too short"], ["as well"]) == 0.5
    assert len(list(pieces(["a " * 250]))) == 2


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz"])
def test_reading_texts(tmp_path: Path, ending: str) -> None:
    data = b'{"text": "one"}\n{"text": " "}\n{"text": "two"}\n'
    path = tmp_path / f"texts.{ending}"
    path.write_bytes(gzip.compress(data) if ending.endswith("gz") else data)
    assert list(read_texts(path)) == ["one", "two"]
