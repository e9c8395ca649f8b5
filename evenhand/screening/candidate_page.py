"""Everything that is shown of one candidate, as its viewer may see it: resume, facts, score, what people wrote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from evenhand.errors import NotFound
from evenhand.ledger.recording import Recorder, view_draft
from evenhand.records import Document, Flag, Hidden, Profile, Warning, content_hash
from evenhand.screening.candidate_career import DemandRow, Skills, Timeline, demand_rows, make_skills, make_timeline
from evenhand.screening.candidate_history import Findings, HistoryEntry, findings_of, flag_named, history_of
from evenhand.screening.candidate_list import Viewer
from evenhand.screening.candidate_rank import CandidateRank, ScoreView, find_ranks, view_score
from evenhand.screening.candidate_text import MAX_LINES, ResumeText, lay_out
from evenhand.screening.decisions import ACTION_NOUNS
from evenhand.screening.redaction import Clean, RedactedResume, redact_application
from evenhand.search.criteria import Criteria
from evenhand.search.masks import MasksOf
from evenhand.search.matching import CandidateFacts, facts_of, form_rows, match_job
from evenhand.search.service import Service
from evenhand.search.visibility import Visibility, pseudonym
from evenhand.store.applications import UNDO, Application
from evenhand.store.decisions import Decision
from evenhand.store.jobs import StoredJob
from evenhand.store.mined import StoredDocument
from evenhand.store.notes import CandidateNote
from evenhand.store.store import Store
from evenhand.store.tables import clean as storable

UNREAD = "(not shown: the resume has not been read, so nobody can tell what in it names the applicant)"


@dataclass(frozen=True, slots=True)
class ResumeView:
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
class CandidateRemarks:
    """What people wrote beside it."""

    tags: tuple[tuple[str, str], ...]  # as shown, and a key: a tag may name who is masked
    notes: tuple[tuple[CandidateNote, str], ...]  # each with the name of who wrote it, the newest first


@dataclass(frozen=True, slots=True)
class ReversibleDecision:
    """A decision on one application alone that can be undone, or was undone and can be redone."""

    verb: str  # undo or redo
    batch: str
    action: str

    @property
    def what(self) -> str:
        return ACTION_NOUNS[self.action].rsplit(maxsplit=1)[0]


def _reversible(history: Sequence[Decision]) -> Iterator[ReversibleDecision]:
    """From all decisions on an application, the oldest first: the newest that stands, and the one just undone."""
    active = [decision for decision in history if decision.action != UNDO and decision.undone_by is None]
    if active and not active[-1].bulk:
        yield ReversibleDecision("undo", active[-1].batch, active[-1].action)
    undone = [decision for decision in history if decision.undone_by == history[-1].id]
    if undone and not undone[-1].bulk:
        yield ReversibleDecision("redo", history[-1].batch, undone[-1].action)


@dataclass(frozen=True, slots=True)
class CandidatePage:
    application: Application  # without the name of the file
    job: StoredJob
    name: str
    file_name: str | None
    is_masked: bool
    file: StoredDocument | None
    read: ResumeView | None  # None until it has been mined again
    standing: CandidateRank  # in the list asked for
    own: CandidateRank  # the same, or in the whole list of the job for who is not in the one asked for
    score: ScoreView | None
    findings: Findings
    remarks: CandidateRemarks
    history: tuple[HistoryEntry, ...]
    form: tuple[tuple[str, str], ...]
    reversible: tuple[ReversibleDecision, ...]


def build_page(
    service: Service,
    recorder: Recorder,
    viewer: Viewer,
    application: Application,
    *,
    criteria: Criteria,
    depth: int = 0,
    whole_text: bool = False,
    found_at: tuple[int, int] | None = None,
) -> CandidatePage:
    """On record: the rank that is shown, and that somebody looked. `depth` as in `find_ranks`; `found_at` is a place
    of the text to be marked."""
    store, visibility, id = service.store, viewer.visibility, application.id
    job = store.jobs.get(application.job)
    criteria = visibility.criteria(criteria)
    ranks, recorded_ranks = find_ranks(service, recorder, criteria, [id], actor=viewer.user, depth=depth)
    own = recorded_ranks[id]
    result = own.listed.result if own.listed else None
    seen = redact_application(service, application, visibility)
    clean = seen.clean if seen else (str if visibility.is_open else _unread)
    findings = findings_of(store, id, result.flags if result else (), may_see=viewer.may_see)
    documents = store.documents.info([application.document])
    recorder.record([view_draft(viewer.user, job.id, id, what="candidate", seen=own.sequence)])
    tags = store.notes.tags([id]).get(id, ())
    return CandidatePage(
        application=replace(application, file=None),
        job=job,
        name=visibility.name(id, result.candidate if result else None) or pseudonym(id),
        file_name=visibility.file(id, PurePath(application.file).name if application.file else None),
        is_masked=not visibility.is_open,
        file=replace(documents[0], file=None) if documents else None,
        read=_read(seen, job, whole_text=whole_text, found_at=found_at) if seen else None,
        standing=redact_rank(visibility, ranks[id], service.masks.of),
        own=redact_rank(visibility, own, service.masks.of),
        score=_score(own, clean),
        findings=clean_findings(findings, clean),
        remarks=CandidateRemarks(tuple((clean(tag), content_hash(tag)) for tag in tags), _notes(store, id, clean)),
        history=tuple(replace(entry, why=clean(entry.why)) for entry in history_of(store, id)),
        form=form_rows(store.applications.form(application.candidate)) if visibility.is_open else (),
        reversible=tuple(_reversible(store.decisions.of_application(id))),
    )


def redact_rank(visibility: Visibility, rank: CandidateRank, masks: MasksOf) -> CandidateRank:
    """What the list itself says of somebody is masked as it is there."""
    if visibility.is_open or rank.listed is None:
        return rank
    return replace(rank, listed=visibility.listed(rank.listed, masks))


def clean_findings(findings: Findings, clean: Clean) -> Findings:
    """A flag may quote the resume. Its key stays that of the finding itself."""
    flags = (
        replace(flag, message=clean(flag.message), set_aside=clean(flag.set_aside) if flag.set_aside else None)
        for flag in findings.flags
    )
    return replace(findings, flags=tuple(flags))


def set_flag_aside(service: Service, viewer: Viewer, application: Application, key: str, reason: str) -> None:
    """Raises NotFound where there is no such finding any more."""
    own = _own_flags(service, application.id)
    flag = flag_named(service.store, application.id, own, key, may_see=viewer.may_see)
    service.store.notes.dismiss_flag(application.id, flag.code, flag.message, actor=viewer.user, reason=reason)


def remove_tag(service: Service, application: str, key: str, *, actor: str) -> None:
    for tag in service.store.notes.tags([application]).get(application, ()):
        if content_hash(tag) == key:
            service.store.notes.remove_tag(application, tag, actor=actor)
            return
    raise NotFound("The application has no such tag any more.")


def _own_flags(service: Service, application: str) -> tuple[Flag, ...]:
    """Those that a list shows of the resume itself."""
    snapshot = service.snapshot()
    address = snapshot.find(application)
    if address is None:
        return ()
    entry = snapshot.entry(address)
    lists = service.watch_lists()
    listed = lists.flags_of(entry.employers, entry.universities, entry.card.form)
    return (*(Flag(**flag) for flag in entry.flags), *listed)


def _read(seen: RedactedResume, job: StoredJob, *, whole_text: bool, found_at: tuple[int, int] | None) -> ResumeView:
    profile, requirements = seen.profile, job.requirements
    text = lay_out(seen.document, profile, most_lines=None if whole_text else MAX_LINES, found_at=found_at)
    if found_at and not text.shows(found_at[0]):
        text = lay_out(seen.document, profile, most_lines=None, found_at=found_at)
    return ResumeView(
        seen.document,
        profile,
        facts_of(profile, requirements, match_job(requirements, profile).matched, seen.stated),
        text,
        demand_rows(profile, requirements),
        make_skills(profile, requirements),
        make_timeline(profile),
    )


def _score(rank: CandidateRank, clean: Clean) -> ScoreView | None:
    if rank.listed is None:
        return None
    score = rank.listed.result.score
    return view_score(score, rank.criteria.ranker, best=rank.best, clean=clean)


def _unread(text: str) -> str:
    return UNREAD if text else ""


# What people wrote about one candidate and what happened to it, each by itself, as the viewer may see it.


def notes_of(
    service: Service, recorder: Recorder, viewer: Viewer, application: Application
) -> tuple[tuple[CandidateNote, str], ...]:
    """Each with the name of who wrote it, the newest first. On record that somebody looked."""
    clean = _clean_for(service, application, viewer.visibility)
    recorder.record([view_draft(viewer.user, application.job, application.id, what="notes")])
    return _notes(service.store, application.id, clean)


def _notes(store: Store, application: str, clean: Clean) -> tuple[tuple[CandidateNote, str], ...]:
    notes = store.notes.of_application(application)
    names = store.accounts.names([note.actor for note in notes])
    return tuple((replace(note, text=clean(note.text)), names.get(note.actor, note.actor)) for note in notes)


def viewed_history(
    service: Service, recorder: Recorder, viewer: Viewer, application: Application
) -> tuple[HistoryEntry, ...]:
    """The newest first. On record that somebody looked."""
    clean = _clean_for(service, application, viewer.visibility)
    entries = history_of(service.store, application.id)
    recorder.record([view_draft(viewer.user, application.job, application.id, what="history")])
    return tuple(replace(entry, why=clean(entry.why)) for entry in entries)


def add_tag(service: Service, application: str, tag: str, *, actor: str) -> tuple[str, bool]:
    """Its key, by which it is taken off again, and whether it is new."""
    is_new = service.store.notes.add_tag(application, tag, actor=actor)
    return content_hash(storable(" ".join(tag.split()))), is_new


def _clean_for(service: Service, application: Application, visibility: Visibility) -> Clean:
    """Nobody can tell what names an applicant whose resume has not been read: then nothing is shown."""
    if visibility.is_open:
        return str
    seen = redact_application(service, application, visibility)
    return seen.clean if seen else _unread
