"""The search box: words and phrases rank, operators and fields filter."""

from evenhand.search.query.parser import parse
from evenhand.search.query.tree import All, AnyOf, Degree, Experience, Months, Node, Not, SearchText, Words

__all__ = [
    "All",
    "AnyOf",
    "Degree",
    "Experience",
    "Months",
    "Node",
    "Not",
    "SearchText",
    "Words",
    "parse",
]
