"""Labels that people give to resumes: how far they agree, whom to ask next about what, and what was settled."""

from evenhand.corpora.annotating.adjudication import Contested, Final, contested, finals
from evenhand.corpora.annotating.annotation import Annotation
from evenhand.corpora.annotating.rounds import RoundAgreement, agreements
from evenhand.corpora.annotating.sampling import Batch, Candidate, next_batch

__all__ = [
    "Annotation",
    "Batch",
    "Candidate",
    "Contested",
    "Final",
    "RoundAgreement",
    "agreements",
    "contested",
    "finals",
    "next_batch",
]
