"""Real resume files annotated by hand: the facts a miner should find."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


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
            GoldProject(
                entry["name"], entry["client"], entry["start"], entry["end"], entry["duration_months"]
            )
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
