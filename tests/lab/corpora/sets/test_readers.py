"""Readers of labelled sets on small files of the same shape as the sets'."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evenhand_lab.corpora.sets.entities import read_dataturks, read_plain_spans
from evenhand_lab.corpora.sets.groups_biographies import BiographyGroups, read_biography_groups
from evenhand_lab.corpora.sets.occupations import read_biographies, read_livecareer
from evenhand_lab.corpora.sets.records import Judgment, LabelledRecord, RecordSpan
from evenhand_lab.corpora.sets.resumes import GoldEducation, GoldPosition, GoldProject, read_gold, read_judged


def write_gz(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    zipped = path if path.suffix == ".gz" else path.with_name(path.name + ".gz")
    with gzip.open(zipped, "wt", encoding="utf-8", newline="") as file:
        file.write(text)


def write_lines(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    write_gz(path, "".join(json.dumps(row) + "\n" for row in rows))


def write_csv(path: Path, rows: Sequence[dict[str, str]]) -> None:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    write_gz(path, text.getvalue())


def test_livecareer_drops_the_title_and_what_has_no_file(tmp_path: Path) -> None:
    (tmp_path / "pdf" / "CHEF").mkdir(parents=True)
    (tmp_path / "pdf" / "CHEF" / "1.pdf").write_bytes(b"%PDF")
    write_lines(
        tmp_path / "text.jsonl.gz",
        [
            {"id": "1", "category": "CHEF", "pages": 1, "text": "SOUS CHEF\nSummary\nCooks well.\n"},
            {"id": "2", "category": "CHEF", "pages": 1, "text": "CHEF\nSummary\nKept back.\n"},
        ],
    )
    file = tmp_path / "pdf" / "CHEF" / "1.pdf"
    assert list(read_livecareer(tmp_path)) == [
        LabelledRecord("1", "Summary\nCooks well.", ("CHEF",), "livecareer", file)
    ]


def test_biographies_and_their_groups_share_ids_and_nothing_else(tmp_path: Path) -> None:
    rows = [
        {"text": "Works nights.", "profession": "nurse", "gender": "F", "source": "x", "label_kind": "gold"},
        {
            "text": "Cuts well.",
            "profession": "surgeon",
            "gender": "male",
            "source": "x",
            "label_kind": "model_prediction",
        },
        {"text": "Who knows.", "profession": "poet", "gender": "", "source": "x", "label_kind": "gold"},
    ]
    write_csv(tmp_path / "combined.csv.gz", rows)
    found = list(read_biographies(tmp_path))
    assert found[0] == LabelledRecord("bio-00000", "Works nights.", ("nurse",), "gold")
    assert found[1].source == "model_prediction"
    assert list(read_biography_groups(tmp_path)) == [
        BiographyGroups("bio-00000", "female"),
        BiographyGroups("bio-00001", "male"),
        BiographyGroups("bio-00002", None),
    ]


def test_dataturks_ends_are_inclusive(tmp_path: Path) -> None:
    text = "Ann Lee\nNurse at Dunmere"
    points = [{"start": 8, "end": 12, "text": "Nurse"}]
    annotation = [
        {"label": ["Designation"], "points": points},
        {"label": [], "points": points},
        {"label": ["Companies worked at"], "points": [{"start": 15, "end": 22, "text": "Dunmere"}]},
    ]
    write_lines(tmp_path / "testdata.json.gz", [{"content": text, "annotation": annotation}])
    write_lines(tmp_path / "traindata.json.gz", [{"content": "Nothing here", "annotation": None}])
    first, second = read_dataturks(tmp_path)
    assert first.spans == (RecordSpan(8, 13, "Designation"), RecordSpan(17, 24, "Companies worked at"))
    assert (second.id, second.spans) == ("traindata-0", ())


def test_plain_spans(tmp_path: Path) -> None:
    rows = [{"text": "Ann Lee, Nurse", "labels": [[0, 7, "Name"], [9, 14, "Designation"]]}]
    write_lines(tmp_path / "cvs.json.gz", rows)
    (record,) = read_plain_spans(tmp_path, ("cvs.json",), "labels")
    assert (record.id, record.source) == ("cvs-0", tmp_path.name)
    assert record.spans == (RecordSpan(0, 7, "Name"), RecordSpan(9, 14, "Designation"))


def test_gold(tmp_path: Path) -> None:
    annotation = {
        "id": "r1", "scanned": False, "language": "en", "as_of": "2020-03", "name": "Ann Lee",
        "emails": ["a@example.com"], "phones": [], "city": None,
        "sections": [{"heading": "Work", "type": "experience"}],
        "positions": [{"employer": "Dunmere", "title": None, "start": "2018-01", "end": "present"}],
        "projects": [{"name": "P", "client": None, "start": None, "end": None, "duration_months": 3}],
        "education": [{"university": "U", "degree": "BS", "level": "bachelor", "field": None, "year": "2017"}],
        "certifications": [], "skills": ["SQL"], "skill_months": {"SQL": 27}, "total_months": 27,
    }  # fmt: skip
    (tmp_path / "annotations").mkdir()
    (tmp_path / "annotations" / "r1.json").write_text(json.dumps(annotation))
    manifest = [{"id": "r1", "file": "r1.pdf", "origin": "x", "split": "dev"}]
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    (resume,) = read_gold(tmp_path)
    assert (resume.id, resume.file, resume.part) == ("r1", tmp_path / "files" / "r1.pdf", "dev")
    assert resume.positions == (GoldPosition("Dunmere", None, "2018-01", "present"),)
    assert resume.projects == (GoldProject("P", None, None, None, 3),)
    assert resume.education == (GoldEducation("U", "BS", "bachelor", None, "2017"),)
    assert resume.skill_months == (("SQL", 27),)


def test_judged(tmp_path: Path) -> None:
    folder = tmp_path / "judged"
    folder.mkdir()
    job = {
        "job": "j0", "title": "Accountant", "essentials": ["5 years"], "desirable": [],
        "required_years": [{"what": "accounting", "years": 5}],
        "judgments": {"11": {"grade": 3, "reason": "ten years"}}, "files": {"11": "livecareer-pdf/pdf/A/11.pdf"},
    }  # fmt: skip
    (folder / "job0.json").write_text(json.dumps(job))
    (folder / "job0.txt").write_text("We seek an accountant.")
    (found,) = read_judged(folder)
    assert (found.id, found.text) == ("job0", "We seek an accountant.")
    assert found.judgments == (Judgment("11", 3, "ten years", tmp_path / "livecareer-pdf/pdf/A/11.pdf"),)
