"""Whether a resume has the degree a job asks for, and in a field it names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evenhand.records.job import Job
from evenhand.records.profile import DEGREE_LEVELS
from evenhand.search.analysis import term_id, terms
from evenhand.search.digest import UNKNOWN, Digest, DigestTable
from evenhand.search.rankers.fit.background import Background
from evenhand.search.rankers.fit.feature import Feature

LEVEL = 0.6
"""Of the whole, where a job asks for a level and for a field; the rest is the field's."""
_STEPS = 3  # levels below the one asked for at which nothing is left
_UNSTATED = DEGREE_LEVELS.index("highschool")


def measure_education(job: Job, digests: Sequence[Digest], *, background: Background) -> Feature | None:
    levels = _levels(job.degree, digests) if job.degree else None
    fields = _fields(job.fields, digests, background) if job.fields else None
    if levels is not None and fields is not None:
        shares = LEVEL * levels + (1 - LEVEL) * fields
    elif levels is not None:
        shares = levels
    elif fields is not None:
        shares = fields
    else:
        return None

    def reason(row: int) -> str:
        digest = digests[row]
        has = [digest.degree or "no degree stated", *digest.facts.fields[:2]]
        asked = [job.degree or "any degree", " or ".join(job.fields)]
        return f"{', '.join(has)}; asked for {', '.join(filter(None, asked))}"

    return Feature(shares, reason)


def _levels(asked: str, digests: Sequence[Digest]) -> NDArray[np.float64]:
    """Full for the level asked for or a higher one, a third less for every level below."""
    stated = DigestTable.of(digests).headers["degree"]
    below = DEGREE_LEVELS.index(asked) - np.where(stated == UNKNOWN, _UNSTATED, stated).astype(np.float64)
    found: NDArray[np.float64] = np.clip(1 - below / _STEPS, 0.0, 1.0)
    return found


def _fields(asked: Sequence[str], digests: Sequence[Digest], background: Background) -> NDArray[np.float64]:
    """The study whose words are most of all words of the fields asked for."""
    table = DigestTable.of(digests)
    words = table.field_terms
    studies = words["entry"] + 256 * table.rows("field_terms")
    weights = background.word_weights(words["id"])
    wanted = np.array(sorted({term_id(term) for field in asked for term in terms(field)}), np.uint32)
    distinct, at = np.unique(studies, return_inverse=True)
    own = np.bincount(at, weights, len(distinct))
    shared = np.bincount(at, np.where(np.isin(words["id"], wanted), weights, 0.0), len(distinct))
    shares = np.zeros(len(digests))
    likeness = np.divide(shared, own, out=np.zeros(len(distinct)), where=own > 0)
    np.maximum.at(shares, distinct // 256, likeness)
    return shares
