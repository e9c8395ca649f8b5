"""What every model is given of a resume: its text by section, its titles, and numbers that were mined from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

SectionKind = Literal["Profile", "Education", "Work Experience", "Activities", "Skills", "Others"]
KINDS: tuple[SectionKind, ...] = get_args(SectionKind)


@dataclass(frozen=True, slots=True)
class SectionText:
    kind: SectionKind
    text: str


@dataclass(frozen=True, slots=True)
class ResumeInput:
    """A section that the resume lacks is absent, not empty. `titles` are of jobs, the current or latest first."""

    sections: tuple[SectionText, ...]
    titles: tuple[str, ...] = ()
    features: Mapping[str, float] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "\n".join(section.text for section in self.sections)
