"""Compares a ranking that was made again with its record: who, in which order, with which parts of the score."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evenhand.workflows.screening import Ordered

MOST_TOLD = 20
SHOWN = 12  # signs of a seal

Parts = dict[str, float]


@dataclass(frozen=True, slots=True)
class MadeAgain:
    """Everyone who matched, and the order of those the ranker looked at."""

    total: int
    ordered: Ordered


def compare(
    body: Mapping[str, Any],
    names: Sequence[str],
    again: MadeAgain,
    seals: Mapping[str, str],
    *,
    erased: int,
    is_erased: Callable[[str], bool],
) -> list[str]:
    """The first differences, as sentences. Those who were erased since may be missing, and nobody else."""
    found = [
        *_counts("matched", body["total"], again.total, erased),
        *_counts("were put in order", body["ordered"], len(again.ordered.rows), erased),
        *_order(body, names, again.ordered, seals, erased=erased, is_erased=is_erased),
    ]
    more = len(found) - MOST_TOLD
    return [*found[:MOST_TOLD], f"And {more:,} more."] if more > 0 else found


def _counts(what: str, then: int, now: int, erased: int) -> Iterator[str]:
    if not 0 <= then - now <= erased:
        yield f"{then:,} {what} by the record, {now:,} when it is made again."


def _order(
    body: Mapping[str, Any],
    names: Sequence[str],
    ordered: Ordered,
    seals: Mapping[str, str],
    *,
    erased: int,
    is_erased: Callable[[str], bool],
) -> Iterator[str]:
    recorded = [(seal, parts) for seal, parts in body["listed"] if not is_erased(seal)]
    rows = [(seals.get(ordered.keys[row], ""), row) for row in ordered.rows]
    start = _start(body, recorded, [seal for seal, _ in rows], erased)
    if start is None:
        yield f"The list began with {recorded[0][0][:SHOWN]} at rank {body['first'] + 1}; it no longer does."
        return
    expected = len(recorded) if erased else min(body["size"], max(0, len(rows) - start))
    if len(recorded) != expected:
        yield f"The record lists {len(recorded)}, where {expected} are to be listed."
    for number, ((seal, parts), (other, row)) in enumerate(
        zip(recorded, rows[start:], strict=False), start=1
    ):
        if seal != other:
            yield f"Number {number} of the list is {seal[:SHOWN]} by the record and {other[:SHOWN]} made again."
        else:
            yield from _parts(seal, {names[at]: value for at, value in parts}, _parts_of(ordered, row))


def _start(
    body: Mapping[str, Any], recorded: Sequence[tuple[str, Any]], seals: Sequence[str], erased: int
) -> int | None:
    """Where the page begins in the new order: at its own rank, or earlier by as many as were erased before it."""
    first: int = body["first"]
    if not recorded or not erased:
        return first
    head = recorded[0][0]
    rank = first + [seal for seal, _ in body["listed"]].index(head)
    at = seals.index(head) if head in seals else rank + 1
    return at if 0 <= rank - at <= erased else None


def _parts_of(ordered: Ordered, row: int) -> Parts:
    return {part.name: part.value for part in ordered.table.score(row).parts}


def _parts(seal: str, then: Parts, now: Parts) -> Iterator[str]:
    for name in sorted(then.keys() | now.keys()):
        if then.get(name) != now.get(name):
            yield (
                f"{name!r} of {seal[:SHOWN]} is {then.get(name, 'absent')} by the record and "
                f"{now.get(name, 'absent')} made again."
            )
