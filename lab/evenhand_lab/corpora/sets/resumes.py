"""Real resume files annotated by hand: the facts a miner should find."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from evenhand_lab.corpora.sets.records import JudgedJob, Judgment


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
    language: str
    is_scanned: bool
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
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    for entry in manifest:
        annotation = json.loads((folder / "annotations" / f"{entry['id']}.json").read_text("utf-8"))
        yield _gold(annotation, folder / "files" / entry["file"], entry["split"])


def _gold(found: dict[str, Any], file: Path, part: str) -> GoldResume:
    return GoldResume(
        id=found["id"],
        file=file,
        part=part,
        as_of=found["as_of"],
        language=found["language"],
        is_scanned=found["scanned"],
        name=found["name"],
        emails=tuple(found["emails"]),
        phones=tuple(found["phones"]),
        city=found["city"],
        sections=tuple((entry["heading"], entry["type"]) for entry in found["sections"]),
        positions=tuple(
            GoldPosition(entry["employer"], entry["title"], entry["start"], entry["end"])
            for entry in found["positions"]
        ),
        projects=tuple(
            GoldProject(entry["name"], entry["client"], entry["start"], entry["end"], entry["duration_months"])
            for entry in found["projects"]
        ),
        education=tuple(
            GoldEducation(entry["university"], entry["degree"], entry["level"], entry["field"], entry["year"])
            for entry in found["education"]
        ),
        certifications=tuple(found["certifications"]),
        skills=tuple(found["skills"]),
        skill_months=tuple(sorted(found["skill_months"].items())),
        total_months=found["total_months"],
    )


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
    for row in source.read_text("utf-8").splitlines():
        yield _annotated(json.loads(row))


def find_files(data: Path, wanted: Iterable[str]) -> dict[str, Path]:
    """The files under a data folder that have one of the wanted hashes."""
    missing = set(wanted)
    found: dict[str, Path] = {}
    for folder in FOLDERS:
        for path in sorted((data / folder).rglob("*")):
            if not missing:
                return found
            if path.is_file():
                sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
                if sha256 in missing:
                    missing.remove(sha256)
                    found[sha256] = path
    return found


def _annotated(row: dict[str, Any]) -> Annotated:
    return Annotated(
        row["sha256"],
        row["text"],
        tuple(label for label, count in row["lines"] for _ in range(count)),
        tuple(
            AnnotatedSpan(start, end, label.removeprefix("+"), label.startswith("+"))
            for start, end, label in row["spans"]
        ),
    )


# Jobs with resumes that people graded or ranked for them.


def read_judged(folder: Path) -> Iterator[JudgedJob]:
    """Resumes are named by files beside the folder: `livecareer-pdf/...` under the same parent."""
    for path in sorted(folder.glob("job*.json")):
        found = json.loads(path.read_text("utf-8"))
        judgments = tuple(
            Judgment(resume, given["grade"], given["reason"], folder.parent / found["files"][resume])
            for resume, given in found["judgments"].items()
        )
        yield JudgedJob(
            id=path.stem,
            title=found["title"],
            text=path.with_suffix(".txt").read_text("utf-8"),
            essentials=tuple(found["essentials"]),
            desirable=tuple(found["desirable"]),
            required_years=tuple((entry["what"], float(entry["years"])) for entry in found["required_years"]),
            judgments=judgments,
        )
