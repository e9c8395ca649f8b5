"""How many single outcomes a finding hangs on. One that two people more or less would undo is no finding.

The Uniform Guidelines' questions and answers (no. 21) ask for exactly this with small numbers.
"""

from __future__ import annotations

import numpy as np

FEW = 2


def is_below_four_fifths(selected: int, n: int, other_selected: int, other_n: int) -> bool:
    """In whole numbers: a ratio of exactly four fifths is not below, whatever floats make of it."""
    return 5 * selected * other_n < 4 * other_selected * n


def changes_to_four_fifths(selected: int, n: int, other_selected: int, other_n: int) -> int:
    """The fewest outcomes to change until the ratio is four fifths: more selected here, or fewer of the others."""
    more = np.arange(n - selected + 1, dtype=object)  # Python's integers, which do not overflow
    # The most the others may have beside selected + more is 5 * other_n * (selected + more) / (4 * n).
    allowed = (5 * other_n * (selected + more)) // (4 * n)
    fewer = np.maximum(other_selected - allowed, 0)
    return int((more + fewer).min())
