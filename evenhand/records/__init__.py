"""What flows through Evenhand: frozen types, one canonical JSON form, one content hash."""

from evenhand.records.canonical import canonical_json, content_hash
from evenhand.records.document import Document, Failure, Hidden, Line, Table, Warning

__all__ = [
    "Document",
    "Failure",
    "Hidden",
    "Line",
    "Table",
    "Warning",
    "canonical_json",
    "content_hash",
]
