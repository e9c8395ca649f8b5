"""Who scored above the sample's median, as Local Law 144 defines a scoring rate. Ties at the median are not above."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evenhand.audit.outcomes.counting import Flags


def above_median(scores: NDArray[np.float64]) -> tuple[Flags, float]:
    """The median is of all scores, also of people whose group is unknown: they are in the sample too."""
    median = float(np.median(scores))
    return scores > median, median
