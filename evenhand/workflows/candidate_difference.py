"""Two resumes that are nearly the same, word by word, as their viewer may see them."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.errors import NotFound, UsageError
from evenhand.search.duplicates.difference import Segment, diff
from evenhand.store import Application, KeptJob
from evenhand.workflows.candidate_lens import look_at
from evenhand.workflows.desk import Viewer
from evenhand.workflows.lens import pseudonym
from evenhand.workflows.recording import Recorder
from evenhand.workflows.service import Service
from evenhand.workflows.shown import view_draft


@dataclass(frozen=True, slots=True)
class Side:
    application: Application
    job: KeptJob
    name: str
    segments: tuple[Segment, ...]  # what both have, and what only this one has


@dataclass(frozen=True, slots=True)
class Apart:
    first: Side
    second: Side
    resemblance: float | None  # of the texts as they are; None where they are not near duplicates
    words_only_first: int
    words_only_second: int


def tell_apart(
    service: Service,
    recorder: Recorder,
    first: tuple[Viewer, Application],
    second: tuple[Viewer, Application],
) -> Apart:
    """Each through the lens of its own job."""
    if first[1].id == second[1].id:
        raise UsageError("These are one and the same application.")
    sides, texts = zip(
        *(_side(service, viewer, application) for viewer, application in (first, second)), strict=True
    )
    segments = diff(*texts)
    viewer = first[0].user
    recorder.record([view_draft(viewer, each.job, each.id, what="difference") for _, each in (first, second)])
    near = dict(service.store.duplicates_of(first[1].document))
    return Apart(
        _with(sides[0], segments, "only_a"),
        _with(sides[1], segments, "only_b"),
        near.get(second[1].document),
        _words(segments, "only_a"),
        _words(segments, "only_b"),
    )


def _side(service: Service, viewer: Viewer, application: Application) -> tuple[Side, str]:
    seen = look_at(service.store, application, viewer.lens)
    if seen is None:
        raise NotFound("One of these resumes has not been read yet.")
    found = seen.profile.name.value if seen.profile.name else None
    name = viewer.lens.name(application.id, found) or pseudonym(application.id)
    return Side(application, service.store.job(application.job), name, ()), seen.document.text


def _with(side: Side, segments: tuple[Segment, ...], own: str) -> Side:
    kept = tuple(each for each in segments if each.kind in ("same", own))
    return Side(side.application, side.job, side.name, kept)


def _words(segments: tuple[Segment, ...], kind: str) -> int:
    return sum(len(each.text.split()) for each in segments if each.kind == kind)
