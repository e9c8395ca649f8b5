"""What the ledger says of files that came: which applications they became, and how many were refused, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from evenhand.records.event import Draft, Owned, Subject
from evenhand.store.appending import SUBJECTS
from evenhand.store.rows import Arrival, Refusal
from evenhand.version import __version__

Row = Mapping[str, Any]


def versions_of(arrivals: Iterable[Arrival]) -> dict[str, Any]:
    """Of what read and mined them; files mined before, for another job, are not mined again."""
    mined = [arrival.mined for arrival in arrivals if arrival.mined]
    return {
        "evenhand": __version__,
        "miner": sorted({each.miner for each in mined}),
        "digest": sorted({each.digest_version for each in mined}),
    }


def ingest_drafts(rows: Sequence[Row], versions: Mapping[str, Any], actor: str) -> Iterator[Draft]:
    """Events of applications with revisions in a row, for one job and from one source."""
    for (job, source), found in groupby(rows, key=lambda row: (row["job"], row["source"])):
        group = list(found)
        for start in range(0, len(group), SUBJECTS):
            some = group[start : start + SUBJECTS]
            body = {
                "source": source,
                "versions": versions,
                "applications": [Subject(row["id"]) for row in some],
                "revision": some[-1]["revision"],
            }
            sealed = {str(number): _file(row) for number, row in enumerate(some)}
            yield Draft("ingest", actor, job, body=body, sealed=sealed)


def refusal_drafts(refusals: Sequence[Refusal], actor: str) -> Iterator[Draft]:
    jobs = sorted({refusal.job for refusal in refusals})
    for job in jobs:
        codes = Counter(refusal.failure.code for refusal in refusals if refusal.job == job)
        yield Draft("refusal", actor, job, body={"count": codes.total(), "codes": dict(codes)})


def _file(row: Row) -> Owned:
    return Owned(row["id"], {"sha256": row["document"], "file": row["file"]})
