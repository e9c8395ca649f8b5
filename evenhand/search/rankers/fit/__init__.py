"""What makes a resume fit a job, one feature a file: each gives a share from 0 to 1 per resume, and its reason."""

from evenhand.search.rankers.fit.background import Background, load_background
from evenhand.search.rankers.fit.feature import Assumptions, Feature

__all__ = ["Assumptions", "Background", "Feature", "load_background"]
