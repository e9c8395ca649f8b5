"""A linear map that is frozen, trained, or frozen with a small trained addition (LoRA)."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional


class TunedLinear(nn.Module):
    """y = x (weight + up @ down)^T + bias; `down` and `up` are there once the map is adapted."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(outputs, inputs))
        self.bias = nn.Parameter(torch.zeros(outputs))
        self.register_parameter("down", None)
        self.register_parameter("up", None)
        self.down: nn.Parameter | None
        self.up: nn.Parameter | None

    def adapt(self, rank: int) -> None:
        """Adds nothing yet: `up` begins with zeros. Chance is drawn from torch's own seed."""
        outputs, inputs = self.weight.shape
        self.down = nn.Parameter(torch.empty(rank, inputs).uniform_(-1, 1) / math.sqrt(inputs))
        self.up = nn.Parameter(torch.zeros(outputs, rank))

    def merged(self) -> Tensor:
        """The plain matrix. To multiply few rows, or to use it sideways; many rows go through `forward`, whose
        way back does without a gradient as large as the matrix."""
        if self.down is None or self.up is None:
            return self.weight
        return self.weight + self.up @ self.down

    def forward(self, rows: Tensor) -> Tensor:
        found = functional.linear(rows, self.weight, self.bias)
        if self.down is None or self.up is None:
            return found
        return found + functional.linear(functional.linear(rows, self.down), self.up)
