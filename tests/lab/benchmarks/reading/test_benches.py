"""The benches themselves: small runs, and figures worked out by hand."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path

import pytest

from evenhand.documents.parse import failed
from evenhand.documents.sandbox.pool import ReadResult
from evenhand.errors import CorruptDocument, DocumentError, EncryptedDocument, ParseTimeout, UsageError
from evenhand.progress import no_progress, with_progress
from evenhand_lab.benchmarks import corpus, kit, measurements
from evenhand_lab.benchmarks.reading import fuzz, hostile, speed


def reading(error: DocumentError, seconds: float, peak_bytes: int = 0, cause: str | None = None) -> ReadResult:
    return ReadResult(failed(error, file=None, sha256=""), seconds, cause, "", peak_bytes)


READINGS = [
    reading(EncryptedDocument(), 0.5, 10),
    reading(CorruptDocument(), 0.1, 70),
    reading(CorruptDocument(f"{CorruptDocument.sentence} (KeyError)"), 0.2, 30),
    reading(CorruptDocument(), 0.3, 20, cause="PanicException"),
    reading(ParseTimeout(), 18.0, 40),
]


def test_hostile_figures() -> None:
    result = hostile.summary(["a", "b", "c", "d", "e"], READINGS, limit_bytes=100)
    assert result.outcomes == {"corrupt_document": 3, "encrypted_document": 1, "parse_timeout": 1}
    assert result.unclassified == {"KeyError": ["c"], "PanicException": ["d"]}
    assert (result.median_seconds, result.p99_seconds, result.max_seconds) == (0.3, 18.0, 18.0)
    assert result.peak_bytes == 70
    assert json.loads(json.dumps(result.to_json()))["files"] == 5


@pytest.mark.long
def test_hostile_samples_are_all_named() -> None:
    result = hostile.run()
    assert result.unclassified == {}
    assert result.outcomes["encrypted_document"] == 1
    assert result.table().row_count == len(result.rows())


def test_fuzz_notes_what_it_finds() -> None:
    result = fuzz.Fuzz(cases=5, seed=1, seed_files=1, limit_bytes=60)
    for number, item in enumerate(READINGS):
        fuzz.note(result, number, item, latest=17.0)
    assert result.findings == {"memory": [1], "KeyError": [2], "PanicException": [3], "late": [4]}
    assert result.to_json()["max_seconds"] == 18.0


def test_fuzz_keeps_what_it_finds(tmp_path: Path) -> None:
    result = fuzz.Fuzz(cases=1, seed=4, seed_files=1, limit_bytes=60, findings={"KeyError": [9]})
    fuzz.keep(result, "KeyError", 9, b"data", tmp_path / "kept")
    assert (tmp_path / "kept" / "KeyError-4-9").read_bytes() == b"data"


@pytest.mark.long
def test_damaged_samples_are_all_named(tmp_path: Path) -> None:
    result = fuzz.run(n=400, seed=20, out=tmp_path)
    assert result.findings == {}
    assert sum(result.outcomes.values()) == 400
    assert result.outcomes["parsed"] > 50


def test_cases_can_be_made_again_one_by_one() -> None:
    originals = [b"one file", b"another file"]
    assert fuzz.case(originals, 3, 17) == fuzz.case(originals, 3, 17)
    assert len({fuzz.case(originals, 3, number) for number in range(20)}) > 10


@pytest.mark.long
def test_speed_measures_both_sides() -> None:
    result = speed.run(n=6, memory_files=40)
    assert result.files == 6
    assert result.ours_one_core > 0
    assert result.bare_one_core > 0
    assert 0 < result.ratio_to_bare < 2
    assert result.ours_cpu_seconds > result.bare_cpu_seconds > 0
    assert result.parent_bytes[1] > 1_000_000
    assert result.children_bytes[1] > 1_000_000
    assert result.table().row_count == len(result.rows())


def test_speed_needs_pdfs_with_text(tmp_path: Path) -> None:
    (tmp_path / "x.pdf").write_bytes(b"%PDF-1.7")
    with pytest.raises(UsageError, match="no PDF with text"):
        speed.run(tmp_path)


def test_quarters() -> None:
    assert speed.quarters([1, 3, 9, 9, 9, 9, 5, 7]) == (2, 6)


def test_quantiles_are_values_that_occurred() -> None:
    assert kit.quantile([1, 2, 3, 4], 0.5) == 2
    assert kit.quantile([1, 2, 3, 4], 0.99) == 4
    assert kit.quantile([7], 0.5) == 7


def test_record_replaces_its_own_section_only(tmp_path: Path) -> None:
    path = tmp_path / "docs" / "measurements.md"
    first = hostile.summary(["a"], READINGS[:1], limit_bytes=100)
    second = hostile.summary(["a", "b"], READINGS[:2], limit_bytes=100)
    measurements.record("hostile", first, command="evenhand bench hostile", path=path)
    measurements.record("coverage", first, command="evenhand bench coverage", path=path)
    measurements.record("hostile", second, command="evenhand bench hostile", path=path)
    text = path.read_text()
    assert text.startswith("# Measurements\n")
    assert text.count("<!-- bench:hostile -->") == text.count("<!-- /bench:hostile -->") == 1
    assert text.index("| files | 2 |") < text.index("<!-- bench:coverage -->") < text.index("| files | 1 |")
    assert "Machine: " in text


@pytest.mark.long
def test_corpus_bench() -> None:
    result = corpus.run(n=4)
    assert set(result.text_seconds) == set(result.files_seconds) == {"it", "crc", "mixed"}
    assert result.to_json()["resumes"] == 4
    assert result.rows()[0][1].endswith("(at most 0.08)")
    assert result.rows()[-1][0] == "highest memory over 16"
    assert result.table().row_count == 8


def test_a_bar_counts_every_item() -> None:
    class Counting:
        steps = 0

        def advance(self) -> None:
            self.steps += 1

    bar = Counting()
    labels: list[tuple[str, int]] = []

    def progress(label: str, total: int) -> nullcontext[Counting]:
        labels.append((label, total))
        return nullcontext(bar)

    assert list(with_progress("abc", progress, "letters", 3)) == ["a", "b", "c"]
    assert (bar.steps, labels) == (3, [("letters", 3)])
    assert list(with_progress("abc", no_progress, "letters", 3)) == ["a", "b", "c"]
