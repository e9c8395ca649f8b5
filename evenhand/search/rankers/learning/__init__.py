"""Weights of the default ranker learned from what screeners shortlisted and rejected, guarded against bad teachers.

Nobody's labels count beyond a cap; labels and weights carry versions; new weights must do no worse on judgements that
were held out; every earlier version can be put back. What is learned stays a sum of the same parts.
"""

from evenhand.search.rankers.learning.feedback import Feedback, Label
from evenhand.search.rankers.learning.history import WeightsHistory
from evenhand.search.rankers.learning.training import Proposal, learn_weights

__all__ = ["Feedback", "Label", "Proposal", "WeightsHistory", "learn_weights"]
