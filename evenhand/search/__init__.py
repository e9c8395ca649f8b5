"""Finding, filtering, ordering: index, query, facets, rankers, snippets, duplicates, skill suggestion."""
