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
from evenhand_lab.benchmarks.reading.hidden import (
    CONTROLS,
    DEVELOPMENT,
    FIRST,
    HELD_BACK,
    KINDS,
    MORE_KINDS,
    HiddenTextCase,
    HiddenTextResult,
    as_doc,
    cases,
    held_back,
    kinds_of,
)
from evenhand_lab.benchmarks.reading.hiding.resumes import KEYWORDS, PROMPT, make_resume, words_of

needs_libreoffice = pytest.mark.skipif(
    shutil.which("soffice") is None, reason="LibreOffice, which writes old Word files, is not installed"
)


def test_every_kind_in_every_format() -> None:
    result = HiddenTextResult.of(hidden.outcomes_of(list(cases(1))))
    assert result.wrong == {}
    assert (result.all.recall, result.all.leaked, result.all.lost) == (1.0, 0, 0)
    assert {name: figures.kinds for name, figures in result.formats.items()} == {
        name: len(kinds) for name, kinds in KINDS.items()
    }
    assert result.all.controls == sum(map(len, CONTROLS.values()))


@pytest.mark.parametrize("name", MORE_KINDS)
def test_further_kinds(name: str) -> None:
    """One file of every kind for development and of every further control; the held-back kinds are only measured."""
    made = [case for case in cases(1, DEVELOPMENT) if case.format == name]
    result = HiddenTextResult.of(hidden.outcomes_of(made))
    assert result.wrong == {}
    assert (result.all.recall, result.all.leaked, result.all.lost) == (1.0, 0, 0)


def test_there_are_enough_kinds() -> None:
    assert min(len(kinds) for name, kinds in KINDS.items() if name != "txt") >= 8
    assert min(len(controls) for name, controls in CONTROLS.items() if name != "txt") >= 10


def test_further_kinds_are_parted_by_a_fixed_rule() -> None:
    further = {subset: kinds_of(subset) for subset in (DEVELOPMENT, HELD_BACK)}
    for name, kinds in MORE_KINDS.items():
        open_kinds, apart = further[DEVELOPMENT][name][0], further[HELD_BACK][name][0]
        assert open_kinds.keys() | apart.keys() == kinds.keys()
        assert not open_kinds.keys() & apart.keys()
        assert len(apart) == len(kinds) // 3
        assert not kinds.keys() & KINDS[name].keys()
    assert held_back(["clock", "river", "stone", "cloud", "amber", "quilt"]) == {"amber", "stone"}
    assert sum(map(len, MORE_KINDS.values())) >= 90


@pytest.mark.long
@needs_libreoffice
def test_old_word_files(tmp_path: Path) -> None:
    written = [case for case in cases(1) if case.format == "docx"]
    converted = as_doc(written, tmp_path)
    assert len(converted) >= 25
    wrong = [case.kind for case in converted if not hidden.judge(case, parse(case.data)).is_right]
    assert wrong == []


@pytest.mark.parametrize("subset", [FIRST, DEVELOPMENT, HELD_BACK])
def test_cases_are_the_same_every_time(subset: str) -> None:
    assert [case.data for case in cases(1, subset)] == [case.data for case in cases(1, subset)]


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


def test_words_that_are_no_text_of_the_page_may_be_left_out() -> None:
    case = replace(CASE, reasons=("hidden_style", "absent"))
    assert hidden.judge(case, document("a b")).is_right
    assert hidden.judge(case, document("a b", ("x y", "hidden_style"))).is_right
    assert not hidden.judge(case, document("a b", ("x y", "tiny"))).is_right
    assert not hidden.judge(case, document("a b x")).is_right


def test_a_kind_without_reasons_takes_any() -> None:
    case = replace(CASE, reasons=())
    assert hidden.judge(case, document("a b", ("x y", "covered"))).is_right
    assert not hidden.judge(case, document("a b")).is_right


def test_figures() -> None:
    control = replace(CASE, kind="control", reasons=(), seen=frozenset("abxy"), unseen=frozenset())
    outcomes = [
        hidden.judge(CASE, document("a b", ("x y", "tiny"))),
        hidden.judge(CASE, document("a b x", ("y", "tiny"))),
        hidden.judge(control, document("a b", ("x y", "tiny"))),
    ]
    of_kinds = HiddenTextResult.of(outcomes)
    assert of_kinds.all == hidden.HiddenTextMetrics(1, 2, 0.75, 1, 0, 1.0, 1, 1)
    assert of_kinds.wrong == {"txt, kind": 1, "txt, control": 1}
    assert HiddenTextResult.of(outcomes, named=False).wrong == {"txt": 2}
    result = hidden.HiddenWords({"first": of_kinds}, hidden.Real(200, {"abc": "pdf: tiny, 3 words"}))
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
