"""Fragments of a resume that show why it was found: plain text, with highlights as offsets and never as markup."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evenhand.records.ranking import Snippet
from evenhand.search.snippets.fragments import LONGEST, MOST_FRAGMENTS, cut
from evenhand.search.snippets.matching import find
from evenhand.search.snippets.wanted import Wanted, make_wanted


def make_snippets(
    text: str, wanted: Wanted, *, places: Mapping[str, Iterable[tuple[int, int]]] | None = None
) -> tuple[Snippet, ...]:
    """Up to three, none where nothing matches. `places` are those of the skills that mining found in the text."""
    return cut(text, find(text, wanted, places))


__all__ = ["LONGEST", "MOST_FRAGMENTS", "Wanted", "make_snippets", "make_wanted"]
