"""Turns criteria and the conditions of a search text into tantivy queries, built part by part, never from a string."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

import tantivy
from tantivy import FieldType, Occur, Query

from evenhand.errors import UsageError
from evenhand.search.criteria import Criteria, SkillCondition
from evenhand.search.index.schema import FACET_FIELDS, UNDATED, facet_value, skill_code
from evenhand.search.query.tree import All, AnyOf, Degree, Experience, Months, Node, Not, SearchText, Words

_WORD_FIELDS = {"city": "city_words", "source": "source_words", "status": "status_words"}
MOST_EXPANSIONS = 256
"""Of a prefix: the terms that begin so, in alphabetical order. More say too little to search for."""


@dataclass(frozen=True, slots=True)
class Filter:
    """What has to hold: `always`, and apart from it what a count may leave out."""

    always: tuple[Query, ...]
    chosen: Mapping[str, Query]  # by facet
    skills: Mapping[SkillCondition, Query]
    key: Hashable  # equal for filters that let the same through

    def query(self, *, without: str | SkillCondition | None = None) -> Query:
        """Everything together; `without` leaves out one facet's own choice, or one skill condition."""
        chosen = [query for name, query in self.chosen.items() if name != without]
        skills = [query for condition, query in self.skills.items() if condition != without]
        return conjunction([*self.always, *skills, *chosen])


def conjunction(parts: Iterable[Query]) -> Query:
    listed = list(parts)
    if len(listed) == 1:
        return listed[0]
    return Query.boolean_query([(Occur.Must, part) for part in listed]) if listed else Query.all_query()


class Conditions:
    """Bound to one state of the index, since a prefix stands for the terms that are there."""

    def __init__(self, schema: tantivy.Schema, searcher: tantivy.Searcher) -> None:
        self._schema = schema
        self._searcher = searcher

    def filter(self, criteria: Criteria, text: SearchText) -> Filter:
        """Raises UsageError for a facet that does not exist."""
        always = [self.node(node) for node in text.conditions]
        if criteria.job is not None:
            always.append(self._term("job", criteria.job))
        chosen = {name: self._values(name, values) for name, values in criteria.facets.items() if values}
        skills = {condition: self.skill(condition) for condition in criteria.skills}
        ticked = tuple(sorted((name, tuple(sorted(set(values)))) for name, values in criteria.facets.items()))
        key = (criteria.job, text.conditions, ticked, criteria.skills)
        return Filter(tuple(always), chosen, skills, key)

    def skill(self, condition: SkillCondition) -> Query:
        return self._months(condition.name, condition.at_least, condition.at_most)

    def words(self, words: Words) -> Query:
        field = _WORD_FIELDS.get(words.where or "text", words.where or "text")
        if words.prefix:
            return Query.term_set_query(self._schema, field, self.expansions(words))
        if len(words.terms) == 1:
            return self._term(field, words.terms[0])
        return Query.phrase_query(self._schema, field, list(zip(words.positions, words.terms, strict=True)))

    def expansions(self, words: Words) -> list[str]:
        """Terms that begin as typed. "programming*" also finds "program", the stem under which it is kept."""
        field = _WORD_FIELDS.get(words.where or "text", words.where or "text")
        typed = words.text.casefold()
        prefix = words.terms[0] if typed.startswith(words.terms[0]) else typed
        found = self._searcher.terms_with_prefix(field, prefix, limit=MOST_EXPANSIONS)
        return [term for term, _ in found]

    def node(self, node: Node) -> Query:
        match node:
            case Words():
                return self.words(node)
            case Months():
                return self._months(node.skill, node.least, node.most)
            case Experience():
                return self._range(f"{node.kind}_months", node.least, node.most)
            case Degree():
                return Query.term_set_query(self._schema, "degree", list(node.levels))
            case Not():
                return Query.boolean_query(
                    [(Occur.Must, Query.all_query()), (Occur.MustNot, self.node(node.node))]
                )
            case All():
                return conjunction(self.node(part) for part in node.nodes)
            case AnyOf():
                return Query.boolean_query([(Occur.Should, self.node(part)) for part in node.nodes])

    def _values(self, facet: str, values: tuple[str, ...]) -> Query:
        if facet not in FACET_FIELDS:
            raise UsageError(f"There is no facet “{facet}”; there are {', '.join(FACET_FIELDS)}.")
        return Query.term_set_query(self._schema, facet, [facet_value(value) for value in values])

    def _months(self, skill: str, least: int | None, most: int | None) -> Query:
        undated_too = least is None and most is None
        low = skill_code(skill, least or 0)
        high = skill_code(skill, None if undated_too else UNDATED if most is None else most)
        return Query.range_query(
            self._schema, "skill_months", FieldType.Unsigned, low, high, use_inverted_index=True
        )

    def _range(self, field: str, least: int | None, most: int | None) -> Query:
        return Query.range_query(self._schema, field, FieldType.Unsigned, least or 0, most)

    def _term(self, field: str, value: str) -> Query:
        return Query.term_query(self._schema, field, value)
