"""Parameters that several addresses share."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query

from evenhand.search.criteria import FACETS
from evenhand.workflows.desk_query import FARTHEST, MOST_SKILLS, MOST_VALUES, RANKED_BY, TEXT_LENGTH

First = Annotated[int, Query(ge=0, le=10_000_000, description="How many to pass over.")]
Size = Annotated[int, Query(ge=1, le=100, description="How many to give.")]
FirstRank = Annotated[int, Query(ge=0, le=FARTHEST, description="How many ranks to pass over.")]
Id = Annotated[str, Path(max_length=64)]


def _parameter(name: str, description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "description": description, "schema": schema}


def _many(most: int) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "maxItems": most}


SEARCH: dict[str, Any] = {
    "parameters": [
        _parameter(
            "q", "The query language of the search box.", {"type": "string", "maxLength": TEXT_LENGTH}
        ),
        *(_parameter(name, "Values of a facet: any of them.", _many(MOST_VALUES)) for name in FACETS),
        _parameter("months", "Skills with months, as java>=36; all of them.", _many(MOST_SKILLS)),
        _parameter("ranker", "How the list is ordered.", {"type": "string", "enum": list(RANKED_BY)}),
    ]
}
"""The search of a list as it stands in its address: the pages and the API read it by the same function."""
