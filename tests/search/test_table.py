"""A table of digests gives as columns, end to end, what each digest has."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.records.profile import DEGREE_LEVELS, Profile
from evenhand.search.feature_extraction import extract_features
from evenhand.search.features import FeatureTable, ResumeFeatures, month_number
from tests.search.rankers.resumes import AS_OF, SOURCE, digest, position, profile

TEXTS = ("Java, java and SQL", "", "Nurse with Java")
COLUMNS = ("terms", "counts", "uses", "skills", "roles", "title_terms", "field_terms")


def _digests() -> list[ResumeFeatures]:
    held = Profile(
        SOURCE,
        AS_OF,
        positions=(position("Nurse", "2010-01", "2012-03", 27), position("Cook", None, None, None)),
        total_months=27,
        highest_degree="master",
    )
    worked = extract_features("x" * 300, profile(in_project=True, project_end="2012-01"))
    return [*map(digest, TEXTS), worked, extract_features("y" * 300, held)]


@pytest.fixture(params=["digests", "bytes"])
def table(request: pytest.FixtureRequest) -> FeatureTable:
    if request.param == "digests":
        return FeatureTable.of(_digests())
    return FeatureTable([each.to_bytes() for each in _digests()])


@pytest.mark.parametrize("column", COLUMNS)
def test_columns_are_those_of_the_digests(table: FeatureTable, column: str) -> None:
    expected = [getattr(each, column) for each in _digests()]
    assert getattr(table, column).tobytes() == b"".join(array.tobytes() for array in expected)
    assert table.numbers(column).tolist() == [len(array) for array in expected]
    owners = [row for row, array in enumerate(expected) for _ in array]
    assert table.rows(column).tolist() == owners


def test_headers_are_those_of_the_digests(table: FeatureTable) -> None:
    digests = _digests()
    assert table.headers["length"].tolist() == [each.length for each in digests]
    assert table.headers["as_of"].tolist() == [each.as_of for each in digests]
    assert table.headers["total"].tolist() == [-1, -1, -1, -1, 27]
    assert table.headers["degree"].tolist() == [-1, -1, -1, -1, DEGREE_LEVELS.index("master")]


def test_last_months_are_of_positions_or_of_reading(table: FeatureTable) -> None:
    read, ended = month_number(AS_OF), month_number("2012-03")
    assert table.last_months.tolist() == [read, read, read, read, ended]


def test_single_digests_come_out_as_they_went_in(table: FeatureTable) -> None:
    assert len(table) == 5
    assert [each.to_bytes() for each in table] == [each.to_bytes() for each in _digests()]
    assert table[-1].degree == "master"
    assert [each.length for each in table[:2]] == [3, 0]
    with pytest.raises(IndexError):
        table[5]


def test_an_empty_table_has_empty_columns() -> None:
    table = FeatureTable.of([])
    assert len(table) == len(table.terms) == len(table.roles) == 0
    assert table.last_months.dtype == np.float64


@pytest.mark.parametrize("data", [b"", b"EHDG", b"?" * 60, b"EHDG\xff\xff" + b"\0" * 60])
def test_what_is_no_digest_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="not digests"):
        FeatureTable([digest(TEXTS[0]).to_bytes(), data])
