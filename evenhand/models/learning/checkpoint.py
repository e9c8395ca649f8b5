"""A training between two epochs as one safetensors file, so that an interrupted one goes on as if nothing had been."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from evenhand.errors import UsageError
from evenhand.models.learning.schedule import Epoch

MOMENTS = ("exp_avg", "exp_avg_sq", "step")


@dataclass(slots=True)
class State:
    """All that changes while a network learns."""

    network: nn.Module
    optimizer: torch.optim.Optimizer
    step: int = 0
    history: list[Epoch] = field(default_factory=list)
    best: Epoch | None = None
    best_tensors: dict[str, Tensor] = field(default_factory=dict)


def learned(network: nn.Module) -> Iterator[tuple[str, Tensor]]:
    """What training changes or fixes; the rest is the encoder's own."""
    yield from ((name, value) for name, value in network.named_parameters() if value.requires_grad)
    yield from network.named_buffers()


def snapshot(network: nn.Module) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in learned(network)}


@torch.no_grad()
def restore(network: nn.Module, tensors: dict[str, Tensor]) -> None:
    for name, value in learned(network):
        value.copy_(tensors[name])


def write_checkpoint(path: Path, state: State, fingerprint: str) -> None:
    tensors = {f"now.{name}": value for name, value in snapshot(state.network).items()}
    tensors |= {f"best.{name}": value for name, value in state.best_tensors.items()}
    for name, parameter in state.network.named_parameters():
        for moment, value in state.optimizer.state.get(parameter, {}).items():
            tensors[f"{moment}.{name}"] = value
    tensors["random"] = torch.get_rng_state()
    told = {
        "fingerprint": fingerprint,
        "step": state.step,
        "history": [asdict(epoch) for epoch in state.history],
        "best": asdict(state.best) if state.best else None,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".part")
    save_file(tensors, beside, {"told": json.dumps(told)})
    beside.replace(path)


def read_checkpoint(path: Path, state: State, fingerprint: str) -> bool:
    """False where there is none; UsageError where it belongs to another training, which going on would spoil."""
    if not path.exists():
        return False
    try:
        with safe_open(path, "pt") as file:
            told = json.loads(file.metadata()["told"])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise UsageError(f"The checkpoint {path} cannot be read: {error}.") from error
    if told["fingerprint"] != fingerprint:
        raise UsageError(
            f"The checkpoint {path} belongs to a training with other resumes or settings; remove it or name another."
        )
    _restore_all(state, tensors)
    state.step = told["step"]
    state.history = [Epoch(**epoch) for epoch in told["history"]]
    state.best = Epoch(**told["best"]) if told["best"] else None
    return True


def _restore_all(state: State, tensors: dict[str, Tensor]) -> None:
    def part(prefix: str) -> dict[str, Tensor]:
        return {
            name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)
        }

    restore(state.network, part("now."))
    state.best_tensors = part("best.")
    moments = {moment: part(f"{moment}.") for moment in MOMENTS}
    for name, parameter in state.network.named_parameters():
        if name in moments["step"]:
            state.optimizer.state[parameter] = {moment: moments[moment][name] for moment in MOMENTS}
    torch.set_rng_state(tensors["random"])
