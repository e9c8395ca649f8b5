"""`evenhand bench duplicates`: resumes sent again under another name, found beside datasketch, and what a million cost.

Times are of the processor. Both sides get the texts without contact lines, make their own shingles, use the same bands
and compare their candidates exactly.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar, NamedTuple

import numpy as np
from datasketch import MinHash, MinHashLSH

from evenhand.audit.statistics import wilson
from evenhand.progress import Progress, ProgressBar, no_progress, with_progress
from evenhand.search.duplicates.index import DuplicateIndex, check_pairs
from evenhand.search.duplicates.sketch import (
    BRODER,
    METHOD,
    Sketch,
    SketchParameters,
    sketch,
    sketch_many,
    without_contact,
)
from evenhand_lab.benchmarks.inputs import request_in_turn
from evenhand_lab.benchmarks.kit import Measurement, in_brackets, timed
from evenhand_lab.corpora.generate import draft_plain, in_processes
from evenhand_lab.corpora.lexicon import stream
from evenhand_lab.corpora.manuscript import to_plain
from evenhand_lab.corpora.planting import rename, renew_person, swap_items

# Near-duplicate pairs of a pile of texts: our way and datasketch's, with the seconds of each step.


WORD = re.compile(r"[^\W_]+")
Pairs = set[tuple[int, int]]
Estimated = list[tuple[int, int, float]]


class PairQuality(NamedTuple):
    recall: float
    precision: float


@dataclass(frozen=True, slots=True)
class StepSeconds:
    """Seconds of the processor."""

    sketches: float  # shingles and their min-hashes
    candidates: float
    check: float

    @property
    def total(self) -> float:
        return self.sketches + self.candidates + self.check


def quality(pairs: Pairs, planted: frozenset[tuple[int, int]]) -> PairQuality:
    right = len(pairs & planted)
    return PairQuality(right / len(planted) if planted else 1.0, right / len(pairs) if pairs else 1.0)


def find_pairs(stripped: dict[int, str], method: SketchParameters) -> tuple[Pairs, StepSeconds, int]:
    """With the number of pairs whose min-hashes were compared."""
    sketches, sketching = timed(lambda: list(sketch_many(stripped.values(), method=method)))
    (index, proposed), proposing = timed(lambda: propose(stripped, sketches, method))
    checked, checking = timed(lambda: list(check_pairs(proposed, stripped.__getitem__, method=method)))
    return {(pair.a, pair.b) for pair in checked}, StepSeconds(sketching, proposing, checking), index.compared


def propose(
    keys: Iterable[int], sketches: Sequence[Sketch], method: SketchParameters
) -> tuple[DuplicateIndex[int], Estimated]:
    index: DuplicateIndex[int] = DuplicateIndex(method)
    index.add_many(zip(keys, sketches, strict=True))
    return index, list(index.pairs())


def find_by_datasketch(stripped: dict[int, str], method: SketchParameters) -> tuple[Pairs, StepSeconds]:
    """By its quickest calls: `bulk` for the min-hashes, no look for keys given twice."""
    width = method.width

    def shingle(text: str) -> set[bytes]:
        words = WORD.findall(text.lower())
        return {" ".join(words[at : at + width]).encode() for at in range(len(words) - width + 1)}

    def propose_pairs() -> list[tuple[int, int]]:
        proposed = []
        for key, minhash in zip(sets, hashes, strict=True):
            proposed += [(other, key) for other in lsh.query(minhash)]
            lsh.insert(key, minhash, check_duplication=False)
        return proposed

    def check() -> Pairs:
        return {(a, b) for a, b in pairs if len(sets[a] & sets[b]) >= method.threshold * len(sets[a] | sets[b])}

    sets, shingling = timed(lambda: {key: shingle(text) for key, text in stripped.items()})
    hashes, hashing = timed(lambda: MinHash.bulk(sets.values(), num_perm=method.hashes))
    lsh = MinHashLSH(num_perm=method.hashes, params=(method.bands, method.rows))
    pairs, proposing = timed(propose_pairs)
    checked, checking = timed(check)
    return checked, StepSeconds(shingling + hashing, proposing, checking)


# A pile of resumes in which some people apply twice: new name, mail and phone, 5 to 15 of 100 words edited.

MIN_EDITED, MAX_EDITED = 0.05, 0.15  # of the words
REPLACED, LEFT_OUT = 0.6, 0.2  # of the edits; the others put a word in
BATCH = 100


@dataclass(frozen=True, slots=True)
class DuplicateCorpus:
    """Texts by number. Planted pairs are an original and the number under which it is sent again."""

    texts: dict[int, str]
    planted: frozenset[tuple[int, int]]

    def first(self, n: int) -> DuplicateCorpus:
        """The first resumes, originals and copies in the same proportion."""
        originals = len(self.texts) - len(self.planted)
        copies = round(len(self.planted) * n / len(self.texts))
        wanted = {*range(n - copies), *range(originals, originals + copies)}
        return DuplicateCorpus(
            {number: text for number, text in self.texts.items() if number in wanted},
            frozenset(pair for pair in self.planted if wanted.issuperset(pair)),
        )


def make_pile(n: int, planted: int, *, seed: int, progress: Progress = no_progress) -> DuplicateCorpus:
    """`n` resumes of all kinds in turn, the last `planted` of them the first ones sent again."""
    originals = n - planted
    tasks = [(seed, originals, range(start, min(start + BATCH, n))) for start in range(0, n, BATCH)]
    made = in_processes(_make_batch, tasks, os.cpu_count() or 1)
    batches = with_progress(made, progress, "generating resumes", len(tasks))
    texts = dict(enumerate(text for batch in batches for text in batch))
    return DuplicateCorpus(texts, frozenset((number, originals + number) for number in range(planted)))


def _make_batch(task: tuple[int, int, range]) -> list[str]:
    seed, originals, numbers = task
    return [
        to_plain(draft_plain(request_in_turn(seed, number, "txt"), number).manuscript).text
        if number < originals
        else _sent_again(seed, number - originals)
        for number in numbers
    ]


def _sent_again(seed: int, number: int) -> str:
    """The person becomes another one; list items change places and words are edited all over the text."""
    rng = stream(seed, number, "sent again")
    order = request_in_turn(seed, number, "txt")
    draft, other = draft_plain(order, number), draft_plain(order, number + 1_000_000)
    person = renew_person(other.career.person, rng)
    first, *others = (rename(section, draft.career.person, person) for section in draft.manuscript.sections)
    sections = (first, *(swap_items(section, rng) for section in others))
    text = to_plain(replace(draft.manuscript, sections=sections)).text
    return edit(text, to_plain(other.manuscript).text.split(), rng.uniform(MIN_EDITED, MAX_EDITED), rng)


def edit(text: str, strange: Sequence[str], share: float, rng: Random) -> str:
    """Exactly this share of the words replaced by a strange one, left out, or followed by one."""
    lines = [line.split(" ") for line in text.split("\n")]
    places = [(row, at) for row, words in enumerate(lines) for at, word in enumerate(words) if word]
    for row, at in rng.sample(places, round(share * len(places))):
        chance = rng.random()
        if chance < REPLACED:
            lines[row][at] = rng.choice(strange)
        elif chance < REPLACED + LEFT_OUT:
            lines[row][at] = ""
        else:
            lines[row][at] += f" {rng.choice(strange)}"
    return "\n".join(" ".join(words) for words in lines)


RESUMES = 10_000
PLANTED = 0.05  # of them
SIZES = (0.25, 0.5, 1.0, 2.0)  # times as many, for the growth
LARGE_SIZE = 1_000_000
MIN_RECALL, MIN_PRECISION, MIN_PEER_RATIO = 0.98, 0.99, 10.0
LOOSE = SketchParameters(rows=3, threshold=0.0)  # brings up most pairs of resemblance 0.3, and many of 0.2
CLOSEST = 1000  # other pairs that are compared exactly


@dataclass(frozen=True, slots=True)
class DuplicateTiming:
    """A pile of so many resumes: seconds, and pairs whose min-hashes were compared."""

    resumes: int
    sketch_seconds: float  # contact lines, shingles, min-hashes
    pair_seconds: float
    compared: int
    quality: PairQuality


@dataclass(frozen=True, slots=True)
class Million:
    """What a million resumes cost on one core."""

    text_seconds: float  # as for the largest pile: this grows in step
    index_seconds: float  # of an index filled with a million random sketches and searched for pairs
    array_bytes: int  # of that index
    compared: float  # pairs: a part that grows in step and a part that grows with the square
    compare_seconds: float

    def rows(self) -> list[tuple[str, str]]:
        total = self.text_seconds + self.index_seconds + self.compare_seconds
        return [
            (f"{LARGE_SIZE:,} resumes, texts to min-hashes", f"{self.text_seconds:.0f} s, extrapolated"),
            ("  index filled and searched", f"{self.index_seconds:.0f} s, measured with random min-hashes"),
            ("  its bands and min-hashes", f"{self.array_bytes / 1e6:.0f} MB, measured"),
            (f"  {self.compared / 1e6:.0f} million pairs compared", f"{self.compare_seconds:.0f} s, extrapolated"),
            ("  together on one core", f"{total / 60:.1f} minutes"),
        ]


@dataclass(frozen=True, slots=True)
class DuplicateBenchmark(Measurement):
    title: ClassVar[str] = "resumes sent again under another name, beside datasketch"
    derived: ClassVar = ("ratio", "ratio_with_contact")
    resumes: int
    planted: int
    ours: PairQuality
    textbook: PairQuality  # w = 4, threshold 0.6
    peer: PairQuality
    lowest_planted: float  # resemblance
    highest_other: float
    contact_seconds: float  # for both
    our_steps: StepSeconds
    peer_steps: StepSeconds
    growth: tuple[DuplicateTiming, ...]
    million: Million

    @property
    def ratio(self) -> float:
        return self.peer_steps.total / self.our_steps.total

    @property
    def ratio_with_contact(self) -> float:
        return (self.peer_steps.total + self.contact_seconds) / (self.our_steps.total + self.contact_seconds)

    @property
    def _interval(self) -> str:
        return in_brackets(wilson(round(self.ours.recall * self.planted), self.planted), 4) if self.planted else ""

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("resumes, planted pairs", f"{self.resumes:,}, {self.planted:,}"),
            ("recall", f"{self.ours.recall:.4f}{self._interval} (at least {MIN_RECALL})"),
            ("precision", f"{self.ours.precision:.4f} (at least {MIN_PRECISION})"),
            ("  datasketch", _rated(self.peer)),
            ("  ours with w = 4 and threshold 0.6", _rated(self.textbook)),
            ("lowest resemblance of a planted pair", f"{self.lowest_planted:.2f}"),
            ("  highest of another pair seen", f"{self.highest_other:.2f} (the threshold is {METHOD.threshold})"),
            ("ours: shingles and min-hashes + candidates + exact check", _timed(self.our_steps)),
            ("datasketch: the same", _timed(self.peer_steps)),
            ("times as fast as datasketch", f"{self.ratio:.1f} (at least {MIN_PEER_RATIO:g})"),
            ("contact lines left out, for both", f"{self.contact_seconds:.2f} s"),
            ("  times as fast, this counted too", f"{self.ratio_with_contact:.1f}"),
            *(_size_row(size) for size in self.growth),
            *self.million.rows(),
        ]


def _rated(pairs: PairQuality) -> str:
    return f"recall {pairs.recall:.4f}, precision {pairs.precision:.4f}"


def _timed(steps: StepSeconds) -> str:
    return f"{steps.sketches:.2f} + {steps.candidates:.2f} + {steps.check:.2f} = {steps.total:.2f} s"


def _size_row(size: DuplicateTiming) -> tuple[str, str]:
    seconds = size.sketch_seconds + size.pair_seconds
    per_resume = f"{1e6 * seconds / size.resumes:.0f} µs each"
    return f"{size.resumes:,} resumes from text to pairs", f"{seconds:.2f} s, {per_resume}; {_rated(size.quality)}"


def run(*, n: int = RESUMES, seed: int = 1, progress: Progress = no_progress) -> DuplicateBenchmark:
    """Measure on `n` generated resumes, one in twenty of them sent again; growth up to twice as many."""
    largest = round(n * max(SIZES))
    whole = make_pile(largest, round(largest * PLANTED), seed=seed, progress=progress)
    pile = whole.first(n)
    sketch("Tables that are made once: é")
    with progress("measuring", len(SIZES) + 4) as bar:
        stripped, contact_seconds = timed(lambda: strip(pile))
        our_pairs, our_steps, _ = find_pairs(stripped, METHOD)
        bar.advance()
        peer_pairs, peer_steps = find_by_datasketch(stripped, METHOD)
        bar.advance()
        textbook, *_ = find_pairs(stripped, BRODER)
        lowest, highest = extremes(stripped, pile)
        bar.advance()
        growth = [measure_size(whole.first(round(n * share)), bar) for share in SIZES]
        million = measure_million(growth, seed)
        bar.advance()
    return DuplicateBenchmark(
        resumes=n,
        planted=len(pile.planted),
        ours=quality(our_pairs, pile.planted),
        textbook=quality(textbook, pile.planted),
        peer=quality(peer_pairs, pile.planted),
        lowest_planted=lowest,
        highest_other=highest,
        contact_seconds=contact_seconds,
        our_steps=our_steps,
        peer_steps=peer_steps,
        growth=tuple(growth),
        million=million,
    )


def strip(pile: DuplicateCorpus) -> dict[int, str]:
    return {number: without_contact(text) for number, text in pile.texts.items()}


def extremes(stripped: dict[int, str], pile: DuplicateCorpus) -> tuple[float, float]:
    """The lowest resemblance of a planted pair, and the highest of the other pairs that seem closest."""
    _, pairs = propose(stripped, list(sketch_many(stripped.values(), method=LOOSE)), LOOSE)
    others = [pair for pair in pairs if pair[:2] not in pile.planted]
    closest = sorted(others, key=lambda pair: -pair[2])[:CLOSEST]
    planted = [(a, b, 1.0) for a, b in sorted(pile.planted)]
    of_planted, of_others = (
        [pair.resemblance for pair in check_pairs(some, stripped.__getitem__, method=LOOSE)]
        for some in (planted, closest)
    )
    return min(of_planted, default=1.0), max(of_others, default=0.0)


def measure_size(pile: DuplicateCorpus, bar: ProgressBar) -> DuplicateTiming:
    stripped, stripping = timed(lambda: strip(pile))
    pairs, steps, compared = find_pairs(stripped, METHOD)
    rated = quality(pairs, pile.planted)
    bar.advance()
    return DuplicateTiming(len(stripped), stripping + steps.sketches, steps.candidates + steps.check, compared, rated)


def measure_million(growth: Sequence[DuplicateTiming], seed: int) -> Million:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 1 << 16, (LARGE_SIZE, METHOD.hashes), np.uint16)
    index: DuplicateIndex[int] = DuplicateIndex()

    def fill() -> int:
        index.add_many((number, Sketch(row, 100, METHOD.width)) for number, row in enumerate(values))
        return sum(1 for _ in index.pairs())

    _, index_seconds = timed(fill)
    one, other = rng.integers(0, LARGE_SIZE, (2, 1 << 14))
    _, some_seconds = timed(lambda: np.mean(values[one] == values[other], axis=1))
    compared = extrapolate([size.resumes for size in growth], [size.compared for size in growth], LARGE_SIZE)
    return Million(
        text_seconds=growth[-1].sketch_seconds * LARGE_SIZE / growth[-1].resumes,
        index_seconds=index_seconds,
        array_bytes=index.array_bytes,
        compared=compared,
        compare_seconds=some_seconds / len(one) * compared,
    )


def extrapolate(sizes: Sequence[int], counts: Sequence[int], size: int) -> float:
    """Counts as a n + b n**2, the best fit where neither falls with n."""
    n = np.array(sizes, np.float64)
    (a, b), *_ = np.linalg.lstsq(np.stack([n, n**2], axis=1), np.array(counts, np.float64), rcond=None)
    if a < 0 or b < 0:
        return max(counts) * (size / max(sizes)) ** (2 if a < 0 else 1)
    return float(a * size + b * size**2)
