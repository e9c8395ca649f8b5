"""Truth that checks itself: marks against the text, and months recomputed from nothing but the marks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evenhand.errors import UsageError
from evenhand_lab.corpora import folder
from evenhand_lab.corpora.description import compare, describe, read_texts
from evenhand_lab.corpora.manuscript import TextMark
from evenhand_lab.corpora.truth import SkillTruth, Truth, truth_from_dict

_MONTH = re.compile(r"^(\d{4})-(\d{2})$")
_JOB = re.compile(r"^job \d+")

Months = frozenset[int]


def check(truth: Truth, text: str) -> list[str]:
    """Every way in which the truth disagrees with the text or with itself; an empty list when there is none."""
    return [*_check_marks(truth, text), *_check_sections(truth, text), *_check_skills(truth), *_check_months(truth)]


def _check_marks(truth: Truth, text: str) -> Iterator[str]:
    end = 0
    for mark in truth.marks:
        if not 0 <= mark.start < mark.end <= len(text):
            yield f"mark {mark.label} at {mark.start}-{mark.end} lies outside the text"
        elif text[mark.start : mark.end] != mark.text:
            yield f"mark {mark.label} at {mark.start} says {mark.text!r}, the text {text[mark.start : mark.end]!r}"
        if mark.start < end:
            yield f"mark {mark.label} at {mark.start} overlaps the one before"
        if mark.value is None:
            yield f"mark {mark.label} at {mark.start} has no value"
        end = mark.end


def _check_sections(truth: Truth, text: str) -> Iterator[str]:
    """Sections follow one another, begin with their headings, and every mark lies in one."""
    end = 0
    for type, heading, start, stop in truth.sections:
        if not end <= start < stop <= len(text):
            yield f"section {type} at {start}-{stop} does not follow the one before"
        if heading is not None and not text.startswith(heading + "\n", start):
            yield f"section {type} at {start} does not begin with its heading"
        end = stop
    spans = [(start, stop) for _, _, start, stop in truth.sections]
    for mark in truth.marks:
        if not any(start <= mark.start and mark.end <= stop for start, stop in spans):
            yield f"mark {mark.label} at {mark.start} lies in no section"


def _check_skills(truth: Truth) -> Iterator[str]:
    marked: dict[str, set[str]] = {}
    for mark in truth.marks:
        if mark.label == "skill":
            marked.setdefault(mark.value or "", set()).add(mark.text)
    listed = {skill.name: set(skill.surfaces) for skill in truth.skills}
    for name in sorted(marked.keys() ^ listed.keys()):
        yield f"skill {name!r} is {'marked but not listed' if name in marked else 'listed but not marked'}"
    for name in sorted(marked.keys() & listed.keys()):
        if marked[name] != listed[name]:
            yield f"skill {name!r} is marked as {sorted(marked[name])}, listed as {sorted(listed[name])}"


def _check_months(truth: Truth) -> Iterator[str]:
    """Months of skills, counted month by month from the dates in the marks, where those tell the month."""
    stated = _stated_months(truth)
    sections = {
        mark: type for type, _, start, stop in truth.sections for mark in truth.marks if start <= mark.start < stop
    }
    for skill in truth.skills:
        recounted = _recount(skill, truth.marks, stated, sections)
        listed = skill.months_union or 0, skill.months_sum or 0
        if recounted not in (None, listed):
            yield "skill {!r} has {}/{} months, its dates say {}/{}".format(skill.name, *listed, *recounted)
    jobs = [months for part, months in stated.items() if _JOB.fullmatch(part) and months]
    covered = len(frozenset[int]().union(*jobs))
    if all(stated.values()) and len(jobs) == len(truth.positions) and truth.total_months > covered:
        yield f"total is {truth.total_months} months, all jobs together have {covered}"


def _number(value: str, present: str) -> int | None:
    match = _MONTH.match(present if value == "present" else value)
    return None if match is None else 12 * int(match[1]) + int(match[2]) - 1


def _stated_months(truth: Truth) -> dict[str, Months | None]:
    """The months each job and project states; None where it states time in another way than months of a calendar."""
    dates: dict[str, list[str]] = {}
    lengths: set[str] = set()
    for mark in truth.marks:
        if mark.of is None or not _JOB.match(mark.of):
            continue
        if mark.label == "date":
            dates.setdefault(mark.of, []).extend((mark.value or "").split("/"))
        elif mark.label == "duration":
            lengths.add(mark.of)
    stated: dict[str, Months | None] = dict.fromkeys(sorted(lengths - dates.keys()))
    for part, values in dates.items():
        numbers = [_number(value, truth.as_of) for value in values]
        known = [number for number in numbers if number is not None]
        stated[part] = frozenset(range(min(known), max(known) + 1)) if len(known) == len(numbers) else None
    return stated


def _recount(
    skill: SkillTruth, marks: tuple[TextMark, ...], stated: dict[str, Months | None], sections: dict[TextMark, str]
) -> tuple[int, int] | None:
    """Union and recruiter's sum; None where one of the places that count states no months."""
    jobs: dict[str, Months | None] = {}
    projects: dict[str, Months | None] = {}
    for mark in marks:
        if mark.label != "skill" or mark.value != skill.name or mark.of is None:
            continue
        job = _JOB.match(mark.of)
        if job is None:
            continue
        if mark.of != job[0] and mark.of in stated:
            projects[mark.of] = stated[mark.of]
        elif sections[mark] == "experience" and job[0] in stated:
            jobs[job[0]] = stated[job[0]]
    counted = [*jobs.values(), *(months for part, months in projects.items() if part.split(" project")[0] not in jobs)]
    exact = [months for months in counted if months is not None]
    return (len(frozenset[int]().union(*exact)), sum(map(len, exact))) if len(exact) == len(counted) else None


# A corpus that checks itself: truth against text, files against their hashes, parts against each other.

Faults = tuple[int, list[str]]


def about(out: Path) -> dict[str, Any]:
    values = folder.read_about(out)
    if values is None:
        raise UsageError(f"{out} holds no corpus.")
    if not values.get("complete"):
        raise UsageError(f"The corpus in {out} is not finished; generate it again with the same arguments.")
    return values


def size_of(out: Path) -> int:
    return int(about(out)["settings"]["n"])


def check_corpus(out: Path) -> Iterator[Faults]:
    """What is wrong with each resume, in order; at last, under -1, what is wrong with the whole."""
    values = about(out)
    truths = folder.read_lines(out / "truth.jsonl")
    files = folder.read_lines(out / "files.jsonl")
    count = 0
    for number, (truth, listed) in enumerate(zip(truths, files, strict=False)):
        text = truth.pop("text")
        faults = check(truth_from_dict(truth), text)
        if truth["number"] != number:
            faults.append(f"is numbered {truth['number']}")
        yield number, [*faults, *folder.faults_of_files(out, listed)]
        count += 1
    wanted = values["settings"]["n"]
    whole = [] if count == wanted else [f"there are {count} resumes, not {wanted}"]
    whole += [
        f"{name} was changed" for name, sha256 in values["sha256"].items() if folder.hash_of(out / name) != sha256
    ]
    if whole:
        yield -1, whole


# What a corpus is like, by itself and beside other resumes.


def describe_corpus(out: Path, others: Path | None = None) -> dict[str, Any]:
    """What the corpus is like, and how it compares with other resumes."""
    about(out)
    description = describe(out).to_json()
    if others is None:
        return description
    if not others.is_file():
        raise UsageError(f"{others} is no file.")
    generated = (line["text"] for line in folder.read_lines(out / "truth.jsonl"))
    return description | {"comparison": compare(generated, read_texts(others)).to_json()}
