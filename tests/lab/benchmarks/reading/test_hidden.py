"""The bench of hidden words, small: one file of every kind and control, each of which must come out exactly."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from evenhand.documents.parse import failed, parse
from evenhand.errors import EmptyDocument
from evenhand.progress import no_progress
from evenhand.records.document import Document, Hidden
from evenhand_lab.benchmarks.reading import hidden
from evenhand_lab.benchmarks.reading.hidden import CONTROLS, KINDS, HiddenTextCase, as_doc, cases
from evenhand_lab.benchmarks.reading.hiding.resumes import KEYWORDS, PROMPT, make_resume, words_of

needs_libreoffice = pytest.mark.skipif(
    shutil.which("soffice") is None, reason="LibreOffice, which writes old Word files, is not installed"
)


def test_every_kind_in_every_format() -> None:
    made = list(cases(1))
    outcomes = [hidden.judge(*pair) for pair in zip(made, hidden.read_cases(made, no_progress), strict=True)]
    result = hidden.summary(outcomes, None)
    assert result.wrong == {}
    assert (result.all.recall, result.all.leaked, result.all.lost) == (1.0, 0, 0)
    assert {name: figures.kinds for name, figures in result.formats.items()} == {
        name: len(kinds) for name, kinds in KINDS.items()
    }
    assert result.all.controls == sum(map(len, CONTROLS.values()))


def test_there_are_enough_kinds() -> None:
    assert min(len(kinds) for name, kinds in KINDS.items() if name != "txt") >= 8
    assert min(len(controls) for name, controls in CONTROLS.items() if name != "txt") >= 10


@pytest.mark.long
@needs_libreoffice
def test_old_word_files(tmp_path: Path) -> None:
    written = [case for case in cases(1) if case.format == "docx"]
    converted = as_doc(written, tmp_path)
    assert len(converted) >= 25
    wrong = [case.kind for case in converted if not hidden.judge(case, parse(case.data)).is_right]
    assert wrong == []


def test_cases_are_the_same_every_time() -> None:
    assert [case.data for case in cases(1)] == [case.data for case in cases(1)]


def test_no_word_is_both_seen_and_hidden() -> None:
    for variant in range(20):
        resume = make_resume("any", variant)
        assert not words_of([part.text for part in resume.parts]) & words_of([*KEYWORDS, PROMPT])


EMPTY = failed(EmptyDocument(), file=None, sha256="0" * 64)
CASE = HiddenTextCase("txt", "kind", ("tiny",), seen=frozenset("ab"), unseen=frozenset("xy"), data=b"")


def document(text: str, *apart: tuple[str, str]) -> Document:
    return replace(EMPTY, text=text, hidden=tuple(Hidden(words, reason, 1) for words, reason in apart))


@pytest.mark.parametrize(
    ("read", "found", "leaked", "lost", "reason_right"),
    [
        (document("a b", ("x y", "tiny")), 2, 0, 0, True),
        (document("A b x", ("Y", "tiny")), 1, 1, 0, True),
        (document("a", ("b x y", "tiny")), 2, 0, 1, True),
        (document("a b", ("x y", "covered")), 2, 0, 0, False),
        (document("a b x y"), 0, 2, 0, False),
    ],
)
def test_judging(read: Document, found: int, leaked: int, lost: int, reason_right: bool) -> None:
    outcome = hidden.judge(CASE, read)
    assert (outcome.found, outcome.leaked, outcome.lost) == (found, leaked, lost)
    assert outcome.reason_right is reason_right
    assert outcome.is_right is (found == 2 and not lost and reason_right)


def test_a_control_must_be_left_alone() -> None:
    control = replace(CASE, reasons=(), seen=frozenset("abxy"), unseen=frozenset())
    assert hidden.judge(control, document("a b x y")).is_right
    assert not hidden.judge(control, document("a b", ("x y", "tiny"))).is_right


def test_figures() -> None:
    control = replace(CASE, kind="control", reasons=(), seen=frozenset("abxy"), unseen=frozenset())
    outcomes = [
        hidden.judge(CASE, document("a b", ("x y", "tiny"))),
        hidden.judge(CASE, document("a b x", ("y", "tiny"))),
        hidden.judge(control, document("a b", ("x y", "tiny"))),
    ]
    result = hidden.summary(outcomes, hidden.Real(200, {"abc": "pdf: tiny, 3 words"}))
    assert result.all == hidden.HiddenTextMetrics(1, 2, 0.75, 1, 0, 1.0, 1, 1)
    assert result.wrong == {"txt, kind": 1, "txt, control": 1}
    assert ("real resumes with hidden text", "1 of 200, 0.50% (at most 1%)") in result.rows()
    assert json.loads(json.dumps(result.to_json()))["real"]["files"] == 200
    assert result.table().row_count == len(result.rows())


def test_real_files_are_named_by_their_content_only(tmp_path: Path) -> None:
    case = next(case for case in cases(1) if case.kind == "white" and case.format == "html")
    (tmp_path / "Jane Example.html").write_bytes(case.data)
    (tmp_path / "other.txt").write_text("Plain words that everyone can see")
    found = hidden.look_at_real(tmp_path, no_progress)
    assert (found.files, list(found.flagged.values())) == (2, ["html: background_color, 12 words"])
    assert "Jane" not in json.dumps(found.flagged)
