"""Ways to order resumes for a job, behind one interface: every score is the sum of parts that say their reason."""

from evenhand.search.rankers.contributions import Contributions, join, order
from evenhand.search.rankers.query import Query, QueryTerm, SearchTerm, SkillDictionary, make_query
from evenhand.search.rankers.ranker import Ranker
from evenhand.search.rankers.registry import RANKERS, make_ranker
from evenhand.search.rankers.why import Comparison, Difference, compare

__all__ = [
    "RANKERS",
    "Comparison",
    "Contributions",
    "Difference",
    "Query",
    "QueryTerm",
    "Ranker",
    "SearchTerm",
    "SkillDictionary",
    "compare",
    "join",
    "make_query",
    "make_ranker",
    "order",
]
