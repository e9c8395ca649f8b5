"""What stands on the encoder: a vector per kind of section, attention between resume and job, mined features."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from evenhand.errors import UsageError
from evenhand.models.inputs import KINDS
from evenhand.models.learning.attention import attend, attend_some
from evenhand.models.learning.lora import TunedLinear
from evenhand.models.learning.packing import Packing

SECTION_SPREAD = 0.1


class SectionEncoder(nn.Module):
    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.vectors = nn.Embedding(len(KINDS), hidden)
        nn.init.normal_(self.vectors.weight, std=SECTION_SPREAD)

    def forward(self, kinds: Tensor) -> Tensor:
        found: Tensor = self.vectors(kinds)
        return found


class CrossAttention(nn.Module):
    """Multi-head attention with an output projection; keys and values are the same states."""

    def __init__(self, hidden: int, heads: int) -> None:
        super().__init__()
        if hidden % heads:
            raise UsageError(f"{heads} heads do not divide vectors of {hidden} numbers.")
        self.heads = heads
        self.query, self.key, self.value, self.output = (TunedLinear(hidden, hidden) for _ in range(4))
        for linear in (self.query, self.key, self.value, self.output):
            nn.init.xavier_uniform_(linear.weight)

    def forward(self, queries: Tensor, states: Tensor, mask: Tensor) -> Tensor:
        """(g, q, H) from (g, q, H) over (g, k, H) with a mask (g, k) of real states: the published computation.

        The networks only use the result at the first query, for which `first` is enough.
        """
        mixed = attend(self.query(queries), self.key(states), self.value(states), self.heads, mask)
        found: Tensor = self.output(mixed)
        return found

    def first(self, queries: Tensor, rows: Tensor, packing: Packing) -> Tensor:
        """(sequences, q, H): every query (q, H) over the states of every sequence."""
        mixed = attend_some(self.query(queries).unsqueeze(0), rows, packing, self.key, self.value, self.heads)
        found: Tensor = self.output(mixed)
        return found

    def over_each(self, queries: Tensor, rows: Tensor, packing: Packing) -> Tensor:
        """(sequences, q, H): as `first`, for many queries over few sequences, whose keys and values then pay."""
        asked = self.query(queries).unsqueeze(0)
        pairs = zip(
            *(part.split(packing.lengths) for part in (self.key(rows), self.value(rows))), strict=True
        )
        mixed = [
            attend(asked, key.unsqueeze(0), value.unsqueeze(0), self.heads, None) for key, value in pairs
        ]
        found: Tensor = self.output(torch.cat(mixed))
        return found


class FeatureJoiner(nn.Module):
    """Mined numbers, standardised as on the training resumes, through one hidden layer.

    Months count only together with a degree, and a level only against the job's, which a linear decoder cannot say.
    """

    def __init__(self, features: int, units: int, *, job: int = 0) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("scale", torch.ones(features))
        self.mean: Tensor
        self.scale: Tensor
        self.hidden = nn.Linear(features + job, units)

    def standardise(self, values: Tensor) -> None:
        """From training resumes (n, F); NaN is a value that a resume lacks. What never varies is scaled by 1."""
        known = ~values.isnan()
        count = known.sum(0).clamp(min=1)
        mean = values.nan_to_num().sum(0) / count
        spread = (((values - mean) ** 2).nan_to_num().sum(0) / count).sqrt()
        self.mean.copy_(mean)
        self.scale.copy_(torch.where(spread > 0, spread, torch.ones_like(spread)))

    def forward(self, values: Tensor, job: Tensor | None = None) -> Tensor:
        given = ((values - self.mean) / self.scale).nan_to_num()
        return torch.relu(self.hidden(given if job is None else torch.cat([given, job], dim=1)))
