"""Contact data one by one, where a resume writes several on a line."""

from __future__ import annotations

import re
from dataclasses import replace

from evenhand.corpora.manuscript import Line, Run, Words

SEPARATOR = re.compile(r"\s*[|•·;]\s*|\s{3,}|\t")


CONTACT = ("email", "phone", "link")


def segments(line: Line) -> list[Words]:
    """A line of contact data cut where its separators are; an aside is a segment of its own."""
    parts: list[list[Run]] = [[]]
    for place, run in enumerate(line.words):
        if run.label is not None:
            parts[-1].append(run)
        elif run.text.strip() in (",", "/") and is_between(line.words, place):
            parts.append([])
        else:
            first, *rest = SEPARATOR.split(run.text)
            parts[-1] += [replace(run, text=first)] if first else []
            parts += [[replace(run, text=text)] if text else [] for text in rest]
    wanted = [tuple(part) for part in parts if any(run.text.strip(" ,") for run in part)]
    return [*wanted, line.aside] if line.aside else wanted


def is_between(words: Words, place: int) -> bool:
    """Whether the comma at `place` stands between two contacts, and not inside an address."""
    before = words[place - 1] if place else None
    after = words[place + 1] if place + 1 < len(words) else None
    return any(run is not None and run.label in CONTACT for run in (before, after)) or (
        after is not None and after.label is None and after.text.endswith(": ")
    )
