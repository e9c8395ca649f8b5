"""What of a reading a person can put right, and what each such change does to the profile."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from evenhand.errors import UsageError
from evenhand.mining.recounting import add_skill, period_of
from evenhand.records import Document, Education, Evidence, Fact, Position, Profile
from evenhand.records.profile import DEGREE_LEVELS, PRESENT

if TYPE_CHECKING:
    from evenhand.mining.vocabulary import Vocabulary


# Places in a text that can be found again when the text was read anew and has shifted a little.

KEPT = 200  # characters by which a place is known again
Span = tuple[int, int]
Anchor = Mapping[str, Any]


def make_anchor(text: str, span: Span, *, page: int) -> dict[str, Any]:
    start, end = span
    return {"start": start, "end": end, "page": page, "words": text[start : min(end, start + KEPT)]}


def settle(anchor: Anchor, text: str) -> Span | None:
    """Where it is now: at its old place if the words still stand there, else where they stand nearest to it."""
    start, end, words = anchor["start"], anchor["end"], anchor["words"]
    if text[start : start + len(words)] == words:
        return start, min(end, len(text))
    places = [match.start() for match in re.finditer(re.escape(words), text)] if words else []
    if not places:
        return None
    nearest = min(places, key=lambda at: abs(at - start))
    return nearest, min(nearest + end - start, len(text))


def entry_at(entries: Sequence[Position] | Sequence[Education], anchor: Anchor, text: str) -> int | None:
    """The entry that shares most with a place; None where none does, or where the place is gone."""
    span = settle(anchor, text)
    if span is None:
        return None
    places = [entry.evidence for entry in entries]
    shared = [min(span[1], place.end) - max(span[0], place.start) for place in places]
    best = max(range(len(shared)), key=shared.__getitem__, default=None)
    return best if best is not None and shared[best] > 0 else None


def find_words(text: str, words: str, *, near: Span | None = None) -> Span | None:
    """Where words stand, however they are spaced and capitalised; the place nearest to `near` of several."""
    parts = words.split()
    if not parts:
        return None
    pattern = r"\s+".join(map(re.escape, parts))
    spans = [match.span() for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE)]
    if not spans:
        return None
    if near is None:
        return spans[0]
    inside = [span for span in spans if near[0] <= span[0] < near[1]]
    return inside[0] if inside else min(spans, key=lambda span: abs(span[0] - near[0]))


METHOD = "person"
LENGTH = 300
NOWHERE = Evidence(0, 0, 1, METHOD, 1.0)
DATE = re.compile(r"(19[4-9]\d|20[0-3]\d)(-(0[1-9]|1[0-2]))?")

FIELDS = {
    "name": "Name",
    "city": "City",
    "position.title": "Title of a job",
    "position.employer": "Employer of a job",
    "position.dates": "Dates of a job",
    "education.university": "University",
    "education.level": "Level of a degree",
    "skill.add": "A skill that was overlooked",
    "skill.remove": "A skill that is none",
    "highest_degree": "Highest degree",
}
OF_POSITION = ("position.title", "position.employer", "position.dates")
OF_EDUCATION = ("education.university", "education.level")
LEVELS = ("education.level", "highest_degree")


class Unchanged(UsageError):
    """The correction would change nothing."""


class Unplaced(Exception):
    """The entry or the words that a correction is about are not in this reading."""


@dataclass(frozen=True, slots=True)
class CorrectionInput:
    """What a person typed. `entry` is the number of the job or study, from 0; `words` those of the resume that show
    the value, where it does not stand there as it is."""

    field: str
    value: Any = None
    entry: int | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A correction that can be made to any reading of the same file."""

    field: str
    value: Any
    entry: Anchor | None = None
    place: Anchor | None = None
    country: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {"value": self.value, "entry": self.entry, "place": self.place, "country": self.country}

    @classmethod
    def from_json(cls, field: str, data: Mapping[str, Any]) -> FieldChange:
        return cls(field, data["value"], data["entry"], data["place"], data["country"])


