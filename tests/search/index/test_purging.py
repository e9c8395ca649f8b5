"""Erased applications leave no byte in the index's files, and the others stay as they were."""

from __future__ import annotations

from pathlib import Path

import tantivy

from evenhand.search.features import ResumeFeatures, blank_features
from evenhand.search.index.files import FeatureReader, has_deletions
from evenhand.search.index.reader import IndexReader
from evenhand.search.index.writer import IndexWriter, StatusChange
from tests.search.index.entries import entry, indexed, names

MEMORY = 15_000_000


def files_with(folder: Path, *words: bytes) -> list[str]:
    return sorted(
        path.name for path in folder.rglob("*") if path.is_file() and any(word in path.read_bytes() for word in words)
    )


def test_nothing_of_the_erased_is_left_in_any_file(tmp_path: Path) -> None:
    word = "zebrafinch"
    before = indexed(tmp_path, entry("a", f"{word} keeper", city=word), entry("b", "quokka keeper"))
    kept = before.entry(before.find("b"))  # type: ignore[arg-type]
    with IndexWriter(tmp_path, memory_bytes=MEMORY) as writer:
        # An earlier state of each, so that there is something nobody can find any more.
        writer.apply([], [], 5, statuses=[StatusChange("a", "rejected", 4), StatusChange("b", "new", 5)])
        writer.apply([], ["a"], 6)
    assert has_deletions(tmp_path)
    with IndexWriter(tmp_path, memory_bytes=MEMORY) as writer:
        assert writer.purge({"a"}) == 1
        assert writer.reached == 6
    assert files_with(tmp_path, word.encode()) == []
    assert not has_deletions(tmp_path)
    after = IndexReader(tmp_path).snapshot()
    assert names(after, after.everyone(tantivy.Query.all_query())) == ["b"]
    found = after.entry(after.find("b"))  # type: ignore[arg-type]
    assert (found.text, found.digest, found.city) == (kept.text, kept.digest, kept.city)


def test_an_entry_that_is_still_there_is_taken_out(tmp_path: Path) -> None:
    indexed(tmp_path, entry("a", "zebrafinch"), entry("b", "quokka"))
    with IndexWriter(tmp_path, memory_bytes=MEMORY) as writer:
        assert writer.purge({"a"}) == 1
        assert writer.purge({"a"}) == 0  # nothing to do any more
    assert files_with(tmp_path, b"zebrafinch") == []


def test_readers_of_an_older_state_find_a_resume_that_says_nothing(tmp_path: Path) -> None:
    old = indexed(tmp_path, entry("a", "zebrafinch"), entry("b", "quokka"))
    addresses = old.everyone(tantivy.Query.all_query())
    with IndexWriter(tmp_path, memory_bytes=MEMORY) as writer:
        writer.purge({"a"})
    keys, digests = old.table(addresses)
    lengths = dict(zip(keys, [digest.length for digest in digests], strict=True))
    assert lengths["b"] > 0
    assert [length for key, length in lengths.items() if key != "b"] == [0]


def test_every_digest_ever_written_of_an_application_is_overwritten(tmp_path: Path) -> None:
    indexed(tmp_path, entry("a", "first zebrafinch", city="Zebracity"), entry("b", "quokka"))
    with IndexWriter(tmp_path, memory_bytes=MEMORY) as writer:
        writer.apply([entry("a", "second", revision=3, city="Zebracity")], [], 3)
        assert len(list(FeatureReader(tmp_path).everything())) == 3
        writer.purge({"a"})
    digests = list(map(ResumeFeatures.from_bytes, FeatureReader(tmp_path).everything()))
    assert [digest.length for digest in digests] == [0, 1, 0]


def test_a_blank_digest_has_any_size_and_can_be_read() -> None:
    digest = ResumeFeatures.from_bytes(blank_features(400))
    assert (digest.length, digest.facts.skills, digest.total_months, digest.degree) == (0, (), None, None)
    assert blank_features(10) == bytes(10)
