"""Generated applicants for clinical research posts as a screener gets them: written, read from their files, mined.

Reading and mining take some 70 ms each, so that 1,000 of them are a minute and a half; the result is kept in a file
of the caller's, which a later run goes on with. What models are given is made anew from it every time.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from evenhand.documents.reading import open_pool, read
from evenhand.mining.in_process import miner_stamp
from evenhand.mining.miner import load_miner
from evenhand.models.inputs import KINDS, SectionKind, input_of_text, kinds_in_order, section_kinds, section_places
from evenhand.models.labelled_resumes import CompetenceData, CompetenceExample, fit_data, fit_label, level_data
from evenhand.progress import Progress, no_progress
from evenhand.records import canonical_json
from evenhand.records.conversion import JsonRecord
from evenhand.records.profile import Profile
from evenhand.settings import Settings
from evenhand_lab.corpora.career import iso
from evenhand_lab.corpora.generate import CorpusRequest, make
from evenhand_lab.corpora.kinds import crc_applications
from evenhand_lab.corpora.kinds.kinds import AS_OF
from evenhand_lab.corpora.manuscript import Plain

KIND = "crc"
FORMATS = ("docx", "pdf", "rtf")  # as in the study, but for DOC, which needs a converter beside Evenhand
MIN_TITLES = 2  # sections with a heading
UNCONVERTIBLE = "\ufffd"
MAX_UNCONVERTIBLE = 0.01  # of all characters


@dataclass(frozen=True, slots=True)
class MinedApplicant(JsonRecord):
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
        return titled >= MIN_TITLES and lost <= MAX_UNCONVERTIBLE

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> MinedApplicant:
        profile = Profile.from_json(data["profile"], data["text"])
        return cls(data["number"], data["level"], data["true_level"], tuple(data["applied"]), data["text"], profile)


def mined_applicants(
    n: int, seed: int, *, cache: Path | None = None, progress: Progress = no_progress
) -> list[MinedApplicant]:
    """The first `n` of the seed; `cache` is a folder in which they are kept."""
    file = cache / f"applicants-{seed}-{miner_stamp()}.jsonl" if cache else None
    found = _kept(file)[:n] if file else []
    with progress("applicants", n) as bar:
        for _ in found:
            bar.advance()
        for made in _make(range(len(found), n), seed):
            found.append(made)
            if file:
                file.parent.mkdir(parents=True, exist_ok=True)
                with file.open("a", encoding="utf-8") as lines:
                    lines.write(canonical_json(made.to_json()) + "\n")
            bar.advance()
    return found


def _make(numbers: range, seed: int) -> Iterator[MinedApplicant]:
    if not numbers:
        return
    settings, order, miner = Settings(), CorpusRequest(seed, KIND, FORMATS), load_miner()
    with open_pool(settings, workers=1) as pool:
        for number in numbers:
            made = make(order, number)
            document = read(made.files[0].data, settings=settings, pool=pool)
            profile = miner.mine(document, iso(AS_OF))
            career = made.career
            applied = tuple(application.level for application in crc_applications.applications_of(career, seed=seed))
            yield MinedApplicant(number, career.level or "", career.true_level or "", applied, document.text, profile)


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


# Both tasks of competence from generated applicants for clinical research posts. As in the study: applications are made
# unique within a level, and for the first task across levels too, where the highest application of a resume stays. The
# second asks of every resume and applied level whether both are the same.


@dataclass(frozen=True, slots=True)
class CrcData:
    """Both tasks of one generated corpus, and how many applications were left at each stage."""

    level: CompetenceData
    fit: CompetenceData
    stages: crc_applications.Stages
    left_out: int  # not clearly structured


def crc_data(n: int, seed: int, *, cache: Path | None = None, progress: Progress = no_progress) -> CrcData:
    """From `n` generated applicants, read from their files and mined."""
    return crc_data_of(mined_applicants(n, seed, cache=cache, progress=progress), seed=seed)


def crc_data_of(applicants: Sequence[MinedApplicant], *, seed: int) -> CrcData:
    selected = {str(applicant.number): applicant for applicant in applicants if applicant.is_selected}
    stages = crc_applications.dedup(
        crc_applications.CrcApplication(number, level)
        for number, applicant in selected.items()
        for level in applicant.applied
    )
    inputs = {number: input_of_text(applicant.text, applicant.profile) for number, applicant in selected.items()}
    origin = f"{len(selected)} generated applicants for clinical research posts (seed {seed})"
    return CrcData(
        level_data(
            [
                CompetenceExample(kept.resume, inputs[kept.resume], selected[kept.resume].level)
                for kept in stages.across_levels
            ],
            description=f"{origin}, with the levels that a generated annotator gives them",
            seed=seed,
            is_generated=True,
        ),
        fit_data(
            [
                CompetenceExample(
                    kept.resume, inputs[kept.resume], fit_label(kept.level, selected[kept.resume].level), kept.level
                )
                for kept in stages.within_level
            ],
            {level: crc_applications.level_text(level) for level in crc_applications.APPLIED},
            description=f"{len(stages.within_level)} applications of {origin}",
            seed=seed,
            is_generated=True,
        ),
        stages,
        len(applicants) - len(selected),
    )


# How well resumes fall into their six sections, and how often they have each: beside the published figures. The study
# looked at 200 resumes and found 97 % segmented rightly. Here every line of a generated resume is looked at: a section
# is right when at least nine of ten of its characters were put into it, and nine of ten of those are its own.

_LINE = re.compile(r"[^\n]+")
_WORD = re.compile(r"[^_\W]+")
RIGHT = 0.9


@dataclass(frozen=True, slots=True)
class Sectioning:
    """Of the resumes and sections that were looked at, how many are right; characters without blanks."""

    resumes: int
    right_resumes: int  # every section of them is right
    sections: int
    right_sections: int
    characters: int
    right_characters: int

    @property
    def right(self) -> float:
        return self.right_sections / self.sections if self.sections else 0.0


def measure_sectioning(plain: Plain, text: str, profile: Profile) -> Sectioning:
    """One generated resume, `text` as it was read from its file: where its lines truly belong, where they were put.

    A line belongs to the section of the plain text that has its words. The few that stand in several sections, or that
    a page has broken within a word, are not looked at.
    """
    pairs: Counter[tuple[SectionKind, SectionKind]] = Counter()
    given: list[SectionKind] = ["Others"] * len(text)
    for kind, places in section_places(text, profile).items():
        for start, end in places:
            given[start:end] = [kind] * (end - start)
    kinds = kinds_in_order([type for type, *_ in plain.sections])
    texts = [_words(plain.text[start:end]) for _, _, start, end in plain.sections]
    for line in _LINE.finditer(text):
        words = _words(line[0])
        true = {kind for kind, own in zip(kinds, texts, strict=True) if words.strip() and words in own}
        if len(true) == 1:
            pairs[true.pop(), given[line.start()]] += len(words.replace(" ", ""))
    present = sorted({kind for pair, size in pairs.items() if size for kind in pair})
    right = 0
    for kind in present:
        sizes = (sum(pairs[kind, other] for other in KINDS), sum(pairs[other, kind] for other in KINDS))
        right += pairs[kind, kind] >= RIGHT * max(sizes)
    right_characters = sum(pairs[kind, kind] for kind in KINDS)
    return Sectioning(1, int(right == len(present)), len(present), right, pairs.total(), right_characters)


def _words(text: str) -> str:
    """In lower case and without marks, with a blank around each, so that no half of a word is found."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def presence(profiles: Iterable[Profile]) -> dict[SectionKind, float]:
    """In which share of resumes each kind of section stands under a heading of its own."""
    counts: Counter[SectionKind] = Counter()
    total = 0
    for profile in profiles:
        total += 1
        kinds = zip(section_kinds(profile.sections), profile.sections, strict=True)
        counts.update({kind for kind, section in kinds if section.heading is not None})
    return {kind: counts[kind] / total if total else 0.0 for kind in KINDS}


def total_of(parts: Iterable[Sectioning]) -> Sectioning:
    return Sectioning(*map(sum, zip((0,) * 6, *map(astuple, parts), strict=True)))
