"""What the index keeps of one application: enough to find, filter, count and show it without asking the store."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from evenhand.records.canonical import canonical_json


@dataclass(frozen=True, slots=True)
class Entry:
    """One application. Unknown is None; `skills` pairs each canonical name with its months, None where undated."""

    application: str
    job: str
    revision: int
    text: str  # visible text of the resume
    digest: bytes
    source: str | None = None
    status: str | None = None
    degree: str | None = None
    city: str | None = None
    total_months: int | None = None
    relevant_months: int | None = None
    skills: tuple[tuple[str, int | None], ...] = ()
    titles: tuple[str, ...] = ()
    employers: tuple[str, ...] = ()
    universities: tuple[str, ...] = ()
    card: dict[str, Any] = field(default_factory=dict)  # JSON to show: name, current title, employer, ...
    flags: tuple[dict[str, str], ...] = ()

    def facts(self) -> str:
        """Everything but text and digest, as the index stores it."""
        return canonical_json(
            {name: getattr(self, name) for name in self.__slots__ if name not in ("text", "digest")}
        )

    @classmethod
    def from_facts(cls, facts: dict[str, Any], text: str, digest: bytes) -> Entry:
        lists = {name: tuple(facts[name]) for name in ("titles", "employers", "universities", "flags")}
        skills = tuple((name, months) for name, months in facts["skills"])
        return cls(**{**facts, **lists, "skills": skills}, text=text, digest=digest)
