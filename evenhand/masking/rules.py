"""A rule: a pattern that begins at one of a few words. Rules are looked up by word, so that many cost little."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from evenhand.masking.masks import Mask
from evenhand.masking.page import Page

SEP = r"[ \t\xa0]{0,8}\n?[ \t\xa0]{0,8}[:=|–—-]{0,2}[ \t\xa0]{0,8}\n?[ \t\xa0:]{0,8}"
"""Between a label and its value: a colon, the edge of a cell, a line end, or a mere space."""
COLON = r"[ \t\xa0]{0,8}(?:[:=|–—-]{1,2}|\t)[ \t\xa0:]{0,8}"
_NEXT_LABEL = re.compile(
    r"\w[,. ]{0,3}([ ](?:[A-Z][\w.'’/]{0,16}[ ]){0,2}(?:[A-Z][\w.'’/]{0,16}|status)[ ]?:)"
)
_AROUND = " \t\xa0\n:"
VALUE = r"(?P<value>[^\n\t|;•·▪●]{1,60})"
"""What stands behind a label, up to the end of its cell."""
CELL = rf"(?P<hide>{VALUE})"
"""The same, and it alone is masked."""


def any_of(words: str) -> str:
    """A pattern for one of several words, parted by spaces; "_" in them is a space."""
    return f"(?:{'|'.join(words.split())})".replace("_", "[ ]")


class Rule(NamedTuple):
    """`pattern` begins at a word of `keys`; its group "hide" is masked, or all of it where there is none.

    `personal`: only where the owner of the resume is spoken of. `facts`: also inside facts about work and study.
    """

    keys: tuple[str, ...]
    pattern: re.Pattern[str]
    token: str | None = None
    personal: bool = False
    facts: bool = False


def rule(
    keys: str, pattern: str, token: str | None = None, *, personal: bool = False, facts: bool = False
) -> Rule:
    """`keys` are parted by spaces."""
    return Rule(tuple(keys.split()), re.compile(pattern, re.IGNORECASE), token, personal, facts)


def follow(rules: Iterable[Rule], page: Page, kind: str) -> Iterator[Mask]:
    for each in rules:
        for word in page.occurrences(each.keys):
            if each.personal and not page.is_personal(word.start):
                continue
            match = each.pattern.match(page.text, word.start)
            if match and (each.facts or not page.is_fact(word.start, word.end)):
                groups = each.pattern.groupindex
                start, end = match.span("hide" if "hide" in groups else 0)
                if "value" in groups:
                    end = _before_next_label(page.text, match.start("value"), end)
                while start < end and page.text[start] in _AROUND:
                    start += 1
                while end > start and page.text[end - 1] in _AROUND:
                    end -= 1
                yield Mask(start, end, kind, each.token)


def _before_next_label(text: str, start: int, end: int) -> int:
    """A cell may hold several details in a row: "Indian Marital Status: Single"."""
    label = _NEXT_LABEL.search(text, start, min(len(text), end + 1)) if start >= 0 else None
    return label.start(1) if label else end
