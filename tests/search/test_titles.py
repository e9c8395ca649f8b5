"""Titles that mean the same give the same terms."""

from __future__ import annotations

import pytest

from evenhand.search.analysis import title_terms


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Sr. Accountant II", ["account"]),
        ("Accounting Manager", ["account", "manag"]),
        ("HR Mgr", ["human", "resourc", "manag"]),
        ("IT Director", ["inform", "technolog", "director"]),
        ("Make it work", ["make", "work"]),
        ("Senior", ["senior"]),
        ("Sales Sales Rep", ["sale", "repres"]),
        ("", []),
    ],
)
def test_title_terms(title: str, expected: list[str]) -> None:
    assert title_terms(title) == expected
