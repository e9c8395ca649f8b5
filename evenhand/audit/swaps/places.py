"""Another home, another place of work, another school."""

from __future__ import annotations

from evenhand.audit.swaps.editing import Edit
from evenhand.audit.swaps.marked import Mark, Marked


def edit_home(marked: Marked, value: str) -> tuple[Edit, ...] | None:
    """The city of residence; where none is told, a line below the head tells it."""
    home = _home(marked)
    return (Edit(home.start, home.end, value),) if home else (marked.line_below_head(value),)


def _home(marked: Marked) -> Mark | None:
    city = marked.profile.city
    told = marked.of("address")
    if city is None:
        return None
    place = city.evidence
    around = [mark for mark in told if mark.start <= place.start and place.end <= mark.end]
    if around:
        return around[0]
    return None if "\n" in city.surface else Mark(place.start, place.end, "address")


def edit_workplace(marked: Marked, value: str) -> tuple[Edit, ...] | None:
    """Where the latest job was; None for a resume without jobs."""
    for job in marked.jobs():
        if job.city and "\n" not in job.city.surface:
            return (Edit(job.city.evidence.start, job.city.evidence.end, value),)
    for job in marked.jobs():
        if anchor := job.employer or job.title:
            return (Edit(anchor.evidence.end, anchor.evidence.end, f", {value}"),)
    return None


def edit_school(marked: Marked, value: str) -> tuple[Edit, ...] | None:
    """The first school named, wherever its name stands; None for a resume without one."""
    schools = [entry.university for entry in marked.profile.education if entry.university]
    usable = [school for school in schools if "\n" not in school.surface]
    if not usable:
        return None
    name = usable[0].surface
    found = [Mark(usable[0].evidence.start, usable[0].evidence.end, "school")]
    found += [mark for mark in marked.of("school") if marked.text[mark.start : mark.end] == name]
    return tuple(Edit(start, end, value) for start, end in sorted({(mark.start, mark.end) for mark in found}))
