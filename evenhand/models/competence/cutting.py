"""A resume as the token sequences that a design's encoder reads, each with the kind of its section."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from evenhand.errors import UsageError
from evenhand.models.competence.chunking import chunks
from evenhand.models.competence.designs import Design
from evenhand.models.competence.lengths import LengthRow, measure_lengths
from evenhand.models.competence.pruning import PruningWords, prune
from evenhand.models.competence.trimming import trimmed_lengths
from evenhand.models.encoder.tokens import SPECIAL_TOKENS, read_tokenizer
from evenhand.models.inputs import KINDS, ResumeInput, SectionKind

Ids = NDArray[np.int32]
NOWHERE = len(KINDS) - 1  # the kind of what belongs to no one section: Others


@dataclass(frozen=True, slots=True, eq=False)
class TokenRules:
    """An encoder's way to read text; `first` and `last` stand around every sequence of at most `limit` tokens."""

    tokenizer: Tokenizer
    first: int
    last: int
    limit: int

    def content(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def sequence(self, content: Sequence[int]) -> Ids:
        return np.array([self.first, *content, self.last], np.int32)

    def budget(self, tokens: int) -> int:
        """What is left of so many tokens for content, where the encoder can read fewer."""
        return min(tokens, self.limit - SPECIAL_TOKENS)


@dataclass(frozen=True, slots=True, eq=False)
class CutResume:
    sequences: tuple[Ids, ...]  # one at least, even of an empty resume
    kinds: tuple[int, ...]  # of each sequence, as a place in KINDS
    truncated: int = 0  # sections that were too long even when pruned


def read_rules(file: Path, limit: int) -> TokenRules:
    return make_rules(read_tokenizer(file), limit)


def make_rules(tokenizer: Tokenizer, limit: int) -> TokenRules:
    around: list[int] = tokenizer.encode("").ids
    if len(around) != SPECIAL_TOKENS:
        raise UsageError("The encoder's tokenizer does not put one token before and one after a text.")
    return TokenRules(tokenizer, around[0], around[1], limit)


def cut_resume(
    resume: ResumeInput,
    design: Design,
    rules: TokenRules,
    *,
    words: PruningWords | None = None,
    job_text: str | None = None,
) -> CutResume:
    """`words` for designs that prune, `job_text` for those that join resume and job in one sequence."""
    if design.cut == "whole":
        return _whole(resume, design, rules, job_text)
    if design.cut == "pruned":
        return _pruned(resume, design, rules, words or PruningWords())
    size = rules.budget(design.chunk_tokens)
    pieces = [
        (piece, KINDS.index(section.kind))
        for section in resume.sections
        for piece in chunks(rules.content(section.text), size)
    ]
    return _cut(pieces, rules)


def cut_job(job_text: str, design: Design, rules: TokenRules) -> Ids:
    return rules.sequence(rules.content(job_text)[: rules.budget(design.whole_tokens)])


def _whole(resume: ResumeInput, design: Design, rules: TokenRules, job_text: str | None) -> CutResume:
    texts = [section.text for section in resume.sections]
    if design.job == "joined":
        if job_text is None:
            raise UsageError(f"The network {design.name} needs the text of a job.")
        texts.append(job_text)
    parts = [rules.content(text) for text in texts]
    kept = trimmed_lengths([len(part) for part in parts], rules.budget(design.whole_tokens))
    content = [token for part, length in zip(parts, kept, strict=True) for token in part[:length]]
    return CutResume((rules.sequence(content),), (NOWHERE,))


def _pruned(resume: ResumeInput, design: Design, rules: TokenRules, words: PruningWords) -> CutResume:
    limit = rules.budget(design.whole_tokens)
    sections = [(prune(row.text, words, rules.content, limit), row.kind) for row in resume.sections]
    pieces = [(found.tokens, KINDS.index(kind)) for found, kind in sections if found.tokens]
    return _cut(pieces, rules, truncated=sum(found.is_truncated for found, _ in sections))


def _cut(pieces: Sequence[tuple[Sequence[int], int]], rules: TokenRules, *, truncated: int = 0) -> CutResume:
    pieces = pieces or [((), NOWHERE)]
    sequences = tuple(rules.sequence(content) for content, _ in pieces)
    return CutResume(sequences, tuple(kind for _, kind in pieces), truncated)


def report_lengths(
    resumes: Sequence[ResumeInput], rules: TokenRules, words: PruningWords, *, limit: int
) -> list[LengthRow]:
    """Tokens per section before and after pruning, before a section that is still too long is cut off."""
    before: list[dict[SectionKind, int]] = []
    after: list[dict[SectionKind, int]] = []
    for resume in resumes:
        before.append({section.kind: len(rules.content(section.text)) for section in resume.sections})
        after.append({})
        for section in resume.sections:
            after[-1][section.kind] = prune(section.text, words, rules.content, limit).length
    return measure_lengths(before, after, limit=limit)
