"""Generated applicants for clinical research posts as a screener gets them: written, read from their files, mined.

Reading and mining take some 70 ms each, so that 1,000 of them are a minute and a half; the result is kept in a file
of the caller's, which a later run goes on with. What models are given is made anew from it every time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenhand.corpora.career import iso
from evenhand.corpora.kinds import AS_OF
from evenhand.corpora.kinds.crc_applications import applications_of
from evenhand.corpora.making import Order, make
from evenhand.mining.miner import load_miner
from evenhand.records import canonical_json
from evenhand.records.profile import Profile
from evenhand.settings import Settings
from evenhand.workflows.mining_one import miner_stamp
from evenhand.workflows.reading import open_pool, read
from evenhand.workflows.watching import Watch, unwatched

KIND = "crc"
FORMATS = ("docx", "pdf", "rtf")  # as in the study, but for DOC, which needs a converter beside Evenhand
LEAST_TITLES = 2  # sections with a heading
UNCONVERTIBLE = "\ufffd"
MOST_UNCONVERTIBLE = 0.01  # of all characters


@dataclass(frozen=True, slots=True)
class MinedApplicant:
    """One resume with what an annotator said of it, and every application of its author, repeated ones too."""

    number: int
    level: str  # as annotated
    true_level: str  # by the guideline, before annotators slip
    applied: tuple[str, ...]
    text: str
    profile: Profile

    @property
    def is_selected(self) -> bool:
        """As the study selected: clearly structured, and read without loss."""
        titled = sum(section.heading is not None for section in self.profile.sections)
        lost = self.text.count(UNCONVERTIBLE) / max(1, len(self.text))
        return titled >= LEAST_TITLES and lost <= MOST_UNCONVERTIBLE

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "level": self.level,
            "true_level": self.true_level,
            "applied": list(self.applied),
            "text": self.text,
            "profile": self.profile.to_json(),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> MinedApplicant:
        profile = Profile.from_json(data["profile"], data["text"])
        return cls(
            data["number"],
            data["level"],
            data["true_level"],
            tuple(data["applied"]),
            data["text"],
            profile,
        )


def mined_applicants(
    n: int, seed: int, *, cache: Path | None = None, watch: Watch = unwatched
) -> list[MinedApplicant]:
    """The first `n` of the seed; `cache` is a folder in which they are kept."""
    file = cache / f"applicants-{seed}-{miner_stamp()}.jsonl" if cache else None
    found = _kept(file)[:n] if file else []
    with watch("applicants", n) as bar:
        for _ in found:
            bar.advance()
        for made in _make(range(len(found), n), seed):
            found.append(made)
            if file:
                _keep(file, made)
            bar.advance()
    return found


def _make(numbers: range, seed: int) -> Iterator[MinedApplicant]:
    if not numbers:
        return
    settings, order, miner = Settings(), Order(seed, KIND, FORMATS), load_miner()
    with open_pool(settings, workers=1) as pool:
        for number in numbers:
            made = make(order, number)
            document = read(made.files[0].data, settings=settings, pool=pool)
            profile = miner.mine(document, iso(AS_OF))
            career = made.career
            applied = tuple(each.level for each in applications_of(career, seed=seed))
            yield MinedApplicant(
                number, career.level or "", career.true_level or "", applied, document.text, profile
            )


def _kept(file: Path) -> list[MinedApplicant]:
    """Up to the first line that was cut off or is not the next one; what follows is taken away."""
    if not file.is_file():
        return []
    found: list[MinedApplicant] = []
    whole_bytes = 0
    with file.open("rb+") as lines:
        for line in lines:
            try:
                applicant = MinedApplicant.from_json(json.loads(line))
            except (ValueError, KeyError):
                break
            if applicant.number != len(found) or not line.endswith(b"\n"):
                break
            found.append(applicant)
            whole_bytes += len(line)
        lines.truncate(whole_bytes)
    return found


def _keep(file: Path, applicant: MinedApplicant) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as lines:
        lines.write(canonical_json(applicant.to_json()) + "\n")
