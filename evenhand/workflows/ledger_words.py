"""What an event says, in a few words for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from evenhand.records.event import Event

Body = Mapping[str, Any]


def describe(event: Event) -> str:
    """Without names: those are sealed. Falls back to what the body says it did."""
    words = _WORDS.get(event.kind, _other)
    return words(event.body)


def _many(number: int, word: str = "application") -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def _genesis(body: Body) -> str:
    if "counts" in body:
        return "kept before the ledger began: " + _listed(body["counts"])
    if "applications" in body:
        return f"{_many(len(body['applications']))} kept before the ledger began"
    return "a job kept before the ledger began"


def _ingest(body: Body) -> str:
    source = f" from {body['source']}" if body.get("source") else ""
    return f"{_many(len(body['applications']))} taken in{source}"


def _refusal(body: Body) -> str:
    return f"{_many(body['count'], 'file')} refused: {_listed(body['codes'])}"


def _mining(body: Body) -> str:
    if body["action"] == "drop":
        return "everything mined was dropped"
    return f"{_many(body['documents'], 'file')} mined anew, {body['changed']:,} with another result"


def _ranking(body: Body) -> str:
    first, listed = body["first"] + 1, len(body["listed"])
    last = first + listed - 1
    shown = "none" if not listed else f"rank {first:,}" if first == last else f"{first:,} to {last:,}"
    return f"{shown} of {body['total']:,} shown, ranked by {body['ranker']}"


def _decision(body: Body) -> str:
    bulk = ", the rest of a list" if body["bulk"] else ""
    return f"{body['action']}: {_many(len(body['moves']))}{bulk}"


def _watch(body: Body) -> str:
    return f"{'put on' if body['action'] == 'add' else 'taken off'} {body['list']}"


def _erasure(body: Body) -> str:
    return f"{_many(len(body.get('subjects', ())))} erased"


def _job(body: Body) -> str:
    if body.get("what") == "shown":
        schools = ", schools hidden" if body.get("hide_schools") else ""
        return f"to be screened {'blind' if body.get('blind') else 'openly'}{schools}"
    return _JOB.get(body["action"], str(body["action"]))


def _account(body: Body) -> str:
    words = _ACCOUNT.get(body["change"], str(body["change"]))
    return words.format_map({name: value for name, value in body.items() if isinstance(value, str | float)})


def _view(body: Body) -> str:
    return f"{body['what']} of {_many(len(body['subjects']))} opened"


def _export(body: Body) -> str:
    return f"{_many(body['count'])} exported as {body['what']}"


def _denial(body: Body) -> str:
    return f"refused with {body['status']}: {body['what']}"


def _import(body: Body) -> str:
    return f"uploaded files: {_listed(body['files'])}"


def _note(body: Body) -> str:
    return f"note {body['what']}" if body["what"] in ("added", "removed") else str(body["what"])


def _override(body: Body) -> str:
    return f"flag {body['flag']} {body['what']}"


def _receipt(body: Body) -> str:
    return f"{body['what']} made for the applicant"


def _correction(body: Body) -> str:
    return f"{body['field']}: {body['action']}"


def _weights(body: Body) -> str:
    done = "put in force" if body["action"] == "adopt" else "in force again"
    return f"version {body['version']} of the ranker's weights {done}"


def _groups(body: Body) -> str:
    if body["action"] == "remove":
        return f"what {_many(body['count'])} said of their groups was removed"
    return f"groups that {_many(body['count'])} gave of themselves: {_listed(body['variables'])}"


def _audit(body: Body) -> str:
    if body["action"] == "schedule":
        return "scheduled audits ended" if body["every"] == "off" else f"to be audited {body['every']}"
    if body["action"] == "read":
        return f"report of a bias audit opened ({body['form']})"
    if body["action"] == "packed":
        return f"evidence pack made, {_many(body['files'], 'file')}"
    return f"bias audit ({body['audited']}): {_listed(body['findings']) or 'no finding'}"


def _notice(body: Body) -> str:
    return f"applicants were told about automated tools, by {body['channel']}"


def _other(body: Body) -> str:
    said = [str(body[name]) for name in ("action", "change", "what") if name in body]
    if "subjects" in body:
        said.append(_many(len(body["subjects"])))
    elif isinstance(body.get("count"), int):
        said.append(_many(body["count"]))
    return ", ".join(said)


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in counts.items() if number)


_WORDS: dict[str, Callable[[Body], str]] = {
    "genesis": _genesis,
    "ingest": _ingest,
    "refusal": _refusal,
    "mining": _mining,
    "ranking": _ranking,
    "decision": _decision,
    "undo": _decision,
    "watch": _watch,
    "erasure": _erasure,
    "job": _job,
    "weights": _weights,
    "account": _account,
    "view": _view,
    "export": _export,
    "denial": _denial,
    "import": _import,
    "note": _note,
    "override": _override,
    "receipt": _receipt,
    "correction": _correction,
    "groups": _groups,
    "audit": _audit,
    "notice": _notice,
}
_JOB = {
    "add": "job made",
    "change": "requirements changed",
    "close": "job closed",
    "reopen": "job reopened",
    "preview": "looked at what other requirements would do to the ranking",
}
_ACCOUNT = {
    "created": "account made, as {role}",
    "renamed": "name changed",
    "role": "role changed from {from} to {role}",
    "disabled": "account disabled",
    "enabled": "account enabled",
    "password": "new password",
    "link": "one-time link made: {kind}",
    "token_made": "token for scripts made",
    "token_revoked": "token for scripts revoked",
    "job_given": "job given",
    "job_taken": "job taken away",
    "connected": "connected with the provider of single sign-on",
}
