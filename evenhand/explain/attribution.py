"""What every method of explaining gives: parts of an output, each at its place in the document, and how they add up."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.explain.places import NOWHERE, PlacedResume
from evenhand.models.calibration import Floats as CalibrationFloats
from evenhand.models.calibration import to_probabilities
from evenhand.models.encoder.weights import Ids
from evenhand.models.inference.network import BATCH_TOKENS, EncodedSequences, NetworkClassifier, SequenceModel, States
from evenhand.models.inputs import KINDS, ResumeInput
from evenhand.models.linear.storing import LinearClassifier
from evenhand.models.manifest import Manifest
from evenhand.records.explanation import FactScore, SectionScore, WordScore

MIN_GATE, GATE_SHARE = 0.02, 0.01
Draws = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PlaceScore:
    """What the document's text from `start` to `end` adds: a token, a word piece, a word. Places may repeat."""

    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class Attribution:
    """Scores and `special` sum to `output` - `baseline_output` + `delta`, all in logits of one label.

    `special` is everything that has no place in the document: special tokens, mined facts (which `facts` names), words
    that a baseline has and the resume lacks. `layer` is where the path is straight, None where there is no path.
    """

    method: str
    baseline: str
    output: float
    baseline_output: float
    scores: tuple[PlaceScore, ...]
    special: float
    delta: float
    converged: bool
    layer: str | None = None
    steps: int = 0  # the most points along any path; 0 for methods without one
    facts: tuple[FactScore, ...] = ()
    draws: Draws | None = None  # (draws, scores) of random baselines, whose mean `scores` are
    neurons: tuple[float, ...] = ()  # of conductance: what each neuron of the layer adds, over all tokens
    tokens: int = 0  # that the model read
    unread: int = 0  # that it never saw, because it reads only so far
    warnings: tuple[str, ...] = ()

    @property
    def total(self) -> float:
        """What scores and `special` sum to."""
        return sum(score.score for score in self.scores) + self.special


def centred(logits: NDArray[np.floating]) -> Draws:
    """What each of the labels that exclude each other has more than all on average: what they share decides nothing,
    and a network is free to add any number to all of them."""
    return np.asarray(logits - logits.mean(axis=-1, keepdims=True), np.float64)


def gate(output: float, baseline_output: float) -> float:
    """How far the sum of scores may be from the difference that it explains."""
    return max(MIN_GATE, GATE_SHARE * abs(output - baseline_output))


def is_complete(delta: float, output: float, baseline_output: float) -> bool:
    """Never of what is no number."""
    return abs(delta) <= gate(output, baseline_output)


# The words of a document as people see them, and scores gathered by word, section and line.
#
# Models read pieces; people read words. Every character that a model read and that is not blank belongs to one word.

Floats = NDArray[np.float64]
Numbers = NDArray[np.int32]
NO_WORD = -1

# The ideographs that BERT reads one by one.
_IDEOGRAPHS = (
    *((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F)),
    *((0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)),
)
_JOINING = frozenset(".&'’@-‐‑\u00ad\u200c\u200d")  # within "node.js", "R&D", "co-ordinator"
_TAILS = frozenset("+#")  # behind "C++", "C#", "10+"
_LETTER, _IDEOGRAPH, _JOINER, _TAIL, _OTHER, _BLANK = "wcjt. "
_RUN = re.compile(r"[^ ]+")
_CORE = re.compile(r"c|w+(?:jw+)*t*")


@dataclass(frozen=True, slots=True)
class WordSpan:
    """Half-open code point offsets into the text of the document."""

    start: int
    end: int


