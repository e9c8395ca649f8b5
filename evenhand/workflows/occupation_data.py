"""Resumes with their occupations as models get them: mined like any other, without what gives the label away."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evenhand.corpora.sets.files import json_lines
from evenhand.corpora.sets.occupations import FLOREX_LABELS, LEAKING, read_livecareer
from evenhand.errors import UsageError
from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.records.document import Document
from evenhand.search.duplicates import find_duplicates
from evenhand.workflows.auditing.audited_resumes import spread
from evenhand.workflows.mining import mine_with_documents
from evenhand.workflows.model_inputs import resume_input
from evenhand.workflows.reading import read_many
from evenhand.workflows.watching import Watch, watched

LIVECAREER, FLOREX = "livecareer-pdf", "florex-resume-corpus"
AS_OF = "2026-01"  # the month that "present" means, the same for whoever repeats it
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_BLANKS = re.compile(r"[ \t]+")


@dataclass(frozen=True, slots=True)
class Example:
    """`group` is the same for near-duplicates, which must not stand on both sides of a split."""

    id: str
    resume: ResumeInput
    labels: tuple[str, ...]
    group: str


def read_livecareer_examples(data: Path, *, n: int | None, watch: Watch) -> list[Example]:
    """One label each, the name of the folder. The first line names it in two of three, so it goes before mining."""
    rows = spread(list(read_livecareer(labelled_folder(data, LIVECAREER))), n)
    files = [row.file for row in rows if row.file is not None]
    documents = [
        without_first_line(document)
        for document in watched(read_many(files), watch, "reading resumes", len(files))
    ]
    stream = watched(mine_with_documents(documents, as_of=AS_OF), watch, "mining resumes", len(documents))
    found = [
        Example(row.id, resume_input(mined.document, mined.profile), row.labels, row.id)
        for row, mined in zip(rows, stream, strict=True)
        if not mined.is_failed
    ]
    return grouped(found)


def without_first_line(document: Document) -> Document:
    """As if the file had begun with its second line that is not blank."""
    first = next((line for line in document.lines if document.line_text(line).strip()), None)
    if first is None:
        return document
    rest = document.text[first.end :]
    cut = len(document.text) - len(rest.lstrip())
    lines = tuple(
        replace(line, start=line.start - cut, end=line.end - cut)
        for line in document.lines
        if line.start >= cut
    )
    return replace(document, text=document.text[cut:], lines=lines)


def read_florex_examples(data: Path, *, n: int | None, watch: Watch) -> list[Example]:
    """Any number of ten labels each. These resumes have lost their lines: nothing can be mined, all is one section."""
    rows = spread(list(json_lines(labelled_folder(data, FLOREX) / "resumes.jsonl")), n)
    found = [
        Example(
            str(row["id"]), one_section(without_beginning(row["text"])), _known(row["labels"]), str(row["id"])
        )
        for row in rows
    ]
    return grouped([example for example in found if example.resume.sections])


def without_beginning(text: str) -> str:
    """Without the marks of the search that found it and its first 200 characters, where the searched title stands."""
    return _BLANKS.sub(" ", html.unescape(_TAG.sub("", text))[LEAKING:]).strip()


def one_section(text: str) -> ResumeInput:
    return ResumeInput((SectionText("Others", text),) if text else ())


def _known(labels: Sequence[str]) -> tuple[str, ...]:
    return tuple(label for label in FLOREX_LABELS if label in labels)


def labelled_folder(data: Path, name: str) -> Path:
    """`data` itself may be the folder, or hold it."""
    for folder in (data / name, data):
        if any(
            (folder / f"{file}.jsonl{end}").exists() for file in ("text", "resumes") for end in ("", ".gz")
        ):
            return folder
    raise UsageError(f"There are no labelled resumes in {data}: it needs a folder {name}.")


def grouped(examples: Sequence[Example]) -> list[Example]:
    """Near-duplicates in one group: pairs are joined, and pairs of pairs."""
    leader = {example.id: example.id for example in examples}

    def find(key: str) -> str:
        while leader[key] != key:
            key = leader[key]
        return key

    for pair in find_duplicates({example.id: example.resume.text for example in examples}):
        first, second = sorted((find(pair.a), find(pair.b)))
        leader[second] = first
    return [replace(example, group=find(example.id)) for example in examples]