def make_change(wanted: CorrectionInput, profile: Profile, document: Document, vocabulary: Vocabulary) -> FieldChange:
    """Raises UsageError for what cannot be, in a sentence."""
    text = document.text
    if wanted.field not in FIELDS:
        raise UsageError(f"There is no field {wanted.field!r}; there are {', '.join(FIELDS)}.")
    value = _value(wanted, vocabulary)
    entry = _entry(wanted, profile)
    whole = (entry.evidence.start, entry.evidence.end) if entry else None
    place = _chosen(wanted, value, text, whole)
    city = vocabulary.find_city(value) if wanted.field == "city" and value else None
    change = FieldChange(
        wanted.field,
        value,
        make_anchor(text, whole, page=entry.evidence.page) if entry and whole else None,
        make_anchor(text, place, page=_page(document, place[0])) if place else None,
        city.country if city else None,
    )
    has_skill = any(skill.name == value for skill in profile.skills)
    if wanted.field == "skill.add" and has_skill:
        raise UsageError(f"{value} is among the skills already.")
    if wanted.field == "skill.remove" and not has_skill:
        raise UsageError(f"{value} is not among the skills.")
    if value_of(change, profile, text) == value:
        raise Unchanged("This is what was read already.")
    return change


def value_of(change: FieldChange, profile: Profile, text: str) -> Any:
    """What the profile has where the change would put its value."""
    fact: Fact | None
    match change.field:
        case "name" | "city":
            fact = getattr(profile, change.field)
        case "highest_degree":
            return profile.highest_degree
        case "skill.add":
            return change.value if any(skill.name == change.value for skill in profile.skills) else None
        case "skill.remove":
            return change.value if change.value in profile.removed_skills else None
        case "position.dates":
            period = profile.positions[_number(profile.positions, change, text)].period
            return {"start": period.start, "end": period.end}
        case "position.title" | "position.employer":
            job = profile.positions[_number(profile.positions, change, text)]
            fact = getattr(job, change.field.partition(".")[2])
        case _:
            study = profile.education[_number(profile.education, change, text)]
            if change.field == "education.level":
                return study.level
            fact = study.university
    return fact.value if fact else None


def apply(change: FieldChange, profile: Profile, text: str) -> Profile:
    """The profile with this one thing changed; what follows from it is for `recount`. Raises Unplaced."""
    match change.field:
        case "name":
            return replace(profile, name=_fact(change, profile.name, text))
        case "city":
            return replace(profile, city=_fact(change, profile.city, text), country=change.country)
        case "highest_degree":
            return replace(profile, highest_degree=change.value)
        case "skill.add":
            return _with_skill(change, profile, text)
        case "skill.remove":
            return _without_skill(change.value, profile)
        case field if field in OF_POSITION:
            at = _number(profile.positions, change, text)
            job = profile.positions[at]
            if field == "position.dates":
                place = _evidence(change, job.period.evidence, job.evidence, text)
                period = period_of(change.value["start"], change.value["end"], place, profile.as_of)
                job = replace(job, period=period)
            elif field == "position.title":
                job = replace(job, title=_fact(change, job.title, text, whole=job.evidence))
            else:
                job = replace(job, employer=_fact(change, job.employer, text, whole=job.evidence))
            return replace(profile, positions=_put(profile.positions, at, job))
        case field:
            at = _number(profile.education, change, text)
            study = profile.education[at]
            if field == "education.level":
                study = replace(study, level=change.value)
            else:
                study = replace(study, university=_fact(change, study.university, text, whole=study.evidence))
            return replace(profile, education=_put(profile.education, at, study))


def _with_skill(change: FieldChange, profile: Profile, text: str) -> Profile:
    place = _evidence(change, None, None, text)
    if place.end == place.start:
        raise Unplaced
    return add_skill(profile, change.value, (text[place.start : place.end],), (place,))


