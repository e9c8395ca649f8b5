"""The index follows the store: repeated, interrupted, damaged, contested."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tantivy

from evenhand.errors import IndexBusy, StoreError
from evenhand.records.profile import Evidence
from evenhand.search.index.files import read_state, write_state
from evenhand.search.index.reader import IndexReader
from evenhand.search.index.schema import EntryCard
from evenhand.search.index.writer import IndexWriter, StatusChange
from tests.search.index.entries import entry, indexed, names

MEMORY = 15_000_000


def everyone(folder: Path) -> list[str]:
    snapshot = IndexReader(folder).snapshot()
    return sorted(names(snapshot, snapshot.everyone(tantivy.Query.all_query())))


def test_an_entry_comes_back_as_it_was_given(tmp_path: Path) -> None:
    given = entry(
        "a",
        "Java développeur \U0001f600 at Acme",
        source="agency",
        status="New",
        degree="master",
        city="Łódź",
        total_months=60,
        relevant_months=None,
        skills=(("java", 40), ("sql", None)),
        titles=("Developer",),
        employers=("Acme",),
        universities=("MIT",),
        card=EntryCard(name="A. Person", form={"years": [1, 2]}, places={"java": (Evidence(0, 4, 1, "lexicon", 0.9),)}),
        flags=({"code": "low_text", "message": "Little text."},),
    )
    snapshot = indexed(tmp_path, given)
    address = snapshot.find("a")
    assert address is not None
    assert snapshot.entry(address) == given
    assert snapshot.find("b") is None


def test_doing_a_step_again_changes_nothing(tmp_path: Path) -> None:
    for _ in range(2):
        with IndexWriter(tmp_path, memory_bytes=MEMORY) as writer:
            writer.apply([entry("a"), entry("b"), entry("c")], ["c"], 4)
            assert writer.reached == 4
    # Removed in the same step as added: entries are taken after removals, so that a new one stays.
    assert everyone(tmp_path) == ["a", "b", "c"]


def test_removed_and_replaced(tmp_path: Path) -> None:
    indexed(tmp_path, entry("a", "old words"), entry("b"))
    with IndexWriter(tmp_path, memory_bytes=MEMORY) as writer:
        assert writer.reached == 2
        writer.apply([entry("a", "new words")], ["b", "unknown"], 4)
    assert everyone(tmp_path) == ["a"]
    snapshot = IndexReader(tmp_path).snapshot()
    address = snapshot.find("a")
    assert address is not None
    assert snapshot.entry(address).text == "new words"
    assert snapshot.own_statistics.document_frequency("old") == 0


def test_a_new_status_keeps_all_the_rest(tmp_path: Path) -> None:
    given = entry("a", "java", status="New", skills=(("java", 3),))
    indexed(tmp_path, given)
    with IndexWriter(tmp_path, memory_bytes=MEMORY) as writer:
        changes = [StatusChange("a", "Rejected", 7), StatusChange("gone", "Rejected", 8)]
        assert writer.apply((), (), 8, statuses=changes) == ("gone",)
        assert (writer.facts("a") or {})["status"] == "Rejected"
        assert writer.facts("gone") is None
    snapshot = IndexReader(tmp_path).snapshot()
    assert snapshot.number == 1
    address = snapshot.find("a")
    assert address is not None
    found = snapshot.entry(address)
    assert (found.status, found.revision) == ("Rejected", 7)
    assert (found.text, found.digest, found.skills) == (given.text, given.digest, given.skills)


def test_an_interrupted_step_is_not_there(tmp_path: Path) -> None:
    indexed(tmp_path, entry("a"))

    def broken() -> object:
        yield entry("b")
        raise RuntimeError("power")

    with pytest.raises(RuntimeError), IndexWriter(tmp_path, memory_bytes=MEMORY) as writer:
        writer.apply(broken(), ["a"], 9)  # type: ignore[arg-type]
    assert everyone(tmp_path) == ["a"]
    with IndexWriter(tmp_path, memory_bytes=MEMORY) as writer:
        assert writer.reached == 1


def test_what_a_crash_left_does_not_stand_in_the_way(tmp_path: Path) -> None:
    """Killed when the new list of deletions was on disk and the commit was not: it has the name of the next one."""
    indexed(tmp_path, entry("ann"), entry("bob"))
    before = {name: (tmp_path / name).read_bytes() for name in ("tantivy/meta.json", "state.json")}
    with IndexWriter(tmp_path, memory_bytes=MEMORY) as writer:
        writer.apply([], ["ann"], 3)
    [deletions] = (tmp_path / "tantivy").glob("*.del")
    for name, content in before.items():
        (tmp_path / name).write_bytes(content)
    with IndexWriter(tmp_path, memory_bytes=MEMORY) as writer:
        writer.apply([], ["ann"], 3)
    assert deletions.exists()
    assert everyone(tmp_path) == ["bob"]


def test_a_revision_behind_the_commit_is_redone(tmp_path: Path) -> None:
    """As after a crash between tantivy's commit and the state file."""
    indexed(tmp_path, entry("a"))
    before = read_state(tmp_path)
    assert before is not None
    with IndexWriter(tmp_path, memory_bytes=MEMORY) as writer:
        writer.apply([entry("b")], (), 2)
    write_state(tmp_path, before)
    with IndexWriter(tmp_path, memory_bytes=MEMORY) as writer:
        assert writer.reached == 1
        writer.apply([entry("b")], (), 2)
    assert everyone(tmp_path) == ["a", "b"]


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("state.json", b""),
        ("state.json", b'{"version": "x"}'),
        ("digests.bin", b"cut"),
        ("tantivy/meta.json", b"{}"),
        ("tantivy/meta.json", None),
    ],
)
def test_damage_begins_the_index_anew(tmp_path: Path, file: str, content: bytes | None) -> None:
    indexed(tmp_path, entry("a"))
    if content is None:
        (tmp_path / file).unlink()
    else:
        (tmp_path / file).write_bytes(content)
    with pytest.raises(StoreError, match="build it anew"):
        IndexReader(tmp_path)
    with IndexWriter(tmp_path, memory_bytes=MEMORY) as writer:
        assert writer.reached == 0
        writer.apply([entry("b")], (), 1)
    assert everyone(tmp_path) == ["b"]


