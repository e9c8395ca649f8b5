"""Token sequences through an encoder, those of like length together; none is changed by those beside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession

from evenhand.models.encoder.encoder import open_session
from evenhand.models.encoder.graph import build_graph
from evenhand.models.encoder.tokens import Ids
from evenhand.models.encoder.weights import Array, BertWeights

BATCH_TOKENS = 256  # more would leave the caches of a core
STEP = 4  # lengths are padded up to a multiple of it
States = Literal["first", "states"]


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """`places` of sequences that ran together; `values` (n, hidden), or (n, width, hidden) with `mask` (n, width)."""

    places: list[int]
    values: Array
    mask: NDArray[np.int32]


class ReadsSequences(Protocol):
    """The encoder below, or another to compare it with."""

    @property
    def output(self) -> States: ...
    @property
    def hidden(self) -> int: ...

    def run(self, sequences: Sequence[Ids], *, batch_tokens: int = BATCH_TOKENS) -> Iterator[Encoded]: ...


@dataclass(frozen=True, slots=True, eq=False)
class SequenceEncoder:
    output: States
    longest: int
    hidden: int
    session: InferenceSession

    def run(self, sequences: Sequence[Ids], *, batch_tokens: int = BATCH_TOKENS) -> Iterator[Encoded]:
        """The width that a sequence is padded to is its own, not that of its batch: small integers round alike
        however many are computed at once."""
        by_width: dict[int, list[int]] = defaultdict(list)
        for place, sequence in enumerate(sequences):
            by_width[min(-(-len(sequence) // STEP) * STEP, self.longest)].append(place)
        for width in sorted(by_width, reverse=True):
            size = max(batch_tokens // width, 1)
            for start in range(0, len(by_width[width]), size):
                places = by_width[width][start : start + size]
                ids, mask = _padded([sequences[place] for place in places], width)
                values = self.session.run([self.output], {"ids": ids, "mask": mask})[0]
                yield Encoded(places, values, mask)


def open_sequences(
    weights: BertWeights,
    output: States,
    *,
    compact: bool,
    limits: Mapping[str, float] | None = None,
    threads: int = 1,
) -> SequenceEncoder:
    session = open_session(build_graph(weights, compact=compact, output=output, limits=limits), threads)
    return SequenceEncoder(output, weights.shape.positions, weights.shape.hidden, session)


def _padded(rows: Sequence[Ids], width: int) -> tuple[Ids, Ids]:
    ids = np.zeros((len(rows), width), np.int32)
    mask = np.zeros((len(rows), width), np.int32)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
        mask[place, : len(row)] = 1
    return ids, mask
