"""Ways to order resumes for a job, behind one interface: every score is the sum of parts that say their reason."""

from evenhand.search.rankers.contributions import Contributions, join, order
from evenhand.search.rankers.query import Query, QueryTerm, SearchTerm, SkillDictionary, make_query
from evenhand.search.rankers.ranker import Ranker

__all__ = [
    "Contributions",
    "Query",
    "QueryTerm",
    "Ranker",
    "SearchTerm",
    "SkillDictionary",
    "join",
    "make_query",
    "order",
]
