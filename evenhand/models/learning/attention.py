"""Attention over packed rows: every token to every other of its sequence, or a few queries to all tokens of each."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from evenhand.models.learning.lora import TunedLinear
from evenhand.models.learning.packing import Bucket, Packing


def attend_all(query: Tensor, key: Tensor, value: Tensor, packing: Packing, heads: int) -> Tensor:
    """Rows in, rows out: each token's mixture of the values of its own sequence."""
    return torch.cat([_attend_bucket(bucket, query, key, value, heads) for bucket in packing.buckets])


def _attend_bucket(bucket: Bucket, query: Tensor, key: Tensor, value: Tensor, heads: int) -> Tensor:
    mixed = attend(bucket.padded(query), bucket.padded(key), bucket.padded(value), heads, bucket.mask)
    return bucket.packed(mixed)


def attend(query: Tensor, key: Tensor, value: Tensor, heads: int, mask: Tensor | None) -> Tensor:
    """(g, q, H) from (g, q, H) over (g, k, H); `mask` (g, k) says which of the latter are real."""
    q, k, v = (by_head(states, heads).transpose(1, 2) for states in (query, key, value))
    real = None if mask is None else mask[:, None, None, :]
    return functional.scaled_dot_product_attention(q, k, v, attn_mask=real).transpose(1, 2).flatten(2)


def by_head(states: Tensor, heads: int) -> Tensor:
    return states.reshape(*states.shape[:-1], heads, states.shape[-1] // heads)


def attend_some(
    queries: Tensor, rows: Tensor, packing: Packing, key: TunedLinear, value: TunedLinear, heads: int
) -> Tensor:
    """(sequences, q, H): mixtures of values for q queries (sequences or 1, q, H) per sequence, without keys or values.

    query . (K x) is (K^T query) . x, and a mixture of (V x) is V of the mixture of x: with a few queries it is far
    cheaper to bring them to the tokens than to make a key and a value of every token. It is the same sum in another
    order. The key's bias adds the same to all scores of a query and so drops out.
    """
    width = queries.shape[-1] // heads
    to_keys, to_values = (linear.merged().reshape(heads, width, -1) for linear in (key, value))
    brought = torch.einsum("sqhd,hdi->sqhi", by_head(queries, heads), to_keys) / width**0.5
    mixed = torch.cat([_mix_bucket(bucket, brought.flatten(1, 2), rows) for bucket in packing.buckets])
    mixed = mixed.reshape(len(mixed), -1, heads, mixed.shape[-1])
    return torch.einsum("sqhi,hdi->sqhd", mixed, to_values).flatten(2) + value.bias


def _mix_bucket(bucket: Bucket, brought: Tensor, rows: Tensor) -> Tensor:
    """(sequences, q x heads, H)"""
    states = bucket.padded(rows)
    own = brought if len(brought) == 1 else brought[bucket.first : bucket.first + len(states)]
    scores = own @ states.transpose(1, 2)
    if bucket.mask is not None:
        scores = scores.masked_fill(~bucket.mask.unsqueeze(1), float("-inf"))
    return torch.bmm(scores.softmax(-1), states)
