"""Decisions on applications: made one by one or in bulk, always on record, undone but never deleted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Index,
    Select,
    String,
    Table,
    bindparam,
    case,
    distinct,
    false,
    func,
    insert,
    select,
    update,
)

from evenhand.errors import NotFound, UsageError
from evenhand.records.event import ApplicationRef, EventDraft, OwnedValue
from evenhand.store.applications import ACTIONS, STATUS_NAMES, UNDO, no_such_application, select_applications, steps
from evenhand.store.base import StoreBase, from_row, new_id, select_in, slices
from evenhand.store.database import take_revisions
from evenhand.store.jobs import check_job
from evenhand.store.ledger_append import SUBJECTS, append, ledger, mentions, opened_resumes
from evenhand.store.tables import MASTER, BigId, CleanText, UtcTime, applications, clean


@dataclass(frozen=True, slots=True)
class Decision:
    id: int
    application: str
    action: str
    from_status: str
    to_status: str
    actor: str
    reason: str
    batch: str
    time: datetime
    undone_by: int | None
    bulk: bool = False  # one of the rest of a list
    sequence: int | None = field(default=None, compare=False)  # of its event in the ledger


@dataclass(frozen=True, slots=True)
class SkippedApplication:
    application: str
    reason: str  # a sentence


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """A batch of decisions; `changed` in the order asked for."""

    batch: str
    changed: tuple[str, ...]
    skipped: tuple[SkippedApplication, ...] = ()
    action: str = ""  # that was decided, undone or redone


@dataclass(frozen=True, slots=True)
class DecisionBatch:
    """One decision, on one application or on many. `standing` of them have not been undone; of an undo, those on whom
    nothing was decided since."""

    id: str
    action: str  # the last step: reject, not screen
    actor: str
    reason: str
    time: datetime
    bulk: bool
    standing: int


decisions = Table(
    "decisions",
    MASTER,
    Column("id", BigId, primary_key=True),
    # No foreign key: the record of a decision outlives an application that is removed.
    Column("application", String(32), nullable=False, index=True),
    Column("action", String(16), nullable=False),
    Column("from_status", String(16), nullable=False),
    Column("to_status", String(16), nullable=False),
    Column("actor", CleanText, nullable=False),
    Column("reason", CleanText, nullable=False),
    Column("batch", String(32), nullable=False),
    Column("time", UtcTime, nullable=False),
    Column("undone_by", ForeignKey("decisions.id")),
    # The rest of a list was rejected: nobody looked at this application alone, so it says nothing of its own.
    Column("bulk", Boolean, nullable=False, server_default=false()),
    Column("sequence", BigInteger, index=True),  # of its event in the ledger; None: older than the ledger
    Index("ix_decisions_batch_application", "batch", "application"),
)

# What the ledger says of decisions: who was moved from which status to which, in events of bearable size.
Step = tuple[str, str, str]
"""Action, status before, status after."""

Moves = dict[str, tuple[Step, ...]]
"""By application, what happens to it, in order."""


@dataclass(frozen=True, slots=True)
class DecisionDetails:
    """A decision, whoever it is about."""

    action: str
    actor: str
    reason: str
    seen: int | None  # event of the ranking that was looked at
    bulk: bool = False
    undoes: str | None = None  # batch
    redoes: str | None = None  # batch of the decision that was undone and is made again


def decision_drafts(
    by_job: Mapping[str, Sequence[str]],
    moves: Moves,
    made: DecisionDetails,
    *,
    batch: str,
    first_revision: int,
    unopened: Collection[str] = (),
) -> list[EventDraft]:
    """`first_revision` is that of the first application; the others have the next ones, in the order given. Of a
    rejection the event says how many of them are `unopened`."""
    drafts = []
    reached = first_revision - 1
    kind = UNDO if made.action == UNDO else "decision"
    for job, some in ((job, some) for job, ids in by_job.items() for some in slices(ids, SUBJECTS)):
        reached += len(some)
        body = {
            "batch": batch,
            "revision": reached,
            **({"undoes": made.undoes} if made.undoes else {}),
            **({"redoes": made.redoes} if made.redoes else {}),
            **({"unopened": sum(id in unopened for id in some)} if made.action == REJECT else {}),
            "action": made.action,
            "bulk": made.bulk,
            "seen": made.seen,
            "moves": [(ApplicationRef(id), moves[id][0][1], moves[id][-1][2]) for id in some],
        }
        # What was said of one person goes with that person; what was said of many is about nobody in particular.
        reason = OwnedValue(some[0], made.reason) if len(some) == 1 else made.reason
        drafts.append(EventDraft(kind, made.actor, job, body=body, sealed={"reason": reason} if made.reason else {}))
    return drafts


REJECT = "reject"
RECENT = 60  # events of a job that are looked through


class DecisionStore(StoreBase):
    def decide(
        self,
        ids: Sequence[str],
        action: str,
        *,
        actor: str,
        reason: str = "",
        seen: int | None = None,
        bulk: bool = False,
    ) -> BatchOutcome:
        """All of them, or none if one cannot be; those who are there already are skipped.

        `seen` is the event of the ranking that the person looked at; `bulk` says that nobody chose them one by one.
        """
        with self._database.writing() as connection:
            statuses = _statuses(connection, ids)
            moves = {id: steps(status, action) for id, status in statuses.items()}
            skipped = tuple(SkippedApplication(id, _already(action)) for id, taken in moves.items() if not taken)
            made = DecisionDetails(action, actor, reason, seen, bulk=bulk)
            return self._record(connection, moves, skipped, made)

    def reject_rest(
        self,
        job: str,
        listed: Sequence[str],
        shortlist: Sequence[str],
        *,
        actor: str,
        reason: str,
        seen: int | None = None,
    ) -> BatchOutcome:
        """Rejects exactly those of the list who are not on the shortlist."""
        if not reason.strip():
            raise UsageError("Rejecting many applications at once needs a reason.")
        with self._database.writing() as connection:
            moves, skipped = _rest(connection, job, listed, shortlist)
            return self._record(connection, moves, skipped, DecisionDetails(REJECT, actor, reason, seen, bulk=True))

    def undo(self, batch: str, *, actor: str, reason: str = "", seen: int | None = None) -> BatchOutcome:
        """Gives each application of the batch its status from before; those that changed since are skipped."""
        with self._database.writing() as connection:
            made = _batch(connection, batch)
            if made[0].action == UNDO:
                raise UsageError(f"The batch {batch} undid another one; it can be redone.")
            moves, skipped = _way_back(connection, made)
            outcome = self._record(connection, moves, skipped, DecisionDetails(UNDO, actor, reason, seen, undoes=batch))
            query = select(decisions.c.id, decisions.c.application).where(decisions.c.batch == outcome.batch)
            rows = [{"undo": row.id, "who": row.application} for row in connection.execute(query)]
            if rows:
                same = (decisions.c.batch == batch) & (decisions.c.application == bindparam("who"))
                connection.execute(update(decisions).where(same).values(undone_by=bindparam("undo")), rows)
            return replace(outcome, action=made[-1].action)

    def redo(self, batch: str, *, actor: str, seen: int | None = None) -> BatchOutcome:
        """What this batch undid is decided again, for the same reason; those on whom somebody decided since are
        skipped."""
        with self._database.writing() as connection:
            undone = self._undone(connection, batch)
            moves, skipped = _way_forward(connection, _batch(connection, batch), undone.action)
            made = DecisionDetails(undone.action, actor, undone.reason, seen, bulk=undone.bulk, redoes=undone.batch)
            return self._record(connection, moves, skipped, made)

    def undone(self, batch: str) -> Decision:
        """The last step of the decision that this batch undid, on any of its applications."""
        with self._database.reading() as connection:
            return self._undone(connection, batch)

    def _undone(self, connection: Connection, batch: str) -> Decision:
        undo = _batch(connection, batch)[0]
        same = (decisions.c.application == undo.application) & (decisions.c.undone_by == undo.id)
        row = connection.execute(select(decisions).where(same).order_by(decisions.c.id.desc()).limit(1)).first()
        if row is None:
            raise UsageError(f"The batch {batch} undid nothing, so there is nothing to redo.")
        return from_row(Decision, row)

    def unopened(self, applications: Sequence[str]) -> set[str]:
        """Those of them whose resume nobody has opened."""
        with self._database.reading() as connection:
            return _unopened(connection, applications)

    def rejected_unopened(self) -> dict[str, tuple[int, int]]:
        """By job, how many are rejected, and how many of them when nobody had opened their resume yet."""
        before = opened_resumes().where(
            mentions.c.application == decisions.c.application, mentions.c.sequence < decisions.c.sequence
        )
        query = (
            select(
                applications.c.job,
                func.count().label("rejected"),
                func.count(case((~before.correlate(decisions).exists(), 1))).label("unopened"),
            )
            .select_from(decisions)
            .join(applications, applications.c.id == decisions.c.application)
            .where(
                decisions.c.action == REJECT,
                decisions.c.undone_by.is_(None),
                decisions.c.sequence.is_not(None),  # before the ledger nobody put on record who opened what
            )
            .group_by(applications.c.job)
        )
        return {row.job: (row.rejected, row.unopened) for row in self._rows(query)}

    def of_application(self, application: str) -> list[Decision]:
        """Its history, the oldest first."""
        query = select(decisions).where(decisions.c.application == application).order_by(decisions.c.id)
        return self._records(Decision, query)

    def histories(self, applications: Sequence[str]) -> dict[str, list[Decision]]:
        """As `of_application`, for many; those on whom nothing was decided are left out."""
        histories: dict[str, list[Decision]] = defaultdict(list)
        with self._database.reading() as connection:
            query = select(decisions).order_by(decisions.c.id)
            for row in select_in(connection, query, decisions.c.application, applications):
                histories[row.application].append(from_row(Decision, row))
        return dict(histories)

    def batch(self, batch: str) -> list[Decision]:
        with self._database.reading() as connection:
            return _batch(connection, batch)

    def current(self, job: str) -> list[Decision]:
        """Those on a job's applications that have not been undone, the oldest first; bulk ones left out."""
        query = _of_job(select(decisions), job, bulk=False).order_by(decisions.c.id)
        return self._records(Decision, query)

    def count_bulk(self, job: str) -> int:
        """On how many of a job's applications a bulk rejection stands."""
        query = _of_job(select(func.count(distinct(decisions.c.application))), job, bulk=True)
        return int(self._scalar(query))

    def _record(
        self, connection: Connection, moves: Moves, skipped: tuple[SkippedApplication, ...], made: DecisionDetails
    ) -> BatchOutcome:
        if not made.actor.strip():
            raise UsageError("A decision needs someone who makes it.")
        made = replace(made, reason=clean(made.reason))  # as the table keeps it, so that both can be compared
        batch, now = new_id(), self._now()
        changed = tuple(id for id, taken in moves.items() if taken)
        if changed:
            by_job = _by_job(connection, changed)
            order = [id for ids in by_job.values() for id in ids]
            first = take_revisions(connection, len(order))
            connection.execute(
                update(applications)
                .where(applications.c.id == bindparam("who"))
                .values(status=bindparam("to"), revision=bindparam("number")),
                [{"who": id, "to": moves[id][-1][2], "number": number} for number, id in enumerate(order, first)],
            )
            unopened = _unopened(connection, changed) if made.action == REJECT else ()
            drafts = decision_drafts(by_job, moves, made, batch=batch, first_revision=first, unopened=unopened)
            events = append(connection, drafts, now)
            sequences = {
                move[0].application: event.sequence
                for event, draft in zip(events, drafts, strict=True)
                for move in draft.body["moves"]
            }
            rows = [
                {
                    "application": id,
                    "action": action,
                    "from_status": before,
                    "to_status": after,
                    "actor": made.actor,
                    "reason": made.reason,
                    "batch": batch,
                    "time": now,
                    "bulk": made.bulk,
                    "sequence": sequences[id],
                }
                for id in changed
                for action, before, after in moves[id]
            ]
            connection.execute(insert(decisions), rows)
        return BatchOutcome(batch, changed, skipped, made.action)

    def recent_batches(self, job: str, *, limit: int = RECENT, undos: bool = False) -> list[DecisionBatch]:
        """Decisions, or what undid some, the newest first; those of which nothing stands are among them."""
        later = decisions.alias()
        is_last = ~(
            select(later.c.id)
            .where(later.c.application == decisions.c.application, later.c.id > decisions.c.id)
            .correlate(decisions)
            .exists()
        )
        stands = is_last if undos else decisions.c.undone_by.is_(None)
        is_chosen = decisions.c.action == UNDO if undos else decisions.c.action != UNDO
        events = (
            select(ledger.c.sequence)
            .where(ledger.c.job == job, ledger.c.kind == (UNDO if undos else "decision"))
            .order_by(ledger.c.sequence.desc())
            .limit(limit)
        )
        with self._database.reading() as connection:
            # A decision on very many is several events: their rows together.
            sequences = list(connection.scalars(events))
            standing = case((stands, decisions.c.application))
            query = (
                select(
                    decisions.c.batch,
                    func.max(decisions.c.id).label("newest"),
                    func.count(distinct(standing)).label("standing"),
                )
                .where(decisions.c.sequence.in_(sequences), is_chosen)
                .group_by(decisions.c.batch)
            )
            counts = {row.newest: row.standing for row in connection.execute(query)} if sequences else {}
            last = select(decisions).where(decisions.c.id.in_(list(counts))).order_by(decisions.c.id.desc())
            return [
                DecisionBatch(row.batch, row.action, row.actor, row.reason, row.time, row.bulk, counts[row.id])
                for row in (connection.execute(last) if counts else ())
            ]

    def batch_is_of_job(self, batch: str, job: str) -> bool:
        """Whether a decision was about this job's applications and no others; an id alone opens nothing."""
        query = (
            select(applications.c.job)
            .distinct()
            .select_from(decisions)
            .join(applications, applications.c.id == decisions.c.application)
            .where(decisions.c.batch == batch)
        )
        return set(self._scalars(query)) == {job}


