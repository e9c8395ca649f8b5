"""Labels of one's own: files that are named, read and mined, and what is said of those that cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evenhand.errors import UsageError
from evenhand.models.labelled_resumes import own_data, read_label_rows
from evenhand_lab.corpora.generate import CorpusRequest, make

RESUMES = 24


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Plain texts of generated applicants; the last one is there twice under another name, and one is empty."""
    folder = tmp_path_factory.mktemp("labelled")
    for number in range(RESUMES):
        (folder / f"{number}.txt").write_bytes(make(CorpusRequest(8, "crc", ("txt",)), number).files[0].data)
    (folder / "copy.txt").write_bytes((folder / "0.txt").read_bytes())
    (folder / "empty.txt").write_bytes(b"")
    (folder / "junior.txt").write_text("Assistant for clinical studies, no experience needed.")
    (folder / "senior.txt").write_text("Leads a team of coordinators in complex clinical trials.")
    return folder


def test_levels_in_the_order_given(folder: Path) -> None:
    rows = [f"{number}.txt,{'high' if number % 3 == 0 else 'low'}" for number in range(RESUMES)]
    (folder / "levels.csv").write_text("\n".join(["file,label", *rows, "empty.txt,low"]))
    own = own_data("level", folder / "levels.csv", labels=("low", "high"), as_of="2026-10")
    assert [(Path(file).name, bool(reason)) for file, reason in own.unread] == [("empty.txt", True)]
    data = own.data
    assert data.labels == ("low", "high")
    assert data.description == "24 labelled resumes of levels.csv"
    assert not data.is_generated
    parts = (data.split.train, data.split.dev, data.split.test)
    assert sum(map(len, parts)) == RESUMES
    assert all(part.kind for part in data.split.train[0].resume.sections)


def test_applications_of_one_person_stay_together(folder: Path) -> None:
    rows = [
        {
            "file": f"{number}.txt",
            "job": job,
            "label": "accept" if (number % 2 == 0) == (job == "junior.txt") else "reject",
        }
        for number in range(RESUMES)
        for job in ("junior.txt", "senior.txt")
    ]
    rows.append({"file": "copy.txt", "job": "senior.txt", "label": "reject"})
    (folder / "fits.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    data = own_data("fit", folder / "fits.jsonl", as_of="2026-10").data
    assert data.job_texts["junior.txt"].startswith("Assistant for clinical studies")
    parts = (data.split.train, data.split.dev, data.split.test)
    people = [{example.applicant for example in part} for part in parts]
    assert sum(map(len, people)) == len(set().union(*people)) == RESUMES  # the copy is nobody new
    assert sum(map(len, parts)) == 2 * RESUMES + 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("file,label\n0.txt,low\n", "There is only one label"),
        ("file,label\n0.txt,low\n1.txt,high\n", "There are 2 labelled resumes that can be read; 20 are needed"),
        ("file,label\n0.txt,\n", "row 2 has nothing in a column label or level"),
    ],
)
def test_what_cannot_be_learned_from(folder: Path, content: str, message: str) -> None:
    (folder / "wrong.csv").write_text(content)
    with pytest.raises(UsageError, match=message):
        own_data("level", folder / "wrong.csv", as_of="2026-10")


def test_labels_outside_the_order_are_refused(folder: Path) -> None:
    (folder / "wrong.csv").write_text("file,label\n0.txt,low\n1.txt,odd\n")
    with pytest.raises(UsageError, match="The label 'odd' is none of low, high"):
        own_data("level", folder / "wrong.csv", labels=("low", "high"))
    (folder / "wrong.csv").write_text("file,label,job\n0.txt,maybe,junior.txt\n")
    with pytest.raises(UsageError, match="The label 'maybe' is none of reject, accept"):
        own_data("fit", folder / "wrong.csv")


def test_fit_needs_a_job_in_every_row(folder: Path) -> None:
    (folder / "wrong.csv").write_text("file,label\n0.txt,accept\n")
    with pytest.raises(UsageError, match="row 2 has nothing in a column job"):
        read_label_rows(folder / "wrong.csv", "fit")
