"""Whether what a clause names is asked for or only wished: "required", "must have"; "a plus", "preferred"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.mining.requirements.wording import cue as pattern_of


@dataclass(frozen=True, slots=True)
class Cue:
    start: int  # in the clause
    end: int
    must: bool
    before: bool  # it stands before what it speaks of
    scope: tuple[int, int] | None = None  # a note in parentheses speaks of this stretch only


def find_cues(written: str) -> list[Cue]:
    """In order. "not required" is a wish though it has "required" in it."""
    found = [
        Cue(*match.span(), False, match["before"] is not None)
        for match in pattern_of("wish").finditer(written)
    ]
    wished = [(cue.start, cue.end) for cue in found]
    for match in pattern_of("must").finditer(written):
        if not any(start < match.end() and match.start() < end for start, end in wished):
            found.append(Cue(*match.span(), True, match["before"] is not None))
    found.sort(key=lambda cue: cue.start)
    return [_in_note(written, cue) for cue in found]


def _in_note(written: str, cue: Cue) -> Cue:
    """ "Java (required), C++": the note speaks of Java. "A database (Oracle preferred)": of Oracle."""
    opening = written.rfind("(", max(0, cue.start - 80), cue.start)
    if opening < 0 or written.find(")", opening, cue.start) >= 0:
        return cue
    closing = written.find(")", cue.end, cue.end + 80)
    if closing < 0:
        return cue
    start = opening
    if not any(char.isalnum() for char in written[opening : cue.start]):
        start = max(written.rfind(mark, 0, opening) for mark in ",;:(") + 1
    return Cue(cue.start, cue.end, cue.must, cue.before, (start, closing))


def strength(cues: Sequence[Cue], start: int, end: int) -> bool | None:
    """True when what stands at start:end is asked for, False when wished, None when nothing says."""
    noted = [cue for cue in cues if cue.scope and cue.scope[0] <= start and end <= cue.scope[1]]
    if noted:
        return noted[0].must
    free = [cue for cue in cues if cue.scope is None]
    before = next((cue for cue in reversed(free) if cue.end <= start), None)
    behind = next((cue for cue in free if cue.start >= end), None)
    ahead = before if before is not None and before.before else None
    back = behind if behind is not None and not behind.before else None
    if ahead and back:
        # "At least 2 years of Java preferred": a wish spans what stands before it.
        if not back.must:
            return False
        return ahead.must if start - ahead.end < back.start - end else back.must
    chosen = ahead or back
    if chosen is None and before is not None and len(free) == 1:
        chosen = before if before.must else None  # "required: ..." said the other way round
    return chosen.must if chosen else None
