"""A placed resume cut as those who judge cut it, with the place in the document of every token."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import UsageError
from evenhand.explain.places import Place, PlacedResume, PlacedText
from evenhand.models.competence.chunking import chunks
from evenhand.models.competence.cutting import NOWHERE, Ids, TokenRules
from evenhand.models.competence.designs import Design
from evenhand.models.competence.pruning import PruningWords, bare_word, prune
from evenhand.models.competence.stop_words import STOP_WORDS
from evenhand.models.competence.trimming import trimmed_lengths
from evenhand.models.inputs import KINDS

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Token:
    """`place` is None for what stands nowhere in the document; what is `held` is no part of the resume at all."""

    id: int
    place: Place | None
    held: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class PlacedSequence:
    """`ids` with the first and the last token, which are held."""

    ids: Ids
    places: tuple[Place | None, ...]
    held: NDArray[np.bool_]
    kind: int


@dataclass(frozen=True, slots=True, eq=False)
class PlacedSequences:
    sequences: tuple[PlacedSequence, ...]
    unread: int = 0  # tokens of the resume that the design leaves out

    @property
    def tokens(self) -> int:
        """Of the resume, that are read."""
        return sum(int((~each.held).sum()) for each in self.sequences)


def cut_placed(
    placed: PlacedResume,
    design: Design,
    rules: TokenRules,
    *,
    words: PruningWords | None = None,
    job_text: str | None = None,
) -> PlacedSequences:
    """The very sequences of `cut_resume`."""
    if design.cut == "whole":
        return _whole(placed, design, rules, job_text)
    if design.cut == "pruned":
        return _pruned(placed, design, rules, words or PruningWords())
    size = rules.budget(design.chunk_tokens)
    pieces = [
        (piece, KINDS.index(section.kind))
        for section, text in zip(placed.resume.sections, placed.sections, strict=True)
        for piece in _chunks(_tokens(text, rules), size)
    ]
    return PlacedSequences(_sequences(pieces, rules))


def _chunks(tokens: Sequence[Token], size: int) -> list[Sequence[Token]]:
    return [[tokens[at] for at in piece] for piece in chunks(range(len(tokens)), size)]


def _whole(placed: PlacedResume, design: Design, rules: TokenRules, job_text: str | None) -> PlacedSequences:
    parts = [_tokens(text, rules) for text in placed.sections]
    if design.job == "joined":
        if job_text is None:
            raise UsageError(f"The network {design.name} needs the text of a job.")
        parts.append([Token(id, None, held=True) for id in rules.content(job_text)])
    kept = trimmed_lengths([len(part) for part in parts], rules.budget(design.whole_tokens))
    content = [token for part, length in zip(parts, kept, strict=True) for token in part[:length]]
    read = sum(not token.held for token in content)
    written = sum(len(part) for part in parts[: len(placed.sections)])
    return PlacedSequences(_sequences([(content, NOWHERE)], rules), written - read)


def _pruned(placed: PlacedResume, design: Design, rules: TokenRules, words: PruningWords) -> PlacedSequences:
    limit = rules.budget(design.whole_tokens)
    pieces, unread = [], 0
    for section, text in zip(placed.resume.sections, placed.sections, strict=True):
        found = prune(text.text, words, rules.content, limit)
        tokens = _tokens(text, rules) if found.steps == 0 else _rest(text, rules, words, found.steps)
        unread += len(rules.content(text.text)) - len(found.tokens)
        if found.tokens:
            pieces.append((tokens[: len(found.tokens)], KINDS.index(section.kind)))
    return PlacedSequences(_sequences(pieces, rules), unread)


def _rest(text: PlacedText, rules: TokenRules, words: PruningWords, steps: int) -> list[Token]:
    """Tokens of the words that `steps` of pruning leave, which are tokenised anew with a blank between them."""
    removed = frozenset().union(*(STOP_WORDS, words.frequent, words.common)[:steps])
    kept = [word for word in _WORD.finditer(text.text) if bare_word(word[0]) not in removed]
    origin = [at for word in kept for at in (*range(word.start(), word.end()), word.end())]
    encoding = rules.tokenizer.encode(" ".join(word[0] for word in kept), add_special_tokens=False)
    return [
        Token(id, text.place(origin[start], origin[end - 1] + 1) if end > start else None)
        for id, (start, end) in zip(encoding.ids, encoding.offsets, strict=True)
    ]


def _tokens(text: PlacedText, rules: TokenRules) -> list[Token]:
    encoding = rules.tokenizer.encode(text.text, add_special_tokens=False)
    return [
        Token(id, text.place(start, end))
        for id, (start, end) in zip(encoding.ids, encoding.offsets, strict=True)
    ]


def _sequences(
    pieces: Sequence[tuple[Sequence[Token], int]], rules: TokenRules
) -> tuple[PlacedSequence, ...]:
    return tuple(
        PlacedSequence(
            rules.sequence([token.id for token in content]),
            (None, *(token.place for token in content), None),
            np.array([True, *(token.held for token in content), True]),
            kind,
        )
        for content, kind in pieces or [((), NOWHERE)]
    )
