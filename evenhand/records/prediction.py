"""What a model says of a resume: never a decision, always with how sure it is and which model said so."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.records.conversion import JsonRecord


@dataclass(frozen=True, slots=True)
class ModelStamp(JsonRecord):
    """`encoder` is None for a model that stands on none."""

    name: str
    version: str
    encoder: str | None


@dataclass(frozen=True, slots=True)
class LabelProbability(JsonRecord):
    label: str
    probability: float


@dataclass(frozen=True, slots=True)
class Prediction(JsonRecord):
    """`labels` are all of them, the most probable first. `label` is None where the model abstains: it is not sure
    enough of any."""

    file: str | None
    task: str
    label: str | None
    labels: tuple[LabelProbability, ...]
    model: ModelStamp
    abstained: bool
