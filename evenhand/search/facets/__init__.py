"""Counts beside every value a screener can tick: or within a facet, and across facets."""

from evenhand.search.facets.counting import MOST_VALUES, count_facets
from evenhand.search.facets.skill_counts import count_skills
from evenhand.search.facets.values import Facet, Facets, FacetValue, SkillMonths

__all__ = ["MOST_VALUES", "Facet", "FacetValue", "Facets", "SkillMonths", "count_facets", "count_skills"]
