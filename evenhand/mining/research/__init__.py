"""What a guideline for clinical research jobs asks for, counted from mined facts: months, degrees, certification."""

from evenhand.mining.research.facts import FEATURES, ResearchFacts, research_facts, research_features

__all__ = ["FEATURES", "ResearchFacts", "research_facts", "research_features"]
