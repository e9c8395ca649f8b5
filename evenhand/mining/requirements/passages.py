"""What each stretch of an ad speaks of: the sequence of types that explains its clauses best.

Every clause has votes for types, by its words; a heading has many. To go on in the same type costs nothing, to
change costs: so plain clauses belong to what stands around them, and the best sequence is found in one pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evenhand.mining.requirements.clauses import Clause
from evenhand.mining.requirements.voices import voices
from evenhand.records.job import PASSAGE_TYPES, Passage, Place

HEADING = 6.0
SECTION = 1.0  # for the type of the last heading
TITLE = 3.0
LEAVING = 2.0  # votes for the job itself that end a section about the firm
CHANGE = 1.6
NEAR_CHANGE = 0.5  # between what is asked and what is wished
START = {"other": 0.0, "employer": 1.0, "duties": 1.5}
_ASIDE = frozenset(("employer", "benefits", "legal"))
_NEAR = frozenset((("requirements", "wishes"), ("wishes", "requirements")))
_COSTS = [
    [
        0.0 if before == after else NEAR_CHANGE if (before, after) in _NEAR else CHANGE
        for after in PASSAGE_TYPES
    ]
    for before in PASSAGE_TYPES
]
_EQUAL = 1e-9
_LONGEST_VOICE = 600  # characters of a clause that are looked at


def type_clauses(clauses: Sequence[Clause], title: Place | None = None) -> list[str]:
    """One type for each clause; the one with the job's title speaks of the job."""
    if not clauses:
        return []
    first, *rest = _all_votes(clauses, title)
    scores = [vote - START.get(kind, 2.0) for kind, vote in zip(PASSAGE_TYPES, first, strict=True)]
    steps: list[list[int]] = []
    for votes in rest:
        came = [_best_before(scores, after) for after in range(len(PASSAGE_TYPES))]
        scores = [scores[before] - _COSTS[before][after] + votes[after] for after, before in enumerate(came)]
        steps.append(came)
    at = max(range(len(scores)), key=scores.__getitem__)
    path = [at]
    for came in reversed(steps):
        at = came[at]
        path.append(at)
    return [PASSAGE_TYPES[at] for at in reversed(path)]


def _all_votes(clauses: Sequence[Clause], title: Place | None) -> Iterator[list[float]]:
    """The last heading has a voice in everything below it."""
    section: str | None = None
    for clause in clauses:
        votes = _votes(clause)
        if title and clause.start <= title.start < clause.end:
            votes["other"] += TITLE
        if clause.heading:
            section = clause.heading
        elif section in _ASIDE and (votes["other"] >= LEAVING or votes["duties"] >= LEAVING):
            section = None  # "... is seeking a": back from the firm's own praise
        elif section:
            _lean(votes, section)
        yield list(votes.values())


def _lean(votes: dict[str, float], section: str) -> None:
    votes[section] += SECTION
    if section in _ASIDE:
        for kind in ("requirements", "duties"):
            votes[kind] *= 0.5
    elif section == "wishes":  # all that is listed there is wished, however it is worded
        votes["wishes"] += votes["requirements"]
        votes["requirements"] = 0.0


def _best_before(scores: Sequence[float], after: int) -> int:
    """Where to change sooner or later is as good, it is later: a plain clause belongs to what stands before it."""
    best = max(
        (before for before in range(len(scores)) if before != after),
        key=lambda before: scores[before] - _COSTS[before][after],
    )
    return after if scores[after] > scores[best] - _COSTS[best][after] + _EQUAL else best


def _votes(clause: Clause) -> dict[str, float]:
    votes = dict.fromkeys(PASSAGE_TYPES, 0.0)
    if clause.heading:
        votes[clause.heading] += HEADING
        return votes
    words = clause.written[:_LONGEST_VOICE]
    for kind, weight, pattern in voices():
        if pattern.search(words):
            votes[kind] += weight
    return votes


def join_passages(
    clauses: Sequence[Clause], types: Sequence[str], understood: int, length: int
) -> tuple[Passage, ...]:
    """Clauses of one type in a row are one passage; together they cover the whole text. What nobody looked at,
    from `understood` to `length`, is of type other."""
    if not length:
        return ()
    starts: list[tuple[int, str]] = []
    for clause, kind in zip(clauses, types, strict=True):
        if not starts or starts[-1][1] != kind:
            starts.append((clause.start if starts else 0, kind))
    if not starts or (understood < length and starts[-1][1] != "other"):
        starts.append((understood if starts else 0, "other"))
    ends = [start for start, _ in starts[1:]] + [length]
    return tuple(Passage(kind, Place(start, end)) for (start, kind), end in zip(starts, ends, strict=True))
