"""Comparing with other readers: the figures by hand, and the programs themselves where they are installed."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from evenhand.documents.parse import failed, parse
from evenhand.errors import EmptyDocument, EncryptedDocument, UsageError
from evenhand.records.document import Document, Hidden
from evenhand_lab.benchmarks import inputs
from evenhand_lab.benchmarks.inputs import distinct_words, jaccard, key_of, share_found
from evenhand_lab.benchmarks.reading import formats, recall
from evenhand_lab.benchmarks.reading import recall as lacking

needs_pdftotext = pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
needs_peers = pytest.mark.skipif(
    shutil.which("pdftotext") is None or shutil.which("soffice") is None,
    reason="pdftotext or LibreOffice is not installed",
)


def document(text: str, number: int = 0, format_name: str = "pdf", hidden: str = "") -> Document:
    empty = failed(EmptyDocument(), file=None, sha256=f"{number:064d}", format_name=format_name)
    apart = (Hidden(hidden, "tiny", 1),) if hidden else ()
    return replace(empty, status="parsed", error=None, text=text, hidden=apart)


def test_words_are_folded_and_distinct() -> None:
    assert distinct_words("Ma\u00dfe ﬁne fine", "FINE caf\u00e9 cafe\u0301") == {"masse", "fine", "café"}


def test_shares() -> None:
    a, b = frozenset("abcd"), frozenset("cdef")
    assert (share_found(a, b), jaccard(a, b)) == (0.5, 2 / 6)
    assert (share_found(frozenset(), a), jaccard(frozenset(), frozenset())) == (1.0, 1.0)


def test_words_set_apart_count_as_read() -> None:
    compared = recall.compare(document("one two four", hidden="three two"), "one two three five")
    assert (compared.recall, compared.precision) == (3 / 4, 2 / 3)
    assert (compared.hidden_words, compared.missing) == (1, 1)


def test_causes_of_missing_words() -> None:
    ours = document("The framework of datascience was built end to end by a team")
    peer = "f science endto frame-\nwork gardening builtx \\pard"
    missing = distinct_words(peer) - distinct_words(ours.text)
    assert dict(zip(sorted(missing), lacking.causes_of(missing, ours, peer), strict=True)) == {
        "builtx": lacking.LONGER,
        "endto": lacking.GLUED,
        "f": lacking.SINGLE,
        "frame": lacking.HYPHEN,
        "gardening": lacking.UNKNOWN,
        "pard": lacking.MARKUP,
        "science": lacking.SPLIT,
        "work": lacking.HYPHEN,
    }


def test_summary_by_hand() -> None:
    refused = failed(EncryptedDocument(), file=None, sha256="9" * 64, format_name="pdf")
    documents = [
        document("one two", 1 * 10**52),
        document("one two three", 2 * 10**52, "docx"),
        document("seen by us alone", 3 * 10**52, "docx"),
        refused,
    ]
    keys = [key_of(item) for item in documents]
    texts = dict(zip(keys, ["one two", "one two three four", "", "locked"], strict=True))
    result = recall.summary(documents, texts)
    assert result.formats == {"pdf": (2, 0.5, 0.5), "docx": (1, 0.75, 1.0)}
    assert (result.files, result.recall, result.silent) == (3, (1 + 0 + 0.75) / 3, 1)
    assert result.refused == {"999999999999": "encrypted_document"}
    assert [item.key for item in result.low] == ["999999999999", keys[1]]
    assert json.loads(json.dumps(result.to_json()))["files"] == 3
    assert result.table().row_count == len(result.rows())


def test_missing_programs_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError, match="poppler-utils"):
        recall.run()
    with pytest.raises(UsageError, match="libreoffice-writer"):
        inputs.program("soffice")


@pytest.mark.long
@needs_pdftotext
def test_pdftotext_of_a_broken_file_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "x.pdf").write_bytes(b"%PDF-1.7 broken")
    assert inputs.pdf_text(tmp_path / "x.pdf") == ""


@pytest.mark.long
@needs_peers
def test_samples_against_both_peers() -> None:
    result = recall.run()
    assert (result.recall, result.low, result.refused) == (1.0, [], {})
    assert set(result.formats) == {"pdf", "docx", "odt", "rtf", "html"}


def test_formats_by_hand() -> None:
    group = [document("a b c d", 1, "pdf"), document("a b c", 2, "docx"), document("a b c d", 3, "odt")]
    result = formats.summary([group])
    assert [pair.jaccard for pair in result.pairs] == [0.75, 0.75, 1.0]
    assert result.by_formats == {"docx and odt": (1, 0.75), "docx and pdf": (1, 0.75), "odt and pdf": (1, 1.0)}
    assert (result.resumes, result.files, result.mean) == (1, 3, 2.5 / 3)
    assert json.loads(json.dumps(result.to_json()))["pairs"][0]["only_first"] == 1
    assert result.table().row_count == len(result.rows())


def test_files_that_differ_in_their_suffix_are_one_resume(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Ann Example grows roses")
    (tmp_path / "a.html").write_text("<p>Ann Example <b>grows</b> roses</p>")
    (tmp_path / "b.txt").write_text("someone else")
    result = formats.run(tmp_path)
    assert (result.resumes, result.files, result.mean) == (1, 2, 1.0)


def test_formats_needs_resumes_in_several_formats(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Ann Example")
    with pytest.raises(UsageError, match="several formats"):
        formats.run(tmp_path)
    with pytest.raises(UsageError, match="--data"):
        formats.run()


def test_known_groups_are_found_by_content(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [parse(text.encode()) for text in ("one two", "one three", "other")]
    keys = [key_of(item) for item in documents]
    monkeypatch.setattr(formats, "SAME_RESUME", ((keys[0], keys[1], "ffffffffffff"), (keys[2], "eeeeeeeeeeee")))
    assert formats.known_groups(documents) == [documents[:2]]
