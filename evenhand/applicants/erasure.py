"""Erasing people wherever they are: rows, files, the index, the space of what was deleted; and a certificate of it.

The rows go first, in one transaction with the record of it. Whatever is cut off after that is finished by whoever opens
the service next; a database that was put back to an earlier state is cleared again of who was erased since.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evenhand import __version__
from evenhand.errors import EvenhandError, IndexBusy, StoreError, UsageError
from evenhand.ledger.checkpoints import SigningKey, is_signed, make_checkpoint
from evenhand.records import canonical_json, content_hash
from evenhand.records.event import SYSTEM
from evenhand.screening.redaction import redact_application
from evenhand.search.index_sync import forget
from evenhand.search.visibility import Visibility
from evenhand.store.applications import Application
from evenhand.store.duplicates import RelatedApplication
from evenhand.store.erasures import ErasureScope, StoredErasure
from evenhand.store.person_mentions import Mention
from evenhand.store.retention import Backup

if TYPE_CHECKING:
    from evenhand.search.service import Service


# Erasures in a small file outside the database, so that one that is put back to an earlier state learns of
# them.
#
# One line of JSON for each, and another when it is finished; the ids in it mean nothing to who has no such
# database.

LOCK = "erasing.lock"


def append_erasure(path: Path, erasure: StoredErasure) -> None:
    """On the disk when this returns."""
    line = {
        "id": erasure.id,
        "begun": erasure.begun.isoformat(),
        "finished": erasure.finished.isoformat() if erasure.finished else None,
        "applications": list(erasure.applications),
        "certificate": dict(erasure.certificate),
    }
    _append(path, canonical_json(line) + "\n")


def check_writable(path: Path) -> None:
    """Before anything is erased: an erasure that is not written down here could come back."""
    _append(path, "")


def read_erasures(path: Path) -> dict[str, StoredErasure]:
    """By id, the newest line of each; lines that are none are passed over. Nothing where there is no file."""
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise StoreError(f"The erasures {path} cannot be read: {error.strerror}.") from error
    erasures = (_parsed(line) for line in lines)
    return {erasure.id: erasure for erasure in erasures if erasure}


@contextmanager
def erasing(path: Path) -> Iterator[bool]:
    """One erasure at a time among all processes; whether it is this one's turn, without waiting for it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (path.parent / LOCK).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield True


def _append(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, text.encode())
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise StoreError(f"Erasures cannot be written to {path}: {error.strerror}.") from error


def _parsed(line: bytes) -> StoredErasure | None:
    try:
        value: dict[str, Any] = json.loads(line)
        finished = value["finished"]
        return StoredErasure(
            str(value["id"]),
            datetime.fromisoformat(value["begun"]),
            datetime.fromisoformat(finished) if finished else None,
            SYSTEM,
            tuple(map(str, value["applications"])),
            dict(value["certificate"]),
        )
    except (ValueError, TypeError, KeyError):
        return None


log = logging.getLogger(__name__)

GROUNDS = {
    "request": "The person requested it",
    "withdrawn": "The person withdrew the application or the consent",
    "retention": "It was kept as long as the rules allow",
    "unlawful": "It should never have been kept",
}
NAMELESS = Visibility(frozenset({"name", "contact"}))
REASON_LENGTH = 500
BUSY_SECONDS = 60.0
RETRY_SECONDS = 0.5
BUSY = "Somebody else is being erased just now; try again in a moment."


@dataclass(frozen=True, slots=True)
class ErasurePlan:
    """What an erasure would reach, and what it would not."""

    held: tuple[ErasureScope, ...]
    backups: tuple[Backup, ...]  # that hold these people and are not known to be gone
    others: tuple[RelatedApplication, ...]  # applications of the same person, as far as files and ids tell
    mentions: tuple[Mention, ...]  # in what was written about others

    @property
    def counts(self) -> dict[str, int]:
        names = dict.fromkeys(name for held in self.held for name in held.counts)
        return {name: sum(held.counts.get(name, 0) for held in self.held) for name in names}


def plan_erasure(service: Service, ids: Sequence[str]) -> ErasurePlan:
    store = service.store
    applications = store.applications.get_many(ids)
    related: dict[str, RelatedApplication] = {}
    for alerts in store.duplicates.alerts(ids).values():
        for alert in alerts:
            related |= {other.application: other for other in alert.related if other.application not in ids}
    mentions = tuple(dict.fromkeys(store.erasures.mentions(ids)))
    held = tuple(store.erasures.scope(ids))
    return ErasurePlan(held, _backups(service, applications), tuple(related.values()), mentions)


def whole_person(service: Service, application: Application) -> list[str]:
    """This application and all others of the same candidate."""
    alerts = service.store.duplicates.alerts([application.id])[application.id]
    others = [other.application for alert in alerts for other in alert.related if other.link == "same_candidate"]
    return list(dict.fromkeys([application.id, *others]))