@dataclass(frozen=True, eq=False)
class ModelWords:
    """The words that a model read of a document, in the order of the document."""

    text: str
    spans: tuple[WordSpan, ...]
    placed: PlacedResume

    @cached_property
    def at(self) -> Numbers:
        """For each character of the document the number of its word, or NO_WORD."""
        numbers = np.full(len(self.text), NO_WORD, np.int32)
        for number, span in enumerate(self.spans):
            numbers[span.start : span.end] = number
        return numbers

    @cached_property
    def line_of(self) -> Numbers:
        """The number of the line that each word stands in, from 0."""
        breaks = np.array([at for at, character in enumerate(self.text) if character == "\n"], np.int64)
        return np.searchsorted(breaks, [span.start for span in self.spans]).astype(np.int32)

    @cached_property
    def kind_of(self) -> Numbers:
        """The place in KINDS of the section that each word stands in."""
        kinds = np.full(len(self.text), len(KINDS) - 1, np.int32)
        for section, placed in zip(self.placed.resume.sections, self.placed.sections, strict=True):
            offsets = placed.offsets
            kinds[offsets[offsets != NOWHERE]] = KINDS.index(section.kind)
        return kinds[[span.start for span in self.spans]]

    def gather(self, attribution: Attribution) -> tuple[Floats, float]:
        """The score of each word, and what is left over for `special`: scores whose place holds no word."""
        return self._summed(attribution, np.array([score.score for score in attribution.scores], np.float64))

    def spread(self, attribution: Attribution) -> tuple[float, ...]:
        """The standard deviation of each word's score over random baselines; empty where there are none."""
        if attribution.draws is None or len(attribution.draws) < 2:
            return ()
        rows = np.array([self._summed(attribution, draw)[0] for draw in attribution.draws])
        return tuple(rows.std(axis=0, ddof=1).tolist())

    def _summed(self, attribution: Attribution, values: Floats) -> tuple[Floats, float]:
        """A score over several words is shared by their characters."""
        sums = np.zeros(len(self.spans))
        left = 0.0
        for score, value in zip(attribution.scores, values.tolist(), strict=True):
            numbers = self.at[score.start : score.end]
            first = numbers[0] if len(numbers) else NO_WORD
            if first != NO_WORD and first == numbers[-1]:
                sums[first] += value
                continue
            numbers = numbers[numbers != NO_WORD]
            if len(numbers):
                np.add.at(sums, numbers, value / len(numbers))
            else:
                left += value
        return sums, left

    def scored(self, scores: Floats) -> tuple[WordScore, ...]:
        return tuple(
            WordScore(self.text[span.start : span.end], span.start, span.end, score)
            for span, score in zip(self.spans, scores.tolist(), strict=True)
        )

    def sections(self, scores: Floats) -> tuple[SectionScore, ...]:
        """Those that the resume has, in the order of KINDS."""
        totals = np.bincount(self.kind_of, weights=scores, minlength=len(KINDS))
        present = set(self.kind_of.tolist())
        return tuple(SectionScore(KINDS[kind], float(totals[kind])) for kind in sorted(present))

    def lines(self, scores: Floats) -> tuple[WordScore, ...]:
        """Those with words, from their first word to their last."""
        lines = []
        for first, last in self.line_words:
            start, end = self.spans[first].start, self.spans[last].end
            lines.append(WordScore(self.text[start:end], start, end, float(scores[first : last + 1].sum())))
        return tuple(lines)

    @cached_property
    def line_words(self) -> tuple[tuple[int, int], ...]:
        """The first and the last word of each line that has any."""
        if not len(self.line_of):
            return ()
        starts = np.flatnonzero(np.diff(self.line_of, prepend=NO_WORD))
        ends = [*(starts[1:] - 1).tolist(), len(self.spans) - 1]
        return tuple(zip(starts.tolist(), ends, strict=True))


def words_of(text: str, placed: PlacedResume) -> ModelWords:
    """`text` is that of the document."""
    read = "".join(character if seen else " " for character, seen in zip(text, placed.is_read.tolist(), strict=True))
    return ModelWords(text, tuple(find_spans(read)), placed)


def find_spans(text: str) -> list[WordSpan]:
    """Cores such as "C++", "R&D" and "node.js", each with the punctuation that follows it up to the next blank or
    core, the first of a run also with what stands before it. A run of nothing but punctuation is a word of its own."""
    classes = "".join(map(_class_of, text))
    spans: list[WordSpan] = []
    for run in _RUN.finditer(classes):
        starts = [core.start() for core in _CORE.finditer(classes, run.start(), run.end())]
        borders = [run.start(), *starts[1:], run.end()]
        spans += [WordSpan(start, end) for start, end in pairwise(borders)]
    return spans


@cache
def _class_of(character: str) -> str:
    if character.isspace():
        return _BLANK
    if character in _JOINING:
        return _JOINER
    if character in _TAILS:
        return _TAIL
    if any(low <= ord(character) <= high for low, high in _IDEOGRAPHS):
        return _IDEOGRAPH
    return _LETTER if character == "_" or unicodedata.category(character)[0] in "LMN" else _OTHER


