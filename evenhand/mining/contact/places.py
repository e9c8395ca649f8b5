"""Where in a resume its owner's contact data stand, and facts made of places."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

from evenhand.records.document import Line
from evenhand.records.profile import Evidence, Fact

_TOP_LINES = 15
_TOP_CHARACTERS = 3000  # where a text has few line ends
_NEAR = 200
_REFERENCES = re.compile(
    r"^\W{0,3}(?:(?:professional|personal)\s)?(?:references?|referees?)\W{0,3}$", re.IGNORECASE | re.MULTILINE
)


class Places:
    """A text with its lines."""

    def __init__(self, text: str, lines: Sequence[Line]) -> None:
        self.text = text
        self._lines = lines

    @cached_property
    def _starts(self) -> list[int]:
        return [line.start for line in self._lines]

    @cached_property
    def top_end(self) -> int:
        """Where the part ends in which a number without a label is believed to be its owner's."""
        at = -1
        for _ in range(_TOP_LINES):
            at = self.text.find("\n", at + 1)
            if at < 0:
                return min(len(self.text), _TOP_CHARACTERS)
        return min(at, _TOP_CHARACTERS)

    @cached_property
    def references_start(self) -> int:
        """From here on other people are named; the text's length where no such heading is."""
        found = _REFERENCES.search(self.text, len(self.text) // 2)
        return found.start() if found else len(self.text)

    def line_around(self, at: int) -> str:
        """The line of that place, as far as it is near: a page may be one line."""
        first, last = max(0, at - _NEAR), min(len(self.text), at + _NEAR)
        end = self.text.find("\n", at, last)
        return self.text[max(self.text.rfind("\n", first, at) + 1, first) : last if end < 0 else end]

    def fact(self, value: str, start: int, end: int, confidence: float) -> Fact:
        number = bisect_right(self._starts, start) - 1
        page = self._lines[number].page if number >= 0 else 1
        return Fact(value, self.text[start:end], Evidence(start, end, page, "rule", confidence))
