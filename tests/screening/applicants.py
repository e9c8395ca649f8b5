"""Applicants whose facts are known by hand, as text files."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from evenhand.records import Demand, Job
from evenhand.screening.service import ingest_files
from evenhand.search.service import Service

AS_OF = "2026-01"


@dataclass(frozen=True, slots=True)
class Applicant:
    name: str
    city: str
    degree: str  # as written
    skill: str
    since: str  # of the only job that mentions the skill
    until: str
    words: str = "payroll reports"

    @property
    def text(self) -> str:
        mail = self.name.lower().replace(" ", ".")
        return (
            f"{self.name}\n{self.city}\n{mail}@example.org\n\n"
            f"EXPERIENCE\n\nSoftware Developer, Initech Ltd\n{self.since} - {self.until}\n"
            f"- Developed {self.words} with {self.skill} for the finance department\n\n"
            f"EDUCATION\n\n{self.degree}, Anna University, 2012\n\n"
            f"SKILLS\n\n{self.skill}\n"
        )

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.name.split()[0].lower()}.txt"
        path.write_text(self.text)
        return path


MASTER = "Master of Science in Computer Science"
BACHELOR = "Bachelor of Science in Computer Science"

ASHA = Applicant("Asha Rao", "Chennai", MASTER, "Java", "Jan 2020", "Apr 2023")  # 40 months
BORIS = Applicant("Boris Novak", "Prague", BACHELOR, "Java", "Jan 2020", "Jun 2022")  # 30
CLARA = Applicant("Clara Weber", "Berlin", MASTER, "Python", "Jan 2019", "Dec 2023")  # 60
DAVID = Applicant("David Cohen", "Berlin", BACHELOR, "Java", "Jan 2015", "Dec 2021", "trading screens")  # 84
ELENA = Applicant("Elena Rossi", "Milan", BACHELOR, "Python", "Mar 2021", "Aug 2021", "shop orders")  # 6
FIVE = (ASHA, BORIS, CLARA, DAVID, ELENA)

JAVA_JOB = Job(
    text="Java Developer for our finance department",
    title="Java Developer",
    demands=(Demand(("java",), True, 36), Demand(("python",), False)),
)


def take_in(service: Service, *applicants: Applicant, job: Job = JAVA_JOB, source: str = "web") -> Taken:
    """The job's id, and the applications' ids by first name."""
    with tempfile.TemporaryDirectory() as folder:
        id = service.store.jobs.add(job)
        paths = [applicant.write(Path(folder)) for applicant in applicants]
        ingest_files(service, paths, id, total=len(paths), source=source, as_of=AS_OF)
    names = {hashlib.sha256(each.text.encode()).hexdigest(): each.name.split()[0] for each in applicants}
    return Taken(id, {names[each.document]: each.id for each in service.store.applications.of_job(id)})


@dataclass(frozen=True, slots=True)
class Taken:
    job: str
    ids: dict[str, str]

    def named(self, ids: Iterable[str]) -> list[str]:
        names = {id: name for name, id in self.ids.items()}
        return [names[id] for id in ids]
