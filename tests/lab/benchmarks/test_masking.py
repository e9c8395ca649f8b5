"""The bench of masking: what counts as left, what counts as masked wrongly, and a small run."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from evenhand.errors import UsageError
from evenhand.masking.masks import Mask
from evenhand.progress import no_progress
from evenhand_lab.benchmarks import masking
from evenhand_lab.benchmarks.masking import MaskingCase
from tests.masking.resumes import profile

TEXT = "Jane Doe\njane@example.com, 404-555-0125, 9 Elm Street\nShe sold Stone floors for Doe Tools. Harl University"
CASE = MaskingCase(
    TEXT,
    profile(TEXT, name="Jane Doe", email="jane@example.com", phone="404-555-0125"),
    name="Jane Doe",
    values={
        "e-mail": ("jane@example.com",),
        "phone": ("(404) 555 0125",),
        "street": ("9 Elm Street",),
        "school": ("Harl University",),
        "skill": ("Stone floors",),
        "employer": ("Doe Tools",),
    },
)


@pytest.mark.parametrize(
    ("kind", "text", "mentions"),
    [
        ("name", TEXT, ["Jane", "Doe", "Doe"]),
        ("name", "[name], jane, JANET, Doe Tools", ["Doe"]),
        ("name", "by JANE, janedoe", ["JANE", "janedoe"]),
        ("e-mail", "JANE@example.com", ["JANE@example.com"]),
        ("e-mail", "jane at example", []),
        ("phone", "call 555.0125", ["555.0125"]),
        ("phone", "404 555", []),
        ("street", "9 Elm Street, Elko", ["9 Elm Street"]),
        ("school", "harl university", ["harl"]),
        ("school", "WORK\nharl university", []),  # an employer
        ("link", TEXT, []),
        ("user name", "github.com/jane-d and jane-d", ["jane-d", "jane-d"]),
        ("demographic", "for her", ["her"]),
        ("demographic", "Sex: Male, Mrs. Doe, born in Elko, married", ["Male", "Mrs.", "Elko", "married"]),
        ("demographic", "HIS, hero, the, Ms Word", []),
        ("demographic", "born on the 13 May, Ms Outlook, Sex:\nMale\n: Hindu\nIndian food", ["13", "Male", "Hindu"]),
    ],
)
def test_what_counts_as_a_mention(kind: str, text: str, mentions: list[str]) -> None:
    places = masking.personal_mentions(replace(CASE, text=text), kind)
    assert [text[start:end] for start, end in places] == mentions


def test_the_name_of_a_skill_and_a_month_are_no_mentions() -> None:
    text = "May Stone: Stone floors, May 2019"
    case = replace(CASE, text=text, name="May Stone")
    assert masking.personal_mentions(case, "name") == [(0, 3), (4, 9)]


def test_a_mention_is_left_unless_one_mask_covers_it() -> None:
    masks = [Mask(0, 8, "name"), Mask(10, 12, "contact")]
    assert masking.left([(0, 4), (5, 8), (8, 9), (9, 12), (10, 11)], masks) == [(8, 9), (9, 12)]


def test_what_counts_as_masked_wrongly() -> None:
    stone, tools = TEXT.index("Stone"), TEXT.index("Doe Tools")
    mentions = [(stone, stone + 12), (tools, tools + 9)]
    for mask, wrong in [
        (Mask(stone, stone + 5, "name"), mentions[:1]),
        (Mask(tools, tools + 3, "name"), []),  # her name in an employer's
        (Mask(tools, tools + 9, "name"), mentions[1:]),
        (Mask(stone, stone + 5, "gender", "[x]"), []),
        (Mask(tools, tools + 9, "school"), []),
    ]:
        assert masking.wrongly_masked(CASE, mentions, [mask]) == wrong


def test_figures_of_two_resumes() -> None:
    result = masking.measure([CASE, replace(CASE, name=None, part="other half")], "hand-made")
    assert (result.resumes, result.words, list(result.leaks)) == (2, 32, ["", "other half"])
    leaks = result.leaks[""]
    assert {kind: (leak.having, leak.left) for kind, leak in leaks.items() if leak.having} == {
        "name": (1, 0), "e-mail": (1, 0), "phone": (1, 0), "street": (1, 0), "school": (1, 0), "demographic": (1, 0),
    }  # fmt: skip
    assert (leaks["name"].mentions, leaks["name"].left_mentions) == (3, 0)
    # Of the second the name is not known, so that its mask in Doe Tools counts as wrong.
    assert [result.work[part]["employer"].left_mentions for part in result.work] == [0, 1]
    rows = dict(result.rows())
    assert rows["hand-made resumes, words"] == "2, 32"
    assert rows["resumes in which the name is left"] == (
        "0 of 1, 0.0% [0.0%, 79.3%] (at most 0.3%); mentions 0 of 3, 0.0% [0.0%, 56.1%]"
    )
    assert rows["other half: resumes in which the link is left"] == "none has any"
    assert json.loads(json.dumps(result.to_json()))["leaks"][""]["name"]["left"] == 0
    assert "Jane" not in json.dumps(result.to_json()) + str(result.rows())


def test_rows_that_lost_their_line_ends_get_them_back() -> None:
    assert masking.restored('"Jane Doe  Jos\\xc3\\xa9  Elko"') == "Jane Doe\nJosé\nElko"
    assert masking.restored("Jane  Doe\nElko") == "Jane  Doe\nElko"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Jane Doe\njane@example.com", "Jane Doe"),
        ("CURRICULUM VITAE\n\nName : Ms. JANE M. DOE", "JANE M. DOE"),
        ("PHONE NO.\nJane Doe", None),
        ("jane@example.com\nJane Doe", None),
        ("12 Elm Street", None),
        ("", None),
    ],
)
def test_the_name_on_top_of_a_resume(text: str, name: str | None) -> None:
    assert masking.name_on_top(text) == name


def test_words_of_file_names_that_name_nobody_may_be_joined() -> None:
    assert masking.owner_of(Path("someone__PeopleSoft_JaneDoe-resume.docx")) == ("someone", ("jane", "doe"))


def test_resumes_in_a_table_of_lines_begin_where_another_address_stands(tmp_path: Path) -> None:
    rows = [("Jane Doe", "meta"), ("jane@example.com", "meta"), ("Sold floors", "content"), ("Married", "meta")]
    rows += [("Work", "header"), ("John Roe", "meta"), ("john@example.com", "meta"), ("Sold doors", "content")]
    folder = tmp_path / masking.LINES
    folder.mkdir()
    with gzip.open(folder / "clean_cv_data.csv.gz", "wt", encoding="utf-8") as file:
        file.write("clean_text,main_label,sub_label\n" + "".join(f"{text},{label},others\n" for text, label in rows))
    jane, john = masking.lines(tmp_path, [], no_progress)
    assert (jane.name, jane.values["e-mail"]) == ("Jane Doe", ["jane@example.com"])
    assert (john.name, jane.text.strip()[-12:]) == ("John Roe", "Married\nWork")
    assert [case.name for case in masking.lines(tmp_path, [john], no_progress)] == ["Jane Doe"]


@pytest.mark.long
def test_a_small_run() -> None:
    result = masking.run(n=6)
    assert (result.source, result.resumes) == ("generated", 6)
    assert all(leak.left == 0 for leak in result.leaks["generated"].values())
    assert result.leaks["generated"]["demographic"].having == result.leaks["generated"]["name"].having == 6
    assert result.table().row_count == len(result.rows())


def test_a_folder_without_annotated_resumes(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no annotated resumes"):
        masking.run(tmp_path)
