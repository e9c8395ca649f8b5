"""The bench of masking: what counts as left, what counts as masked wrongly, and a small run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from evenhand.errors import UsageError
from evenhand.masking.masks import Mask
from evenhand_lab.benchmarks import masking
from evenhand_lab.benchmarks.masking import MaskingCase
from tests.masking.resumes import profile

TEXT = "Jane Doe\njane@example.com, 404-555-0125, 9 Elm Street\nShe sold Stone floors for Doe Tools. Harl University"
CASE = MaskingCase(
    TEXT,
    profile(TEXT, name="Jane Doe", email="jane@example.com", phone="404-555-0125"),
    file=None,
    name="Jane Doe",
    emails=("jane@example.com",),
    phones=("(404) 555 0125",),
    streets=("9 Elm Street",),
    schools=("Harl University",),
    work=("Stone floors", "Doe Tools"),
)


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        ("name", TEXT, True),
        ("name", "[name], jane, JANET, Doe Tools", False),  # Doe is a word of work here
        ("name", "by JANE", True),
        ("e-mail", "JANE@example.com", True),
        ("e-mail", "jane at example", False),
        ("phone", "call 555.0125", True),
        ("phone", "404 555", False),
        ("street", "9 Elm Street, Elko", True),
        ("school", "harl university", True),
        ("link", TEXT, False),
        ("pronoun", "for her", True),
        ("pronoun", "HIS, hero, the", False),
    ],
)
def test_what_counts_as_left(kind: str, text: str, found: bool) -> None:
    assert masking.has(CASE, kind, text) is found


def test_what_counts_as_masked_wrongly() -> None:
    stone, tools = TEXT.index("Stone"), TEXT.index("Doe Tools")
    masks = [
        Mask(0, 8, "name"),
        Mask(stone, stone + 5, "name"),
        Mask(tools, tools + 3, "name"),  # her name in an employer's
        Mask(stone, stone + 5, "gender", "[x]"),
        Mask(tools, tools + 9, "school"),
    ]
    assert masking.count_false(CASE, masks) == 1


def test_figures_of_one_resume() -> None:
    result = masking.measure([CASE, replace(CASE, name=None, streets=())], "hand-made")
    # Of the second the name is not known, so that its mask in Doe Tools counts as wrong.
    assert (result.resumes, result.words, result.false_masks) == (2, 32, 1)
    assert {kind: (leak.having, leak.left) for kind, leak in result.leaks.items()} == {
        "name": (1, 0), "e-mail": (2, 0), "phone": (2, 0), "street": (1, 0), "link": (0, 0), "school": (2, 0),
        "pronoun": (2, 0),
    }  # fmt: skip
    rows = dict(result.rows())
    assert rows["hand-made resumes, words"] == "2, 32"
    assert rows["resumes in which the name is left"] == "0 of 1, 0.0% (at most 1.0%)"
    assert rows["resumes in which the link is left"] == "none has any"
    assert json.loads(json.dumps(result.to_json()))["leaks"]["name"]["share"] == 0
    assert "Jane" not in json.dumps(result.to_json()) + str(result.rows())


@pytest.mark.long
def test_a_small_run() -> None:
    result = masking.run(n=6)
    assert (result.source, result.resumes) == ("generated", 6)
    assert all(leak.left == 0 for leak in result.leaks.values())
    assert result.leaks["pronoun"].having == result.leaks["name"].having == 6
    assert result.table().row_count == len(result.rows())


def test_a_folder_without_annotated_resumes(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no annotated resumes"):
        masking.run(tmp_path)
