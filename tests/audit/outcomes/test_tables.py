"""Tables as spreadsheets write them, and columns as samples."""

from __future__ import annotations

import gzip
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from evenhand.audit.outcomes.run import audit_table_outcomes, checked_day, parse_left_out
from evenhand.audit.outcomes.tables import OutcomeTable, TableColumns, read_table, table_sample
from evenhand.errors import UsageError

TEXT = "sex;hired;note\nfemale;yes;a\nmale;no\n\n"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        TEXT.encode("utf-8-sig"),
        TEXT.encode("utf-16"),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace(";", "\t").encode(),
        TEXT.replace(";", ",").encode(),
        gzip.compress(TEXT.encode(), mtime=0),
        b'{"sex": "female", "hired": true, "note": "a"}\n\n{"sex": "male", "hired": false}\n',
    ],
)
def test_dialects(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "t.csv").write_bytes(data)
    table = read_table(tmp_path / "t.csv")
    assert table.heads == ("sex", "hired", "note")
    assert table.rows == (("female", "yes", "a"), ("male", "no", ""))
    assert table.column(" SEX ") == ["female", "male"]


def test_old_windows_letters(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("place,n\nMálaga,1\n".encode("cp1252"))
    assert read_table(tmp_path / "t.csv").rows == (("Málaga", "1"),)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b"\x1f\x8b\x08\x00broken", "it is damaged"),
        (b'{"a": 1}\n[1]\n', "line 2, is not an object"),
        (b'{"a": 1}\n{"a"\n', "line 2, is not JSON"),
        (b"a,b\n" + b"x" * 200_000 + b",1\n", "cannot be read as a table"),
    ],
)
def test_what_is_no_table(tmp_path: Path, data: bytes, words: str) -> None:
    (tmp_path / "t.csv").write_bytes(data)
    with pytest.raises(UsageError, match=words):
        read_table(tmp_path / "t.csv")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_table(tmp_path / "none.csv")
    with pytest.raises(UsageError, match="has no column 'race'; it has sex"):
        OutcomeTable("t.csv", ("sex",), ()).column("race")


def sample(columns: TableColumns, heads: str, *rows: str) -> tuple[object, ...]:
    table = OutcomeTable("t.csv", tuple(heads.split()), tuple(tuple(row.split(",")) for row in rows))
    found, skipped = table_sample(table, columns)
    assert found.selected is not None
    scores = None if found.scores is None else np.nan_to_num(found.scores, nan=-1).tolist()
    return found.selected.tolist(), found.groups, scores, found.bands, found.days, skipped


def test_columns_of_a_table() -> None:
    columns = TableColumns("call", ("sex",), score="score", band="level", time="day")
    assert sample(
        columns,
        "sex call score level day",
        "f,1.0,3.5,junior,2026-01-31",
        "Prefer not to say,no,,,2026-02",
        "m,YES,4,senior,2026-03-01T10:00:00Z",
        "m,,5,senior,2026-03-01",
    ) == (
        [True, False, True],
        {"sex": ["f", None, "m"]},
        [3.5, -1.0, 4.0],
        ["junior", None, "senior"],
        [date(2026, 1, 31), date(2026, 2, 1), date(2026, 3, 1)],
        1,
    )


def test_which_values_count_as_selected() -> None:
    columns = TableColumns("stage", ("sex",), selected=("Interview", "offer"))
    selected, *_ = sample(columns, "sex stage", "f,offer", "m,interview", "m,screened")
    assert selected == [True, True, False]
    with pytest.raises(UsageError, match=r"What does stage 'offer' mean\? Say with --selected"):
        sample(TableColumns("stage", ("sex",)), "sex stage", "f,offer")
    with pytest.raises(UsageError, match="No row has stage hired"):
        sample(TableColumns("stage", ("sex",), selected=("hired",)), "sex stage", "f,offer")


def test_numbers_become_bands() -> None:
    columns = TableColumns("call", ("sex",), band="years")
    _, _, _, few, _, _ = sample(columns, "sex call years", *(f"f,1,{n}" for n in (10, 9, 10)))
    assert few == ["10", "9", "10"]
    table = OutcomeTable("t", ("sex", "call", "years"), tuple(("f", "1", str(n)) for n in range(1, 13)))
    found, _ = table_sample(table, columns)
    # The quartiles of 1 to 12 are 3.75, 6.5 and 9.25.
    assert found.band_order == ("up to 3.75", "over 3.75 up to 6.5", "over 6.5 up to 9.25", "over 9.25")
    assert found.bands == [found.band_order[at // 3] for at in range(12)]
    same = OutcomeTable("t", table.heads, (*table.rows, *[("f", "1", "12")] * 90))
    assert set(table_sample(same, columns)[0].bands or ()) > {"up to 3.75"}


@pytest.mark.parametrize(
    ("columns", "row", "words"),
    [
        (TableColumns("call", ()), "f,1,1", "Name at least one column"),
        (TableColumns(None, ("sex",)), "f,1,1", "Name the column of the outcome"),
        (TableColumns("call", ("sex",)), "f,,1", "has no row with an outcome"),
        (TableColumns("call", ("sex",), score="x"), "f,1,good", "Row 2: the score 'good' is not a number"),
        (TableColumns("call", ("sex",), time="x"), "f,1,31.1.2026", "Row 2: '31.1.2026' is not a day"),
    ],
)
def test_what_cannot_be_measured(columns: TableColumns, row: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        sample(columns, "sex call x", row)


def test_a_column_of_names_is_no_group() -> None:
    table = OutcomeTable("t", ("name", "call"), tuple((f"n{at}", "1") for at in range(61)))
    with pytest.raises(UsageError, match="'name' has 61 different values"):
        table_sample(table, TableColumns("call", ("name",)))


def test_a_table_is_audited_without_a_store(tmp_path: Path) -> None:
    """The counts of a known field experiment: 157 of 2,435 and 235 of 2,435 called back."""
    rows = ["a,1"] * 157 + ["a,0"] * 2278 + ["b,1"] * 235 + ["b,0"] * 2200 + ["b,"]
    (tmp_path / "t.csv").write_text("\n".join(["group,call", *rows]))
    report = audit_table_outcomes(tmp_path / "t.csv", TableColumns("call", ("group",)))
    [finding] = report.findings
    assert (finding.code, finding.severity) == ("impact.group.selection", "concern")
    figures = [finding.figures[name] for name in ("rate", "reference_rate", "ratio", "ratio_low", "ratio_high", "p")]
    expected = [0.064476, 0.096509, 0.668085, 0.550241, 0.811168, 4.7587e-05]
    assert figures == pytest.approx(expected, rel=1e-4)
    assert report.data["rows_left_out"] == 1
    assert report.to_json()["worst"] == "concern"


def test_wishes_are_read() -> None:
    assert parse_left_out(["race=Two or more=few = 3"]) == {"race": {"Two or more": "few = 3"}}
    with pytest.raises(UsageError, match="VARIABLE=GROUP=WHY"):
        parse_left_out(["race=Two or more="])
    assert checked_day("2026-01-31") == "2026-01-31"
    with pytest.raises(UsageError, match="write it as 2026-01-31"):
        checked_day("31/1/2026")
