"""How much there is of each set under one folder: records per label, spans kept and dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from evenhand.corpora.sets.entities import read_36_labels, read_dataturks, read_dotin, read_entities
from evenhand.corpora.sets.gold import read_gold
from evenhand.corpora.sets.jobads import (
    read_monster,
    read_occupation_posts,
    read_relevance_posts,
    read_seniority_posts,
)
from evenhand.corpora.sets.judged import read_judged, read_vacancies, read_vacancy_rankings
from evenhand.corpora.sets.lines import read_section_lines
from evenhand.corpora.sets.occupations import read_biographies, read_florex, read_livecareer
from evenhand.corpora.sets.records import JobAd, Labelled, Mending, Spanned
from evenhand.corpora.sets.skills import PARTS, read_danish_skills, read_skillspan, read_soft_skills

NONE = Mending()


@dataclass(frozen=True, slots=True)
class SetCount:
    name: str
    records: int
    labels: dict[str, int] = field(default_factory=dict)
    mending: Mending = NONE


def survey(data: Path) -> list[SetCount]:
    """The sets that are there; one that is not is left out."""
    found = []
    for name, count in COUNTERS.items():
        try:
            found.append(count(name, data))
        except FileNotFoundError:
            continue
    return [entry for entry in found if entry.records]


def _labelled(name: str, records: Iterable[Labelled | JobAd]) -> SetCount:
    labels: Counter[str] = Counter()
    total = 0
    for record in records:
        total += 1
        labels.update(record.labels)
    return SetCount(name, total, dict(labels.most_common()))


def _spanned(name: str, records: Iterable[Spanned]) -> SetCount:
    labels: Counter[str] = Counter()
    mending = Mending()
    total = 0
    for record in records:
        total += 1
        mending += record.mending
        labels.update(span.label for span in record.spans)
    return SetCount(name, total, dict(labels.most_common()), mending)


def _gold(name: str, data: Path) -> SetCount:
    parts = Counter(resume.file.suffix for resume in read_gold(data / "gold"))
    return SetCount(name, parts.total(), dict(parts.most_common()))


def _judged(name: str, data: Path) -> SetCount:
    grades = Counter(f"grade {one.grade}" for job in read_judged(data / "judged") for one in job.judgments)
    return SetCount(name, grades.total(), dict(sorted(grades.items())))


def _lines(name: str, data: Path) -> SetCount:
    kinds: Counter[str] = Counter()
    last = -1
    for line in read_section_lines(data / "resume-section-lines"):
        kinds[f"{line.kind} {line.section}"] += 1
        last = line.document
    return SetCount(name, kinds.total(), {"documents, inferred": last + 1, **dict(kinds.most_common())})


def _rankings(name: str, data: Path) -> SetCount:
    rankings = list(read_vacancy_rankings(data / "vacancy-resume-matching"))
    counts = Counter(f"annotator {one.annotator}" for one in rankings)
    counts["not a permutation"] = sum(not one.is_ranking for one in rankings)
    return SetCount(name, len(rankings), dict(counts))


COUNTERS: dict[str, Callable[[str, Path], SetCount]] = {
    "gold": _gold,
    "judged": _judged,
    "livecareer": lambda name, data: _labelled(name, read_livecareer(data / "livecareer-pdf")),
    "florex": lambda name, data: _labelled(name, read_florex(data / "florex-resume-corpus")),
    "biographies": lambda name, data: _labelled(name, read_biographies(data / "biasbios-samples")),
    "section lines": _lines,
    "dataturks": lambda name, data: _spanned(name, read_dataturks(data / "dataturks-resume-ner")),
    "dotin": lambda name, data: _spanned(name, read_dotin(data / "dotin-resume-ner")),
    "dotin with lines": lambda name, data: _spanned(
        name, read_dotin(data / "dotin-resume-ner", anonymised=False)
    ),
    "36 labels": lambda name, data: _spanned(name, read_36_labels(data / "resume-corpus-36ent")),
    "entities, each resume once": lambda name, data: _spanned(name, read_entities(data)),
    "skillspan": lambda name, data: _spanned(
        name, (record for part in PARTS for record in read_skillspan(data / "skillspan", part))
    ),
    "soft skills": lambda name, data: _spanned(
        name, (record for part in PARTS for record in read_soft_skills(data / "sayfullina-softskills", part))
    ),
    "danish skills": lambda name, data: _spanned(
        name,
        (record for part in ("train", "test") for record in read_danish_skills(data / "kompetencer", part)),
    ),
    "vacancies": lambda name, data: _labelled(name, read_vacancies(data / "vacancy-resume-matching")),
    "vacancy rankings": _rankings,
    "job ads of Monster": lambda name, data: _labelled(name, read_monster(data / "jobs-monster-1000")),
    "posts by occupation": lambda name, data: _labelled(
        name, read_occupation_posts(data / "hiring-fairness-jobposts")
    ),
    "posts by seniority": lambda name, data: _labelled(
        name, read_seniority_posts(data / "linkedin-seniority")
    ),
    "posts by relevance": lambda name, data: _labelled(
        name, read_relevance_posts(data / "panoslin-jd-relevance")
    ),
}
