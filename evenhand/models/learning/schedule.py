"""Numbers of a training, with their defaults and why, and what is heard of it while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Schedule:
    """Cross-entropy, AdamW, linear decay after a warm-up; the best epoch on DEV is kept."""

    epochs: int = 20
    batch: int = 8  # resumes; with `same_count` at most 4
    accumulation: int = 1  # batches per step
    same_count: bool = False  # batches as published, of resumes with equally many sequences
    rate: float = 1e-3  # of the encoder's own part; 2e-5 as published for full fine-tuning
    head_rate: float = 1e-3  # of sections, attention, decoder
    feature_rate: float = 5e-3  # of what joins mined features
    weight_decay: float = 0.01
    warm_up: float = 0.1  # share of all steps
    clip: float = 1.0
    dropout: float = 0.1  # before the decoder
    blind: float = 0.7  # share of resumes judged by features alone, where there are any; while training only
    patience: int = 5  # epochs without a better one on DEV
    seed: int = 0

    def factor(self, step: int, steps: int) -> float:
        """Of the learning rate at a step, counted from 0."""
        warm = max(1, round(self.warm_up * steps))
        return (step + 1) / warm if step < warm else max(0.0, (steps - step) / max(1, steps - warm))


@dataclass(frozen=True, slots=True)
class Epoch:
    """`loss` and `accuracy` are means over the training resumes as they were met."""

    number: int
    loss: float
    accuracy: float
    dev_loss: float
    dev_accuracy: float

    def is_better(self, other: Epoch | None) -> bool:
        if other is None:
            return True
        return (self.dev_accuracy, -self.dev_loss) > (other.dev_accuracy, -other.dev_loss)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a training is: `done` of `total` batches of an epoch; `dev_accuracy` once the epoch is over.

    `stage` is "reading" while frozen layers are computed; `done` and `total` then count tokens.
    """

    stage: str
    epoch: int
    epochs: int
    done: int
    total: int
    loss: float | None = None
    accuracy: float | None = None
    dev_accuracy: float | None = None


Listener = Callable[[Progress], None]