def erase(service: Service, ids: Sequence[str], *, actor: str, reason: str, ground: str = "request") -> StoredErasure:
    """When this returns nothing of them is left here. Raises UsageError, with nothing done, where one is on hold."""
    reason = " ".join(reason.split())
    if not reason or len(reason) > REASON_LENGTH:
        raise UsageError(f"An erasure needs a reason of at most {REASON_LENGTH} characters.")
    if ground not in GROUNDS:
        raise UsageError(f"There is no ground {ground!r}; there are {', '.join(GROUNDS)}.")
    path = service.settings.erasure_path
    check_writable(path)
    with erasing(path) as is_ours:
        if not is_ours:
            raise UsageError(BUSY)
        applications = service.store.applications.get_many(list(dict.fromkeys(ids)))
        # The reason stays, in the certificate and in a file beside the database: nobody is to be found again by it.
        for application in applications:
            seen = redact_application(service, application, NAMELESS)
            if (seen.clean if seen else NAMELESS.clean)(reason) != reason:
                raise UsageError(
                    "The reason stays when the person is gone: leave out the name, addresses and telephone numbers."
                )
        made = {
            "ground": ground,
            "reason": reason,
            "applications": len(applications),
            "jobs": sorted({application.job for application in applications}),
            "backups": [
                {
                    "place": backup.place,
                    "made": _stamp(backup.made),
                    "expires": _stamp(backup.expires) if backup.expires else None,
                }
                for backup in _backups(service, applications)
            ],
        }
        begun = service.store.erasures.begin(
            [application.id for application in applications], actor=actor, certificate=made
        )
        return _finish(service, begun)


def resume_erasures(service: Service) -> None:
    """At the start of a service: what was cut off is finished, what came back with a backup goes again."""
    path = service.settings.erasure_path
    known = read_erasures(path)
    unfinished = service.store.erasures.all(unfinished=True)
    again = service.store.erasures.present([id for past in known.values() for id in past.applications])
    if not unfinished and not again and known.keys() <= service.store.erasures.ids():
        return
    with erasing(path) as is_ours:
        if not is_ours:  # another process is about to do the same
            return
        try:
            for erasure in known.values():
                _reapply(service, erasure)
            for erasure in service.store.erasures.all(unfinished=True):
                log.warning("The erasure %s was cut off; it is finished now.", erasure.id)
                _finish(service, erasure)
        except EvenhandError as error:
            log.error("An erasure could not be finished: %s", error)


def certificate_of(erasure: StoredErasure) -> dict[str, Any]:
    """As it is handed out: without who did it."""
    times = {"begun": _stamp(erasure.begun), "finished": _stamp(erasure.finished) if erasure.finished else None}
    return {"id": erasure.id, **times, **erasure.certificate}


def is_genuine(certificate: Mapping[str, Any], *, key: str | None = None) -> bool:
    """Whether it was signed with this key, or with the one it names itself."""
    rest = {name: value for name, value in certificate.items() if name != "signature"}
    trusted = key or str(rest.get("key"))
    statement = canonical_json(rest).encode()
    return rest.get("key") == trusted and is_signed(statement, str(certificate.get("signature")), trusted)


def _reapply(service: Service, erasure: StoredErasure) -> None:
    store = service.store
    there = sorted(store.erasures.present(erasure.applications))
    if there:
        log.warning(
            "The database holds again what was erased on %s: the erasure %s is applied again to %d of %d.",
            f"{erasure.begun:%Y-%m-%d}",
            erasure.id,
            len(there),
            len(erasure.applications),
        )
        certificate = {name: erasure.certificate[name] for name in KEPT if name in erasure.certificate}
        begun = store.erasures.begin(there, actor=SYSTEM, certificate=certificate, id=erasure.id)
        _finish(service, begun)
    else:
        store.erasures.restore(erasure)


KEPT = ("ground", "reason", "applications", "jobs", "backups")
"""What of a certificate is still true when the same people are erased again."""


def _finish(service: Service, erasure: StoredErasure) -> StoredErasure:
    store, settings = service.store, service.settings
    append_erasure(settings.erasure_path, erasure)
    store.erasures.erase_files()
    rewritten = _clear_index(service, erasure.applications)
    how = store.erasures.scrub()
    finished = datetime.now(UTC)
    key = SigningKey.load_or_make(settings.signing_key_path)
    statement = {
        **erasure.certificate,
        "id": erasure.id,
        "begun": _stamp(erasure.begun),
        "finished": _stamp(finished),
        "evenhand": __version__,
        "index": {"entries_written_anew": rewritten},
        "database": how,
        "key": key.public,
    }
    signed = {**statement, "signature": key.sign(canonical_json(statement).encode())}
    done = store.erasures.finish(erasure.id, signed, hash=content_hash(signed), finished=finished)
    append_erasure(settings.erasure_path, done)
    try:
        make_checkpoint(store, settings)
    except StoreError as error:  # the erasure is done; the next checkpoint vouches for it as well
        log.warning("%s", error)
    return done


def _clear_index(service: Service, ids: Sequence[str]) -> int:
    """Others may be writing the index for a moment."""
    service.opened.forget()
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            return forget(service.store, service.index, set(ids))
        except IndexBusy:
            if time.monotonic() > deadline:
                raise
            time.sleep(RETRY_SECONDS)


def _backups(service: Service, applications: Sequence[Application]) -> tuple[Backup, ...]:
    since = min(application.received for application in applications)
    now = datetime.now(UTC)
    return tuple(backup for backup in service.store.backups.all() if backup.holds(since, now=now))


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")
