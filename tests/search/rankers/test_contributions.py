"""Tables of addends: sums are exact, and joined tables keep their reasons."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evenhand.search.rankers.base import Contributions, join

addends = st.floats(-1e5, 1e5, allow_nan=False)


def _table(rows: list[list[float]]) -> Contributions:
    names = tuple(f"part {at}" for at in range(3))
    return Contributions(names, np.array(rows), lambda row, column: f"{row} {column}")


@given(st.lists(st.lists(addends, min_size=3, max_size=3), min_size=1, max_size=4))
def test_totals_are_the_exact_sums_of_the_parts(rows: list[list[float]]) -> None:
    table = _table(rows)
    for row, total in enumerate(table.totals()):
        assert total == float(sum(map(Fraction, table.values[row].tolist()), Fraction()))
        assert total == table.score(row).value


def test_a_last_bit_survives_a_bonus() -> None:
    """0.3 and 0.3 + 2^-40 stay that far apart however large the bonus that both are given."""
    table = _table([[0.1, 0.2, 0.0], [0.3, 0.0, 0.0], [0.3 + 2.0**-40, 0.0, 0.0]])
    bonus = Contributions(("bonus",), np.full((3, 1), 1000.0), lambda *_: "given to all")
    before, after = table.totals(), join((table, bonus)).totals()
    assert [total + 1000 for total in before] == after
    assert after[2] > after[1]


def test_joined_tables_keep_their_reasons() -> None:
    joined = join((_table([[1.0, 2.0, 3.0]]), _table([[4.0, 5.0, 6.0]])))
    assert [part.reason for part in joined.score(0).parts] == ["0 2", "0 1", "0 0", "0 2", "0 1", "0 0"]
    assert joined.totals() == [21.0]
