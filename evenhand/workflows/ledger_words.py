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
    shown = f"{first:,} to {first + listed - 1:,}" if listed else "none"
    return f"{shown} of {body['total']:,} shown, ranked by {body['ranker']}"


def _decision(body: Body) -> str:
    bulk = ", the rest of a list" if body["bulk"] else ""
    return f"{body['action']}: {_many(len(body['moves']))}{bulk}"


def _watch(body: Body) -> str:
    return f"{'put on' if body['action'] == 'add' else 'taken off'} {body['list']}"


def _erasure(body: Body) -> str:
    return f"{_many(len(body.get('subjects', ())))} erased"


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
}
