"""`evenhand bench duplicates`: resumes sent again under another name, found beside datasketch, and what a million cost.

Times are of the processor. Both sides get the texts without contact lines, make their own shingles, use the same bands
and compare their candidates exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
from rich.table import Table

from evenhand.bench.finding import Quality, Steps, find_by_datasketch, find_ours, propose, quality, timed
from evenhand.bench.measurements import as_table
from evenhand.bench.reapplying import Pile, make_pile
from evenhand.search.duplicates import (
    BRODER,
    METHOD,
    DuplicateIndex,
    Method,
    Sketch,
    check_pairs,
    sketch,
    sketch_many,
    without_contact,
)
from evenhand.workflows.watching import Watch, unwatched

RESUMES = 10_000
PLANTED = 0.05  # of them
SIZES = (0.25, 0.5, 1.0, 2.0)  # times as many, for the growth
MANY = 1_000_000
LEAST_RECALL, LEAST_PRECISION, LEAST_RATIO = 0.98, 0.99, 10.0
LOOSE = Method(rows=3, threshold=0.0)  # brings up most pairs of resemblance 0.3, and many of 0.2
CLOSEST = 1000  # other pairs that are compared exactly


@dataclass(frozen=True, slots=True)
class Size:
    """A pile of so many resumes: seconds, and pairs whose min-hashes were compared."""

    resumes: int
    sketch_seconds: float  # contact lines, shingles, min-hashes
    pair_seconds: float
    compared: int
    quality: Quality


@dataclass(frozen=True, slots=True)
class Million:
    """What a million resumes cost on one core."""

    text_seconds: float  # as for the largest pile: this grows in step
    index_seconds: float  # of an index filled with a million random sketches and searched for pairs
    array_bytes: int  # of that index
    compared: float  # pairs: a part that grows in step and a part that grows with the square
    compare_seconds: float


@dataclass(frozen=True, slots=True)
class Duplicates:
    title: ClassVar[str] = "resumes sent again under another name, beside datasketch"
    resumes: int
    planted: int
    ours: Quality
    textbook: Quality  # w = 4, threshold 0.6
    peer: Quality
    lowest_planted: float  # resemblance
    highest_other: float
    contact_seconds: float  # for both
    our_steps: Steps
    peer_steps: Steps
    growth: tuple[Size, ...]
    million: Million

    @property
    def ratio(self) -> float:
        return self.peer_steps.total / self.our_steps.total

    @property
    def ratio_with_contact(self) -> float:
        return (self.peer_steps.total + self.contact_seconds) / (self.our_steps.total + self.contact_seconds)

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"ratio": self.ratio, "ratio_with_contact": self.ratio_with_contact}

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("resumes, planted pairs", f"{self.resumes:,}, {self.planted:,}"),
            ("recall", f"{self.ours.recall:.4f} (at least {LEAST_RECALL})"),
            ("precision", f"{self.ours.precision:.4f} (at least {LEAST_PRECISION})"),
            ("  datasketch", _rated(self.peer)),
            ("  ours with w = 4 and threshold 0.6", _rated(self.textbook)),
            ("lowest resemblance of a planted pair", f"{self.lowest_planted:.2f}"),
            (
                "  highest of another pair seen",
                f"{self.highest_other:.2f} (the threshold is {METHOD.threshold})",
            ),
            ("ours: shingles and min-hashes + candidates + exact check", _timed(self.our_steps)),
            ("datasketch: the same", _timed(self.peer_steps)),
            ("times as fast as datasketch", f"{self.ratio:.1f} (at least {LEAST_RATIO:g})"),
            ("contact lines left out, for both", f"{self.contact_seconds:.2f} s"),
            ("  times as fast, this counted too", f"{self.ratio_with_contact:.1f}"),
            *(_size_row(size) for size in self.growth),
            *_million_rows(self.million),
        ]

    def table(self) -> Table:
        return as_table(self.title, self.rows())


def _rated(found: Quality) -> str:
    return f"recall {found.recall:.4f}, precision {found.precision:.4f}"


def _timed(steps: Steps) -> str:
    return f"{steps.sketches:.2f} + {steps.candidates:.2f} + {steps.check:.2f} = {steps.total:.2f} s"


def _size_row(size: Size) -> tuple[str, str]:
    seconds = size.sketch_seconds + size.pair_seconds
    each = f"{1e6 * seconds / size.resumes:.0f} µs each"
    return f"{size.resumes:,} resumes from text to pairs", f"{seconds:.2f} s, {each}; {_rated(size.quality)}"


def _million_rows(million: Million) -> list[tuple[str, str]]:
    total = million.text_seconds + million.index_seconds + million.compare_seconds
    return [
        (f"{MANY:,} resumes, texts to min-hashes", f"{million.text_seconds:.0f} s, extrapolated"),
        ("  index filled and searched", f"{million.index_seconds:.0f} s, measured with random min-hashes"),
        ("  its bands and min-hashes", f"{million.array_bytes / 1e6:.0f} MB, measured"),
        (
            f"  {million.compared / 1e6:.0f} million pairs compared",
            f"{million.compare_seconds:.0f} s, extrapolated",
        ),
        ("  together on one core", f"{total / 60:.1f} minutes"),
    ]


def run(*, n: int = RESUMES, seed: int = 1, watch: Watch = unwatched) -> Duplicates:
    """Measure on `n` generated resumes, one in twenty of them sent again; growth up to twice as many."""
    largest = round(n * max(SIZES))
    whole = make_pile(largest, round(largest * PLANTED), seed=seed, watch=watch)
    pile = whole.first(n)
    sketch("Tables that are made once: é")
    with watch("measuring", len(SIZES) + 4) as bar:
        stripped, contact_seconds = timed(lambda: strip(pile))
        our_pairs, our_steps = find_ours(stripped, METHOD)
        bar.advance()
        peer_pairs, peer_steps = find_by_datasketch(stripped, METHOD)
        bar.advance()
        textbook, _ = find_ours(stripped, BRODER)
        lowest, highest = extremes(stripped, pile)
        bar.advance()
        growth = []
        for share in SIZES:
            growth.append(measure_size(whole.first(round(n * share))))
            bar.advance()
        million = measure_million(growth, seed)
        bar.advance()
    return Duplicates(
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


def strip(pile: Pile) -> dict[int, str]:
    return {number: without_contact(text) for number, text in pile.texts.items()}


def extremes(stripped: dict[int, str], pile: Pile) -> tuple[float, float]:
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


def measure_size(pile: Pile) -> Size:
    stripped, stripping = timed(lambda: strip(pile))
    sketches, sketching = timed(lambda: list(sketch_many(stripped.values())))
    (index, pairs), proposing = timed(lambda: propose(stripped, sketches, METHOD))
    found, checking = timed(lambda: list(check_pairs(pairs, stripped.__getitem__)))
    rated = quality({(pair.a, pair.b) for pair in found}, pile.planted)
    return Size(len(stripped), stripping + sketching, proposing + checking, index.compared, rated)


def measure_million(growth: Sequence[Size], seed: int) -> Million:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 1 << 16, (MANY, METHOD.hashes), np.uint16)
    index: DuplicateIndex[int] = DuplicateIndex()

    def fill() -> int:
        index.add_many((number, Sketch(row, 100, METHOD.width)) for number, row in enumerate(values))
        return sum(1 for _ in index.pairs())

    _, index_seconds = timed(fill)
    one, other = rng.integers(0, MANY, (2, 1 << 14))
    _, some_seconds = timed(lambda: np.mean(values[one] == values[other], axis=1))
    compared = extrapolate([size.resumes for size in growth], [size.compared for size in growth], MANY)
    return Million(
        text_seconds=growth[-1].sketch_seconds * MANY / growth[-1].resumes,
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
