"""Training of many heads at once: every learning rate, seed and choice of columns is a slice of one stack of arrays.

Small heads spend their time in calls, not in sums; a stack of them costs little more than one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from evenhand.debias.samples import Codes, Floats

# A head: rows to logits through one hidden layer of 128 rectified units, as it was learned and frozen.

Singles = NDArray[np.float32]
HIDDEN = 128


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """`rate` is the learning rate that validation chose; `seed` began the weights and ordered the batches."""

    first: Singles  # d x 128
    first_bias: Singles
    second: Singles  # 128 x C
    second_bias: Singles
    rate: float
    seed: int

    def logits(self, rows: NDArray[np.floating]) -> Singles:
        hidden = np.asarray(rows, np.float32) @ self.first + self.first_bias
        logits: Singles = np.maximum(hidden, np.zeros_like(hidden)) @ self.second + self.second_bias
        return logits

    def predict(self, rows: NDArray[np.floating]) -> NDArray[np.int64]:
        return np.asarray(self.logits(rows).argmax(axis=1), np.int64)


# Rows brought to a size that training likes, before anything is trained on them.


@dataclass(frozen=True, slots=True, eq=False)
class Scaling:
    """One factor for all columns: distances stay in proportion.

    A factor for each would blow up the columns that hardly vary, and with them noise, and the rounding errors where a
    direction was erased, which tell what was erased.
    """

    mean: Floats
    factor: float

    def apply(self, rows: NDArray[np.floating]) -> Floats:
        return np.asarray((rows - self.mean) * self.factor, np.float64)


def fit_scaling(rows: NDArray[np.floating]) -> Scaling:
    """The mean square of what comes out is 1."""
    mean = rows.mean(axis=0)
    size = float(np.sqrt(((rows - mean) ** 2).mean()))
    return Scaling(mean, 1 / size if size > 0 else 1.0)


RATES = (1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 1e-1)
BATCH = 256
EPOCHS = 60
PATIENCE = 8  # epochs in which validation does not get better by LEAST_FALL
MIN_LOSS_DROP = 1e-4  # of the loss
TRIAL_EPOCHS, KEPT_RATES = 4, 2  # every rate is tried so long; then only the better ones go on
STACK_BYTES = 8_000_000  # of activations at once: what does not fit the cache is not worth stacking
BETAS, EPSILON = (0.9, 0.999), 1e-8


@dataclass(frozen=True, slots=True)
class Protocol:
    """How heads are trained."""

    rates: tuple[float, ...] = RATES
    epochs: int = EPOCHS
    patience: int = PATIENCE
    batch: int = BATCH
    hidden: int = HIDDEN


@dataclass(frozen=True, slots=True, eq=False)
class HeadTrainingData:
    """Rows to learn from and rows that say when to stop; `masks` has one row of column weights per head wanted."""

    rows: NDArray[np.floating]
    codes: Codes
    validation: NDArray[np.floating]
    validation_codes: Codes
    classes: int
    masks: Floats | None = None


def train_heads(
    training_data: HeadTrainingData, seeds: Sequence[int], protocol: Protocol | None = None
) -> list[list[Head]]:
    """For each mask a head per seed, each of the rate and the epoch with the lowest loss on validation."""
    protocol = protocol or Protocol()
    # Rows of one size learn at one rate, wherever they come from; the scale is folded into the head afterwards.
    scaling = fit_scaling(training_data.rows)
    scaled = replace(
        training_data,
        rows=scaling.apply(training_data.rows).astype(np.float32),
        validation=scaling.apply(training_data.validation).astype(np.float32),
    )
    masks = np.ones((1, training_data.rows.shape[1])) if training_data.masks is None else training_data.masks
    wanted = [(mask, seed) for mask in range(len(masks)) for seed in seeds]
    widest = max(training_data.rows.shape[1], protocol.hidden)
    together = max(1, STACK_BYTES // (protocol.batch * widest * 4) // len(protocol.rates))
    heads: list[Head] = []
    for start in range(0, len(wanted), together):
        course = _Course(scaled, scaling, masks, wanted[start : start + together], protocol)
        course.run()
        heads += course.chosen()
    return [heads[at * len(seeds) : (at + 1) * len(seeds)] for at in range(len(masks))]


def train_head(training_data: HeadTrainingData, *, seed: int = 0, protocol: Protocol | None = None) -> Head:
    return train_heads(training_data, (seed,), protocol)[0][0]


@dataclass(slots=True, eq=False)
class _Stack:
    """Parameters of all heads still learning, first axis the head, with Adam's moments."""

    weights: list[Singles]
    moments: list[Singles] = field(init=False)
    squares: list[Singles] = field(init=False)
    steps: int = 0

    def __post_init__(self) -> None:
        self.moments = [np.zeros_like(weights) for weights in self.weights]
        self.squares = [np.zeros_like(weights) for weights in self.weights]

    def keep(self, places: NDArray[np.intp]) -> None:
        for arrays in (self.weights, self.moments, self.squares):
            arrays[:] = [array[places] for array in arrays]

    def step(self, gradients: Sequence[Singles], rates: Singles) -> None:
        self.steps += 1
        correction = np.sqrt(1 - BETAS[1] ** self.steps) / (1 - BETAS[0] ** self.steps)
        pace = (rates * np.float32(correction))[:, None, None]
        for place, gradient in enumerate(gradients):
            moment, square = self.moments[place], self.squares[place]
            moment += np.float32(1 - BETAS[0]) * (gradient - moment)
            square += np.float32(1 - BETAS[1]) * (gradient * gradient - square)
            self.weights[place] -= pace * moment / (np.sqrt(square) + np.float32(EPSILON))


