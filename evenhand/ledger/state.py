"""What the tables have to hold now: the events told one after the other, and compared with what is there."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from evenhand.records import content_hash
from evenhand.records.event import SYSTEM, Link
from evenhand.store.ledger import LedgerStore
from evenhand.store.ledger_append import ACTOR, APPLICATION
from evenhand.store.tables import clean, unpack

Body = Mapping[str, Any]
Key = tuple[Any, ...]


class _Unknown:
    """Equal to everything: what older events do not tell is not held against a row."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = object.__hash__


UNKNOWN = _Unknown()


class RecordedState:
    """`tables` has, by name and key, the columns that events tell of; people stand there by their seals."""

    def __init__(self) -> None:
        self.erased: set[str] = set()
        self.certified: set[str] = set()  # of those, whose reasons of decisions were emptied as well
        self.forgotten: set[tuple[int, str]] = set()  # sealed values that an erasure took with it, as it says
        self.untold: list[tuple[int, int]] = []  # erasures of version 0.1.0: event, and how many searches it forgot
        self.tables: dict[str, dict[Key, Any]] = defaultdict(dict)
        self.refused: dict[tuple[str | None, str], Counter[str]] = {}  # by job and time, how many of each code
        self.answers: Counter[str] = Counter()  # of groups, by the time at which they came: at most so many
        self.answered: int | None = 0  # of groups, how many in all; None: not told
        self.undone: dict[str, str] = {}  # by the batch that undid it
        self._shared: dict[str, dict[str, Any]] = {}  # corrections that were made for everyone with the file, by id
        self._handlers: dict[str, Callable[[Link, Body, Body], None]] = {
            "genesis": self._genesis,
            "job": self._job,
            "account": self._account,
            "note": self._note,
            "override": self._override,
            "retention": self._retention,
            "watch": self._watch,
            "correction": self._correction,
            "audit": self._audit,
            "erasure": self._erasure,
            "refusal": self._refusal,
            "import": self._import,
            "groups": self._groups,
            "undo": self._undo,
        }

    def take(self, link: Link, body: Body, opened: Body) -> None:
        """`opened` are the event's sealed values that are there."""
        handler = self._handlers.get(link.kind)
        if handler is not None:
            # An event that was altered need not make sense: its hash says so.
            with suppress(KeyError, TypeError, ValueError, AttributeError, IndexError):
                handler(link, body, opened)

    def _genesis(self, link: Link, body: Body, opened: Body) -> None:
        if "requirements" in body:
            self.tables["jobs"][link.job,] = (body["requirements"], UNKNOWN, None if body["open"] else UNKNOWN, None)
        elif body.get("counts", {}).get("watch_entries"):
            self.tables["watch_entries"][()] = UNKNOWN  # entries from before the ledger

    def _job(self, link: Link, body: Body, opened: Body) -> None:
        jobs, key = self.tables["jobs"], (link.job,)
        action = body.get("action")
        if body.get("what") == "shown":
            self.tables["job_settings"][key] = (body["blind"], body["hide_schools"])
        elif action == "add":
            jobs[key] = (body["requirements"], link.time, None, body.get("external_id"))
        elif action == "change":
            old, *others = jobs[key]
            if old != body["requirements"]:
                self.tables["job_versions"][link.job, link.sequence] = (old,)
            jobs[key] = (body["requirements"], *others)
        elif action in ("close", "reopen"):
            requirements, created, _, external_id = jobs[key]
            jobs[key] = (requirements, created, link.time if action == "close" else None, external_id)

    def _account(self, link: Link, body: Body, opened: Body) -> None:
        users, user, change = self.tables["users"], body["user"], body["change"]
        if change == "created":
            values = {"role": body["role"], "created": link.time, "disabled": None}
            users[user,] = {**values, "login": opened.get("login", UNKNOWN), "name": opened.get("name", UNKNOWN)}
        elif change == "renamed":
            users[user,]["name"] = opened.get("name", UNKNOWN)
        elif change == "role":
            users[user,]["role"] = body["role"]
        elif change in ("disabled", "enabled"):
            users[user,]["disabled"] = link.time if change == "disabled" else None
            if change == "disabled":
                self._drop("tokens", lambda key, values: values[0] == user)
        elif change == "job_given":
            self.tables["job_access"][link.job, user] = (link.time,)
        elif change == "job_taken":
            self.tables["job_access"].pop((link.job, user), None)
        elif change == "token_made":
            expires = datetime.fromisoformat(link.time) + timedelta(days=body["days"])
            self.tables["tokens"][body["token"],] = (
                *(user, opened.get("name", UNKNOWN)),
                *(link.time, expires.isoformat()),
            )
        elif change == "token_revoked":
            self.tables["tokens"].pop((body["token"],), None)
        elif change == "connected":
            self.tables["identities"][opened["issuer"], opened["subject"]] = (user, link.time)

    def _note(self, link: Link, body: Body, opened: Body) -> None:
        [seal], text, what = body["subjects"], opened.get("text"), body["what"]
        if text is None:
            return
        if what in ("tagged", "untagged"):
            self._keep("tags", (seal, text), (link.actor, link.time) if what == "tagged" else None)
        elif "note" in body:
            self._keep("notes", (seal, body["note"]), (link.actor, text, link.time) if what == "added" else None)
        elif what == "added":  # version 0.1.0 did not say which note
            self._keep("notes", (seal, link.sequence), (link.actor, text, link.time))
        else:
            same = [key for key, values in self.tables["notes"].items() if key[0] == seal and values[1] == text]
            for key in same:
                self.tables["notes"][key] = (UNKNOWN, text, UNKNOWN)
            self.tables["notes"].pop(same[0])

    def _override(self, link: Link, body: Body, opened: Body) -> None:
        key, flags = (body["subjects"][0], body["flag"], opened.get("flag")), self.tables["flag_overrides"]
        if key[2] is None and key in flags and flags[key] is UNKNOWN:
            return
        if body["what"] == "brought back":
            flags.pop(key, None)
        elif key[2] is None and key in flags:
            flags[key] = UNKNOWN  # two findings of one kind: version 0.1.0 did not say which of them it was
        else:
            flags[key] = (link.actor, opened.get("reason", UNKNOWN), link.time)

    def _retention(self, link: Link, body: Body, opened: Body) -> None:
        action = body["action"]
        if action == "rule":
            days = body["days"]
            value = None if days is None else (days, link.actor, link.time)
            self._keep("retention_rules", (link.job or "", body["status"]), value)
        elif action in ("hold", "lift"):
            value = (link.actor, opened.get("reason", UNKNOWN), link.time) if action == "hold" else None
            self._keep("holds", (body["subjects"][0],), value)

    def _watch(self, link: Link, body: Body, opened: Body) -> None:
        key = (body["list"], clean(opened["name"]).strip())
        self._keep("watch_entries", key, (opened.get("note"), link.time) if body["action"] == "add" else None)

    def _correction(self, link: Link, body: Body, opened: Body) -> None:
        """Each event is of one application; its values may have been erased."""
        id, [seal] = body["correction"], body["subjects"]
        table, is_shared = self.tables["corrections"], "scope" not in body
        if body["action"] == "undo":
            change = {"undone": link.time, "undone_by": link.actor}
            table[seal, id] = {**table.get((seal, id), {}), **change}
            if is_shared:
                self._shared[id] = {**self._shared.get(id, {}), **change}
            return
        told = {name: opened[name] for name in ("old", "new", "change") if name in opened}
        if told:
            told["reason"] = opened.get("reason", "")
        made = {"action": body["action"], "field": body["field"], "actor": link.actor, "time": link.time}
        table[seal, id] = {**made, "undone": None, "undone_by": None, **told}
        if is_shared:
            self._shared[id] = {**self._shared.get(id, {}), **table[seal, id]}

    def _audit(self, link: Link, body: Body, opened: Body) -> None:
        if body["action"] == "made":
            self.tables["audits"][body["audit"],] = (link.job, body["audited"], body["worst"], body["hash"], link.time)
        elif body["action"] == "schedule":
            value = None if body["every"] == "off" else (body["every"], link.actor, link.time)
            self._keep("audit_schedules", (link.job,), value)

    def _erasure(self, link: Link, body: Body, opened: Body) -> None:
        if body.get("action") == "certified":
            known = self.tables["erasures"][body["certificate"],]
            self.tables["erasures"][body["certificate"],] = (*known[:2], body["hash"])
            return
        self.erased.update(body["subjects"])
        rows = body.get("rows")
        if "forgotten" in body:
            self.forgotten.update((sequence, name) for sequence, name in body["forgotten"])
            for audit, hash in body.get("reports", {}).items():
                self._scrub(audit, hash)
        else:
            self.untold.append((link.sequence, (rows or {}).get("searches", 0)))
            for (audit,) in list(self.tables["audits"]):
                self._scrub(audit, UNKNOWN)
        if self.answered is not None:
            self.answered = None if rows is None and self.answered else self.answered - (rows or {}).get("groups", 0)
        if "certificate" in body:
            self.certified.update(body["subjects"])
            self.tables["erasures"][body["certificate"],] = (link.actor, link.time, UNKNOWN)

    def _refusal(self, link: Link, body: Body, opened: Body) -> None:
        self.refused[link.job, link.time] = Counter(body["codes"])
        for file, sha256, code, message in opened.values():
            self.tables["refusals"][link.job, file] = (sha256, code, message, link.time)

    def _import(self, link: Link, body: Body, opened: Body) -> None:
        key = body.get("import", UNKNOWN), link.job, link.time
        self.tables["imports"][key[1:]] = (key[0], link.actor, dict(body["files"]))

    def _groups(self, link: Link, body: Body, opened: Body) -> None:
        if body["action"] == "import":
            self.answers[link.time] += body["new"] + body["changed"]
        if self.answered is not None:
            told = body["new"] if body["action"] == "import" else -body["rows"] if "rows" in body else None
            self.answered = None if told is None else self.answered + told

    def _undo(self, link: Link, body: Body, opened: Body) -> None:
        self.undone[body["batch"]] = body["undoes"]

    def _keep(self, table: str, key: Key, values: Any) -> None:
        self.tables[table].pop(key, None)
        if values is not None:
            self.tables[table][key] = values

    def _drop(self, table: str, condition: Callable[[Key, Any], bool]) -> None:
        self.tables[table] = {key: value for key, value in self.tables[table].items() if not condition(key, value)}

    def _scrub(self, audit: str, hash: Any) -> None:
        if (audit,) in self.tables["audits"]:
            *told, _, made = self.tables["audits"][audit,]
            self.tables["audits"][audit,] = (*told, hash, made)

    def differing(self, tables: LedgerStore) -> Iterator[tuple[str, int]]:
        """Names of tables, and how many of their rows are not what the events tell."""
        actual = _ActualState(tables)
        for table in ("notes", "tags", "flag_overrides", "holds", "corrections"):
            self._drop(table, lambda key, values: key[0] in self.erased)
        for table, read in actual.readers.items():
            rows, expected = read(), self.tables[table]
            if table == "corrections":
                expected = {**expected, **self._carried(rows)}
                rows = {key: {name: row[name] for name in expected.get(key, row)} for key, row in rows.items()}
            elif table == "notes":
                expected = _by_text(rows, expected)
            elif table == "flag_overrides":
                rows = {key if key in expected else (*key[:2], None): values for key, values in rows.items()}
            elif table == "watch_entries" and () in expected:
                expected = {key: values for key, values in expected.items() if key}
                rows = {key: values for key, values in rows.items() if key in expected}
            if wrong := sum(
                expected.get(key) is not UNKNOWN
                and (key not in rows or key not in expected or rows[key] != expected[key])
                for key in rows.keys() | expected.keys()
            ):
                yield table, wrong
        if wrong := tables.wrongly_corrected():
            yield "corrected_profiles", wrong
        if wrong := self._wrong_refusals(tables):
            yield "refusals", wrong
        if wrong := self._wrong_answers(tables):
            yield "self_identifications", wrong
        undos = {row.id: row for row in tables.undoing()}  # those from before the ledger have no event
        undoing = {(row.application, self.undone.get(row.batch)): id for id, row in undos.items() if row.sequence}
        undone = {
            (row.application, row.batch): row.undone_by
            for row in tables.undone()
            if row.undone_by not in undos or undos[row.undone_by].sequence
        }
        if wrong := sum(undone.get(key) != undoing.get(key) for key in undone.keys() | undoing.keys()):
            yield "decisions", wrong

    def _carried(self, rows: Mapping[Key, Any]) -> dict[Key, Any]:
        """Whoever came with a file that was corrected before for everyone with it has no event of that correction."""
        told = self.tables["corrections"]
        return {key: {**self._shared[key[1]], **told.get(key, {})} for key in rows if key[1] in self._shared}

    def _wrong_refusals(self, tables: LedgerStore) -> int:
        """A row has its event. A file that was refused and has no row is an application now."""
        told, wrong, counts = dict(self.tables["refusals"]), 0, dict(self.refused)
        for row in tables.table_rows("refusals", "job", "file", "sha256", "code", "message", "received"):
            time = row.received.isoformat()
            left = counts.get((row.job, time), Counter())
            values = told.pop((row.job, row.file), None)
            if left[row.code] <= 0 or (values and values != (row.sha256, row.code, row.message, time)):
                wrong += 1
            counts[row.job, time] = left - Counter([row.code])
        arrived = tables.arrived([(job, values[0]) for (job, _), values in told.items() if values[0]])
        return wrong + sum((job, values[0]) not in arrived for (job, _), values in told.items())

    def _wrong_answers(self, tables: LedgerStore) -> int:
        """How many there are and when they came; what was answered the ledger does not know."""
        times = Counter(row.time.isoformat() for row in tables.table_rows("self_identifications", "time"))
        surplus = (times - self.answers).total()
        return surplus or (0 if self.answered is None else abs(times.total() - self.answered))


