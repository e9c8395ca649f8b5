"""The ledger of a service: signing where it stands, and checking all of it against what was signed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evenhand.ledger import (
    Checkpoint,
    Finding,
    SigningKey,
    append_checkpoint,
    last_checkpoint,
    public_key_of,
    read_checkpoints,
    send_checkpoint,
    verify,
)
from evenhand.settings import Settings
from evenhand.store import Store
from evenhand.workflows.watching import Watch, unwatched, watched

MOST_FINDINGS = 1_000  # one wrong event can make everything after it wrong; nobody reads more


@dataclass(frozen=True, slots=True)
class Verification:
    """What was checked, and what is wrong with it."""

    events: int
    checkpoints: int
    signed_until: (
        int  # the newest event that a believed checkpoint vouches for; those after it only for each other
    )
    key: str | None
    findings: tuple[Finding, ...]

    @property
    def sound(self) -> bool:
        return not self.findings

    def to_json(self) -> dict[str, Any]:
        return {
            "sound": self.sound,
            "events": self.events,
            "checkpoints": self.checkpoints,
            "signed_until": self.signed_until,
            "key": self.key,
            "findings": [finding.to_json() for finding in self.findings],
        }


def verify_ledger(
    store: Store,
    settings: Settings,
    *,
    checkpoints: Path | None = None,
    key: str | None = None,
    watch: Watch = unwatched,
) -> Verification:
    """Against the checkpoints and the key that the settings name, unless an auditor brings her own copies."""
    path = checkpoints or settings.checkpoint_path
    trusted = key or public_key_of(settings.signing_key_path)
    points = list(read_checkpoints(path))
    events = store.count_events()
    links = watched(store.chain(), watch, "Verifying", events)
    found: list[Finding] = list(_absent(points, trusted, path))
    for finding in verify(links, checkpoints=points, key=trusted, beside=store):
        found.append(finding)
        if len(found) >= MOST_FINDINGS:
            break
    believed = [
        point.sequence
        for point in points
        if isinstance(point, Checkpoint) and point.is_signed and trusted in (None, point.key)
    ]
    return Verification(events, len(points), max(believed, default=0), trusted, tuple(found))


def make_checkpoint(store: Store, settings: Settings, *, time: datetime | None = None) -> Checkpoint | None:
    """Signs where the ledger stands and hands it out; None where that has been signed already."""
    sequence, hash = store.ledger_head()
    path = settings.checkpoint_path
    newest = last_checkpoint(path)
    if sequence == 0 or (newest and (newest.sequence, newest.hash) == (sequence, hash)):
        return None
    key = SigningKey.load_or_make(settings.signing_key_path)
    made = Checkpoint.make(sequence, hash, time=time or datetime.now(UTC), key=key)
    append_checkpoint(path, made)
    if settings.checkpoint_command:
        send_checkpoint(settings.checkpoint_command, made)
    return made


def _absent(points: list[Checkpoint | int], trusted: str | None, path: Path) -> Iterator[Finding]:
    """The key is made with the first checkpoint: where there is one and not the other, somebody took it away."""
    if trusted is not None and not points:
        yield Finding("no_checkpoints", f"There is a key, but not one checkpoint in {path}.")