def top_words(words: Sequence[WordScore], number: int) -> list[WordScore]:
    """The strongest by size, whatever their sign; every occurrence for itself, the earlier first among equals."""
    return sorted(words, key=lambda word: (-abs(word.score), word.start))[:number]


# What a model says of a resume from which something was taken away, many such resumes at a time.

BATCH_SIZE = 16  # resumes judged together
COPIES = 16  # of a remembered sequence given back together: with all its states it is large
AnyClassifier = LinearClassifier | NetworkClassifier


@dataclass(frozen=True, slots=True, eq=False)
class ScoringModel:
    """A model and, for those that compare, the text of a job, which stays the same."""

    classifier: AnyClassifier
    job_text: str | None = None

    @property
    def manifest(self) -> Manifest:
        return self.classifier.manifest

    def logits(self, resumes: Sequence[PlacedResume]) -> CalibrationFloats:
        """A row per resume, before the temperature; of networks whose labels exclude each other centred."""
        parts = [self._some(resumes[start : start + BATCH_SIZE]) for start in range(0, len(resumes), BATCH_SIZE)]
        return np.concatenate(parts) if parts else np.zeros((0, len(self.manifest.labels)))

    def probabilities(self, logits: CalibrationFloats) -> CalibrationFloats:
        several = self.manifest.outcome == "several"
        return to_probabilities(logits, temperature=self.manifest.temperature, several=several)

    def _some(self, resumes: Sequence[PlacedResume]) -> CalibrationFloats:
        inputs = [placed.resume for placed in resumes]
        if isinstance(self.classifier, LinearClassifier):
            return self.classifier.logits(inputs)
        logits = self.classifier.logits(inputs, job_text=self.job_text).astype(np.float64)
        return logits if self.manifest.outcome == "several" else centred(logits)

    def with_cache_of(self, resume: ResumeInput) -> ScoringModel:
        """The same, which reads anew only those parts of a resume that are not parts of this one as well."""
        if not isinstance(self.classifier, NetworkClassifier):
            return self
        sequences = self.classifier.cut(resume, self.job_text).sequences
        encoder = CachingEncoder.of(self.classifier.encoder, sequences)
        return replace(self, classifier=replace(self.classifier, encoder=encoder))


@dataclass(frozen=True, slots=True, eq=False)
class CachingEncoder:
    """An encoder that has read some sequences before. A sequence is never changed by those that run beside it."""

    inner: SequenceModel
    known: dict[bytes, EncodedSequences]

    @classmethod
    def of(cls, inner: SequenceModel, sequences: Sequence[Ids]) -> CachingEncoder:
        known = {}
        for encoded in inner.run(sequences):
            for row, place in enumerate(encoded.places):
                one = slice(row, row + 1)
                known[sequences[place].tobytes()] = EncodedSequences([], encoded.values[one], encoded.mask[one])
        return cls(inner, known)

    @property
    def output(self) -> States:
        return self.inner.output

    @property
    def hidden(self) -> int:
        return self.inner.hidden

    def run(self, sequences: Sequence[Ids], *, batch_tokens: int = BATCH_TOKENS) -> Iterator[EncodedSequences]:
        places: dict[bytes, list[int]] = defaultdict(list)
        for place, sequence in enumerate(sequences):
            places[sequence.tobytes()].append(place)
        new = [key for key in places if key not in self.known]
        firsts = [sequences[places[key][0]] for key in new]
        for encoded in self.inner.run(firsts, batch_tokens=batch_tokens):
            for row, place in enumerate(encoded.places):
                yield from self._copies(places[new[place]], encoded.values[row], encoded.mask[row])
        for key in places.keys() & self.known.keys():
            yield from self._copies(places[key], self.known[key].values[0], self.known[key].mask[0])

    def _copies(self, places: Sequence[int], values: NDArray[Any], mask: NDArray[Any]) -> Iterator[EncodedSequences]:
        for start in range(0, len(places), COPIES):
            some = list(places[start : start + COPIES])
            copies = (np.repeat(array[None], len(some), axis=0) for array in (values, mask))
            yield EncodedSequences(some, *copies)