def _by_text(rows: Mapping[Key, Any], expected: Mapping[Key, Any]) -> dict[Key, Any]:
    """Notes of version 0.1.0 are known by their words, not by their ids: each takes the id of a row that fits."""
    told = {key: values for key, values in expected.items() if isinstance(key[1], str)}
    for (seal, number), values in expected.items():
        if isinstance(number, int):
            fits = (key for key, row in rows.items() if key[0] == seal and key not in told and row == values)
            told[next(fits, (seal, number))] = values
    return told


class _ActualState:
    """The same columns of the tables as they are."""

    def __init__(self, tables: LedgerStore) -> None:
        self._tables = tables
        self._actors = {SYSTEM: SYSTEM, **{row.key: row.seal for row in tables.seal_rows() if row.kind == ACTOR}}
        self.readers: dict[str, Callable[[], dict[Key, Any]]] = {
            "jobs": self._jobs,
            "job_versions": self._versions,
            "job_settings": lambda: self._plain("job_settings", ("job",), "blind", "hide_schools"),
            "job_access": lambda: self._plain("job_access", ("job", "user"), "given"),
            "users": self._users,
            "tokens": lambda: self._plain("tokens", ("id",), "user", "name", "created", "expires"),
            "identities": lambda: self._plain("identities", ("issuer", "subject"), "user", "connected"),
            "notes": lambda: self._plain("notes", ("application", "id"), "actor", "text", "time"),
            "tags": lambda: self._plain("tags", ("application", "tag"), "actor", "time"),
            "flag_overrides": lambda: self._plain(
                "flag_overrides", ("application", "code", "flag"), "actor", "reason", "time"
            ),
            "retention_rules": lambda: self._plain("retention_rules", ("job", "status"), "days", "actor", "time"),
            "holds": lambda: self._plain("holds", ("application",), "actor", "reason", "time"),
            "watch_entries": lambda: self._plain("watch_entries", ("list", "name"), "note", "added"),
            "corrections": self._corrections,
            "audits": self._audits,
            "audit_schedules": lambda: self._plain("audit_schedules", ("job",), "every", "actor", "made"),
            "erasures": self._erasures,
            "imports": self._imports,
        }

    def _plain(self, table: str, key: Sequence[str], *columns: str) -> dict[Key, Any]:
        names = (*key, *columns)
        rows = self._tables.table_rows(table, *names)
        seals: dict[str, str] = {}
        if "application" in key:
            seals = self._tables.seals_of(APPLICATION, [row.application for row in rows])

        def shown(name: str, value: Any) -> Any:
            if name == "application":
                return seals.get(value)
            if name in ("actor", "user", "undone_by") and value is not None:
                return self._actors.get(clean(value), "")
            return value.isoformat() if hasattr(value, "isoformat") else value

        shown_rows = [[shown(name, value) for name, value in zip(names, row, strict=True)] for row in rows]
        return {tuple(row[: len(key)]): tuple(row[len(key) :]) for row in shown_rows}

    def _jobs(self) -> dict[Key, Any]:
        """The title is that of the requirements, and the text that of the first ones."""
        first: dict[str, Any] = {}
        for version in self._tables.table_rows("job_versions", "job", "sequence", "requirements"):
            if version.job not in first or version.sequence < first[version.job][0]:
                first[version.job] = version.sequence, version.requirements
        jobs: dict[Key, Any] = {}
        for key, (title, text, requirements, *others) in self._plain(
            "jobs", ("id",), "title", "text", "requirements", "created", "closed", "external_id"
        ).items():
            given = first.get(key[0], (0, requirements))[1]
            fits = title == requirements.get("title") and text == given.get("text")
            jobs[key] = (content_hash(requirements) if fits else "", *others)
        return jobs

    def _versions(self) -> dict[Key, Any]:
        rows = self._tables.table_rows("job_versions", "job", "sequence", "hash", "requirements")
        hashes = {(row.job, row.sequence): content_hash(row.requirements) for row in rows}
        return {key: (hashes[key] if hashes[key] == row.hash else "",) for key, row in zip(hashes, rows, strict=True)}

    def _users(self) -> dict[Key, Any]:
        columns = ("role", "created", "disabled", "login", "name")
        rows = self._plain("users", ("id",), *columns)
        return {(self._actors.get(id),): dict(zip(columns, row, strict=True)) for (id,), row in rows.items()}

    def _corrections(self) -> dict[Key, Any]:
        columns = ("action", "field", "old", "new", "change", "reason", "actor", "time", "undone", "undone_by")
        rows = self._plain("corrections", ("application", "id"), *columns)
        found = {key: dict(zip(columns, row, strict=True)) for key, row in rows.items()}
        # One that was carried over was made, when corrections were for everyone with the file.
        return {
            key: {**row, "change": content_hash(row["change"]), "action": row["action"].replace("carry", "correct")}
            for key, row in found.items()
        }

    def _audits(self) -> dict[Key, Any]:
        """Those that are done; the hash is that of the report as it lies there."""
        done = {}
        for key, (state, report, hash, scrubbed, *told, made) in self._plain(
            "audits", ("id",), "state", "report", "hash", "scrubbed", "job", "kind", "worst", "made"
        ).items():
            if state == "done":
                found = content_hash(json.loads(unpack(report))) if report else None
                done[key] = (*told, found if scrubbed or found == hash else "", made)
        return done

    def _erasures(self) -> dict[Key, Any]:
        rows = self._plain("erasures", ("id",), "actor", "begun", "certificate")
        return {key: (actor, begun, content_hash(signed)) for key, (actor, begun, signed) in rows.items()}

    def _imports(self) -> dict[Key, Any]:
        """Those that are finished, with how many files came to which end; and files of imports that do not exist."""
        states: dict[str, Counter[str]] = defaultdict(Counter)
        for row in self._tables.table_rows("import_files", "import", "state"):
            states[row[0]][row.state] += 1
        rows = self._plain("imports", ("id",), "job", "finished", "actor")
        strangers: dict[Key, Any] = {(id,): dict(states[id]) for id in states.keys() - {id for (id,) in rows}}
        return strangers | {
            (job, finished): (id, actor, dict(states[id])) for (id,), (job, finished, actor) in rows.items() if finished
        }
