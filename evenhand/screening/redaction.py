"""A resume as somebody may see it: text, layout and facts with tokens for what is masked, offsets moved along."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from evenhand.masking.masks import TOKENS, MaskedText
from evenhand.masking.stored import ResumeMasks
from evenhand.mining.corrections import METHOD
from evenhand.records import (
    Certification,
    Document,
    Education,
    Evidence,
    Fact,
    Hidden,
    Line,
    Period,
    Position,
    Profile,
    Project,
    Section,
    Skill,
    Warning,
)
from evenhand.search.evidence import complete_for_job
from evenhand.search.matching import StatedFacts, stated_facts
from evenhand.search.service import Service
from evenhand.search.visibility import Visibility
from evenhand.store.applications import Application

Clean = Callable[[str], str]
Entry = TypeVar("Entry", Position, Project, Education, Certification, Period)


@dataclass(frozen=True, slots=True)
class RedactedResume:
    """`clean` masks any other text that is about the same person."""

    document: Document
    profile: Profile
    clean: Clean
    stated: StatedFacts  # in a form


def redact_application(service: Service, application: Application, visibility: Visibility) -> RedactedResume | None:
    """With what the text shows of the job's demands; None where the resume has not been mined yet."""
    profile = service.store.applications.profile(application.id)
    if profile is None:
        return None
    document = service.store.documents.get(application.document)
    profile = complete_for_job(profile, document.text, service.store.jobs.get(application.job).requirements)
    form = service.store.applications.form(application.candidate)
    stated = stated_facts(form, with_city="address" not in visibility.kinds)
    if visibility.is_open:
        return RedactedResume(document, profile, str, stated)
    return redact(visibility, document, profile, service.masks.of(application.id, application.content), stated)


def redact(
    visibility: Visibility, document: Document, profile: Profile, masks: ResumeMasks, stated: StatedFacts
) -> RedactedResume:
    masker = visibility.masker(document.text, masks)
    facts = _Facts(masker.masked, masker.clean)
    clean = masker.clean
    redacted = replace(
        document,
        file=None,
        text=masker.masked.text,
        lines=tuple(_lines(document.lines, masker.masked)),
        hidden=tuple(
            Hidden(text, hidden.reason, hidden.page)
            for hidden, text in zip(
                document.hidden, masker.clean_hidden([hidden.text for hidden in document.hidden]), strict=True
            )
        ),
        warnings=tuple(Warning(warning.code, clean(warning.message)) for warning in document.warnings),
    )
    return RedactedResume(redacted, facts.profile(profile, visibility), clean, stated)


def _lines(lines: Iterable[Line], masked: MaskedText) -> Iterator[Line]:
    """What is masked over several lines has its token in the first of them; a line without words is none."""
    reached = 0
    for line in lines:
        start, end = masked.place(line.start, line.end)
        start = max(start, reached)
        if start < end:
            yield replace(line, start=start, end=end, raw=None)
            reached = end


@dataclass(frozen=True, slots=True)
class _Facts:
    """Moves facts to their places in the masked text. One of which any letter is masked has the token for its value."""

    masked: MaskedText
    clean: Clean

    def profile(self, profile: Profile, visibility: Visibility) -> Profile:
        return replace(
            profile,
            document=replace(profile.document, file=None),
            # Not what the masker found of them in the text: a person may have put in what stands nowhere in it.
            name=None if "name" in visibility.kinds else self._maybe(profile.name),
            emails=self._unless("contact" in visibility.kinds, profile.emails),
            phones=self._unless("contact" in visibility.kinds, profile.phones),
            links=self._unless("contact" in visibility.kinds, profile.links),
            city=None if "address" in visibility.kinds else self._open(profile.city),
            country=None if "address" in visibility.kinds else profile.country,
            sections=tuple(map(self._section, profile.sections)),
            positions=tuple(map(self._entry, profile.positions)),
            projects=tuple(map(self._entry, profile.projects)),
            education=tuple(self._study(study, visibility) for study in profile.education),
            certifications=tuple(map(self._entry, profile.certifications)),
            skills=tuple(self._skills(profile.skills)),
            languages=tuple(self._shown(fact) for fact in profile.languages),
            warnings=tuple(Warning(warning.code, self.clean(warning.message)) for warning in profile.warnings),
            removed_skills=tuple(map(self.clean, profile.removed_skills)),
        )

    def _shown(self, fact: Fact) -> Fact:
        place = self._place(fact.evidence)
        words = self.masked.text[place.start : place.end]
        if fact.evidence.method == METHOD:  # put right by a person: it need not be what stands there
            return Fact(self.clean(fact.value), words, place)
        hides = self.masked.hides(fact.evidence.start, fact.evidence.end)
        return Fact(words if hides else fact.value, words, place)

    def _maybe(self, fact: Fact | None) -> Fact | None:
        return self._shown(fact) if fact else None

    def _open(self, fact: Fact | None) -> Fact | None:
        """Not there, rather than a token in its place."""
        is_hidden = fact is not None and self.masked.hides(fact.evidence.start, fact.evidence.end)
        return None if is_hidden else self._maybe(fact)

    def _unless(self, hidden: bool, facts: Iterable[Fact]) -> tuple[Fact, ...]:
        return () if hidden else tuple(map(self._shown, facts))

    def _place(self, place: Evidence) -> Evidence:
        if place.start == place.end:  # nowhere
            return place
        start, end = self.masked.place(place.start, place.end)
        return replace(place, start=start, end=end)

    def _entry(self, entry: Entry) -> Entry:
        """A job, project, study, certificate or period, with all its facts and places moved."""
        return replace(entry, **{field.name: self._part(getattr(entry, field.name)) for field in fields(entry)})

    def _part(self, value: Any) -> Any:
        match value:
            case Fact():
                return self._shown(value)
            case Evidence():
                return self._place(value)
            case Period():
                return self._entry(value)
        return value

    def _section(self, section: Section) -> Section:
        start, end = self.masked.place(section.start, section.end)
        heading = self.clean(section.heading) if section.heading else section.heading
        return Section(section.type, heading, start, end)

    def _study(self, study: Education, visibility: Visibility) -> Education:
        moved = self._entry(study)
        university = moved.university
        if university and "school" in visibility.kinds and university.evidence.method == METHOD:
            return replace(moved, university=replace(university, value=TOKENS["school"]))
        return moved

    def _skills(self, skills: Iterable[Skill]) -> Iterator[Skill]:
        """One that stands only where the text is masked was read from a name, as Lawson may be: it would tell it."""
        for skill in skills:
            places = tuple(filter(self._is_open, skill.evidence))
            if places or not skill.evidence:
                yield replace(skill, evidence=tuple(map(self._place, places)))

    def _is_open(self, place: Evidence) -> bool:
        """Nowhere, where a person has put something in, is no masked place."""
        return place.start == place.end or not self.masked.hides(place.start, place.end)
