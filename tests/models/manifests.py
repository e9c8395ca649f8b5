"""A model small enough to write by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.models.manifest import EncoderStamp, Manifest

TENSORS: dict[str, NDArray[Any]] = {
    "head.weight": np.arange(6, dtype=np.float32).reshape(2, 3),
    "head.bias": np.array([1, -1], np.int8),
}


def make_manifest(**changes: Any) -> Manifest:
    plain: Mapping[str, Any] = {
        "name": "tiny",
        "version": "1",
        "task": "level",
        "labels": ("low", "high"),
        "kind": "network",
        "outcome": "ordered",
        "encoder": EncoderStamp("tiny-bert", {"model.safetensors": "ab" * 32}),
        "settings": {"model": "C", "chunk": 126},
        "metrics": {"ece": 0.0312, "test": {"resumes": 4, "accuracy": 0.75}},
        "data": "Four invented resumes.",
        "limits": ("Knows two words.",),
        "licence": "Apache-2.0",
        "libraries": {"numpy": "2.0"},
    }
    return Manifest(**{**plain, **changes})
