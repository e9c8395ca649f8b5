"""A document with its right answers: what the models learn from and are measured on."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.records.document import Document

ENTITY_LABELS = (
    "certification",
    "client",
    "dates",
    "degree",
    "duration",
    "employer",
    "field",
    "heading",
    "location",
    "name",
    "performance",
    "project",
    "title",
    "university",
)
SKILL = "skill"


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open code point offsets; `is_rest` marks the second part of something broken over two lines."""

    start: int
    end: int
    label: str
    is_rest: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    id: str
    document: Document
    line_labels: tuple[
        str, ...
    ]  # one per line of the document: section type and role, such as "education.entry"
    spans: tuple[Span, ...]
    is_generated: bool = False
