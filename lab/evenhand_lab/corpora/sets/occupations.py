"""Resumes by occupation, without the words that give the label away; biographies by profession."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evenhand_lab.corpora.sets.records import LabelledRecord, csv_rows, json_lines

FLOREX_LABELS = (
    "Database_Administrator", "Front_End_Developer", "Java_Developer", "Network_Administrator", "Project_manager",
    "Python_Developer", "Security_Analyst", "Software_Developer", "Systems_Administrator", "Web_Developer",
)  # fmt: skip
LEAKING = 200  # characters at the beginning, where the searched-for title stands


def read_livecareer(folder: Path) -> Iterator[LabelledRecord]:
    """24 occupations. The first line is the title and mostly names the class: it is cut off, whatever it says.

    Were it cut off only where it names the class, having no title would give the class away.
    """
    for row in json_lines(folder / "text.jsonl"):
        _, _, rest = row["text"].lstrip().partition("\n")
        category = row["category"]
        file = folder / "pdf" / category / f"{row['id']}.pdf"
        if file.exists():
            yield LabelledRecord(row["id"], rest.strip(), (category,), "livecareer", file)


def read_biographies(folder: Path) -> Iterator[LabelledRecord]:
    """Profession only. `source` is gold, or model_prediction where no person gave the label."""
    for number, row in enumerate(csv_rows(folder / "combined.csv")):
        yield LabelledRecord(biography_id(number), row["text"], (row["profession"],), row["label_kind"])


def biography_id(number: int) -> str:
    return f"bio-{number:05d}"
