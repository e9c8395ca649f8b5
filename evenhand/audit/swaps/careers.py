"""Another course of a career: a gap, fewer hours, a first job in another trade. Lengths of jobs stay as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evenhand.audit.swaps.editing import Edit
from evenhand.audit.swaps.marked import Marked
from evenhand.records.profile import PRESENT, Evidence, Period

_SHORT = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_LONG = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
_NAMED = r"(?P<name>[A-Za-z]{3,9})(?P<dot>\.?)(?P<gap>[ ,'’/-]{1,3})(?P<year>(?:19|20)\d\d)"
_NUMBERED = r"(?P<month>0?[1-9]|1[0-2])(?P<slash>[/.-])(?P<late>(?:19|20)\d\d)"
_TURNED = r"(?P<early>(?:19|20)\d\d)(?P<dash>[/.-])(?P<number>0[1-9]|1[0-2])(?!\d)"
_ALONE = r"(?P<alone>(?:19|20)\d\d)"
_DATE = re.compile(rf"(?<![\w])(?:{_NAMED}|{_NUMBERED}|{_TURNED}|{_ALONE})(?!\d)")


def edit_gap(marked: Marked, value: str) -> tuple[Edit, ...] | None:
    """Everything before the latest job moves back by so many months; None where jobs overlap or there is one only."""
    jobs = marked.jobs()
    if len(jobs) < 2 or not _is_line(jobs[0].period, [job.period for job in jobs[1:]]):
        return None
    if (months := int(value)) == 0:
        return ()
    edits = tuple(edit for place in _earlier(marked) for edit in _shifted(marked.text, place, months))
    return edits or None


def _is_line(last: Period, earlier: list[Period]) -> bool:
    """Whether all others had ended when the last job began."""
    ends = [period.end or "9999" for period in earlier]
    return PRESENT not in ends and max(ends)[:7] <= f"{last.start}-12"[:7]


def _earlier(marked: Marked) -> Iterator[tuple[int, int]]:
    last = marked.jobs()[0]
    began = last.period.start or ""
    periods: list[Evidence | None] = [job.period.evidence for job in marked.jobs()[1:]]
    periods += [
        project.period.evidence
        for project in marked.profile.projects
        if project.period.start and project.period.start < began
    ]
    periods += [entry.year.evidence for entry in marked.profile.education if entry.year]
    own = last.period.evidence
    reached = 0
    for place in sorted({(each.start, each.end) for each in periods if each}):
        is_own = own is not None and place[0] < own.end and own.start < place[1]
        if place[0] >= reached and not is_own:
            reached = place[1]
            yield place


def _shifted(text: str, place: tuple[int, int], months: int) -> Iterator[Edit]:
    for match in _DATE.finditer(text, *place):
        new = _moved(match, months)
        if new is not None and new != match[0]:
            yield Edit(match.start(), match.end(), new)


def _moved(match: re.Match[str], months: int) -> str | None:
    if match["alone"]:
        return str(int(match["alone"]) - (months + 6) // 12)
    if match["name"]:
        number = month_number(match["name"])
        if number is None:
            return str.replace(match[0], match["year"], str(int(match["year"]) - (months + 6) // 12))
        year, month = _back(int(match["year"]), number, months)
        return f"{month_like(match['name'], month)}{match['dot']}{match['gap']}{year}"
    if match["month"]:
        year, month = _back(int(match["late"]), int(match["month"]), months)
        return f"{month:0{len(match['month'])}d}{match['slash']}{year}"
    year, month = _back(int(match["early"]), int(match["number"]), months)
    return f"{year}{match['dash']}{month:02d}"


def _back(year: int, month: int, months: int) -> tuple[int, int]:
    total = year * 12 + month - 1 - months
    return total // 12, total % 12 + 1


def month_number(name: str) -> int | None:
    """1 to 12 for a name or a beginning of at least three letters."""
    key = name.lower()
    if key[:3] not in _SHORT or not (_LONG[_SHORT.index(key[:3])].startswith(key) or key == "sept"):
        return None
    return _SHORT.index(key[:3]) + 1


def month_like(name: str, month: int) -> str:
    """The month written as `name` is: short or long, with its capitals. May says nothing of that, and becomes short."""
    is_long = name.lower() in _LONG and name.lower() != "may"
    word = _LONG[month - 1] if is_long else _SHORT[month - 1]
    return word.upper() if name.isupper() else word.capitalize() if name[0].isupper() else word


def edit_hours(marked: Marked, value: str) -> tuple[Edit, ...] | None:
    """Behind the title of the latest job; None for a resume without one."""
    titles = [job.title for job in marked.jobs() if job.title]
    return (Edit(titles[0].evidence.end, titles[0].evidence.end, f" ({value})"),) if titles else None


def edit_first_job(marked: Marked, value: str) -> tuple[Edit, ...] | None:
    """The title of the oldest job; None for a resume with fewer than two."""
    titles = [job.title for job in marked.jobs() if job.title and "\n" not in job.title.surface]
    if len(titles) < 2:
        return None
    place = titles[-1].evidence
    return (Edit(place.start, place.end, value.upper() if titles[-1].surface.isupper() else value),)
