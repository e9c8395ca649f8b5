"""Parquet files that another program wrote are read as they were written, and damaged ones are refused."""

from __future__ import annotations

from base64 import b85decode
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from evenhand.errors import UsageError
from evenhand_lab.corpora.sets.parquet import parquet_rows, run_values, unpack_snappy
from tests.lab.corpora.sets.written import GZIP_2, PLAIN, SNAPPY, ZSTANDARD

ROWS: list[dict[str, Any]] = [
    {
        "hard_text": f"Invented biography number {at} tells of work, work and more work.",
        "profession": at,
        "gender": at % 2,
    }
    for at in range(4)
]


def write(folder: Path, text: str) -> Path:
    path = folder / "train.parquet"
    path.write_bytes(b85decode(text))
    return path


@pytest.mark.parametrize("text", [SNAPPY, PLAIN], ids=["snappy", "plain"])
def test_rows_are_those_that_were_written(text: str, tmp_path: Path) -> None:
    assert list(parquet_rows(write(tmp_path, text))) == ROWS


def test_the_newer_pages_and_gaps(tmp_path: Path) -> None:
    expected = [ROWS[0], ROWS[1] | {"hard_text": None}, *ROWS[2:]]
    assert list(parquet_rows(write(tmp_path, GZIP_2))) == expected


def test_some_columns(tmp_path: Path) -> None:
    found = list(parquet_rows(write(tmp_path, SNAPPY), columns={"gender", "missing"}))
    assert found == [{"gender": at % 2} for at in range(4)]


def test_a_packing_that_is_not_known_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Zstandard"):
        list(parquet_rows(write(tmp_path, ZSTANDARD)))


def test_damage_anywhere_is_refused_or_harmless(tmp_path: Path) -> None:
    whole = b85decode(SNAPPY)
    path = tmp_path / "damaged.parquet"
    for at in range(0, len(whole), 3):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x5A]) + whole[at + 1 :])
        with suppress(UsageError):  # no other error, and no more rows than there are
            assert len(list(parquet_rows(path))) <= len(ROWS)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UsageError, match="not downloaded whole"):
        list(parquet_rows(path))


def test_snappy_repeats_what_it_is_writing() -> None:
    """Six letters by hand: the length, a literal of two, then four bytes from two back."""
    assert unpack_snappy(bytes([6, 1 << 2]) + b"ab" + bytes([0b000_000_01, 2]), 6) == b"ababab"


def test_runs_and_packed_numbers() -> None:
    """The example of the format's description: 0 to 7 in three bits each; before it, five times four."""
    packed = bytes([0b10001000, 0b11000110, 0b11111010])
    assert run_values(bytes([5 << 1, 4, 1 << 1 | 1]) + packed, 3, 13) == [4] * 5 + list(range(8))
