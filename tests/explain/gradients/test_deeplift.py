"""DeepLIFT on a ReLU network: complete, and not the gradient times the input."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from evenhand.explain.gradients.integrated import deeplift


class Last(nn.Module):
    """One output as a number per row."""

    def forward(self, rows: Tensor) -> Tensor:
        return rows[:, 0]


def head(*layers: nn.Module) -> nn.Module:
    return nn.Sequential(*layers, Last()).double()


def test_complete_on_relu_layers() -> None:
    torch.manual_seed(2)
    module = head(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 5), nn.ReLU(), nn.Linear(5, 1))
    given, baseline = torch.randn(6).double(), torch.randn(6).double()
    found = deeplift(module, given, baseline)
    assert abs(found.output - found.baseline_output) > 0.01
    assert abs(found.delta) < 1e-6


def test_a_saturated_unit_by_hand() -> None:
    """1 - relu(1 - x) from 0 to 2 rises by 1, though the gradient at 2 is 0."""
    module = head(nn.Linear(1, 1), nn.ReLU(), nn.Linear(1, 1))
    first, last = module[0], module[2]  # type: ignore[index]
    with torch.no_grad():
        first.weight.fill_(-1), first.bias.fill_(1), last.weight.fill_(-1), last.bias.fill_(1)
    given = torch.tensor([2.0]).double()
    found = deeplift(module, given, torch.zeros(1).double())
    assert found.scores.tolist() == [1.0]
    point = given[None].clone().requires_grad_()
    (gradient,) = torch.autograd.grad(module(point).sum(), point)
    assert float(gradient) * 2.0 == 0.0


def test_the_gap_is_measured_where_there_is_no_rule() -> None:
    """A square has no rule: its gradient at 3 times the change is 18, twice the difference."""

    class Square(nn.Module):
        def forward(self, rows: Tensor) -> Tensor:
            return (rows**2).sum(1)

    found = deeplift(Square(), torch.tensor([3.0]).double(), torch.zeros(1).double())
    assert (found.scores.tolist(), found.delta) == ([18.0], 9.0)
