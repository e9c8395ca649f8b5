"""A stretch of a resume's text that is not to be shown, and the text with a short token in place of each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

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
    for mask in sorted(masks, key=lambda each: (each.start, -each.end, KINDS.index(each.kind))):
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
class Masked:
    """A text with tokens in place of what is masked. It does not hold what it hides.

    `masks` are places of the text as it was, `tokens` those of the tokens in `text`, in the same order.
    """

    text: str
    masks: tuple[Mask, ...] = ()
    tokens: tuple[tuple[int, int], ...] = field(default=(), repr=False)

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the text as it was stands now; what begins or ends inside a mask takes in its token."""
        if not self.masks:
            return start, end
        return self._moved(start, is_end=False), self._moved(end, is_end=True)

    def source(self, start: int, end: int) -> tuple[int, int]:
        """The other way: what begins or ends inside a token takes in all that it hides."""
        if not self.masks:
            return start, end
        return self._back(start, is_end=False), self._back(end, is_end=True)

    def hides(self, start: int, end: int) -> bool:
        """Whether any of this stretch of the text as it was is masked."""
        number = bisect_right(self.masks, start, key=_start_of) - 1
        if number >= 0 and self.masks[number].end > start:
            return True
        return number + 1 < len(self.masks) and self.masks[number + 1].start < end

    def _moved(self, at: int, *, is_end: bool) -> int:
        # A stretch that ends where a mask begins does not touch it: its end is looked up one character before.
        number = bisect_right(self.masks, at - is_end, key=_start_of) - 1
        if number < 0:
            return at
        mask, token = self.masks[number], self.tokens[number]
        if at - is_end < mask.end:
            return token[is_end]
        return at - mask.end + token[1]

    def _back(self, at: int, *, is_end: bool) -> int:
        number = bisect_right(self.tokens, at - is_end, key=lambda token: token[0]) - 1
        if number < 0:
            return at
        mask, token = self.masks[number], self.tokens[number]
        if at - is_end < token[1]:
            return mask.end if is_end else mask.start
        return at - token[1] + mask.end


def _start_of(mask: Mask) -> int:
    return mask.start


def apply(text: str, masks: Iterable[Mask]) -> Masked:
    """Masks may overlap and come in any order; those beyond the text are cut."""
    inside = (mask._replace(start=max(mask.start, 0), end=min(mask.end, len(text))) for mask in masks)
    merged = merge(inside)
    if not merged:
        return Masked(text)
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
    return Masked("".join(parts), merged, tuple(tokens))
