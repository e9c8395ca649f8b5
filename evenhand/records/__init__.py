"""What flows through Evenhand: frozen types, one canonical JSON form, one content hash."""

from evenhand.records.canonical import canonical_json, content_hash
from evenhand.records.document import Document, Failure, Hidden, Line, Table, Warning
from evenhand.records.profile import (
    Certification,
    Education,
    Evidence,
    Fact,
    Period,
    Position,
    Profile,
    Project,
    Section,
    Skill,
    Source,
)

__all__ = [
    "Certification",
    "Document",
    "Education",
    "Evidence",
    "Fact",
    "Failure",
    "Hidden",
    "Line",
    "Period",
    "Position",
    "Profile",
    "Project",
    "Section",
    "Skill",
    "Source",
    "Table",
    "Warning",
    "canonical_json",
    "content_hash",
]
