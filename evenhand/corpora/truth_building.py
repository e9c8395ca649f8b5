"""What a written resume makes true: facts of the career as far as the text tells them."""

from __future__ import annotations

from typing import Any

from evenhand.corpora.career import Career, Period, iso, year_of
from evenhand.corpora.manuscript import Manuscript, Mark, Plain
from evenhand.corpora.spans import (
    Written,
    gather,
    job_periods,
    plain_statements,
    skill_periods,
    sum_months,
    union_months,
)
from evenhand.corpora.truth import PositionTruth, ProjectTruth, SkillTruth, Truth
from evenhand.records import canonical_json

LEVELS = ("other", "highschool", "diploma", "associate", "bachelor", "master", "doctorate")


def build_truth(career: Career, manuscript: Manuscript, plain: Plain) -> Truth:
    """A job, skill or certificate that the writer left out is not there; months follow the dated text."""
    written = gather(plain_statements(plain))
    person = career.person
    studies = _studies(career, plain)
    return Truth(
        number=career.number,
        kind=career.kind,
        as_of=iso(career.as_of),
        name=person.name,
        email=person.email,
        phone=person.phone,
        city=person.city,
        country=person.country,
        occupation=career.occupation,
        level=career.level,
        true_level=career.true_level,
        sections=plain.sections,
        marks=plain.marks,
        skills=_skills(career, written, plain),
        positions=_positions(career, written),
        education=studies,
        certifications=_values(plain, "certification"),
        languages=_values(plain, "language"),
        total_months=union_months(job_periods(career, written), career.as_of),
        relevant_months=union_months(job_periods(career, written, only_relevant=True), career.as_of),
        highest_degree=max((study["level"] for study in studies), key=LEVELS.index, default=None),
        style=dict(manuscript.style),
        projects=_projects(career, written),
    )


def _values(plain: Plain, label: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(mark.value or mark.text for mark in plain.marks if mark.label == label))


def _skills(career: Career, written: Written, plain: Plain) -> tuple[SkillTruth, ...]:
    surfaces: dict[str, dict[str, None]] = {}
    for mark in plain.marks:
        if mark.label == "skill" and mark.value:
            surfaces.setdefault(mark.value, {}).setdefault(mark.text)
    found = []
    for name in sorted(surfaces):
        periods = skill_periods(career, written, name)
        last = max((period.last(career.as_of) for period in periods), default=None)
        found.append(
            SkillTruth(
                name=name,
                surfaces=tuple(sorted(surfaces[name])),
                months_union=union_months(periods, career.as_of) if periods else None,
                months_sum=sum_months(periods, career.as_of) if periods else None,
                last_used=None if last is None else iso(last),
            )
        )
    return tuple(found)


def _skills_of(written: Written, part: str, *, nested: bool) -> tuple[str, ...]:
    """Skills that a part of the career mentions; a job also what is told inside its entry of its projects."""
    return tuple(
        sorted(
            name
            for name, places in written.skills.items()
            if any(
                of == part or (nested and section == "experience" and of.startswith(f"{part} "))
                for of, section in places
            )
        )
    )


def _precision(written: Written, part: str) -> str:
    if part not in written.dated:
        return "nothing"
    if part in written.lengths_only:
        return "duration"
    return "year" if part in written.years_only else "month"


def _end(period: Period) -> str | None:
    return None if period.end is None else iso(period.end)


def _positions(career: Career, written: Written) -> tuple[PositionTruth, ...]:
    return tuple(
        PositionTruth(
            employer=job.employer,
            title=job.title,
            city=job.city,
            start=iso(job.period.start),
            end=_end(job.period),
            months=job.period.months(career.as_of),
            skills=_skills_of(written, f"job {place}", nested=True),
            precision=_precision(written, f"job {place}"),
        )
        for place, job in enumerate(career.jobs)
        if f"job {place}" in written.named
    )


def _projects(career: Career, written: Written) -> tuple[ProjectTruth, ...]:
    found = []
    for place, job in enumerate(career.jobs):
        for number, project in enumerate(job.projects):
            part = f"job {place} project {number}"
            if part not in written.named:
                continue
            found.append(
                ProjectTruth(
                    name=project.name,
                    client=project.client,
                    employer=job.employer,
                    start=iso(project.period.start),
                    end=_end(project.period),
                    months=project.period.months(career.as_of),
                    skills=_skills_of(written, part, nested=False),
                    precision=_precision(written, part),
                )
            )
    return tuple(found)


def _studies(career: Career, plain: Plain) -> tuple[dict[str, Any], ...]:
    """Studies with their degree or school in the text; year and grade only where they stand there."""
    stated: dict[str, set[str]] = {}
    for mark in plain.marks:
        if mark.of and mark.of.startswith("study "):
            stated.setdefault(mark.of, set()).add(mark.label)
    found = []
    for place, study in enumerate(career.studies):
        labels = stated.get(f"study {place}", set())
        if not labels & {"degree", "university"}:
            continue
        has_year = bool(labels & {"year", "date"}) and study.period.end is not None
        found.append(
            {
                "school": study.school if "university" in labels else None,
                "degree": study.degree,
                "level": study.level,
                "field": study.field if "field" in labels else None,
                "year": year_of(study.period.end) if has_year and study.period.end is not None else None,
                "grade": study.grade if "performance" in labels else None,
            }
        )
    return tuple(found)


def mark_to_dict(mark: Mark) -> dict[str, Any]:
    found: dict[str, Any] = {
        "start": mark.start,
        "end": mark.end,
        "label": mark.label,
        "text": mark.text,
        "value": mark.value,
    }
    return found if mark.of is None else found | {"of": mark.of}


def truth_to_dict(truth: Truth) -> dict[str, Any]:
    """Plain values only. Spelt out rather than asdict, which copies deeply and takes most of the time."""
    found = {name: getattr(truth, name) for name in Truth.__slots__}
    found["marks"] = [mark_to_dict(mark) for mark in truth.marks]
    for name in ("skills", "positions", "projects"):
        found[name] = [{key: getattr(item, key) for key in type(item).__slots__} for item in found[name]]
    return found


def truth_to_json(truth: Truth) -> str:
    return canonical_json(truth_to_dict(truth))


def truth_from_dict(found: dict[str, Any]) -> Truth:
    """What `truth_to_dict` gave, also after a way through JSON."""
    values = dict(found)
    values["sections"] = tuple(tuple(section) for section in found["sections"])
    values["marks"] = tuple(Mark(**mark) for mark in found["marks"])
    for name, type_ in (("skills", SkillTruth), ("positions", PositionTruth), ("projects", ProjectTruth)):
        values[name] = tuple(type_(**{k: _tuple(v) for k, v in item.items()}) for item in found[name])
    for name in ("education", "certifications", "languages"):
        values[name] = tuple(found[name])
    return Truth(**values)


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
