"""Digest: everything that ranking needs to know of one resume, made once from its text and Profile."""

from evenhand.search.digest.making import make_digest
from evenhand.search.digest.record import (
    ELSEWHERE,
    IN_POSITION,
    IN_PROJECT,
    IN_SKILLS,
    SKILL,
    Digest,
    Facts,
    Held,
    Vectors,
    month_number,
)

__all__ = [
    "ELSEWHERE",
    "IN_POSITION",
    "IN_PROJECT",
    "IN_SKILLS",
    "SKILL",
    "Digest",
    "Facts",
    "Held",
    "Vectors",
    "make_digest",
    "month_number",
]
