"""What the index reports of its collection equals a count of the digests themselves."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from evenhand.search.features import ResumeFeatures
from evenhand.search.index.reader import SAMPLE, IndexReader
from evenhand.search.index.writer import IndexWriter
from evenhand.search.rankers.base import idf
from evenhand.search.statistics import PoolStatistics
from tests.search.index.entries import entry, indexed

WORDS = ("java", "perl", "lisp", "cobol", "fortran")


def test_small_collections_are_counted_exactly(tmp_path: Path) -> None:
    draw = random.Random(5)
    texts = [" ".join(draw.choices(WORDS, k=draw.randint(1, 9))) for _ in range(60)]
    entries = [entry(str(at), text, skills=((draw.choice(WORDS), 3),)) for at, text in enumerate(texts)]
    indexed(tmp_path, *entries)
    with IndexWriter(tmp_path, memory_bytes=15_000_000) as writer:
        writer.apply([replace(entries[0], text="java", digest=entry("x", "java").digest)], ["1", "2"], 99)
    kept = [entry("x", "java").digest, *(each.digest for each in entries[3:])]
    expected = PoolStatistics([ResumeFeatures.from_bytes(digest) for digest in kept])
    found = IndexReader(tmp_path).snapshot().own_statistics
    assert (found.number, found.total_terms) == (expected.number, expected.total_terms)
    assert found.average_length == expected.average_length
    for word in (*WORDS, "unheard"):
        assert found.document_frequency(word) == expected.document_frequency(word)
        assert found.collection_frequency(word) == expected.collection_frequency(word)
        having = sum(each.skills[0][0] == word for each in (entries[0], *entries[3:]))
        assert found.skill_frequency(word.upper()) == having


def test_occurrences_of_frequent_terms_are_estimated(tmp_path: Path) -> None:
    """The first 256 resumes say "java" twice, the other 44 once: 300 times 2."""
    texts = ["java java"] * SAMPLE + ["java"] * 44
    found = indexed(tmp_path, *(entry(str(at), text) for at, text in enumerate(texts))).own_statistics
    assert (found.document_frequency("java"), found.collection_frequency("java")) == (300, 600)


def test_beyond_a_size_resumes_that_were_replaced_are_taken_off_by_their_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evenhand.search.index.reader.EXACT", 3)
    indexed(tmp_path, *(entry(str(at), "java" if at < 8 else "perl java" if at < 9 else "perl") for at in range(10)))
    with IndexWriter(tmp_path, memory_bytes=15_000_000) as writer:
        writer.apply([], ["0", "9"], 99)
    found = IndexReader(tmp_path).snapshot().own_statistics
    assert found.number == 8
    assert found.document_frequency("java") == 7  # 9 of 10 listed: 0.9 x 8 = 7.2; in truth 8
    assert found.document_frequency("perl") == 1  # few enough to be counted


def test_idf_is_the_classic_one(tmp_path: Path) -> None:
    found = indexed(tmp_path, entry("a", "java"), entry("b", "java perl")).own_statistics
    assert idf(found.document_frequency("java"), found.number) == pytest.approx(1 + -0.4054651081, abs=1e-9)  # ln(2/3)
    assert idf(found.document_frequency("perl"), found.number) == pytest.approx(1.0)
