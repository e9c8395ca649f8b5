"""Decisions on applications: made one by one or in bulk, always on record, undone but never deleted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, distinct, func, insert, select, update

from evenhand.errors import NotFound, UsageError
from evenhand.store.appending import append
from evenhand.store.applications import no_such_application, select_applications
from evenhand.store.columns import clean
from evenhand.store.database import take_revisions
from evenhand.store.decision_events import Made, Moves, decision_drafts, moved_by
from evenhand.store.jobs import no_such_job
from evenhand.store.keeper import Keeper, new_id, slices
from evenhand.store.rows import Decision, Outcome, Preview, Skipped
from evenhand.store.statuses import ACTIONS, STATUS_NAMES, UNDO, steps
from evenhand.store.tables import applications, decisions, jobs


class Decisions(Keeper):
    def decide(
        self,
        ids: Sequence[str],
        action: str,
        *,
        actor: str,
        reason: str = "",
        seen: int | None = None,
        bulk: bool = False,
    ) -> Outcome:
        """All of them, or none if one cannot be; those who are there already are skipped.

        `seen` is the event of the ranking that the person looked at; `bulk` says that nobody chose them one by one.
        """
        with self._database.writing() as connection:
            statuses = _statuses(connection, ids)
            moves = {id: steps(status, action) for id, status in statuses.items()}
            skipped = tuple(Skipped(id, _already(action)) for id, taken in moves.items() if not taken)
            made = Made(action, actor, reason, seen, bulk=bulk)
            return self._record(connection, moves, skipped, made)

    def preview_reject_rest(self, job: str, listed: Sequence[str], shortlist: Sequence[str]) -> Preview:
        """What `reject_rest` would do now."""
        with self._database.reading() as connection:
            moves, skipped = _rest(connection, job, listed, shortlist)
        return Preview(len(moves), skipped)

    def reject_rest(
        self,
        job: str,
        listed: Sequence[str],
        shortlist: Sequence[str],
        *,
        actor: str,
        reason: str,
        seen: int | None = None,
    ) -> Outcome:
        """Rejects exactly those of the list who are not on the shortlist."""
        if not reason.strip():
            raise UsageError("Rejecting many applications at once needs a reason.")
        with self._database.writing() as connection:
            moves, skipped = _rest(connection, job, listed, shortlist)
            return self._record(connection, moves, skipped, Made("reject", actor, reason, seen, bulk=True))

    def undo(self, batch: str, *, actor: str, reason: str = "", seen: int | None = None) -> Outcome:
        """Gives each application of the batch its status from before; those that changed since are skipped."""
        with self._database.writing() as connection:
            made = _batch(connection, batch)
            if made[0].action == UNDO:
                raise UsageError(f"The batch {batch} undid another one; to go back again, decide again.")
            moves, skipped = _way_back(connection, made)
            outcome = self._record(connection, moves, skipped, Made(UNDO, actor, reason, seen, undoes=batch))
            _mark_undone(connection, batch, outcome.batch)
            return outcome

    def decisions_on(self, application: str) -> list[Decision]:
        """Its history, the oldest first."""
        query = select(decisions).where(decisions.c.application == application).order_by(decisions.c.id)
        with self._database.reading() as connection:
            return [_decision(row) for row in connection.execute(query)]

    def histories(self, applications: Sequence[str]) -> dict[str, list[Decision]]:
        """As `decisions_on`, for many; those on whom nothing was decided are left out."""
        found: dict[str, list[Decision]] = defaultdict(list)
        with self._database.reading() as connection:
            for some in slices(applications):
                query = select(decisions).where(decisions.c.application.in_(some)).order_by(decisions.c.id)
                for row in connection.execute(query):
                    found[row.application].append(_decision(row))
        return dict(found)

    def batch(self, batch: str) -> list[Decision]:
        with self._database.reading() as connection:
            return _batch(connection, batch)

    def standing_decisions(self, job: str) -> list[Decision]:
        """Those on a job's applications that have not been undone, the oldest first; bulk ones left out."""
        query = _of_job(select(decisions), job, bulk=False).order_by(decisions.c.id)
        with self._database.reading() as connection:
            return [_decision(row) for row in connection.execute(query)]

    def count_bulk_decisions(self, job: str) -> int:
        """On how many of a job's applications a bulk rejection stands."""
        query = _of_job(select(func.count(distinct(decisions.c.application))), job, bulk=True)
        with self._database.reading() as connection:
            return int(connection.execute(query).scalar_one())

    def _record(
        self, connection: Connection, moves: Moves, skipped: tuple[Skipped, ...], made: Made
    ) -> Outcome:
        if not made.actor.strip():
            raise UsageError("A decision needs someone who makes it.")
        made = replace(made, reason=clean(made.reason))  # as the table keeps it, so that both can be compared
        batch, now = new_id(), self._now()
        changed = tuple(id for id, taken in moves.items() if taken)
        if changed:
            by_job = _by_job(connection, changed)
            order = [id for ids in by_job.values() for id in ids]
            first = _set_statuses(connection, {id: moves[id][-1][2] for id in order})
            drafts = decision_drafts(by_job, moves, made, batch=batch, first_revision=first)
            events = append(connection, drafts, now)
            sequences = {
                id: event.sequence
                for event, draft in zip(events, drafts, strict=True)
                for id in moved_by(draft)
            }
            connection.execute(insert(decisions), list(_rows(moves, changed, made, batch, now, sequences)))
        return Outcome(batch, changed, skipped)


