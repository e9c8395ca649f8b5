"""Readings with the corrections that stand on them. A file that is mined anew gets them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evenhand.mining.recounting import recount
from evenhand.records import Profile, Warning
from evenhand.search.digest import make_digest
from evenhand.store import Mined, Store
from evenhand.store.corrections import Corrected
from evenhand.store.rights_rows import KeptCorrection, Reading
from evenhand.workflows.correctable import FIELDS, Change, Unplaced, apply
from evenhand.workflows.mined_data import DIGEST_VERSION

LOST = "correction_lost"


def corrected(reading: Reading) -> Profile:
    """With everything that stands."""
    return read_with(reading, changes_of(reading))


def recorrected(store: Store, mined: Sequence[Mined]) -> list[Mined]:
    """What was mined anew, with the corrections that people made on it before."""
    standing = store.standing_corrections([item.document.sha256 for item in mined])
    if not standing:
        return list(mined)
    fresh = {
        item.document.sha256: (item.miner, item.profile)
        for item in mined
        if item.profile is not None and item.document.sha256 in standing
    }
    store.save_readings(fresh)
    return [_recorrected(item, standing.get(item.document.sha256, ())) for item in mined]


def _recorrected(item: Mined, standing: Sequence[KeptCorrection]) -> Mined:
    if not standing or item.profile is None:
        return item
    text = item.document.text
    changes = [Change.from_json(each.field, each.change) for each in standing]
    kept = prepared(_applied(item.profile, changes, text), text)
    return replace(item, profile=kept.profile, digest=kept.digest, digest_version=kept.digest_version)


def changes_of(reading: Reading) -> list[Change]:
    return [Change.from_json(each.field, each.change) for each in reading.standing]


def read_with(reading: Reading, changes: Sequence[Change]) -> Profile:
    return _applied(reading.profile(), changes, reading.text)


def _applied(read: Profile, changes: Sequence[Change], text: str) -> Profile:
    """In the order made; the highest degree last, since it otherwise follows from the studies."""
    profile, lost = read, []
    for change in changes:
        if change.field == "highest_degree":
            continue
        try:
            profile = apply(change, profile, text)
        except Unplaced:
            lost.append(Warning(LOST, _lost(change)))
    profile = recount(profile, read) if changes else profile
    for change in changes:
        if change.field == "highest_degree":
            profile = apply(change, profile, text)
    return replace(profile, warnings=(*profile.warnings, *lost)) if lost else profile


def _lost(change: Change) -> str:
    return (
        f"A correction ({FIELDS[change.field].lower()}) could not be applied to what was read anew; "
        "look at it and correct again."
    )


def prepared(profile: Profile, text: str) -> Corrected:
    return Corrected(profile, make_digest(text, profile).to_bytes(), DIGEST_VERSION)