def _by_job(connection: Connection, ids: Sequence[str]) -> dict[str, list[str]]:
    """A decision may be about applications for several jobs; the ledger has an event for each."""
    jobs_of = {row.id: row.job for row in select_applications(connection, ids)}
    by_job: dict[str, list[str]] = defaultdict(list)
    for id in ids:
        by_job[jobs_of[id]].append(id)
    return by_job


def _of_job(query: Select[Any], job: str, *, bulk: bool) -> Select[Any]:
    return query.join(applications, applications.c.id == decisions.c.application).where(
        applications.c.job == job,
        decisions.c.action != UNDO,
        decisions.c.undone_by.is_(None),
        decisions.c.bulk.is_(bulk),
    )


def _statuses(connection: Connection, ids: Sequence[str], *, job: str | None = None) -> dict[str, str]:
    """In the order asked for."""
    rows = {row.id: row for row in select_applications(connection, ids)}
    for id in ids:
        if id not in rows:
            raise no_such_application(id)
        if job is not None and rows[id].job != job:
            raise UsageError(f"The application {id} is not for the job {job}.")
    return {id: rows[id].status for id in ids}


def _rest(
    connection: Connection, job: str, listed: Sequence[str], shortlist: Sequence[str]
) -> tuple[Moves, tuple[SkippedApplication, ...]]:
    check_job(connection, job)
    spared = set(_statuses(connection, shortlist, job=job))
    rest = [id for id in listed if id not in spared]
    moves: Moves = {}
    skipped = []
    for id, status in _statuses(connection, rest, job=job).items():
        try:
            taken = steps(status, "reject")
        except UsageError as error:
            skipped.append(SkippedApplication(id, str(error)))
            continue
        if taken:
            moves[id] = taken
        else:
            skipped.append(SkippedApplication(id, _already("reject")))
    return moves, tuple(skipped)


