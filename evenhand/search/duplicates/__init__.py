"""Near-duplicate resumes: one text under several identities, found by shingles and min-hashes, shown as a diff."""

from evenhand.search.duplicates.contact import contact_spans, without_contact
from evenhand.search.duplicates.difference import Segment, diff
from evenhand.search.duplicates.index import Candidate, DuplicateIndex
from evenhand.search.duplicates.pairs import Pair, check_pairs, compare, find_duplicates
from evenhand.search.duplicates.sketch import BRODER, METHOD, Method, Sketch, sketch, sketch_many

__all__ = [
    "BRODER",
    "METHOD",
    "Candidate",
    "DuplicateIndex",
    "Method",
    "Pair",
    "Segment",
    "Sketch",
    "check_pairs",
    "compare",
    "contact_spans",
    "diff",
    "find_duplicates",
    "sketch",
    "sketch_many",
    "without_contact",
]
