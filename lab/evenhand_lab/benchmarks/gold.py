"""`evenhand bench gold`: facts mined from annotated real resumes against the annotations, beside what is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

from rapidfuzz import fuzz
from rich.table import Table

from evenhand.audit.statistics import ConfidenceInterval
from evenhand.documents.reading import read_many
from evenhand.errors import UsageError
from evenhand.mining.in_process import mine_document, miner_for
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.profile import Fact, Profile
from evenhand.settings import Settings
from evenhand_lab.benchmarks.fact_scores import Count, count_values, f1_interval, plain
from evenhand_lab.benchmarks.kit import Measurement, in_brackets
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
IT_SKILL = "skill, IT resumes"
IT_WORDS = frozenset({
    "java", "javascript", "sql", "python", "html", "html5", "css", "css3", "c", "c++", "linux", "unix",
    "oracle", "peoplesoft", "aws", "react", "reactjs", "js", "node", "php", "git", "docker", "mysql",
    "jquery", "ruby", "perl", "windows", "jenkins", "xml", "ajax",
})  # fmt: skip
SHARES = ("total months", "skill months")  # how many are close: nothing can be found too much


@dataclass(frozen=True, slots=True)
class GoldRow:
    figure: str
    count: Count
    goal: float
    interval: ConfidenceInterval | None  # of F1 or the share, drawing resumes

    def to_json(self) -> dict[str, Any]:
        count = self.count
        shares = {"precision": count.precision, "recall": count.recall, "f1": count.f1}
        return asdict(count) | shares | {"goal": self.goal, "interval": self.interval and self.interval.to_json()}


@dataclass(frozen=True, slots=True)
class Gold(Measurement):
    """Counts over all resumes; no value of any resume."""

    title: ClassVar[str] = "facts mined from annotated real resumes, against the annotations"
    resumes: int
    counts: dict[str, Count]
    it_resumes: int
    it_skill: Count
    intervals: dict[str, ConfidenceInterval | None]

    def figures(self) -> list[GoldRow]:
        return [
            *(GoldRow(kind, count, GOALS[kind], self.intervals[kind]) for kind, count in self.counts.items()),
            GoldRow(IT_SKILL, self.it_skill, IT_GOAL, self.intervals[IT_SKILL]),
        ]

    def to_json(self) -> dict[str, Any]:
        return {
            "resumes": self.resumes,
            "it_resumes": self.it_resumes,
            "figures": {row.figure: row.to_json() for row in self.figures()},
        }

    def rows(self) -> list[tuple[str, str]]:
        rows = [("resumes, IT resumes among them", f"{self.resumes}, {self.it_resumes}")]
        for row in self.figures():
            label = "share" if row.figure in SHARES else "precision, recall, F1"
            figures = ", ".join(_cells(row)) + in_brackets(row.interval)
            rows.append((f"{row.figure}: {label}", f"{figures} (at least {row.goal:.2f})"))
        return rows

    def table(self) -> Table:
        table = Table("Figure", "Precision", "Recall", "F1", "Goal", title=f"{self.title}: {self.resumes} resumes")
        for row in self.figures():
            cells = _cells(row)
            table.add_row(row.figure, *[""] * (3 - len(cells)), *cells, f"{row.goal:.2f}")
        return table


def _cells(row: GoldRow) -> list[str]:
    """Precision, recall, F1; of a share only one number has a meaning."""
    count = row.count
    values = [count.recall] if row.figure in SHARES else [count.precision, count.recall, count.f1]
    return ["none" if value is None else f"{value:.3f}" for value in values]


def score(gold: GoldResume, profile: Profile) -> dict[str, Count]:
    """Of one resume: a count per kind of fact."""
    jobs, studies = profile.positions, profile.education
    skills = [(skill, (skill.name, *skill.surfaces)) for skill in profile.skills]
    values: dict[str, tuple[list[str], list[str]]] = {
        "name": (_given([gold.name]), _values([profile.name])),
        "email": (list(gold.emails), _values(profile.emails)),
        "phone": (list(gold.phones), _values(profile.phones)),
        "heading": (
            [heading for heading, _ in gold.sections],
            _given([section.heading for section in profile.sections]),
        ),
        "employer": (
            _unique([job.employer for job in gold.positions]),
            _unique(_values([job.employer for job in jobs])),
        ),
        "title": (_given([job.title for job in gold.positions]), _values([job.title for job in jobs])),
        "university": (
            _unique([study.university for study in gold.education]),
            _unique(_values([study.university for study in studies])),
        ),
        "degree": (_given([study.degree for study in gold.education]), _values([study.degree for study in studies])),
        # Each skill once, every way the resume writes it on a line of its own: annotators kept one spelling.
        "skill": (_unique(gold.skills), ["\n".join(dict.fromkeys(forms)) for _, forms in skills]),
        "position dates": (
            [f"{job.start}..{job.end}" for job in gold.positions if job.start],
            [f"{job.period.start}..{job.period.end}" for job in jobs if job.period.start],
        ),
    }
    comparers: dict[str, Callable[[str, str], bool]] = {
        "phone": same_digits,
        "skill": lambda one, forms: any(alike(one, form) for form in forms.split("\n")),
        "position dates": str.__eq__,
    }
    counts = {
        kind: count_values(expected, mined, comparers.get(kind, alike)) for kind, (expected, mined) in values.items()
    }
    months = [
        (expected, next((skill.months for skill, forms in skills if any(alike(name, form) for form in forms)), None))
        for name, expected in gold.skill_months
    ]
    counts["total months"] = _close([(gold.total_months, profile.total_months)])
    counts["skill months"] = _close(months)
    return counts


def _values(facts: Sequence[Fact | None]) -> list[str]:
    return [fact.value for fact in facts if fact]


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


def _close(values: Sequence[tuple[int | None, int | None]]) -> Count:
    known = [(expected, found) for expected, found in values if expected is not None]
    right = sum(found is not None and abs(found - expected) <= max(CLOSE * expected, 1e-9) for expected, found in known)
    return Count(right, len(known), len(known))


def total(scores: Sequence[dict[str, Count]]) -> dict[str, Count]:
    kinds = scores[0] if scores else {}
    return {kind: sum((counts[kind] for counts in scores), Count()) for kind in kinds}


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


def summary(golds: Sequence[GoldResume], scores: Sequence[dict[str, Count]]) -> Gold:
    """An IT resume names many skills that job seekers elsewhere do not."""
    it = [
        counts
        for counts, gold in zip(scores, golds, strict=True)
        if len({plain(skill) for skill in gold.skills} & IT_WORDS) >= IT_SKILLS
    ]
    counts = total(scores)
    # Of a share the count is its own F1: as many are found as are expected.
    intervals = {kind: f1_interval([one[kind] for one in scores]) for kind in counts}
    intervals[IT_SKILL] = f1_interval([one["skill"] for one in it])
    return Gold(len(scores), counts, len(it), total(it).get("skill", Count()), intervals)
