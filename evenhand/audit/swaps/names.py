"""Another name for the applicant, wherever the resume tells it: head, running text, e-mail address, links."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evenhand.audit.swaps.editing import Edit
from evenhand.audit.swaps.marked import Marked

SURNAME = "Carter"
"""Goes with a first name where the resume has no name at all; both sides of a pair have it."""

_TITLE = re.compile(r"(?:mr|mrs|ms|miss|dr|prof|er)\.?", re.IGNORECASE)


def edit_first_name(marked: Marked, value: str) -> tuple[Edit, ...] | None:
    return _renamed(marked, value, None)


def edit_full_name(marked: Marked, value: str) -> tuple[Edit, ...] | None:
    first, _, last = value.partition(" ")
    return _renamed(marked, first, last)


def _renamed(marked: Marked, first: str, last: str | None) -> tuple[Edit, ...]:
    parts = _parts(marked)
    if not parts:
        return (Edit(0, 0, f"{first} {last or SURNAME}\n"),)
    new = {parts[0].lower(): first}
    if last is not None and len(parts) > 1:
        new[parts[-1].lower()] = last
    found = tuple(_replacements(marked, new))
    return found or (Edit(0, 0, f"{first} {last or SURNAME}\n"),)


def _parts(marked: Marked) -> list[str]:
    name = marked.profile.name
    words = re.findall(r"[^\W\d_][\w'’-]*\.?", name.surface) if name else []
    return [word for word in words if not _TITLE.fullmatch(word) and len(word.rstrip(".")) > 1]


def _replacements(marked: Marked, new: dict[str, str]) -> Iterator[Edit]:
    """In e-mail addresses and links too, where parts of a name run into one word."""
    either = re.compile(
        "|".join(re.escape(part) for part in sorted(new, key=len, reverse=True)), re.IGNORECASE
    )
    reached = 0
    for mark in sorted(marked.of("name", "contact")):
        for match in either.finditer(marked.text, max(mark.start, reached), mark.end):
            reached = match.end()
            yield Edit(match.start(), match.end(), _dressed(new[match[0].lower()], match[0], mark.kind))


def _dressed(name: str, old: str, kind: str) -> str:
    """With the capitals of the word it replaces."""
    if kind == "contact" or old.islower():
        return re.sub(r"[^a-z]", "", name.lower()) if old.isascii() else name.lower()
    return name.upper() if old.isupper() and len(old) > 1 else name
