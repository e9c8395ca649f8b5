"""Everything that is shown of one candidate, as its viewer may see it: resume, facts, score, what people wrote."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import PurePath

from evenhand.errors import NotFound
from evenhand.records import Document, Flag, Hidden, Profile, Warning, content_hash
from evenhand.search.criteria import Criteria
from evenhand.store import Application, KeptDocument, KeptJob
from evenhand.store.statuses import UNDO
from evenhand.store.workspace_rows import Note
from evenhand.workflows.candidate_facts import CandidateFacts, facts_of
from evenhand.workflows.candidate_flags import Findings, findings_of, flag_named
from evenhand.workflows.candidate_form import form_rows
from evenhand.workflows.candidate_history import Happening, history_of
from evenhand.workflows.candidate_lens import Clean, Seen, look_at
from evenhand.workflows.candidate_score import ScoreView, view_score
from evenhand.workflows.candidate_skills import DemandRow, Skills, demand_rows, make_skills
from evenhand.workflows.candidate_standing import Standing, stand
from evenhand.workflows.candidate_text import MOST_LINES, ResumeText, lay_out
from evenhand.workflows.candidate_timeline import Timeline, make_timeline
from evenhand.workflows.desk import Viewer
from evenhand.workflows.lens import Lens, Profiles, pseudonym
from evenhand.workflows.matching import match_job
from evenhand.workflows.recording import Recorder
from evenhand.workflows.service import Service
from evenhand.workflows.shown import view_draft

UNREAD = "(not shown: the resume has not been read, so nobody can tell what in it names the applicant)"


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

    tags: tuple[tuple[str, str], ...]  # as shown, and a key: a tag may name who is masked
    notes: tuple[tuple[Note, str], ...]  # each with the name of who wrote it, the newest first


@dataclass(frozen=True, slots=True)
class CandidatePage:
    application: Application  # without the name of the file
    job: KeptJob
    name: str
    file_name: str | None
    is_masked: bool
    file: KeptDocument | None
    read: Read | None  # None until it has been mined again
    standing: Standing  # in the list asked for
    own: Standing  # the same, or in the whole list of the job for who is not in the one asked for
    score: ScoreView | None
    findings: Findings
    remarks: Remarks
    history: tuple[Happening, ...]
    form: tuple[tuple[str, str], ...]
    undoable: str | None  # the batch of the newest decision, if it is about this application alone and stands


def gather(
    service: Service,
    recorder: Recorder,
    viewer: Viewer,
    application: Application,
    *,
    criteria: Criteria,
    depth: int = 0,
    whole_text: bool = False,
) -> CandidatePage:
    """On record: the rank that is shown, and that somebody looked. `depth` as in `stand`."""
    store, lens, id = service.store, viewer.lens, application.id
    job = store.job(application.job)
    asked, shown = stand(service, recorder, criteria, [id], actor=viewer.user, depth=depth)
    own = shown[id]
    result = own.listed.result if own.listed else None
    seen = look_at(store, application, lens)
    clean = seen.clean if seen else (str if lens.is_open else _unread)
    findings = findings_of(store, id, result.flags if result else (), may_see=viewer.may_see)
    kept = store.documents([application.document])
    recorder.record([view_draft(viewer.user, job.id, id, what="candidate", seen=own.sequence)])
    return CandidatePage(
        application=replace(application, file=None),
        job=job,
        name=lens.name(id, result.candidate if result else None) or pseudonym(id),
        file_name=lens.file(id, PurePath(application.file).name if application.file else None),
        is_masked=not lens.is_open,
        file=replace(kept[0], file=None) if kept else None,
        read=_read(seen, job, whole_text=whole_text) if seen else None,
        standing=through(lens, asked[id], store.profile),
        own=through(lens, own, store.profile),
        score=_score(own, clean),
        findings=clean_findings(findings, clean),
        remarks=_remarks(service, id, clean),
        history=tuple(replace(each, why=clean(each.why)) for each in history_of(store, id)),
        form=form_rows(store.form(application.candidate)) if lens.is_open else (),
        undoable=_undoable(service, id),
    )


def through(lens: Lens, standing: Standing, profiles: Profiles) -> Standing:
    """What the list itself says of somebody is masked as it is there."""
    if lens.is_open or standing.listed is None:
        return standing
    return replace(standing, listed=lens.listed(standing.listed, profiles))


def clean_findings(findings: Findings, clean: Clean) -> Findings:
    """A flag may quote the resume. Its key stays that of the finding itself."""
    flags = (
        replace(
            each, message=clean(each.message), set_aside=clean(each.set_aside) if each.set_aside else None
        )
        for each in findings.flags
    )
    return replace(findings, flags=tuple(flags))


def set_flag_aside(service: Service, application: Application, key: str, reason: str, *, actor: str) -> None:
    """Raises NotFound where there is no such finding any more."""
    found = flag_named(service.store, application.id, _own_flags(service, application.id), key)
    service.store.set_flag_aside(application.id, found.code, found.message, actor=actor, reason=reason)


def remove_tag(service: Service, application: str, key: str, *, actor: str) -> None:
    for tag in service.store.tags([application]).get(application, ()):
        if content_hash(tag) == key:
            service.store.remove_tag(application, tag, actor=actor)
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
    listed = lists.flags_of(entry.employers, entry.universities, entry.card.get("form"))
    return (*(Flag(**flag) for flag in entry.flags), *listed)


def _read(seen: Seen, job: KeptJob, *, whole_text: bool) -> Read:
    profile, asked = seen.profile, job.requirements
    return Read(
        seen.document,
        profile,
        facts_of(profile, asked, match_job(asked, profile).matched),
        lay_out(seen.document, profile, most_lines=None if whole_text else MOST_LINES),
        demand_rows(profile, asked),
        make_skills(profile, asked),
        make_timeline(profile),
    )


def _score(standing: Standing, clean: Clean) -> ScoreView | None:
    if standing.listed is None:
        return None
    score = standing.listed.result.score
    return view_score(score, standing.criteria.ranker, best=standing.best, clean=clean)


def _remarks(service: Service, application: str, clean: Clean) -> Remarks:
    notes = service.store.notes(application)
    names = service.store.user_names([note.actor for note in notes])
    tags = service.store.tags([application]).get(application, ())
    return Remarks(
        tuple((clean(tag), content_hash(tag)) for tag in tags),
        tuple((replace(note, text=clean(note.text)), names.get(note.actor, note.actor)) for note in notes),
    )


def _unread(text: str) -> str:
    return UNREAD if text else ""


def _undoable(service: Service, application: str) -> str | None:
    standing = [
        each
        for each in service.store.decisions_on(application)
        if each.action != UNDO and each.undone_by is None
    ]
    return standing[-1].batch if standing and not standing[-1].bulk else None
