"""What a network's scores are measured against: padding, an average embedding, that of negative cases, or chance.

A baseline has the length of the resume and its special tokens in place; only what the resume says is taken away.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from evenhand.errors import UnknownBaseline, UsageError
from evenhand.explain.baselines import DRAWS, Reference, lacks_label
from evenhand.explain.gradients.integrated import StepDensity
from evenhand.explain.gradients.networks import OpenNetwork
from evenhand.explain.gradients.path_integrals import open_output, standardised
from evenhand.explain.linear import BASELINES
from evenhand.explain.places import Place, PlacedResume, PlacedText
from evenhand.models.architectures import Architecture
from evenhand.models.calibration import to_probabilities
from evenhand.models.inputs import KINDS
from evenhand.models.sequences import (
    NOWHERE,
    STOP_WORDS,
    CutResume,
    Ids,
    PruningWords,
    TokenRules,
    bare_word,
    chunks,
    cut_resume,
    prune,
    trimmed_lengths,
)
from evenhand.models.training.encoders import token_tensors
from evenhand.models.training.layers import pack

# A placed resume cut as those who judge cut it, with the place in the document of every token.

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class PlacedToken:
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
        return sum(int((~sequence.held).sum()) for sequence in self.sequences)


def cut_placed(
    placed: PlacedResume,
    architecture: Architecture,
    rules: TokenRules,
    *,
    words: PruningWords | None = None,
    job_text: str | None = None,
) -> PlacedSequences:
    """The very sequences of `cut_resume`."""
    if architecture.cut == "whole":
        return _whole(placed, architecture, rules, job_text)
    if architecture.cut == "pruned":
        return _pruned(placed, architecture, rules, words or PruningWords())
    size = rules.budget(architecture.chunk_tokens)
    pieces = []
    for section, text in zip(placed.resume.sections, placed.sections, strict=True):
        tokens = _tokens(text, rules)
        for piece in chunks(range(len(tokens)), size):
            pieces.append(([tokens[at] for at in piece], KINDS.index(section.kind)))
    return PlacedSequences(_sequences(pieces, rules))


def _whole(
    placed: PlacedResume, architecture: Architecture, rules: TokenRules, job_text: str | None
) -> PlacedSequences:
    parts = [_tokens(text, rules) for text in placed.sections]
    if architecture.job == "joined":
        if job_text is None:
            raise UsageError(f"The network {architecture.name} needs the text of a job.")
        parts.append([PlacedToken(id, None, held=True) for id in rules.content(job_text)])
    kept = trimmed_lengths([len(part) for part in parts], rules.budget(architecture.whole_tokens))
    content = [token for part, length in zip(parts, kept, strict=True) for token in part[:length]]
    read = sum(not token.held for token in content)
    written = sum(len(part) for part in parts[: len(placed.sections)])
    return PlacedSequences(_sequences([(content, NOWHERE)], rules), written - read)


def _pruned(
    placed: PlacedResume, architecture: Architecture, rules: TokenRules, words: PruningWords
) -> PlacedSequences:
    limit = rules.budget(architecture.whole_tokens)
    pieces, unread = [], 0
    for section, text in zip(placed.resume.sections, placed.sections, strict=True):
        pruned = prune(text.text, words, rules.content, limit)
        tokens = _tokens(text, rules) if pruned.steps == 0 else _rest(text, rules, words, pruned.steps)
        unread += len(rules.content(text.text)) - len(pruned.tokens)
        if pruned.tokens:
            pieces.append((tokens[: len(pruned.tokens)], KINDS.index(section.kind)))
    return PlacedSequences(_sequences(pieces, rules), unread)


def _rest(text: PlacedText, rules: TokenRules, words: PruningWords, steps: int) -> list[PlacedToken]:
    """Tokens of the words that `steps` of pruning leave, which are tokenised anew with a blank between them."""
    removed = frozenset().union(*(STOP_WORDS, words.frequent, words.common)[:steps])
    kept = [word for word in _WORD.finditer(text.text) if bare_word(word[0]) not in removed]
    origin = [at for word in kept for at in (*range(word.start(), word.end()), word.end())]
    encoding = rules.tokenizer.encode(" ".join(word[0] for word in kept), add_special_tokens=False)
    return [
        PlacedToken(id, text.place(origin[start], origin[end - 1] + 1) if end > start else None)
        for id, (start, end) in zip(encoding.ids, encoding.offsets, strict=True)
    ]


def _tokens(text: PlacedText, rules: TokenRules) -> list[PlacedToken]:
    encoding = rules.tokenizer.encode(text.text, add_special_tokens=False)
    return [
        PlacedToken(id, text.place(start, end)) for id, (start, end) in zip(encoding.ids, encoding.offsets, strict=True)
    ]


def _sequences(pieces: Sequence[tuple[Sequence[PlacedToken], int]], rules: TokenRules) -> tuple[PlacedSequence, ...]:
    return tuple(
        PlacedSequence(
            rules.sequence([token.id for token in content]),
            (None, *(token.place for token in content), None),
            np.array([True, *(token.held for token in content), True]),
            kind,
        )
        for content, kind in pieces or [((), NOWHERE)]
    )


# Where on the way from each kind the network changes its mind, measured on the encoder that ships.
GATHERINGS = {
    "pad": StepDensity(0.45, 0.1),
    "average": StepDensity(0.22, 0.12),
    "negatives": StepDensity(0.22, 0.12),
    "random": StepDensity(0.47, 0.1),
}
_UNWANTED = ("[unused", "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PathStart:
    """Where every sequence's path begins: rows of word embeddings. `is_shared` where all resumes begin alike."""

    rows: tuple[Tensor, ...]
    is_shared: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Baseline:
    """`covered` are the labels that the model gives to the negative cases, one each."""

    name: str
    starts: tuple[PathStart, ...]  # several of chance
    covered: tuple[str, ...] = ()

    @property
    def gathering(self) -> StepDensity:
        return GATHERINGS[self.name]


