"""Pools whose parser misbehaves on command."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from evenhand.documents.sandbox.pool import SandboxPool

ROOT = Path(__file__).resolve().parents[3]
OpenPool = Callable[..., SandboxPool]


@pytest.fixture
def open_pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenPool]:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # where the children find the misbehaving parser
    with ExitStack() as stack:

        def opened(workers: int = 1, **options: Any) -> SandboxPool:
            short = {"wall_seconds": 2.0, "cpu_seconds": 10.0, "memory_bytes": 400_000_000}
            pool = SandboxPool(workers, parser="tests.documents.sandbox.misbehaving", **(short | options))
            return stack.enter_context(pool)

        yield opened


@pytest.fixture
def pool(open_pool: OpenPool) -> SandboxPool:
    return open_pool()
