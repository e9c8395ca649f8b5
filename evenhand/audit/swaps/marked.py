"""A resume with the places that may be edited: what the miner found in it and what tells who its owner is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from evenhand.audit.swaps.editing import Edit
from evenhand.records.document import Document
from evenhand.records.profile import Position, Profile


class Mark(NamedTuple):
    """A stretch of the text that tells something of the person: name, contact, address, age, gender, school."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Marked:
    document: Document
    profile: Profile
    marks: tuple[Mark, ...]

    @property
    def text(self) -> str:
        return self.document.text

    def of(self, *kinds: str) -> list[Mark]:
        """Within one line each: an edit must not tie two lines together."""
        return [
            mark for mark in self.marks if mark.kind in kinds and "\n" not in self.text[mark.start : mark.end]
        ]

    def jobs(self) -> list[Position]:
        """Those with a first month or year, the latest first."""
        dated = [job for job in self.profile.positions if job.period.start and job.period.evidence]
        return sorted(dated, key=lambda job: job.period.start or "", reverse=True)

    def line_below_head(self, text: str) -> Edit:
        """A line of its own below the first one, where people write how to reach them."""
        end = self.document.lines[0].end if self.document.lines else len(self.text)
        return Edit(end, end, f"\n{text}")

    def line_at_end(self, text: str) -> Edit:
        """Below the activities, or below everything."""
        ends = [section.end for section in self.profile.sections if section.type == "activities"]
        inside = [line.end for line in self.document.lines if line.end <= ends[0]] if ends else []
        end = inside[-1] if inside else len(self.text.rstrip())
        return Edit(end, end, f"\n{text}")
