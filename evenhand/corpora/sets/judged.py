"""Jobs with resumes that people graded or ranked for them."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

from evenhand.corpora.sets.files import csv_rows
from evenhand.corpora.sets.records import JobAd, JudgedJob, Judgment, VacancyRanking

_RANKINGS = re.compile(r"ANNOTATOR_(\d+)_RANKINGS\s*=\s*(\[\[.*?\]\])", re.DOTALL)


def read_judged(folder: Path) -> Iterator[JudgedJob]:
    """Resumes are named by files beside the folder: `livecareer-pdf/...` under the same parent."""
    for path in sorted(folder.glob("job*.json")):
        found = json.loads(path.read_text("utf-8"))
        judgments = tuple(
            Judgment(resume, given["grade"], given["reason"], folder.parent / found["files"][resume])
            for resume, given in found["judgments"].items()
        )
        yield JudgedJob(
            id=path.stem,
            title=found["title"],
            text=path.with_suffix(".txt").read_text("utf-8"),
            essentials=tuple(found["essentials"]),
            desirable=tuple(found["desirable"]),
            required_years=tuple((entry["what"], float(entry["years"])) for entry in found["required_years"]),
            judgments=judgments,
        )


def read_vacancies(folder: Path) -> Iterator[JobAd]:
    for row in csv_rows(folder / "5_vacancies.csv"):
        yield JobAd(row["uid"], row["job_title"], row["job_description"])


def read_vacancy_rankings(folder: Path) -> Iterator[VacancyRanking]:
    """Annotator 1 ranked for 30 resumes, annotator 2 for 20 only."""
    text = (folder / "annotations-for-the-first-30-vacancies.txt").read_text("utf-8")
    for match in _RANKINGS.finditer(re.sub(r"#.*", "", text)):
        for number, ranks in enumerate(ast.literal_eval(match[2]), start=1):
            yield VacancyRanking(number, folder / "CV" / f"{number}.docx", int(match[1]), tuple(ranks))
