"""What is wrong with a ledger is said in a sentence that names the event."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from evenhand.ledger.checkpoints import Checkpoint, SigningKey
from evenhand.ledger.verify import IntegrityFinding
from evenhand.records.event import FIRST
from evenhand.store.store import Store
from tests.ledger.chains import NOON, found, rehash, write, written


def test_an_untouched_ledger_is_sound_on_both_databases(database_url: str, tmp_path: Path) -> None:
    with Store.open(database_url, files=tmp_path / "files") as store:
        assert found(store) == []
        write(store)
        assert len(store.ledger.events()) > 35
        key = SigningKey.load_or_make(tmp_path / "signing.key")
        points = [
            Checkpoint.make(event.sequence, event.hash, time=NOON, key=key) for event in store.ledger.events()[::7]
        ]
        assert found(store, *points, key=key.public) == []


def test_an_altered_event(tmp_path: Path) -> None:
    with written(tmp_path) as (store, tampered, checkpoint):
        rows = list(tampered.original["ledger"])
        rows[10] = (*rows[10][:2], "note", *rows[10][3:])
        tampered.put({"ledger": rows})
        assert found(store, checkpoint) == [
            IntegrityFinding("altered_event", "Event 11 has been altered: its hash is not that of what it says.", 11)
        ]
        forged = rehash(rows, 10)
        tampered.put({"ledger": [*rows[:10], forged[10], *rows[11:]]})
        assert found(store, checkpoint) == [
            IntegrityFinding(
                "broken_link",
                "Event 12 does not follow the one before it: an event was altered, put in, taken out or moved there.",
                12,
            )
        ]
        tampered.put({"ledger": forged})
        last = checkpoint.sequence
        assert found(store) == []  # a chain like any other
        assert found(store, checkpoint) == [
            IntegrityFinding(
                "rewritten",
                f"Event {last} is not the one that was signed at 2030-01-01T12:00:00+00:00: "
                "the ledger has been rewritten.",
                last,
            )
        ]


def test_missing_events(tmp_path: Path) -> None:
    with written(tmp_path) as (store, tampered, checkpoint):
        rows = tampered.original["ledger"]
        tampered.put({"ledger": [*rows[:5], *rows[6:8], *rows[10:]]})
        told = [finding for finding in found(store, checkpoint) if finding.code == "missing_event"]
        assert [(finding.message, finding.sequence) for finding in told] == [
            ("Event 6 is missing.", 6),
            ("Events 9 to 10 are missing.", 9),
        ]
        kept = [row for row in tampered.original["openings"] if row[0] <= len(rows) - 3]
        tampered.put({"ledger": rows[:-3], "openings": kept})
        [short] = found(store, checkpoint)
        assert short.message == (
            f"The ledger ends with event {len(rows) - 3}, but at 2030-01-01T12:00:00+00:00 it had "
            f"{len(rows)}: it has been shortened."
        )


def test_sealed_values_are_neither_missing_nor_altered(tmp_path: Path) -> None:
    with written(tmp_path) as (store, tampered, checkpoint):
        rows = tampered.original["openings"]
        tampered.put({"openings": rows[1:]})
        [missing] = found(store, checkpoint)
        assert missing.message == (
            f"The sealed value {rows[0][1]!r} of event {rows[0][0]} is missing, and no event says that it was erased."
        )
        (sequence, name, *rest), *others = rows
        tampered.put({"openings": [(sequence, name, *rest[:-1], b"not even packed"), *others]})
        [altered] = found(store, checkpoint)
        assert altered.code == "altered_opening"
        assert altered.message == f"The sealed value {name!r} of event {sequence} has been altered."
        tampered.put({"openings": [*rows, (1, "more", *rest)]})
        [unknown] = found(store, checkpoint)
        assert unknown.message == "A sealed value 'more' is kept for event 1, which has none."


FALSIFICATIONS = {
    "another reason": (
        "DELETE FROM openings WHERE name = 'reason' AND sequence = (SELECT max(sequence) FROM decisions)",
        "UPDATE decisions SET reason = 'Too old.' WHERE sequence = (SELECT max(sequence) FROM decisions)",
    ),
    "another actor": (
        "DELETE FROM seals WHERE kind = 'actor' AND key = 'ann'",
        "UPDATE decisions SET actor = 'eve' WHERE actor = 'ann'",
    ),
    "no such decision": (
        "DELETE FROM seals WHERE kind = 'application' AND key = (SELECT max(application) FROM decisions "
        "WHERE application IN (SELECT id FROM applications))",
        "DELETE FROM decisions WHERE application IN (SELECT id FROM applications) "
        "AND application NOT IN (SELECT key FROM seals)",
    ),
    "no such person": (
        *(
            f"DELETE FROM {table} WHERE {column} = (SELECT max(id) FROM applications)"
            for table, column in (("seals", "key"), ("openings", "application"), ("mentions", "application"))
        ),
        "DELETE FROM applications WHERE id = (SELECT max(id) FROM applications)",
    ),
}


@pytest.mark.parametrize("name", FALSIFICATIONS)
def test_what_is_missing_is_taken_for_erased_only_where_an_event_says_so(tmp_path: Path, name: str) -> None:
    with written(tmp_path) as (store, tampered, checkpoint):
        assert found(store, checkpoint, key=checkpoint.key) == []
        for statement in FALSIFICATIONS[name]:
            tampered.execute(statement)
        assert {"missing_opening", "missing_seal"} & {finding.code for finding in found(store, checkpoint)}


def test_event_times_do_not_run_backwards(tmp_path: Path) -> None:
    with written(tmp_path) as (store, tampered, _):
        rows = tampered.original["ledger"]
        earlier = (datetime.fromisoformat(rows[-1][1]) - timedelta(hours=1)).isoformat()
        tampered.put({"ledger": rehash([*rows[:-1], (rows[-1][0], earlier, *rows[-1][2:])], len(rows) - 1)})
        [back] = found(store)
        assert (back.code, back.sequence) == ("time_backwards", len(rows))
        corrected = (datetime.fromisoformat(rows[-1][1]) - timedelta(minutes=5)).isoformat()
        tampered.put({"ledger": rehash([*rows[:-1], (rows[-1][0], corrected, *rows[-1][2:])], len(rows) - 1)})
        assert found(store) == []  # a clock was set right


def test_decisions_that_no_event_tells_of(tmp_path: Path) -> None:
    with written(tmp_path) as (store, tampered, checkpoint):
        rows = tampered.original["decisions"]
        tampered.put({"decisions": [(*rows[0][:3], "offered", *rows[0][4:]), *rows[1:]]})
        [differs] = found(store, checkpoint)
        sequence = rows[0][11]
        assert differs.message == (f"Event {sequence} and the table of decisions differ in 1 of its applications.")
        loose = [(*row[:11], None) for row in rows[:2]]
        tampered.put({"decisions": [*rows[2:], *loose]})
        assert [finding.message for finding in found(store, checkpoint)] == [
            f"Event {sequence} and the table of decisions differ in 1 of its applications.",
            "2 decisions have no event.",
        ]


def test_checkpoints_that_are_not_to_be_believed(tmp_path: Path) -> None:
    with written(tmp_path) as (store, _, checkpoint):
        stranger = SigningKey.load_or_make(tmp_path / "other.key")
        forged = replace(checkpoint, hash=FIRST)
        foreign = Checkpoint.make(3, FIRST, time=NOON, key=stranger)
        told = found(store, checkpoint, forged, foreign, 4, key=checkpoint.key)
        time = "2030-01-01T12:00:00+00:00"
        assert [(finding.code, finding.message) for finding in told] == [
            ("wrong_signature", f"The checkpoint of event {checkpoint.sequence} at {time} has a wrong signature."),
            ("other_key", f"The checkpoint of event 3 at {time} was signed with another key."),
            ("unreadable_checkpoint", "Line 4 of the checkpoints cannot be read."),
        ]


@pytest.mark.parametrize("field", ["sequence", "hash", "time", "key", "signature"])
def test_the_signature_covers_every_field(tmp_path: Path, field: str) -> None:
    key = SigningKey.load_or_make(tmp_path / "a.key")
    stranger = SigningKey.load_or_make(tmp_path / "b.key")
    checkpoint = Checkpoint.make(3, "ab" * 32, time=NOON, key=key)
    other = Checkpoint.make(4, "cd" * 32, time=NOON.replace(hour=13), key=stranger)
    assert checkpoint.is_signed
    assert not replace(checkpoint, **{field: getattr(other, field)}).is_signed
