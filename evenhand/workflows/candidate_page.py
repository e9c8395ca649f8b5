"""Everything that is shown of one candidate: the resume with its evidence, the facts, the score, what people wrote."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.records import Document, Hidden, Profile, Warning
from evenhand.search.criteria import Criteria
from evenhand.store import Application, KeptDocument, KeptJob
from evenhand.store.workspace_rows import Note
from evenhand.workflows.candidate_facts import CandidateFacts, facts_of
from evenhand.workflows.candidate_flags import Findings, MaySee, findings_of, flag_named
from evenhand.workflows.candidate_form import form_rows
from evenhand.workflows.candidate_history import Happening, history_of
from evenhand.workflows.candidate_score import ScoreView, view_score
from evenhand.workflows.candidate_skills import DemandRow, Skills, demand_rows, make_skills
from evenhand.workflows.candidate_standing import Standing, find_standings
from evenhand.workflows.candidate_text import MOST_LINES, ResumeText, lay_out
from evenhand.workflows.candidate_timeline import Timeline, make_timeline
from evenhand.workflows.matching import match_job
from evenhand.workflows.service import Service


@dataclass(frozen=True, slots=True)
class Read:
    """What was read and mined from the resume."""

    document: Document
    profile: Profile
    facts: CandidateFacts
    text: ResumeText
    demands: tuple[DemandRow, ...]
    skills: Skills
    timeline: Timeline

    @property
    def hidden(self) -> tuple[Hidden, ...]:
        return self.document.hidden

    @property
    def warnings(self) -> tuple[Warning, ...]:
        return tuple(dict.fromkeys((*self.document.warnings, *self.profile.warnings)))


@dataclass(frozen=True, slots=True)
class Remarks:
    """What people wrote beside it."""

    tags: tuple[str, ...]
    notes: tuple[tuple[Note, str], ...]  # each with the name of who wrote it, the newest first


@dataclass(frozen=True, slots=True)
class CandidatePage:
    application: Application
    job: KeptJob
    name: str
    file: KeptDocument | None
    read: Read | None  # None until it has been mined again
    standing: Standing  # in the list asked for
    own: Standing  # the same, or in the whole list of the job for who is not in the one asked for
    score: ScoreView | None
    findings: Findings
    remarks: Remarks
    history: tuple[Happening, ...]
    form: tuple[tuple[str, str], ...]


def gather(
    service: Service,
    application: Application,
    *,
    criteria: Criteria,
    may_see: MaySee,
    whole_text: bool = False,
) -> CandidatePage:
    store = service.store
    job = store.job(application.job)
    standing, own = find_own(service, application, criteria)
    result = own.listed.result if own.listed else None
    kept = store.documents([application.document])
    form = store.form(application.candidate)
    return CandidatePage(
        application=application,
        job=job,
        name=(result.candidate if result else None) or call(application),
        file=kept[0] if kept else None,
        read=_read(service, application, job, whole_text=whole_text),
        standing=standing,
        own=own,
        score=view_score(result.score, criteria.ranker, best=own.best) if result else None,
        findings=findings_of(store, application.id, result.flags if result else (), may_see=may_see),
        remarks=_remarks(service, application.id),
        history=history_of(store, application.id),
        form=form_rows(form),
    )


def call(application: Application) -> str:
    """For who has no name, or whose name is not to be seen."""
    return f"Candidate {application.id[:6].upper()}"


def find_own(service: Service, application: Application, criteria: Criteria) -> tuple[Standing, Standing]:
    """In the list asked for, and in one that the application is in."""
    with service.screener(application.job, ranker=criteria.ranker) as screener:
        found = find_standings(screener, criteria, [application.id])[application.id]
        if found.listed:
            return found, found
        everyone = Criteria(job=application.job, ranker=criteria.ranker)
        return found, find_standings(screener, everyone, [application.id])[application.id]


def _read(service: Service, application: Application, job: KeptJob, *, whole_text: bool) -> Read | None:
    profile = service.store.profile(application.document)
    if profile is None:
        return None
    document = service.store.document(application.document)
    asked = job.requirements
    return Read(
        document,
        profile,
        facts_of(profile, asked, match_job(asked, profile).matched),
        lay_out(document, profile, most_lines=None if whole_text else MOST_LINES),
        demand_rows(profile, asked),
        make_skills(profile, asked),
        make_timeline(profile),
    )


def _remarks(service: Service, application: str) -> Remarks:
    notes = service.store.notes(application)
    names = service.store.user_names([note.actor for note in notes])
    tags = service.store.tags([application]).get(application, ())
    return Remarks(tags, tuple((note, names.get(note.actor, note.actor)) for note in notes))


def set_flag_aside(service: Service, application: Application, key: str, reason: str, *, actor: str) -> None:
    """Raises NotFound where there is no such finding any more."""
    _, own = find_own(service, application, Criteria(job=application.job))
    flags = own.listed.result.flags if own.listed else ()
    found = flag_named(service.store, application.id, flags, key)
    service.store.set_flag_aside(application.id, found.code, found.message, actor=actor, reason=reason)
