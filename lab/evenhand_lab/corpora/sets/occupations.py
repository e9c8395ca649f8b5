"""Resumes by occupation, without the words that give the label away; biographies by profession."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

from evenhand_lab.corpora.sets.records import LabelledRecord, csv_rows, json_lines

FLOREX_LABELS = (
    "Database_Administrator",
    "Front_End_Developer",
    "Java_Developer",
    "Network_Administrator",
    "Project_manager",
    "Python_Developer",
    "Security_Analyst",
    "Software_Developer",
    "Systems_Administrator",
    "Web_Developer",
)
LEAKING = 200  # characters at the beginning, where the searched-for title stands
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_BLANKS = re.compile(r"[ \t]{2,}")
_LABEL_WORD = re.compile(
    r"\b(?:" + "|".join(sorted({word for label in FLOREX_LABELS for word in label.split("_")})) + r")s?\b",
    re.IGNORECASE,
)


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


def names_class(first_line: str, category: str) -> bool:
    """Whether a first line gives the class away ("SENIOR ACCOUNTANT", "HR Manager")."""
    words = set(re.findall(r"[a-z]+", first_line.lower()))
    return set(re.findall(r"[a-z]+", category.lower())) <= words


def read_florex(folder: Path) -> Iterator[LabelledRecord]:
    """IT resumes with any number of ten labels; marks of the search are gone, and label words where titles stand."""
    for row in json_lines(folder / "resumes.jsonl"):
        yield LabelledRecord(str(row["id"]), strip_florex(row["text"]), tuple(row["labels"]), "florex")


def strip_florex(text: str) -> str:
    """Words of all ten labels go, not only of the text's own: what is missing must not tell the label either."""
    plain = html.unescape(_TAG.sub("", text))
    # A word that begins before the border and ends after it would stay: the border moves to the next blank.
    border = re.compile(r"\s|$").search(plain, min(LEAKING, len(plain)))
    place = border.start() if border else len(plain)
    return _BLANKS.sub(" ", _LABEL_WORD.sub("", plain[:place]) + plain[place:]).strip()


def read_biographies(folder: Path) -> Iterator[LabelledRecord]:
    """Profession only. `source` is gold, or model_prediction where no person gave the label."""
    for number, row in enumerate(csv_rows(folder / "combined.csv")):
        yield LabelledRecord(biography_id(number), row["text"], (row["profession"],), row["label_kind"])


def biography_id(number: int) -> str:
    return f"bio-{number:05d}"
