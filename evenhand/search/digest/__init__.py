"""Digest: everything that ranking needs to know of one resume, made once from its text and Profile."""

from evenhand.search.digest.making import make_digest
from evenhand.search.digest.record import (
    ELSEWHERE,
    ENTRY_TERM,
    IN_POSITION,
    IN_PROJECT,
    IN_SKILLS,
    NOT_IN_USE,
    ROLE,
    SKILL,
    UNDATED_USE,
    UNKNOWN,
    Digest,
    Facts,
    Held,
    Vectors,
    month_number,
)
from evenhand.search.digest.table import DigestTable

__all__ = [
    "ELSEWHERE",
    "ENTRY_TERM",
    "IN_POSITION",
    "IN_PROJECT",
    "IN_SKILLS",
    "NOT_IN_USE",
    "ROLE",
    "SKILL",
    "UNDATED_USE",
    "UNKNOWN",
    "Digest",
    "DigestTable",
    "Facts",
    "Held",
    "Vectors",
    "make_digest",
    "month_number",
]
