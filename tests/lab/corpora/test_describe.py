"""Descriptions and comparisons of small corpora whose figures can be counted by eye."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from evenhand_lab.corpora.description import DescribedResume, Spread, describe, read_resumes
from evenhand_lab.corpora.manuscript import to_plain
from evenhand_lab.corpora.report import (
    Series,
    bar_chart,
    compare,
    discriminate,
    line_chart,
    pieces,
    read_texts,
    report,
    shares,
)
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
    assert (found.sentences, found.repeated, found.duplicate_share) == (2, 2, 1.0)
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
    assert list(read_resumes(tmp_path)) == [DescribedResume.of(truth, plain.text, ("pdf side bar",))]
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


def test_charts_hold_their_series() -> None:
    chart = line_chart("Words & more", [Series("a<b", [(0, 0), (10, 4)])], x="x", y="y")
    assert "Words &amp; more" in chart
    assert "a&lt;b" in chart
    assert 'points="64.0,272.0 624.0,47.2"' in chart  # 236 high, of which the highest value takes 1/1.05
    bars = bar_chart("Bars", ["one", "two"], [Series("s", [(0, 1), (1, 2)])], y="y")
    assert bars.count("<rect") == 4  # ground, legend, two bars


def test_shares_put_what_is_too_large_into_the_last_bin() -> None:
    assert shares(Spread([1, 9, 12, 99]), 10, 20) == [(5.0, 0.5), (15.0, 0.5)]


def test_the_report_states_the_gap() -> None:
    comparison = compare(["kept the books " * 40] * 4, ["fed the pigs " * 40] * 4)
    files = report({"crc": describe([small()])}, comparison, note="", command="make it")
    assert set(files) == {
        "corpus.md",
        *(f"corpus/{name}.svg" for name in ("sections", "lengths", "vocabulary", "word-lengths", "sentences")),
    }
    page = files["corpus.md"]
    assert "pieces of 100 words puts 100.0 % of them on the right" in page
    assert "| running words the other side lacks | 66.7 % | 66.7 % |" in page
    alone = report({"crc": describe([small()])}, None, note="", command="make it")
    assert "Beside real resumes" not in alone["corpus.md"]