def _rows(
    moves: Moves, changed: Sequence[str], made: Made, batch: str, now: datetime, sequences: Mapping[str, int]
) -> Iterator[dict[str, Any]]:
    for id in changed:
        for action, before, after in moves[id]:
            yield {
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


def _by_job(connection: Connection, ids: Sequence[str]) -> dict[str, list[str]]:
    """A decision may be about applications for several jobs; the ledger has an event for each."""
    jobs_of: dict[str, str] = {}
    for some in slices(ids):
        query = select(applications.c.id, applications.c.job).where(applications.c.id.in_(some))
        jobs_of |= {row.id: row.job for row in connection.execute(query)}
    found: dict[str, list[str]] = defaultdict(list)
    for id in ids:
        found[jobs_of[id]].append(id)
    return found


def _of_job(query: Select[Any], job: str, *, bulk: bool) -> Select[Any]:
    return query.join(applications, applications.c.id == decisions.c.application).where(
        applications.c.job == job,
        decisions.c.action != UNDO,
        decisions.c.undone_by.is_(None),
        decisions.c.bulk.is_(bulk),
    )


def _statuses(connection: Connection, ids: Sequence[str], *, job: str | None = None) -> dict[str, str]:
    """In the order asked for."""
    found = {row.id: row for row in select_applications(connection, ids)}
    for id in ids:
        if id not in found:
            raise no_such_application(id)
        if job is not None and found[id].job != job:
            raise UsageError(f"The application {id} is not for the job {job}.")
    return {id: found[id].status for id in ids}


def _rest(
    connection: Connection, job: str, listed: Sequence[str], shortlist: Sequence[str]
) -> tuple[Moves, tuple[Skipped, ...]]:
    if connection.execute(select(jobs.c.id).where(jobs.c.id == job)).first() is None:
        raise no_such_job(job)
    spared = set(_statuses(connection, shortlist, job=job))
    rest = [id for id in listed if id not in spared]
    moves: Moves = {}
    skipped = []
    for id, status in _statuses(connection, rest, job=job).items():
        try:
            taken = steps(status, "reject")
        except UsageError as error:
            skipped.append(Skipped(id, str(error)))
            continue
        if taken:
            moves[id] = taken
        else:
            skipped.append(Skipped(id, _already("reject")))
    return moves, tuple(skipped)


def _already(action: str) -> str:
    return f"The application is {STATUS_NAMES[ACTIONS[action]]} already."


def _way_back(connection: Connection, made: Sequence[Decision]) -> tuple[Moves, tuple[Skipped, ...]]:
    first = {decision.application: decision for decision in reversed(made)}
    last = {decision.application: decision for decision in made}
    ids = list(first)
    statuses = {row.id: row.status for row in select_applications(connection, ids)}
    standing = _standing(connection, ids)
    moves: Moves = {}
    skipped = []
    for id, decision in last.items():
        if id not in statuses:
            skipped.append(Skipped(id, "The application has been removed."))
        elif decision.undone_by is not None:
            skipped.append(Skipped(id, "This decision has been undone already."))
        elif standing[id] != decision.id or statuses[id] != decision.to_status:
            skipped.append(
                Skipped(id, f"The application has changed since: it is {STATUS_NAMES[statuses[id]]}.")
            )
        else:
            moves[id] = ((UNDO, statuses[id], first[id].from_status),)
    return moves, tuple(skipped)


def _standing(connection: Connection, ids: Sequence[str]) -> dict[str, int]:
    """By application, the newest decision that has not been undone."""
    found: dict[str, int] = {}
    for some in slices(ids):
        query = (
            select(decisions.c.application, func.max(decisions.c.id).label("newest"))
            .where(
                decisions.c.application.in_(some),
                decisions.c.action != UNDO,
                decisions.c.undone_by.is_(None),
            )
            .group_by(decisions.c.application)
        )
        found |= {row.application: row.newest for row in connection.execute(query)}
    return found


def _batch(connection: Connection, batch: str) -> list[Decision]:
    query = select(decisions).where(decisions.c.batch == batch).order_by(decisions.c.id)
    found = [_decision(row) for row in connection.execute(query)]
    if not found:
        raise NotFound(f"There is no batch of decisions {batch!r}.")
    return found


def _mark_undone(connection: Connection, batch: str, undoing: str) -> None:
    query = select(decisions.c.id, decisions.c.application).where(decisions.c.batch == undoing)
    rows = [{"undo": row.id, "who": row.application} for row in connection.execute(query)]
    if rows:
        connection.execute(
            update(decisions)
            .where(decisions.c.batch == batch, decisions.c.application == bindparam("who"))
            .values(undone_by=bindparam("undo")),
            rows,
        )


def _set_statuses(connection: Connection, statuses: dict[str, str]) -> int:
    """The revision of the first; the others follow in their order."""
    first = take_revisions(connection, len(statuses))
    connection.execute(
        update(applications)
        .where(applications.c.id == bindparam("who"))
        .values(status=bindparam("to"), revision=bindparam("number")),
        [{"who": id, "to": to, "number": number} for number, (id, to) in enumerate(statuses.items(), first)],
    )
    return first


def _decision(row: Row[Any]) -> Decision:
    return Decision(
        id=row.id,
        application=row.application,
        action=row.action,
        from_status=row.from_status,
        to_status=row.to_status,
        actor=row.actor,
        reason=row.reason,
        batch=row.batch,
        time=row.time,
        undone_by=row.undone_by,
        bulk=row.bulk,
        sequence=row.sequence,
    )
