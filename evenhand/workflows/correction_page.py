"""What somebody needs to see to put right what was misread: the facts, the text beside them, and what was put right."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from evenhand.errors import NotFound
from evenhand.records import Profile
from evenhand.store import Application
from evenhand.store.rights_rows import KeptCorrection
from evenhand.workflows.candidate_lens import look_at
from evenhand.workflows.correctable import FIELDS
from evenhand.workflows.desk import Viewer
from evenhand.workflows.lens import pseudonym
from evenhand.workflows.service import Service
from evenhand.workflows.whole_list import Rank, rank_of


@dataclass(frozen=True, slots=True)
class Line:
    """One correction, in words."""

    correction: KeptCorrection
    what: str
    old: str
    new: str
    who: str

    @property
    def ranks(self) -> str:
        """ "4 → 2"."""
        known = self.correction.ranks or {}
        before, after = (known.get(name, {}).get("rank") for name in ("before", "after"))
        return f"{before or '–'} → {after or '–'}" if known else ""


@dataclass(frozen=True, slots=True)
class CorrectionPage:
    name: str
    profile: Profile
    text: str
    hidden: frozenset[str]  # fields that are not to be seen, and so cannot be put right
    rank: Rank
    lines: tuple[Line, ...]  # the newest first


def gather_corrections(service: Service, viewer: Viewer, application: Application) -> CorrectionPage:
    seen = look_at(service.store, application, viewer.lens)
    if seen is None:
        raise NotFound("This resume has not been read yet.")
    kept = service.store.corrections(application.document)
    names = service.store.user_names([each.actor for each in kept])
    hidden = _hidden(viewer)
    lines = [
        Line(
            replace(each, reason=seen.clean(each.reason)),
            FIELDS.get(each.field, each.field),
            "masked" if each.field in hidden else seen.clean(_words(each.old)),
            "masked" if each.field in hidden else seen.clean(_words(each.new)),
            names.get(each.actor, each.actor),
        )
        for each in reversed(kept)
    ]
    name = seen.profile.name.value if seen.profile.name and not viewer.lens.is_blind else None
    return CorrectionPage(
        name or pseudonym(application.id),
        seen.profile,
        seen.document.text,
        hidden,
        rank_of(service, application.job, application.id),
        tuple(lines),
    )


def _hidden(viewer: Viewer) -> frozenset[str]:
    kinds = viewer.lens.kinds
    fields = {"name": "name", "address": "city", "school": "education.university"}
    return frozenset(field for kind, field in fields.items() if kind in kinds)


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return f"{value.get('start') or '?'} to {value.get('end') or '?'}"
    return "–" if value in (None, "") else str(value)
