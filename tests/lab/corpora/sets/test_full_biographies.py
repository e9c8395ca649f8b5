"""The full Bias in Bios set in every form that circulates, on invented rows; harmful pickles are refused."""

from __future__ import annotations

import csv
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from evenhand.errors import UsageError
from evenhand_lab.corpora.sets.biographies import PROFESSIONS, read_full_biographies
from evenhand_lab.corpora.sets.groups_biographies import BiographyGroups, read_full_biography_groups
from evenhand_lab.corpora.sets.records import LabelledRecord

RAW = [
    {
        "raw": "Ada Ray is a yoga teacher. She bends.",
        "title": "yoga teacher",
        "raw_title": "yoga teacher",
        "gender": "F",
        "start_pos": 26,
        "name": ("Ada", "", "Ray"),
        "bio": "_ bends.",
    },
    {
        "raw": "Bo Lind is a DJ. He plays.",
        "title": "dj",
        "gender": "M",
        "start_pos": 16,
        "name": ("Bo", "", "Lind"),
        "bio": "_ plays.",
    },
]
TEXTS = [
    LabelledRecord("bio-00000", "She bends.", ("yoga_teacher",)),
    LabelledRecord("bio-00001", "He plays.", ("dj",)),
]
GROUPS = [BiographyGroups("bio-00000", "female"), BiographyGroups("bio-00001", "male")]
HARD = [
    {"hard_text": "She bends.", "profession": "yoga_teacher", "gender": "female"},
    {"hard_text": "He plays.", "profession": "dj", "gender": "male"},
]
NUMBERED = [
    {"hard_text": "She bends.", "profession": 27, "gender": 1},
    {"hard_text": "He plays.", "profession": 8, "gender": 0},
]
SHORT = [
    {"text": "Ada. She bends.", "hard_text": "She bends.", "p": "yoga_teacher", "g": "f"},
    {"text": "Bo. He plays.", "hard_text": "He plays.", "p": "dj", "g": "m"},
]


def write_csv(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def write_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def write_json(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text(json.dumps(rows), encoding="utf-8")


def write_parquet(path: Path, rows: list[dict[str, Any]]) -> None:
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)


def write_pickle(path: Path, rows: Any) -> None:
    path.write_bytes(pickle.dumps(rows))


def write_old_pickle(path: Path, rows: Any) -> None:
    path.write_bytes(pickle.dumps(rows, protocol=2))


@pytest.mark.parametrize(
    ("name", "rows", "write"),
    [
        ("BIOS.pkl", RAW, write_pickle),
        ("BIOS.pkl", RAW, write_old_pickle),
        ("all.pickle", SHORT, write_pickle),
        ("all.csv", HARD, write_csv),
        ("all.csv", NUMBERED, write_csv),
        ("all.jsonl", NUMBERED, write_lines),
        ("all.json", HARD, write_json),
        ("all.parquet", NUMBERED, write_parquet),
    ],
)
def test_every_form(name: str, rows: list[dict[str, Any]], write: Callable[[Path, Any], None], tmp_path: Path) -> None:
    path = tmp_path / name
    write(path, rows)
    assert list(read_full_biographies(path)) == TEXTS
    assert list(read_full_biography_groups(path)) == GROUPS


def test_parquet_in_a_folder_and_the_order_of_its_parts(tmp_path: Path) -> None:
    write_csv(tmp_path / "test.csv", HARD[:1])
    write_csv(tmp_path / "dev.csv", HARD[1:])
    rows = [{"hard_text": "Works.", "profession": at, "gender": at % 2} for at in range(4)]
    write_parquet(tmp_path / "train-00000-of-00001.parquet", rows)
    (tmp_path / "README.md").write_text("Not a part of the set.")
    found = list(read_full_biographies(tmp_path))
    assert [each.source for each in found] == ["train"] * 4 + ["dev", "test"]
    assert [each.labels[0] for each in found] == [*PROFESSIONS[:4], "dj", "yoga_teacher"]
    genders = [each.gender for each in read_full_biography_groups(tmp_path)]
    assert genders == ["male", "female", "male", "female", "male", "female"]


def test_the_form_without_names_and_pronouns(tmp_path: Path) -> None:
    write_pickle(tmp_path / "BIOS.pkl", RAW)
    found = read_full_biographies(tmp_path / "BIOS.pkl", is_scrubbed=True)
    assert [each.text for each in found] == ["_ bends.", "_ plays."]


class Harm:
    """What a pickle can do to who reads it."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.trace,)


def test_a_pickle_that_runs_code_is_refused_before_it_does(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    write_pickle(tmp_path / "BIOS.pkl", [Harm(trace)])
    with pytest.raises(UsageError, match=r"BIOS\.pkl: The pickle asks for .*not read"):
        list(read_full_biographies(tmp_path / "BIOS.pkl"))
    assert not trace.exists()
    pickle.loads((tmp_path / "BIOS.pkl").read_bytes())
    assert trace.exists()  # any other reader would have done it


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("BIOS.pkl", b"no pickle", "BIOS.pkl is no pickle"),
        ("BIOS.pkl", pickle.dumps({"a": 1}), "a list of records was expected, not dict"),
        ("BIOS.pkl", pickle.dumps(["text"]), "row 1: a record with named fields was expected, not str"),
        ("all.jsonl", b'{"p": 1\n', "all.jsonl is no JSON"),
        ("all.json", b"[", "all.json is no JSON"),
        ("all.csv", b"profession,gender\ndj,M\n", 'row 1: there is no "hard_text" or "text" or "bio"'),
        ("all.csv", b"hard_text,profession\nHi,99\n", "99 is no profession"),
        ("all.csv", b"raw,start_pos,title\nHi,x,dj\n", '"start_pos" should be a number'),
        ("all.parquet", b"PAR1 half", "all.parquet is no Parquet file"),
        ("all.xml", b"<a/>", "the format is not known"),
    ],
)
def test_what_cannot_be_read_says_why(name: str, content: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError, match=said):
        list(read_full_biographies(tmp_path / name))


def test_missing_sets_and_strange_genders(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no file or folder"):
        list(read_full_biographies(tmp_path / "nowhere"))
    with pytest.raises(UsageError, match="holds no biographies"):
        list(read_full_biographies(tmp_path))
    write_csv(tmp_path / "all.csv", [HARD[0] | {"gender": "blue"}])
    with pytest.raises(UsageError, match="'blue' is no gender"):
        list(read_full_biography_groups(tmp_path / "all.csv"))
