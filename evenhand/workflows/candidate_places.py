"""Where the facts of a resume stand in its text: every place under one id, with the words for what was read there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evenhand.records import Education, Evidence, Fact, Position, Profile, Project

METHODS = {
    "crf": "a trained model",
    "lexicon": "the dictionary",
    "rule": "a pattern",
    "table": "the columns of a table",
    "completed": "a trained model, completed from its surroundings",
    "person": "a person",
}
"""What found a fact, in words."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A fact and its places; `is_entry` where they are those of a whole job or study, not of words in it."""

    label: str
    value: str
    places: tuple[Evidence, ...]
    is_entry: bool = False

    @property
    def words(self) -> str:
        return f"{self.label}: {self.value}"


def place_id(place: Evidence) -> str:
    """Facts that were read from the same words share it."""
    return f"p{place.start}-{place.end}"


def place_words(place: Evidence) -> str:
    """ "page 2, found by a pattern, 98 % sure"."""
    return f"page {place.page}, found by {METHODS.get(place.method, place.method)}, {sureness(place)} sure"


def sureness(place: Evidence) -> str:
    return f"{100 * place.confidence:.0f} %"


def placed_facts(profile: Profile) -> list[Placed]:
    """Every fact of the profile, in the order in which a page shows them."""
    return [
        *_person(profile),
        *(each for number, job in enumerate(profile.positions, 1) for each in _of_position(number, job)),
        *(
            each
            for number, project in enumerate(profile.projects, 1)
            for each in _of_project(number, project)
        ),
        *(each for number, study in enumerate(profile.education, 1) for each in _of_study(number, study)),
        *(each for entry in profile.certifications for each in _named("Certificate", entry.name, entry.year)),
        *(Placed("Skill", skill.name, skill.evidence) for skill in profile.skills if skill.evidence),
        *(_one("Language", fact) for fact in profile.languages),
    ]


def _person(profile: Profile) -> Iterator[Placed]:
    lists: tuple[tuple[str, Sequence[Fact | None]], ...] = (
        ("Name", [profile.name]),
        ("E-mail", profile.emails),
        ("Phone", profile.phones),
        ("Link", profile.links),
        ("City", [profile.city]),
    )
    for label, facts in lists:
        yield from (_one(label, fact) for fact in facts if fact)


def _of_position(number: int, job: Position) -> Iterator[Placed]:
    yield Placed("Job", entry_name(job.title, job.employer) or str(number), (job.evidence,), is_entry=True)
    yield from _facts(Title=job.title, Employer=job.employer, City=job.city)
    if job.period.evidence:
        yield Placed("Dates", f"{job.period.start} to {job.period.end}", (job.period.evidence,))


def _of_project(number: int, project: Project) -> Iterator[Placed]:
    name = entry_name(project.name, project.client) or str(number)
    yield Placed("Project", name, (project.evidence,), is_entry=True)
    yield from _facts(Project=project.name, Client=project.client, Role=project.role)
    if project.period.evidence:
        yield Placed("Dates", f"{project.period.start} to {project.period.end}", (project.period.evidence,))


def _of_study(number: int, study: Education) -> Iterator[Placed]:
    name = entry_name(study.degree, study.university) or str(number)
    yield Placed("Study", name, (study.evidence,), is_entry=True)
    yield from _facts(
        Degree=study.degree,
        Field=study.field,
        University=study.university,
        Year=study.year,
        Grade=study.performance,
    )


def entry_name(what: Fact | None, where: Fact | None) -> str:
    """ "Accountant, Initech", of which either may be missing."""
    return ", ".join(fact.value for fact in (what, where) if fact)


def _named(label: str, name: Fact, year: Fact | None) -> Iterator[Placed]:
    yield _one(label, name)
    if year:
        yield _one(f"Year of the {label.lower()}", year)


def _facts(**facts: Fact | None) -> Iterator[Placed]:
    yield from (_one(label, fact) for label, fact in facts.items() if fact)


def _one(label: str, fact: Fact) -> Placed:
    return Placed(label, fact.value, (fact.evidence,))
