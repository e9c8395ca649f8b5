"""How often each resume mentions each of a few terms: the small dense table that term scores are made from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evenhand.search.analysis import term_id
from evenhand.search.digest import Digest


def frequencies(terms: Sequence[str], digests: Sequence[Digest]) -> NDArray[np.float64]:
    """Resumes x terms."""
    table = np.zeros((len(digests), len(terms)))
    if not terms or not digests:
        return table
    numbers = np.concatenate([digest.terms for digest in digests])
    wanted = np.array([term_id(term) for term in terms], np.uint32)
    order = np.argsort(wanted, kind="stable")
    # Nearly all terms of a resume are no term of the query; a look-up by the lower half of the number drops these
    # at a tenth of the cost of searching for each.
    perhaps = np.zeros(1 << 16, np.bool_)
    perhaps[wanted & 0xFFFF] = True
    kept = np.flatnonzero(perhaps[numbers & 0xFFFF])
    at = np.minimum(np.searchsorted(wanted, numbers[kept], sorter=order), len(terms) - 1)
    columns = order[at]
    same = wanted[columns] == numbers[kept]
    kept, columns = kept[same], columns[same]
    rows = np.repeat(np.arange(len(digests)), [len(digest.terms) for digest in digests])[kept]
    table[rows, columns] = np.concatenate([digest.counts for digest in digests])[kept]
    return table


def lengths(digests: Sequence[Digest]) -> NDArray[np.float64]:
    return np.array([digest.length for digest in digests], np.float64)
