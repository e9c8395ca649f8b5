"""However a ledger is tampered with, it is found: a thousand ways, drawn at random, on a real database."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evenhand.ledger.verify import verify
from evenhand.store.applications import STATUS_NAMES
from evenhand.store.tables import pack, unpack
from tests.ledger.chains import Rows, found, rehash, written

TIMES = 1_100
Row = tuple[Any, ...]
Tamper = Callable[[Rows, random.Random], None]


def other(value: Any, rng: random.Random) -> Any:
    """A value that is not the one given, of a kind that the column takes."""
    if value is None:
        return rng.choice(["x", "0", "ledger"])
    if isinstance(value, int):
        return value + rng.choice([-2, -1, 1, 2, 1000])
    if isinstance(value, bytes):
        at = rng.randrange(len(value))
        return value[:at] + bytes([value[at] ^ (1 << rng.randrange(8))]) + value[at + 1 :]
    at = rng.randrange(len(value) + 1)
    cut = value[:at] + value[at + 1 :]
    changed = value[:at] + rng.choice("0123456789abcdef xyzé") + value[at + rng.randrange(2) :]
    return next(each for each in (changed, cut, value + "0") if each != value)


def alter_field(rows: Rows, rng: random.Random) -> None:
    at = rng.randrange(len(rows["ledger"]))
    row = list(rows["ledger"][at])
    column = rng.randrange(len(row))
    taken = {each[0] for each in rows["ledger"]}
    row[column] = other(row[column], rng)
    while column == 0 and row[0] in taken:
        row[0] += 1
    rows["ledger"][at] = tuple(row)
    rows["ledger"].sort()


def alter_meaning(rows: Rows, rng: random.Random) -> None:
    """Another actor, job, status or number, the JSON whole."""
    at = rng.randrange(len(rows["ledger"]))
    row = list(rows["ledger"][at])
    body = json.loads(row[5])
    name = rng.choice(list(body))
    body[name] = [body[name], "more"]
    row[5] = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    rows["ledger"][at] = tuple(row)


def alter_and_rehash_one(rows: Rows, rng: random.Random) -> None:
    at = rng.randrange(len(rows["ledger"]))
    before = rows["ledger"][at]
    alter_meaning_of(rows, at)
    rows["ledger"] = [*rows["ledger"][:at], rehash(rows["ledger"], at)[at], *rows["ledger"][at + 1 :]]
    assert rows["ledger"][at] != before


def alter_meaning_of(rows: Rows, at: int) -> None:
    row = list(rows["ledger"][at])
    row[4] = "another" if row[4] else "one"
    rows["ledger"][at] = tuple(row)


def delete(rows: Rows, rng: random.Random) -> None:
    for _ in range(rng.randint(1, 3)):
        del rows["ledger"][rng.randrange(len(rows["ledger"]))]


def delete_and_close(rows: Rows, rng: random.Random) -> None:
    """The gap closed, and everything after it hashed anew."""
    at = rng.randrange(len(rows["ledger"]))
    left = rows["ledger"][:at] + rows["ledger"][at + 1 :]
    rows["ledger"] = rehash([(number, *row[1:]) for number, row in enumerate(left, start=1)], at)


def insert(rows: Rows, rng: random.Random) -> None:
    at = rng.randrange(len(rows["ledger"]) + 1)
    forged = (at + 1, *rng.choice(rows["ledger"])[1:])
    moved = [(row[0] + 1, *row[1:]) for row in rows["ledger"][at:]]
    rows["ledger"] = [*rows["ledger"][:at], forged, *moved]


def insert_and_rehash(rows: Rows, rng: random.Random) -> None:
    before = len(rows["ledger"])
    at = rng.randrange(before)  # beyond the last one it would be an event like any other
    insert_at(rows, at, rng)
    assert len(rows["ledger"]) == before + 1


def insert_at(rows: Rows, at: int, rng: random.Random) -> None:
    forged = (at + 1, *rng.choice(rows["ledger"])[1:])
    moved = [(row[0] + 1, *row[1:]) for row in rows["ledger"][at:]]
    rows["ledger"] = rehash([*rows["ledger"][:at], forged, *moved], at)


def reorder(rows: Rows, rng: random.Random) -> None:
    one, two = rng.sample(range(len(rows["ledger"])), 2)
    first, second = rows["ledger"][one], rows["ledger"][two]
    rows["ledger"][one], rows["ledger"][two] = (first[0], *second[1:]), (second[0], *first[1:])


def reorder_and_rehash(rows: Rows, rng: random.Random) -> None:
    before = list(rows["ledger"])
    reorder(rows, rng)
    rows["ledger"] = rehash(rows["ledger"], 0)
    if rows["ledger"] == before:  # two exports that are alike
        truncate(rows, rng)


def truncate(rows: Rows, rng: random.Random) -> None:
    del rows["ledger"][rng.randrange(len(rows["ledger"])) :]


def rewrite_tail(rows: Rows, rng: random.Random) -> None:
    at = rng.randrange(len(rows["ledger"]))
    alter_meaning_of(rows, at)
    rows["ledger"] = rehash(rows["ledger"], at)


def alter_opening(rows: Rows, rng: random.Random) -> None:
    at = rng.randrange(len(rows["openings"]))
    sequence, name, application, salt, value = rows["openings"][at]
    if rng.random() < 0.5:
        salt = other(salt, rng)
    else:
        value = pack(other(unpack(value), rng))
    rows["openings"][at] = (sequence, name, application, salt, value)


def insert_opening(rows: Rows, rng: random.Random) -> None:
    _, name, *rest = rng.choice(rows["openings"])
    rows["openings"].append((rng.randint(1, 99), f"{name}2", *rest))


def alter_decision(rows: Rows, rng: random.Random) -> None:
    living = {row[1] for row in rows["decisions"]} - erased(rows)
    at = rng.choice([at for at, row in enumerate(rows["decisions"]) if row[1] in living])
    row = list(rows["decisions"][at])
    column = rng.choice([1, 3, 4, 5, 6, 7, 8, 10, 11])  # all but the action of a step and what undid it
    if column == 8:
        row[8] = row[8].replace("20", "19", 1)
    else:
        row[column] = 1 - row[10] if column == 10 else other(row[column], rng)
    rows["decisions"][at] = tuple(row)


def delete_decision(rows: Rows, rng: random.Random) -> None:
    living = {row[1] for row in rows["decisions"]} - erased(rows)
    one = rng.choice([row for row in rows["decisions"] if row[1] in living])
    rows["decisions"] = [row for row in rows["decisions"] if (row[1], row[7]) != (one[1], one[7])]


def insert_decision(rows: Rows, rng: random.Random) -> None:
    row = list(rng.choice(rows["decisions"]))
    row[0], row[11] = 999, rng.choice([None, 1, 2, 998])
    rows["decisions"].append(tuple(row))


def alter_status(rows: Rows, rng: random.Random) -> None:
    at = rng.randrange(len(rows["applications"]))
    row = list(rows["applications"][at])
    row[5] = rng.choice([name for name in STATUS_NAMES if name != row[5]])
    rows["applications"][at] = tuple(row)


ERASED: set[str] = set()


def erased(rows: Rows) -> set[str]:
    return ERASED


TAMPERINGS: tuple[Tamper, ...] = (
    alter_field,
    alter_field,
    alter_field,
    alter_meaning,
    alter_and_rehash_one,
    delete,
    delete_and_close,
    insert,
    insert_and_rehash,
    reorder,
    reorder_and_rehash,
    truncate,
    rewrite_tail,
    alter_opening,
    insert_opening,
    alter_decision,
    delete_decision,
    insert_decision,
    alter_status,
)


def test_a_thousand_tamperings_are_found(tmp_path: Path) -> None:
    rng = random.Random(5)
    missed: Counter[str] = Counter()
    with written(tmp_path) as (store, tampered, checkpoint):
        ids = {str(row[1]) for row in tampered.original["decisions"]}
        ERASED.update(ids - store.ledger.seals_of("application", sorted(ids)).keys())
        assert len(ERASED) == 1
        assert found(store, checkpoint, key=checkpoint.key) == []
        for number in range(TIMES):
            tamper = TAMPERINGS[number % len(TAMPERINGS)]
            rows = {name: list(values) for name, values in tampered.original.items()}
            tamper(rows, rng)
            changed = {name: rows[name] for name in rows if rows[name] != tampered.original[name]}
            assert changed, tamper.__name__
            tampered.put(changed)
            told = verify(store.ledger.chain(), checkpoints=[checkpoint], key=checkpoint.key, tables=store.ledger)
            missed[tamper.__name__] += next(told, None) is None
            tampered.put({name: tampered.original[name] for name in changed})
        assert found(store, checkpoint, key=checkpoint.key) == []
    assert missed.total() == 0, missed


@pytest.mark.parametrize("kept", [0, 1, 20])
def test_without_a_checkpoint_a_shorter_chain_is_a_chain(tmp_path: Path, kept: int) -> None:
    """Why there are checkpoints: what is beside the chain tells of most cuts, but not the chain itself."""
    with written(tmp_path) as (store, tampered, checkpoint):
        tampered.put({"ledger": tampered.original["ledger"][:kept], "openings": [], "decisions": []})
        chain = {"altered_event", "broken_link", "missing_event", "misplaced_event", "shortened", "rewritten"}
        assert not chain & {finding.code for finding in found(store)}
        assert "shortened" in {finding.code for finding in found(store, checkpoint)}
