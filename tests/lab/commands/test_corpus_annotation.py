"""`evenhand corpus agreement | sample | adjudicate` as a shell sees them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from evenhand.cli.main import app
from evenhand.errors import UsageError

runner = CliRunner(env={"COLUMNS": "100", "TERM": "dumb"})
LEVELS = "NQ,CRC1,CRC2,CRC3,CRC4"


def corpus(*arguments: str | Path) -> Result:
    return runner.invoke(app, ["corpus", *map(str, arguments)])


@pytest.fixture
def sheets(tmp_path: Path) -> list[Path]:
    """Three people, five resumes; the second file has a byte order mark and other names for its columns."""
    labels = {
        "ada.csv": "item,label\n1.pdf,NQ\n2.pdf,CRC1\n3.pdf,CRC2\n=4.pdf,CRC3\n5.pdf,\n",
        "bo.csv": "\ufefffile,level\n1.pdf,NQ\n2.pdf,CRC1\n3.pdf,CRC1\n=4.pdf,CRC3\n5.pdf,\n",
        "cy.csv": "item,label\n1.pdf,NQ\n2.pdf,CRC2\n3.pdf,NQ\n=4.pdf,CRC3\n5.pdf,\n",
    }
    for name, text in labels.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [tmp_path / name for name in labels]


def test_agreement_of_three_sheets(sheets: list[Path]) -> None:
    """P_i = 1, 1/3, 0, 1; shares 4, 3, 2, 3 of 12: kappa = (7/12 - 38/144) / (1 - 38/144) = 46/106."""
    result = corpus("agreement", *sheets, "--labels", LEVELS, "--json")
    assert result.exit_code == 0
    round = json.loads(result.stdout)["rounds"][0]
    assert round["kappa"] == pytest.approx(46 / 106)
    assert (round["items"], round["raters"], round["left_out"]) == (4, 3, 0)
    assert round["annotators"] == ["ada", "bo", "cy"]
    by_label = {each["label"]: each for each in round["labels"]}
    assert by_label["CRC3"]["kappa"] == 1.0
    assert by_label["CRC2"] == {"label": "CRC2", "kappa": None, "support": 2}
    assert by_label["CRC4"] == {"label": "CRC4", "kappa": None, "support": 0}


def test_agreement_as_a_table(sheets: list[Path]) -> None:
    result = corpus("agreement", *sheets, "--labels", LEVELS)
    rows = [line.split("│")[1:3] for line in result.stdout.splitlines() if line.startswith("│")]
    shown = {name.strip(): value.strip() for name, value in rows}
    assert shown["CRC3"] == "1.000 (3)"
    assert shown["CRC4"] == "n/a (0)"
    assert shown["overall"] == "0.434"


def test_the_next_batch_leaves_out_what_is_labelled(tmp_path: Path, sheets: list[Path]) -> None:
    pool = tmp_path / "pool.jsonl"
    lines = [{"file": f"{number}.pdf", "applied": "CRC1" if number % 2 else "CRC2"} for number in range(1, 21)]
    pool.write_text("".join(json.dumps(line) + "\n" for line in lines))
    out = tmp_path / "next.csv"
    result = corpus("sample", pool, "--by", "applied", "--annotated", sheets[0], "--size", "6", "--out", out)
    assert result.exit_code == 0
    assert result.stderr == "6 resumes (CRC1: 3, CRC2: 3); 11 are left in the pool.\n"
    with out.open(encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["item", "label"]
    assert not {"1.pdf", "2.pdf", "3.pdf"} & {row["item"] for row in rows}
    again = corpus("sample", pool, "--by", "applied", "--annotated", sheets[0], "--size", "6")
    assert again.stdout.replace("\r\n", "\n") == out.read_text(encoding="utf-8")


def test_adjudication_there_and_back(tmp_path: Path, sheets: list[Path]) -> None:
    listed = tmp_path / "contested.csv"
    result = corpus("adjudicate", *sheets, "--labels", LEVELS, "--out", listed)
    assert result.stderr == "2 resumes are contested, 1 of them without a majority.\n"
    with listed.open(encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert [(row["item"], row["ada"], row["bo"], row["cy"], row["majority"]) for row in rows] == [
        ("3.pdf", "CRC2", "CRC1", "NQ", ""),
        ("2.pdf", "CRC1", "CRC1", "CRC2", "CRC1"),
    ]
    rows[0]["resolved"] = "CRC1"
    with listed.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    final = tmp_path / "labels.csv"
    result = corpus("adjudicate", *sheets, "--labels", LEVELS, "--resolved", listed, "--out", final)
    assert result.exit_code == 1
    assert result.stderr == "3 labels stand.\n1 are still contested: 2.pdf.\n"
    with final.open(encoding="utf-8-sig") as file:
        standing = [(row["item"], row["label"], row["how"]) for row in csv.DictReader(file)]
    assert standing == [
        ("1.pdf", "NQ", "unanimous"),
        ("3.pdf", "CRC1", "adjudicated"),
        ("'=4.pdf", "CRC3", "unanimous"),  # no spreadsheet computes it
    ]


def test_what_was_kept_from_computing_is_the_same_item_when_read_again(tmp_path: Path) -> None:
    for name, label in (("ada", "NQ"), ("bo", "CRC1")):
        (tmp_path / f"{name}.csv").write_text(f"item,label\n=4.pdf,{label}\n")
    sheets = [tmp_path / "ada.csv", tmp_path / "bo.csv"]
    listed = tmp_path / "contested.csv"
    corpus("adjudicate", *sheets, "--out", listed)
    text = listed.read_text(encoding="utf-8")
    assert '"\'=4.pdf"' in text
    listed.write_text(text.replace(',""\r\n', ',"NQ"\r\n').replace(',""\n', ',"NQ"\n'), encoding="utf-8")
    result = corpus("adjudicate", *sheets, "--resolved", listed)
    assert (result.exit_code, result.stderr) == (0, "1 labels stand.\n")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("name,label\n1.pdf,NQ\n", "row 2 has nothing in a column item or file or id or resume"),
        ("item,label\n", "There is no label in these files"),
    ],
)
def test_files_that_say_nothing_are_refused(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "ada.csv"
    file.write_text(content)
    result = corpus("agreement", file)
    assert isinstance(result.exception, UsageError)
    assert message in str(result.exception)


def test_resolved_labels_must_be_known(tmp_path: Path, sheets: list[Path]) -> None:
    listed = tmp_path / "contested.csv"
    listed.write_text("item,resolved\n3.pdf,CRC7\n")
    result = corpus("adjudicate", *sheets, "--labels", LEVELS, "--resolved", listed)
    assert "'CRC7' is none of the labels" in str(result.exception)
