"""A stretch of a resume's text that is not to be shown, and the text with a short token in place of each."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from evenhand.masking.page import MaskingPage, Span

KINDS = ("name", "contact", "address", "age", "gender", "photo", "school")
TOKENS = {
    "name": "[name]",
    "contact": "[contact]",
    "address": "[place]",
    "age": "[age]",
    "gender": "[personal]",
    "photo": "[photo]",
    "school": "[school]",
}


class Mask(NamedTuple):
    """Half-open code point offsets. A tuple, since a long resume has hundreds.

    `token` is what a reader sees instead; where it is None, that of the kind. It never tells what it hides: all
    pronouns have the same one.
    """

    start: int
    end: int
    kind: str
    token: str | None = None

    @property
    def shown(self) -> str:
        return TOKENS[self.kind] if self.token is None else self.token


def merge(masks: Iterable[Mask]) -> tuple[Mask, ...]:
    """In the order of the text, without overlaps: what overlaps becomes one, of the kind that covers the most."""
    merged: list[Mask] = []
    widest = 0  # of those that became the last one
    for mask in sorted(masks, key=lambda mask: (mask.start, -mask.end, KINDS.index(mask.kind))):
        width = mask.end - mask.start
        if width <= 0:
            continue
        if not merged or mask.start >= merged[-1].end:
            merged.append(mask)
            widest = width
            continue
        last = merged[-1]
        kind, token = (mask.kind, mask.token) if width > widest else (last.kind, last.token)
        widest = max(widest, width)
        merged[-1] = Mask(last.start, max(last.end, mask.end), kind, token)
    return tuple(merged)


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A text with tokens in place of what is masked. It does not hold what it hides.

    `masks` are places of the text as it was, `tokens` those of the tokens in `text`, in the same order.
    """

    text: str
    masks: tuple[Mask, ...] = ()
    tokens: tuple[tuple[int, int], ...] = field(default=(), repr=False)

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the text as it was stands now; what begins or ends inside a mask takes in its token."""
        return _moved(start, 0, self.masks, self.tokens), _moved(end, 1, self.masks, self.tokens)

    def source(self, start: int, end: int) -> tuple[int, int]:
        """The other way: what begins or ends inside a token takes in all that it hides."""
        return _moved(start, 0, self.tokens, self.masks), _moved(end, 1, self.tokens, self.masks)

    def hides(self, start: int, end: int) -> bool:
        """Whether any of this stretch of the text as it was is masked."""
        number = bisect_right(self.masks, start, key=lambda mask: mask.start) - 1
        if number >= 0 and self.masks[number].end > start:
            return True
        return number + 1 < len(self.masks) and self.masks[number + 1].start < end


def _moved(at: int, is_end: Literal[0, 1], old: Sequence[Mask | Span], new: Sequence[Mask | Span]) -> int:
    """Where a place of one text stands in the other, in which `new` are the stretches that `old` are here."""
    # A stretch that ends where a mask begins does not touch it: its end is looked up one character before.
    number = bisect_right(old, at - is_end, key=lambda span: span[0]) - 1
    if number < 0:
        return at
    return new[number][is_end] if at - is_end < old[number][1] else at - old[number][1] + new[number][1]


def apply(text: str, masks: Iterable[Mask]) -> MaskedText:
    """Masks may overlap and come in any order; those beyond the text are cut."""
    inside = (mask._replace(start=max(mask.start, 0), end=min(mask.end, len(text))) for mask in masks)
    merged = merge(inside)
    if not merged:
        return MaskedText(text)
    parts: list[str] = []
    tokens: list[tuple[int, int]] = []
    reached = length = 0
    for mask in merged:
        length += mask.start - reached
        parts += (text[reached : mask.start], mask.shown)
        tokens.append((length, length + len(mask.shown)))
        length += len(mask.shown)
        reached = mask.end
    parts.append(text[reached:])
    return MaskedText("".join(parts), merged, tuple(tokens))


def without_masks(text: str, masks: Sequence[Mask], start: int = 0, end: int | None = None) -> str:
    """A stretch of the text with a space in place of whatever is masked of it. Masks are merged."""
    stop = len(text) if end is None else end
    parts = []
    for mask in masks[max(bisect_right(masks, start, key=lambda mask: mask.start) - 1, 0) :]:
        if mask.start >= stop:
            break
        if mask.end > start:
            parts.append(text[start : max(mask.start, start)])
            start = mask.end
    return " ".join((*parts, text[start : max(stop, start)])).strip()


# A rule: a pattern that begins at one of a few words. Rules are looked up by word, so that many cost little.

SEP = (
    r"(?:[ ]?[.][ .]{0,20}+(?=:))?+[ \t\xa0]{0,60}+\n?+[ \t\xa0]{0,60}+"
    r"[:=|–—-]{0,2}+[ \t\xa0]{0,60}+\n?+[ \t\xa0:]{0,60}+"
)
"""Between a label and its value: a colon, the edge of a cell, a line end, or a mere space.

Possessive: of runs that can share the same blanks in many ways, every way would be tried when no value follows.
"""
COLON = r"[ \t\xa0.]{0,12}(?:[:=|–—-]{1,2}|\t)[ \t\xa0:]{0,8}"
_NEXT_LABEL = re.compile(r"\w[,. ]{0,3}([ ](?:[A-Z][\w.'’/]{0,16}[ ]){0,2}(?:[A-Z][\w.'’/]{0,16}|status)[ ]?:)")
_AROUND = " \t\xa0\n:"
VALUE = r"(?P<value>[^\n\t|;•·▪●]{1,60})"
"""What stands behind a label, up to the end of its cell."""
CELL = rf"(?P<hide>{VALUE})"
"""The same, and it alone is masked."""


def any_of(words: str) -> str:
    """A pattern for one of several words, parted by spaces; "_" in them is a space."""
    return f"(?:{'|'.join(words.split())})".replace("_", "[ ]")


class MaskingRule(NamedTuple):
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
) -> MaskingRule:
    """`keys` are parted by spaces."""
    return MaskingRule(tuple(keys.split()), re.compile(pattern, re.IGNORECASE), token, personal, facts)


def apply_rules(rules: Iterable[MaskingRule], page: MaskingPage, kind: str) -> Iterator[Mask]:
    for masking_rule in rules:
        for word in page.occurrences(masking_rule.keys):
            if masking_rule.personal and not page.is_personal(word.start):
                continue
            match = masking_rule.pattern.match(page.text, word.start)
            if match and (masking_rule.facts or not page.is_fact(word.start, word.end)):
                groups = masking_rule.pattern.groupindex
                start, end = match.span("hide" if "hide" in groups else 0)
                if "value" in groups and match.start("value") >= 0:
                    # A cell may hold several details in a row: "Indian Marital Status: Single".
                    label = _NEXT_LABEL.search(page.text, match.start("value"), min(len(page.text), end + 1))
                    end = label.start(1) if label else end
                while start < end and page.text[start] in _AROUND:
                    start += 1
                while end > start and page.text[end - 1] in _AROUND:
                    end -= 1
                yield Mask(start, end, kind, masking_rule.token)