def _already(action: str) -> str:
    return f"The application is {STATUS_NAMES[ACTIONS[action]]} already."


def _way_back(connection: Connection, made: Sequence[Decision]) -> tuple[Moves, tuple[SkippedApplication, ...]]:
    first = {decision.application: decision for decision in reversed(made)}
    last = {decision.application: decision for decision in made}
    ids = list(first)
    statuses = {row.id: row.status for row in select_applications(connection, ids)}
    newest = _newest(connection, ids, decisions.c.action != UNDO, decisions.c.undone_by.is_(None))
    moves: Moves = {}
    skipped = []
    for id, decision in last.items():
        if id not in statuses:
            skipped.append(SkippedApplication(id, "The application has been removed."))
        elif decision.undone_by is not None:
            skipped.append(SkippedApplication(id, "This decision has been undone already."))
        elif newest[id] != decision.id or statuses[id] != decision.to_status:
            skipped.append(
                SkippedApplication(id, f"The application has changed since: it is {STATUS_NAMES[statuses[id]]}.")
            )
        else:
            moves[id] = ((UNDO, statuses[id], first[id].from_status),)
    return moves, tuple(skipped)


def _way_forward(
    connection: Connection, undo: Sequence[Decision], action: str
) -> tuple[Moves, tuple[SkippedApplication, ...]]:
    """From where an undo led back to, again to what had been decided."""
    ids = [decision.application for decision in undo]
    statuses = {row.id: row.status for row in select_applications(connection, ids)}
    newest = _newest(connection, ids)
    moves: Moves = {}
    skipped = []
    for decision in undo:
        id = decision.application
        if id not in statuses:
            skipped.append(SkippedApplication(id, "The application has been removed."))
        elif newest[id] != decision.id:
            skipped.append(
                SkippedApplication(id, f"The application has changed since: it is {STATUS_NAMES[statuses[id]]}.")
            )
        else:
            moves[id] = steps(statuses[id], action)
    return moves, tuple(skipped)


def _newest(connection: Connection, ids: Sequence[str], *conditions: ColumnElement[bool]) -> dict[str, int]:
    """By application, the newest decision on it for which the conditions hold."""
    query = select(decisions.c.application, func.max(decisions.c.id).label("newest"))
    query = query.where(*conditions).group_by(decisions.c.application)
    return {row.application: row.newest for row in select_in(connection, query, decisions.c.application, ids)}


def _unopened(connection: Connection, ids: Sequence[str]) -> set[str]:
    """Those of them whose resume nobody has opened."""
    opened = {row.application for row in select_in(connection, opened_resumes(), mentions.c.application, ids)}
    return set(ids) - opened


def _batch(connection: Connection, batch: str) -> list[Decision]:
    query = select(decisions).where(decisions.c.batch == batch).order_by(decisions.c.id)
    made = [from_row(Decision, row) for row in connection.execute(query)]
    if not made:
        raise NotFound(f"There is no batch of decisions {batch!r}.")
    return made
