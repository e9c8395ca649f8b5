"""Real resume files annotated by hand: the facts a miner should find."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from evenhand_lab.corpora.sets.records import JudgedJob, Judgment

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class GoldPosition:
    employer: str | None
    title: str | None
    start: str | None  # as annotated: YYYY-MM or YYYY
    end: str | None  # or "present"


@dataclass(frozen=True, slots=True)
class GoldProject:
    name: str | None
    client: str | None
    start: str | None
    end: str | None
    months: int | None


@dataclass(frozen=True, slots=True)
class GoldEducation:
    university: str | None
    degree: str | None
    level: str | None
    field: str | None
    year: str | None


@dataclass(frozen=True, slots=True)
class GoldResume:
    """`as_of` is the month that "present" means in this file."""

    id: str
    file: Path
    part: str  # of the set: dev
    as_of: str
    name: str | None
    emails: tuple[str, ...]
    phones: tuple[str, ...]
    city: str | None
    sections: tuple[tuple[str, str], ...]  # heading, type
    positions: tuple[GoldPosition, ...]
    projects: tuple[GoldProject, ...]
    education: tuple[GoldEducation, ...]
    certifications: tuple[str, ...]
    skills: tuple[str, ...]
    skill_months: tuple[tuple[str, int], ...]
    total_months: int | None


def read_gold(folder: Path) -> Iterator[GoldResume]:
    for entry in json.loads((folder / "manifest.json").read_text("utf-8")):
        gold = json.loads((folder / "annotations" / f"{entry['id']}.json").read_text("utf-8"))
        for project in gold["projects"]:
            project["months"] = project["duration_months"]
        yield GoldResume(
            file=folder / "files" / entry["file"],
            part=entry["split"],
            **{name: gold[name] for name in ("id", "as_of", "name", "city", "total_months")},
            emails=tuple(gold["emails"]),
            phones=tuple(gold["phones"]),
            certifications=tuple(gold["certifications"]),
            skills=tuple(gold["skills"]),
            sections=tuple((section["heading"], section["type"]) for section in gold["sections"]),
            positions=tuple(_record(GoldPosition, row) for row in gold["positions"]),
            projects=tuple(_record(GoldProject, row) for row in gold["projects"]),
            education=tuple(_record(GoldEducation, row) for row in gold["education"]),
            skill_months=tuple(sorted(gold["skill_months"].items())),
        )


def _record(type_: type[T], row: Mapping[str, Any]) -> T:
    """Of the row what the type has fields for."""
    return type_(**{name: row[name] for name in type_.__match_args__})  # type: ignore[attr-defined]


# Our annotations of public resume files, as places only: whoever has the files can put the two together.
#
# A row holds no word of a resume: the SHA-256 of the file and of its text, a label per line, and labelled
# stretches.


FOLDERS = ("native-resume-files", "livecareer-pdf", "vacancy-resume-matching")
HASH_DIGITS = 16


@dataclass(frozen=True, slots=True)
class AnnotatedSpan:
    """`is_rest`: the second part of something broken over two lines."""

    start: int
    end: int
    label: str
    is_rest: bool = False


@dataclass(frozen=True, slots=True)
class Annotated:
    sha256: str
    text_hash: str  # of the text the places refer to; another reader version may give another text
    line_labels: tuple[str, ...]  # one per line of the document: section type and role
    spans: tuple[AnnotatedSpan, ...]

    def fits(self, text: str) -> bool:
        return hashlib.sha256(text.encode()).hexdigest()[:HASH_DIGITS] == self.text_hash


def read_annotated() -> Iterator[Annotated]:
    source = files("evenhand_lab.corpora") / "annotations" / "resumes.jsonl"
    for row in map(json.loads, source.read_text("utf-8").splitlines()):
        labels = tuple(label for label, count in row["lines"] for _ in range(count))
        spans = tuple(
            AnnotatedSpan(start, end, label.removeprefix("+"), label[:1] == "+") for start, end, label in row["spans"]
        )
        yield Annotated(row["sha256"], row["text"], labels, spans)


def find_files(data: Path, wanted: Iterable[str]) -> dict[str, Path]:
    """The files under a data folder that have one of the wanted hashes."""
    missing = set(wanted)
    paths: dict[str, Path] = {}
    for path in (path for folder in FOLDERS for path in sorted((data / folder).rglob("*")) if path.is_file()):
        if not missing:
            break
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        if sha256 in missing:
            missing.remove(sha256)
            paths[sha256] = path
    return paths


# Jobs with resumes that people graded or ranked for them.


def read_judged(folder: Path) -> Iterator[JudgedJob]:
    """Resumes are named by files beside the folder: `livecareer-pdf/...` under the same parent."""
    for path in sorted(folder.glob("job*.json")):
        job = json.loads(path.read_text("utf-8"))
        judgments = tuple(
            Judgment(resume, given["grade"], given["reason"], folder.parent / job["files"][resume])
            for resume, given in job["judgments"].items()
        )
        yield JudgedJob(path.stem, job["title"], path.with_suffix(".txt").read_text("utf-8"), judgments)
