"""How many applicants have each skill, for suggestions."""

from __future__ import annotations

from tantivy import Query

from evenhand.search.criteria import NOT_STATED
from evenhand.search.index.reader import Snapshot

MOST_SKILLS = 65_000


def count_skills(snapshot: Snapshot, job: str | None = None) -> tuple[dict[str, int], int]:
    """By skill, those who have it, and how many applicants there are; of one job, or of all."""
    query = Query.term_query(snapshot.schema, "job", job) if job else Query.all_query()
    asked = {"skill": {"terms": {"field": "skill", "size": MOST_SKILLS, "segment_size": MOST_SKILLS}}}
    buckets = snapshot.searcher.aggregate(query, asked)["skill"]["buckets"]
    counts = {bucket["key"]: int(bucket["doc_count"]) for bucket in buckets if bucket["key"] != NOT_STATED}
    return counts, snapshot.count(query)
