"""Linear-chain conditional random fields: learned once with L-BFGS, used as frozen tables of weights."""

from evenhand.mining.crf.model import Crf

__all__ = ["Crf"]
