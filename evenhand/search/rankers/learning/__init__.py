"""Weights of the default ranker learned from what screeners shortlisted and rejected, guarded against bad teachers.

Nobody's labels count beyond a cap; labels and weights carry versions; new weights must do better on judgements that
were held out, and by more than luck would; every earlier version can be put back. What is learned stays a sum of the
same parts. `learning.training` learns; it is apart because what uses the weights need not load an optimiser.
"""

from evenhand.search.rankers.learning.feedback import Feedback, Label
from evenhand.search.rankers.learning.history import WeightsHistory, WeightsInForce
from evenhand.search.rankers.learning.proposal import Proposal, Tally

__all__ = ["Feedback", "Label", "Proposal", "Tally", "WeightsHistory", "WeightsInForce"]
