"""Contact data one by one, where a resume writes several on a line."""

from __future__ import annotations

import re
from dataclasses import replace

from evenhand.corpora.manuscript import Line, Run, Words

SEPARATOR = re.compile(r"\s*[|•·;]\s*|\s{3,}|\t")


def segments(line: Line) -> list[Words]:
    """A line of contact data cut where its separators are; an aside is a segment of its own."""
    parts: list[list[Run]] = [[]]
    for run in line.words:
        if run.label is not None:
            parts[-1].append(run)
            continue
        for place, text in enumerate(SEPARATOR.split(run.text)):
            if place:
                parts.append([])
            if text:
                parts[-1].append(replace(run, text=text))
    wanted = [tuple(part) for part in parts if any(run.text.strip(" ,") for run in part)]
    return [*wanted, line.aside] if line.aside else wanted
