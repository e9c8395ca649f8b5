"""`evenhand bench gold`: facts mined from annotated real resumes against the annotations, beside what is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from rapidfuzz import fuzz

from evenhand.documents.reading import read_many
from evenhand.errors import UsageError
from evenhand.mining.in_process import mine_document, miner_for
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.conversion import to_json
from evenhand.records.profile import Profile
from evenhand.settings import Settings
from evenhand_lab.benchmarks.fact_scores import Count, count_values, plain
from evenhand_lab.benchmarks.kit import Measurement
from evenhand_lab.corpora.sets.resumes import GoldResume, read_gold

ALIKE = 85  # of 100: "Acme India Pvt Ltd" and "Acme India Pvt. Ltd. (Pune)" are the same name to a reader
PHONE_DIGITS = 7  # fewer may end many numbers
CLOSE = 0.10  # months within a tenth
FOLDER = "gold"
GOALS = {
    "name": 0.93, "email": 0.98, "phone": 0.98, "heading": 0.85, "employer": 0.80, "title": 0.80, "university": 0.85,
    "degree": 0.85, "skill": 0.70, "position dates": 0.85, "total months": 0.80, "skill months": 0.65,
}  # fmt: skip
IT_GOAL = 0.80
IT_SKILLS = 3
IT_WORDS = frozenset({
    "java", "javascript", "sql", "python", "html", "html5", "css", "css3", "c", "c++", "linux", "unix",
    "oracle", "peoplesoft", "aws", "react", "reactjs", "js", "node", "php", "git", "docker", "mysql",
    "jquery", "ruby", "perl", "windows", "jenkins", "xml", "ajax",
})  # fmt: skip
SHARES = ("total months", "skill months")  # how many are close: nothing can be found too much


@dataclass(frozen=True, slots=True)
class GoldScore:
    """Of one resume: a count per kind of fact."""

    id: str
    counts: dict[str, Count]


@dataclass(frozen=True, slots=True)
class GoldRow:
    figure: str
    count: Count
    goal: float


@dataclass(frozen=True, slots=True)
class Gold(Measurement):
    """Counts over all resumes; no value of any resume."""

    title: ClassVar[str] = "facts mined from annotated real resumes, against the annotations"
    resumes: int
    counts: dict[str, Count]
    it_resumes: int
    it_skill: Count

    def figures(self) -> list[GoldRow]:
        return [
            *(GoldRow(kind, count, GOALS[kind]) for kind, count in self.counts.items()),
            GoldRow("skill, IT resumes", self.it_skill, IT_GOAL),
        ]

    def to_json(self) -> dict[str, Any]:
        return {
            "resumes": self.resumes,
            "it_resumes": self.it_resumes,
            "figures": {row.figure: _to_json(row) for row in self.figures()},
        }

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("resumes, IT resumes among them", f"{self.resumes}, {self.it_resumes}"),
            *((_label(row), f"{_values(row)} (at least {row.goal:.2f})") for row in self.figures()),
        ]


def _label(row: GoldRow) -> str:
    return f"{row.figure}: share" if row.figure in SHARES else f"{row.figure}: precision, recall, F1"


def _values(row: GoldRow) -> str:
    return ", ".join(cell for cell in _cells(row) if cell)


def _cells(row: GoldRow) -> tuple[str, str, str]:
    """Precision, recall, F1; of a share only one number has a meaning."""
    count = row.count
    if row.figure in SHARES:
        return "", "", _shown(count.recall)
    return _shown(count.precision), _shown(count.recall), _shown(count.f1)


def _shown(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"


def _to_json(row: GoldRow) -> dict[str, Any]:
    count = row.count
    return to_json(count) | {
        "precision": count.precision, "recall": count.recall, "f1": count.f1, "goal": row.goal,
    }  # fmt: skip


def score(gold: GoldResume, profile: Profile) -> GoldScore:
    wanted: dict[str, tuple[list[str], list[str], Callable[[str, str], bool]]] = {
        "name": (_given([gold.name]), _given([profile.name.value if profile.name else None]), alike),
        "email": (list(gold.emails), [fact.value for fact in profile.emails], alike),
        "phone": (list(gold.phones), [fact.value for fact in profile.phones], same_digits),
        "heading": (
            [heading for heading, _ in gold.sections],
            _given([section.heading for section in profile.sections]),
            alike,
        ),
        "employer": (
            _unique([entry.employer for entry in gold.positions]),
            _unique([fact.value for entry in profile.positions if (fact := entry.employer)]),
            alike,
        ),
        "title": (
            _given([entry.title for entry in gold.positions]),
            [fact.value for entry in profile.positions if (fact := entry.title)],
            alike,
        ),
        "university": (
            _unique([entry.university for entry in gold.education]),
            _unique([fact.value for entry in profile.education if (fact := entry.university)]),
            alike,
        ),
        "degree": (
            _given([entry.degree for entry in gold.education]),
            [fact.value for entry in profile.education if (fact := entry.degree)],
            alike,
        ),
        "skill": (_unique(gold.skills), _skill_forms(profile), alike_form),
        "position dates": (
            [f"{entry.start}..{entry.end}" for entry in gold.positions if entry.start],
            [f"{entry.period.start}..{entry.period.end}" for entry in profile.positions if entry.period.start],
            str.__eq__,
        ),
    }
    counts = {kind: count_values(expected, found, same) for kind, (expected, found, same) in wanted.items()}
    counts["total months"] = _close([(gold.total_months, profile.total_months)])
    counts["skill months"] = _close(_skill_months(gold, profile))
    return GoldScore(gold.id, counts)


def alike(one: str, other: str) -> bool:
    first, second = plain(one), plain(other)
    return first == second or fuzz.ratio(first, second) >= ALIKE


def same_digits(one: str, other: str) -> bool:
    first, second = re.sub(r"\D", "", one), re.sub(r"\D", "", other)
    shorter, longer = sorted((first, second), key=len)
    return first == second or (len(shorter) >= PHONE_DIGITS and longer.endswith(shorter))


def _given(values: Sequence[str | None]) -> list[str]:
    return [value for value in values if value]


def _unique(values: Sequence[str | None]) -> list[str]:
    return list({plain(value): value for value in values if value}.values())


def _skill_forms(profile: Profile) -> list[str]:
    """Each skill once, with its name and every way the resume writes it, one per line."""
    return ["\n".join(dict.fromkeys((skill.name, *skill.surfaces))) for skill in profile.skills]


def alike_form(one: str, forms: str) -> bool:
    """Annotators kept one spelling of a skill: it may be any of ours."""
    return any(alike(one, form) for form in forms.split("\n"))


def _skill_months(gold: GoldResume, profile: Profile) -> list[tuple[int | None, int | None]]:
    months: list[tuple[int | None, int | None]] = []
    for name, expected in gold.skill_months:
        found = [
            skill.months for skill in profile.skills if any(alike(name, form) for form in (skill.name, *skill.surfaces))
        ]
        months.append((expected, found[0] if found else None))
    return months


def _close(values: Sequence[tuple[int | None, int | None]]) -> Count:
    known = [(expected, found) for expected, found in values if expected is not None]
    right = sum(found is not None and abs(found - expected) <= max(CLOSE * expected, 1e-9) for expected, found in known)
    return Count(right, len(known), len(known))


def total(scores: Sequence[GoldScore]) -> dict[str, Count]:
    kinds = scores[0].counts if scores else {}
    return {kind: sum((each.counts[kind] for each in scores), Count()) for kind in kinds}


def is_it(gold: GoldResume) -> bool:
    """An IT resume: many of its skills are technologies that job seekers elsewhere do not name."""
    words = {plain(skill) for skill in gold.skills}
    return len(words & IT_WORDS) >= IT_SKILLS


def run(data: Path | None = None, *, progress: Progress = no_progress) -> Gold:
    """Read and mine the annotated resumes under `data`, "present" being the month each annotation names."""
    if data is None or not (data / FOLDER / "manifest.json").is_file():
        raise UsageError(f"This bench needs --data with a folder that has annotated resumes in {FOLDER}/.")
    golds = list(read_gold(data / FOLDER))
    documents = with_progress(read_many([gold.file for gold in golds]), progress, "reading and mining", len(golds))
    miner = miner_for(Settings())
    scores = [
        score(gold, mine_document(miner, document, as_of=gold.as_of))
        for gold, document in zip(golds, documents, strict=True)
    ]
    return summary(golds, scores)


def summary(golds: Sequence[GoldResume], scores: Sequence[GoldScore]) -> Gold:
    it = [each for each, gold in zip(scores, golds, strict=True) if is_it(gold)]
    return Gold(len(scores), total(scores), len(it), total(it).get("skill", Count()))
