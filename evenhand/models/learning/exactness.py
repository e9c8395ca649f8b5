"""The same bytes from the same seed: one thread, fixed orders of sums."""

from __future__ import annotations

import random

import numpy as np
import torch


def be_exact(seed: int) -> None:
    """For this process, from here on. Sums over several threads depend on how many there are."""
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(seed)
    random.seed(seed)
    np.random.seed(seed)
