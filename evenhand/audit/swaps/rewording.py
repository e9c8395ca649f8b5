"""Edits that change nothing a fair reader would care about: the noise floor, and how firmly a rank stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evenhand.audit.swaps.careers import month_number
from evenhand.audit.swaps.editing import Edit
from evenhand.audit.swaps.marked import Marked

MOST = 6  # edits of one kind in one resume
_PHRASES = (
    *(("responsible for", "in charge of"), ("worked with", "worked together with"), ("in order to", "to")),
    *(("as well as", "and"), ("helped", "assisted"), ("assisted", "helped"), ("various", "several")),
    *(("utilized", "used"), ("performed", "carried out"), ("ensured", "made sure of"), ("created", "made")),
    *(
        ("on a daily basis", "daily"),
        ("excellent", "very good"),
        ("strong", "solid"),
        ("handled", "dealt with"),
    ),
    *(
        ("provided", "gave"),
        ("conducted", "carried out"),
        ("maintained", "kept up"),
        ("skilled in", "good at"),
    ),
    *(("coordinated", "organized"), ("organized", "coordinated"), ("prepared", "drew up")),
)
_REWORDED = dict(_PHRASES)
_PHRASE = re.compile(
    r"\b(?:" + "|".join(sorted(map(re.escape, _REWORDED), key=len, reverse=True)) + r")\b", re.IGNORECASE
)
_ITEMS = re.compile(r"(?P<one>[^\s,;:][^,;:\n]{1,29}), (?P<other>[^,;:\n.]{2,30})(?=,)")
_MONTH = re.compile(r"\b(?P<name>[A-Za-z]{3,9})(?= (?:19|20)\d\d)")
_FULL = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)


def reword(text: str) -> str:
    """Every phrase that can be said otherwise said otherwise."""
    return _PHRASE.sub(lambda match: _said_otherwise(match).text, text)


def reworded(marked: Marked) -> tuple[Edit, ...]:
    """Some phrases said otherwise. Names and titles stay."""
    found = (_said_otherwise(match) for match in _PHRASE.finditer(marked.text))
    return _first(edit for edit in found if not _touches_fact(marked, edit))


def _said_otherwise(match: re.Match[str]) -> Edit:
    new = _REWORDED[match[0].lower()]
    return Edit(match.start(), match.end(), new.capitalize() if match[0][0].isupper() else new)


def _touches_fact(marked: Marked, edit: Edit) -> bool:
    facts = [fact for job in marked.profile.positions for fact in (job.title, job.employer) if fact]
    return any(fact.evidence.start < edit.end and edit.start < fact.evidence.end for fact in facts)


def closed(marked: Marked) -> tuple[Edit, ...]:
    return (marked.line_at_end("References available on request."),)


def reordered(marked: Marked) -> tuple[Edit, ...]:
    """Two neighbours in lists of skills change places."""
    places = [(section.start, section.end) for section in marked.profile.sections if section.type == "skills"]
    return _first(
        Edit(match.start(), match.end(), f"{match['other']}, {match['one']}")
        for place in places
        for match in _ITEMS.finditer(marked.text, *place)
    )


def months_spelled(marked: Marked) -> tuple[Edit, ...]:
    """Jan for January, or the other way round."""
    return _first(
        Edit(match.start(), match.end(), new)
        for match in _MONTH.finditer(marked.text)
        if (new := _other_spelling(match["name"])) is not None
    )


def _other_spelling(name: str) -> str | None:
    number = month_number(name)
    if number is None or number == 5:  # May is as short as it gets
        return None
    full = _FULL[number - 1]
    new = full if len(name) <= 4 else full[:3]
    return new.upper() if name.isupper() else new


def _first(edits: Iterator[Edit]) -> tuple[Edit, ...]:
    """Not overlapping, and not so many that the resume becomes another one."""
    kept: list[Edit] = []
    for edit in edits:
        if len(kept) == MOST:
            break
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return tuple(kept)


HARMLESS = {"reworded": reworded, "closed": closed, "reordered": reordered, "months_spelled": months_spelled}
"""By name; one that finds nothing to change in a resume gives no edits."""
