"""Header cells against the labels that announce a column."""

from __future__ import annotations

import pytest
from rapidfuzz.distance import JaroWinkler

from evenhand.mining.tables.features import contents_of
from evenhand.mining.tables.shape import is_label, similarities


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        ("YEAR OF PASSING", "year"),
        ("Board (or) University", "university"),
        ("%Percentage", "performance"),
        ("Degree/Exams", "degree"),
        ("Organisaton", "employer"),
        ("Father’s Name:", "personal"),
    ],
)
def test_wordings_come_near_their_kind(cell: str, kind: str) -> None:
    assert similarities(cell)[kind] >= 0.92
    assert is_label(cell)


@pytest.mark.parametrize("cell", ["", "Northfield Technical University, Hillview", "Asta Lindqvist", "72.5%"])
def test_values_are_no_labels(cell: str) -> None:
    assert not is_label(cell)


def test_the_similarity_is_that_of_the_nearest_label() -> None:
    assert similarities("Specialisations")["specialization"] == pytest.approx(
        JaroWinkler.similarity("specialisations", "specialisation"), abs=1e-6
    )


def test_contents_of_cells() -> None:
    cells = ["B.E. in Mechanical Engineering", "2014", "72%", "", "Jan 2010 - Mar 2012", "till date", "a@b.example"]
    degree, year, result, nothing, period, open_end, email = contents_of(cells)
    assert {"degree", "field"} <= degree
    assert {"point", "date_alone", "year_alone"} <= year
    assert "result" in result
    assert nothing == frozenset()
    assert {"range", "date_alone"} <= period
    assert {"point", "date_alone"} <= open_end
    assert email == {"email"}