def test_a_lost_segment_begins_the_index_anew(tmp_path: Path) -> None:
    indexed(tmp_path, entry("a"))
    for segment in (tmp_path / "tantivy").glob("*.store"):
        segment.unlink()
    with pytest.raises(StoreError, match="damaged"):
        IndexReader(tmp_path)
    with IndexWriter(tmp_path, memory_bytes=MEMORY) as writer:
        assert writer.reached == 0


@pytest.mark.parametrize("name", ["version", "analyzer"])
def test_another_version_begins_the_index_anew(tmp_path: Path, name: str) -> None:
    indexed(tmp_path, entry("a"))
    state = json.loads((tmp_path / "state.json").read_text())
    (tmp_path / "state.json").write_text(json.dumps(state | {name: 0 if name == "version" else "other"}))
    with IndexWriter(tmp_path, memory_bytes=MEMORY) as writer:
        assert writer.reached == 0


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    with IndexWriter(tmp_path, memory_bytes=MEMORY), pytest.raises(IndexBusy, match="Another process"):
        IndexWriter(tmp_path, memory_bytes=MEMORY)
    with IndexWriter(tmp_path, memory_bytes=MEMORY) as writer:
        assert writer.reached == 0


def test_a_reader_sees_the_next_commit_and_keeps_its_snapshot(tmp_path: Path) -> None:
    indexed(tmp_path, entry("a"))
    reader = IndexReader(tmp_path)
    before = reader.snapshot()
    assert reader.snapshot() is before
    with IndexWriter(tmp_path, memory_bytes=MEMORY) as writer:
        writer.apply([entry("b")], (), 2)
        assert (before.number, reader.snapshot().number, reader.snapshot().revision) == (1, 2, 2)
        writer.clear()
        assert writer.reached == 0
        assert (tmp_path / "digests.bin").stat().st_size == 0
    assert (before.number, reader.snapshot().number, reader.snapshot().revision) == (1, 0, 0)
    address = before.find("a")
    assert address is not None
    assert before.entry(address) == entry("a")