class _Course:
    """One stack from its first weights to the best that validation saw of each head."""

    def __init__(
        self,
        data: HeadTrainingData,
        scaling: Scaling,
        masks: Floats,
        wanted: Sequence[tuple[int, int]],
        protocol: Protocol,
    ) -> None:
        self.data, self.scaling, self.protocol = data, scaling, protocol
        self.members = [(mask, seed, rate) for mask, seed in wanted for rate in protocol.rates]
        self.alive = np.arange(len(self.members))
        self.masks = masks.astype(np.float32)[[mask for mask, _, _ in self.members]]
        self.rates = np.array([rate for _, _, rate in self.members], np.float32)
        # A head's beginning and its batches hang on its seed alone, so it is the same in whatever company it learns.
        self.orders = [np.random.default_rng((seed, 1)) for _, seed, _ in self.members]
        self.stack = _Stack(
            [np.stack(weights) for weights in zip(*map(self._first_weights, self.members), strict=True)]
        )

        self.best = [weight.copy() for weight in self.stack.weights]
        self.losses = np.full(len(self.members), np.inf)
        self.waits = np.zeros(len(self.members), int)

    def _first_weights(self, member: tuple[int, int, float]) -> tuple[Singles, ...]:
        rng = np.random.default_rng((member[1], 0))
        inputs, hidden, classes = self.data.rows.shape[1], self.protocol.hidden, self.data.classes
        sizes = ((inputs, hidden, inputs), (1, hidden, inputs), (hidden, classes, hidden), (1, classes, hidden))
        return tuple(
            rng.uniform(-1, 1, (high, wide)).astype(np.float32) / np.float32(np.sqrt(fan)) for high, wide, fan in sizes
        )

    def run(self) -> None:
        count = len(self.data.rows)
        for epoch in range(self.protocol.epochs):
            orders = np.stack([self.orders[member].permutation(count) for member in self.alive])
            for start in range(0, count, self.protocol.batch):
                self._learn(orders[:, start : start + self.protocol.batch])
            self._judge()
            if epoch + 1 == TRIAL_EPOCHS:  # of each head's rates only the best few go on
                losses = self.losses.reshape(-1, len(self.protocol.rates))
                places = losses.argsort(axis=1, kind="stable").argsort(axis=1)
                self._drop(places.ravel()[self.alive] >= KEPT_RATES)
            self._drop(self.waits[self.alive] >= self.protocol.patience)
            if not len(self.alive):
                return

    def _learn(self, places: NDArray[np.int64]) -> None:
        first, first_bias, second, second_bias = self.stack.weights
        rows: Singles = self.data.rows[places] * self.masks[self.alive][:, None, :]
        hidden: Singles = rows @ first + first_bias
        np.maximum(hidden, np.zeros_like(hidden), out=hidden)
        errors = _softmax(hidden @ second + second_bias)
        heads, batch = places.shape
        errors[np.arange(heads)[:, None], np.arange(batch)[None, :], self.data.codes[places]] -= 1
        errors /= batch
        back = (errors @ second.transpose(0, 2, 1)) * (hidden > 0)
        gradients = (
            rows.transpose(0, 2, 1) @ back,
            back.sum(axis=1, keepdims=True),
            hidden.transpose(0, 2, 1) @ errors,
            errors.sum(axis=1, keepdims=True),
        )
        self.stack.step(gradients, self.rates[self.alive])

    def _judge(self) -> None:
        first, first_bias, second, second_bias = self.stack.weights
        for place, member in enumerate(self.alive):
            hidden: Singles = (self.data.validation * self.masks[member]) @ first[place] + first_bias[place]
            guesses = _softmax(np.maximum(hidden, np.zeros_like(hidden)) @ second[place] + second_bias[place])
            right = guesses[np.arange(len(guesses)), self.data.validation_codes]
            loss = float(-np.log(right + 1e-12).mean())
            # The lowest loss counts: the highest accuracy of a few hundred rows would be the luckiest epoch.
            self.waits[member] = 0 if loss < self.losses[member] - MIN_LOSS_DROP else self.waits[member] + 1
            if loss < self.losses[member]:
                self.losses[member] = loss
                for best, now in zip(self.best, self.stack.weights, strict=True):
                    best[member] = now[place]

    def _drop(self, gone: NDArray[np.bool_]) -> None:
        if gone.any():
            self.stack.keep(np.flatnonzero(~gone))
            self.alive = self.alive[~gone]

    def chosen(self) -> list[Head]:
        per_head = len(self.protocol.rates)
        starts = range(0, len(self.members), per_head)
        return [self._head(min(range(start, start + per_head), key=lambda at: self.losses[at])) for start in starts]

    def _head(self, member: int) -> Head:
        """The mask and the scale go into the first layer: the head takes rows as they are."""
        first, first_bias, second, second_bias = (weights[member] for weights in self.best)
        scaled = first * (self.masks[member] * self.scaling.factor)[:, None]
        bias = first_bias[0] - self.scaling.mean @ scaled
        _, seed, rate = self.members[member]
        return Head(
            scaled.astype(np.float32), bias.astype(np.float32), second.copy(), second_bias[0].copy(), rate, seed
        )


def _softmax(logits: Singles) -> Singles:
    logits -= logits.max(axis=-1, keepdims=True)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=-1, keepdims=True)
    return logits
