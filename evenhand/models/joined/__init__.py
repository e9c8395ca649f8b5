"""The joined model: words, job titles and the encoder's vectors, each a linear part; a judgement is their sum."""

from evenhand.models.joined.judge import JoinedJudge, load_joined
from evenhand.models.joined.model import Contribution, Joined

__all__ = ["Contribution", "Joined", "JoinedJudge", "load_joined"]