def _without_skill(name: str, profile: Profile) -> Profile:
    def without(skills: Sequence[str]) -> tuple[str, ...]:
        return tuple(skill for skill in skills if skill != name)

    return replace(
        profile,
        skills=tuple(skill for skill in profile.skills if skill.name != name),
        positions=tuple(replace(job, skills=without(job.skills)) for job in profile.positions),
        projects=tuple(replace(project, skills=without(project.skills)) for project in profile.projects),
        # Its words still stand in the text, where it is not to be found again.
        removed_skills=(*without(profile.removed_skills), name),
    )


def _fact(change: FieldChange, old: Fact | None, text: str, *, whole: Evidence | None = None) -> Fact | None:
    if change.value is None:
        return None
    place = _evidence(change, old.evidence if old else None, whole, text)
    return Fact(change.value, text[place.start : place.end], place)


def _evidence(change: FieldChange, old: Evidence | None, whole: Evidence | None, text: str) -> Evidence:
    """The words a person pointed at, else the old place, else that of the whole entry, else nowhere."""
    if change.place and (span := settle(change.place, text)):
        return Evidence(*span, change.place["page"], METHOD, 1.0)
    place = old or whole
    return Evidence(place.start, place.end, place.page, METHOD, 1.0) if place else NOWHERE


def _number(entries: Sequence[Position] | Sequence[Education], change: FieldChange, text: str) -> int:
    at = entry_at(entries, change.entry, text) if change.entry else None
    if at is None:
        raise Unplaced
    return at


def _entry(wanted: CorrectionInput, profile: Profile) -> Position | Education | None:
    entries: Sequence[Position] | Sequence[Education]
    if wanted.field in OF_POSITION:
        entries, what = profile.positions, "job"
    elif wanted.field in OF_EDUCATION:
        entries, what = profile.education, "study"
    else:
        return None
    if wanted.entry is None or not 0 <= wanted.entry < len(entries):
        raise UsageError(f"Choose the {what} that is to be corrected: there are {len(entries)}.")
    return entries[wanted.entry]


def _value(wanted: CorrectionInput, vocabulary: Vocabulary) -> Any:
    if wanted.field == "position.dates":
        return _dates(wanted.value or {})
    text = " ".join(str(wanted.value or "").split())
    if len(text) > LENGTH:
        raise UsageError(f"The value has at most {LENGTH} characters.")
    if wanted.field in LEVELS and text and text not in DEGREE_LEVELS:
        raise UsageError(f"There is no degree level {text!r}; there are {', '.join(DEGREE_LEVELS)}.")
    if wanted.field.startswith("skill."):
        if not text:
            raise UsageError("Name the skill.")
        return (vocabulary.canonical_skill(text) or text) if wanted.field == "skill.add" else text
    return text or None


def _dates(given: Mapping[str, Any]) -> dict[str, str | None]:
    start, end = (str(given.get(name) or "").strip() or None for name in ("start", "end"))
    for date in (start, end):
        if date and date != PRESENT and not DATE.fullmatch(date):
            raise UsageError(f"{date!r} is no date: write 2019-03, or 2019 where the month is not known.")
    if start == PRESENT:
        raise UsageError("A job cannot begin at present; write when it began.")
    if start and end and end != PRESENT and end < start[: len(end)]:
        raise UsageError("The job would end before it begins.")
    return {"start": start, "end": end}


def _chosen(wanted: CorrectionInput, value: Any, text: str, whole: Span | None) -> Span | None:
    """Where the words stand that show the value. A skill has to be shown; of the rest it is enough to know it."""
    words = wanted.words.strip() or (str(wanted.value or "") if isinstance(value, str) else "")
    place = find_words(text, words, near=whole)
    if place is None and (wanted.words.strip() or wanted.field == "skill.add"):
        raise UsageError(f"“{words}” is not in the resume: copy the words that show it from the text.")
    return place


def _page(document: Document, place: int) -> int:
    return next((line.page for line in document.lines if line.start <= place < line.end), 1)


def _put(entries: tuple[Any, ...], at: int, entry: Any) -> tuple[Any, ...]:
    return (*entries[:at], entry, *entries[at + 1 :])