def make_baseline(
    name: str,
    opened: OpenNetwork,
    sequences: Sequence[PlacedSequence],
    target: int,
    *,
    reference: Reference | None = None,
    job_text: str | None = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> Baseline:
    if name in ("average", "negatives") and (reference is None or not reference.inputs):
        raise UsageError(f"The baseline {name} needs resumes to compare with.")
    match name:
        case "pad":
            vector = opened.network.encoder.words.weight[opened.padding]
            return Baseline(name, (PathStart(_filled(opened, sequences, vector), is_shared=True),))
        case "average" if reference:
            vector = _mean(opened, count_tokens(opened, reference, job_text).sum(axis=0))
            return Baseline(name, (PathStart(_filled(opened, sequences, vector)),))
        case "negatives" if reference:
            return _negatives(opened, sequences, target, reference, job_text)
        case "random":
            rng = np.random.default_rng(seed)
            shares = _shares(opened, reference, job_text)
            starts = []
            for _ in range(draws):
                rows = []
                for sequence in sequences:
                    ids = sequence.ids.copy()
                    ids[~sequence.held] = rng.choice(len(shares), int((~sequence.held).sum()), p=shares)
                    rows.append(word_rows(opened, replace(sequence, ids=ids)))
                starts.append(PathStart(tuple(rows)))
            return Baseline(name, tuple(starts))
    raise UnknownBaseline(f"There is no baseline {name!r}; there are {', '.join(BASELINES)}.")


def _filled(opened: OpenNetwork, sequences: Sequence[PlacedSequence], vector: Tensor) -> tuple[Tensor, ...]:
    filled = []
    for sequence in sequences:
        rows = word_rows(opened, sequence)
        rows[torch.from_numpy(~sequence.held)] = vector
        filled.append(rows)
    return tuple(filled)


@torch.no_grad()
def word_rows(opened: OpenNetwork, sequence: PlacedSequence) -> Tensor:
    """(tokens, H), a copy."""
    rows: Tensor = opened.network.encoder.words(torch.from_numpy(sequence.ids).long())
    return rows


def _cut(opened: OpenNetwork, reference: Reference, job_text: str | None) -> list[CutResume]:
    return [
        cut_resume(reference_input, opened.architecture, opened.rules, words=opened.words, job_text=job_text)
        for reference_input in reference.inputs
    ]


def count_tokens(opened: OpenNetwork, reference: Reference, job_text: str | None = None) -> Floats:
    """(resumes, vocabulary): of what the network reads, without the special tokens around each sequence.

    Of a job that is read in the same sequence tokens count too: they are what stands beside a resume.
    """
    size = len(opened.network.encoder.words.weight)
    rows = [
        np.bincount(np.concatenate([ids[1:-1] for ids in cut.sequences]), minlength=size)
        for cut in _cut(opened, reference, job_text)
    ]
    return np.stack(rows).astype(np.float64)


def _mean(opened: OpenNetwork, counts: Floats) -> Tensor:
    if not counts.sum():
        raise UsageError("The resumes to compare with have no words.")
    weights = opened.network.encoder.words.weight
    return torch.from_numpy(counts / counts.sum()).to(weights) @ weights


def _negatives(
    opened: OpenNetwork, sequences: Sequence[PlacedSequence], target: int, reference: Reference, job_text: str | None
) -> Baseline:
    manifest = opened.manifest
    probabilities = predict_reference(opened, reference, job_text)
    lacking = np.flatnonzero(lacks_label(probabilities, target, manifest))
    if not len(lacking):
        raise UnknownBaseline(
            f"The model gives {manifest.labels[target]} to all {reference.about}: there are no negative ones."
        )
    vector = _mean(opened, count_tokens(opened, reference, job_text)[lacking].sum(axis=0))
    covered = tuple(manifest.labels[at] for at in probabilities[lacking].argmax(axis=1).tolist())
    return Baseline("negatives", (PathStart(_filled(opened, sequences, vector)),), covered)


@torch.no_grad()
def predict_reference(opened: OpenNetwork, reference: Reference, job_text: str | None) -> Floats:
    """Probabilities of every label for every resume; those of the last reference are kept, they take seconds."""
    key = (reference, job_text if opened.architecture.needs_job else None)
    if key not in opened.judged:
        rows = []
        for resume, cut in zip(reference.inputs, _cut(opened, reference, job_text), strict=True):
            output = open_output(opened, 0, count=len(cut.sequences), job_text=job_text)
            places = sorted(range(len(cut.sequences)), key=lambda place: -len(cut.sequences[place]))
            ids, _ = token_tensors([cut.sequences[place] for place in places])
            packing = pack([len(cut.sequences[place]) for place in places])
            kinds = torch.tensor([cut.kinds[place] for place in places])
            vectors = output.vectors(opened.network.encoder.words(ids), packing, kinds, -1)
            rows.append(output.logits(vectors, standardised(opened, resume)).double().numpy())
        opened.judged.clear()
        opened.judged[key] = np.stack(rows)
    manifest = opened.manifest
    return to_probabilities(opened.judged[key], temperature=manifest.temperature, several=manifest.outcome == "several")


def _shares(opened: OpenNetwork, reference: Reference | None, job_text: str | None) -> Floats:
    """How probable each token is: as frequent as among the resumes to compare with; without them all are equal."""
    if reference is not None and reference.inputs:
        counts = count_tokens(opened, reference, job_text).sum(axis=0)
    else:
        counts = np.zeros(len(opened.network.encoder.words.weight))
        for token, place in opened.rules.tokenizer.get_vocab().items():
            counts[place] = not token.startswith(_UNWANTED)
    if not counts.sum():
        raise UsageError("The resumes to compare with have no words.")
    return np.asarray(counts / counts.sum())
