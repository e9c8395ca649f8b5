"""Tables of employers, and those of projects, which look much the same."""

from __future__ import annotations

from collections.abc import Sequence

from evenhand.corpora.career import Job, Project
from evenhand.corpora.manuscript import Run, Words
from evenhand.corpora.rng import chance, weighted
from evenhand.corpora.writing.dates import write_duration, write_month
from evenhand.workflows.table_fixtures.making import MadeTable, Maker, duty, grid, keys, plain
from evenhand.workflows.table_fixtures.skills import skill_groups, skill_matrix


def _jobs(maker: Maker) -> list[Job]:
    return list(maker.career.jobs[: maker.rng.randint(1, 8)])


def employer_grid(maker: Maker) -> MadeTable | None:
    rng, jobs = maker.rng, _jobs(maker)
    if not jobs:
        return None
    columns: list[tuple[str, list[Words]]] = [("employer", [_employer(maker, job) for job in jobs])]
    if chance(rng, 0.88):
        columns.append(("designation", [(Run(job.title, "title"),) for job in jobs]))
    columns += _times(maker, jobs)
    if chance(rng, 0.15):
        columns.append(("place", [plain(job.city) for job in jobs]))
    if chance(rng, 0.1):
        columns.append(("duties", [plain(duty(job)) for job in jobs]))
    if chance(rng, 0.06):
        columns.append(
            ("leaving", [plain(rng.choice(("Better prospects", "End of contract", "Growth"))) for _ in jobs])
        )
    return grid(maker, "experience", columns)


def _employer(maker: Maker, job: Job) -> Words:
    place: Words = (Run(", "), Run(job.city, "location")) if chance(maker.rng, 0.15) else ()
    return (Run(job.employer, "employer"), *place)


def _times(maker: Maker, jobs: Sequence[Job]) -> list[tuple[str, list[Words]]]:
    rng, as_of = maker.rng, maker.career.as_of
    form = weighted(rng, {"period": 6.0, "split": 2.5, "length": 1.0, "both": 0.8})
    lengths: list[Words] = [
        (Run(write_duration(job.period.months(as_of), "months"), "duration"),) for job in jobs
    ]
    periods: list[Words] = [maker.period(job.period.start, job.period.end) for job in jobs]
    if form == "split":
        ends: list[Words] = [
            (
                Run(
                    maker.present if job.period.end is None else write_month(job.period.end, maker.dates),
                    "date",
                ),
            )
            for job in jobs
        ]
        starts: list[Words] = [(Run(write_month(job.period.start, maker.dates), "date"),) for job in jobs]
        return [("from", starts), ("to", ends)]
    if form == "length":
        return [("length", lengths)]
    return [("period", periods), *([("length", lengths)] if form == "both" else [])]


def employer_keys(maker: Maker) -> MadeTable | None:
    if not maker.career.jobs:
        return None
    job = maker.rng.choice(maker.career.jobs)
    facts: list[tuple[str, Words]] = [
        ("employer", _employer(maker, job)),
        ("designation", (Run(job.title, "title"),)),
        ("period", maker.period(job.period.start, job.period.end)),
    ]
    maker.rng.shuffle(facts)
    if chance(maker.rng, 0.4):
        facts.append(("duties", plain(duty(job))))
    if chance(maker.rng, 0.25):
        facts.append(("technologies", plain(", ".join(use.skill for use in job.uses[:6]) or "various")))
    return keys(maker, "experience", facts)


def _projects(maker: Maker) -> list[Project]:
    return [project for job in maker.career.jobs for project in job.projects]


def project_keys(maker: Maker) -> MadeTable | None:
    projects = _projects(maker)
    if not projects:
        return skill_groups(maker)
    rng, project = maker.rng, maker.rng.choice(projects)
    facts: list[tuple[str, Words]] = [("project", (Run(project.name, "project"),))]
    if project.client:
        facts.append(("client", (Run(project.client, "client"),)))
    facts.append(("period", maker.period(project.period.start, project.period.end)))
    facts.append(
        ("designation", (Run(project.role or rng.choice(("Developer", "Team Member", "Tester")), "title"),))
    )
    if project.team:
        facts.append(("team", plain(str(project.team))))
    facts.append(("technologies", plain(", ".join(use.skill for use in project.uses[:8]))))
    if chance(rng, 0.5):
        facts.append(("duties", plain("; ".join(project.duties[:4]).replace("{", "").replace("}", ""))))
    return keys(maker, rng.choice(("projects", "experience")), facts)


def project_grid(maker: Maker) -> MadeTable | None:
    projects = _projects(maker)[:6]
    if len(projects) < 2:
        return skill_matrix(maker)
    columns: list[tuple[str, list[Words]]] = [
        ("project", [(Run(project.name, "project"),) for project in projects]),
        (
            "client",
            [(Run(project.client, "client"),) if project.client else plain("-") for project in projects],
        ),
        ("designation", [plain(project.role or "Team Member") for project in projects]),
        ("period", [maker.period(project.period.start, project.period.end) for project in projects]),
    ]
    return grid(maker, "projects", columns[: maker.rng.randint(2, 4)])
