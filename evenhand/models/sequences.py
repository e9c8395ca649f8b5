"""A resume as the token sequences that an architecture's encoder reads, each with the kind of its section."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import UsageError
from evenhand.models.architectures import Architecture
from evenhand.models.encoder.weights import SPECIAL_TOKENS, read_tokenizer
from evenhand.models.inputs import KINDS, ResumeInput
from evenhand.records.conversion import JsonRecord

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# Chunking: a section as pieces of at most L tokens, all full but the last, none with tokens of two sections.


def chunks(tokens: Sequence[int], size: int) -> list[Sequence[int]]:
    """ceil(len / size) of them; token q is token p of chunk j with q = size (j - 1) + p."""
    return [tokens[start : start + size] for start in range(0, len(tokens), size)]


# English words that carry grammar rather than meaning; pruning takes them out first.

_WORDS = """
a about above after again against all also am an and any are as at be because been before being below between
both but by can cannot could did do does doing down during each either else ever every few for from further had
has have having he her here hers herself him himself his how however i if in into is it its itself just may me
might more most must my myself neither no nor not now of off on once only or other ought our ours ourselves out
over own per same shall she should since so some such than that the their theirs them themselves then there
these they this those though through to too toward towards under until up upon us very via was we were what when
where whether which while who whom whose why will with within without would yet you your yours yourself
yourselves
"""
STOP_WORDS = frozenset(_WORDS.split())


# Section pruning: words go, the emptiest first, until a section fits the encoder.

FREQUENT_SHARE = 0.05
COMMON_SHARE = 0.30
_EDGES = re.compile(r"^\W+|\W+$")
Tokenise = Callable[[str], Sequence[int]]


@dataclass(frozen=True, slots=True)
class PruningWords(JsonRecord):
    """What goes after the stop words: the 5 % of word types that most training resumes have, then the 30 %."""

    frequent: frozenset[str] = frozenset()
    common: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PrunedText:
    tokens: Sequence[int]
    length: int  # before its end was cut off, if it was
    steps: int  # 0: it fitted as it was; 1: without stop words; 2: without frequent words; 3: without common ones


def count_words(texts: Iterable[str], *, least_documents: int = 1) -> PruningWords:
    """From training resumes only, one text each. Types in fewer documents count, but are never taken for frequent.

    A word that few people wrote may be about one of them, so what ships is counted with `least_documents` of five.
    """
    documents = Counter(word for text in texts for word in {bare_word(word) for word in text.split()} if word)
    ranked = sorted(documents, key=lambda word: (-documents[word], word))

    def top(share: float) -> frozenset[str]:
        return frozenset(word for word in ranked[: ceil(share * len(ranked))] if documents[word] >= least_documents)

    return PruningWords(top(FREQUENT_SHARE), top(COMMON_SHARE))


def bare_word(word: str) -> str:
    """As it is counted and looked up; empty for what is only punctuation, which is no word and stays."""
    return _EDGES.sub("", word).casefold()


def prune(text: str, words: PruningWords, tokenise: Tokenise, limit: int) -> PrunedText:
    """Whole words are taken out and the rest is tokenised anew, since `limit` counts word pieces."""
    tokens = tokenise(text)
    removed: frozenset[str] = frozenset()
    for steps, more in enumerate((STOP_WORDS, words.frequent, words.common)):
        if len(tokens) <= limit:
            return PrunedText(tokens, len(tokens), steps)
        removed |= more
        tokens = tokenise(" ".join(word for word in text.split() if bare_word(word) not in removed))
    return PrunedText(tokens[:limit], len(tokens), 3)


# Section trimming: a budget of tokens shared among the sections of a resume, and the job, by their lengths.


def trimmed_lengths(lengths: Sequence[int], budget: int) -> list[int]:
    """How many first tokens of each part are kept: min(budget, total) in all, in proportion to the lengths.

    Shares are rounded down, and what is left goes to the largest remainders, the first part first among equals.
    A part with any token keeps at least one, which the longest part pays for.
    """
    total = sum(lengths)
    if total <= budget:
        return list(lengths)
    if budget < sum(length > 0 for length in lengths):
        raise UsageError(f"{budget} tokens are too few for {sum(length > 0 for length in lengths)} parts.")
    shares = [Fraction(budget * length, total) for length in lengths]
    kept = [int(share) for share in shares]
    by_remainder = sorted(range(len(kept)), key=lambda place: kept[place] - shares[place])
    for place in by_remainder[: budget - sum(kept)]:
        kept[place] += 1
    for place, length in enumerate(lengths):
        if length > 0 and kept[place] == 0:
            kept[kept.index(max(kept))] -= 1
            kept[place] = 1
    return kept


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


def read_rules(file: Path, limit: int) -> TokenRules:
    return make_rules(read_tokenizer(file), limit)


def make_rules(tokenizer: Tokenizer, limit: int) -> TokenRules:
    around: list[int] = tokenizer.encode("").ids
    if len(around) != SPECIAL_TOKENS:
        raise UsageError("The encoder's tokenizer does not put one token before and one after a text.")
    return TokenRules(tokenizer, around[0], around[1], limit)


def cut_resume(
    resume: ResumeInput,
    architecture: Architecture,
    rules: TokenRules,
    *,
    words: PruningWords | None = None,
    job_text: str | None = None,
) -> CutResume:
    """`words` for architectures that prune, `job_text` for those that join resume and job in one sequence."""
    if architecture.cut == "whole":
        return _whole(resume, architecture, rules, job_text)
    pieces: list[tuple[Sequence[int], int]] = []
    for section in resume.sections:
        kind = KINDS.index(section.kind)
        if architecture.cut == "pruned":
            limit = rules.budget(architecture.whole_tokens)
            tokens = prune(section.text, words or PruningWords(), rules.content, limit).tokens
            pieces += [(tokens, kind)] if tokens else []
        else:
            size = rules.budget(architecture.chunk_tokens)
            pieces += [(piece, kind) for piece in chunks(rules.content(section.text), size)]
    pieces = pieces or [((), NOWHERE)]
    return CutResume(tuple(rules.sequence(content) for content, _ in pieces), tuple(kind for _, kind in pieces))


def cut_job(job_text: str, architecture: Architecture, rules: TokenRules) -> Ids:
    return rules.sequence(rules.content(job_text)[: rules.budget(architecture.whole_tokens)])


def _whole(resume: ResumeInput, architecture: Architecture, rules: TokenRules, job_text: str | None) -> CutResume:
    texts = [section.text for section in resume.sections]
    if architecture.job == "joined":
        if job_text is None:
            raise UsageError(f"The network {architecture.name} needs the text of a job.")
        texts.append(job_text)
    parts = [rules.content(text) for text in texts]
    kept = trimmed_lengths([len(part) for part in parts], rules.budget(architecture.whole_tokens))
    content = [token for part, length in zip(parts, kept, strict=True) for token in part[:length]]
    return CutResume((rules.sequence(content),), (NOWHERE,))
